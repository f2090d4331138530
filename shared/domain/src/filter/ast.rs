//! What a filter says, once read.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use uuid::Uuid;

use super::day::Day;
use crate::ids::{ItemKey, MilestoneId, ProjectKey};
use crate::item::{ItemType, Priority};
use crate::word::word_enum;

word_enum! {
    /// A field that a filter asks about.
    Field {
        /// Workflow state or its group.
        State = "state",
        /// Kind of work.
        Type = "type",
        /// Priority.
        Priority = "priority",
        /// The assignee.
        Assignee = "assignee",
        /// Labels.
        Label = "label",
        /// Sprint.
        Sprint = "sprint",
        /// Milestone.
        Milestone = "milestone",
        /// Whether something else must happen first.
        Blocked = "blocked",
        /// Estimated effort.
        Estimate = "estimate",
        /// Effort left.
        Remaining = "remaining",
        /// The holder of its claim.
        Claimed = "claimed",
        /// The item that it belongs to.
        Parent = "parent",
        /// Day by which it is due.
        Due = "due",
        /// Day on which it was created.
        Created = "created",
        /// Day on which it last changed.
        Updated = "updated",
        /// Day on which it was resolved.
        Resolved = "resolved",
        /// Its creator.
        Creator = "creator",
        /// Its watchers.
        Watching = "watching",
        /// Words in it.
        Text = "text",
        /// Words in its title.
        Title = "title",
        /// Its commenters.
        Commented = "commented",
        /// The project that it is in.
        Project = "project",
        /// What it has.
        Has = "has",
    }
}

/// A filter: clauses that must all match. Without any, everything matches.
///
/// Made by [`Filter::parse`] only, so every filter can be printed and read again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(super) clauses: Vec<Clause>,
}

/// What an item must meet: a term, or a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// A term.
    Term(Term),
    /// Filters in parentheses, any of which must match.
    Group {
        /// Whether items that match are left out, instead of the others.
        negated: bool,
        /// The filters; never empty, nor is any of them.
        any: Vec<Filter>,
    },
}

impl Clause {
    fn terms(&self) -> Vec<&Term> {
        match self {
            Self::Term(term) => vec![term],
            Self::Group { any, .. } => any.iter().flat_map(Filter::terms).collect(),
        }
    }
}

impl Filter {
    /// What items must meet, in the order it was written.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Every term, in groups or not, in the order they were written.
    pub fn terms(&self) -> Vec<&Term> {
        self.clauses.iter().flat_map(Clause::terms).collect()
    }
}

/// One term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Whether items that meet the condition are left out, instead of the others.
    pub negated: bool,
    /// The condition.
    pub condition: Condition,
}

/// A condition: any of its choices meets it. No list in it is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Names of states or of groups.
    State(Vec<String>),
    /// Kinds of work.
    Type(Vec<ItemType>),
    /// Priorities.
    Priority(Vec<Comparison<Priority>>),
    /// Assignees.
    Assignee(Vec<PersonChoice>),
    /// Labels: any of the inner lists, all of whose labels the item has.
    Label(Vec<Vec<String>>),
    /// Sprints.
    Sprint(Vec<SprintChoice>),
    /// Milestones.
    Milestone(Vec<MilestoneChoice>),
    /// Whether the item is blocked.
    Blocked(bool),
    /// Estimates.
    Estimate(Vec<NumberChoice>),
    /// Efforts left.
    Remaining(Vec<NumberChoice>),
    /// Holders of the claim.
    Claimed(Vec<ClaimChoice>),
    /// Parents.
    Parent(Vec<ParentChoice>),
    /// Days by which it is due.
    Due(Vec<DayChoice>),
    /// Days on which it was created.
    Created(Vec<DayChoice>),
    /// Days on which it last changed.
    Updated(Vec<DayChoice>),
    /// Days on which it was resolved.
    Resolved(Vec<DayChoice>),
    /// Its creator.
    Creator(Vec<PersonChoice>),
    /// Whether the caller watches it.
    Watching,
    /// Texts of which it has all words.
    Text(Vec<String>),
    /// Texts of which its title has all words.
    Title(Vec<String>),
    /// Its commenters.
    Commented(Vec<PersonChoice>),
    /// Projects that it is in.
    Project(Vec<ProjectKey>),
    /// What it has.
    Has(Vec<Thing>),
}

