//! What changed of descriptions and comments, and the ids by which entries of a history are asked for. The table of all
//! rows is in the module above.

use std::fmt::Display;

use svc_domain::ids::{CommentId, ItemKey, OrgId};

use super::{HISTORY_PREFIX, item_pk, line_id, line_place, sortable};
use crate::Key;

/// Sort keys of what changed of an item's description begin with this. What follows is that of the history entry.
pub const HISTORY_TEXT_PREFIX: &str = "TEXT#";

/// Sort keys of edits of an item's comments begin with this.
pub const EDIT_PREFIX: &str = "EDIT#";

/// Sort keys of what changed of an item's comments begin with this. What follows is that of the edit.
pub const EDIT_TEXT_PREFIX: &str = "EDITTEXT#";

/// What changed of the description, by a history entry of this time and name.
pub fn history_text(org: OrgId, key: &ItemKey, at_millis: i64, id: impl Display) -> Key {
    Key::new(item_pk(org, key), format!("{HISTORY_TEXT_PREFIX}{}#{id}", sortable(at_millis)))
}

/// The id of the history entry of this sort key. It stays with the entry, also at another key of the item.
pub fn history_id(sk: &str) -> Option<String> {
    Some(line_id(sk.strip_prefix(HISTORY_PREFIX)?))
}

/// The history entry of this id, and what it tells of a text.
pub fn history_by_id(org: OrgId, key: &ItemKey, id: &str) -> Option<[Key; 2]> {
    let place = line_place(id)?;
    Some(
        [HISTORY_PREFIX, HISTORY_TEXT_PREFIX]
            .map(|prefix| Key::new(item_pk(org, key), format!("{prefix}{place}"))),
    )
}

/// Sort keys of the edits of a comment begin with this.
pub fn edits_prefix(comment: CommentId) -> String {
    format!("{EDIT_PREFIX}{comment}#")
}

/// Sort keys of what the edits of a comment changed begin with this.
pub fn edit_texts_prefix(comment: CommentId) -> String {
    format!("{EDIT_TEXT_PREFIX}{comment}#")
}

/// The edit that made a version of a comment, and what it changed.
pub fn edit(org: OrgId, key: &ItemKey, comment: CommentId, version: u64) -> [Key; 2] {
    [edits_prefix(comment), edit_texts_prefix(comment)]
        .map(|prefix| Key::new(item_pk(org, key), format!("{prefix}{version:012}")))
}

/// The version of the comment that the edit of this sort key made.
pub fn edited_version(sk: &str) -> Option<u64> {
    sk.rsplit('#').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use svc_domain::ids::OrgId;

    use super::{history_by_id, history_id};
    use crate::keys::history;

    #[test]
    fn an_entry_is_found_by_its_id() {
        let org: OrgId = "00000000-0000-0000-0000-000000000001".parse().unwrap();
        let item = "PRJ-12".parse().unwrap();
        for name in ["000000000012.003", "00000000-0000-0000-0000-000000000001.attached"] {
            let key = history(org, &item, 1_763_851_234_567, name);
            let id = history_id(&key.sk).unwrap();
            let [entry, text] = history_by_id(org, &item, &id).unwrap();
            assert_eq!((&entry, text.sk), (&key, key.sk.replace("HISTORY#", "TEXT#")));
        }
        for wrong in ["", "-", "1-2", "001763851234567-", "001763851234567-a#b", "00176385123456x-a"] {
            assert!(history_by_id(org, &item, wrong).is_none(), "{wrong}");
        }
    }
}
