//! What a person is told: the kinds of notifications, and the entries of an inbox (specification sections 2.7 and 6).
//!
//! | kind                        | who is told                                                            |
//! |-----------------------------|------------------------------------------------------------------------|
//! | assigned                    | the new assignee                                                       |
//! | mentioned                   | whom a comment mentions                                                |
//! | replied                     | who began the thread                                                   |
//! | commented                   | watchers of the item and its assignee                                  |
//! | transitioned, claimed       | the same                                                               |
//! | reacted                     | the author of the comment, the first time                              |
//! | runSucceeded, runFailed     | who asked for the run, watchers, the assignee                          |
//! | runNeedsInput               | the same, as far as they operate the factory                           |
//! | sprintStarted, -Completed   | the members of the team; of a team without members, everyone in the project |
//! | wikiMentioned               | whom a page mentions that did not before                               |
//! | inviteAccepted              | who invited                                                            |
//! | webhookDisabled             | Owners and Admins of the organization                                  |
//! | channelBroken               | whose channel it is; of an organization's, its Owners and Admins       |
//! | runWaiting                  | who asked for the run, the assignee, as far as they operate the factory |
//! | runnerOffline               | who made the runner; of one from before that was known, Owners and Admins |
//! | budgetNearlyUsed            | Owners and Admins                                                      |
//! | schedulePaused              | who saved the schedule, Admins of its project                          |
//!
//! Nobody is told of what they did. Of one commit a person is told once about each subject, by the kind that concerns
//! them most. An entry gathers what is new about one subject. It keeps no texts: those are read where they are, by who
//! may see them then.

pub mod browser;
pub mod channel;
pub mod delivery;
pub mod destination;
pub mod preferences;
mod subject;
mod words;

pub use subject::Subject;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{Actor, ActorId, CommentId, OrgId, RunId, UserId};
use crate::item::Item;
use crate::refinement::RefinementStatus;
use crate::visibility::Viewer;
use crate::word::word_enum;

/// How long an entry stays after the last news.
pub const KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);
/// The news that an entry keeps; of older ones it knows how many there were.
pub const MAX_NEWS: usize = 50;

word_enum! {
    /// Why somebody is told.
    NotificationKind {
        /// An item was assigned to them.
        Assigned = "assigned",
        /// A comment mentions them.
        Mentioned = "mentioned",
        /// There is a comment on an item.
        Commented = "commented",
        /// An item moved to another state.
        Transitioned = "transitioned",
        /// Somebody began to work on an item.
        Claimed = "claimed",
        /// A sprint was started.
        SprintStarted = "sprintStarted",
        /// A sprint was completed.
        SprintCompleted = "sprintCompleted",
        /// A page of the wiki mentions them.
        WikiMentioned = "wikiMentioned",
        /// Somebody whom they invited joined.
        InviteAccepted = "inviteAccepted",
        /// Somebody replied in a thread that they began.
        Replied = "replied",
        /// Somebody reacted to their comment.
        Reacted = "reacted",
        /// A run succeeded.
        RunSucceeded = "runSucceeded",
        /// A run failed.
        RunFailed = "runFailed",
        /// An agent asks, or proposes.
        RunNeedsInput = "runNeedsInput",
        /// A webhook of the organization was disabled, because it failed.
        WebhookDisabled = "webhookDisabled",
        /// A chat takes no messages any more.
        ChannelBroken = "channelBroken",
        /// A run waits for a long time.
        RunWaiting = "runWaiting",
        /// A runner went offline while work is queued that it could do.
        RunnerOffline = "runnerOffline",
        /// Most of a day's budget is used.
        BudgetNearlyUsed = "budgetNearlyUsed",
        /// A schedule paused itself.
        SchedulePaused = "schedulePaused",
    }
}

impl NotificationKind {
    /// How much it concerns who is told: of one commit, the greatest counts.
    const fn weight(self) -> u8 {
        match self {
            Self::RunNeedsInput => 13,
            Self::RunFailed => 12,
            Self::Mentioned => 11,
            Self::WikiMentioned
            | Self::WebhookDisabled
            | Self::ChannelBroken
            | Self::RunnerOffline
            | Self::BudgetNearlyUsed
            | Self::SchedulePaused => 10,
            Self::RunWaiting => 6,
            Self::Replied => 9,
            Self::Assigned => 8,
            Self::Commented => 7,
            Self::RunSucceeded => 6,
            Self::InviteAccepted => 5,
            Self::SprintStarted | Self::SprintCompleted => 4,
            Self::Transitioned => 3,
            Self::Claimed => 2,
            Self::Reacted => 1,
        }
    }
}

