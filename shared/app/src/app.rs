//! The service's ports, settings and memory in one value, which every use case takes first. The one way to write is
//! [`App::commit`], beside it in `commit.rs`.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use svc_domain::ids::OrgSlug;
use svc_storage::{Blobs, Commit, Op, Queue, Table};
use uuid::Uuid;

use crate::budget::{Budgets, HeldAnswers, Payers, Places};
use crate::error::{Result, is_conflict};
use crate::factory::RunLists;
use crate::feed_clock::FeedClock;
use crate::health::Health;
use crate::hearing::Hearing;
use crate::id_cache::IdCache;
use crate::journal::Tails;
use crate::last_use::LastUses;
use crate::metrics::Metrics;
use crate::notifier::Notifier;
use crate::parse_cache::ParseCache;
use crate::ports::{Clock, CodeHost, Ids, Mail, NoOutbound, Outbound, SignInProvider};
use crate::queue_views::QueueViews;
use crate::row_locks::RowLocks;
use crate::sealing::Sealing;
use crate::settings::Settings;
use crate::tracker::Feeds;

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
    /// The accounts that known credentials are charged to.
    pub payers: Payers,
    /// The answers that this process holds open.
    pub held: Arc<HeldAnswers>,
    /// The places of accounts among the requests that this process answers.
    pub places: Places,
    /// Places of changes in feeds.
    pub feed_clock: Arc<FeedClock>,
    /// Whether the store takes writes.
    pub health: Health,
    /// What this process counts for its operators.
    pub metrics: Metrics,
    /// Notifies waiting requests of this process.
    pub notifier: Notifier,
    /// Warm project feeds of this process.
    pub feeds: Feeds,
    /// Rows of the search index that this process has read.
    pub segments: crate::search::Cache,
    /// Runs of organizations that this process has listed.
    pub run_lists: RunLists,
    /// The ends of the journals that streams of this process follow.
    pub tails: Tails,
    /// Emails to people; `None` where the instance sends none, and links are handed to the person who asked for them.
    pub mail: Option<Arc<dyn Mail>>,
    /// Identity providers, beside passwords.
    pub sign_in: Option<SignIn>,
    /// Where repositories are that are on no runner's machine.
    pub code_host: Option<Arc<dyn CodeHost>>,
    /// Requests to addresses that users give.
    pub outbound: Arc<dyn Outbound>,
    /// Encrypts addresses that people are told at; without it nobody connects any.
    pub sealing: Option<Sealing>,
    /// Which tokens this process has noted as used.
    pub last_uses: LastUses,
    /// Which ids this process has seen behind credentials and slugs.
    pub id_cache: IdCache,
    /// What this process has parsed of rows that every request reads.
    pub parse_cache: ParseCache,
    /// Since when this process hears of runners; a Lambda function does not say.
    pub hearing: Option<Hearing>,
    /// Serializes writers of one row within this process.
    pub row_locks: RowLocks,
    /// What waiting runners of this process know of their queues.
    pub queue_views: QueueViews,
}

/// Sign-in with an identity provider.
#[derive(Clone)]
pub struct SignIn {
    /// The provider.
    pub provider: Arc<dyn SignInProvider>,
    /// Whether all people that the provider knows get an account; otherwise only invited people.
    pub creates_accounts: bool,
    /// The organizations in which the groups that it names give roles.
    pub group_organizations: Vec<OrgSlug>,
}

/// How often a use case decides again after a conflict that its caller did not cause.
const DECISIONS: u32 = 6;

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
        let run_lists = RunLists::with_capacity(settings.memory.max_runs());
        Self {
            table,
            blobs,
            queue,
            clock,
            ids,
            settings,
            budgets: Budgets::default(),
            payers: Payers::default(),
            held: Arc::default(),
            places: Places::default(),
            feed_clock: Arc::default(),
            health: Health::default(),
            metrics: Metrics::default(),
            notifier: Notifier::default(),
            feeds,
            segments: crate::search::Cache::default(),
            run_lists,
            tails: Tails::default(),
            mail: None,
            sign_in: None,
            code_host: None,
            outbound: Arc::new(NoOutbound),
            sealing: None,
            last_uses: LastUses::default(),
            id_cache: IdCache::default(),
            parse_cache: ParseCache::default(),
            hearing: None,
            row_locks: RowLocks::default(),
            queue_views: QueueViews::default(),
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

    /// The same application, which sends requests to addresses that users give.
    #[must_use]
    pub fn with_outbound(mut self, outbound: Arc<dyn Outbound>) -> Self {
        self.outbound = outbound;
        self
    }

    /// The same application, which encrypts with this key what must be read again.
    #[must_use]
    pub fn with_sealing(mut self, sealing: Sealing) -> Self {
        self.sealing = Some(sealing);
        self
    }

    /// The same application, which is the only one on its rows and begins to serve now.
    #[must_use]
    pub fn serving_alone(mut self) -> Self {
        self.hearing = Some(Hearing::begin(&*self.clock, true));
        self
    }

    /// The same application, which begins to serve now, perhaps beside others on the same rows.
    #[must_use]
    pub fn serving_with_others(mut self) -> Self {
        self.hearing = Some(Hearing::begin(&*self.clock, false));
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
