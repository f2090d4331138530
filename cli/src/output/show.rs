//! Values as people read them, and the tables that several commands print.

use anstyle::AnsiColor;
use jiff::Timestamp;
use serde::Serialize;
use svc_api::factory::{Run, RunStatus};
use svc_api::tracker::{Claim, Item, Priority, StateGroup};
use svc_domain::harness::Harness;

use crate::failure::Failure;

use super::table::{Cell, Column, Table};
use super::times::when;

/// The name of a wire value, as the API spells it.
pub(crate) fn wire(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// The name of a wire value as commands take it: `timed-out` for `timedOut`.
pub(crate) fn name(value: &impl Serialize) -> String {
    hyphenated(&wire(value))
}

/// A name of the API in lower case, with hyphens between its words.
pub(crate) fn hyphenated(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() && words.ends_with(|before: char| before.is_ascii_lowercase()) {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// A value, or a hyphen where there is none.
pub(crate) fn option(value: Option<&str>) -> String {
    value.unwrap_or("-").to_owned()
}

/// Names separated by commas, or a hyphen where there are none.
pub(crate) fn joined(names: &[String]) -> String {
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

/// Whether something is so.
pub(crate) const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// A number of bytes in its largest unit.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1_024 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64, "B");
    for next in UNITS {
        if value >= 1_024.0 {
            (value, unit) = (value / 1_024.0, next);
        }
    }
    format!("{value:.1} {unit}")
}

/// The time between two moments, in its two largest units.
pub(crate) fn duration(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.duration_since(from).as_secs().max(0);
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m {rest}s"),
        _ => format!("{hours}h {minutes}m"),
    }
}

/// The product that a harness id stands for.
pub(crate) fn harness(harness: svc_api::factory::Harness) -> &'static str {
    let known = name(&harness).parse::<Harness>();
    known.map_or("unknown to this version of svc", Harness::display_name)
}

/// Items of a list as JSON. The instance sends no descriptions in lists, so there is none to be told.
///
/// # Errors
/// An item that has no JSON: none that the instance sent.
pub(crate) fn listed(items: &[Item]) -> Result<Vec<serde_json::Value>, Failure> {
    let without_body = |item: &Item| {
        let mut value = serde_json::to_value(item).map_err(std::io::Error::other)?;
        if let Some(fields) = value.as_object_mut().filter(|_| item.body.is_empty()) {
            fields.remove("body");
        }
        Ok(value)
    };
    items.iter().map(without_body).collect()
}

/// Items, one a row.
pub(crate) fn item_table<'a>(items: impl IntoIterator<Item = &'a Item>) -> Table {
    item_table_with(&[], items)
}

/// Items of a list, one a row: with the columns that were asked for, and with due days and labels where the terminal has
/// room for them.
pub(crate) fn item_list(items: &[Item], asked_for: &[More]) -> Table {
    let named = [
        (items.iter().any(|item| item.due.is_some()), More::Due),
        (items.iter().any(|item| !item.labels.is_empty()), More::Labels),
    ];
    let spare = named.into_iter().filter(|(named, more)| *named && !asked_for.contains(more));
    let asked_for = asked_for.iter().map(|more| (*more, false));
    let more: Vec<_> = asked_for.chain(spare.map(|(_, more)| (more, true))).collect();
    item_table_of(&more, items)
}

/// A column of the table of items that is shown only where it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum More {
    Labels,
    Estimate,
    Remaining,
    Parent,
    Blocked,
    Due,
    Sprint,
    Milestone,
    Created,
    Updated,
    Resolved,
}

impl More {
    const fn title(self) -> &'static str {
        match self {
            Self::Labels => "LABELS",
            Self::Estimate => "ESTIMATE",
            Self::Remaining => "REMAINING",
            Self::Parent => "PARENT",
            Self::Blocked => "BLOCKED",
            Self::Due => "DUE",
            Self::Sprint => "SPRINT",
            Self::Milestone => "MILESTONE",
            Self::Created => "CREATED",
            Self::Updated => "UPDATED",
            Self::Resolved => "RESOLVED",
        }
    }

    fn of(self, item: &Item) -> String {
        let number = |number: Option<f64>| option(number.map(|number| number.to_string()).as_deref());
        match self {
            Self::Labels => joined(&item.labels),
            Self::Estimate => number(item.estimate),
            Self::Remaining => number(item.remaining),
            Self::Parent => option(item.parent.as_deref()),
            Self::Blocked => yes(item.blocked).to_owned(),
            Self::Due => option(item.due.map(|day| day.to_string()).as_deref()),
            Self::Sprint => option(item.sprint.as_deref()),
            Self::Milestone => option(item.milestone.as_deref()),
            Self::Created => when(item.created_at),
            Self::Updated => when(item.updated_at),
            Self::Resolved => option(item.resolved_at.map(when).as_deref()),
        }
    }
}

/// Items, one a row, with more columns before the title.
pub(crate) fn item_table_with<'a>(more: &[More], items: impl IntoIterator<Item = &'a Item>) -> Table {
    let more: Vec<_> = more.iter().map(|more| (*more, false)).collect();
    item_table_of(&more, items)
}

