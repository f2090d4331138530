//! Jira's JSON, of the API's versions 2 (texts in wiki markup) and 3 (documents): pages of issues, or an array of them.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_api::records::{AttachmentRecord, CommentRecord, MilestoneRecord, SprintRecord};
use svc_api::tracker::SprintState;

use super::adf;
use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::jira::{group, link, state};
use super::json::{at, each, is, list, text};
use super::wiki_markup;
use crate::failure::Failure;

/// Fields that are read, or of which nothing is lost.
const KNOWN: &[&str] = &[
    "summary",
    "description",
    "issuetype",
    "status",
    "priority",
    "labels",
    "parent",
    "assignee",
    "reporter",
    "creator",
    "created",
    "updated",
    "resolutiondate",
    "duedate",
    "comment",
    "issuelinks",
    "attachment",
    "components",
    "fixVersions",
    "resolution",
    "project",
    "subtasks",
    "statuscategorychangedate",
    "statusCategory",
    "lastViewed",
    "workratio",
    "watches",
    "votes",
    "progress",
    "aggregateprogress",
    "issuerestriction",
];

/// Reads a file of pages of issues.
///
/// # Errors
/// It is not JSON, or has something else in it.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let mut names = BTreeMap::new();
    each((input.open)()?, input.name, &["issues"], |list, value| {
        if let (true, Some(Value::Object(found))) = (list.is_empty(), at(&value, &["names"])) {
            let found = found.iter().filter_map(|(id, name)| Some((id.clone(), name.as_str()?.to_owned())));
            names.extend(found);
        }
        Ok(())
    })?;
    let (mut unknown, mut pages) = (BTreeMap::<String, u64>::new(), None);
    each((input.open)()?, input.name, &["issues"], |list, value| {
        if list.is_empty() && at(&value, &["fields"]).is_none() {
            pages = text(&value, &["nextPageToken"]).or(pages.take()).filter(|_| !is(&value, &["isLast"]));
            return Ok(());
        }
        take(&value, dates, &names, &mut unknown, gathered)
    })?;
    for (field, values) in unknown {
        let name = names.get(&field).unwrap_or(&field);
        let why = format!("there is no place for this field; issues with a value: {values}");
        gathered.report.miss("field", name, &why)?;
    }
    if pages.is_some() && !gathered.items.is_empty() {
        gathered.report.miss(
            "page",
            input.name,
            "the last page in this file names a next one: is it in another file?",
        )?;
    }
    Ok(())
}

fn take(
    value: &Value,
    dates: &Dates,
    names: &BTreeMap<String, String>,
    unknown: &mut BTreeMap<String, u64>,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let Some(key) = text(value, &["key"]) else {
        return Err(Failure::rejected("this is no issue of Jira: it has no key")
            .hint("use the answer of /rest/api/3/search/jql with fields=*all"));
    };
    if let Some((project, _)) = key.rsplit_once('-') {
        gathered.name_source(&format!("jira:{project}"));
    }
    let times = dates.plain();
    let time = |path: &str| text(value, &[path]).and_then(|time| times.time(&time));
    let status = text(value, &["fields.status.name"]).unwrap_or_default();
    let state = state(&status, text(value, &["fields.resolution.name"]).as_deref());
    let created = time("fields.created").unwrap_or(gathered.now);
    let mut found =
        FoundItem::new(&key, text(value, &["fields.summary"]).unwrap_or_default(), state, created);
    found.kind = text(value, &["fields.issuetype.name"]);
    found.priority = text(value, &["fields.priority.name"]);
    let item = &mut found.item;
    item.key = Some(key.clone());
    item.url =
        text(value, &["self"]).and_then(|api| Some(format!("{}/browse/{key}", api.split_once("/rest/")?.0)));
    item.body = body(at(value, &["fields.description"]));
    item.assignee = person(at(value, &["fields.assignee"]), gathered);
    item.author = person(at(value, &["fields.reporter", "fields.creator"]), gathered);
    (item.updated_at, item.closed_at) = (time("fields.updated"), time("fields.resolutiondate"));
    item.due = text(value, &["fields.duedate"]).and_then(|due| times.day(&due));
    item.parent = text(value, &["fields.parent.key"]);
    let components = list(value, &["fields.components"]).iter().filter_map(|part| text(part, &["name"]));
    let labels = list(value, &["fields.labels"]).iter().filter_map(|label| label.as_str().map(str::to_owned));
    item.labels = labels.chain(components).collect();
    item.milestone = milestone(value, &key, dates, gathered)?;
    custom(value, &key, names, unknown, &mut found, dates, gathered)?;
    let category = text(value, &["fields.status.statusCategory.key"]);
    gathered.item(found, category.as_deref().and_then(group))?;
    if let Some(number) = text(value, &["id"]) {
        gathered.alias(number, &key);
    }
    comments(value, &key, dates, gathered)?;
    for one in list(value, &["fields.issuelinks"]) {
        let kind = text(one, &["type.name"]).unwrap_or_default();
        for (path, outward) in [("outwardIssue.key", true), ("inwardIssue.key", false)] {
            if let Some(other) = text(one, &[path]) {
                link(&kind, outward, &key, &other, gathered)?;
            }
        }
    }
    for file in list(value, &["fields.attachment"]) {
        gathered.attachment(&AttachmentRecord {
            id: text(file, &["id"]).unwrap_or_default(),
            item: key.clone(),
            comment: None,
            name: text(file, &["filename"]).unwrap_or_default(),
            media_type: text(file, &["mimeType"]),
            size: at(file, &["size"]).and_then(Value::as_u64),
            file: None,
            url: text(file, &["content"]),
        })?;
    }
    Ok(())
}

