//! Recurring schedules of a project: at each due time of a cron expression, an item is made from a template and handed to
//! an agent, and what came of it is recorded.
//!
//! | at a due time | what happens |
//! |---|---|
//! | the item of the last firing has no live run | an item is made, its run is queued |
//! | it has one | skipped, with that reason |
//! | the run is refused | skipped, with the refusal's sentence |
//! | who saved the schedule may start no run any more | skipped, and the schedule pauses with that reason |
//! | several due times have passed, because no server was there | the last of them fires, the others are named in its record |
//! | the clock went back | nothing until the next due time, which does not change |
//!
//! A schedule fires once for a due time: the commit that fires it sets the next one.

pub mod cron;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::harness::Harness;
use crate::ids::{Actor, AgentId, ItemKey, PlaybookId, ProjectKey, RunId, RunnerId, ScheduleId};
use crate::item::{Item, ItemEdit, ItemType, LabelEdit};
use crate::label::same;
use crate::name::{exact_name_problem, text_problem};
use crate::refusal::{FieldErrors, Refusal};
use crate::workflow::Workflow;
use cron::Cron;

/// Most schedules of a project.
pub const MAX_SCHEDULES: usize = 20;
/// Longest name of a schedule, in characters.
pub const MAX_NAME: usize = 80;
/// Longest description in a template, in characters: all schedules of a project are one row.
pub const MAX_BODY: usize = 4_000;
/// What stands for the due time in the texts of items, in braces.
const PLACEHOLDERS: [&str; 3] = ["date", "time", "week"];
/// For how long firings are recorded.
pub const FIRINGS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);

/// A recurring schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// Id.
    pub id: ScheduleId,
    /// Changes by people so far, its creation included.
    pub version: u64,
    /// Name.
    pub name: String,
    /// Cron expression of five fields.
    pub cron: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Playbook of the runs.
    pub playbook: PlaybookId,
    /// Agent of the runs; the project's default when absent.
    #[serde(default)]
    pub agent: Option<AgentId>,
    /// The only runner that takes them.
    #[serde(default)]
    pub runner: Option<RunnerId>,
    /// Harness of the runs; the playbook's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// What its items are.
    pub item: ItemTemplate,
    /// Who saved it last: its runs are started with the rights that this person has then.
    pub by: Actor,
    /// When it is due next; `None` while it is paused.
    #[serde(default)]
    pub due: Option<Timestamp>,
    /// Why it paused by itself.
    #[serde(default)]
    pub paused_because: Option<String>,
    /// The item that it made last.
    #[serde(default)]
    pub last_item: Option<ItemKey>,
    /// Why its last firing made none; absent too where an older version fired it.
    #[serde(default)]
    pub last_skipped: Option<String>,
}

/// What the items of a schedule are. `{date}`, `{time}` and `{week}` stand for the due time in the schedule's time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemTemplate {
    /// Type.
    pub item_type: ItemType,
    /// Title.
    pub title: String,
    /// Description, Markdown.
    pub body: String,
    /// Labels.
    pub labels: Vec<String>,
}

/// The schedules of a project, in the order they were made. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schedules(pub Vec<Schedule>);

/// What a schedule did at a due time, or when a person fired it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Firing {
    /// The schedule.
    pub schedule: ScheduleId,
    /// The due time, or when a person fired it.
    pub at: Timestamp,
    /// The first due time that passed without a firing before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_since: Option<Timestamp>,
    /// Who fired it by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// What came of it.
    pub outcome: Outcome,
}

impl Outcome {
    /// Why nothing was made.
    pub fn skipped(&self) -> Option<&str> {
        match self {
            Self::Started { .. } => None,
            Self::Skipped { reason } => Some(reason),
        }
    }
}

/// What came of a firing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// An item was made and a run of it queued.
    Started {
        /// The item.
        item: ItemKey,
        /// The run.
        run: RunId,
    },
    /// Nothing was made.
    Skipped {
        /// Why, in a sentence.
        reason: String,
    },
}

/// A schedule that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The due time that fires.
    pub at: Timestamp,
    /// The first due time that is passed over.
    pub missed_since: Option<Timestamp>,
    /// The next due time.
    pub next: Option<Timestamp>,
}

impl Schedules {
    /// The schedule of an id.
    pub fn find(&self, id: ScheduleId) -> Option<&Schedule> {
        self.0.iter().find(|schedule| schedule.id == id)
    }

    /// Adds a schedule, or puts one in the place of that with its id. Schedules of one name from before that was refused
    /// stay, and change as long as they keep it.
    ///
    /// # Errors
    /// [`Refusal::AlreadyExists`] for the name of another one, whatever its case; [`Refusal::Conflict`] for one too many.
    pub fn put(&mut self, schedule: Schedule) -> Result<(), Refusal> {
        let full = self.0.len() >= MAX_SCHEDULES;
        let named_so = |known: &&Schedule| same(&known.name, &schedule.name);
        let keeps_its_name = self.find(schedule.id).filter(named_so).is_some();
        if !keeps_its_name && self.0.iter().any(|known| named_so(&known) && known.id != schedule.id) {
            return Err(Refusal::AlreadyExists("a schedule with this name"));
        }
        match self.0.iter_mut().find(|known| known.id == schedule.id) {
            Some(known) => *known = schedule,
            None if full => {
                return Err(Refusal::Conflict(
                    "the project already has 20 schedules, which is the limit; delete one first",
                ));
            }
            None => self.0.push(schedule),
        }
        Ok(())
    }

