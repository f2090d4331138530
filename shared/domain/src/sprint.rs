//! Sprints of a team (specification sections 2.2 and 4.2): their life, and which of them are active.
//!
//! | state     | edit | plan an item | start   | complete  | delete |
//! |-----------|------|--------------|---------|-----------|--------|
//! | planned   | yes  | yes          | active¹ | refused   | yes²   |
//! | active    | yes  | yes          | refused | completed²| refused|
//! | completed | no   | no           | refused | refused   | refused|
//!
//! 1. A team has one active sprint at a time: the project's [`Register`] is a row of its own, and starting is
//!    a condition on it.
//! 2. The items move elsewhere: unfinished ones of a completed sprint where asked, all of a deleted one to the
//!    backlog.
//!
//! What is in a sprint is `work`, how that went day by day is `burndown`, and how it is shown is `board`.

mod board;
mod burndown;
mod work;

pub use board::{Card, Column, columns};
pub use burndown::{BurndownPoint, Fact, MAX_DAYS, burndown};
pub use work::{Planned, Work, is_finished};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::due::due_problem;
use crate::ids::{Actor, SprintId, TeamId};
use crate::name::{name_problem, text_problem};
use crate::refusal::{FieldErrors, Refusal};
use crate::word::word_enum;

word_enum! {
    /// Where a sprint is in its life.
    SprintState {
        /// Being filled.
        Planned = "planned",
        /// Being worked on.
        Active = "active",
        /// Over.
        Completed = "completed",
    }
}

/// A sprint. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sprint {
    /// Id.
    pub id: SprintId,
    /// The team that it belongs to.
    pub team: TeamId,
    /// Name.
    pub name: String,
    /// The goal.
    pub goal: String,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// How much work the team can do in it, in the unit of estimates.
    pub capacity: Option<f64>,
    /// Where it is in its life.
    pub state: SprintState,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// How it ended.
    pub completion: Option<Completion>,
}

/// How a sprint ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: Actor,
    /// The sprint that unfinished items move to; `None` for the backlog.
    pub unfinished_to: Option<SprintId>,
    /// What was in it at its end, before the unfinished items moved.
    pub work: Work,
}

/// What somebody does to a sprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Changes its name, goal or days.
    Edit,
    /// Plans an item into it, or out of it.
    Plan,
    /// Starts it.
    Start,
    /// Completes it.
    Complete,
    /// Deletes it.
    Delete,
}

/// Every event.
pub const EVENTS: [Event; 5] = [Event::Edit, Event::Plan, Event::Start, Event::Complete, Event::Delete];

/// The state after an event; a planned sprint that is deleted stays so until its row is gone.
///
/// # Errors
/// [`Refusal::Conflict`] with what may be done instead.
pub const fn step(state: SprintState, event: Event) -> Result<SprintState, Refusal> {
    match (state, event) {
        (SprintState::Planned, Event::Edit | Event::Plan | Event::Delete) => Ok(SprintState::Planned),
        (SprintState::Planned, Event::Start) => Ok(SprintState::Active),
        (SprintState::Planned, Event::Complete) => {
            Err(Refusal::Conflict("the sprint was not started; only an active sprint can be completed"))
        }
        (SprintState::Active, Event::Edit | Event::Plan) => Ok(SprintState::Active),
        (SprintState::Active, Event::Start) => Err(Refusal::Conflict("the sprint is already active")),
        (SprintState::Active, Event::Complete) => Ok(SprintState::Completed),
        (SprintState::Active, Event::Delete) => {
            Err(Refusal::Conflict("the sprint is active; complete it instead"))
        }
        (
            SprintState::Completed,
            Event::Edit | Event::Plan | Event::Start | Event::Complete | Event::Delete,
        ) => Err(Refusal::Conflict("the sprint is completed and cannot be changed")),
    }
}

/// Longest name of a sprint, in characters.
pub const MAX_NAME: usize = 100;
/// Longest goal of a sprint, in characters.
pub const MAX_GOAL: usize = 2_000;
/// Most days of a sprint.
pub const MAX_LENGTH: i64 = 366;
/// Most sprints of a project.
pub const MAX_SPRINTS: u64 = 5_000;

impl Sprint {
    /// Whether name, goal and days are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if let Some(problem) = text_problem("A goal", &self.goal, MAX_GOAL) {
            errors.add("goal", problem);
        }
        for (field, day) in [("start", self.start), ("end", self.end)] {
            if let Some(problem) = day.and_then(due_problem) {
                errors.add(field, problem);
            }
        }
        if self.start.zip(self.end).is_some_and(|(start, end)| end < start) {
            errors.add("end", "The last day must not be before the first.");
        }
        let days = |(start, end): (Date, Date)| end.duration_since(start).as_hours() / 24;
        if self.start.zip(self.end).map(days).is_some_and(|days| days >= MAX_LENGTH) {
            errors.add("end", format!("A sprint has at most {MAX_LENGTH} days."));
        }
        if self.capacity.is_some_and(|n| !n.is_finite() || !(0.0..=1_000_000.0).contains(&n)) {
            errors.add("capacity", "Give a number from 0 to 1,000,000.");
        }
        errors.into_result()
    }

    /// Whether this planned sprint comes before another: by first day, those without one last, then by age.
    pub fn comes_before(&self, other: &Self) -> Ordering {
        let place = |sprint: &Self| (sprint.start.is_none(), sprint.start, sprint.created_at, sprint.id);
        place(self).cmp(&place(other))
    }
}

