//! GitLab's CSV of issues, whose columns changed their order over the years. Its times are UTC, and it has no comments.

use jiff::tz::TimeZone;
use svc_api::tracker::StateGroup;

use super::dates::Times;
use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::Input;
use super::sheet;
use crate::failure::Failure;

const KNOWN: &[&str] = &[
    "issue id",
    "url",
    "title",
    "state",
    "description",
    "author",
    "author username",
    "assignee",
    "assignee username",
    "assignee(s)",
    "assignee(s) username(s)",
    "confidential",
    "locked",
    "due date",
    "created at (utc)",
    "updated at (utc)",
    "closed at (utc)",
    "milestone",
    "weight",
    "labels",
    "iteration",
    "type",
    "time estimate",
    "time spent",
];

/// Reads the file.
///
/// # Errors
/// It is not this export.
pub(crate) fn read(input: &Input<'_>, gathered: &mut Gathered) -> Result<(), Failure> {
    let times = Times { order: None, zone: TimeZone::UTC };
    gathered.report.miss(
        "comments",
        input.name,
        "this export has no comments; the export of the project has them",
    )?;
    let known = |name: &str| KNOWN.contains(&name);
    sheet::each((input.open)()?, input.name, &["issue id"], known, gathered, |row, gathered| {
        let cell = |name: &str| row.one(&[name]).map(str::trim);
        let time = |name: &str| cell(name).and_then(|time| times.time(time));
        let Some(id) = cell("issue id") else {
            let why = "it has no Issue ID";
            return gathered.report.miss("item", &format!("{} row {}", input.name, row.number), why);
        };
        if let Some(project) = cell("url").and_then(project_of) {
            gathered.name_source(&format!("gitlab:{project}"));
        }
        let state = cell("state").unwrap_or_default();
        let created = time("created at (utc)").unwrap_or(gathered.now);
        let mut found = FoundItem::new(id, row.one(&["title"]).unwrap_or_default(), state, created);
        found.kind = cell("type").map(str::to_owned);
        let item = &mut found.item;
        item.key = Some(format!("#{id}"));
        item.url = cell("url").map(str::to_owned);
        item.body = row.one(&["description"]).map(str::to_owned);
        item.author = gathered.person(
            cell("author username").or_else(|| cell("author")).unwrap_or_default(),
            cell("author"),
            None,
        );
        let names = row.one(&["assignee", "assignee(s)"]).unwrap_or_default();
        let usernames = row.one(&["assignee username", "assignee(s) username(s)"]).unwrap_or(names);
        for (number, (username, name)) in parts(usernames).zip(parts(names)).enumerate() {
            match number {
                0 => item.assignee = gathered.person(username, Some(name), None),
                _ => {
                    gathered.report.miss("assignee", &format!("#{id} {name}"), "an item has one assignee")?;
                }
            }
        }
        item.labels = parts(row.one(&["labels"]).unwrap_or_default()).map(str::to_owned).collect();
        item.due = cell("due date").and_then(|due| times.day(due));
        item.estimate = cell("weight").and_then(|weight| weight.parse().ok());
        (item.updated_at, item.closed_at) = (time("updated at (utc)"), time("closed at (utc)"));
        item.milestone = cell("milestone").map(|name| gathered.milestone_named(name));
        item.sprint = cell("iteration").map(|name| gathered.sprint_named(name));
        let is_yes = |name: &str| cell(name).is_some_and(|yes| yes.eq_ignore_ascii_case("yes"));
        if is_yes("confidential") {
            let why = "it was confidential; here everybody in the project sees it";
            gathered.report.miss("confidential", &format!("#{id}"), why)?;
        }
        if is_yes("locked") {
            gathered.report.miss("lock", &format!("#{id}"), "conversations are not locked here")?;
        }
        for column in ["time estimate", "time spent"] {
            if let Some(seconds) = cell(column).filter(|seconds| *seconds != "0") {
                gathered.report.miss_text(
                    "time",
                    &format!("#{id}"),
                    &format!("there is no place for its {column}"),
                    seconds,
                )?;
            }
        }
        let is_closed = found.item.closed_at.is_some() || state.eq_ignore_ascii_case("closed");
        gathered.item(found, Some(if is_closed { StateGroup::Closed } else { StateGroup::Backlog }))
    })
}

/// `acme/shop` of `https://gitlab.com/acme/shop/-/issues/7`.
fn project_of(url: &str) -> Option<&str> {
    let path = url.split_once("://")?.1.split_once('/')?.1;
    Some(path.split_once("/-/").or_else(|| path.split_once("/issues/"))?.0)
}

fn parts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split([',', ';']).map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::input::testing::{self, all};

    #[test]
    fn columns_in_any_order_are_read() {
        let text = "Title,Description,Issue ID,URL,State,Author,Author Username,Assignee,Assignee Username,Confidential,\
            Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,\
            Time Spent,Epic ID,Epic Title\n\
            \"Search, again\",\"a\n\nb\",7,https://gitlab.example/acme/sub/shop/-/issues/7,Closed,Ada King,ada,\"Eve, Bob\",\"eve,bob\",\
            Yes,No,2026-10-01,2026-09-27 09:00:00,2026-09-28 09:00:00,2026-09-28 09:00:00,1.0,3,\"bug,ui\",3600,0,5,Big\n\
            Bare,,8,https://gitlab.example/acme/sub/shop/-/issues/8,Open,Gone,,,,No,No,,2026-09-27 09:00:00\n";
        let mut gathered = testing::read("issues.csv", text.as_bytes(), read).unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
    }
}
