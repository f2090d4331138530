//! What has become of a pull request that an item links, as its code host tells it, and the follow-ups that this asks
//! for.
//!
//! The host's deliveries come late, twice and out of order, so each kind of news is judged by the time that it bears:
//!
//! | news               | is heard                                   | and means                                   |
//! |--------------------|--------------------------------------------|---------------------------------------------|
//! | state              | unless it is older than what is known,     | open, closed or merged, and the newest head |
//! |                    | or the pull request was merged             |                                             |
//! | state that a       | unless it is as is known, or the pull      | the same; the newest head only where none   |
//! | runner looked up   | request was merged                         | is known                                    |
//! | check on a commit  | unless it is older than the same check's   | failing while any check of that commit is;  |
//! |                    | or of an older commit                      | an unknown commit is the newest head        |
//! | review             | unless it is older than the same person's  | changes requested while anybody's last one  |
//! |                    | last one                                   | does, else approved where one does          |
//!
//! A failed check and a requested change that were heard may ask for a follow-up: once for each commit and cause, at
//! most [`MOST_FOLLOW_UPS`] for each pull request, however often it is unlinked and linked again. One that still waits
//! takes up what comes after it, and is dropped by what ends its cause: checks that pass, another review, newer commits,
//! a merge. The cause may then ask again.
//!
//! A check may be told before the host tells that the branch moved to its commit, or without that: the commit is the
//! newest head then, unless another one replaced it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::code_host::RepositoryName;
use crate::word::word_enum;

mod follow_up;
mod looked_up;
pub mod standing;

use follow_up::shortened;
pub use follow_up::{Cause, FollowUp, FollowUpRequest, HostRequest, RequestState};

/// Most follow-ups that a pull request starts.
pub const MOST_FOLLOW_UPS: usize = 3;
/// Most follow-ups that were dropped which are remembered.
const MOST_DROPPED: usize = 10;
/// Most commits that are remembered which others replaced.
const MOST_REPLACED: usize = 20;
/// Most checks of a commit that are told apart.
const MOST_CHECKS: usize = 50;
/// Most people whose reviews are told apart.
const MOST_REVIEWERS: usize = 50;

word_enum! {
    /// State of a pull request.
    PullRequestState {
        /// It can be merged.
        Open = "open",
        /// It was merged.
        Merged = "merged",
        /// It was closed without being merged.
        Closed = "closed",
    }
}

word_enum! {
    /// Result of a commit's checks.
    Checks {
        /// No finished check failed.
        Passing = "passing",
        /// At least one check failed.
        Failing = "failing",
    }
}

word_enum! {
    /// What reviews say.
    Review {
        /// It may be merged.
        Approved = "approved",
        /// Changes were requested.
        ChangesRequested = "changesRequested",
    }
}

/// What is known of a linked pull request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullRequest {
    /// Its address, as the item links it.
    pub url: String,
    /// What happened to it.
    pub state: PullRequestState,
    /// The branch that it would merge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Its newest commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Commits that were its newest one before, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<String>,
    /// The time that the newest news of its state bears.
    pub state_at: Timestamp,
    /// When it was last opened again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reopened_at: Option<Timestamp>,
    /// The commit that the results are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<String>,
    /// The last result of each check.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    results: BTreeMap<String, CheckResult>,
    /// The last review, where an older version heard it: it says nothing of who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<LastReview>,
    /// The last review of each person.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reviews: BTreeMap<String, LastReview>,
    /// Follow-ups that it asked for, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_ups: Vec<FollowUpRequest>,
}

/// The last result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CheckResult {
    failed: bool,
    at: Timestamp,
}

/// The last review of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LastReview {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    says: Option<Review>,
    at: Timestamp,
}

/// What the code host tells of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Address of the pull request.
    pub url: String,
    /// The branch that it would merge, if that is in the repository of the pull request.
    pub branch: Option<String>,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub what: What,
}

