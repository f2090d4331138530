//! Writes a filter in its canonical form: small letters, `=` left out, quotes only where they are needed.
//!
//! What is written is never longer than what was read, so a filter within the limits stays within them.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    ClaimChoice, Clause, Comparison, Condition, DayChoice, Field, Filter, MilestoneChoice, Number,
    NumberChoice, Operator, ParentChoice, PersonChoice, SprintChoice, Term,
};

/// Words that mean no milestone of that name, unless they are in quotes.
pub(super) const MILESTONE_KEYWORDS: [(&str, MilestoneChoice); 2] =
    [("none", MilestoneChoice::None), ("any", MilestoneChoice::Any)];

/// Words that mean no sprint of that id, unless they are in quotes.
pub(super) const SPRINT_KEYWORDS: [(&str, SprintChoice); 3] =
    [("current", SprintChoice::Current), ("none", SprintChoice::None), ("any", SprintChoice::Any)];

/// Words that mean nobody of that name, unless they are in quotes.
pub(super) const PERSON_KEYWORDS: [(&str, PersonChoice); 3] =
    [("@me", PersonChoice::Me), ("none", PersonChoice::None), ("any", PersonChoice::Any)];

/// The same of who holds a claim.
pub(super) const CLAIM_KEYWORDS: [(&str, ClaimChoice); 4] = [
    ("any", ClaimChoice::Any),
    ("none", ClaimChoice::None),
    ("@me", ClaimChoice::Me),
    ("@agent", ClaimChoice::Agent),
];

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        join(f, " ", self.clauses())
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term(term) => term.fmt(f),
            Self::Group { negated, any } => {
                f.write_str(if *negated { "-(" } else { "(" })?;
                // In a group, a value that ends with a parenthesis stands in quotes.
                for (i, filter) in any.iter().enumerate() {
                    write!(f, "{}{filter:#}", if i > 0 { " OR " } else { "" })?;
                }
                f.write_char(')')
            }
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_char('-')?;
        }
        write!(f, "{}:", self.condition.field())?;
        match &self.condition {
            Condition::State(names) => join(f, ",", names.iter().map(|name| Word(name, &[',']))),
            Condition::Type(types) => join(f, ",", types),
            Condition::Priority(comparisons) => join(f, ",", comparisons),
            Condition::Assignee(people) | Condition::Creator(people) | Condition::Commented(people) => {
                join(f, ",", people)
            }
            Condition::Label(choices) => join(f, ",", choices.iter().map(|labels| AllOf(labels))),
            Condition::Sprint(sprints) => join(f, ",", sprints),
            Condition::Milestone(milestones) => join(f, ",", milestones),
            Condition::Blocked(blocked) => blocked.fmt(f),
            Condition::Estimate(numbers) | Condition::Remaining(numbers) => join(f, ",", numbers),
            Condition::Claimed(claims) => join(f, ",", claims),
            Condition::Parent(parents) => join(f, ",", parents),
            Condition::Due(days)
            | Condition::Created(days)
            | Condition::Updated(days)
            | Condition::Resolved(days) => join(f, ",", days),
            Condition::Watching => f.write_str("@me"),
            Condition::Text(texts) | Condition::Title(texts) => {
                join(f, ",", texts.iter().map(|text| Word(text, &[','])))
            }
            Condition::Project(keys) => join(f, ",", keys),
            Condition::Has(things) => join(f, ",", things),
        }
    }
}

impl Condition {
    /// The field that it is about.
    pub const fn field(&self) -> Field {
        match self {
            Self::State(_) => Field::State,
            Self::Type(_) => Field::Type,
            Self::Priority(_) => Field::Priority,
            Self::Assignee(_) => Field::Assignee,
            Self::Label(_) => Field::Label,
            Self::Sprint(_) => Field::Sprint,
            Self::Milestone(_) => Field::Milestone,
            Self::Blocked(_) => Field::Blocked,
            Self::Estimate(_) => Field::Estimate,
            Self::Remaining(_) => Field::Remaining,
            Self::Claimed(_) => Field::Claimed,
            Self::Parent(_) => Field::Parent,
            Self::Due(_) => Field::Due,
            Self::Created(_) => Field::Created,
            Self::Updated(_) => Field::Updated,
            Self::Resolved(_) => Field::Resolved,
            Self::Creator(_) => Field::Creator,
            Self::Watching => Field::Watching,
            Self::Text(_) => Field::Text,
            Self::Title(_) => Field::Title,
            Self::Commented(_) => Field::Commented,
            Self::Project(_) => Field::Project,
            Self::Has(_) => Field::Has,
        }
    }
}

fn join<T: Display>(
    f: &mut Formatter<'_>,
    separator: &str,
    parts: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        part.fmt(f)?;
    }
    Ok(())
}

/// A text and the characters that separate it from its neighbours: in quotes where it would be read as
/// something else without.
struct Word<'a>(&'a str, &'a [char]);

impl Display for Word<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let closes = f.alternate() && self.0.ends_with(')');
        let plain = !closes && !self.0.chars().any(|c| c.is_whitespace() || c == '"' || self.1.contains(&c));
        if plain { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// A name, in quotes where it would be read as a keyword without.
struct Name<'a, T>(&'a str, &'a [(&'static str, T)]);

impl<T> Display for Name<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_keyword = self.1.iter().any(|(word, _)| word.eq_ignore_ascii_case(self.0));
        if is_keyword { Quoted(self.0).fmt(f) } else { Word(self.0, &[',']).fmt(f) }
    }
}

struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            if matches!(c, '"' | '\\') {
                f.write_char('\\')?;
            }
            f.write_char(c)?;
        }
        f.write_char('"')
    }
}

/// Labels that an item must all have.
struct AllOf<'a>(&'a [String]);

impl Display for AllOf<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        join(f, "+", self.0.iter().map(|label| Word(label, &[',', '+'])))
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
        })
    }
}

impl<T: Display> Display for Comparison<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.operator, self.value)
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Display for PersonChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Me => f.write_str("@me"),
            Self::Id(id) => write!(f, "{id}"),
            Self::Address(address) => Word(address, &[',']).fmt(f),
            Self::Named(name) => Name(name, &PERSON_KEYWORDS).fmt(f),
        }
    }
}

impl Display for DayChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Compare(comparison) => comparison.fmt(f),
            Self::Ago(Comparison { operator, value }) => {
                write!(f, "{operator}{}", value.to_string().trim_start_matches(['+', '-']))
            }
        }
    }
}

impl Display for SprintChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Current => f.write_str("current"),
            Self::Id(name) => Name(name, &SPRINT_KEYWORDS).fmt(f),
        }
    }
}

impl Display for MilestoneChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Id(id) => id.fmt(f),
            Self::Named(name) => Name(name, &MILESTONE_KEYWORDS).fmt(f),
        }
    }
}

impl Display for NumberChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Compare(comparison) => comparison.fmt(f),
        }
    }
}

impl Display for ClaimChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Me => f.write_str("@me"),
            Self::Agent => f.write_str("@agent"),
            Self::Id(id) => write!(f, "{id}"),
            Self::Address(address) => Word(address, &[',']).fmt(f),
            Self::Named(name) => Name(name, &CLAIM_KEYWORDS).fmt(f),
        }
    }
}

impl Display for ParentChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Key(key) => key.fmt(f),
        }
    }
}
