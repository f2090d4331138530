//! Inboxes, between the domain and the wire; what people want to be told of, and their channels, in files below.

pub mod channels;
pub mod preferences;
pub mod push;

use svc_api::notifications::{MarkNotification, News, Notification, NotificationCounts, NotificationQuery};
use svc_app::notifications::{Counts, Filter, InboxEntry, Mark};
use svc_domain::notification::{self, NotificationKind, Subject};
use svc_domain::refusal::Refusal;

use crate::actor::actor;
use crate::words::Word;

/// What is asked for.
///
/// # Errors
/// [`Refusal::Invalid`] for half a place, or an id that is none.
pub fn filter(query: NotificationQuery) -> Result<Filter, Refusal> {
    let NotificationQuery { unread, needs_you, done, limit, after, after_id } = query;
    let is = Option::unwrap_or_default;
    let after = match (after, after_id) {
        (None, None) => None,
        (Some(at), Some(id)) => {
            Some((at, id.parse().map_err(|_| Refusal::invalid("afterId", "it must be the id of an entry"))?))
        }
        _ => return Err(Refusal::invalid("after", "give after and afterId together")),
    };
    Ok(Filter { unread: is(unread), needs_you: is(needs_you), done: is(done), limit, after })
}

/// What somebody makes of an entry.
pub const fn mark(body: MarkNotification) -> Mark {
    Mark { version: body.version, read: body.read, done: body.done }
}

/// How much there is to look at.
pub const fn counts(counts: Counts) -> NotificationCounts {
    NotificationCounts { unread: counts.unread, needs_you: counts.needs_you }
}

/// An entry as its owner sees it.
pub fn entry(entry: InboxEntry) -> Notification {
    let InboxEntry { id, version, org, slug, subject, title, at, done, gathered, viewer: _ } = entry;
    let project = subject.project().map(ToString::to_string);
    let (mut item_key, mut sprint_id, mut page) = (None, None, None);
    match subject {
        Subject::Item { key, .. } => item_key = Some(key.to_string()),
        Subject::Sprint { id, .. } => sprint_id = Some(id.to_string()),
        Subject::Page { path, .. } => page = Some(path.to_string()),
        Subject::Invitation { .. }
        | Subject::Webhook { .. }
        | Subject::Channel { .. }
        | Subject::Runner { .. }
        | Subject::Budget { .. }
        | Subject::Schedule { .. } => {}
    }
    Notification {
        id: id.to_string(),
        version,
        organization_id: org.to_string(),
        organization: slug.to_string(),
        kind: gathered.kind().sent(),
        summary: gathered.summary(),
        item_key,
        run_id: gathered.news.iter().rev().find_map(|news| news.run).map(|run| run.to_string()),
        project,
        sprint_id,
        page,
        title,
        at,
        read: gathered.unread == 0,
        unread_count: gathered.unread as u64,
        done,
        needs_you: gathered.needs_you,
        news: gathered.news.into_iter().rev().map(news).collect(),
    }
}

fn news(news: notification::News) -> News {
    let of = |kind| news.what.clone().filter(|_| news.kind == kind);
    News {
        kind: news.kind.sent(),
        at: news.at,
        state: of(NotificationKind::Transitioned),
        emoji: of(NotificationKind::Reacted),
        by: news.by.as_ref().map(actor),
        comment_id: news.comment.map(|id| id.to_string()),
        run_id: news.run.map(|id| id.to_string()),
    }
}
