//! Outbound webhooks: what an organization sends to addresses of its own, signed by Standard Webhooks.
//!
//! | of a delivery | what happens next                                                                       |
//! |---------------|-----------------------------------------------------------------------------------------|
//! | waits         | it is sent; 2xx → sent                                                                  |
//! | any other answer, or none | it waits for the next of [`RETRIES`]; after the last it has failed          |
//! | 410           | it has failed, and the webhook is disabled                                              |
//! | nothing to say | skipped, for one of the reasons in [`Skipped`]                                          |
//! | replayed      | it waits again, under the same id                                                       |
//!
//! A webhook that has failed for [`DISABLED_AFTER`] without a success is disabled, until somebody enables it. A test that
//! fails counts for nothing: its answer is seen at once.
//!
//! A delivery keeps what happened and no texts: those are read each time that it is sent, with the rights that whoever
//! saved the webhook has then. What the webhook is to tell, and of which projects, is asked each time too. Without
//! `agents_work` it tells what every member of the project may see.

pub mod change;

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::ids::{Actor, CommentId, DeliveryId, ItemKey, ProjectKey, RunId, SprintId, WebhookId};
use crate::refusal::FieldErrors;
use crate::word::word_enum;

/// Webhooks that an organization has at most.
pub const MOST: usize = 20;
/// How long deliveries are kept.
pub const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// How long signatures with the secret before count after a rotation.
pub const FORMER_COUNTS: SignedDuration = SignedDuration::from_hours(24);
/// How long a webhook may fail.
pub const DISABLED_AFTER: SignedDuration = SignedDuration::from_hours(24 * 3);
/// How long each attempt after the first waits: about a day in all.
pub const RETRIES: [SignedDuration; 8] = [
    SignedDuration::from_secs(5),
    SignedDuration::from_secs(30),
    SignedDuration::from_mins(2),
    SignedDuration::from_mins(10),
    SignedDuration::from_hours(1),
    SignedDuration::from_hours(3),
    SignedDuration::from_hours(6),
    SignedDuration::from_hours(12),
];
/// How long one attempt has the delivery to itself: a request is given up after 10 seconds. What a worker had that died
/// is tried again after so long.
pub const AT_WORK: SignedDuration = SignedDuration::from_secs(30);
/// Attempts that a delivery keeps; of older ones nothing is kept.
const ATTEMPTS: usize = 20;
/// Longest address.
const ADDRESS: usize = 2_000;
/// Longest wait that an answer can ask for.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(1);
/// The status by which an address says that it is gone for good.
const GONE: u16 = 410;

word_enum! {
    /// What a webhook can tell.
    WebhookEvent {
        /// An item was created.
        ItemCreated = "itemCreated",
        /// A field of an item changed.
        ItemChanged = "itemChanged",
        /// An item moved to another state.
        ItemMoved = "itemMoved",
        /// An item was deleted.
        ItemDeleted = "itemDeleted",
        /// A comment was written.
        CommentCreated = "commentCreated",
        /// A comment was edited.
        CommentEdited = "commentEdited",
        /// A comment was deleted.
        CommentDeleted = "commentDeleted",
        /// A run ended.
        RunEnded = "runEnded",
        /// A sprint was started.
        SprintStarted = "sprintStarted",
        /// A sprint was completed.
        SprintCompleted = "sprintCompleted",
        /// Somebody tests the webhook: it is always sent.
        Ping = "ping",
    }
}

/// An outbound webhook, as stored in the row of its organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Id.
    pub id: WebhookId,
    /// Rises with each change by a person.
    pub version: u64,
    /// Name for people.
    pub name: String,
    /// Where it sends to.
    pub url: String,
    /// What it tells.
    pub events: BTreeSet<WebhookEvent>,
    /// Of which projects; of all where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub projects: BTreeSet<ProjectKey>,
    /// Whether it also tells what only factory operators see: what agents say, and how their runs went.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents_work: bool,
    /// What deliveries are signed with, sealed: it cannot be kept as a hash.
    pub secret: String,
    /// The secret before, which also signs until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<FormerSecret>,
    /// The person who saved it last answers for it: it tells what they may see.
    pub saved_by: Actor,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when no delivery succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Why it sends nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Disabled>,
}