/// What happened to a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It was opened, closed, merged, or has another newest commit.
    State {
        /// What happened to it.
        state: PullRequestState,
        /// Its newest commit.
        head: String,
        /// Whether it is open because it was opened again.
        reopened: bool,
    },
    /// A runner looked it up.
    LookedUp {
        /// What happened to it.
        state: PullRequestState,
        /// Its newest commit, as far as the runner knows.
        head: Option<String>,
    },
    /// A check is over.
    Check {
        /// The commit.
        head: String,
        /// Name of the check.
        name: String,
        /// Whether it failed.
        failed: bool,
        /// What it says.
        text: String,
    },
    /// It was reviewed.
    Reviewed {
        /// The commit.
        head: String,
        /// Who reviewed it.
        by: String,
        /// What the review says, if it decides anything.
        says: Option<Review>,
        /// Its text.
        text: String,
    },
}

impl PullRequest {
    /// One of which nothing was told yet.
    pub const fn unknown(url: String) -> Self {
        Self {
            url,
            state: PullRequestState::Open,
            branch: None,
            head: None,
            replaced: Vec::new(),
            state_at: Timestamp::MIN,
            reopened_at: None,
            checked: None,
            results: BTreeMap::new(),
            review: None,
            reviews: BTreeMap::new(),
            follow_ups: Vec::new(),
        }
    }

    /// What is remembered of one that an item links no more: the follow-ups that it started, which count if it is
    /// linked again.
    pub fn unlinked(self) -> Option<Self> {
        let mut follow_ups = self.follow_ups;
        follow_ups.retain(|request| matches!(request.state, RequestState::Started { .. }));
        (!follow_ups.is_empty()).then(|| Self { follow_ups, ..Self::unknown(self.url) })
    }

    /// What the checks of its newest commit say, if any is over.
    pub fn checks(&self) -> Option<Checks> {
        if self.results.is_empty()
            || self.head.as_ref().is_some_and(|head| Some(head) != self.checked.as_ref())
        {
            return None;
        }
        let failing = self.results.values().any(|result| result.failed);
        Some(if failing { Checks::Failing } else { Checks::Passing })
    }

    /// What its reviews say, if they decide anything: nobody's approval hides another one's request for changes.
    pub fn review(&self) -> Option<Review> {
        let says = |wanted| {
            let mut last = self.reviews.values().chain(&self.review);
            last.any(|review| review.says == Some(wanted)).then_some(wanted)
        };
        says(Review::ChangesRequested).or_else(|| says(Review::Approved))
    }

    /// Hears news; answers whether they were new.
    pub fn hear(&mut self, news: &News) -> bool {
        let heard = match &news.what {
            What::LookedUp { state, head } => self.hear_looked_up(*state, head.as_deref(), news.at),
            What::State { state, head, reopened } => self.hear_state(*state, head, *reopened, news.at),
            What::Check { head, name, failed, .. } => {
                self.hear_check(head, name, CheckResult { failed: *failed, at: news.at })
            }
            What::Reviewed { by, says, .. } => self.hear_review(by, LastReview { says: *says, at: news.at }),
        };
        if heard {
            if news.branch.is_some() {
                self.branch.clone_from(&news.branch);
            }
            self.drop_outdated();
        }
        heard
    }

    fn drop_outdated(&mut self) {
        for place in 0..self.follow_ups.len() {
            let request = &self.follow_ups[place];
            if let Some(why) = self.outdated(request).filter(|_| request.is_waiting()) {
                self.follow_ups[place].state = RequestState::Dropped { reason: why.to_owned() };
            }
        }
    }

    fn hear_state(&mut self, state: PullRequestState, head: &str, reopened: bool, at: Timestamp) -> bool {
        let again = reopened && self.reopened_at != Some(at);
        let known = self.state == state && self.head.as_deref() == Some(head) && !again;
        // Nothing comes after a merge. News of one second have no order, but what is opened again was closed before.
        let over = self.state == PullRequestState::Merged && state != PullRequestState::Merged;
        let undone = state == PullRequestState::Closed && self.reopened_at == Some(at);
        if known || over || undone || at < self.state_at {
            return false;
        }
        (self.state, self.state_at) = (state, at);
        self.reopened_at = reopened.then_some(at).or(self.reopened_at);
        // A check of a newer commit may have been told before.
        let newest = self.results.values().map(|result| result.at).max();
        if !self.replaced.iter().any(|replaced| replaced == head) || newest.is_none_or(|newest| newest < at) {
            self.move_to(head);
        }
        true
    }

