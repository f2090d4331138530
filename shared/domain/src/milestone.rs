//! Milestones of a project: a goal with a day, and how far the items are that belong to it.
//!
//! | state  | edit | take an item | close   | reopen | delete |
//! |--------|------|--------------|---------|--------|--------|
//! | open   | yes  | yes          | closed  | stays  | yes¹   |
//! | closed | yes  | refused      | stays   | open   | yes¹   |
//!
//! 1. Its items stay, and leave it ([`crate::replacement`]).
//!
//! A closed milestone keeps its items, and its progress goes on following them. All milestones of a project are one
//! row, so that names are unique and an item names one that is there.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::due::due_problem;
use crate::feed::FeedEntry;
use crate::filter::check_findable;
use crate::ids::MilestoneId;
use crate::name::{exact_name_problem, text_problem};
use crate::named::{self, Named};
use crate::refusal::{FieldErrors, Refusal};
use crate::sprint::{Planned, Work};
use crate::word::word_enum;
use crate::workflow::{StateGroup, Workflow};

word_enum! {
    /// State of a milestone.
    MilestoneState {
        /// Items can be added to it.
        Open = "open",
        /// No more items can be added to it.
        Closed = "closed",
    }
}

/// A milestone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Milestone {
    /// Id.
    pub id: MilestoneId,
    /// Changes so far, its creation included.
    pub version: u64,
    /// Name, unique in the project whatever its case.
    pub name: String,
    /// What it is about, Markdown.
    pub description: String,
    /// The day by which its items should be done.
    pub due: Option<Date>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was closed; `None` while it is open.
    pub closed_at: Option<Timestamp>,
}

/// The milestones of a project, in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Milestones(pub Vec<Milestone>);

/// Most milestones of a project.
pub const MAX_MILESTONES: usize = 200;
/// Longest name, in characters.
pub const MAX_NAME: usize = 100;
/// Longest description, in characters.
pub const MAX_DESCRIPTION: usize = 1_000;

impl Named for Milestone {
    type Id = MilestoneId;

    fn id(&self) -> MilestoneId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Milestones {
    /// The milestone of an id.
    pub fn get(&self, id: MilestoneId) -> Option<&Milestone> {
        self.0.iter().find(|known| known.id == id)
    }

    /// The milestone of an id, or of a name whatever its case.
    pub fn find(&self, id_or_name: &str) -> Option<&Milestone> {
        named::find(&self.0, id_or_name)
    }

    /// The milestone that an item is to have, by id or name; one that it has already may be closed.
    ///
    /// # Errors
    /// Why an item cannot have it, in words for people.
    pub fn choose(&self, id_or_name: &str, has: Option<MilestoneId>) -> Result<MilestoneId, String> {
        match self.find(id_or_name) {
            Some(found) if found.closed_at.is_some() && has != Some(found.id) => {
                Err(format!("The milestone {:?} is closed. Reopen it first.", found.name))
            }
            Some(found) => Ok(found.id),
            None => {
                let open = self.0.iter().filter(|known| known.closed_at.is_none());
                let names: Vec<&str> = open.map(|known| known.name.as_str()).take(20).collect();
                let known = match names[..] {
                    [] => "The project has no open milestone.".to_owned(),
                    _ => format!("Open milestones are: {}.", names.join(", ")),
                };
                Err(format!("There is no milestone {id_or_name:?}. {known}"))
            }
        }
    }

    /// Adds a milestone, or puts one in the place of that with its id.
    ///
    /// # Errors
    /// [`Refusal::AlreadyExists`] for a name that another has; every field that is not acceptable.
    pub fn put(&mut self, milestone: Milestone) -> Result<(), Refusal> {
        milestone.check()?;
        check_findable(&milestone.name, self.get(milestone.id).map(|known| known.name.as_str()))?;
        named::put(&mut self.0, milestone, "a milestone with this name", MAX_MILESTONES, || {
            format!("A project has at most {MAX_MILESTONES} milestones. Delete one first.")
        })
    }

    /// Takes a milestone away.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn remove(&mut self, id: MilestoneId) -> Result<Milestone, Refusal> {
        let place = self.0.iter().position(|known| known.id == id).ok_or(Refusal::NotFound)?;
        Ok(self.0.remove(place))
    }
}

