//! What waits to be sent to one destination, and what becomes of it.
//!
//! | outcome of an attempt          | the batch                        | the destination                          |
//! |--------------------------------|----------------------------------|------------------------------------------|
//! | it arrived                     | is done                          | goes on                                  |
//! | no answer, or a passing error  | again after [`delay`]; given up  | broken after [`FAILURES`] over [`FAILING`] |
//! |                                | after [`GIVEN_UP`]               |                                          |
//! | too many at a time             | again, which counts as no attempt | holds until then                        |
//! | refused as wrong: our mistake  | is given up                      | goes on                                  |
//! | gone for good                  | is given up                      | broken                                   |
//!
//! One batch of a destination is on its way at a time: so their order stays. A batch that its worker leaves behind is
//! sent again under the same id once its lease is over.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::channel::{FAILING, FAILURES};
use super::{Entry, News, NotificationKind};
use crate::word::word_enum;

/// How long a worker may take for an attempt by mail: handing a mail over is given up after 45 seconds.
const MAILING: SignedDuration = SignedDuration::from_secs(60);
/// How long it may take elsewhere: a request is given up after 10 seconds, and a chat that moved takes two.
const POSTING: SignedDuration = SignedDuration::from_secs(30);
/// How long a batch is tried.
pub const GIVEN_UP: SignedDuration = SignedDuration::from_hours(24);
/// For how long news by mail about one thing are gathered.
pub const GATHERING: SignedDuration = SignedDuration::from_secs(90);
/// Longest time for which a platform may hold a destination.
const LONGEST_HOLD: SignedDuration = SignedDuration::from_hours(6);
/// Things that are due together from which on they are told in one message.
pub const MANY: usize = 10;

word_enum! {
    /// When something is sent.
    Lane {
        /// As soon as it is gathered.
        Now = "now",
        /// With the next digest.
        Digest = "digest",
    }
}

/// News of one thing that wait to be sent. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// The news; those that it has read were sent.
    pub entry: Entry,
    /// When the first of them came.
    pub since: Timestamp,
    /// When they are sent.
    pub due: Timestamp,
}

impl Pending {
    /// Nothing yet of this thing.
    pub const fn new(entry: Entry, since: Timestamp, due: Timestamp) -> Self {
        Self { entry, since, due }
    }

    /// Adds news that are due then. Whether they were new.
    pub fn add(&mut self, news: News, due: Timestamp) -> bool {
        let added = self.entry.tell(news);
        if added {
            self.due = self.due.min(due);
        }
        added
    }

    /// Whether all of them were sent.
    pub const fn is_sent(&self) -> bool {
        self.entry.read >= self.entry.told
    }

    /// It as it was when so many had been told: what came since is for the next message.
    #[must_use]
    pub fn up_to(mut self, told: u64) -> Self {
        let later = usize::try_from(self.entry.told.saturating_sub(told)).unwrap_or(usize::MAX);
        self.entry.news.truncate(self.entry.news.len().saturating_sub(later));
        self.entry.told = self.entry.told.min(told);
        self
    }

    /// So many of them were sent. Whether more are left.
    pub fn sent(&mut self, told: u64) -> bool {
        self.entry.read = self.entry.read.max(told);
        !self.is_sent()
    }
}

/// How long a worker may take for an attempt at this place. What it holds when it dies waits for so long.
pub const fn lease(by_mail: bool) -> SignedDuration {
    if by_mail { MAILING } else { POSTING }
}

/// When news of this kind are due by mail: what waits for a person goes at once, the rest is gathered.
pub fn due_by_mail(kind: NotificationKind, now: Timestamp) -> Timestamp {
    use NotificationKind::{Mentioned, RunNeedsInput, WikiMentioned};
    if matches!(kind, RunNeedsInput | Mentioned | WikiMentioned) { now } else { now + GATHERING }
}

/// What is on its way to a destination, and how that went lately. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Head {
    /// What is on its way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<Batch>,
    /// Until when nothing may be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// Failures since the last message that arrived.
    pub failures: u32,
    /// When the first of those was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
}