    fn move_to(&mut self, head: &str) {
        if self.head.as_deref() == Some(head) {
            return;
        }
        self.replaced.retain(|replaced| replaced != head);
        self.replaced.extend(self.head.replace(head.to_owned()));
        let forgotten = self.replaced.len().saturating_sub(MOST_REPLACED);
        self.replaced.drain(..forgotten);
    }

    fn hear_check(&mut self, head: &str, name: &str, result: CheckResult) -> bool {
        if self.head.as_deref() != Some(head) {
            let newest = self.results.values().map(|result| result.at).max();
            let is_older = result.at < self.state_at || newest.is_some_and(|newest| result.at < newest);
            if is_older || self.replaced.iter().any(|replaced| replaced == head) {
                return false;
            }
            self.move_to(head);
        }
        if self.checked.as_deref() != Some(head) {
            self.checked = Some(head.to_owned());
            self.results.clear();
        }
        let known = self.results.get(name);
        if known.is_some_and(|known| *known == result || result.at < known.at)
            || (known.is_none() && self.results.len() >= MOST_CHECKS)
        {
            return false;
        }
        self.results.insert(name.to_owned(), result);
        true
    }

    fn hear_review(&mut self, by: &str, review: LastReview) -> bool {
        let old = self.review.filter(|_| !self.reviews.contains_key(by));
        let known = self.reviews.get(by).copied().or(old);
        if known.is_some_and(|known| known == review || review.at < known.at) {
            return false;
        }
        if known.is_none() && self.reviews.len() >= MOST_REVIEWERS && !self.forget_reviewer() {
            return false;
        }
        // A review from before people were told apart may be of this one.
        self.review = self.review.filter(|old| old.at > review.at);
        self.reviews.insert(by.to_owned(), review);
        true
    }

    /// Forgets the oldest review that asks for nothing; answers whether there is one.
    fn forget_reviewer(&mut self) -> bool {
        let asks = |review: &LastReview| review.says == Some(Review::ChangesRequested);
        let oldest =
            self.reviews.iter().filter(|(_, review)| !asks(review)).min_by_key(|(_, review)| review.at);
        let Some(oldest) = oldest.map(|(by, _)| by.clone()) else { return false };
        self.reviews.remove(&oldest).is_some()
    }

    /// Asks for the follow-up that news which were heard call for, if they call for one that was not asked for yet.
    pub fn ask(&mut self, news: &News, now: Timestamp) -> bool {
        let Some((cause, head, text)) = news.asks() else { return false };
        if self.state != PullRequestState::Open {
            return false;
        }
        let is_same = |request: &FollowUpRequest| request.cause == cause && request.head == head;
        if let Some(waiting) =
            self.follow_ups.iter_mut().find(|request| request.is_waiting() && is_same(request))
        {
            return waiting.add(text);
        }
        let counts = |request: &FollowUpRequest| !request.is_dropped();
        if self.follow_ups.iter().any(|request| is_same(request) && counts(request))
            || self.follow_ups.iter().filter(|request| counts(request)).count() >= MOST_FOLLOW_UPS
        {
            return false;
        }
        self.follow_ups.retain(|request| !is_same(request));
        let dropped = self.follow_ups.iter().filter(|request| request.is_dropped()).count();
        if dropped >= MOST_DROPPED
            && let Some(oldest) = self.follow_ups.iter().position(FollowUpRequest::is_dropped)
        {
            self.follow_ups.remove(oldest);
        }
        let state = RequestState::Waiting { text: shortened(text) };
        self.follow_ups.push(FollowUpRequest { cause, head: head.to_owned(), at: now, state });
        true
    }

