//! News in a few words.

use std::collections::BTreeSet;

use super::{Gathered, News, NotificationKind};

impl Gathered {
    /// What is unread, or the newest, in a few words: the most important first.
    pub fn summary(&self) -> String {
        summary(self.fresh())
    }
}

/// News in a few words, the most important first.
pub(super) fn summary(news: &[News]) -> String {
    let mut kinds: Vec<NotificationKind> =
        news.iter().map(|news| news.kind).collect::<BTreeSet<_>>().into_iter().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.weight()));
    let of = |kind: NotificationKind| news.iter().filter(|news| news.kind == kind).collect::<Vec<_>>();
    let state = news.iter().rev().find_map(News::state).unwrap_or_default();
    let words = kinds.into_iter().map(|kind| words(kind, &of(kind), state)).collect::<Vec<_>>().join(", ");
    // Every other kind begins with a name or a number, which stay as they are.
    words.strip_prefix("moved ").map_or(words.clone(), |rest| format!("Moved {rest}"))
}

/// What news of one kind say; there is at least one. `state` is the one that the item moved to last.
fn words(kind: NotificationKind, news: &[&News], state: &str) -> String {
    use NotificationKind as Kind;
    let last = news.last();
    let who = last.and_then(|news| news.by.as_ref()).map_or("Somebody", |by| by.name.as_str());
    let what = last.and_then(|news| news.what.as_deref()).unwrap_or_default();
    let many = news.len();
    match kind {
        Kind::RunNeedsInput => format!("{who} needs your answer"),
        Kind::RunFailed => format!("{who} failed"),
        Kind::RunSucceeded => format!("{who} finished"),
        Kind::Mentioned if many > 1 => format!("{many} mentions of you"),
        Kind::Mentioned => format!("{who} mentioned you"),
        Kind::WikiMentioned => format!("{who} mentioned you on a page"),
        Kind::Replied if many > 1 => format!("{many} replies to you"),
        Kind::Replied => format!("{who} replied to you"),
        Kind::Assigned => format!("{who} assigned it to you"),
        Kind::Commented if many > 1 => format!("{many} new comments"),
        Kind::Commented => format!("{who} commented"),
        Kind::InviteAccepted => format!("{who} joined"),
        Kind::WebhookDisabled => "Disabled, because its deliveries failed".to_owned(),
        Kind::ChannelBroken => format!("This chat takes no messages any more: {what}"),
        Kind::RunWaiting => format!("A run waits. {what}"),
        Kind::RunnerOffline => "Went offline while work is queued that it could do".to_owned(),
        Kind::BudgetNearlyUsed => format!("Nearly used: {what}"),
        Kind::SchedulePaused => format!("Paused itself. {what}"),
        Kind::SprintStarted => format!("{who} started the sprint"),
        Kind::SprintCompleted => format!("{who} completed the sprint"),
        Kind::Transitioned => format!("moved to {state}"),
        Kind::Claimed => format!("{who} began to work on it"),
        Kind::Reacted if many > 1 => format!("{many} reactions"),
        Kind::Reacted => format!("{who} reacted {what}"),
    }
}
