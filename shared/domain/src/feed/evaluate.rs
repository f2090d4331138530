//! Which items a filter matches: one set per term, then the sets against each other.

use std::borrow::Cow;
use std::ops::Bound;

use roaring::{MultiOps, RoaringBitmap};
use uuid::Uuid;

use super::facets::{Facet, Facets};
use super::request::FilterContext;
use super::text::fold;
use crate::filter::{
    ClaimChoice, Comparison, Condition, Filter, Number, NumberChoice, Operator, ParentChoice, PersonChoice,
    SprintChoice,
};
use crate::ids::{ActorId, AgentId, UserId};
use crate::item::Priority;
use crate::label::composed;
use crate::workflow::{StateGroup, Workflow};

/// A set of slots, borrowed where a facet has it already.
type Set<'a> = Cow<'a, RoaringBitmap>;

impl Facets {
    /// Slots of the items that a filter matches.
    pub(super) fn hits(&self, filter: &Filter, context: &FilterContext<'_>) -> RoaringBitmap {
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        for term in filter.terms() {
            let sets = if term.negated { &mut unwanted } else { &mut wanted };
            sets.push(self.meeting(&term.condition, context));
        }
        wanted.sort_by_cached_key(|set| set.len());
        let mut wanted = wanted.into_iter();
        let mut hits = wanted.next().map_or_else(|| self.all.clone(), Cow::into_owned);
        for set in wanted {
            hits &= &*set;
        }
        for set in unwanted {
            hits -= &*set;
        }
        hits
    }

    /// Slots of the items that meet a condition.
    fn meeting(&self, condition: &Condition, context: &FilterContext<'_>) -> Set<'_> {
        match condition {
            Condition::State(names) => {
                union(names.iter().flat_map(|name| self.states(name, context.workflow)))
            }
            Condition::Type(types) => {
                union(types.iter().filter_map(|kind| borrowed(self.item_type.get(kind))))
            }
            Condition::Priority(choices) => {
                union(choices.iter().flat_map(|choice| within::<Priority>(&self.priority, choice)))
            }
            Condition::Assignee(choices) => {
                union(choices.iter().flat_map(|choice| self.assigned(*choice, context.me)))
            }
            Condition::Label(choices) => union(choices.iter().filter_map(|labels| self.labelled(labels))),
            Condition::Sprint(choices) => {
                union(choices.iter().flat_map(|choice| self.planned(choice, context.current_sprints)))
            }
            Condition::Blocked(true) => Cow::Borrowed(&self.blocked),
            Condition::Blocked(false) => self.without(&self.blocked),
            Condition::Estimate(choices) => self.numbers(&self.estimate, choices),
            Condition::Remaining(choices) => self.numbers(&self.remaining, choices),
            Condition::Claimed(choices) => {
                union(choices.iter().flat_map(|choice| self.claims(*choice, context)))
            }
            Condition::Parent(choices) => union(choices.iter().filter_map(|choice| match choice {
                ParentChoice::None => Some(self.without(self.parent.present())),
                ParentChoice::Key(key) => borrowed(self.parent.get(key)),
            })),
        }
    }

    /// The state of this name, and the states of the group of this name.
    fn states(&self, name: &str, workflow: &Workflow) -> Vec<Set<'_>> {
        let name = fold(name);
        let group: Option<StateGroup> = name.parse().ok();
        let members = workflow.states.iter().filter(|state| Some(state.group) == group);
        let names = members.map(|state| fold(&state.name)).filter(|member| *member != name);
        let mut sets: Vec<_> = names.filter_map(|member| borrowed(self.state.get(&member))).collect();
        sets.extend(borrowed(self.state.get(&name)));
        sets
    }