/// One thing that somebody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// The commit that it was in: telling it again changes nothing.
    pub id: Uuid,
    /// Why they are told.
    pub kind: NotificationKind,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<CommentId>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The state that an item moved to, an emoji, or a reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The state that an item moved to in the same change, where that is not what they are told of. Absent in rows from
    /// before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<String>,
    /// Whether it is hidden from who does not see what agents say and do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents_work: bool,
}

impl News {
    /// News that nobody caused, which are known by this id.
    pub const fn by_itself(id: Uuid, kind: NotificationKind, at: Timestamp, what: String) -> Self {
        Self {
            id,
            kind,
            at,
            by: None,
            comment: None,
            run: None,
            what: Some(what),
            moved: None,
            agents_work: false,
        }
    }
}

impl News {
    /// The state that the item moved to.
    pub fn state(&self) -> Option<&str> {
        match self.kind {
            NotificationKind::Transitioned => self.what.as_deref(),
            _ => self.moved.as_deref(),
        }
    }
}

/// What is new about one subject, as stored in the inbox of a person. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The organization.
    pub org: OrgId,
    /// What it is about.
    pub subject: Subject,
    /// The news in the order in which they were told: never empty.
    pub news: Vec<News>,
    /// How often the person was told, with what is no longer kept.
    pub told: u64,
    /// How many of those they have read.
    pub read: u64,
    /// After how many of those they were done with it.
    pub done: u64,
}

impl Entry {
    /// An entry without news.
    pub const fn new(org: OrgId, subject: Subject) -> Self {
        Self { org, subject, news: Vec::new(), told: 0, read: 0, done: 0 }
    }

    /// Adds news. Whether they were new.
    pub fn tell(&mut self, news: News) -> bool {
        if self.news.iter().any(|known| known.id == news.id) {
            return false;
        }
        self.news.push(news);
        self.told += 1;
        if self.news.len() > MAX_NEWS {
            self.news.remove(0);
        }
        true
    }

    /// Marks all of it as read, or the newest as unread.
    pub const fn mark_read(&mut self, read: bool) {
        self.read = if read { self.told } else { self.told.saturating_sub(1) };
    }

    /// Marks it as done, which is read as well, or as open.
    pub const fn mark_done(&mut self, done: bool) {
        self.done = if done { self.told } else { 0 };
        if done {
            self.read = self.told;
        }
    }

    /// Whether the person is done with all of it.
    pub const fn is_done(&self) -> bool {
        self.done >= self.told
    }

    /// When the last of its news came.
    pub fn at(&self) -> Timestamp {
        self.news.last().map_or(Timestamp::UNIX_EPOCH, |news| news.at)
    }

    /// Whether something in it may be unread, or may wait for a person: the reader's rights decide.
    pub fn may_count(&self) -> bool {
        !self.is_done() && (self.read < self.told || last_word(&self.news).is_some())
    }

    /// The news, each with its number among all that were told.
    fn numbered(&self) -> impl Iterator<Item = (&News, u64)> {
        let first = self.told.saturating_sub(self.news.len() as u64);
        self.news.iter().zip(first + 1..)
    }

    /// The comments that the entry tells of now: those of unread news and of the newest. They may have been deleted.
    pub fn comments(&self) -> impl Iterator<Item = CommentId> {
        let shown = self.numbered().filter(|(_, number)| *number > self.read || *number == self.told);
        shown.filter_map(|(news, _)| news.comment)
    }

    /// Whether the last word of a run in it was a question or a proposal.
    pub fn asks(&self) -> bool {
        !self.is_done()
            && last_word(&self.news).is_some_and(|news| news.kind == NotificationKind::RunNeedsInput)
    }

    /// How it looks to this viewer, without news of these comments; `None` where they may see nothing of it.
    pub fn seen_by(&self, viewer: Viewer, deleted: &BTreeSet<CommentId>) -> Option<Gathered> {
        let there = |news: &News| !news.comment.is_some_and(|comment| deleted.contains(&comment));
        let visible = |news: &News| there(news) && (viewer.sees_agents_work() || !news.agents_work);
        let numbered = self.numbered().filter(|(news, _)| visible(news));
        let (mut news, mut unread) = (Vec::new(), 0);
        for (one, number) in numbered {
            unread += usize::from(number > self.read);
            news.push(one.clone());
        }
        news.last()?;
        // Only who may start runs can answer one.
        let needs_you = !self.is_done()
            && viewer.sees_agents_work()
            && last_word(&news).is_some_and(|news| news.kind != NotificationKind::RunSucceeded);
        Some(Gathered { unread, needs_you, news })
    }
}