/// The same; of each further column, whether it is shown only where there is room.
fn item_table_of<'a>(more: &[(More, bool)], items: impl IntoIterator<Item = &'a Item>) -> Table {
    let mut columns = vec![
        Column::fixed("KEY"),
        Column::fixed("TYPE").minor(),
        Column::fixed("STATE"),
        Column::fixed("PRIORITY").minor(),
        Column::flexible("ASSIGNEE"),
        Column::flexible("CLAIM").minor(),
    ];
    columns.extend(more.iter().map(|(more, spare)| {
        let column = Column::flexible(more.title());
        if *spare { column.spare() } else { column }
    }));
    columns.push(Column::flexible("TITLE"));
    let mut table = Table::new(columns);
    for item in items {
        let mut row: Vec<Cell> = vec![
            item.key.as_str().into(),
            name(&item.item_type).into(),
            state(item),
            priority(item.priority),
            option(item.assignee.as_ref().map(|actor| actor.name.as_str())).into(),
            claim(item.claim.as_ref()).into(),
        ];
        row.extend(more.iter().map(|(more, _)| Cell::from(more.of(item))));
        row.push(item.title.as_str().into());
        table.row(row);
    }
    table
}

/// The holder of a claim, and whether it still keeps others away.
fn claim(claim: Option<&Claim>) -> String {
    match claim {
        Some(claim) if claim.stale => format!("{} (stale)", claim.holder_name),
        claim => option(claim.map(|claim| claim.holder_name.as_str())),
    }
}

/// An item's state in the colour of its group.
pub(crate) fn state(item: &Item) -> Cell {
    let text = item.state.as_str();
    match item.state_group {
        StateGroup::Active => Cell::colored(text, AnsiColor::Yellow).marked('◐'),
        StateGroup::Resolved => Cell::colored(text, AnsiColor::Green).marked('✓'),
        StateGroup::Closed => Cell::colored(text, AnsiColor::BrightBlack).marked('●'),
        StateGroup::Backlog => Cell::from(text).marked('○'),
        StateGroup::Unknown => Cell::from(text),
    }
}

/// A priority, in colour where it is high.
pub(crate) fn priority(priority: Priority) -> Cell {
    let text = name(&priority);
    match priority {
        Priority::Highest => Cell::colored(text, AnsiColor::Red),
        Priority::High => Cell::colored(text, AnsiColor::Magenta),
        Priority::Medium | Priority::Low | Priority::Lowest | Priority::Unknown => Cell::from(text),
    }
}

/// Runs, one a row.
pub(crate) fn run_table<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Table {
    Table::of(runs)
        .id("ID", |run| run.id.as_str())
        .fixed("STATUS", |run| status(run.status))
        .fixed("ITEM", |run| run.item.as_str())
        .fixed("KIND", |run| name(&run.kind))
        .minor()
        .flexible("AGENT", |run| run.agent.name.as_str())
        .flexible("QUEUED", |run| when(run.queued_at))
        .minor()
        .flexible("PLAYBOOK", |run| run.playbook.name.as_str())
        .flexible("REASON", reason)
        .end()
}

/// Why a run waits or failed, as far as the caller may see it, and when it goes on by itself.
fn reason(run: &Run) -> String {
    let why = run.waiting_reason.as_deref().or(run.failure_reason.as_deref());
    let again = run.continues_at.map(|at| format!("continues {}", when(at)));
    why.map(ToOwned::to_owned).into_iter().chain(again).collect::<Vec<_>>().join(", ")
}

/// A run's state in its colour.
pub(crate) fn status(status: RunStatus) -> Cell {
    let text = name(&status);
    match status {
        RunStatus::Succeeded => Cell::colored(text, AnsiColor::Green).marked('✓'),
        RunStatus::Failed | RunStatus::TimedOut => Cell::colored(text, AnsiColor::Red).marked('✗'),
        RunStatus::Assigned | RunStatus::Running => Cell::colored(text, AnsiColor::Yellow).marked('◐'),
        RunStatus::Queued => Cell::from(text).marked('○'),
        RunStatus::Cancelled => Cell::from(text).marked('●'),
        RunStatus::Unknown => Cell::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, hyphenated};

    #[test]
    fn names_of_the_api_are_words() {
        for (name, words) in
            [("timedOut", "timed-out"), ("running", "running"), ("items[0].dueDate", "items[0].due-date")]
        {
            assert_eq!(hyphenated(name), words);
        }
    }

    #[test]
    fn durations_show_their_two_largest_units() {
        let start = "2026-01-01T00:00:00Z".parse().unwrap();
        for (end, text) in [
            ("2025-12-31T23:59:59Z", "0s"),
            ("2026-01-01T00:00:09.9Z", "9s"),
            ("2026-01-01T00:03:12Z", "3m 12s"),
            ("2026-01-02T01:02:03Z", "25h 2m"),
        ] {
            assert_eq!(duration(start, end.parse().unwrap()), text, "{end}");
        }
    }
}
