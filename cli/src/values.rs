//! The values that commands take: names of the wire, numbers of effort, lists, and what can be taken away.

use std::convert::Infallible;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::de::DeserializeOwned;
use svc_api::Patch;
use svc_api::factory::{Delivers, DeliveryMode, Harness, RepositorySource, RunStatus};
use svc_api::identity::{InvitationPreset, OrgRole, ProjectRole, Scope};
use svc_api::tracker::{ItemType, MilestoneState, Priority, SprintState};
use svc_api::wiki::AudienceKind;
use svc_domain::filter::{Day, Filter};
use svc_domain::harness;
use svc_domain::wiki::{InvalidPath, PagePath};

use crate::fresh;

/// Reads the path of a wiki page.
pub(crate) fn page_path(text: &str) -> Result<PagePath, InvalidPath> {
    text.parse()
}

/// Reads an item type by its name on the wire.
pub(crate) fn item_type() -> impl TypedValueParser<Value = ItemType> {
    named(&["story", "bug", "task", "epic", "subtask"])
}

/// Reads a priority by its name on the wire.
pub(crate) fn priority() -> impl TypedValueParser<Value = Priority> {
    named(&["lowest", "low", "medium", "high", "highest"])
}

/// Reads a priority by its name on the wire, or `none`.
pub(crate) fn priority_or_none() -> impl TypedValueParser<Value = OrNone<Priority>> {
    named_or_none(&["lowest", "low", "medium", "high", "highest", "none"])
}

/// Reads a run state by its name on the wire.
pub(crate) fn run_status() -> impl TypedValueParser<Value = RunStatus> {
    let same = ["queued", "assigned", "running", "succeeded", "failed", "cancelled"].map(|name| (name, name));
    spelled(same.into_iter().chain([("timed-out", "timedOut")]))
}

/// Reads a harness by the name of its program, or by its id.
pub(crate) fn harness() -> impl TypedValueParser<Value = Harness> {
    spelled(harnesses())
}

/// Reads a harness by the name of its program, or by its id, or `none`.
pub(crate) fn harness_or_none() -> impl TypedValueParser<Value = OrNone<Harness>> {
    spelled_or_none(harnesses().chain([("none", "none")]))
}

fn harnesses() -> impl Iterator<Item = (&'static str, &'static str)> {
    harness::Harness::ALL.into_iter().map(|harness| (harness.program(), harness.as_str()))
}

/// Reads where a run's result goes.
pub(crate) fn delivery_mode() -> impl TypedValueParser<Value = DeliveryMode> {
    const MODES: [&str; 2] = ["pull-request", "push"];
    PossibleValuesParser::new(MODES).map(|typed| {
        if typed.eq_ignore_ascii_case(MODES[0]) {
            DeliveryMode::BranchAndPullRequest
        } else {
            DeliveryMode::PushToDefaultBranch
        }
    })
}

/// Reads what a run must leave.
pub(crate) fn delivers() -> impl TypedValueParser<Value = Delivers> {
    const ALL: [&str; 2] = ["commit", "nothing"];
    PossibleValuesParser::new(ALL).map(|typed| match typed.eq_ignore_ascii_case(ALL[0]) {
        true => Delivers::Commit,
        false => Delivers::Nothing,
    })
}

/// Reads a state of a milestone by its name on the wire.
pub(crate) fn milestone_state() -> impl TypedValueParser<Value = MilestoneState> {
    named(&["open", "closed"])
}

/// Reads a sprint state by its name on the wire.
pub(crate) fn sprint_state() -> impl TypedValueParser<Value = SprintState> {
    named(&["planned", "active", "completed"])
}

/// Reads whom a wiki page is for by its name on the wire, or `none`.
pub(crate) fn audience_or_none() -> impl TypedValueParser<Value = OrNone<AudienceKind>> {
    named_or_none(&["everyone", "members", "admins", "people", "none"])
}

/// Reads one of the names, the last of which takes the value away.
fn named_or_none<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = OrNone<T>> {
    spelled_or_none(names.iter().map(|name| (*name, *name)))
}

fn spelled_or_none<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = (&'static str, &'static str)>,
) -> impl TypedValueParser<Value = OrNone<T>> {
    spelled::<serde_json::Value>(names).try_map(|name| {
        if name == "none" { Ok(OrNone::None) } else { serde_json::from_value(name).map(OrNone::Some) }
    })
}

/// Reads a role in an organization by its name on the wire.
pub(crate) fn org_role() -> impl TypedValueParser<Value = OrgRole> {
    named(&["owner", "admin", "member", "guest"])
}

/// Reads a role in a project by its name on the wire.
pub(crate) fn project_role() -> impl TypedValueParser<Value = ProjectRole> {
    named(&["admin", "member"])
}