    /// The oldest follow-up that waits.
    pub fn waiting(&self) -> Option<&FollowUpRequest> {
        self.follow_ups.iter().find(|request| matches!(request.state, RequestState::Waiting { .. }))
    }

    /// The same, to be changed.
    pub fn waiting_mut(&mut self) -> Option<&mut FollowUpRequest> {
        self.follow_ups.iter_mut().find(|request| matches!(request.state, RequestState::Waiting { .. }))
    }

    /// Why the follow-up that waits has nothing to do any more.
    pub fn outdated(&self, request: &FollowUpRequest) -> Option<&'static str> {
        match self.state {
            PullRequestState::Merged => return Some("The pull request was merged before it could start."),
            PullRequestState::Closed => return Some("The pull request was closed before it could start."),
            PullRequestState::Open => {}
        }
        match request.cause {
            Cause::ChecksFailed if self.head.as_ref().is_some_and(|head| *head != request.head) => {
                Some("The branch has newer commits than the one whose checks failed.")
            }
            Cause::ChecksFailed if self.checks() == Some(Checks::Passing) => {
                Some("The checks of the commit passed before it could start.")
            }
            Cause::ChangesRequested if self.review() != Some(Review::ChangesRequested) => Some(
                "The pull request was reviewed again, without a request for changes, before it could start.",
            ),
            Cause::ChecksFailed | Cause::ChangesRequested => None,
        }
    }
}

impl News {
    /// The follow-up that they call for: why, for which commit, and what it is asked for.
    pub fn asks(&self) -> Option<(Cause, &str, &str)> {
        match &self.what {
            What::Check { head, failed: true, text, .. } => Some((Cause::ChecksFailed, head, text)),
            What::Reviewed { head, says: Some(Review::ChangesRequested), text, .. } => {
                Some((Cause::ChangesRequested, head, text))
            }
            What::State { .. } | What::LookedUp { .. } | What::Check { .. } | What::Reviewed { .. } => None,
        }
    }
}