/// Story points, epic and sprint by what they are; every other field of an organization's own is counted.
fn custom(
    value: &Value,
    key: &str,
    names: &BTreeMap<String, String>,
    unknown: &mut BTreeMap<String, u64>,
    found: &mut FoundItem,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let Some(Value::Object(fields)) = at(value, &["fields"]) else { return Ok(()) };
    for (field, value) in fields.iter().filter(|(field, _)| !KNOWN.contains(&field.as_str())) {
        let is_empty = match value {
            Value::Null => true,
            Value::Array(values) => values.is_empty(),
            Value::Object(values) => values.is_empty(),
            Value::Number(number) => !field.starts_with("customfield_") && number.as_f64() == Some(0.0),
            _ => false,
        };
        let sprints: Vec<&Value> =
            value.as_array().into_iter().flatten().filter(|one| at(one, &["boardId"]).is_some()).collect();
        let name = names.get(field).map(|name| name.to_lowercase()).unwrap_or_default();
        match (name.as_str(), value) {
            _ if is_empty => {}
            ("story points" | "story point estimate", Value::Number(points)) => {
                found.item.estimate = points.as_f64()
            }
            ("epic link", Value::String(epic)) => {
                found.item.parent.get_or_insert_with(|| epic.clone());
            }
            _ if !sprints.is_empty() => found.item.sprint = sprint(&sprints, key, dates, gathered)?,
            _ => *unknown.entry(field.clone()).or_default() += 1,
        }
    }
    Ok(())
}

