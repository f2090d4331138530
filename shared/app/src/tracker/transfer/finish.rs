//! Does what a move leaves to be done after its commit: what belonged to the item, then what hangs on all that went. Doing it
//! again, or from two places at once, is harmless.

use jiff::SignedDuration;
use svc_domain::ids::{ItemKey, OrgId};
use svc_storage::keys;

use super::children::{self, Brought};
use super::hanging::{bring_some, complete};
use crate::App;
use crate::error::Result;
use crate::messages::FinishTransfer;
use crate::outbox;

/// What is left of what follows items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// What hangs on those that had these keys, and what belongs to them.
    Some(Vec<ItemKey>),
    /// Only what is being worked on.
    Waiting,
}

/// Does the first of what follows items that left these keys, and has workers do the rest at once. A message comes for it in
/// any case.
pub(super) async fn begin(app: &App, org: OrgId, gone: Vec<ItemKey>, batches: usize) {
    match finish(app, org, gone, Some(batches)).await {
        Ok(Left::Some(left)) => {
            for from in left {
                outbox::send_hint(app, FinishTransfer { org, from }, SignedDuration::ZERO).await;
            }
        }
        Ok(Left::Nothing | Left::Waiting) => {}
        Err(error) => {
            tracing::warn!(%error, "what belongs to a moved item has not followed; a message comes for it");
        }
    }
}

/// Brings what belongs to items that left these keys, and then what hangs on all of them: in at most so many commits, or
/// all of it but what is being worked on.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn finish(app: &App, org: OrgId, mut gone: Vec<ItemKey>, batches: Option<usize>) -> Result<Left> {
    let mut budget = batches.unwrap_or(usize::MAX);
    let (mut next, mut waiting) = (0, Vec::new());
    while let Some(from) = gone.get(next).cloned() {
        match app.decide(|| children::bring(app, org, &from)).await? {
            Brought::Some(left) => {
                gone.extend(left);
                budget -= 1;
                if budget == 0 {
                    return Ok(Left::Some(gone));
                }
            }
            Brought::Waiting => {
                waiting.push(from);
                next += 1;
            }
            Brought::All => next += 1,
        }
    }
    for (at, from) in gone.iter().enumerate() {
        while app.decide(|| bring_some(app, org, from)).await? {
            budget -= 1;
            if budget == 0 {
                return Ok(Left::Some(gone.split_off(at)));
            }
        }
        if !waiting.contains(from) {
            app.decide(|| complete(app, org, from)).await?;
        }
    }
    Ok(if waiting.is_empty() { Left::Nothing } else { Left::Waiting })
}

/// The key that an item has now which had this one, with all that hung on it; `None` where it did not move.
///
/// # Errors
/// Those of storage.
pub async fn settled(app: &App, org: OrgId, key: &ItemKey) -> Result<Option<ItemKey>> {
    let mut now: Option<ItemKey> = None;
    loop {
        let from = now.as_ref().unwrap_or(key);
        let Some(row) = app.table.find(&keys::transfer(org, from)).await? else { return Ok(now) };
        finish(app, org, vec![from.clone()], None).await?;
        now = Some(row.read()?.to);
    }
}
