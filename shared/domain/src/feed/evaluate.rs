//! Which items a filter matches: a set per term.

use std::collections::BTreeMap;
use std::ops::Bound;

use jiff::civil::Date;
use roaring::RoaringBitmap;
use uuid::Uuid;

use super::facets::{Facet, Facets};
use super::request::FilterContext;
use super::sets::Slots;
use super::text::{TextIndex, Words, fold};
use crate::filter::{
    ClaimChoice, Clause, Comparison, Condition, DayChoice, Filter, MilestoneChoice, Number, NumberChoice,
    Operator, ParentChoice, PersonChoice, SprintChoice, Thing,
};
use crate::ids::{ActorId, AgentId, ProjectKey, UserId};
use crate::item::Priority;
use crate::label::composed;
use crate::workflow::{StateGroup, Workflow};

/// What a filter is asked of.
pub(super) struct Asked<'a> {
    pub(super) facets: &'a Facets,
    pub(super) text: &'a TextIndex,
    /// Slot by number.
    pub(super) slots: &'a BTreeMap<u64, u32>,
    pub(super) project: &'a ProjectKey,
    pub(super) context: FilterContext<'a>,
}

impl<'a> Asked<'a> {
    /// Slots of the items that a filter matches.
    pub(super) fn hits(&self, filter: &Filter) -> Slots<'a> {
        let clauses = filter.clauses().iter().map(|clause| {
            let (negated, set) = match clause {
                Clause::Term(term) => (term.negated, self.meeting(&term.condition)),
                Clause::Group { negated, any } => {
                    (*negated, Slots::any(any.iter().map(|filter| self.hits(filter))))
                }
            };
            if negated { Slots::without(set) } else { set }
        });
        Slots::Every(clauses.collect())
    }

    /// Slots of the items that meet a condition.
    fn meeting(&self, condition: &Condition) -> Slots<'a> {
        let (facets, context) = (self.facets, &self.context);
        match condition {
            Condition::State(names) => {
                Slots::any(names.iter().flat_map(|name| facets.states(name, context.workflow)))
            }
            Condition::Type(types) => {
                Slots::any(types.iter().filter_map(|kind| borrowed(facets.item_type.get(kind))))
            }
            Condition::Priority(choices) => {
                Slots::any(choices.iter().flat_map(|choice| within::<Priority>(&facets.priority, choice)))
            }
            Condition::Assignee(choices) => Slots::any(
                choices.iter().flat_map(|choice| facets.people(&facets.assignee, choice, context.me)),
            ),
            Condition::Creator(choices) => Slots::any(
                choices.iter().flat_map(|choice| facets.people(&facets.creator, choice, context.me)),
            ),
            Condition::Label(choices) => {
                Slots::any(choices.iter().filter_map(|labels| facets.labelled(labels)))
            }
            Condition::Sprint(choices) => {
                Slots::any(choices.iter().flat_map(|choice| facets.planned(choice, context)))
            }
            Condition::Milestone(choices) => {
                Slots::any(choices.iter().flat_map(|choice| facets.in_milestone(choice, context)))
            }
            Condition::Blocked(true) => Slots::Known(&facets.blocked),
            Condition::Blocked(false) => without(&facets.blocked),
            Condition::Estimate(choices) => facets.numbers(&facets.estimate, choices),
            Condition::Remaining(choices) => facets.numbers(&facets.remaining, choices),
            Condition::Claimed(choices) => {
                Slots::any(choices.iter().flat_map(|choice| facets.claims(choice, context)))
            }
            Condition::Parent(choices) => Slots::any(choices.iter().filter_map(|choice| match choice {
                ParentChoice::None => Some(without(facets.parent.present())),
                ParentChoice::Key(key) => borrowed(facets.parent.get(key)),
            })),
            Condition::Due(choices) => facets.days(&facets.due, choices, context),
            Condition::Created(choices) => facets.days(&facets.created, choices, context),
            Condition::Updated(choices) => facets.days(&facets.updated, choices, context),
            Condition::Resolved(choices) => facets.days(&facets.resolved, choices, context),
            Condition::Watching => Slots::Made(self.numbered(context.watched)),
            Condition::Text(texts) => Slots::any(texts.iter().map(|text| self.with_text(text))),
            Condition::Has(things) => Slots::any(things.iter().map(|thing| self.having(*thing))),
        }
    }

    /// Slots of the items of these numbers.
    fn numbered(&self, numbers: &[u64]) -> RoaringBitmap {
        numbers.iter().filter_map(|number| self.slots.get(number)).copied().collect()
    }

    /// Slots of the items that have all words of a text.
    fn with_text(&self, text: &str) -> Slots<'a> {
        let words = Words::of(text);
        if words.is_empty() {
            return Slots::Known(&self.facets.all);
        }
        let described = self.context.texts.iter().find(|(known, _)| known == text);
        let described = self.numbered(described.map(|(_, numbers)| numbers.as_slice()).unwrap_or_default());
        Slots::any([Slots::Texts(self.text, words), Slots::Made(described)])
    }

    /// Slots of the items that have something.
    fn having(&self, thing: Thing) -> Slots<'a> {
        let facets = self.facets;
        Slots::Known(match thing {
            Thing::Assignee => facets.assignee.present(),
            Thing::Claim => facets.claimed.present(),
            Thing::Due => facets.due.present(),
            Thing::Estimate => facets.estimate.present(),
            Thing::Label => facets.label.present(),
            Thing::Link => &facets.linked,
            Thing::Milestone => facets.milestone.present(),
            Thing::Parent => facets.parent.present(),
            Thing::Remaining => facets.remaining.present(),
            Thing::Run => &facets.running,
            Thing::Sprint => facets.sprint.present(),
            Thing::Subtasks => return Slots::Made(self.parents()),
        })
    }

    /// Slots of the items that others belong to.
    fn parents(&self) -> RoaringBitmap {
        let parents = self.facets.parent.range(..).map(|(key, _)| key);
        let numbers: Vec<u64> =
            parents.filter(|key| key.project == *self.project).map(|key| key.number).collect();
        self.numbered(&numbers)
    }
}

