//! The one way to write: [`App::commit`] of a [`Transaction`], with everything that follows from its events.

use std::time::Duration;

use svc_storage::{Commit, Op, OpKind, StorageError, keys};
use uuid::Uuid;

use crate::App;
use crate::derive::{Derived, derive, made, wake};
use crate::error::{Error, Result};
use crate::feed_clock::Place;
use crate::transaction::Transaction;

/// How often a commit is repeated under its token when the engine did not answer.
const SENDS: u32 = 3;

impl App {
    /// Writes a transaction and all that follows from its events, or nothing: the only way to write. Then wakes
    /// who waits for it in this process, and sends the messages that it put into the outbox.
    ///
    /// # Errors
    /// As [`Table::commit`]; [`Error::Repeated`] when another request has carried out the work of the same
    /// idempotency key.
    pub async fn commit(&self, transaction: Transaction) -> Result<()> {
        let Transaction { mut ops, occurrences, reservation, has_webhooks, mut places, .. } = transaction;
        let id = self.uuid();
        let Derived { ops: derived, messages } = derive(self, &occurrences, has_webhooks, id);
        ops.extend(derived);
        let reservation = reservation.filter(|reservation| reservation.is_open());
        let claim = reservation.as_ref().map(|reservation| reservation.claim(self.now(), made(&occurrences)));
        // Comes last, so that a conflict of it is told from those of the work.
        let claimed = ops.len();
        let claims = claim.is_some();
        ops.extend(claim);
        places.iter_mut().for_each(Place::send);
        let touching = self.run_lists.touch(&ops, self.now());
        let sent = self.send(ops, id).await;
        // Of what the store does not answer, the places stay open.
        if !matches!(sent, Err(StorageError::Unavailable(_) | StorageError::Unusable(_))) {
            places.into_iter().for_each(Place::settle);
            touching.settle();
        }
        match sent {
            Err(StorageError::Conflict { op, .. }) if claims && op == claimed => return Err(Error::Repeated),
            sent => sent?,
        }
        if let Some(reservation) = reservation {
            reservation.close();
        }
        self.metrics.happened(&occurrences);
        occurrences.iter().for_each(|occurrence| wake(&self.notifier, occurrence));
        for message in messages {
            message.send(self).await;
        }
        Ok(())
    }

    /// How many operations the commit of a transaction has at most, with all that follows from its events.
    pub(crate) fn operations(&self, transaction: &Transaction) -> usize {
        let derived = derive(self, &transaction.occurrences, transaction.has_webhooks, self.uuid());
        transaction.ops.len() + derived.ops.len() + usize::from(transaction.reservation.is_some())
    }

    /// Writes all operations or none, as the commit of this id. A reply that is lost on the way is asked for again
    /// under the same token, so that the commit happens once.
    async fn send(&self, ops: Vec<Op>, id: Uuid) -> Result<(), StorageError> {
        let changes_text =
            ops.iter().any(|op| matches!(op.kind, OpKind::Put { .. }) && keys::is_to_index(&op.key));
        let commit = Commit { ops, token: Some(id.simple().to_string()) };
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
        self.metrics.committed(&written);
        match &written {
            Ok(()) => self.health.wrote(),
            Err(error) => self.health.write_failed(error),
        }
        written
    }
}
