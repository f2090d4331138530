//! Which items link a pull request, so that what the code host tells of it finds them.

use svc_domain::event::{Event, Occurrence, SavedItem};
use svc_domain::ids::OrgId;
use svc_storage::{Condition, Op, keys};

use crate::secrets;

/// The rows of the links that a saved item got or lost. No other event concerns them.
pub(super) fn ops(occurrence: &Occurrence) -> Vec<Op> {
    match (occurrence.org, &occurrence.event) {
        (Some(org), Event::ItemSaved(saved)) => of_saved(org, saved),
        _ => Vec::new(),
    }
}

fn of_saved(org: OrgId, saved: &SavedItem) -> Vec<Op> {
    let none: &[String] = &[];
    let before = saved.before.as_ref().map_or(none, |before| &before.links);
    let (after, item) = (&saved.after.links, &saved.after.key);
    let key = |url: &String| keys::linked_item(org, &secrets::hash(url), item);
    let got =
        after.iter().filter(|url| !before.contains(url)).map(|url| Op::put(key(url), Condition::None, item));
    let lost =
        before.iter().filter(|url| !after.contains(url)).map(|url| Op::delete(key(url), Condition::None));
    got.chain(lost).collect()
}
