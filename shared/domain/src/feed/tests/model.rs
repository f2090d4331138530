//! The feed as one would write it if time did not matter: a map, a scan and a sort.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::generate::project;
use crate::feed::{FeedEntry, FilterContext, ListRequest, Sort, SortKey};
use crate::filter::{
    ClaimChoice, Clause, Comparison, Condition, DayChoice, Filter, MilestoneChoice, Number, NumberChoice,
    Operator, ParentChoice, PersonChoice, SprintChoice, Thing,
};
use crate::ids::{Actor, ActorId, AgentId, UserId};
use crate::search::terms::fold_text;

/// The newest row of every number, gone or not.
#[derive(Default)]
pub(super) struct Model {
    rows: BTreeMap<u64, FeedEntry>,
}

impl Model {
    pub(super) fn apply(&mut self, row: &FeedEntry) {
        let heartbeat = |row: &FeedEntry| row.claim.as_ref().map(|claim| claim.heartbeat_at);
        let newer = self.rows.get(&row.number).is_none_or(|known| {
            let same = row.version == known.version && !known.deleted && heartbeat(row) >= heartbeat(known);
            row.version > known.version || same
        });
        if newer {
            self.rows.insert(row.number, row.clone());
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.values().filter(|row| !row.deleted).count()
    }

    /// The total, and the numbers of the page.
    pub(super) fn query(&self, request: &ListRequest<'_>) -> (u64, Vec<u64>) {
        let mut hits: Vec<&FeedEntry> =
            self.rows.values().filter(|row| !row.deleted && self.matches(row, request)).collect();
        hits.sort_by(|a, b| compare(a, b, request.sort));
        let size = request.page_size as usize;
        let skipped = (request.page.max(1) - 1) as usize * size;
        (hits.len() as u64, hits.iter().skip(skipped).take(size).map(|row| row.number).collect())
    }
}

/// What has no value comes last in both directions.
fn optional<T: Ord>(a: Option<T>, b: Option<T>, turn: impl Fn(Ordering) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => turn(a.cmp(&b)),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

fn compare(a: &FeedEntry, b: &FeedEntry, sort: Sort) -> Ordering {
    let turn = |ordering: Ordering| if sort.descending { ordering.reverse() } else { ordering };
    let estimate = |row: &FeedEntry| row.estimate.and_then(Number::new);
    let by = match sort.key {
        SortKey::Updated => turn(a.updated_at.cmp(&b.updated_at)),
        SortKey::Created => turn(a.created_at.cmp(&b.created_at)),
        SortKey::Key => Ordering::Equal,
        SortKey::Title => turn(fold_text(&a.title).cmp(&fold_text(&b.title))),
        SortKey::Priority => turn(a.priority.cmp(&b.priority)),
        SortKey::Estimate => optional(estimate(a), estimate(b), turn),
        SortKey::Due => optional(a.due, b.due, turn),
        SortKey::Resolved => optional(a.resolved_at, b.resolved_at, turn),
        SortKey::Rank => turn(a.rank().cmp(&b.rank())),
    };
    by.then(turn(a.number.cmp(&b.number)))
}

fn occurs(row: &FeedEntry, word: &str) -> bool {
    let key = row.key(&project()).to_string();
    let mut texts = row.labels.iter().map(String::as_str).chain([row.title.as_str(), &key]);
    texts.any(|text| fold_text(text).contains(&fold_text(word)))
}

impl Model {
    fn matches(&self, row: &FeedEntry, request: &ListRequest<'_>) -> bool {
        let q = request.q.unwrap_or_default();
        let described = !q.trim().is_empty() && request.described.contains(&row.number);
        self.fits(row, request.filter, &request.context)
            && (described || q.split_whitespace().all(|word| occurs(row, word)))
    }

    fn fits(&self, row: &FeedEntry, filter: &Filter, context: &FilterContext<'_>) -> bool {
        filter.clauses().iter().all(|clause| match clause {
            Clause::Term(term) => self.meets(row, &term.condition, context) != term.negated,
            Clause::Group { negated, any } => {
                any.iter().any(|filter| self.fits(row, filter, context)) != *negated
            }
        })
    }

    fn has(&self, row: &FeedEntry, thing: Thing) -> bool {
        match thing {
            Thing::Assignee => row.assignee.is_some(),
            Thing::Claim => row.claim.is_some(),
            Thing::Due => row.due.is_some(),
            Thing::Estimate => row.estimate.and_then(Number::new).is_some(),
            Thing::Label => !row.labels.is_empty(),
            Thing::Link => !row.link_urls.is_empty() || row.linked_items,
            Thing::Parent => row.parent.is_some(),
            Thing::Remaining => row.remaining.and_then(Number::new).is_some(),
            Thing::Run => row.live_run.is_some(),
            Thing::Sprint => row.sprint.is_some(),
            Thing::Milestone => row.milestone.is_some(),
            Thing::Subtasks => {
                let key = Some(row.key(&project()));
                self.rows.values().any(|other| !other.deleted && other.parent == key)
            }
        }
    }
}

fn small(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

impl Model {
    fn meets(&self, row: &FeedEntry, condition: &Condition, context: &FilterContext<'_>) -> bool {
        match condition {
            Condition::State(names) => names.iter().map(|name| small(name)).any(|name| {
                let group = context.workflow.group_of(&row.state).map(|group| group.to_string());
                small(&row.state) == name || group == Some(name)
            }),
            Condition::Type(types) => types.contains(&row.item_type),
            Condition::Priority(choices) => choices.iter().any(|choice| holds(choice, &row.priority)),
            Condition::Assignee(choices) => {
                choices.iter().any(|choice| person(row.assignee.as_ref(), choice, context))
            }
            Condition::Creator(choices) => {
                choices.iter().any(|choice| person(Some(&row.created_by), choice, context))
            }
            Condition::Label(choices) => {
                let has = |label: &String| row.labels.iter().any(|other| small(other) == small(label));
                choices.iter().any(|labels| labels.iter().all(has))
            }
            Condition::Milestone(choices) => choices.iter().any(|choice| match choice {
                MilestoneChoice::Any => row.milestone.is_some(),
                MilestoneChoice::None => row.milestone.is_none(),
                MilestoneChoice::Id(id) => row.milestone == Some(*id),
                MilestoneChoice::Named(name) => {
                    row.milestone.is_some_and(|id| context.named_milestones.contains(&(name.clone(), id)))
                }
            }),
            Condition::Sprint(choices) => choices.iter().any(|choice| match choice {
                SprintChoice::Any => row.sprint.is_some(),
                SprintChoice::None => row.sprint.is_none(),
                SprintChoice::Current => {
                    row.sprint.as_ref().is_some_and(|id| context.current_sprints.contains(id))
                }
                SprintChoice::Id(id) => {
                    let named =
                        |sprint: &String| context.named_sprints.contains(&(id.clone(), sprint.clone()));
                    row.sprint.as_ref() == Some(id) || row.sprint.as_ref().is_some_and(named)
                }
            }),
            Condition::Blocked(blocked) => row.blocked == *blocked,
            Condition::Estimate(choices) => choices.iter().any(|choice| number(choice, row.estimate)),
            Condition::Remaining(choices) => choices.iter().any(|choice| number(choice, row.remaining)),
            Condition::Claimed(choices) => choices.iter().any(|choice| claimed(row, choice, context)),
            Condition::Parent(choices) => choices.iter().any(|choice| match choice {
                ParentChoice::None => row.parent.is_none(),
                ParentChoice::Key(key) => row.parent.as_ref() == Some(key),
            }),
            Condition::Due(choices) => choices.iter().any(|choice| on_day(choice, row.due, context)),
            Condition::Created(choices) => {
                choices.iter().any(|choice| on_day(choice, Some(date(row.created_at, context)), context))
            }
            Condition::Updated(choices) => {
                choices.iter().any(|choice| on_day(choice, Some(date(row.updated_at, context)), context))
            }
            Condition::Resolved(choices) => {
                let resolved = row.resolved_at.map(|at| date(at, context));
                choices.iter().any(|choice| on_day(choice, resolved, context))
            }
            Condition::Watching => context.watched.contains(&row.number),
            Condition::Text(texts) => texts.iter().any(|text| {
                let described =
                    context.texts.iter().any(|(known, found)| known == text && found.contains(&row.number));
                described || text.split_whitespace().all(|word| occurs(row, word))
            }),
            Condition::Title(texts) => texts.iter().any(|text| {
                text.split_whitespace().all(|word| fold_text(&row.title).contains(&fold_text(word)))
            }),
            Condition::Commented(choices) => choices.iter().any(|choice| commented(row, choice, context)),
            Condition::Project(keys) => keys.contains(&project()),
            Condition::Has(things) => things.iter().any(|thing| self.has(row, *thing)),
        }
    }
}

fn person(actor: Option<&Actor>, choice: &PersonChoice, context: &FilterContext<'_>) -> bool {
    match choice {
        PersonChoice::Any => actor.is_some(),
        PersonChoice::None => actor.is_none(),
        PersonChoice::Me => context.me.is_some() && actor.map(|actor| actor.id) == context.me,
        PersonChoice::Id(id) => actor.is_some_and(|actor| uuid(actor) == *id),
        PersonChoice::Address(_) => false,
        PersonChoice::Named(name) => actor.is_some_and(|actor| called(actor, name)),
    }
}

fn commented(row: &FeedEntry, choice: &PersonChoice, context: &FilterContext<'_>) -> bool {
    let seen =
        row.commenters.0.iter().filter(|known| known.comments > 0 || (known.factory && context.factory));
    let mut by = seen.map(|known| known.by);
    match choice {
        PersonChoice::Any => by.next().is_some(),
        PersonChoice::None => by.next().is_none(),
        PersonChoice::Me => by.any(|by| Some(by) == context.me),
        PersonChoice::Id(id) => {
            by.any(|by| by == ActorId::User(UserId(*id)) || by == ActorId::Agent(AgentId(*id)))
        }
        PersonChoice::Address(_) | PersonChoice::Named(_) => false,
    }
}

fn called(actor: &Actor, name: &str) -> bool {
    let (known, wanted) = (fold_text(&actor.name), fold_text(name));
    known == wanted || known.split(' ').any(|word| word == wanted)
}

fn date(time: Timestamp, context: &FilterContext<'_>) -> Date {
    time.to_zoned(context.zone.clone()).date()
}

fn on_day(choice: &DayChoice, day: Option<Date>, context: &FilterContext<'_>) -> bool {
    match choice {
        DayChoice::Any => day.is_some(),
        DayChoice::None => day.is_none(),
        DayChoice::Compare(Comparison { operator, value }) => {
            let value = value.on(date(context.now, context));
            day.is_some_and(|day| holds(&Comparison { operator: *operator, value }, &day))
        }
        DayChoice::Ago(Comparison { operator, value }) => {
            let today = date(context.now, context);
            let days = |day: Date| (today - day).get_days();
            let wanted = days(value.on(today));
            day.is_some_and(|day| holds(&Comparison { operator: *operator, value: wanted }, &days(day)))
        }
    }
}

fn claimed(row: &FeedEntry, choice: &ClaimChoice, context: &FilterContext<'_>) -> bool {
    let fresh =
        row.claim.as_ref().is_some_and(|claim| !claim.is_stale(context.now, context.claim_stale_after));
    let holder = row.claim.as_ref().map(|claim| &claim.holder);
    match choice {
        ClaimChoice::Any => fresh,
        ClaimChoice::None => !fresh,
        ClaimChoice::Me => context.me.is_some() && holder.map(|actor| actor.id) == context.me,
        ClaimChoice::Agent => holder.is_some_and(|actor| actor.id.is_agent()),
        ClaimChoice::Id(id) => holder.is_some_and(|actor| uuid(actor) == *id),
        ClaimChoice::Address(_) => false,
        ClaimChoice::Named(name) => holder.is_some_and(|actor| called(actor, name)),
    }
}

fn number(choice: &NumberChoice, value: Option<f64>) -> bool {
    let value = value.and_then(Number::new);
    match choice {
        NumberChoice::Any => value.is_some(),
        NumberChoice::None => value.is_none(),
        NumberChoice::Compare(comparison) => value.is_some_and(|value| holds(comparison, &value)),
    }
}

fn holds<T: Ord>(comparison: &Comparison<T>, actual: &T) -> bool {
    match comparison.operator {
        Operator::Equal => *actual == comparison.value,
        Operator::Greater => *actual > comparison.value,
        Operator::GreaterOrEqual => *actual >= comparison.value,
        Operator::Less => *actual < comparison.value,
        Operator::LessOrEqual => *actual <= comparison.value,
    }
}

fn uuid(actor: &Actor) -> Uuid {
    match actor.id {
        ActorId::User(id) => id.0,
        ActorId::Agent(id) => id.0,
    }
}
