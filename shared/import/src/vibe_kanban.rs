//! vibe-kanban: the tables of its export (a ZIP of CSV files, unpacked). Its local database has a file of its own.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use svc_api::records::{AttachmentRecord, CommentRecord};
use svc_api::tracker::{LinkKind, StateGroup};

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::Dates;
use super::sheet;
use crate::failure::{About, Failure};

/// Opens a file of the export; nothing where there is none.
pub(crate) type Open<'a> = &'a dyn Fn(&str) -> Option<Box<dyn Read + 'a>>;

const ISSUES: &[&str] = &[
    "issue id",
    "title",
    "description",
    "status",
    "priority",
    "project",
    "assignee(s)",
    "labels",
    "creator",
    "created",
    "updated",
    "due date",
    "completed",
    "parent issue",
];

/// Reads the tables; of several projects the one that is named.
///
/// # Errors
/// There is no `issues.csv`, or it has several projects and none is named.
pub(crate) fn read(
    open: Open<'_>,
    only: Option<&str>,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let mut projects = BTreeMap::<String, u64>::new();
    each(open, "issues.csv", "issue id", ISSUES, gathered, |row, _| {
        *projects.entry(row.one(&["project"]).unwrap_or_default().to_owned()).or_default() += 1;
        Ok(())
    })?;
    let project = chosen(&projects, only)?;
    gathered.name_source(&format!("vibe-kanban:{project}"));
    // What was counted is told once.
    gathered.report = super::report::Report::new()?;
    let people = users(open, gathered)?;
    let of_project = |row: &sheet::Row| row.one(&["project"]).unwrap_or_default() == project;
    each(open, "tags.csv", "tag name", &["project", "tag name", "color"], gathered, |row, gathered| {
        if of_project(row)
            && let Some(name) = row.one(&["tag name"])
        {
            gathered.label(name, row.one(&["color"]))?;
        }
        Ok(())
    })?;
    each(open, "issues.csv", "issue id", ISSUES, gathered, |row, gathered| {
        if of_project(row) { issue(row, &people, dates, gathered) } else { Ok(()) }
    })?;
    let columns = ["issue id", "related issue id", "type", "created"];
    each(open, "relationships.csv", "issue id", &columns, gathered, |row, gathered| {
        let (Some(from), Some(to)) = (row.one(&["issue id"]), row.one(&["related issue id"])) else {
            return Ok(());
        };
        let relation = match row.one(&["type"]).unwrap_or_default().to_lowercase().as_str() {
            "blocking" => LinkKind::Blocks,
            "hasduplicate" | "has_duplicate" => LinkKind::DuplicatedBy,
            _ => LinkKind::Relates,
        };
        if gathered.has_item(from) { gathered.link(from, to, relation) } else { Ok(()) }
    })?;
    comments(open, &people, dates, gathered)?;
    files(open, gathered)
}

/// The project to bring.
pub(super) fn chosen(projects: &BTreeMap<String, u64>, only: Option<&str>) -> Result<String, Failure> {
    let names = || projects.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    match (only, projects.len()) {
        (Some(only), _) if projects.contains_key(only) => Ok(only.to_owned()),
        (Some(only), _) => Err(Failure::rejected(format!("there is no project {only:?}"))
            .about(About::MissingProject)
            .detail(format!("there are: {}", names()))),
        (None, 0) => Err(Failure::rejected("there is nothing to import")),
        (None, 1) => Ok(projects.keys().next().cloned().unwrap_or_default()),
        (None, _) => Err(Failure::rejected("this has several projects")
            .about(About::Only)
            .detail(format!("there are: {}", names()))
            .hint("name one with `--only NAME`, and import each into a project of its own")),
    }
}

fn each(
    open: Open<'_>,
    file: &str,
    required: &str,
    known: &[&str],
    gathered: &mut Gathered,
    take: impl FnMut(&sheet::Row, &mut Gathered) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match open(file) {
        Some(bytes) => sheet::each(bytes, file, &[required], |name| known.contains(&name), gathered, take),
        None if file == "issues.csv" => Err(Failure::rejected("there is no issues.csv")
            .hint("unpack the ZIP that vibe-kanban exported, and name its folder")),
        None => Ok(()),
    }
}