/// Things that are sent together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// Id: the same for each attempt.
    pub id: Uuid,
    /// When they are sent.
    pub lane: Lane,
    /// Up to which of its news each of the pending rows is in it, by the name of the row.
    pub parts: BTreeMap<String, u64>,
    /// The attempt, from 1.
    pub attempt: u32,
    /// When the first attempt was.
    pub begun: Timestamp,
    /// Until when nobody else tries.
    pub free_at: Timestamp,
    /// Whether that is because a worker is at it, rather than for a pause between two attempts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leased: bool,
    /// Whether all is over with it but that what is left of its parts has to be taken away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It arrived.
    Sent,
    /// No answer, or one that may be another later. Carries why.
    Away(String),
    /// Too many at a time: again after this.
    Later(SignedDuration),
    /// Refused as wrong.
    Refused(String),
    /// The destination is gone.
    Gone(String),
}

/// What becomes of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is done.
    Done,
    /// It is tried again then.
    Again(Timestamp),
    /// It is given up. Carries why.
    GivenUp(String),
    /// It is given up, and the destination is broken. Carries why.
    Broken(String),
}

impl Head {
    /// Takes the batch that is on its way for another attempt; `None` while somebody else may be at it, or where there is
    /// none.
    pub fn take_again(&mut self, now: Timestamp, lease: SignedDuration) -> Option<Batch> {
        let batch = self.batch.as_mut().filter(|batch| batch.free_at <= now && !batch.over)?;
        batch.attempt += 1;
        batch.free_at = now + lease;
        batch.leased = true;
        Some(batch.clone())
    }

    /// Begins a batch, which nobody else tries until then.
    pub fn begin(
        &mut self,
        id: Uuid,
        lane: Lane,
        parts: BTreeMap<String, u64>,
        (now, free_at): (Timestamp, Timestamp),
    ) -> Batch {
        let batch = Batch { id, lane, parts, attempt: 1, begun: now, free_at, leased: true, over: false };
        self.batch = Some(batch.clone());
        batch
    }

    /// Until when a worker has what is on its way, which may be gone.
    pub fn leased_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.batch.as_ref().filter(|batch| batch.leased && batch.free_at > now).map(|batch| batch.free_at)
    }

    /// Until when the platform asked to wait with what is on its way. The pause between two messages is no such thing.
    pub fn held_until(&self, now: Timestamp) -> Option<Timestamp> {
        let waits = self.batch.as_ref().is_some_and(|batch| !batch.over && !batch.leased);
        self.held_until.filter(|until| waits && *until > now)
    }

    /// Ends that wait, because a message arrived meanwhile. Whether there was one.
    pub fn release(&mut self, now: Timestamp) -> bool {
        let held = self.held_until(now).is_some();
        if let Some(batch) = self.batch.as_mut().filter(|_| held) {
            batch.free_at = now;
            self.held_until = None;
        }
        held
    }

    /// Until when nothing can be sent: somebody is at it, or the platform asked to wait.
    pub fn busy_until(&self, now: Timestamp) -> Option<Timestamp> {
        let leased = self.batch.as_ref().map(|batch| batch.free_at);
        [leased, self.held_until].into_iter().flatten().filter(|until| *until > now).max()
    }

    /// What an attempt comes to. `chance`, from 0 to 255, spreads attempts after failures by a fifth.
    pub fn settle(&mut self, outcome: Outcome, now: Timestamp, chance: u8) -> Verdict {
        let Some(batch) = &mut self.batch else { return Verdict::Done };
        batch.leased = false;
        let verdict = match outcome {
            Outcome::Sent => {
                self.failures = 0;
                self.failing_since = None;
                Verdict::Done
            }
            Outcome::Refused(why) => Verdict::GivenUp(why),
            Outcome::Gone(why) => Verdict::Broken(why),
            Outcome::Later(after) => {
                let until = now + after.clamp(SignedDuration::from_secs(1), LONGEST_HOLD);
                self.held_until = Some(until);
                batch.attempt -= 1;
                batch.free_at = until;
                if now.duration_since(batch.begun) < GIVEN_UP {
                    return Verdict::Again(until);
                }
                Verdict::GivenUp("the platform takes no more messages".to_owned())
            }
            Outcome::Away(why) => {
                self.failures += 1;
                let since = *self.failing_since.get_or_insert(now);
                if self.failures >= FAILURES && now.duration_since(since) >= FAILING {
                    Verdict::Broken(why)
                } else if now.duration_since(batch.begun) >= GIVEN_UP {
                    Verdict::GivenUp(why)
                } else {
                    let again = now + delay(batch.attempt, chance);
                    batch.free_at = again;
                    return Verdict::Again(again);
                }
            }
        };
        batch.over = true;
        batch.free_at = now;
        verdict
    }

    /// Whether what is left of a batch has to be taken away before anything else.
    pub fn is_to_clear(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.over)
    }

    /// Some parts of a batch that is over, to be taken away in one commit; with the last of them the batch is gone.
    pub fn clear(&mut self, most: usize) -> BTreeMap<String, u64> {
        let Some(batch) = self.batch.as_mut().filter(|batch| batch.over) else { return BTreeMap::new() };
        let rest = batch.parts.keys().nth(most).cloned();
        let rest = rest.map(|first| batch.parts.split_off(&first)).unwrap_or_default();
        let taken = std::mem::replace(&mut batch.parts, rest);
        if batch.parts.is_empty() {
            self.batch = None;
        }
        taken
    }
}

