//! The service's ports and settings in one value, which every use case takes first, and the one way to
//! write: [`App::commit`] of a [`Transaction`].

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use svc_storage::{Blobs, Commit, Op, OpKind, Queue, StorageError, Table, keys};
use uuid::Uuid;

use crate::budget::{Budgets, Payers};
use crate::derive::{Derived, derive, made, wake};
use crate::error::{Error, Result, is_conflict};
use crate::feed_clock::FeedClock;
use crate::health::Health;
use crate::id_cache::IdCache;
use crate::last_use::LastUses;
use crate::notifier::Notifier;
use crate::parse_cache::ParseCache;
use crate::ports::{Clock, CodeHost, Ids, Mail, SignInProvider};
use crate::settings::Settings;
use crate::tracker::Feeds;
use crate::transaction::Transaction;

/// Everything that use cases work with.
pub struct App {
    /// Rows.
    pub table: Arc<dyn Table>,
    /// Bytes.
    pub blobs: Arc<dyn Blobs>,
    /// Messages to workers.
    pub queue: Arc<dyn Queue>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Ids and secrets.
    pub ids: Arc<dyn Ids>,
    /// Behaviour.
    pub settings: Settings,
    /// Request budgets of this process.
    pub budgets: Budgets,
    /// Whose budgets the credentials that it has met are charged to.
    pub payers: Payers,
    /// Places of changes in feeds.
    pub feed_clock: Arc<FeedClock>,
    /// Whether the store takes writes.
    pub health: Health,
    /// Wakes those who wait for something in this process.
    pub notifier: Notifier,
    /// Warm project feeds of this process.
    pub feeds: Feeds,
    /// Emails to people; `None` where the instance sends none, and links are handed to who asked for them.
    pub mail: Option<Arc<dyn Mail>>,
    /// Who says who people are, beside their passwords.
    pub sign_in: Option<SignIn>,
    /// Where repositories are that are on no runner's machine.
    pub code_host: Option<Arc<dyn CodeHost>>,
    /// Which tokens this process has noted as used.
    pub last_uses: LastUses,
    /// Which ids this process has seen behind credentials and slugs.
    pub id_cache: IdCache,
    /// What this process has parsed of rows that every request reads.
    pub parse_cache: ParseCache,
}

/// Sign-in with an identity provider.
#[derive(Clone)]
pub struct SignIn {
    /// The provider.
    pub provider: Arc<dyn SignInProvider>,
    /// Whether whoever the provider knows gets an account; otherwise only who is invited.
    pub creates_accounts: bool,
}

/// How often a use case decides again after a conflict that its caller did not cause.
const DECISIONS: u32 = 6;

/// How often a commit is repeated under its token when the engine did not answer.
const SENDS: u32 = 3;

impl App {
    /// An application on these ports.
    pub fn new(
        table: Arc<dyn Table>,
        blobs: Arc<dyn Blobs>,
        queue: Arc<dyn Queue>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        settings: Settings,
    ) -> Self {
        let feeds = Feeds::with_capacity(settings.memory.max_items);
        Self {
            table,
            blobs,
            queue,
            clock,
            ids,
            settings,
            budgets: Budgets::default(),
            payers: Payers::default(),
            feed_clock: Arc::default(),
            health: Health::default(),
            notifier: Notifier::default(),
            feeds,
            mail: None,
            sign_in: None,
            code_host: None,
            last_uses: LastUses::default(),
            id_cache: IdCache::default(),
            parse_cache: ParseCache::default(),
        }
    }

    /// The same application, which sends mail.
    #[must_use]
    pub fn with_mail(mut self, mail: Arc<dyn Mail>) -> Self {
        self.mail = Some(mail);
        self
    }

    /// The same application, where people also sign in with an identity provider.
    #[must_use]
    pub fn with_sign_in(mut self, sign_in: SignIn) -> Self {
        self.sign_in = Some(sign_in);
        self
    }