/// An entry as its reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathered {
    /// How many of the news are unread.
    pub unread: usize,
    /// Whether a run waits for a person: its last word was a question, a proposal or a failure.
    pub needs_you: bool,
    /// The news that the reader may see, the last told last: never empty.
    pub news: Vec<News>,
}

/// The last that a run said about itself.
fn last_word(news: &[News]) -> Option<&News> {
    use NotificationKind::{RunFailed, RunNeedsInput, RunSucceeded};
    news.iter().rfind(|news| matches!(news.kind, RunFailed | RunNeedsInput | RunSucceeded))
}

impl Gathered {
    /// Takes back that a run waits for a person, where somebody has seen to it since: another run works on the item or
    /// has ended, or nothing is left to answer or to confirm.
    pub fn settle(&mut self, item: &Item, refinement: Option<RefinementStatus>) {
        let Some(word) = last_word(&self.news) else { return };
        let answered = match word.kind {
            NotificationKind::RunNeedsInput => {
                !matches!(refinement, Some(RefinementStatus::Questions | RefinementStatus::Proposed))
            }
            _ => item.last_run.as_ref().is_some_and(|last| word.run.is_some_and(|run| run != last.id)),
        };
        self.needs_you &= item.live_run.is_none() && !answered;
    }

    /// What concerns the reader most of what is unread, or the newest.
    pub fn kind(&self) -> NotificationKind {
        let kinds = self.fresh().iter().map(|news| news.kind);
        kinds.max_by_key(|kind| kind.weight()).unwrap_or(NotificationKind::Commented)
    }

    /// What is unread, or the newest.
    fn fresh(&self) -> &[News] {
        &self.news[self.news.len().saturating_sub(self.unread.max(1))..]
    }
}