/// Reads the role of an invitation by its name on the wire.
pub(crate) fn preset() -> impl TypedValueParser<Value = InvitationPreset> {
    named(&["member", "admin", "guest", "stakeholder"])
}

/// Reads what a token may do by its name on the wire.
pub(crate) fn scope() -> impl TypedValueParser<Value = Scope> {
    named(&["read", "write", "admin", "mcp"])
}

/// Reads where repositories are by its name on the wire.
pub(crate) fn repository_source() -> impl TypedValueParser<Value = RepositorySource> {
    spelled([("runner-local", "runnerLocal"), ("code-host", "codeHost")])
}

/// Reads one of the names, in any case where the argument ignores it.
fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    spelled(names.iter().map(|name| (*name, *name)))
}

/// The same for names with their spelling on the wire, which is taken, too.
fn spelled<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = (&'static str, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<_> = names.into_iter().collect();
    let values = names.iter().map(|(name, wire)| PossibleValue::new(*name).alias(*wire));
    PossibleValuesParser::new(values).try_map(move |typed| {
        let same =
            |(name, wire): &&(&str, &str)| [name, wire].iter().any(|own| own.eq_ignore_ascii_case(&typed));
        serde_json::from_value(names.iter().find(same).map(|(_, wire)| *wire).into())
    })
}

/// Reads a number of effort. What no JSON can carry, such as NaN, is none.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "this is not a number such as 2 or 0.5".to_owned())
}

/// Reads a number of effort, or `none`.
pub(crate) fn number_or_none(text: &str) -> Result<OrNone<f64>, String> {
    if is_none(text) { Ok(OrNone::None) } else { number(text).map(OrNone::Some) }
}

/// Reads a day, or `none`.
pub(crate) fn day_or_none(text: &str) -> Result<OrNone<Date>, String> {
    if is_none(text) { Ok(OrNone::None) } else { day(text).map(OrNone::Some) }
}

/// Reads a day: a date, or one that is reckoned from today such as `tomorrow`, `friday` or `+3d`.
pub(crate) fn day(text: &str) -> Result<Date, String> {
    reckoned(text, today)
}

/// Name of the time zone of this terminal, for a filter whose days depend on it.
pub(crate) fn zone_for(filter: Option<&str>) -> Option<String> {
    let depends = Filter::parse(filter?).is_ok_and(|filter| filter.depends_on_zone());
    let zone = depends.then(TimeZone::system)?;
    zone.iana_name().filter(|name| *name != "Etc/Unknown").map(str::to_owned)
}

fn today() -> Date {
    fresh::now().to_zoned(TimeZone::system()).date()
}

fn reckoned(text: &str, from: impl FnOnce() -> Date) -> Result<Date, String> {
    let text = text.trim();
    let day = text.parse().ok().or_else(|| Some(Day::named(text)?.on(from())));
    day.ok_or_else(|| "give a day such as 2026-01-31, tomorrow, friday or +3d".to_owned())
}

/// The last day of something that has a first one: a distance such as `+14d` and a day of the week count from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastDay {
    /// This one.
    On(Date),
    /// One that is reckoned from the first day.
    After(Day),
}

impl LastDay {
    /// The day, of something that begins on `first`; without that, it counts from today.
    pub(crate) fn of(self, first: Option<Date>) -> Date {
        match self {
            Self::On(day) => day,
            Self::After(day) => day.on(first.unwrap_or_else(today)),
        }
    }
}

/// Reads a last day.
pub(crate) fn last_day(text: &str) -> Result<LastDay, String> {
    match Day::named(text.trim()) {
        Some(named @ Day::Next(_)) => Ok(LastDay::After(named)),
        Some(distance) if text.trim().starts_with('+') => Ok(LastDay::After(distance)),
        _ => day(text).map(LastDay::On),
    }
}

/// Reads a last day, or `none`.
pub(crate) fn last_day_or_none(text: &str) -> Result<OrNone<LastDay>, String> {
    if is_none(text) { Ok(OrNone::None) } else { last_day(text).map(OrNone::Some) }
}

/// Reads a day, whose beginning in UTC counts, or a time with an offset.
pub(crate) fn moment(text: &str) -> Result<Timestamp, String> {
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|midnight| midnight.timestamp());
    let moment = text.parse::<Timestamp>().ok().or_else(day);
    moment.ok_or_else(|| "give a day such as 2026-01-31, or a time such as 2026-01-31T18:00:00Z".to_owned())
}

/// Names separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl Names {
    /// The names of an option that was given, perhaps several times; nothing where it was not.
    pub(crate) fn joined(given: Option<Vec<Self>>) -> Option<Vec<String>> {
        Some(given?.into_iter().flat_map(|Self(names)| names).collect())
    }
}

