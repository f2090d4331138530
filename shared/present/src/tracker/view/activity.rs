//! What happened lately in an organization.

use svc_api::tracker as wire;
use svc_app::tracker::activity::{ActiveItem, Activity};
use svc_domain::comment::Comment;

use super::history;
use crate::actor::actor;
use crate::words::Word as _;

/// Characters of a comment that are shown.
const BEGINNING: usize = 500;

/// The items that something happened to last.
pub fn activity(Activity { items, next }: Activity) -> wire::Activity {
    wire::Activity {
        items: items.into_iter().map(item).collect(),
        since: next.as_ref().map(svc_app::tracker::activity::Place::at),
        cursor: next.map(|place| place.to_string()),
    }
}

fn item(ActiveItem { key, title, item_type, history: lines, comments }: ActiveItem) -> wire::ActiveItem {
    wire::ActiveItem {
        key: key.to_string(),
        title,
        item_type: item_type.sent(),
        history: lines.into_iter().map(history).collect(),
        comments: comments.iter().map(comment).collect(),
    }
}

fn comment(comment: &Comment) -> wire::ActiveComment {
    wire::ActiveComment {
        id: comment.id.to_string(),
        author: actor(&comment.author),
        beginning: comment.body.chars().take(BEGINNING).collect(),
        created_at: comment.created_at,
    }
}
