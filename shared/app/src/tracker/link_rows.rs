//! Which items link a pull request, so that what the code host tells of it finds them.

use svc_domain::event::SavedItem;
use svc_domain::ids::OrgId;
use svc_storage::{Condition, Op, keys};

use crate::secrets;

/// The rows of the links that a saved item got or lost.
pub(crate) fn link_rows(org: OrgId, saved: &SavedItem) -> Vec<Op> {
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