/// How a value compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `=`, or nothing.
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

impl Operator {
    /// What compares two values so when they are counted the other way, as ages are from days.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
        }
    }
}

/// A comparison with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison<T> {
    /// How.
    pub operator: Operator,
    /// With what.
    pub value: T,
}

/// A finite number, and so one with an order.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Number {
    /// The number; `None` for infinities and what is not a number.
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns the negative zero, which is another bit pattern, into the positive one.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A choice of a person or an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PersonChoice {
    /// Anyone.
    Any,
    /// No one.
    None,
    /// The caller.
    Me,
    /// A person or an agent by id.
    Id(Uuid),
    /// A person by address. Matches nothing until [`Filter::with_people`] knows who that is.
    Address(String),
    /// People and agents by name, or by a word of it.
    Named(String),
}

/// A choice of a sprint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SprintChoice {
    /// Any sprint.
    Any,
    /// No sprint.
    None,
    /// The one that runs now.
    Current,
    /// A sprint by id, or sprints by name.
    Id(String),
}

/// A choice of a milestone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MilestoneChoice {
    /// Any milestone.
    Any,
    /// No milestone.
    None,
    /// A milestone by id.
    Id(MilestoneId),
    /// A milestone by name.
    Named(String),
}

/// A choice of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberChoice {
    /// Any number.
    Any,
    /// No number.
    None,
    /// A number that compares so.
    Compare(Comparison<Number>),
}

/// A choice of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DayChoice {
    /// Any day.
    Any,
    /// No day.
    None,
    /// A day that compares so.
    Compare(Comparison<Day>),
    /// An age that compares so, as the day so long ago: what is younger lies behind that day.
    Ago(Comparison<Day>),
}

impl DayChoice {
    /// The comparison of days that it means.
    pub const fn comparison(self) -> Option<Comparison<Day>> {
        match self {
            Self::Any | Self::None => None,
            Self::Compare(comparison) => Some(comparison),
            Self::Ago(Comparison { operator, value }) => {
                Some(Comparison { operator: operator.turned(), value })
            }
        }
    }
}

word_enum! {
    /// Something that an item has or has not.
    Thing {
        /// The assignee.
        Assignee = "assignee",
        /// A claim, fresh or stale.
        Claim = "claim",
        /// A day by which it is due.
        Due = "due",
        /// An estimate.
        Estimate = "estimate",
        /// A label.
        Label = "label",
        /// A linked pull request or item.
        Link = "link",
        /// A milestone.
        Milestone = "milestone",
        /// An item that it belongs to.
        Parent = "parent",
        /// Effort left.
        Remaining = "remaining",
        /// A queued, assigned or running run.
        Run = "run",
        /// A sprint.
        Sprint = "sprint",
        /// Items that belong to it.
        Subtasks = "subtasks",
    }
}

/// A choice of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClaimChoice {
    /// Claimed, and the claim is fresh.
    Any,
    /// Free to take: not claimed, or the claim has gone stale.
    None,
    /// Held by the caller, fresh or stale.
    Me,
    /// Held by an agent, fresh or stale.
    Agent,
    /// Held by this person or agent, fresh or stale.
    Id(Uuid),
    /// Held by the person with this address; as [`PersonChoice::Address`].
    Address(String),
    /// Held by people and agents of this name, or with this word in it, fresh or stale.
    Named(String),
}

/// A choice of a parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParentChoice {
    /// No parent.
    None,
    /// The item of this key.
    Key(ItemKey),
}