    /// The same application, which reaches repositories at this code host.
    #[must_use]
    pub fn with_code_host(mut self, code_host: Arc<dyn CodeHost>) -> Self {
        self.code_host = Some(code_host);
        self
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new id.
    pub fn uuid(&self) -> Uuid {
        self.ids.uuid()
    }

    /// Writes a transaction and all that follows from its events, or nothing: the only way to write. Then wakes
    /// who waits for it in this process, and sends the messages that it put into the outbox.
    ///
    /// # Errors
    /// As [`Table::commit`]; [`Error::Repeated`] when another request has carried out the work of the same
    /// idempotency key.
    pub async fn commit(&self, transaction: Transaction) -> Result<()> {
        let Transaction { mut ops, occurrences, reservation, .. } = transaction;
        let Derived { ops: derived, messages } = derive(self, &occurrences);
        ops.extend(derived);
        let reservation = reservation.filter(|reservation| reservation.is_open());
        let claim = reservation.as_ref().map(|reservation| reservation.claim(self, made(&occurrences)));
        // Comes last, so that a conflict of it is told from those of the work.
        let claimed = ops.len();
        let claims = claim.is_some();
        ops.extend(claim);
        match self.send(ops).await {
            Err(StorageError::Conflict { op, .. }) if claims && op == claimed => return Err(Error::Repeated),
            sent => sent?,
        }
        if let Some(reservation) = reservation {
            reservation.close();
        }
        occurrences.iter().for_each(|occurrence| wake(&self.notifier, occurrence));
        for message in messages {
            message.send(self).await;
        }
        Ok(())
    }

    /// Writes all operations or none. A reply that is lost on the way is asked for again under the same token, so
    /// that the commit happens once.
    async fn send(&self, ops: Vec<Op>) -> Result<(), StorageError> {
        let changes_text =
            ops.iter().any(|op| matches!(op.kind, OpKind::Put { .. }) && keys::is_to_index(&op.key));
        let commit = Commit { ops, token: Some(self.uuid().simple().to_string()) };
        let mut send = 1;
        loop {
            match self.written(&commit).await {
                Ok(()) => {
                    if changes_text {
                        self.notifier.notify_indexer();
                    }
                    return Ok(());
                }
                Err(StorageError::Unavailable(_) | StorageError::Contention) if send < SENDS => {
                    tokio::time::sleep(Duration::from_millis(20 << send)).await;
                    send += 1;
                }
                failed => return failed,
            }
        }
    }

    async fn written(&self, commit: &Commit) -> Result<(), StorageError> {
        let written = self.table.commit(commit).await;
        match &written {
            Ok(()) => self.health.wrote(),
            Err(error) => self.health.write_failed(error),
        }
        written
    }

    /// Writes in the background, once: for what is good to know and no harm to lose.
    pub(crate) fn write_sometime(&self, ops: Vec<Op>) {
        let table = Arc::clone(&self.table);
        tokio::spawn(async move {
            if let Err(error) = table.commit(&Commit { ops, token: None }).await {
                tracing::debug!(%error, "a note was not written");
            }
        });
    }

    /// Loads, decides and commits again when a row changed between loading and committing. `attempt` does
    /// all three; a stale version that the *client* sent is its own refusal, not a conflict.
    ///
    /// # Errors
    /// The last error of `attempt`.
    pub async fn decide<T, F>(&self, mut attempt: impl FnMut() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let mut decision = 1;
        loop {
            match attempt().await {
                Err(error) if is_conflict(&error) && decision < DECISIONS => {
                    // Spreads competitors over a few milliseconds, by a number that differs among them.
                    let spread = self.uuid().as_u128() % (4 << decision);
                    tokio::time::sleep(Duration::from_millis(u64::try_from(spread).unwrap_or(1))).await;
                    decision += 1;
                }
                result => return result,
            }
        }
    }
}
