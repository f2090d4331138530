//! The comments of an item, as `svc item view --comments` and `svc comment list` show them.

use svc_api::page::PageQuery;
use svc_api::tracker::Comment;
use svc_domain::ids::ItemKey;

use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::{Output, called, one_line, when};
use crate::session::Session;

/// All comments of an item, oldest first.
pub(in crate::commands) async fn read_comments(
    key: &ItemKey,
    org: &str,
    session: &Session<'_>,
) -> Result<Vec<Comment>, Failure> {
    let comments = collect(None, async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        session.org(org).comments(&key.to_string(), &page).await
    });
    Ok(comments.await?)
}

/// Prints comments, each under a line that says whose it is.
pub(in crate::commands) fn show_comments(comments: &[Comment], output: &Output) -> Result<(), Failure> {
    for (index, comment) in comments.iter().enumerate() {
        if index > 0 {
            output.line("")?;
        }
        show_comment(comment, comments, output)?;
    }
    Ok(())
}

/// Prints a comment; the first of its thread is among `others`, if it can be read. The instance keeps the thread of a
/// reply, not which of the thread's comments it answers.
fn show_comment(comment: &Comment, others: &[Comment], output: &Output) -> Result<(), Failure> {
    let agent = if comment.author.agent { " (agent)" } else { "" };
    let author = format!("{}{agent}", called(&comment.author.name));
    let thread = |id: &String| {
        let first = others.iter().find(|other| other.id == *id).map(|other| called(&other.author.name));
        format!(", in the thread of {}", first.unwrap_or_else(|| id.clone()))
    };
    let reply = comment.reply_to.as_ref().map(thread).unwrap_or_default();
    let edited = if comment.edited_at.is_some() { " (edited)" } else { "" };
    let written = when(comment.created_at);
    output.text(&format!("  {author}, {written}{edited}{reply}  [{}]", comment.id))?;
    match comment.body.trim_end() {
        _ if comment.deleted => output.text("  (deleted)")?,
        "" => {}
        body => output.theirs(&format!("comment by {author}"), body, "  ")?,
    }
    if let Some(reason) = &comment.failure_reason {
        let detail = comment.failure_detail.as_deref().map(|detail| format!(": {}", one_line(detail)));
        output.text(&format!("  Reason: {reason}{}", detail.unwrap_or_default()))?;
    }
    let reactions = comment.reactions.iter().map(|r| format!("{} {}", one_line(&r.emoji), r.count));
    let reactions: Vec<String> = reactions.collect();
    if reactions.is_empty() { Ok(()) } else { output.text(&format!("  {}", reactions.join("  "))) }
}
