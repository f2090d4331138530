//! GitHub: issues and comments as its REST API answers them and as `gh issue list --json` writes them.
//!
//! An array of issues, several arrays, or one issue a line; comments are in the issues (`gh`) or in a file of their own
//! (`/issues/comments`). Pull requests are among the issues of the API, and stay there.

use serde_json::Value;
use svc_api::records::{CommentRecord, MilestoneRecord};
use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::json::{at, each, is, list, text};
use crate::failure::Failure;

/// Reads a file of issues, or of comments.
///
/// # Errors
/// It is not JSON, or has something else in it.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    each((input.open)()?, input.name, &[], |_, value| take(&value, dates, gathered))
}

/// Says how many comments GitHub counts and no file has.
///
/// # Errors
/// There is no place for the report.
pub fn tell_missing_comments(gathered: &mut Gathered) -> Result<(), Failure> {
    let (told, found) = (gathered.comments_told, gathered.comments.len() as u64);
    if told <= found {
        return Ok(());
    }
    let why = "GitHub lists them apart: `gh api --paginate repos/OWNER/REPO/issues/comments > comments.json`";
    gathered.report.miss("comments", &format!("{}", told - found), why)
}

/// Takes an issue or a comment.
///
/// # Errors
/// It is neither.
pub fn take(value: &Value, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    if let Some(issue) = text(value, &["issue_url"]) {
        let number = last(&issue).to_owned();
        return comment(value, &number, dates, gathered);
    }
    let Some(number) = text(value, &["number"]) else {
        return Err(Failure::rejected("this is no issue of GitHub: it has no number").hint(
            "with `gh issue list --json`, name number, title, body, state, stateReason, author, assignees, \
                   labels, milestone, comments, createdAt, updatedAt, closedAt and url",
        ));
    };
    if at(value, &["pull_request"]).is_some() {
        return gathered.report.miss("pull request", &format!("#{number}"), "pull requests stay at GitHub");
    }
    issue(value, &number, dates, gathered)?;
    // The API tells how many there are; `gh` has them here.
    gathered.comments_told += at(value, &["comments"]).and_then(Value::as_u64).unwrap_or_default();
    list(value, &["comments"]).iter().try_for_each(|one| comment(one, &number, dates, gathered))
}

fn issue(value: &Value, number: &str, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let times = dates.plain();
    let time = |paths: &[&str]| text(value, paths).and_then(|time| times.time(&time));
    let url = text(value, &["html_url", "url"]);
    if let Some(repository) = url.as_deref().and_then(repository) {
        gathered.name_source(&format!("github:{repository}"));
    }
    let (state, group) = state(value);
    let created = time(&["created_at", "createdAt"]).unwrap_or(gathered.now);
    let title = text(value, &["title"]).unwrap_or_default();
    let mut found = FoundItem::new(number, title, state, created);
    found.kind = text(value, &["type.name", "issueType.name"]);
    let item = &mut found.item;
    item.key = Some(format!("#{number}"));
    item.url = url;
    item.body = text(value, &["body"]);
    (item.updated_at, item.closed_at) =
        (time(&["updated_at", "updatedAt"]), time(&["closed_at", "closedAt"]));
    item.parent = text(value, &["parent.number", "parent_issue_url"]).map(|parent| last(&parent).to_owned());
    item.author = person(value, &["user", "author"], gathered);
    let mut assignees = Vec::new();
    for assignee in list(value, &["assignees"]) {
        assignees.extend(person(assignee, &[], gathered));
    }
    assignees.reverse();
    item.assignee = assignees.pop();
    for other in assignees {
        gathered.report.miss("assignee", &format!("#{number} {other}"), "an item has one assignee")?;
    }
    for label in list(value, &["labels"]) {
        if let Some(name) = label.as_str().map(str::to_owned).or_else(|| text(label, &["name"])) {
            gathered.label(&name, text(label, &["color"]).as_deref())?;
            item.labels.push(name);
        }
    }
    if let Some(milestone) = at(value, &["milestone"])
        && let Some(name) = text(milestone, &["title"])
    {
        let id = text(milestone, &["number"]).unwrap_or_else(|| name.clone());
        let record = MilestoneRecord {
            id: id.clone(),
            name,
            description: text(milestone, &["description"]),
            due: text(milestone, &["due_on", "dueOn"]).and_then(|due| times.day(&due)),
            closed: text(milestone, &["state"]).is_some_and(|state| state.eq_ignore_ascii_case("closed")),
        };
        gathered.milestones.entry(id.clone()).or_insert(record);
        item.milestone = Some(id);
    }
    if at(value, &["reactions.total_count"]).and_then(Value::as_u64).is_some_and(|count| count > 0) {
        gathered.report.miss("reactions", &format!("#{number}"), "reactions do not come")?;
    }
    if is(value, &["locked"]) {
        gathered.report.miss("lock", &format!("#{number}"), "conversations are not locked here")?;
    }
    gathered.item(found, Some(group))
}

/// The state with the reason of a closed issue, where it is not that it is done.
fn state(value: &Value) -> (String, StateGroup) {
    let is_closed = text(value, &["state"]).is_some_and(|state| state.eq_ignore_ascii_case("closed"));
    let reason = text(value, &["state_reason", "stateReason"]).unwrap_or_default().to_lowercase();
    match (is_closed, reason.as_str()) {
        (false, _) => ("open".to_owned(), StateGroup::Backlog),
        (true, "not_planned" | "duplicate") => {
            (format!("closed ({})", reason.replace('_', " ")), StateGroup::Closed)
        }
        (true, _) => ("closed".to_owned(), StateGroup::Closed),
    }
}

