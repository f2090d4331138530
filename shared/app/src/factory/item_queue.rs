//! The queue of work that waits for an item to be free: mentions of agents and follow-ups of pull requests. Handles
//! them one after the other, and decides when to look again if no message announces a change.

use jiff::{SignedDuration, Timestamp};
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_storage::keys;

use crate::App;
use crate::error::Result;

/// When is looked again at what nobody tells of: an organization that is read-only.
pub(super) const POLL: SignedDuration = SignedDuration::from_mins(5);
/// The shortest time until is looked again.
const SOON: SignedDuration = SignedDuration::from_secs(1);

/// What to do after one was looked at.
pub(super) enum Next {
    /// Look at the one after it.
    Another,
    /// Wait for a message.
    Nothing,
    /// Look at it again then.
    LookAgain(Timestamp),
}

/// Looks at one after the other until one has to wait; answers when to look again, if ever.
pub(super) async fn one_by_one<F: Future<Output = Result<Next>>>(
    app: &App,
    mut look: impl FnMut() -> F,
) -> Result<Option<SignedDuration>> {
    loop {
        match app.decide(&mut look).await? {
            Next::Another => {}
            Next::Nothing => return Ok(None),
            Next::LookAgain(at) => return Ok(Some(at.duration_since(app.now()).max(SOON))),
        }
    }
}

/// When the claim of the item is anybody's to take.
pub(super) async fn stale_at(app: &App, org: OrgId, key: &ItemKey) -> Result<Timestamp> {
    let item: Option<Item> =
        app.table.find(&keys::item(org, key)).await?.map(|row| row.read()).transpose()?;
    let heartbeat = item.and_then(|item| item.claim).map_or(app.now(), |claim| claim.heartbeat_at);
    let stale = heartbeat.checked_add(app.settings.claims.stale_after()).unwrap_or(Timestamp::MAX);
    Ok(stale.checked_add(SOON).unwrap_or(stale))
}