/// The person of each name. Two people of one name cannot be told apart.
fn users(open: Open<'_>, gathered: &mut Gathered) -> Result<HashMap<String, Option<String>>, Failure> {
    let mut people = HashMap::new();
    each(open, "users.csv", "email", &["email", "name"], gathered, |row, gathered| {
        let (Some(address), Some(name)) = (row.one(&["email"]), row.one(&["name"])) else { return Ok(()) };
        if people.contains_key(name) {
            people.insert(name.to_owned(), None);
            return gathered.report.miss(
                "person",
                name,
                "two people have this name, and the export does not tell them apart",
            );
        }
        people.insert(name.to_owned(), gathered.person(address, Some(name), Some(address)));
        Ok(())
    })?;
    Ok(people)
}

fn person(name: &str, people: &HashMap<String, Option<String>>, gathered: &mut Gathered) -> Option<String> {
    match people.get(name) {
        Some(Some(id)) => Some(id.clone()),
        _ => gathered.person(name, None, None),
    }
}

fn issue(
    row: &sheet::Row,
    people: &HashMap<String, Option<String>>,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let times = dates.plain();
    let time = |name: &str| row.one(&[name]).and_then(|time| times.time(time));
    let id = row.one(&["issue id"]).unwrap_or_default();
    let created = time("created").unwrap_or(gathered.now);
    let (title, state) = (row.one(&["title"]).unwrap_or_default(), row.one(&["status"]).unwrap_or_default());
    let mut found = FoundItem::new(id, title, state, created);
    found.priority = row.one(&["priority"]).map(str::to_owned);
    let item = &mut found.item;
    item.key = Some(id.to_owned());
    item.body = row.one(&["description"]).map(str::to_owned);
    item.author = row.one(&["creator"]).and_then(|name| person(name, people, gathered));
    let mut assignees =
        row.one(&["assignee(s)"]).unwrap_or_default().split(", ").filter(|name| !name.is_empty());
    item.assignee = assignees.next().and_then(|name| person(name, people, gathered));
    for other in assignees {
        gathered.report.miss("assignee", &format!("{id} {other}"), "an item has one assignee")?;
    }
    let labels = row.one(&["labels"]).unwrap_or_default().split(", ").filter(|label| !label.is_empty());
    item.labels = labels.map(str::to_owned).collect();
    item.due = row.one(&["due date"]).and_then(|due| times.day(due));
    item.parent = row.one(&["parent issue"]).map(str::to_owned);
    (item.updated_at, item.closed_at) = (time("updated"), time("completed"));
    let is_closed = found.item.closed_at.is_some();
    gathered.item(found, is_closed.then_some(StateGroup::Closed))
}

fn comments(
    open: Open<'_>,
    people: &HashMap<String, Option<String>>,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let (mut counts, times) = (HashMap::<String, u64>::new(), dates.plain());
    let columns = ["issue id", "author", "message", "created", "updated"];
    each(open, "comments.csv", "message", &columns, gathered, |row, gathered| {
        let Some(item) = row.one(&["issue id"]).filter(|item| gathered.has_item(item)) else { return Ok(()) };
        let time = |name: &str| row.one(&[name]).and_then(|time| times.time(time));
        let count = counts.entry(item.to_owned()).or_default();
        *count += 1;
        let created_at = time("created").unwrap_or(gathered.now);
        let author = row.one(&["author"]).and_then(|name| person(name, people, gathered));
        gathered.comment(CommentRecord {
            id: format!("{item}/{count}"),
            item: item.to_owned(),
            author,
            body: row.one(&["message"]).unwrap_or_default().to_owned(),
            created_at,
            edited_at: time("updated").filter(|edited| *edited > created_at),
        })
    })
}