fn comment(value: &Value, issue: &str, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let id = text(value, &["id"]).unwrap_or_default();
    if text(value, &["html_url"]).is_some_and(|url| url.contains("/pull/")) {
        return gathered.report.miss("comment", &id, "it is on a pull request");
    }
    let times = dates.plain();
    let time = |paths: &[&str]| text(value, paths).and_then(|time| times.time(&time));
    let created_at = time(&["created_at", "createdAt"]).unwrap_or(gathered.now);
    let edited_at = time(&["updated_at", "updatedAt"]).filter(|edited| *edited > created_at);
    let author = person(value, &["user", "author"], gathered);
    let body = text(value, &["body"]).unwrap_or_default();
    gathered.comment(CommentRecord { id, item: issue.to_owned(), author, body, created_at, edited_at })
}

/// A person; nobody where the account was deleted.
fn person(value: &Value, paths: &[&str], gathered: &mut Gathered) -> Option<String> {
    let person = if paths.is_empty() { Some(value) } else { at(value, paths) }?;
    let login = text(person, &["login"]).filter(|login| login != "ghost")?;
    gathered.person(&login, text(person, &["name"]).as_deref(), text(person, &["email"]).as_deref())
}

/// `acme/shop` of `https://github.com/acme/shop/issues/7`.
fn repository(url: &str) -> Option<String> {
    let mut parts = url.rsplit('/').skip(2);
    let (name, owner) = (parts.next()?, parts.next()?);
    (url.contains("/issues/") && !owner.is_empty()).then(|| format!("{owner}/{name}"))
}

fn last(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{read, tell_missing_comments};
    use crate::input::testing::{self, all, utc};

    fn found(text: &str) -> Value {
        let read = testing::read("x.json", text.as_bytes(), |input, gathered| {
            read(input, &utc(), gathered)?;
            tell_missing_comments(gathered)
        });
        all(&mut read.unwrap())
    }

    #[test]
    fn the_api_s_issues_come_with_all_they_have() {
        let issues = json!([
            {
                "number": 7, "title": "Search", "body": "It\r\nfails", "state": "closed", "state_reason": "not_planned",
                "user": { "login": "ada" }, "assignees": [{ "login": "eve" }, { "login": "bob" }],
                "labels": [{ "name": "bug", "color": "d73a4a" }, "good first issue"],
                "milestone": { "number": 2, "title": "1.0", "due_on": "2026-10-01T07:00:00Z", "state": "closed" },
                "created_at": "2026-09-27T09:00:00Z", "updated_at": "2026-09-28T09:00:00Z",
                "closed_at": "2026-09-28T08:00:00Z", "comments": 2, "locked": true,
                "reactions": { "total_count": 1 }, "type": { "name": "Bug" },
                "html_url": "https://github.com/acme/shop/issues/7",
                "parent_issue_url": "https://api.github.com/repos/acme/shop/issues/3"
            },
            { "number": 8, "title": "A change", "pull_request": { "url": "x" }, "state": "open" },
            {
                "number": 9, "title": "Of a deleted account", "body": null, "state": "open", "state_reason": "reopened",
                "user": null, "created_at": "2026-09-27T09:00:00Z", "comments": 0, "milestone": null
            },
            {
                "id": 100, "body": "Me too", "user": { "login": "ghost" }, "created_at": "2026-09-27T10:00:00Z",
                "updated_at": "2026-09-27T11:00:00Z", "issue_url": "https://api.github.com/repos/acme/shop/issues/7",
                "html_url": "https://github.com/acme/shop/issues/7#issuecomment-100"
            },
            {
                "id": 101, "body": "LGTM", "issue_url": "https://api.github.com/repos/acme/shop/issues/8",
                "html_url": "https://github.com/acme/shop/pull/8#issuecomment-101"
            }
        ]);
        insta::assert_json_snapshot!(found(&format!("{issues}[]\n")));
    }

    #[test]
    fn what_gh_writes_is_read_too() {
        let found = found(
            &json!([{
                "number": 7, "title": "Search", "body": "", "state": "CLOSED", "stateReason": "COMPLETED",
                "author": { "login": "ada", "name": "Ada King" }, "assignees": [], "labels": [{ "name": "bug" }],
                "createdAt": "2026-09-27T09:00:00Z", "closedAt": "2026-09-28T09:00:00Z",
                "url": "https://github.com/acme/shop/issues/7",
                "comments": [{ "id": "IC_1", "author": { "login": "eve" }, "body": "Yes", "createdAt": "2026-09-27T10:00:00Z" }]
            }])
            .to_string(),
        );
        assert_eq!(found["source"], "github:acme/shop");
        assert_eq!(found["items"][0]["state"], "closed");
        assert_eq!(found["items"][0]["closedAt"], "2026-09-28T09:00:00Z");
        assert_eq!(found["comments"][0]["author"], "eve");
        assert_eq!(found["people"][0]["name"], "Ada King");
        assert_eq!(found["report"], json!([]));
    }

    #[test]
    fn something_else_is_refused() {
        let read = |text: &str| {
            let read =
                testing::read("x.json", text.as_bytes(), |input, gathered| read(input, &utc(), gathered));
            read.err().unwrap().title
        };
        assert_eq!(read(r#"[{"title": "x"}]"#), "this is no issue of GitHub: it has no number");
        assert!(read("Title\n").starts_with("x.json is not JSON"));
    }
}