/// How long to wait after so many attempts, give or take a fifth.
fn delay(attempts: u32, chance: u8) -> SignedDuration {
    const SECONDS: [i64; 6] = [5, 30, 120, 600, 3_600, 10_800];
    let at = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(SECONDS.len() - 1);
    let millis = SECONDS[at] * 1_000;
    SignedDuration::from_millis(millis * 4 / 5 + millis * 2 / 5 * i64::from(chance) / 255)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{GIVEN_UP, Head, Lane, Outcome, Verdict, delay, lease};
    use jiff::{SignedDuration, Timestamp};
    use proptest::prelude::{any, prop, proptest};
    use uuid::Uuid;

    const START: Timestamp = Timestamp::UNIX_EPOCH;
    const LEASE: SignedDuration = lease(false);

    fn begun() -> Head {
        let mut head = Head::default();
        head.begin(Uuid::nil(), Lane::Now, BTreeMap::new(), (START, START + LEASE));
        head
    }

    fn away() -> Outcome {
        Outcome::Away("no answer".into())
    }

    #[test]
    fn attempts_come_at_growing_distances() {
        let seconds = |chance| -> Vec<i64> { (1..=8).map(|n| delay(n, chance).as_secs()).collect() };
        assert_eq!(seconds(0), [4, 24, 96, 480, 2_880, 8_640, 8_640, 8_640]);
        assert_eq!(seconds(255), [6, 36, 144, 720, 4_320, 12_960, 12_960, 12_960]);
    }

    #[test]
    fn a_batch_that_its_worker_left_is_taken_again_under_its_id_after_the_lease() {
        let mut head = begun();
        assert_eq!(head.busy_until(START), Some(START + LEASE));
        assert_eq!(head.take_again(START + LEASE - SignedDuration::from_secs(1), LEASE), None);
        let again = head.take_again(START + LEASE, LEASE).unwrap();
        assert_eq!((again.id, again.attempt), (Uuid::nil(), 2));
        assert_eq!(head.take_again(START + LEASE, LEASE), None, "one at a time");
    }

    #[test]
    fn a_day_of_failures_breaks_the_destination_and_one_message_makes_it_well() {
        let (mut head, mut now, mut attempts) = (begun(), START, 0);
        let verdict = loop {
            match head.settle(away(), now, 128) {
                Verdict::Again(at) => now = at,
                verdict => break verdict,
            }
            attempts += 1;
            head.take_again(now, LEASE).unwrap();
        };
        assert_eq!(verdict, Verdict::Broken("no answer".into()));
        head.clear(1);
        assert!(attempts >= 10 && now.duration_since(START) >= GIVEN_UP, "{attempts}");
        head.begin(Uuid::nil(), Lane::Now, BTreeMap::new(), (now, now + LEASE));
        assert_eq!(head.settle(Outcome::Sent, now, 0), Verdict::Done);
        assert_eq!((head.failures, head.failing_since), (0, None));
    }

    #[test]
    fn too_many_at_a_time_is_no_attempt_and_holds_the_destination() {
        let mut head = begun();
        let until = START + SignedDuration::from_secs(30);
        assert_eq!(
            head.settle(Outcome::Later(SignedDuration::from_secs(30)), START, 0),
            Verdict::Again(until)
        );
        assert_eq!((head.busy_until(START), head.failures), (Some(until), 0));
        assert_eq!((head.held_until(START), head.leased_until(START)), (Some(until), None));
        assert_eq!(head.take_again(until, LEASE).unwrap().attempt, 1);
    }

    #[test]
    fn a_hold_is_released_and_a_lease_is_not() {
        let mut head = begun();
        assert_eq!((head.release(START), head.leased_until(START)), (false, Some(START + LEASE)));
        head.settle(Outcome::Later(SignedDuration::from_hours(1)), START, 0);
        assert!(head.release(START) && !head.release(START));
        assert_eq!((head.busy_until(START), head.held_until(START)), (None, None));
        assert_eq!(head.take_again(START, LEASE).unwrap().attempt, 1);
        head.settle(away(), START, 0);
        assert!(!head.release(START), "what failed waits for its next attempt");
    }

    #[test]
    fn what_is_wrong_is_given_up_and_what_is_gone_breaks() {
        let refused = begun().settle(Outcome::Refused("invalid_payload".into()), START, 0);
        assert_eq!(refused, Verdict::GivenUp("invalid_payload".into()));
        let gone = begun().settle(Outcome::Gone("no_service".into()), START, 0);
        assert_eq!(gone, Verdict::Broken("no_service".into()));
    }

    #[test]
    fn what_many_things_leave_is_taken_away_bit_by_bit_and_never_sent_again() {
        let mut head = Head::default();
        let parts: BTreeMap<String, u64> = (0..5).map(|n| (format!("DIGEST#{n}"), n)).collect();
        head.begin(Uuid::nil(), Lane::Digest, parts, (START, START + LEASE));
        assert_eq!(head.clear(2), BTreeMap::new(), "it is on its way");
        head.settle(Outcome::Sent, START, 0);
        assert_eq!((head.take_again(START + LEASE, LEASE), head.busy_until(START)), (None, None));
        let taken: Vec<usize> =
            std::iter::from_fn(|| head.is_to_clear().then(|| head.clear(2).len())).collect();
        assert_eq!((taken, head.batch), (vec![2, 2, 1], None));
    }

    proptest! {
        /// Whatever happens, a batch ends, and none is on its way twice.
        #[test]
        fn every_batch_ends(outcomes in prop::collection::vec((0..5_u8, any::<u8>(), 1..40_000_i64), 200..220)) {
            let (mut head, mut now) = (begun(), START);
            for (kind, chance, seconds) in outcomes {
                if head.is_to_clear() {
                    head.clear(1);
                }
                if head.batch.is_none() {
                    return Ok(());
                }
                let outcome = match kind {
                    0 | 1 => away(),
                    2 => Outcome::Later(SignedDuration::from_secs(seconds)),
                    3 => Outcome::Refused(String::new()),
                    _ => Outcome::Gone(String::new()),
                };
                if let Verdict::Again(at) = head.settle(outcome, now, chance) {
                    assert!(at > now);
                    now = at;
                    assert!(head.take_again(now, LEASE).is_some() && head.take_again(now, LEASE).is_none());
                }
            }
            head.clear(1);
            assert!(head.batch.is_none());
        }
    }
}