    /// Takes a schedule out.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn remove(&mut self, id: ScheduleId) -> Result<Schedule, Refusal> {
        let place = self.0.iter().position(|schedule| schedule.id == id).ok_or(Refusal::NotFound)?;
        Ok(self.0.remove(place))
    }

    /// Puts another label in the place of one that was renamed; answers whether a template has it.
    pub fn rename_label(&mut self, from: &str, to: &str) -> bool {
        let mut renamed = false;
        for schedule in &mut self.0 {
            for label in schedule.item.labels.iter_mut().filter(|label| same(label, from) && *label != to) {
                to.clone_into(label);
                renamed = true;
            }
        }
        renamed
    }
}

impl Schedule {
    /// Its due times.
    ///
    /// # Errors
    /// What is wrong with the expression or the time zone.
    pub fn times(&self) -> Result<Cron, FieldErrors> {
        Cron::accepted(&self.cron, &self.time_zone)
    }

    /// Whether its fields are acceptable in place of those that it had. The time zone comes out as the database writes it.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn checked(
        mut self,
        before: Option<&Self>,
        project: &ProjectKey,
        workflow: &Workflow,
        now: Timestamp,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        let is_new_title = before.is_none_or(|before| before.item.title != self.item.title);
        if is_new_title && let Some(unknown) = unknown_placeholder(&self.item.title) {
            errors.add(
                "title",
                format!("{{{unknown}}} is not a placeholder. Use {{date}}, {{time}} or {{week}}."),
            );
        }
        if let Some(problem) = text_problem("The description of a template", &self.item.body, MAX_BODY) {
            errors.add("body", problem);
        }
        let times = if before.is_some_and(|before| self.is_due_like(before)) {
            self.times()
        } else {
            Cron::parse(&self.cron, &self.time_zone)
        };
        match times {
            Ok(times) => {
                let key = ItemKey { project: project.clone(), number: 0 };
                let made = self.item.make(key, workflow, &self.by, &times, (now, now));
                errors.0.extend(made.err().unwrap_or_default().0);
            }
            Err(wrong) => errors.0.extend(wrong.0),
        }
        if let Ok(name) = cron::zone_name(&self.time_zone) {
            self.time_zone = name;
        }
        errors.into_result().map(|()| self)
    }

    /// Whether it is due whenever another one is.
    pub fn is_due_like(&self, other: &Self) -> bool {
        (&self.cron, &self.time_zone) == (&other.cron, &other.time_zone)
    }

    /// Which due time fires now, if one does.
    ///
    /// # Errors
    /// What is wrong with the expression or the time zone.
    pub fn due_by(&self, now: Timestamp) -> Result<Option<Due>, FieldErrors> {
        let Some(first) = self.due.filter(|due| *due <= now) else { return Ok(None) };
        let times = self.times()?;
        let at = times.latest(first, now);
        Ok(Some(Due { at, missed_since: (at > first).then_some(first), next: times.next_after(now) }))
    }
}

impl ItemTemplate {
    /// The item that is made for a due time and at another, in the workflow's first state.
    ///
    /// # Errors
    /// Every field that is not acceptable.
    pub fn make(
        &self,
        key: ItemKey,
        workflow: &Workflow,
        by: &Actor,
        times: &Cron,
        (due, now): (Timestamp, Timestamp),
    ) -> Result<Item, FieldErrors> {
        if self.item_type == ItemType::Subtask {
            return Err(FieldErrors::one(
                "type",
                "A subtask needs a parent, which a schedule cannot give. Choose another type.",
            ));
        }
        let state = workflow.first();
        let mut item = Item::new(key, self.item_type, String::new(), state.name.clone(), by.clone(), now);
        item.enter(&state.name, state.group, now);
        let edit = ItemEdit {
            title: Some(filled(&self.title, times, due)),
            body: Some(filled(&self.body, times, due)),
            labels: LabelEdit::Replace(self.labels.clone()),
            ..ItemEdit::default()
        };
        item.edit(edit, by)?;
        Ok(item)
    }
}

/// A text with the due time in place of `{date}`, `{time}` and `{week}`.
fn filled(text: &str, times: &Cron, at: Timestamp) -> String {
    let local = times.local(at);
    let week = local.date().iso_week_date();
    text.replace("{date}", &local.date().to_string())
        .replace("{time}", &format!("{:02}:{:02}", local.hour(), local.minute()))
        .replace("{week}", &format!("{}-W{:02}", week.year(), week.week()))
}

