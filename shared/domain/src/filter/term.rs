//! Reads a term of a filter: a field and its values.

use std::str::FromStr;

use uuid::Uuid;

use super::ast::{
    ClaimChoice, Comparison, Condition, DayChoice, Field, MilestoneChoice, Number, NumberChoice, Operator,
    ParentChoice, PersonChoice, SprintChoice, Term, Thing,
};
use super::day::Day;
use super::error::Problem;
use super::{MAX_NUMBER, nearest};
use crate::ids::ProjectKey;
use crate::item::{ItemType, Priority};

/// Reads what stands between white space outside quotes, without the parentheses of groups.
pub(super) fn parse_term(text: &str) -> Result<Term, Problem> {
    let (negated, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (name, values) =
        rest.split_once(':').filter(|(name, _)| !name.is_empty()).ok_or(Problem::NotATerm)?;
    let field = Field::from_str(name)
        .map_err(|_| Problem::unknown_field(name, nearest(name, Field::ALL.iter().map(|f| f.as_str()))))?;
    let choices = read_choices(field, values)?;
    Ok(Term { negated, condition: condition(field, choices)? })
}

fn condition(field: Field, choices: Vec<Vec<Value>>) -> Result<Condition, Problem> {
    Ok(match field {
        Field::State => Condition::State(each(choices, |value| Ok(value.text.clone()))?),
        Field::Type => Condition::Type(each(choices, item_type)?),
        Field::Priority => Condition::Priority(each(choices, priority)?),
        Field::Assignee => Condition::Assignee(each(choices, |value| person(field, value))?),
        Field::Label => {
            let texts = |all: Vec<Value>| all.into_iter().map(|value| value.text).collect();
            Condition::Label(choices.into_iter().map(texts).collect())
        }
        Field::Sprint => Condition::Sprint(each(choices, sprint)?),
        Field::Milestone => Condition::Milestone(each(choices, milestone)?),
        Field::Blocked => Condition::Blocked(blocked(&choices.into_iter().flatten().collect::<Vec<_>>())?),
        Field::Estimate => Condition::Estimate(each(choices, |value| number(field, value))?),
        Field::Remaining => Condition::Remaining(each(choices, |value| number(field, value))?),
        Field::Claimed => Condition::Claimed(each(choices, claim)?),
        Field::Parent => Condition::Parent(each(choices, parent)?),
        Field::Due => Condition::Due(each(choices, |value| day(field, value))?),
        Field::Created => Condition::Created(each(choices, |value| day(field, value))?),
        Field::Updated => Condition::Updated(each(choices, |value| day(field, value))?),
        Field::Resolved => Condition::Resolved(each(choices, |value| day(field, value))?),
        Field::Creator => Condition::Creator(each(choices, |value| person(field, value))?),
        Field::Watching => watching(&choices.into_iter().flatten().collect::<Vec<_>>())?,
        Field::Text => Condition::Text(each(choices, |value| Ok(value.text.clone()))?),
        Field::Title => Condition::Title(each(choices, |value| Ok(value.text.clone()))?),
        Field::Commented => Condition::Commented(each(choices, |value| person(field, value))?),
        Field::Project => Condition::Project(each(choices, project)?),
        Field::Has => Condition::Has(each(choices, thing)?),
    })
}

fn each<T>(choices: Vec<Vec<Value>>, read: impl Fn(&Value) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    choices.iter().flatten().map(read).collect()
}

fn item_type(value: &Value) -> Result<ItemType, Problem> {
    let words = || ItemType::ALL.iter().map(|kind| kind.as_str());
    value.text.parse().map_err(|_| value.unknown(Field::Type, words()))
}

fn priority(value: &Value) -> Result<Comparison<Priority>, Problem> {
    let (operator, word) = split_operator(&value.text);
    let words = || Priority::ALL.iter().map(|priority| priority.as_str());
    let priority = word
        .parse()
        .map_err(|_| Problem::unknown_value(Field::Priority, &value.text, nearest(word, words())))?;
    Ok(Comparison { operator, value: priority })
}

fn person(field: Field, value: &Value) -> Result<PersonChoice, Problem> {
    let words = super::print::PERSON_KEYWORDS;
    value
        .keyword(&words)
        .filter(|_| !value.quoted)
        .or_else(|| value.id().map(PersonChoice::Id))
        .or_else(|| value.address().map(PersonChoice::Address))
        .or_else(|| value.name().map(PersonChoice::Named))
        .ok_or_else(|| value.unknown(field, words.map(|(word, _)| word)))
}

fn claim(value: &Value) -> Result<ClaimChoice, Problem> {
    let words = super::print::CLAIM_KEYWORDS;
    value
        .keyword(&words)
        .filter(|_| !value.quoted)
        .or_else(|| value.id().map(ClaimChoice::Id))
        .or_else(|| value.address().map(ClaimChoice::Address))
        .or_else(|| value.name().map(ClaimChoice::Named))
        .ok_or_else(|| value.unknown(Field::Claimed, words.map(|(word, _)| word)))
}

fn milestone(value: &Value) -> Result<MilestoneChoice, Problem> {
    let keyword = value.keyword(&super::print::MILESTONE_KEYWORDS).filter(|_| !value.quoted);
    let id = || value.text.parse().ok().filter(|_| !value.quoted).map(MilestoneChoice::Id);
    Ok(keyword.or_else(id).unwrap_or_else(|| MilestoneChoice::Named(value.text.clone())))
}

fn sprint(value: &Value) -> Result<SprintChoice, Problem> {
    let keyword = value.keyword(&super::print::SPRINT_KEYWORDS).filter(|_| !value.quoted);
    Ok(keyword.unwrap_or_else(|| SprintChoice::Id(value.text.clone())))
}

fn blocked(values: &[Value]) -> Result<bool, Problem> {
    match values {
        [value] => {
            let words = [("true", true), ("false", false)];
            value.keyword(&words).ok_or_else(|| value.unknown(Field::Blocked, words.map(|(word, _)| word)))
        }
        _ => {
            let all = values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(",");
            Err(Problem::unknown_value(Field::Blocked, &all, None))
        }
    }
}

fn number(field: Field, value: &Value) -> Result<NumberChoice, Problem> {
    let words = [("none", NumberChoice::None), ("any", NumberChoice::Any)];
    if let Some(choice) = value.keyword(&words) {
        return Ok(choice);
    }
    let (operator, digits) = split_operator(&value.text);
    decimal(digits)
        .map(|value| NumberChoice::Compare(Comparison { operator, value }))
        .ok_or_else(|| value.unknown(field, words.map(|(word, _)| word)))
}

/// A number of digits, perhaps with a point and more digits: no sign, no exponent, no `inf`.
fn decimal(text: &str) -> Option<Number> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    text.parse().ok().filter(|number| *number <= MAX_NUMBER).and_then(Number::new)
}

