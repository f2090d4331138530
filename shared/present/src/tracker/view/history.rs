//! What happened to an item, and what changed of a long text.

use svc_api::tracker as wire;
use svc_app::tracker::comments::Edit;
use svc_app::tracker::history::Line;
use svc_app::{Result, heavy};
use svc_domain::text_change::TextChange;
use svc_text::diff;

use crate::actor::actor;
use crate::wiki::view::hunk;

/// An entry of an item's history.
pub fn history(Line { id, entry }: Line) -> wire::HistoryEntry {
    wire::HistoryEntry {
        id,
        at: entry.at,
        actor: actor(&entry.actor),
        action: entry.action.as_str().to_owned(),
        field: entry.field,
        from: entry.from,
        to: entry.to,
        run_id: entry.run.map(|run| run.to_string()),
        has_diff: entry.text,
    }
}

/// An edit of a comment.
pub fn comment_edit(Edit { version, edit }: Edit) -> wire::CommentEdit {
    wire::CommentEdit { version, at: edit.at, actor: actor(&edit.actor) }
}

/// The difference that a change made.
///
/// # Errors
/// Those of [`heavy::comparing`].
pub async fn text_diff(change: TextChange) -> Result<wire::TextDiff> {
    let TextChange { before, after, line, cut, .. } = change;
    let lines = line.saturating_sub(1);
    let found = heavy::comparing(before, after, move |old, new| diff::diff_behind(lines, old, new)).await?;
    Ok(wire::TextDiff {
        hunks: found.hunks.into_iter().map(hunk).collect(),
        unified: found.unified,
        truncated: found.truncated || cut,
    })
}
