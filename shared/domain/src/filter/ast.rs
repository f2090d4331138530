//! What a filter says, once read.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use uuid::Uuid;

use crate::ids::ItemKey;
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
        /// Who it is assigned to.
        Assignee = "assignee",
        /// Labels.
        Label = "label",
        /// Sprint.
        Sprint = "sprint",
        /// Whether something else must happen first.
        Blocked = "blocked",
        /// Estimated effort.
        Estimate = "estimate",
        /// Effort left.
        Remaining = "remaining",
        /// Who works on it.
        Claimed = "claimed",
        /// The item that it belongs to.
        Parent = "parent",
    }
}

/// A filter: terms that must all match. Without terms, everything matches.
///
/// Made by [`Filter::parse`] only, so every filter can be printed and read again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(super) terms: Vec<Term>,
}

impl Filter {
    /// Its terms, in the order they were written.
    pub fn terms(&self) -> &[Term] {
        &self.terms
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

/// A choice of an assignee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PersonChoice {
    /// Anyone.
    Any,
    /// No one.
    None,
    /// Whoever asks.
    Me,
    /// A person or an agent by id.
    Id(Uuid),
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
    /// A sprint by id.
    Id(String),
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

/// A choice of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimChoice {
    /// Claimed, and the claim is fresh.
    Any,
    /// Free to take: not claimed, or the claim has gone stale.
    None,
    /// Held by whoever asks, fresh or stale.
    Me,
    /// Held by an agent, fresh or stale.
    Agent,
    /// Held by this person or agent, fresh or stale.
    Id(Uuid),
}

/// A choice of a parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParentChoice {
    /// No parent.
    None,
    /// The item of this key.
    Key(ItemKey),
}