/// The first word in braces that a title has and that stands for nothing.
fn unknown_placeholder(title: &str) -> Option<&str> {
    let is_word = |text: &&str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    let words = title.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    words.filter(is_word).find(|word| !PLACEHOLDERS.contains(word))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Due, ItemTemplate, MAX_SCHEDULES, Schedule, Schedules};
    use crate::ids::{Actor, ActorId, PlaybookId, ScheduleId, UserId};
    use crate::item::ItemType;
    use crate::refusal::Refusal;
    use crate::workflow::Workflow;

    fn schedule(n: u128) -> Schedule {
        Schedule {
            id: ScheduleId(Uuid::from_u128(n)),
            version: 1,
            name: format!("Nightly {n}"),
            cron: "0 2 * * *".into(),
            time_zone: "europe/berlin".into(),
            playbook: PlaybookId(Uuid::from_u128(30)),
            agent: None,
            runner: None,
            harness: None,
            item: ItemTemplate {
                item_type: ItemType::Task,
                title: "Dependencies of {date}".into(),
                body: "{week}, {time}, {other}".into(),
                labels: vec!["Auto".into()],
            },
            by: Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() },
            due: Some("2026-03-01T01:00:00Z".parse().unwrap()),
            paused_because: None,
            last_item: None,
            last_skipped: None,
        }
    }

    fn at(text: &str) -> jiff::Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_last_of_several_due_times_fires() {
        let due = |now: &str| schedule(1).due_by(at(now)).unwrap();
        let first = at("2026-03-01T01:00:00Z");
        assert_eq!(due("2026-03-01T00:59:59Z"), None);
        let next = Some(at("2026-03-02T01:00:00Z"));
        assert_eq!(due("2026-03-01T01:00:00Z"), Some(Due { at: first, missed_since: None, next }));
        let next = Some(at("2026-03-05T01:00:00Z"));
        let late = Due { at: at("2026-03-04T01:00:00Z"), missed_since: Some(first), next };
        assert_eq!(due("2026-03-04T09:00:00Z"), Some(late));
        assert_eq!(Schedule { due: None, ..schedule(1) }.due_by(at("2026-03-04T09:00:00Z")), Ok(None));
    }

    #[test]
    fn a_template_knows_the_due_time() {
        let (schedule, workflow) = (schedule(1), Workflow::default());
        let times = schedule.times().unwrap();
        let key = "PRJ-7".parse().unwrap();
        let due = at("2026-03-01T23:00:00Z");
        let item = schedule.item.make(key, &workflow, &schedule.by, &times, (due, due)).unwrap();
        assert_eq!(
            (item.title.as_str(), item.body.as_str(), item.state.as_str()),
            ("Dependencies of 2026-03-02", "2026-W10, 00:00, {other}", "Backlog")
        );
        assert!(item.labels.contains("Auto"));
    }

    #[test]
    fn every_field_that_is_wrong_is_named() {
        let (workflow, project) = (Workflow::default(), "PRJ".parse().unwrap());
        let now = at("2026-03-01T23:00:00Z");
        assert_eq!(schedule(1).checked(None, &project, &workflow, now).unwrap().time_zone, "Europe/Berlin");
        let wrong = Schedule { name: " x".into(), cron: "x".into(), time_zone: "Mars".into(), ..schedule(1) };
        let errors = wrong.checked(None, &project, &workflow, now).unwrap_err();
        assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["cron", "name", "timeZone"]);
        let mut wrong = schedule(1);
        wrong.item = ItemTemplate {
            title: " ".into(),
            body: "b".repeat(4_001),
            labels: vec!["a,b".into()],
            ..wrong.item
        };
        let errors = wrong.clone().checked(None, &project, &workflow, now).unwrap_err();
        assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["body", "labels", "title"]);
        wrong.item.item_type = ItemType::Subtask;
        assert!(wrong.checked(None, &project, &workflow, now).unwrap_err().0.contains_key("type"));
    }

    #[test]
    fn labels_are_followed_and_there_is_an_end_of_schedules() {
        let mut all = Schedules::default();
        for n in 0..MAX_SCHEDULES {
            all.put(schedule(n as u128)).unwrap();
        }
        assert!(all.put(schedule(99)).is_err());
        assert!(all.rename_label("auto", "Robot") && !all.rename_label("auto", "Robot"));
        assert_eq!(all.find(schedule(3).id).unwrap().item.labels, ["Robot"]);
        let twin = Schedule { name: "NIGHTLY 4".into(), ..schedule(3) };
        assert!(matches!(all.put(twin), Err(Refusal::AlreadyExists(_))));
        // Two of one name, from before that was refused.
        all.0[5].name = "Nightly 4".into();
        let twin = Schedule { version: 2, ..all.0[5].clone() };
        all.put(twin).unwrap();
        assert_eq!(all.0[5].version, 2);
        all.remove(schedule(3).id).unwrap();
        assert_eq!(all.remove(schedule(3).id), Err(Refusal::NotFound));
    }
}
