//! What a filter says in words that only an organization knows: addresses, names of people who comment, keys that items had
//! before they were moved.

use uuid::Uuid;

use super::ast::{ClaimChoice, Clause, Condition, DayChoice, Filter, ParentChoice, PersonChoice};
use super::day::Day;
use crate::ids::ItemKey;

impl Filter {
    /// The addresses of people that it names.
    pub fn addresses(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for term in self.terms() {
            match &term.condition {
                Condition::Assignee(people) | Condition::Creator(people) | Condition::Commented(people) => {
                    found.extend(people.iter().filter_map(|choice| match choice {
                        PersonChoice::Address(address) => Some(address.as_str()),
                        _ => None,
                    }));
                }
                Condition::Claimed(claims) => found.extend(claims.iter().filter_map(|choice| match choice {
                    ClaimChoice::Address(address) => Some(address.as_str()),
                    _ => None,
                })),
                _ => {}
            }
        }
        found
    }

    /// The names of people who commented.
    pub fn commenters(&self) -> Vec<&str> {
        let choices = self.terms().into_iter().flat_map(|term| match &term.condition {
            Condition::Commented(people) => people.as_slice(),
            _ => &[],
        });
        choices
            .filter_map(|choice| match choice {
                PersonChoice::Named(name) => Some(name.as_str()),
                _ => None,
            })
            .collect()
    }

    /// The keys of parents that it names.
    pub fn parents(&self) -> Vec<&ItemKey> {
        let choices = self.terms().into_iter().flat_map(|term| match &term.condition {
            Condition::Parent(parents) => parents.as_slice(),
            _ => &[],
        });
        choices
            .filter_map(|choice| match choice {
                ParentChoice::Key(key) => Some(key),
                ParentChoice::None => None,
            })
            .collect()
    }

    /// Whether it names days that are others in another time zone.
    pub fn depends_on_zone(&self) -> bool {
        let compared = |choices: &[DayChoice]| choices.iter().any(|choice| choice.comparison().is_some());
        // A due day is a date; which day today is depends on the place.
        let from_today = |choice: &DayChoice| {
            choice.comparison().is_some_and(|comparison| !matches!(comparison.value, Day::On(_)))
        };
        self.terms().into_iter().any(|term| match &term.condition {
            Condition::Due(choices) => choices.iter().any(from_today),
            Condition::Created(choices) | Condition::Updated(choices) | Condition::Resolved(choices) => {
                compared(choices)
            }
            _ => false,
        })
    }

    /// The same with the ids of those whose addresses, and of commenters whose names, these are. Others stay, and match
    /// nothing.
    #[must_use]
    pub fn with_people(mut self, id_of: &dyn Fn(&str) -> Vec<Uuid>) -> Self {
        self.each_condition(&mut |condition| match condition {
            Condition::Assignee(people) | Condition::Creator(people) => {
                replace(people, &|choice| match choice {
                    PersonChoice::Address(address) => ids(address, id_of, PersonChoice::Id),
                    _ => None,
                });
            }
            Condition::Commented(people) => replace(people, &|choice| match choice {
                PersonChoice::Address(name) | PersonChoice::Named(name) => ids(name, id_of, PersonChoice::Id),
                _ => None,
            }),
            Condition::Claimed(claims) => replace(claims, &|choice| match choice {
                ClaimChoice::Address(address) => ids(address, id_of, ClaimChoice::Id),
                _ => None,
            }),
            _ => {}
        });
        self
    }

    /// The same with the keys that parents have now, where they were moved.
    #[must_use]
    pub fn with_parents(mut self, key_now: &dyn Fn(&ItemKey) -> Option<ItemKey>) -> Self {
        self.each_condition(&mut |condition| {
            if let Condition::Parent(parents) = condition {
                replace(parents, &|choice| match choice {
                    ParentChoice::Key(key) => key_now(key).map(|now| vec![ParentChoice::Key(now)]),
                    ParentChoice::None => None,
                });
            }
        });
        self
    }

    fn each_condition(&mut self, change: &mut dyn FnMut(&mut Condition)) {
        for clause in &mut self.clauses {
            match clause {
                Clause::Term(term) => change(&mut term.condition),
                Clause::Group { any, .. } => any.iter_mut().for_each(|filter| filter.each_condition(change)),
            }
        }
    }
}

fn ids<T>(name: &str, id_of: &dyn Fn(&str) -> Vec<Uuid>, choice: impl Fn(Uuid) -> T) -> Option<Vec<T>> {
    let found = id_of(name);
    (!found.is_empty()).then(|| found.into_iter().map(choice).collect())
}

/// Puts what `by` answers in the place of each choice that it answers for.
fn replace<T: Clone>(choices: &mut Vec<T>, by: &dyn Fn(&T) -> Option<Vec<T>>) {
    *choices = choices.iter().flat_map(|choice| by(choice).unwrap_or_else(|| vec![choice.clone()])).collect();
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use crate::filter::Filter;

    #[test]
    fn people_and_parents_become_what_the_organization_knows() {
        let filter = "assignee:ada@example.org,bob@example.org (claimed:ada@example.org OR -(commented:Ada)) parent:OLD-1";
        let filter = Filter::parse(filter).unwrap();
        assert_eq!(filter.addresses(), ["ada@example.org", "bob@example.org", "ada@example.org"]);
        assert_eq!(filter.commenters(), ["Ada"]);
        assert_eq!(filter.parents().len(), 1);
        let known = |name: &str| match name {
            "Ada" | "ada@example.org" => vec![Uuid::from_u128(1)],
            _ => Vec::new(),
        };
        let now = |key: &crate::ids::ItemKey| (key.to_string() == "OLD-1").then(|| "NEW-2".parse().unwrap());
        let id = Uuid::from_u128(1);
        assert_eq!(
            filter.with_people(&known).with_parents(&now).to_string(),
            format!("assignee:{id},bob@example.org (claimed:{id} OR -(commented:{id})) parent:NEW-2")
        );
    }

    #[test]
    fn only_days_that_move_with_the_place_depend_on_it() {
        for (filter, depends) in [
            ("due:today", true),
            ("-(type:bug OR due:<=friday)", true),
            ("created:2026-01-31", true),
            ("updated:<7d", true),
            ("due:<2026-01-31", false),
            ("due:any resolved:none", false),
            ("type:bug", false),
        ] {
            assert_eq!(Filter::parse(filter).unwrap().depends_on_zone(), depends, "{filter}");
        }
    }
}
