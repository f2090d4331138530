//! Jira's CSV: columns in any order, of which some repeat (`Labels`, `Comment`, `Attachment`, links), times of the zone
//! and locale of the person who exported them, and wiki markup.

use svc_api::records::{AttachmentRecord, CommentRecord};

use super::dates::Times;
use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::jira::{group, link, state};
use super::sheet::{self, Row};
use super::wiki_markup::markdown;
use crate::failure::Failure;

const KNOWN: &[&str] = &[
    "summary",
    "issue key",
    "issue id",
    "issue type",
    "status",
    "status category",
    "project key",
    "project name",
    "priority",
    "resolution",
    "assignee",
    "assignee id",
    "reporter",
    "reporter id",
    "creator",
    "creator id",
    "created",
    "updated",
    "resolved",
    "due date",
    "parent",
    "parent id",
    "parent key",
    "parent summary",
    "sprint",
    "component/s",
    "components",
    "fix version/s",
    "fix versions",
    "description",
    "labels",
    "comment",
    "comments",
    "attachment",
    "project type",
    "project lead",
    "project lead id",
    "project description",
    "status category changed",
    "last viewed",
];
const POINTS: &[&str] = &[
    "custom field (story points)",
    "custom field (story point estimate)",
    "story points",
    "story point estimate",
];
const EPIC: &str = "custom field (epic link)";

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || POINTS.contains(&name) || name == EPIC || link_type(name).is_some()
}

fn is_date(name: &str) -> bool {
    ["created", "updated", "resolved", "due date", "comment", "comments", "attachment"].contains(&name)
}

/// `Inward issue link (Blocks)`: the type, and whether it goes outward.
fn link_type(name: &str) -> Option<(&str, bool)> {
    let (outward, rest) = match name.strip_prefix("outward issue link (") {
        Some(rest) => (true, rest),
        None => (false, name.strip_prefix("inward issue link (")?),
    };
    Some((rest.strip_suffix(')')?, outward))
}

/// Reads the file.
///
/// # Errors
/// It is not this export, or its dates are ambiguous.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let times = dates.of_sheet(input, is_date)?;
    sheet::each((input.open)()?, input.name, &["issue key"], is_known, gathered, |row, gathered| {
        let Some(key) = row.one(&["issue key"]) else {
            let why = "it has no issue key";
            return gathered.report.miss("item", &format!("{} row {}", input.name, row.number), why);
        };
        let project = row.one(&["project key"]).or_else(|| Some(key.rsplit_once('-')?.0));
        if let Some(project) = project {
            gathered.name_source(&format!("jira:{project}"));
        }
        if let Some(number) = row.one(&["issue id"]) {
            gathered.alias(number, key);
        }
        let found = item(row, key, &times, gathered)?;
        let category = row.one(&["status category"]).and_then(group);
        gathered.item(found, category)?;
        for column in ["comment", "comments"] {
            for (number, cell) in row.all(column).into_iter().enumerate() {
                comment(cell, &format!("{key}/{}", number + 1), key, &times, gathered)?;
            }
        }
        for cell in row.all("attachment") {
            attachment(cell, key, gathered)?;
        }
        for (kind, outward, cell) in row
            .pairs()
            .filter_map(|(name, cell)| link_type(name).map(|(kind, outward)| (kind, outward, cell)))
        {
            link(kind, outward, key, cell.trim(), gathered)?;
        }
        Ok(())
    })
}

fn item(row: &Row, key: &str, times: &Times, gathered: &mut Gathered) -> Result<FoundItem, Failure> {
    let time = |name: &str| row.one(&[name]).and_then(|time| times.time(time));
    for column in ["created", "updated", "resolved", "due date"] {
        if let Some(text) = row.one(&[column]).filter(|text| times.time(text).is_none()) {
            gathered.report.miss_text(column, key, "it cannot be read as a time", text)?;
        }
    }
    let created = time("created").or_else(|| time("updated")).unwrap_or(gathered.now);
    let state = state(row.one(&["status"]).unwrap_or_default(), row.one(&["resolution"]));
    let mut found = FoundItem::new(key, row.one(&["summary"]).unwrap_or_default(), state, created);
    found.kind = row.one(&["issue type"]).map(str::to_owned);
    found.priority = row.one(&["priority"]).map(str::to_owned);
    let item = &mut found.item;
    item.key = Some(key.to_owned());
    item.body = row.one(&["description"]).map(markdown);
    item.assignee = person(row, &["assignee"], &["assignee id"], gathered);
    item.author = person(row, &["reporter", "creator"], &["reporter id", "creator id"], gathered);
    (item.updated_at, item.closed_at) = (time("updated"), time("resolved"));
    item.due = row.one(&["due date"]).and_then(|due| times.day(due));
    item.estimate = row.one(POINTS).and_then(|points| points.parse().ok());
    item.parent =
        row.one(&["parent key", "parent", "parent id", EPIC]).map(|parent| parent.trim().to_owned());
    // Older exports have all labels in one cell.
    let labels = row.all("labels").into_iter().flat_map(str::split_whitespace).map(str::to_owned);
    let components = ["component/s", "components"].into_iter().flat_map(|name| row.all(name));
    item.labels = labels.chain(components.map(str::to_owned)).collect();
    let mut sprints = row.all("sprint");
    item.sprint = sprints.pop().map(|name| gathered.sprint_named(name));
    for other in sprints {
        gathered.report.miss(
            "sprint",
            &format!("{key} {other}"),
            "an item is in one sprint; it was in this one before",
        )?;
    }
    let mut versions = ["fix version/s", "fix versions"].into_iter().flat_map(|name| row.all(name));
    item.milestone = versions.next().map(|name| gathered.milestone_named(name));
    for other in versions {
        gathered.report.miss("milestone", &format!("{key} {other}"), "an item has one milestone")?;
    }
    Ok(found)
}

