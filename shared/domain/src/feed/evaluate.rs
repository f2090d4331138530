//! Which items a filter matches: a set per term.

use std::collections::BTreeMap;
use std::ops::Bound;

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use roaring::RoaringBitmap;
use uuid::Uuid;

use super::entry::FeedEntry;
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
    /// By slot.
    pub(super) entries: &'a [Option<Box<FeedEntry>>],
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
            Condition::Created(choices) => {
                self.times(&facets.created, choices, |entry| Some(entry.created_at))
            }
            Condition::Updated(choices) => {
                self.times(&facets.updated, choices, |entry| Some(entry.updated_at))
            }
            Condition::Resolved(choices) => self.times(&facets.resolved, choices, |entry| entry.resolved_at),
            Condition::Watching => Slots::Made(self.numbered(context.watched)),
            Condition::Text(texts) => Slots::any(texts.iter().map(|text| self.with_text(text))),
            Condition::Title(texts) => Slots::any(texts.iter().map(|text| self.with_title(text))),
            Condition::Commented(choices) => Slots::any(choices.iter().map(|choice| self.commented(choice))),
            Condition::Project(keys) if keys.contains(self.project) => Slots::Known(&facets.all),
            Condition::Project(_) => Slots::Made(RoaringBitmap::new()),
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

    /// Slots of the items that have all words of a text in their title.
    fn with_title(&self, text: &str) -> Slots<'a> {
        let words = Words::of(text);
        if words.is_empty() { Slots::Known(&self.facets.all) } else { Slots::Titles(self.text, words) }
    }

    /// Slots of the items on which somebody commented where who asks sees it.
    fn commented(&self, choice: &PersonChoice) -> Slots<'a> {
        let (facets, me) = (self.facets, self.context.me);
        let by = |choice: &PersonChoice| {
            let seen =
                [Some(&facets.commented), self.context.factory.then_some(&facets.commented_in_factory)];
            Slots::any(seen.into_iter().flatten().flat_map(|facet| facets.people(facet, choice, me)))
        };
        match choice {
            PersonChoice::None => Slots::without(by(&PersonChoice::Any)),
            choice => by(choice),
        }
    }

    /// Slots of the items of which a time is in any of these days. Sets are by days in UTC: of those days that are partly
    /// others where who asks is, the times are looked at.
    fn times(
        &self,
        facet: &'a Facet<Date>,
        choices: &[DayChoice],
        time: impl Fn(&FeedEntry) -> Option<Timestamp>,
    ) -> Slots<'a> {
        let when = |slot: u32| self.entries.get(slot as usize).and_then(Option::as_deref).and_then(&time);
        let span = |from: Option<Timestamp>, to: Option<Timestamp>| {
            let within = |at: Timestamp| from.is_none_or(|from| at >= from) && to.is_none_or(|to| at < to);
            let (first, last) = (from.map_or(Date::MIN, utc_day), to.map_or(Date::MAX, utc_day));
            let days = if first > last { None } else { Some(facet.range(first..=last)) };
            let of = |(day, set): (&Date, &'a RoaringBitmap)| match is_whole(*day, within) {
                true => Slots::Known(set),
                false => Slots::Made(set.iter().filter(|slot| when(*slot).is_some_and(within)).collect()),
            };
            Slots::any(days.into_iter().flatten().map(of))
        };
        Slots::any(choices.iter().map(|choice| match (choice, choice.comparison()) {
            (_, Some(Comparison { operator, value })) => {
                let day = value.on(self.context.today());
                let start = self.context.start_of(day);
                let end = day.tomorrow().ok().and_then(|next| self.context.start_of(next));
                match operator {
                    Operator::Equal => span(start, end),
                    Operator::Less => span(None, start),
                    Operator::LessOrEqual => span(None, end),
                    Operator::GreaterOrEqual => span(start, None),
                    // Nothing is behind the last day.
                    Operator::Greater => {
                        end.map_or_else(|| Slots::Made(RoaringBitmap::new()), |end| span(Some(end), None))
                    }
                }
            }
            (DayChoice::None, None) => without(facet.present()),
            (_, None) => Slots::Known(facet.present()),
        }))
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
            PersonChoice::Address(_) => Vec::new(),
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
            DayChoice::Compare(Comparison { operator, value })
            | DayChoice::Ago(Comparison { operator, value }) => {
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
            ClaimChoice::Address(_) => Vec::new(),
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

/// The person or agent with this id: the filter does not tell them apart.
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

fn utc_day(time: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(time).date()
}

/// Whether all times of a day in UTC are within a span.
fn is_whole(day: Date, within: impl Fn(Timestamp) -> bool) -> bool {
    let start = TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0));
    let end = TimeZone::UTC.to_timestamp(day.at(23, 59, 59, 999_999_999));
    start.is_ok_and(&within) && end.is_ok_and(within)
}

/// Every slot in use but these.
fn without(set: &RoaringBitmap) -> Slots<'_> {
    Slots::without(Slots::Known(set))
}

fn borrowed(set: Option<&RoaringBitmap>) -> Option<Slots<'_>> {
    set.map(Slots::Known)
}