impl Milestone {
    /// Whether it is open or closed.
    pub const fn state(&self) -> MilestoneState {
        if self.closed_at.is_some() { MilestoneState::Closed } else { MilestoneState::Open }
    }

    fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if let Some(problem) = text_problem("A description", &self.description, MAX_DESCRIPTION) {
            errors.add("description", problem);
        }
        if let Some(problem) = self.due.and_then(due_problem) {
            errors.add("due", problem);
        }
        errors.into_result()
    }
}

/// Progress of the items of a milestone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How many items are in each group of states.
    pub groups: BTreeMap<StateGroup, u64>,
    /// What they are as work: a subtask counts as part of its item here, where both are in the milestone.
    pub work: Work,
}

impl Progress {
    /// That of these items.
    pub fn of<'a>(items: impl Iterator<Item = &'a FeedEntry>, workflow: &Workflow) -> Self {
        let mut groups = BTreeMap::new();
        let mut planned = Vec::new();
        for item in items {
            let group = workflow.group_of(&item.state).unwrap_or(StateGroup::Backlog);
            *groups.entry(group).or_default() += 1;
            planned.push(Planned::listed(item));
        }
        Self { groups, work: Work::of(&planned, workflow) }
    }

    /// How many items are in a group of states.
    pub fn count(&self, group: StateGroup) -> u64 {
        self.groups.get(&group).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MILESTONES, Milestone, Milestones};
    use crate::ids::MilestoneId;
    use crate::refusal::Refusal;
    use uuid::Uuid;

    fn milestone(n: u128, name: &str) -> Milestone {
        Milestone {
            id: MilestoneId(Uuid::from_u128(n)),
            version: 1,
            name: name.into(),
            description: String::new(),
            due: None,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            closed_at: None,
        }
    }

    #[test]
    fn names_are_unique_and_milestones_not_without_end() {
        let mut all = Milestones::default();
        all.put(milestone(1, "Beta")).unwrap();
        assert!(matches!(all.put(milestone(2, "BETA")), Err(Refusal::AlreadyExists(_))));
        all.put(milestone(1, "beta")).unwrap();
        for n in 2..=MAX_MILESTONES {
            all.put(milestone(n as u128, &format!("Number {n}"))).unwrap();
        }
        assert!(matches!(all.put(milestone(999, "One more")), Err(Refusal::Invalid(_))));
        all.remove(MilestoneId(Uuid::from_u128(2))).unwrap();
        assert_eq!(all.remove(MilestoneId(Uuid::from_u128(2))), Err(Refusal::NotFound));
    }

    #[test]
    fn an_item_gets_an_open_milestone_by_id_or_name_and_keeps_a_closed_one() {
        let closed = Milestone { closed_at: Some(jiff::Timestamp::UNIX_EPOCH), ..milestone(2, "Alpha") };
        let all = Milestones(vec![milestone(1, "Beta"), closed]);
        let (beta, alpha) = (all.0[0].id, all.0[1].id);
        assert_eq!(all.choose("bETA", None), Ok(beta));
        assert_eq!(all.choose(&beta.to_string(), None), Ok(beta));
        assert_eq!(all.choose("alpha", Some(alpha)), Ok(alpha));
        let why = |wanted| all.choose(wanted, None).unwrap_err();
        assert_eq!(why("alpha"), "The milestone \"Alpha\" is closed. Reopen it first.");
        assert_eq!(why("Gamma"), "There is no milestone \"Gamma\". Open milestones are: Beta.");
    }
}