/// A secret that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerSecret {
    /// It.
    pub secret: String,
    /// Until when it signs.
    pub until: Timestamp,
}

/// Why a webhook sends nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Disabled {
    /// A person turned it off.
    ByPerson,
    /// It failed for days.
    Failing,
    /// Its address said that it is gone.
    Gone,
}

/// The webhooks of an organization.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhooks {
    /// In the order in which they were made.
    pub webhooks: Vec<Webhook>,
}

/// Something that happened, by what to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookNews {
    /// What.
    pub event: WebhookEvent,
    /// When.
    pub at: Timestamp,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// The project; none for a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectKey>,
    /// The item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemKey>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<CommentId>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The sprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint: Option<SprintId>,
    /// Names of the fields that changed, or the state before and after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Whether only who sees what agents do may hear of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents_work: bool,
}

impl WebhookNews {
    /// News of a kind, about nothing yet.
    pub const fn new(event: WebhookEvent, at: Timestamp, by: Option<Actor>) -> Self {
        Self {
            event,
            at,
            by,
            project: None,
            item: None,
            comment: None,
            run: None,
            sprint: None,
            changes: Vec::new(),
            agents_work: false,
        }
    }

    /// The same, about an item.
    #[must_use]
    pub fn about(self, item: &ItemKey) -> Self {
        Self { project: Some(item.project.clone()), item: Some(item.clone()), ..self }
    }
}

word_enum! {
    /// What became of a delivery.
    DeliveryState {
        /// It is sent, or sent again.
        Waiting = "waiting",
        /// It was taken.
        Sent = "sent",
        /// It was refused, or nobody answered, to the last attempt.
        Failed = "failed",
        /// There was nothing to send.
        Skipped = "skipped",
    }
}

/// One attempt to send a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When.
    pub at: Timestamp,
    /// Status of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A delivery, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Id, which every attempt carries.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// What it tells.
    pub news: WebhookNews,
    /// What became of it.
    pub state: DeliveryState,
    /// The attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Attempts since it was made or replayed.
    pub tried: u32,
    /// When the next attempt is due; one under way has it until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Timestamp>,
    /// Why it was skipped. Older deliveries do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skipped>,
}

/// Why a delivery was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Skipped {
    /// What it tells of is gone.
    Gone,
    /// The webhook does not tell such events, or of such a project, any more.
    NotChosen,
    /// The person who saved the webhook may not see it.
    Hidden,
    /// The webhook is disabled or deleted.
    Disabled,
    /// A reason that this program does not know.
    #[serde(other)]
    Unknown,
}

impl Delivery {
    /// A delivery of news, which waits.
    pub const fn new(webhook: WebhookId, id: DeliveryId, news: WebhookNews) -> Self {
        Self {
            id,
            webhook,
            news,
            state: DeliveryState::Waiting,
            attempts: Vec::new(),
            tried: 0,
            next: None,
            skipped: None,
        }
    }

    /// Notes that there is nothing to send.
    pub const fn skip(&mut self, why: Skipped) {
        self.state = DeliveryState::Skipped;
        self.next = None;
        self.skipped = Some(why);
    }

    /// Makes it wait again.
    pub const fn replay(&mut self) {
        self.state = DeliveryState::Waiting;
        self.tried = 0;
        self.next = None;
        self.skipped = None;
    }

    /// Begins an attempt, which has it to itself for [`AT_WORK`]; how long it has to wait where that is too early.
    ///
    /// # Errors
    /// How long to wait.
    pub fn begin(&mut self, now: Timestamp) -> Result<(), SignedDuration> {
        if let Some(next) = self.next.filter(|next| *next > now) {
            return Err(next.duration_since(now));
        }
        self.tried += 1;
        self.next = Some(now + AT_WORK);
        Ok(())
    }