/// Files, and links to pull requests.
fn files(open: Open<'_>, gathered: &mut Gathered) -> Result<(), Failure> {
    let columns = ["issue id", "filename", "content type", "size (bytes)", "file path in zip"];
    each(open, "attachments.csv", "filename", &columns, gathered, |row, gathered| {
        let Some(item) = row.one(&["issue id"]).filter(|item| gathered.has_item(item)) else { return Ok(()) };
        let path = row.one(&["file path in zip"]).unwrap_or_default();
        gathered.attachment(&AttachmentRecord {
            id: path.chars().take(200).collect(),
            item: item.to_owned(),
            comment: None,
            name: row.one(&["filename"]).unwrap_or_default().to_owned(),
            media_type: row.one(&["content type"]).map(str::to_owned),
            size: row.one(&["size (bytes)"]).and_then(|size| size.parse().ok()),
            file: Some(path.to_owned()),
            url: None,
        })
    })?;
    let columns = ["issue id(s)", "pr url", "pr number", "status", "merged at", "target branch"];
    each(open, "pull_requests.csv", "pr url", &columns, gathered, |row, gathered| {
        let (Some(url), Some(number)) = (row.one(&["pr url"]), row.one(&["pr number"])) else {
            return Ok(());
        };
        for item in row
            .one(&["issue id(s)"])
            .unwrap_or_default()
            .split(", ")
            .filter(|item| gathered.has_item(item))
            .map(str::to_owned)
            .collect::<Vec<_>>()
        {
            gathered.attachment(&AttachmentRecord {
                id: format!("{item} {url}").chars().take(200).collect(),
                item,
                comment: None,
                name: format!("Pull request #{number}"),
                media_type: None,
                size: None,
                file: None,
                url: Some(url.to_owned()),
            })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::read;
    use crate::failure::Failure;
    use crate::gathered::Gathered;
    use crate::input::testing::{all, utc};

    fn found(only: Option<&str>) -> Result<Gathered, Failure> {
        let open = |file: &str| {
            let text = match file {
                "issues.csv" => {
                    "Issue ID,Title,Description,Status,Priority,Project,Assignee(s),Labels,Creator,Created,Updated,Start Date,Due Date,Completed,Parent Issue\n\
                     BLO-1,Search,\"a\nb\",In review,Urgent,Shop,\"Ada King, Eve\",\"ui, api\",Eve,2026-09-27T09:00:00+00:00,2026-09-28T09:00:00+00:00,2026-09-27T09:00:00+00:00,2026-10-01T00:00:00+00:00,,BLO-2\n\
                     BLO-2,Parent,,Done,,Shop,,,Twin,2026-09-26T09:00:00+00:00,,,,2026-09-28T09:00:00+00:00,\n\
                     BLO-3,Elsewhere,,Todo,,Site,,,,2026-09-26T09:00:00+00:00,,,,,\n"
                }
                "users.csv" => {
                    "Email,Name\nada@example.org,Ada King\none@example.org,Twin\ntwo@example.org,Twin\n"
                }
                "tags.csv" => "Project,Tag Name,Color\nShop,ui,#d73a4a\nSite,other,#000000\n",
                "relationships.csv" => {
                    "Issue ID,Related Issue ID,Type,Created\nBLO-1,BLO-2,HasDuplicate,\nBLO-2,BLO-1,Blocking,\n"
                }
                "comments.csv" => {
                    "Issue ID,Author,Message,Created,Updated\nBLO-1,Ada King,Yes,2026-09-27T10:00:00+00:00,2026-09-27T10:00:00+00:00\nBLO-3,Eve,No,,\n"
                }
                "attachments.csv" => {
                    "Issue ID,Filename,Content Type,Size (bytes),File Path in ZIP\nBLO-1,shot.png,image/png,12,attachments/BLO-1/shot.png\n"
                }
                "pull_requests.csv" => {
                    "Issue ID(s),PR URL,PR Number,Status,Merged At,Target Branch\n\"BLO-1, BLO-3\",https://github.com/acme/shop/pull/5,5,Open,,main\n"
                }
                _ => return None,
            };
            Some(Box::new(text.as_bytes()) as Box<dyn Read>)
        };
        let mut gathered = Gathered::new("")?;
        read(&open, only, &utc(), &mut gathered)?;
        Ok(gathered)
    }

    #[test]
    fn the_tables_of_an_export_come_with_all_they_have() {
        insta::assert_json_snapshot!(all(&mut found(Some("Shop")).unwrap()));
    }

    #[test]
    fn of_several_projects_one_is_named() {
        assert!(found(None).err().unwrap().detail.unwrap().contains("Shop, Site"));
        assert!(found(Some("Nope")).err().unwrap().title.contains("no project"));
        let nothing = |_: &str| None;
        let read = read(&nothing, None, &utc(), &mut Gathered::new("x").unwrap());
        assert_eq!(read.unwrap_err().title, "there is no issues.csv");
    }
}
