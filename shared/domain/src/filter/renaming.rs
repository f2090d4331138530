//! What becomes of a filter when a label, a state, a milestone or a sprint that it names gets another name.

use super::ast::{Clause, Condition, Filter, MilestoneChoice, SprintChoice};
use crate::label::same;

/// A new name, which takes the place of an old one whatever its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renaming<'a> {
    /// Of a label.
    Label {
        /// The old name.
        from: &'a str,
        /// The new one.
        to: &'a str,
    },
    /// Of a state.
    State {
        /// The old name.
        from: &'a str,
        /// The new one.
        to: &'a str,
    },
    /// Of a milestone.
    Milestone {
        /// The old name.
        from: &'a str,
        /// The new one.
        to: &'a str,
    },
    /// Of a sprint.
    Sprint {
        /// The old name.
        from: &'a str,
        /// The new one.
        to: &'a str,
    },
}

impl Filter {
    /// The filter with the new name; `None` where it does not name what is renamed.
    pub fn renamed(&self, renaming: Renaming<'_>) -> Option<Self> {
        let mut new = self.clone();
        new.rename(renaming).then_some(new)
    }

    fn rename(&mut self, renaming: Renaming<'_>) -> bool {
        let mut renamed = false;
        for clause in &mut self.clauses {
            match clause {
                Clause::Term(term) => renamed |= term.condition.rename(renaming),
                Clause::Group { any, .. } => {
                    for filter in any {
                        renamed |= filter.rename(renaming);
                    }
                }
            }
        }
        renamed
    }
}

impl Condition {
    fn rename(&mut self, renaming: Renaming<'_>) -> bool {
        let (names, from, to): (Vec<&mut String>, _, _) = match (self, renaming) {
            (Self::Label(choices), Renaming::Label { from, to }) => {
                (choices.iter_mut().flatten().collect(), from, to)
            }
            (Self::State(names), Renaming::State { from, to }) => (names.iter_mut().collect(), from, to),
            (Self::Milestone(choices), Renaming::Milestone { from, to }) => {
                let names = choices.iter_mut().filter_map(|choice| match choice {
                    MilestoneChoice::Named(name) => Some(name),
                    MilestoneChoice::Any | MilestoneChoice::None | MilestoneChoice::Id(_) => None,
                });
                (names.collect(), from, to)
            }
            (Self::Sprint(choices), Renaming::Sprint { from, to }) => {
                let names = choices.iter_mut().filter_map(|choice| match choice {
                    SprintChoice::Id(name) => Some(name),
                    SprintChoice::Any | SprintChoice::None | SprintChoice::Current => None,
                });
                (names.collect(), from, to)
            }
            _ => return false,
        };
        let mut renamed = false;
        for name in names.into_iter().filter(|name| same(name, from) && *name != to) {
            to.clone_into(name);
            renamed = true;
        }
        renamed
    }
}

#[cfg(test)]
mod tests {
    use super::Renaming;
    use crate::filter::Filter;

    #[test]
    fn labels_and_states_are_renamed_wherever_they_stand() {
        let label = Renaming::Label { from: "bug", to: "defect" };
        let state = Renaming::State { from: "Doing", to: "In progress" };
        let milestone = Renaming::Milestone { from: "First beta", to: "Beta" };
        let sprint = Renaming::Sprint { from: "S1", to: "Sprint 1" };
        for (renaming, filter, expected) in [
            (label, "label:Bug,ui -label:bug+x", Some("label:defect,ui -label:defect+x")),
            (label, "(type:bug OR -(label:BUG))", Some("(type:bug OR -(label:defect))")),
            (label, "type:bug state:bug label:bugs", None),
            (label, "label:defect", None),
            (state, "state:doing,resolved", Some("state:\"In progress\",resolved")),
            (state, "label:Doing", None),
            (
                milestone,
                "milestone:\"first beta\",none -milestone:other",
                Some("milestone:Beta,none -milestone:other"),
            ),
            (milestone, "sprint:\"First beta\"", None),
            (sprint, "(sprint:S1 OR sprint:current)", Some("(sprint:\"Sprint 1\" OR sprint:current)")),
        ] {
            let renamed = Filter::parse(filter).unwrap().renamed(renaming);
            assert_eq!(renamed.map(|filter| filter.to_string()).as_deref(), expected, "{filter}");
        }
    }
}