fn day(field: Field, value: &Value) -> Result<DayChoice, Problem> {
    let words = [("none", DayChoice::None), ("any", DayChoice::Any)];
    if let Some(choice) = value.keyword(&words) {
        return Ok(choice);
    }
    let (operator, text) = split_operator(&value.text);
    // Something is due on a day to come; what has happened lies behind.
    let meant = |day: Day| if field == Field::Due { day } else { day.past() };
    let words = || ["none", "any", "today", "yesterday", "tomorrow"].into_iter().chain(Day::week());
    if field != Field::Due
        && text.starts_with(|c: char| c.is_ascii_digit())
        && let Some(value) = Day::named(&format!("-{text}"))
    {
        return Ok(DayChoice::Ago(Comparison { operator, value }));
    }
    Day::named(text)
        .map(|day| DayChoice::Compare(Comparison { operator, value: meant(day) }))
        .ok_or_else(|| Problem::unknown_value(field, &value.text, nearest(text, words())))
}

fn watching(values: &[Value]) -> Result<Condition, Problem> {
    let me = |value: &Value| value.keyword(&[("@me", ())]).is_some();
    match values.iter().find(|value| !me(value)) {
        None => Ok(Condition::Watching),
        Some(value) => Err(value.unknown(Field::Watching, ["@me"])),
    }
}

