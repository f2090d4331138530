//! Sends a change of an item again when other fields of it changed in between.
//!
//! The version that a change is sent under was read a moment ago by this program, not by a person. So only a change of
//! the same fields is a conflict; labels that are added or taken away never are.

use serde::Serialize;
use serde_json::Value;
use svc_api::tracker::Item;

use crate::failure::Failure;
use crate::session::Session;

/// Many that change an item at the same time all come through.
const ATTEMPTS: usize = 20;

/// Sends `change` under the item's version, or a newer one; only under `demanded` where the person names a version.
///
/// # Errors
/// The same fields changed since the item was read (exit code 3), or the instance refuses the change.
pub(super) async fn send<R>(
    change: &impl Serialize,
    item: &Item,
    demanded: Option<u64>,
    org: &str,
    session: &Session<'_>,
    send: impl AsyncFn(u64) -> Result<R, svc_client::Error>,
) -> Result<R, Failure> {
    let mut version = demanded.unwrap_or(item.version);
    for _ in 1..ATTEMPTS {
        match send(version).await.map_err(Failure::from) {
            Err(failure) if failure.is_stale() && demanded.is_none() => {
                let now = session.org(org).item(&item.key).await?;
                if now.version == version || is_touched(change, item, &now) {
                    return Err(failure);
                }
                version = now.version;
            }
            done => return done,
        }
    }
    Ok(send(version).await?)
}

/// Whether a field that the change sets is another one by now.
fn is_touched(change: &impl Serialize, before: &Item, now: &Item) -> bool {
    let value = |item: &Item| serde_json::to_value(item).unwrap_or_default();
    let (change, before, now) = (serde_json::to_value(change).unwrap_or_default(), value(before), value(now));
    let differs = |fields: &Value| {
        let names = fields.as_object().into_iter().flatten().map(|(name, _)| name);
        names.filter(|name| *name != "version").any(|name| before.get(name) != now.get(name))
    };
    differs(&change) || change.get("change").is_some_and(differs)
}