impl FromStr for Names {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Self(names.map(str::to_owned).collect()))
    }
}

/// A value that can be taken away: `none`, or something to set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrNone<T> {
    None,
    Some(T),
}

impl<T> From<OrNone<T>> for Patch<T> {
    fn from(value: OrNone<T>) -> Self {
        match value {
            OrNone::None => Self::Clear,
            OrNone::Some(value) => Self::Set(value),
        }
    }
}

impl<T: FromStr> FromStr for OrNone<T>
where
    T::Err: std::fmt::Display,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if is_none(text) {
            return Ok(Self::None);
        }
        text.parse().map(Self::Some).map_err(|error: T::Err| error.to_string())
    }
}

pub(crate) fn is_none(text: &str) -> bool {
    text.eq_ignore_ascii_case("none")
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use clap::builder::TypedValueParser;
    use svc_api::factory::RunStatus;
    use svc_api::identity::{InvitationPreset, OrgRole, ProjectRole, Scope};
    use svc_api::tracker::{ItemType, Priority, SprintState};
    use svc_api::wiki::AudienceKind;

    use super::{
        LastDay, OrNone, audience_or_none, day, item_type, last_day, number_or_none, org_role, preset,
        priority, project_role, reckoned, run_status, scope, sprint_state,
    };

    #[test]
    fn every_offered_name_is_one_that_the_wire_knows() {
        fn read<P: TypedValueParser<Value: PartialEq + Debug>>(parser: P, unknown: P::Value) {
            let command = clap::Command::new("test");
            for value in parser.possible_values().into_iter().flatten() {
                let read = parser.parse_ref(&command, None, value.get_name().as_ref()).unwrap();
                assert_ne!(read, unknown, "{}", value.get_name());
            }
        }
        read(item_type(), ItemType::Unknown);
        read(priority(), Priority::Unknown);
        read(run_status(), RunStatus::Unknown);
        read(sprint_state(), SprintState::Unknown);
        read(audience_or_none(), OrNone::Some(AudienceKind::Unknown));
        read(org_role(), OrgRole::Unknown);
        read(project_role(), ProjectRole::Unknown);
        read(preset(), InvitationPreset::Unknown);
        read(scope(), Scope::Unknown);
    }

    #[test]
    fn a_name_of_several_words_may_be_spelled_as_in_json() {
        let command = clap::Command::new("test");
        for typed in ["timed-out", "timedOut"] {
            let read = run_status().parse_ref(&command, None, typed.as_ref()).unwrap();
            assert_eq!(read, RunStatus::TimedOut, "{typed}");
        }
    }

    #[test]
    fn days_are_named_from_today_on() {
        let friday = "2026-01-30".parse().unwrap();
        for (text, meant) in [
            ("today", "2026-01-30"),
            ("Tomorrow", "2026-01-31"),
            ("yesterday", "2026-01-29"),
            ("friday", "2026-01-30"),
            ("sat", "2026-01-31"),
            ("monday", "2026-02-02"),
            ("+3d", "2026-02-02"),
            ("-1w", "2026-01-23"),
            ("+2w", "2026-02-13"),
            ("+1m", "2026-02-28"),
            ("2026-01-31", "2026-01-31"),
        ] {
            assert_eq!(reckoned(text, || friday), Ok(meant.parse().unwrap()), "{text}");
        }
        for text in ["", "+", "+d", "3d", "+3", "+3x", "someday", "+-3d", "+99999999d", "é", "+é"] {
            assert!(reckoned(text, || friday).is_err(), "{text}");
        }
    }

    #[test]
    fn friday_is_not_before_monday_when_a_sprint_begins_on_it() {
        let monday = Some("2026-02-02".parse().unwrap());
        for (text, meant) in [
            ("friday", "2026-02-06"),
            ("monday", "2026-02-02"),
            ("+14d", "2026-02-16"),
            ("+2w", "2026-02-16"),
            ("2026-02-13", "2026-02-13"),
        ] {
            assert_eq!(last_day(text).unwrap().of(monday), meant.parse().unwrap(), "{text}");
        }
        assert_eq!(last_day("tomorrow").unwrap(), LastDay::On(day("tomorrow").unwrap()));
    }

    #[test]
    fn none_takes_a_value_away() {
        assert_eq!("None".parse::<OrNone<String>>().unwrap(), OrNone::None);
        assert_eq!(number_or_none("none").unwrap(), OrNone::None);
        assert_eq!(number_or_none("2.5").unwrap(), OrNone::Some(2.5));
        for text in ["x", "", "nan", "inf", "-infinity", "1e999"] {
            assert!(number_or_none(text).is_err(), "{text:?} would be sent as null, which clears");
        }
    }
}