    /// Notes how an attempt went; when it is tried again.
    pub fn end(&mut self, attempt: Attempt, retry_after: Option<u64>) -> Option<SignedDuration> {
        let (at, status) = (attempt.at, attempt.status);
        self.attempts.push(attempt);
        if self.attempts.len() > ATTEMPTS {
            self.attempts.remove(0);
        }
        self.next = None;
        if status.is_some_and(|status| (200..300).contains(&status)) {
            self.state = DeliveryState::Sent;
            return None;
        }
        let delay = RETRIES.get(self.tried as usize - 1).filter(|_| status != Some(GONE));
        let Some(delay) = delay else {
            self.state = DeliveryState::Failed;
            return None;
        };
        let asked =
            retry_after.and_then(|seconds| i64::try_from(seconds).ok()).map(SignedDuration::from_secs);
        let delay = (*delay).max(asked.unwrap_or_default().min(LONGEST_WAIT));
        self.next = Some(at + delay);
        Some(delay)
    }
}

impl Webhook {
    /// Whether it tells this.
    pub fn tells(&self, news: &WebhookNews) -> bool {
        self.disabled.is_none() && self.is_to_tell(news)
    }

    /// Whether it is to tell this while it is not disabled.
    pub fn is_to_tell(&self, news: &WebhookNews) -> bool {
        let of_project = news.project.as_ref().is_none_or(|project| self.is_about(project));
        let chosen = news.event == WebhookEvent::Ping || self.events.contains(&news.event);
        chosen && of_project && (self.agents_work || !news.agents_work)
    }

    /// Whether it tells of a project.
    pub fn is_about(&self, project: &ProjectKey) -> bool {
        self.projects.is_empty() || self.projects.contains(project)
    }

    /// The secrets that sign now: the newest first.
    pub fn secrets(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let former = self.former.as_ref().filter(|former| former.until > now);
        std::iter::once(self.secret.as_str()).chain(former.map(|former| former.secret.as_str()))
    }

    /// Replaces its secret. The one before signs for a day more.
    pub fn rotate(&mut self, secret: String, now: Timestamp) {
        let before = std::mem::replace(&mut self.secret, secret);
        self.former = Some(FormerSecret { secret: before, until: now + FORMER_COUNTS });
    }

    /// Notes how an attempt went. Whether that disabled it.
    pub fn note(&mut self, attempt: &Attempt) -> bool {
        if attempt.status.is_some_and(|status| (200..300).contains(&status)) {
            self.failing_since = None;
            return false;
        }
        let since = *self.failing_since.get_or_insert(attempt.at);
        if self.disabled.is_some() {
            return false;
        }
        if attempt.status == Some(GONE) {
            self.disabled = Some(Disabled::Gone);
        } else if attempt.at.duration_since(since) >= DISABLED_AFTER {
            self.disabled = Some(Disabled::Failing);
        }
        self.disabled.is_some()
    }