/// A person, by account where the file has it.
fn person(row: &Row, names: &[&str], ids: &[&str], gathered: &mut Gathered) -> Option<String> {
    let name = row.one(names);
    gathered.person(row.one(ids).or(name)?, name, name.filter(|name| name.contains('@')))
}

/// `27/Sep/26 9:00 AM;account;text`.
fn comment(cell: &str, id: &str, item: &str, times: &Times, gathered: &mut Gathered) -> Result<(), Failure> {
    let mut parts = cell.splitn(3, ';');
    let (at, author, body) = (parts.next(), parts.next(), parts.next());
    let written = at.and_then(|at| times.time(at)).zip(body);
    let (author, created_at, body) = match written {
        Some((created_at, body)) => (author.and_then(|id| gathered.person(id, None, None)), created_at, body),
        None => {
            gathered.report.miss("comment", id, "its time and author cannot be read; its text comes")?;
            (None, gathered.now, cell)
        }
    };
    let (id, item, body) = (id.to_owned(), item.to_owned(), markdown(body));
    gathered.comment(CommentRecord { id, item, author, body, created_at, edited_at: None })
}

/// `27/Sep/26 9:00 AM;account;name;address`.
fn attachment(cell: &str, item: &str, gathered: &mut Gathered) -> Result<(), Failure> {
    let parts: Vec<&str> = cell.splitn(4, ';').collect();
    let &[_, _, name, url] = &parts[..] else {
        return gathered.report.miss_text("attachment", item, "it cannot be read", cell);
    };
    let id: String = url.chars().take(200).collect();
    gathered.attachment(&AttachmentRecord {
        id,
        item: item.to_owned(),
        comment: None,
        name: name.to_owned(),
        media_type: None,
        size: None,
        file: None,
        url: Some(url.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::exports::DateOrder;

    use crate::input::Dates;
    use crate::input::testing::{self, all, utc};

    #[test]
    fn an_export_with_every_trap() {
        let text = "\u{feff}Summary,Issue key,Issue id,Issue Type,Status,Status Category,Project key,Priority,Resolution,\
            Assignee,Assignee Id,Reporter,Created,Updated,Resolved,Due Date,Parent,Labels,Labels,Sprint,Sprint,\
            Component/s,Fix Version/s,Description,Comment,Comment,Attachment,Inward issue link (Blocks),\
            Outward issue link (Cloners),Custom field (Story Points),Custom field (Epic Link),Custom field (Team),Watchers\r\n\
            \"Search \"\"forgets\"\"\",SHOP-2,10002,Sub-task,Done,Done,SHOP,Highest,Won't Do,Ada King,557058:abc,eve@example.org,\
            27/Sep/26 9:00 AM,28/Sep/26 9:00 PM,28/Sep/26 8:00 PM,01/Oct/26 12:00 AM,10001,ui,api,Sprint 1,Sprint 2,Web,1.0,\
            \"h1. Steps\r\n* {{one}}, *two*\",27/Sep/26 10:00 AM;557058:abc;\"no; really\",Not a comment,\
            27/Sep/26 10:00 AM;557058:abc;shot.png;https://x.example/shot.png,SHOP-1,SHOP-3,5,,Blue,eve,one too many\r\n\
            Parent,SHOP-1,10001,Story,To Do,To Do,SHOP,,,,,Former user,13/Sep/26 9:00 AM\r\n";
        let mut gathered =
            testing::read("jira.csv", text.as_bytes(), |input, gathered| read(input, &utc(), gathered))
                .unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
    }

    #[test]
    fn both_orders_of_dates_are_read() {
        let created = |dates: &[&str], order| {
            let mut text = "Issue key,Summary,Created\n".to_owned();
            for (number, date) in dates.iter().enumerate() {
                text += &format!("A-{number},x,{date}\n");
            }
            let dates = Dates { order, ..utc() };
            let read =
                testing::read("jira.csv", text.as_bytes(), |input, gathered| read(input, &dates, gathered));
            read.map(|mut gathered| all(&mut gathered)["items"][0]["createdAt"].as_str().unwrap().to_owned())
        };
        assert_eq!(created(&["3/4/2026 16:14", "6/21/2025 16:14"], None).unwrap(), "2026-03-04T16:14:00Z");
        assert_eq!(created(&["3/4/2026 16:14", "21/6/2025 16:14"], None).unwrap(), "2026-04-03T16:14:00Z");
        assert_eq!(created(&["3/4/2026 4:14 PM"], Some(DateOrder::Dmy)).unwrap(), "2026-04-03T16:14:00Z");
        assert!(created(&["3/4/2026 16:14"], None).unwrap_err().hint.unwrap().contains("--dates"));
    }
}