/// Of what people may be told about one subject, for each what concerns them most; nobody is told of what they did.
pub fn strongest(told: impl IntoIterator<Item = (UserId, News)>) -> BTreeMap<UserId, News> {
    let mut strongest: BTreeMap<UserId, News> = BTreeMap::new();
    for (user, news) in told {
        if news.by.as_ref().is_some_and(|by| by.id == ActorId::User(user)) {
            continue;
        }
        let Some(known) = strongest.get_mut(&user) else {
            strongest.insert(user, news);
            continue;
        };
        let moved = news.state().or(known.state()).map(str::to_owned);
        if known.kind.weight() < news.kind.weight() {
            *known = news;
        }
        known.moved = moved.filter(|_| known.kind != NotificationKind::Transitioned);
    }
    strongest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::words::summary;
    use super::{Entry, MAX_NEWS, News, NotificationKind as Kind, Subject, strongest};
    use crate::comment::tests::{agent, person};
    use crate::ids::{Actor, OrgId, UserId};
    use crate::visibility::Viewer;
    use jiff::Timestamp;
    use uuid::Uuid;

    fn news(id: u128, kind: Kind, by: Actor) -> News {
        News {
            id: Uuid::from_u128(id),
            kind,
            at: Timestamp::from_second(i64::try_from(id).unwrap()).unwrap(),
            by: Some(by),
            comment: None,
            run: None,
            what: (kind == Kind::Transitioned).then(|| "In review".to_owned()),
            moved: None,
            agents_work: false,
        }
    }

    fn entry(told: impl IntoIterator<Item = News>) -> Entry {
        let mut entry =
            Entry::new(OrgId(Uuid::nil()), Subject::Item { key: "PRJ-1".parse().unwrap(), first: None });
        told.into_iter().for_each(|news| assert!(entry.tell(news)));
        entry
    }

    #[test]
    fn ten_comments_are_one_line() {
        let comments = (1..=10).map(|id| news(id, Kind::Commented, person()));
        let mut entry = entry(
            comments.chain([news(11, Kind::RunSucceeded, agent()), news(12, Kind::Transitioned, agent())]),
        );
        let seen = entry.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap();
        assert_eq!(seen.summary(), "10 new comments, bot finished, moved to In review");
        assert_eq!((seen.unread, seen.kind()), (12, Kind::Commented));
        entry.mark_read(true);
        entry.tell(news(13, Kind::Commented, person()));
        let seen = entry.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap();
        assert_eq!(
            (seen.summary().as_str(), seen.unread),
            ("Ada commented", 1),
            "what is new, not what was read"
        );
    }

    /// It said "bot finished, moved to In progress" of an item in review.
    #[test]
    fn the_state_that_is_told_is_the_one_that_the_item_moved_to_last() {
        let ada = UserId(Uuid::from_u128(77));
        let to =
            |id, state: &str| News { what: Some(state.to_owned()), ..news(id, Kind::Transitioned, agent()) };
        let begun = to(1, "In progress");
        for ended in [
            [(ada, to(2, "In review")), (ada, news(2, Kind::RunSucceeded, agent()))],
            [(ada, news(2, Kind::RunSucceeded, agent())), (ada, to(2, "In review"))],
        ] {
            let ended = strongest(ended).remove(&ada).unwrap();
            let seen = entry([begun.clone(), ended]).seen_by(Viewer::Operator, &BTreeSet::new()).unwrap();
            assert_eq!(seen.summary(), "bot finished, moved to In review");
        }
    }

    #[test]
    fn telling_it_again_changes_nothing() {
        let mut entry = entry([news(1, Kind::Commented, person())]);
        entry.mark_done(true);
        let before = entry.clone();
        assert!(!entry.tell(news(1, Kind::Commented, person())));
        assert_eq!(entry, before);
        assert!(entry.tell(news(2, Kind::Commented, person())));
        assert!(!entry.is_done(), "news open it again");
    }

    #[test]
    fn an_entry_keeps_the_newest_and_counts_all() {
        let mut entry = entry((1..=200).map(|id| news(id, Kind::Commented, person())));
        assert_eq!((entry.news.len(), entry.told), (MAX_NEWS, 200));
        assert_eq!(entry.news[0].id, Uuid::from_u128(151));
        entry.mark_read(true);
        assert_eq!(entry.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().unread, 0);
        entry.mark_read(false);
        assert_eq!(entry.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().unread, 1);
    }

    #[test]
    fn a_stakeholder_sees_no_news_of_agents() {
        let hidden = News { agents_work: true, ..news(2, Kind::Commented, agent()) };
        assert_eq!(entry([hidden.clone()]).seen_by(Viewer::Stakeholder, &BTreeSet::new()), None);
        let both = entry([news(1, Kind::Assigned, person()), hidden]);
        let seen = both.seen_by(Viewer::Stakeholder, &BTreeSet::new()).unwrap();
        assert_eq!((seen.news.len(), seen.unread, seen.summary().as_str()), (1, 1, "Ada assigned it to you"));
        assert_eq!(both.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().news.len(), 2);
    }

    #[test]
    fn a_run_waits_for_a_person_until_they_are_done_or_a_run_succeeds() {
        let mut asks = entry([news(1, Kind::RunNeedsInput, agent()), news(2, Kind::Commented, person())]);
        assert!(asks.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().needs_you);
        assert!(!asks.seen_by(Viewer::Stakeholder, &BTreeSet::new()).is_some_and(|seen| seen.needs_you));
        asks.mark_read(true);
        assert!(asks.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().needs_you, "reading is no answer");
        let mut done = asks.clone();
        done.mark_done(true);
        assert!(!done.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().needs_you);
        asks.tell(news(3, Kind::RunSucceeded, agent()));
        assert!(!asks.seen_by(Viewer::Operator, &BTreeSet::new()).unwrap().needs_you);
    }

    #[test]
    fn each_is_told_once_by_what_concerns_them_most_and_never_of_what_they_did() {
        let user = |n| UserId(Uuid::from_u128(n));
        let told = [
            (user(2), Kind::Commented),
            (user(2), Kind::Mentioned),
            (user(2), Kind::Replied),
            (user(3), Kind::Commented),
            (user(1), Kind::Mentioned),
        ];
        let told = told.map(|(user, kind)| (user, news(1, kind, person())));
        let told: Vec<_> = strongest(told).into_iter().map(|(user, news)| (user, news.kind)).collect();
        assert_eq!(told, [(user(2), Kind::Mentioned), (user(3), Kind::Commented)], "Ada, the first, did it");
    }

    #[test]
    fn every_kind_in_words() {
        let lines = |many: u128| -> String {
            let line = |kind: &Kind| {
                let all: Vec<News> = (1..=many).map(|id| news(id, *kind, person())).collect();
                format!("{:16} {}\n", kind.as_str(), summary(&all))
            };
            Kind::ALL.iter().map(line).collect()
        };
        insta::assert_snapshot!(format!("{}\n{}", lines(1), lines(2)));
    }
}