    /// What is wrong with what a person wants; the address is judged where it is sent to as well.
    pub fn check(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        if !self.url.is_ascii() || self.url.len() > ADDRESS || Url::parse(&self.url).is_err() {
            errors.add("url", format!("It must be an address of at most {ADDRESS} characters."));
        }
        if self.events.is_empty() || self.events.contains(&WebhookEvent::Ping) {
            errors.add("events", "Choose at least one event; a ping is sent by testing the webhook.");
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    use super::{
        Attempt, DISABLED_AFTER, Delivery, DeliveryState, Disabled, RETRIES, Webhook, WebhookEvent,
        WebhookNews,
    };
    use crate::ids::{Actor, ActorId, DeliveryId, UserId, WebhookId};

    fn now() -> Timestamp {
        "2026-11-28T12:00:00Z".parse().unwrap()
    }

    fn webhook() -> Webhook {
        Webhook {
            id: WebhookId(Uuid::nil()),
            version: 1,
            name: "n8n".into(),
            url: "https://example.com/hook".into(),
            events: [WebhookEvent::ItemCreated].into(),
            projects: ["PRJ".parse().unwrap()].into(),
            agents_work: false,
            secret: "new".into(),
            former: None,
            saved_by: Actor { id: ActorId::User(UserId(Uuid::nil())), name: "Ada".into() },
            created_at: now(),
            failing_since: None,
            disabled: None,
        }
    }

    fn answered(at: Timestamp, status: u16) -> Attempt {
        Attempt { at, status: Some(status), error: None }
    }

    #[test]
    fn a_delivery_is_retried_for_a_day_and_then_has_failed() {
        let mut delivery = Delivery::new(
            WebhookId(Uuid::nil()),
            DeliveryId(Uuid::nil()),
            WebhookNews::new(WebhookEvent::Ping, now(), None),
        );
        let mut at = now();
        for retry in RETRIES {
            delivery.begin(at).unwrap();
            assert!(delivery.begin(at).is_err(), "one attempt at a time");
            assert_eq!(delivery.end(answered(at, 500), None), Some(retry));
            assert_eq!(delivery.begin(at), Err(retry), "not before it is due");
            at += retry;
        }
        delivery.begin(at).unwrap();
        assert_eq!(delivery.end(answered(at, 500), None), None);
        assert_eq!(delivery.state, DeliveryState::Failed);
        assert!(at.duration_since(now()) > SignedDuration::from_hours(20));
        delivery.replay();
        delivery.begin(at).unwrap();
        assert_eq!(delivery.end(answered(at, 204), None), None);
        assert_eq!((delivery.state, delivery.attempts.len()), (DeliveryState::Sent, 10));
    }

    #[test]
    fn an_answer_can_ask_for_an_hour_and_end_it_by_being_gone() {
        let new = || {
            Delivery::new(
                WebhookId(Uuid::nil()),
                DeliveryId(Uuid::nil()),
                WebhookNews::new(WebhookEvent::Ping, now(), None),
            )
        };
        for (status, asked, wait) in [
            (429, Some(90), Some(SignedDuration::from_secs(90))),
            (503, Some(u64::MAX), Some(RETRIES[0])),
            (503, Some(1_000_000), Some(SignedDuration::from_hours(1))),
            (302, None, Some(RETRIES[0])),
            (410, None, None),
        ] {
            let mut delivery = new();
            delivery.begin(now()).unwrap();
            assert_eq!(delivery.end(answered(now(), status), asked), wait, "{status}");
        }
    }

    #[test]
    fn a_webhook_is_disabled_once_after_days_or_when_it_is_gone() {
        let mut failing = webhook();
        assert!(!failing.note(&answered(now(), 500)));
        assert!(!failing.note(&answered(now() + DISABLED_AFTER - SignedDuration::from_secs(1), 500)));
        assert!(failing.note(&answered(now() + DISABLED_AFTER, 500)));
        assert!(!failing.note(&answered(now() + DISABLED_AFTER, 500)), "told once");
        assert_eq!(failing.disabled, Some(Disabled::Failing));
        let mut well = webhook();
        well.note(&answered(now(), 500));
        well.note(&answered(now(), 200));
        assert!(!well.note(&answered(now() + DISABLED_AFTER, 500)), "it worked meanwhile");
        let mut gone = webhook();
        assert!(gone.note(&answered(now(), 410)));
    }

    #[test]
    fn it_tells_the_chosen_events_of_the_chosen_projects() {
        let created = WebhookNews::new(WebhookEvent::ItemCreated, now(), None);
        let of = |key: &str| created.clone().about(&key.parse().unwrap());
        assert!(webhook().tells(&of("PRJ-1")));
        assert!(!webhook().tells(&of("OTH-1")));
        assert!(Webhook { projects: [].into(), ..webhook() }.tells(&of("OTH-1")));
        assert!(!webhook().tells(&WebhookNews { event: WebhookEvent::ItemMoved, ..of("PRJ-1") }));
        assert!(webhook().tells(&WebhookNews::new(WebhookEvent::Ping, now(), None)));
        assert!(!webhook().tells(&WebhookNews { agents_work: true, ..of("PRJ-1") }));
        assert!(!Webhook { disabled: Some(Disabled::Gone), ..webhook() }.tells(&of("PRJ-1")));
    }

    #[test]
    fn both_secrets_sign_for_a_day() {
        let mut webhook = webhook();
        webhook.rotate("newer".into(), now());
        assert_eq!(webhook.secrets(now()).collect::<Vec<_>>(), ["newer", "new"]);
        assert_eq!(webhook.secrets(now() + SignedDuration::from_hours(24)).collect::<Vec<_>>(), ["newer"]);
    }
}