fn thing(value: &Value) -> Result<Thing, Problem> {
    let words = || Thing::ALL.iter().map(|thing| thing.as_str());
    value.text.parse().map_err(|_| value.unknown(Field::Has, words()))
}

fn parent(value: &Value) -> Result<ParentChoice, Problem> {
    if let Some(choice) = value.keyword(&[("none", ParentChoice::None)]) {
        return Ok(choice);
    }
    let key = value.text.to_ascii_uppercase().parse();
    key.map(ParentChoice::Key).map_err(|_| value.unknown(Field::Parent, ["none"]))
}

fn project(value: &Value) -> Result<ProjectKey, Problem> {
    value.text.to_ascii_uppercase().parse().map_err(|_| value.unknown(Field::Project, []))
}

fn split_operator(text: &str) -> (Operator, &str) {
    let operators = [
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
    ];
    operators
        .into_iter()
        .find_map(|(sign, operator)| Some((operator, text.strip_prefix(sign)?)))
        .unwrap_or((Operator::Equal, text))
}

/// A value as written, without its quotes.
struct Value {
    text: String,
    quoted: bool,
}

impl Value {
    /// What it means where it is one of these words, whatever its case.
    fn keyword<T: Clone>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&self.text));
        found.map(|(_, meaning)| meaning.clone())
    }

    /// The id that it is: the form with hyphens only, which is the one that is shown.
    fn id(&self) -> Option<Uuid> {
        Uuid::try_parse(&self.text).ok().filter(|_| self.text.len() == 36)
    }

    /// The address that it is.
    fn address(&self) -> Option<String> {
        let (local, host) = self.text.rsplit_once('@')?;
        let written = !local.is_empty() && !host.is_empty() && !self.text.contains(char::is_whitespace);
        written.then(|| self.text.clone())
    }

    /// The name that it may be: an address is none, and neither is a word that is not known.
    fn name(&self) -> Option<String> {
        (!self.text.contains('@')).then(|| self.text.clone())
    }

    fn unknown(&self, field: Field, words: impl IntoIterator<Item = &'static str>) -> Problem {
        Problem::unknown_value(field, &self.text, nearest(&self.text, words))
    }
}

/// The choices after the colon, and the values of each: several where a label's are joined by `+`.
fn read_choices(field: Field, text: &str) -> Result<Vec<Vec<Value>>, Problem> {
    let mut choices = vec![Vec::new()];
    let mut rest = text;
    loop {
        let (value, after) = read_value(field, rest)?;
        if let Some(choice) = choices.last_mut() {
            choice.push(value);
        }
        if let Some(next) = after.strip_prefix(',') {
            choices.push(Vec::new());
            rest = next;
        } else if let Some(next) = after.strip_prefix('+') {
            rest = next;
        } else {
            return Ok(choices);
        }
    }
}

/// The value that `text` begins with, and what follows it: nothing, or a separator.
fn read_value(field: Field, text: &str) -> Result<(Value, &str), Problem> {
    let separates = |c: char| c == ',' || (c == '+' && field == Field::Label);
    let (value, after) = if let Some(inside) = text.strip_prefix('"') {
        let (text, after) = read_quoted(inside)?;
        if !after.is_empty() && !after.starts_with(separates) {
            return Err(Problem::PartlyQuoted);
        }
        (Value { text, quoted: true }, after)
    } else {
        let (word, after) = text.split_at(text.find(separates).unwrap_or(text.len()));
        if word.contains('"') {
            return Err(Problem::PartlyQuoted);
        }
        (Value { text: word.to_owned(), quoted: false }, after)
    };
    if value.text.is_empty() { Err(Problem::MissingValue { field }) } else { Ok((value, after)) }
}

/// The text up to the closing quote, and what follows that.
fn read_quoted(inside: &str) -> Result<(String, &str), Problem> {
    let mut text = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((text, &inside[at + 1..])),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                Some((_, other)) => return Err(Problem::UnknownEscape(other)),
                None => return Err(Problem::OpenQuote),
            },
            _ => text.push(c),
        }
    }
    Err(Problem::OpenQuote)
}