    fn labelled(&self, labels: &[String]) -> Option<Set<'_>> {
        let mut all = labels.iter().map(|label| self.label.get(&fold(&composed(label))));
        let first = all.next()??;
        all.try_fold(Cow::Borrowed(first), |both, next| Some(Cow::Owned(&*both & next?)))
    }

    fn assigned(&self, choice: PersonChoice, me: Option<ActorId>) -> Vec<Set<'_>> {
        match choice {
            PersonChoice::Any => vec![Cow::Borrowed(self.assignee.present())],
            PersonChoice::None => vec![self.without(self.assignee.present())],
            PersonChoice::Me => held(&self.assignee, me),
            PersonChoice::Id(id) => held(&self.assignee, actors(id)),
        }
    }

    fn claims(&self, choice: ClaimChoice, context: &FilterContext<'_>) -> Vec<Set<'_>> {
        let fresh = || self.claimed.present() - self.stale(context.stale_before());
        match choice {
            ClaimChoice::Any => vec![Cow::Owned(fresh())],
            ClaimChoice::None => vec![self.without(&fresh())],
            ClaimChoice::Me => held(&self.claimed, context.me),
            ClaimChoice::Agent => {
                let holders = self.claimed.range(..);
                holders.filter(|(holder, _)| holder.is_agent()).map(|(_, set)| Cow::Borrowed(set)).collect()
            }
            ClaimChoice::Id(id) => held(&self.claimed, actors(id)),
        }
    }

    fn planned(&self, choice: &SprintChoice, current: &[String]) -> Vec<Set<'_>> {
        match choice {
            SprintChoice::Any => vec![Cow::Borrowed(self.sprint.present())],
            SprintChoice::None => vec![self.without(self.sprint.present())],
            SprintChoice::Current => current.iter().filter_map(|id| borrowed(self.sprint.get(id))).collect(),
            SprintChoice::Id(id) => borrowed(self.sprint.get(id)).into_iter().collect(),
        }
    }

    fn numbers<'a>(&'a self, facet: &'a Facet<Number>, choices: &[NumberChoice]) -> Set<'a> {
        union(choices.iter().flat_map(|choice| match choice {
            NumberChoice::Any => vec![Cow::Borrowed(facet.present())],
            NumberChoice::None => vec![self.without(facet.present())],
            NumberChoice::Compare(comparison) => within(facet, comparison).collect(),
        }))
    }

    /// Every slot but these.
    fn without(&self, set: &RoaringBitmap) -> Set<'_> {
        Cow::Owned(&self.all - set)
    }
}

/// Whoever has this id: the filter does not tell people from agents.
fn actors(id: Uuid) -> [ActorId; 2] {
    [ActorId::User(UserId(id)), ActorId::Agent(AgentId(id))]
}

fn held(facet: &Facet<ActorId>, holders: impl IntoIterator<Item = ActorId>) -> Vec<Set<'_>> {
    holders.into_iter().filter_map(|holder| borrowed(facet.get(&holder))).collect()
}

fn within<'a, K: Ord + Copy>(
    facet: &'a Facet<K>,
    comparison: &Comparison<K>,
) -> impl Iterator<Item = Set<'a>> + use<'a, K> {
    let value = comparison.value;
    let bounds = match comparison.operator {
        Operator::Equal => (Bound::Included(value), Bound::Included(value)),
        Operator::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Operator::GreaterOrEqual => (Bound::Included(value), Bound::Unbounded),
        Operator::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Operator::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
    };
    facet.range(bounds).map(|(_, set)| Cow::Borrowed(set))
}

fn borrowed(set: Option<&RoaringBitmap>) -> Option<Set<'_>> {
    set.map(Cow::Borrowed)
}

/// What is in any of the sets; borrowed where there is one only.
fn union<'a>(sets: impl IntoIterator<Item = Set<'a>>) -> Set<'a> {
    let mut sets: Vec<Set<'a>> = sets.into_iter().collect();
    match sets.len() {
        0 | 1 => sets.pop().unwrap_or_default(),
        _ => Cow::Owned(sets.iter().map(AsRef::as_ref).union()),
    }
}