/// The last of an issue's sprints.
fn sprint(
    sprints: &[&Value],
    key: &str,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<Option<String>, Failure> {
    let times = dates.plain();
    let Some((last, before)) = sprints.split_last() else { return Ok(None) };
    for other in before.iter().filter_map(|sprint| text(sprint, &["name"])) {
        gathered.report.miss(
            "sprint",
            &format!("{key} {other}"),
            "an item is in one sprint; it was in this one before",
        )?;
    }
    let (Some(id), Some(name)) = (text(last, &["id"]), text(last, &["name"])) else { return Ok(None) };
    let day = |path: &str| text(last, &[path]).and_then(|day| times.day(&day));
    let state = match text(last, &["state"]).as_deref() {
        Some("active") => Some(SprintState::Active),
        Some("closed") => Some(SprintState::Completed),
        _ => None,
    };
    let (goal, start, end) = (text(last, &["goal"]), day("startDate"), day("endDate"));
    gathered.sprints.entry(id.clone()).or_insert(SprintRecord {
        id: id.clone(),
        name,
        goal,
        start,
        end,
        state,
    });
    Ok(Some(id))
}

fn milestone(
    value: &Value,
    key: &str,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<Option<String>, Failure> {
    let versions = list(value, &["fields.fixVersions"]);
    for other in versions.iter().skip(1).filter_map(|version| text(version, &["name"])) {
        gathered.report.miss("milestone", &format!("{key} {other}"), "an item has one milestone")?;
    }
    let Some(version) = versions.first() else { return Ok(None) };
    let Some(name) = text(version, &["name"]) else { return Ok(None) };
    let id = text(version, &["id"]).unwrap_or_else(|| name.clone());
    let due = text(version, &["releaseDate"]).and_then(|day| dates.plain().day(&day));
    let (description, closed) = (text(version, &["description"]), is(version, &["released"]));
    let record = MilestoneRecord { id: id.clone(), name, description, due, closed };
    gathered.milestones.entry(id.clone()).or_insert(record);
    Ok(Some(id))
}

fn comments(value: &Value, key: &str, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let times = dates.plain();
    let comments = list(value, &["fields.comment.comments"]);
    for comment in comments {
        let time = |path: &str| text(comment, &[path]).and_then(|time| times.time(&time));
        let created_at = time("created").unwrap_or(gathered.now);
        let author = person(at(comment, &["author"]), gathered);
        let id = text(comment, &["id"]).unwrap_or_default();
        if at(comment, &["visibility"]).is_some() {
            gathered.report.miss(
                "visibility",
                &id,
                "only some saw this comment; here everybody in the project does",
            )?;
        }
        gathered.comment(CommentRecord {
            id,
            item: key.to_owned(),
            author,
            body: body(at(comment, &["body"])).unwrap_or_default(),
            created_at,
            edited_at: time("updated").filter(|edited| *edited > created_at),
        })?;
    }
    let total = at(value, &["fields.comment.total"]).and_then(Value::as_u64).unwrap_or_default();
    if total > comments.len() as u64 {
        let why = "the file has only some of its comments; those that are missing: ";
        gathered.report.miss("comments", key, &format!("{why}{}", total - comments.len() as u64))?;
    }
    Ok(())
}

/// A text: a document, or wiki markup.
fn body(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(wiki_markup::markdown(text)),
        document => Some(adf::markdown(document)),
    }
}

/// A person; a deleted one has an account without a name.
fn person(value: Option<&Value>, gathered: &mut Gathered) -> Option<String> {
    let id = text(value?, &["accountId", "name", "key"])?;
    gathered.person(
        &id,
        text(value?, &["displayName"]).as_deref(),
        text(value?, &["emailAddress"]).as_deref(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;
    use crate::input::testing::{self, all, utc};

    #[test]
    fn both_versions_come_with_all_they_have() {
        let document = |words: &str| {
            let text = json!([{ "type": "text", "text": words, "marks": [{ "type": "strong" }] }]);
            json!({ "type": "doc", "version": 1, "content": [{ "type": "paragraph", "content": text }] })
        };
        let page = json!({
            "expand": "names",
            "issues": [
                {
                    "id": "10002", "key": "SHOP-2", "self": "https://acme.example/rest/api/3/issue/10002",
                    "fields": {
                        "summary": "Search forgets", "description": document("loud"),
                        "issuetype": { "name": "Sub-task" }, "priority": { "name": "High" },
                        "status": { "name": "Done", "statusCategory": { "key": "done" } },
                        "resolution": { "name": "Duplicate" }, "labels": ["ui"], "parent": { "key": "SHOP-1" },
                        "assignee": { "accountId": "5b1", "displayName": "Ada King", "emailAddress": "ada@example.org" },
                        "reporter": { "accountId": "gone" }, "created": "2026-09-27T09:00:00.000+0200",
                        "resolutiondate": "2026-09-28T09:00:00.000+0000", "duedate": "2026-10-01",
                        "components": [{ "name": "Web" }],
                        "fixVersions": [{ "id": "7", "name": "1.0", "releaseDate": "2026-10-01", "released": true }, { "name": "2.0" }],
                        "comment": { "total": 2, "comments": [{
                            "id": "55", "author": { "accountId": "5b1" }, "body": document("yes"),
                            "created": "2026-09-27T10:00:00.000+0000", "updated": "2026-09-27T11:00:00.000+0000",
                            "visibility": { "type": "role" }
                        }] },
                        "issuelinks": [
                            { "type": { "name": "Blocks" }, "inwardIssue": { "key": "SHOP-1" } },
                            { "type": { "name": "Cloners" }, "outwardIssue": { "key": "OTHER-9" } }
                        ],
                        "attachment": [{ "id": "9", "filename": "shot.png", "content": "https://acme.example/9", "mimeType": "image/png", "size": 12 }],
                        "customfield_10016": 5.0, "customfield_10017": { "value": "Blue" }, "customfield_10018": null,
                        "customfield_10020": [
                            { "id": 3, "name": "Sprint 1", "state": "closed", "boardId": 1 },
                            { "id": 4, "name": "Sprint 2", "state": "active", "boardId": 1, "startDate": "2026-09-21T08:00:00.000Z", "goal": "Ship" }
                        ]
                    }
                },
                {
                    "id": "10001", "key": "SHOP-1",
                    "fields": { "summary": "Parent", "description": "h1. Old *markup*", "status": { "name": "To Do" }, "assignee": null, "created": "2026-09-26T09:00:00.000+0000" }
                }
            ],
            "names": { "customfield_10016": "Story Points", "customfield_10017": "Team" },
            "nextPageToken": "abc"
        });
        let mut gathered = testing::read("jira.json", page.to_string().as_bytes(), |input, gathered| {
            read(input, &utc(), gathered)
        })
        .unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
    }

    #[test]
    fn something_else_is_refused() {
        let text = json!([{ "fields": {}, "title": "x" }]).to_string();
        let read = testing::read("x.json", text.as_bytes(), |input, gathered| read(input, &utc(), gathered));
        assert!(read.err().unwrap().title.contains("no issue of Jira"));
    }
}