impl Facets {
    /// The state of this name, and the states of the group of this name.
    fn states(&self, name: &str, workflow: &Workflow) -> Vec<Slots<'_>> {
        let name = fold(name);
        let group: Option<StateGroup> = name.parse().ok();
        let members = workflow.states.iter().filter(|state| Some(state.group) == group);
        let names = members.map(|state| fold(&state.name)).filter(|member| *member != name);
        let mut sets: Vec<_> = names.filter_map(|member| borrowed(self.state.get(&member))).collect();
        sets.extend(borrowed(self.state.get(&name)));
        sets
    }

    fn labelled(&self, labels: &[String]) -> Option<Slots<'_>> {
        let sets = labels.iter().map(|label| borrowed(self.label.get(&fold(&composed(label)))));
        sets.collect::<Option<_>>().map(Slots::Every)
    }

    fn people<'a>(
        &'a self,
        facet: &'a Facet<ActorId>,
        choice: &PersonChoice,
        me: Option<ActorId>,
    ) -> Vec<Slots<'a>> {
        match choice {
            PersonChoice::Any => vec![Slots::Known(facet.present())],
            PersonChoice::None => vec![without(facet.present())],
            PersonChoice::Me => held(facet, me),
            PersonChoice::Id(id) => held(facet, actors(*id)),
            PersonChoice::Named(name) => held(facet, self.called(name)),
        }
    }

    fn days<'a>(
        &'a self,
        facet: &'a Facet<Date>,
        choices: &[DayChoice],
        context: &FilterContext<'_>,
    ) -> Slots<'a> {
        Slots::any(choices.iter().flat_map(|choice| match choice {
            DayChoice::Any => vec![Slots::Known(facet.present())],
            DayChoice::None => vec![without(facet.present())],
            DayChoice::Compare(Comparison { operator, value }) => {
                let value = value.on(context.today());
                within(facet, &Comparison { operator: *operator, value }).collect()
            }
        }))
    }

    fn claims(&self, choice: &ClaimChoice, context: &FilterContext<'_>) -> Vec<Slots<'_>> {
        let fresh = || {
            let stale = Slots::Made(self.stale(context.stale_before()));
            Slots::Every(vec![Slots::Known(self.claimed.present()), Slots::without(stale)])
        };
        match choice {
            ClaimChoice::Any => vec![fresh()],
            ClaimChoice::None => vec![Slots::without(fresh())],
            ClaimChoice::Me => held(&self.claimed, context.me),
            ClaimChoice::Agent => {
                let holders = self.claimed.range(..);
                holders.filter(|(holder, _)| holder.is_agent()).map(|(_, set)| Slots::Known(set)).collect()
            }
            ClaimChoice::Id(id) => held(&self.claimed, actors(*id)),
            ClaimChoice::Named(name) => held(&self.claimed, self.called(name)),
        }
    }

    fn planned(&self, choice: &SprintChoice, context: &FilterContext<'_>) -> Vec<Slots<'_>> {
        let of = |id: &String| borrowed(self.sprint.get(id));
        match choice {
            SprintChoice::Any => vec![Slots::Known(self.sprint.present())],
            SprintChoice::None => vec![without(self.sprint.present())],
            SprintChoice::Current => context.current_sprints.iter().filter_map(of).collect(),
            SprintChoice::Id(wanted) => {
                let named = context.named_sprints.iter().filter(|(name, _)| name == wanted);
                named.map(|(_, id)| id).chain([wanted]).filter_map(of).collect()
            }
        }
    }

    fn in_milestone(&self, choice: &MilestoneChoice, context: &FilterContext<'_>) -> Vec<Slots<'_>> {
        match choice {
            MilestoneChoice::Any => vec![Slots::Known(self.milestone.present())],
            MilestoneChoice::None => vec![without(self.milestone.present())],
            MilestoneChoice::Id(id) => borrowed(self.milestone.get(id)).into_iter().collect(),
            MilestoneChoice::Named(wanted) => {
                let named = context.named_milestones.iter().filter(|(name, _)| name == wanted);
                named.filter_map(|(_, id)| borrowed(self.milestone.get(id))).collect()
            }
        }
    }

    fn numbers<'a>(&'a self, facet: &'a Facet<Number>, choices: &[NumberChoice]) -> Slots<'a> {
        Slots::any(choices.iter().flat_map(|choice| match choice {
            NumberChoice::Any => vec![Slots::Known(facet.present())],
            NumberChoice::None => vec![without(facet.present())],
            NumberChoice::Compare(comparison) => within(facet, comparison).collect(),
        }))
    }
}

/// Whoever has this id: the filter does not tell people from agents.
fn actors(id: Uuid) -> [ActorId; 2] {
    [ActorId::User(UserId(id)), ActorId::Agent(AgentId(id))]
}

fn held(facet: &Facet<ActorId>, holders: impl IntoIterator<Item = ActorId>) -> Vec<Slots<'_>> {
    holders.into_iter().filter_map(|holder| borrowed(facet.get(&holder))).collect()
}

fn within<'a, K: Ord + Copy>(
    facet: &'a Facet<K>,
    comparison: &Comparison<K>,
) -> impl Iterator<Item = Slots<'a>> + use<'a, K> {
    let value = comparison.value;
    let bounds = match comparison.operator {
        Operator::Equal => (Bound::Included(value), Bound::Included(value)),
        Operator::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Operator::GreaterOrEqual => (Bound::Included(value), Bound::Unbounded),
        Operator::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Operator::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
    };
    facet.range(bounds).map(|(_, set)| Slots::Known(set))
}

/// Every slot in use but these.
fn without(set: &RoaringBitmap) -> Slots<'_> {
    Slots::without(Slots::Known(set))
}

fn borrowed(set: Option<&RoaringBitmap>) -> Option<Slots<'_>> {
    set.map(Slots::Known)
}