/// Which sprints a project's teams have: how many, and the active ones. Absent while there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Register {
    /// By team.
    pub teams: BTreeMap<TeamId, TeamSprints>,
}

/// The sprints of one team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamSprints {
    /// How many are planned.
    pub planned: u64,
    /// The active one.
    pub active: Option<SprintId>,
    /// How many are completed.
    pub completed: u64,
}

impl Register {
    /// Ids of the active sprints, as items name them: what `sprint:current` means.
    pub fn current(&self) -> Vec<String> {
        self.teams.values().filter_map(|team| team.active).map(|id| id.to_string()).collect()
    }

    /// The sprints of a team.
    pub fn of(&self, team: TeamId) -> TeamSprints {
        self.teams.get(&team).copied().unwrap_or_default()
    }

    /// Takes in a planned sprint.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] when there are too many.
    pub fn plan(&mut self, team: TeamId) -> Result<(), Refusal> {
        let count = |team: &TeamSprints| team.planned + team.completed + u64::from(team.active.is_some());
        if self.teams.values().map(count).sum::<u64>() >= MAX_SPRINTS {
            return Err(Refusal::Conflict("a project has at most 5000 sprints"));
        }
        self.teams.entry(team).or_default().planned += 1;
        Ok(())
    }

    /// Takes out a planned sprint.
    pub fn delete(&mut self, team: TeamId) {
        let of_team = self.teams.entry(team).or_default();
        of_team.planned = of_team.planned.saturating_sub(1);
    }

    /// Makes a planned sprint its team's active one.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] when the team has one.
    pub fn start(&mut self, team: TeamId, sprint: SprintId) -> Result<(), Refusal> {
        let of_team = self.teams.entry(team).or_default();
        if of_team.active.is_some() {
            return Err(Refusal::Conflict("the team has an active sprint; complete that one first"));
        }
        of_team.active = Some(sprint);
        of_team.planned = of_team.planned.saturating_sub(1);
        Ok(())
    }

    /// Takes note that a team's active sprint is completed.
    pub fn complete(&mut self, team: TeamId) {
        let of_team = self.teams.entry(team).or_default();
        of_team.active = None;
        of_team.completed += 1;
    }

    /// Takes in a sprint that was completed elsewhere.
    pub fn add_completed(&mut self, team: TeamId) {
        self.teams.entry(team).or_default().completed += 1;
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{EVENTS, Register, Sprint, SprintState, step};
    use crate::ids::{SprintId, TeamId};

    fn sprint() -> Sprint {
        Sprint {
            id: SprintId(Uuid::from_u128(1)),
            team: TeamId(Uuid::from_u128(2)),
            name: "Sprint 1".into(),
            goal: String::new(),
            start: None,
            end: None,
            capacity: None,
            state: SprintState::Planned,
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
            started_at: None,
            completion: None,
        }
    }

    #[test]
    fn every_state_times_every_event() {
        let mut table = String::new();
        for state in SprintState::ALL {
            for event in EVENTS {
                let answer = match step(*state, event) {
                    Ok(next) => next.to_string(),
                    Err(refusal) => format!("refused: {refusal}"),
                };
                table += &format!("{:9} {:8} → {answer}\n", state.as_str(), format!("{event:?}"));
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_sprint_ends_on_the_day_it_begins_or_later() {
        let days = |start: &str, end: &str| Sprint {
            start: Some(start.parse().unwrap()),
            end: Some(end.parse().unwrap()),
            ..sprint()
        };
        assert!(days("2026-01-05", "2026-01-05").check().is_ok());
        let errors = Sprint { name: " ".into(), goal: "g".repeat(2_001), ..days("2026-01-05", "2026-01-04") };
        let errors = errors.check().unwrap_err();
        assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["end", "goal", "name"]);
        assert!(days("2026-01-01", "2027-01-01").check().is_ok());
        assert!(days("2026-01-01", "2027-01-02").check().is_err());
        assert!(Sprint { capacity: Some(-1.0), ..sprint() }.check().is_err());
    }

    #[test]
    fn the_next_sprint_is_the_one_that_begins_first() {
        let on = |day: Option<&str>, n| Sprint {
            start: day.map(|day| day.parse().unwrap()),
            id: SprintId(Uuid::from_u128(n)),
            ..sprint()
        };
        let mut sprints = [on(None, 1), on(Some("2026-02-01"), 2), on(Some("2026-01-01"), 3), on(None, 0)];
        sprints.sort_by(Sprint::comes_before);
        assert_eq!(sprints.map(|sprint| sprint.id.0.as_u128()), [3, 2, 0, 1]);
    }

    #[test]
    fn a_team_has_one_active_sprint_and_a_project_as_many_as_teams() {
        let (web, app) = (TeamId(Uuid::from_u128(1)), TeamId(Uuid::from_u128(2)));
        let id = |n| SprintId(Uuid::from_u128(n));
        let mut register = Register::default();
        for team in [web, web, app] {
            register.plan(team).unwrap();
        }
        register.start(web, id(1)).unwrap();
        assert!(register.start(web, id(2)).is_err());
        register.start(app, id(3)).unwrap();
        assert_eq!(register.current(), [id(1).to_string(), id(3).to_string()]);
        register.complete(web);
        assert_eq!(register.current(), [id(3).to_string()]);
        register.start(web, id(2)).unwrap();
        let of = |team| (register.of(team).planned, register.of(team).active, register.of(team).completed);
        assert_eq!(of(web), (0, Some(id(2)), 1));
        assert_eq!(of(TeamId(Uuid::from_u128(3))), (0, None, 0));
    }
}
