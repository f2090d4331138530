//! The inbox of the person who asks, a line for each entry: what waits for them first.

use svc_api::notifications::Notification;
use svc_app::notifications::{self, Filter};
use svc_http::ApiResult;
use svc_present::notifications::entry;

use crate::guest::Guest;
use crate::reply::{Reply, clean};

/// The inbox, as much as one answer of the API has.
///
/// # Errors
/// For agents, who have none.
pub(crate) async fn inbox(guest: &Guest) -> ApiResult<Reply> {
    let listed = notifications::list(&guest.app, guest.credential(), Filter::default()).await?;
    let mut entries: Vec<Notification> = listed.into_iter().map(entry).collect();
    entries.sort_by_key(|entry| !entry.needs_you);
    let reply = Reply::default().line(match entries.len() {
        0 => "Your inbox is empty.".to_owned(),
        many => {
            format!("Your inbox has {many} entries, newest first; what waits for you comes before the rest.")
        }
    });
    let lines: Vec<String> = entries.iter().map(line).collect();
    if lines.is_empty() {
        return Ok(reply);
    }
    Ok(reply.theirs("inbox: titles and names by people of the organization", lines.join("\n")))
}

fn line(entry: &Notification) -> String {
    let mark = match (entry.needs_you, entry.read) {
        (true, _) => "needs you",
        (false, false) => "unread",
        (false, true) => "read",
    };
    let about = entry.item_key.as_deref().or(entry.page.as_deref()).unwrap_or_default();
    let run = entry.run_id.as_ref().map(|run| format!(" run {run}")).unwrap_or_default();
    let at = entry.at.strftime("%Y-%m-%dT%H:%MZ");
    format!("[{mark}] {} {at}{run} {}: {}", clean(about), clean(&entry.title), clean(&entry.summary))
}