/// The repository that a pull request of this address is in.
pub fn repository_of(url: &str) -> Option<RepositoryName> {
    let mut parts = url.split_once("://")?.1.split('/').skip(1);
    format!("{}/{}", parts.next()?, parts.next()?).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Checks, MOST_FOLLOW_UPS, News, PullRequest, PullRequestState, RequestState, Review, What};
    use crate::ids::RunId;
    use jiff::Timestamp;
    use proptest::prelude::{Just, any, prop_oneof, proptest};
    use uuid::Uuid;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + second).unwrap()
    }

    fn news(second: i64, what: What) -> News {
        News { url: "https://host.example/a/b/pull/7".into(), branch: None, at: at(second), what }
    }

    fn state(second: i64, state: PullRequestState, head: &str) -> News {
        news(second, What::State { state, head: head.into(), reopened: false })
    }

    fn check(second: i64, name: &str, failed: bool, head: &str) -> News {
        let text = format!("{name} of {head} failed at {second}");
        news(second, What::Check { head: head.into(), name: name.into(), failed, text })
    }

    fn review(second: i64, says: Option<Review>, head: &str) -> News {
        review_by("anna", second, says, head)
    }

    fn review_by(by: &str, second: i64, says: Option<Review>, head: &str) -> News {
        let text = format!("Review at {second}");
        news(second, What::Reviewed { head: head.into(), by: by.into(), says, text })
    }

    fn told(all: &[News]) -> PullRequest {
        let mut pull_request = PullRequest::unknown("https://host.example/a/b/pull/7".into());
        for news in all {
            pull_request.hear(news);
        }
        pull_request
    }

    /// Hears news and asks for what they call for, as the application does; answers whether something is asked for.
    fn asked(pull_request: &mut PullRequest, news: &News) -> bool {
        pull_request.hear(news) && pull_request.ask(news, news.at)
    }

    fn waits(pull_request: &PullRequest) -> bool {
        pull_request.waiting().is_some()
    }

    #[test]
    fn the_newest_state_counts_and_a_merge_is_final() {
        use PullRequestState::{Closed, Merged, Open};
        assert_eq!(told(&[state(2, Closed, "a"), state(1, Open, "a")]).state, Closed, "out of order");
        assert_eq!(told(&[state(1, Open, "a"), state(2, Closed, "a"), state(3, Open, "a")]).state, Open);
        assert_eq!(told(&[state(1, Merged, "a"), state(9, Open, "b")]).state, Merged);
        let again = news(2, What::State { state: Open, head: "a".into(), reopened: true });
        let closed = state(2, Closed, "a");
        assert_eq!(told(&[state(1, Open, "a"), again.clone(), closed.clone()]).state, Open, "of one second");
        assert_eq!(told(&[state(1, Open, "a"), closed, again.clone()]).state, Open);
        assert_eq!(told(&[again, state(3, Closed, "a")]).state, Closed);
        let mut twice = told(&[state(1, Open, "a")]);
        assert!(!twice.hear(&state(1, Open, "a")), "told twice");
        assert!(twice.hear(&state(1, Open, "b")), "another commit of the same second");
    }

    #[test]
    fn checks_are_those_of_the_newest_commit() {
        use PullRequestState::Open;
        assert_eq!(told(&[]).checks(), None);
        let failed = [state(1, Open, "a"), check(2, "build", true, "a"), check(3, "lint", false, "a")];
        assert_eq!(told(&failed).checks(), Some(Checks::Failing));
        let mut again = told(&failed);
        assert!(again.hear(&check(4, "build", false, "a")));
        assert_eq!(again.checks(), Some(Checks::Passing), "the same check was run again");
        assert!(!again.hear(&check(3, "build", true, "a")), "what is older changes nothing");
        again.hear(&state(5, Open, "b"));
        assert_eq!(again.checks(), None, "nothing is known of the new commit");
        again.hear(&check(6, "build", true, "b"));
        assert!(!again.hear(&check(5, "build", false, "a")), "a commit that is no longer the newest");
        assert_eq!(again.checks(), Some(Checks::Failing));
    }

    #[test]
    fn nobodys_approval_hides_another_ones_request_for_changes() {
        let (changes, approved) = (Some(Review::ChangesRequested), Some(Review::Approved));
        let mut pull_request =
            told(&[review_by("anna", 1, changes, "a"), review_by("ben", 2, approved, "a")]);
        assert_eq!(pull_request.review(), changes);
        assert!(!pull_request.hear(&review_by("anna", 0, approved, "a")), "it is older than anna's last one");
        assert!(pull_request.hear(&review_by("anna", 3, None, "a")), "hers was dismissed");
        assert_eq!(pull_request.review(), approved);
        // A waiting follow-up waits for as long as anybody asks.
        let mut pull_request = told(&[review_by("carl", 1, approved, "a")]);
        assert!(asked(&mut pull_request, &review_by("anna", 2, changes, "a")));
        pull_request.hear(&review_by("ben", 3, approved, "a"));
        assert!(waits(&pull_request));
        pull_request.hear(&review_by("anna", 4, approved, "a"));
        assert!(!waits(&pull_request));
    }

    #[test]
    fn many_reviewers_are_forgotten_and_no_request() {
        let changes = Some(Review::ChangesRequested);
        let mut pull_request = told(&[review_by("anna", 0, changes, "a")]);
        for n in 1..200 {
            assert!(pull_request.hear(&review_by(&format!("bot {n}"), n, Some(Review::Approved), "a")));
        }
        assert_eq!((pull_request.reviews.len(), pull_request.review()), (super::MOST_REVIEWERS, changes));
    }

    #[test]
    fn a_review_that_an_older_version_heard_gives_way_to_a_newer_one() {
        let mut json = serde_json::to_value(told(&[state(1, PullRequestState::Open, "a")])).unwrap();
        json["review"] = serde_json::json!({"says": "changesRequested", "at": at(5)});
        let mut pull_request: PullRequest = serde_json::from_value(json).unwrap();
        assert_eq!(pull_request.review(), Some(Review::ChangesRequested));
        assert!(pull_request.hear(&review(6, Some(Review::Approved), "a")));
        assert_eq!(pull_request.review(), Some(Review::Approved));
    }

    #[test]
    fn the_last_review_counts() {
        let changes = Some(Review::ChangesRequested);
        let mut pull_request = told(&[review(2, changes, "a"), review(1, Some(Review::Approved), "a")]);
        assert_eq!(pull_request.review(), changes);
        assert!(pull_request.hear(&review(3, None, "a")), "it was dismissed");
        assert_eq!(pull_request.review(), None);
    }

    #[test]
    fn a_commit_asks_once_for_each_cause() {
        let mut pull_request = told(&[state(1, PullRequestState::Open, "a")]);
        assert!(pull_request.ask(&check(2, "build", true, "a"), at(2)));
        assert!(!pull_request.ask(&check(2, "build", true, "a"), at(3)), "told twice");
        assert!(pull_request.ask(&check(3, "lint", true, "a"), at(3)), "the one that waits takes it up");
        let RequestState::Waiting { text } = &pull_request.waiting().unwrap().state else { panic!() };
        assert_eq!(text, "build of a failed at 2\n\nlint of a failed at 3");
        let run = RunId(Uuid::from_u128(1));
        pull_request.waiting_mut().unwrap().state = RequestState::Started { run };
        assert!(!pull_request.ask(&check(4, "docs", true, "a"), at(4)), "its run was started");
        assert!(pull_request.ask(&review(5, Some(Review::ChangesRequested), "a"), at(5)));
        assert_eq!(pull_request.follow_ups.len(), 2);
        assert!(!pull_request.ask(&check(6, "build", false, "b"), at(6)), "it passed");
        assert!(!pull_request.ask(&review(6, Some(Review::Approved), "b"), at(6)));
    }

    #[test]
    fn one_that_is_over_or_has_newer_commits_asks_for_nothing() {
        let changes = Some(Review::ChangesRequested);
        let mut pull_request = told(&[state(1, PullRequestState::Open, "a")]);
        assert!(asked(&mut pull_request, &check(2, "build", true, "a")));
        pull_request.hear(&state(3, PullRequestState::Open, "b"));
        assert_eq!(reason(&pull_request), "The branch has newer commits than the one whose checks failed.");
        assert!(asked(&mut pull_request, &review(4, changes, "a")));
        pull_request.hear(&state(5, PullRequestState::Open, "c"));
        assert!(waits(&pull_request), "a person still wants it");
        pull_request.hear(&state(6, PullRequestState::Merged, "c"));
        assert_eq!(reason(&pull_request), "The pull request was merged before it could start.");
        assert!(!asked(&mut pull_request, &check(7, "build", true, "c")));
    }

    /// Why the last follow-up was dropped.
    fn reason(pull_request: &PullRequest) -> &str {
        match &pull_request.follow_ups.last().expect("one was asked for").state {
            RequestState::Dropped { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn overtaken_news_ask_for_nothing() {
        let changes = Some(Review::ChangesRequested);
        let mut pull_request = told(&[
            state(1, PullRequestState::Open, "a"),
            review(20, Some(Review::Approved), "a"),
            check(20, "build", false, "a"),
        ]);
        assert!(!asked(&mut pull_request, &review(10, changes, "a")));
        assert!(!asked(&mut pull_request, &check(10, "build", true, "a")));
        assert_eq!(pull_request.follow_ups, []);
    }

    #[test]
    fn what_waits_is_dropped_when_its_cause_is_over_and_may_be_asked_for_again() {
        let changes = Some(Review::ChangesRequested);
        let mut pull_request = told(&[state(1, PullRequestState::Open, "a")]);
        assert!(asked(&mut pull_request, &check(2, "build", true, "a")));
        pull_request.hear(&check(3, "lint", false, "a"));
        assert!(waits(&pull_request), "one still fails");
        pull_request.hear(&check(4, "build", false, "a"));
        assert_eq!(reason(&pull_request), "The checks of the commit passed before it could start.");
        assert!(asked(&mut pull_request, &check(5, "build", true, "a")), "it fails again");
        assert_eq!(pull_request.follow_ups.len(), 1, "in place of the one that was dropped");
        pull_request.hear(&check(6, "build", false, "a"));
        assert!(asked(&mut pull_request, &review(7, changes, "a")));
        pull_request.hear(&review(8, Some(Review::Approved), "a"));
        assert!(reason(&pull_request).contains("reviewed again"));
    }

    #[test]
    fn a_check_may_be_told_before_the_commit_that_it_is_of() {
        use PullRequestState::Open;
        let mut pull_request = told(&[state(1, Open, "a"), check(2, "build", false, "a")]);
        assert!(asked(&mut pull_request, &check(9, "build", true, "b")));
        assert_eq!((pull_request.head.as_deref(), pull_request.checks()), (Some("b"), Some(Checks::Failing)));
        pull_request.hear(&state(4, Open, "a"));
        assert_eq!(pull_request.head.as_deref(), Some("b"), "what was told of the commit before came late");
        assert!(!asked(&mut pull_request, &check(10, "build", true, "a")), "a check of that commit too");
        pull_request.hear(&state(8, Open, "b"));
        assert!(waits(&pull_request));
        assert!(!asked(&mut pull_request, &check(7, "lint", true, "z")), "a commit before that");
        pull_request.hear(&state(11, Open, "a"));
        assert_eq!(pull_request.head.as_deref(), Some("a"), "the branch was set back");
        assert!(!waits(&pull_request));
    }

    #[test]
    fn those_that_were_dropped_do_not_pile_up() {
        let mut pull_request = told(&[]);
        for n in 0..100 {
            let head = format!("commit-{n}");
            assert!(asked(&mut pull_request, &check(n, "build", true, &head)));
        }
        assert!(pull_request.follow_ups.len() <= super::MOST_DROPPED + 1);
        assert!(pull_request.replaced.len() <= super::MOST_REPLACED);
    }

    #[test]
    fn a_long_text_is_cut() {
        let mut pull_request = told(&[]);
        let text = "x".repeat(100_000);
        let what = What::Check { head: "a".into(), name: "build".into(), failed: true, text };
        assert!(pull_request.ask(&news(1, what), at(1)));
        assert!(serde_json::to_string(&pull_request).unwrap().len() < 5_000);
    }

    proptest! {
        #[test]
        fn whatever_is_told_no_more_than_three_start(
            all in proptest::collection::vec(
                (0_i64..20, prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")], any::<bool>(), any::<bool>()),
                0..40,
            )
        ) {
            let mut pull_request = told(&[]);
            for (second, head, is_check, starts) in all {
                let changes = Some(Review::ChangesRequested);
                let news = if is_check { check(second, "build", true, head) } else { review(second, changes, head) };
                let before = pull_request.clone();
                if pull_request.hear(&news) {
                    pull_request.ask(&news, at(second));
                } else {
                    assert_eq!(pull_request, before, "news that are not heard change nothing");
                }
                if let Some(waiting) = pull_request.waiting() {
                    assert_eq!(pull_request.outdated(waiting), None);
                }
                if starts && let Some(waiting) = pull_request.waiting_mut() {
                    waiting.state = RequestState::Started { run: RunId(Uuid::from_u128(1)) };
                }
            }
            let dropped = |request: &&super::FollowUpRequest| request.is_dropped();
            let counted = pull_request.follow_ups.len() - pull_request.follow_ups.iter().filter(dropped).count();
            assert!(counted <= MOST_FOLLOW_UPS);
            for (place, request) in pull_request.follow_ups.iter().enumerate() {
                let same = |other: &&super::FollowUpRequest| (other.cause, &other.head) == (request.cause, &request.head);
                assert_eq!(pull_request.follow_ups.iter().filter(same).count(), 1, "{place}");
            }
        }
    }
}
