//! Linear: the CSV that it exports, of both layouts. It has no comments. A leading `'` guards what a spreadsheet would
//! take for a formula, and empty cells at the end of a row may be missing.

use svc_api::records::{MilestoneRecord, SprintRecord};
use svc_api::tracker::{LinkKind, StateGroup};

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::sheet::{self, Row};
use crate::failure::Failure;

const KNOWN: &[&str] = &[
    "id",
    "team",
    "title",
    "description",
    "status",
    "estimate",
    "priority",
    "project id",
    "project",
    "creator",
    "assignee",
    "labels",
    "cycle number",
    "cycle name",
    "cycle start",
    "cycle end",
    "created",
    "updated",
    "completed",
    "canceled",
    "archived",
    "due date",
    "parent issue",
    "project milestone id",
    "project milestone",
    "uuid",
    "related to",
    "blocked by",
    "duplicate of",
];
const DATES: &[&str] =
    &["created", "updated", "completed", "canceled", "due date", "cycle start", "cycle end"];

/// Reads the file.
///
/// # Errors
/// It is not this export, or its dates are ambiguous.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let times = dates.of_sheet(input, |name| DATES.contains(&name))?;
    gathered.report.miss("comments", input.name, "this export has no comments")?;
    let known = |name: &str| KNOWN.contains(&name);
    sheet::each((input.open)()?, input.name, &["id"], known, gathered, |row, gathered| {
        let cell = |name: &str| row.one(&[name]).map(unguarded);
        let time = |name: &str| cell(name).and_then(|time| times.time(time));
        let day = |name: &str| cell(name).and_then(|day| times.day(day));
        let Some(id) = cell("id") else {
            let why = "it has no ID";
            return gathered.report.miss("item", &format!("{} row {}", input.name, row.number), why);
        };
        if let Some((team, _)) = id.rsplit_once('-') {
            gathered.name_source(&format!("linear:{team}"));
        }
        let created = time("created").unwrap_or(gathered.now);
        let (title, state) = (cell("title").unwrap_or_default(), cell("status").unwrap_or_default());
        let mut found = FoundItem::new(id, title, state, created);
        found.priority = cell("priority").filter(|word| *word != "No priority").map(str::to_owned);
        let item = &mut found.item;
        item.key = Some(id.to_owned());
        item.body = cell("description").map(str::to_owned);
        item.estimate = cell("estimate").and_then(|estimate| estimate.parse().ok());
        item.author = cell("creator").and_then(|name| gathered.person(name, None, None));
        item.assignee = cell("assignee").and_then(|name| gathered.person(name, None, None));
        item.labels = names(cell("labels")).map(str::to_owned).collect();
        item.updated_at = time("updated");
        item.closed_at = time("completed").or_else(|| time("canceled"));
        item.due = day("due date");
        item.parent = cell("parent issue").map(str::to_owned);
        item.milestone = milestone(row, gathered);
        if let Some(number) = cell("cycle number") {
            let name = cell("cycle name").map_or_else(|| format!("Cycle {number}"), str::to_owned);
            let (start, end) = (day("cycle start"), day("cycle end"));
            let id = format!("cycle {number}");
            let sprint = SprintRecord { id: id.clone(), name, goal: None, start, end, state: None };
            gathered.sprints.entry(id.clone()).or_insert(sprint);
            item.sprint = Some(id);
        }
        for (column, relation) in [
            ("related to", LinkKind::Relates),
            ("blocked by", LinkKind::BlockedBy),
            ("duplicate of", LinkKind::Duplicates),
        ] {
            for other in names(cell(column)) {
                gathered.link(id, other, relation)?;
            }
        }
        if let Some(uuid) = cell("uuid") {
            gathered.alias(uuid, id);
        }
        if cell("archived").is_some() {
            gathered.report.miss("archive", id, "it was archived; here it is as every other item")?;
        }
        let is_closed = found.item.closed_at.is_some();
        gathered.item(found, is_closed.then_some(StateGroup::Closed))
    })
}

/// The project, with its milestone where the issue has one.
fn milestone(row: &Row, gathered: &mut Gathered) -> Option<String> {
    let cell = |name: &str| row.one(&[name]).map(unguarded);
    let project = cell("project")?;
    let project_id = cell("project id").unwrap_or(project);
    let (id, name) = match cell("project milestone") {
        Some(name) => {
            (cell("project milestone id").unwrap_or(name).to_owned(), format!("{project} / {name}"))
        }
        None => (project_id.to_owned(), project.to_owned()),
    };
    let record = MilestoneRecord { id: id.clone(), name, description: None, due: None, closed: false };
    gathered.milestones.entry(id.clone()).or_insert(record);
    Some(id)
}

/// A cell without the mark that guards a formula.
fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t'])).unwrap_or(cell)
}

/// Names with a comma and a space between them.
fn names(cell: Option<&str>) -> impl Iterator<Item = &str> {
    cell.unwrap_or_default().split(", ").map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::input::testing::{self, all, utc};

    #[test]
    fn an_export_with_every_trap() {
        let text = "\u{feff}\"ID\",\"Team\",\"Title\",\"Description\",\"Status\",\"Estimate\",\"Priority\",\"Project ID\",\
            \"Project\",\"Creator\",\"Assignee\",\"Labels\",\"Cycle Number\",\"Cycle Name\",\"Cycle Start\",\"Cycle End\",\
            \"Created\",\"Updated\",\"Started\",\"Triaged\",\"Completed\",\"Canceled\",\"Archived\",\"Due Date\",\
            \"Parent issue\",\"Initiatives\",\"Project Milestone ID\",\"Project Milestone\",\"SLA Status\",\"UUID\",\
            \"Time in status (minutes)\",\"Related to\",\"Blocked by\",\"Duplicate of\"\r\n\
            \"ENG-1\",\"Engine\",\"'=SUM(a) fails\",\"Two\r\nlines, \"\"quoted\"\"\",\"In Progress\",\"3\",\"Urgent\",\"p1\",\
            \"Relaunch\",\"ada@example.org\",\"eve@example.org\",\"Bug, UI\",\"4\",\"\",\"2026-09-21\",\"2026-10-04\",\
            \"2026-09-20T10:00:00.000Z\",\"2026-09-21T10:00:00.000Z\",\"2026-09-21T09:00:00.000Z\",\"\",\"\",\"\",\"\",\
            \"2026-10-01\",\"\",\"\",\"m1\",\"Beta\",\"\",\"0197-uuid\",\"12\",\"ENG-3\",\"ENG-2, ENG-9\",\"\"\r\n\
            \"ENG-2\",\"Engine\",\"'quoted' word\",\"\",\"Canceled\",\"\",\"No priority\",\"p1\",\"Relaunch\",\"Former member\",\
            \"\",\"\",\"\",\"\",\"\",\"\",\"Sun Sep 20 2026 10:00:00 GMT+0000 (GMT)\",\"\",\"\",\"\",\"\",\
            \"2026-09-22T10:00:00.000Z\",\"2026-10-22T10:00:00.000Z\",\"\",\"ENG-1\"\r\n\
            \"\",\"Engine\",\"Without an ID\"\r\n";
        let mut gathered =
            testing::read("linear.csv", text.as_bytes(), |input, gathered| read(input, &utc(), gathered))
                .unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
    }
}
