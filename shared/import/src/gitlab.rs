//! GitLab: the export of a project, a compressed archive with a file of JSON lines for each kind. Its uploads are taken
//! out into a temporary folder. Its CSV has a file of its own.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use svc_api::records::{AttachmentRecord, CommentRecord, MilestoneRecord, SprintRecord};
use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::json::{self, at, is, list, text};
use super::portions::Unpacked;
use crate::failure::Failure;

const ISSUES: &str = "tree/project/issues.ndjson";
const MEMBERS: &str = "tree/project/project_members.ndjson";
const UPLOADS: &str = "uploads/";

/// Reads the archive.
///
/// # Errors
/// It is not the export of a project.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    gathered.name_source(&format!("gitlab:{}", project_of(input.name)));
    let mut members = HashMap::new();
    // Members may come after the issues that name them.
    let most = gathered.bounds.unpacked;
    each_entry(input, most, |path, entry| match path {
        MEMBERS => json::each_line(entry, path, |line, _| {
            member(&value(line, path)?, gathered, &mut members);
            Ok(())
        }),
        _ => Ok(()),
    })?;
    let folder =
        tempfile::tempdir().map_err(|error| Failure::io("cannot make a temporary folder", &error))?;
    let takes_files = gathered.bounds.takes_files;
    let (mut has_issues, mut history) = (false, 0_u64);
    each_entry(input, most, |path, entry| {
        if path == ISSUES {
            has_issues = true;
            return json::each_line(entry, path, |line, _| {
                history += issue(&value(line, path)?, dates, &mut members, gathered)?;
                Ok(())
            });
        }
        if let Some(upload) = path.strip_prefix(UPLOADS).filter(|_| takes_files) {
            return unpack(upload, entry, folder.path());
        }
        Ok(())
    })?;
    if !has_issues {
        return Err(Failure::rejected(format!(
            "{} is no export of a GitLab project: it has no {ISSUES}",
            input.name
        ))
        .hint("in the project, choose Settings > General > Advanced > Export project"));
    }
    if history > 0 {
        gathered.report.miss(
            "history",
            &history.to_string(),
            "lines of history that GitLab wrote itself do not come",
        )?;
    }
    gathered.keep_folder(folder);
    Ok(())
}

fn value(line: &[u8], path: &str) -> Result<Value, Failure> {
    serde_json::from_slice(line).map_err(|error| Failure::rejected(format!("cannot read {path}: {error}")))
}

/// The name of the project in that of the file: `2026-09-27_10-11-123_acme_shop_export.tar.gz`.
fn project_of(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file);
    let name = name.split(".tar").next().unwrap_or(name).trim_end_matches("_export");
    name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_')
}

fn each_entry(
    input: &Input<'_>,
    most: u64,
    mut take: impl FnMut(&str, &mut dyn Read) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let broken = |error: std::io::Error| Failure::rejected(format!("cannot read {}: {error}", input.name));
    let bytes = MultiGzDecoder::new(BufReader::new((input.open)()?));
    let mut archive = tar::Archive::new(Unpacked { bytes, left: most });
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path().map_err(broken)?.to_string_lossy().trim_start_matches("./").to_owned();
        take(&path, &mut entry)?;
    }
    Ok(())
}

/// Takes an upload out, where its path is that of one: a digest and a name.
fn unpack(path: &str, entry: &mut dyn Read, folder: &Path) -> Result<(), Failure> {
    let mut parts = path.rsplit('/');
    let (Some(name), Some(digest)) = (parts.next(), parts.next()) else { return Ok(()) };
    if !digest.bytes().all(|byte| byte.is_ascii_hexdigit())
        || digest.is_empty()
        || matches!(name, "" | "." | "..")
    {
        return Ok(());
    }
    let unwritable = |error: std::io::Error| Failure::io("cannot write a temporary file", &error);
    let folder = folder.join(UPLOADS).join(digest);
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let mut file = std::fs::File::create(folder.join(name)).map_err(unwritable)?;
    std::io::copy(entry, &mut file).map_err(unwritable)?;
    Ok(())
}

fn member(value: &Value, gathered: &mut Gathered, members: &mut HashMap<String, String>) {
    let (Some(number), Some(user)) = (text(value, &["user.id", "user_id"]), at(value, &["user"])) else {
        return;
    };
    let Some(username) = text(user, &["username"]) else { return };
    let address = text(user, &["public_email", "email"]);
    let person = gathered.person(&username, text(user, &["name"]).as_deref(), address.as_deref());
    members.extend(person.map(|person| (number, person)));
}

/// The person of a number; one who is no member any more is known by the name of what they wrote.
fn person(
    number: Option<String>,
    name: Option<String>,
    members: &mut HashMap<String, String>,
    gathered: &mut Gathered,
) -> Option<String> {
    let number = number?;
    if let Some(known) = members.get(&number) {
        return Some(known.clone());
    }
    gathered.person(&format!("user {number}"), name.as_deref(), None)
}

/// Takes an issue, and answers how many lines of history it has.
fn issue(
    value: &Value,
    dates: &Dates,
    members: &mut HashMap<String, String>,
    gathered: &mut Gathered,
) -> Result<u64, Failure> {
    let times = dates.plain();
    let time = |path: &str| text(value, &[path]).and_then(|time| times.time(&time));
    let id = text(value, &["iid"]).unwrap_or_default();
    let state = text(value, &["state"]).unwrap_or_default();
    let is_closed = state == "closed";
    let created = time("created_at").unwrap_or(gathered.now);
    let mut found = FoundItem::new(&id, text(value, &["title"]).unwrap_or_default(), state, created);
    found.kind = text(value, &["issue_type", "work_item_type.name"]);
    let item = &mut found.item;
    item.key = Some(format!("#{id}"));
    item.body = text(value, &["description"]);
    item.author = person(text(value, &["author_id"]), None, members, gathered);
    let assigned = list(value, &["issue_assignees"]).iter().filter_map(|one| text(one, &["user_id"]));
    let mut assigned: Vec<String> = assigned.collect();
    assigned.reverse();
    item.assignee = person(assigned.pop(), None, members, gathered);
    for other in assigned {
        let other = person(Some(other), None, members, gathered).unwrap_or_default();
        gathered.report.miss("assignee", &format!("#{id} {other}"), "an item has one assignee")?;
    }
    for label in list(value, &["label_links"]).iter().filter_map(|link| at(link, &["label"])) {
        if let Some(name) = text(label, &["title"]) {
            gathered.label(&name, text(label, &["color"]).as_deref())?;
            item.labels.push(name);
        }
    }
    item.milestone = milestone(value, dates, gathered);
    item.sprint = sprint(value, dates, gathered);
    item.estimate = text(value, &["weight"]).and_then(|weight| weight.parse().ok());
    item.due = text(value, &["due_date"]).and_then(|due| times.day(&due));
    (item.updated_at, item.closed_at) = (time("updated_at"), time("closed_at").filter(|_| is_closed));
    if is(value, &["confidential"]) {
        let why = "it was confidential; here everybody in the project sees it";
        gathered.report.miss("confidential", &format!("#{id}"), why)?;
    }
    if at(value, &["time_estimate"]).and_then(Value::as_u64).is_some_and(|seconds| seconds > 0) {
        gathered.report.miss("time", &format!("#{id}"), "there is no place for its time estimate")?;
    }
    let mut uploads = uploads(item.body.as_deref().unwrap_or_default());
    gathered.item(found, Some(if is_closed { StateGroup::Closed } else { StateGroup::Backlog }))?;
    let mut history = list(value, &["resource_state_events"]).len() as u64;
    for (number, note) in list(value, &["notes"]).iter().enumerate() {
        if is(note, &["system"]) {
            history += 1;
            continue;
        }
        let body = text(note, &["note"]).unwrap_or_default();
        uploads.extend(self::uploads(&body));
        let time = |path: &str| text(note, &[path]).and_then(|time| times.time(&time));
        let author = person(text(note, &["author_id"]), text(note, &["author.name"]), members, gathered);
        if is(note, &["confidential", "internal"]) {
            let why = "this comment was internal; here everybody in the project sees it";
            gathered.report.miss("confidential", &format!("#{id}"), why)?;
        }
        let created_at = time("created_at").unwrap_or(gathered.now);
        gathered.comment(CommentRecord {
            id: text(note, &["id"]).unwrap_or_else(|| format!("{id}/{}", number + 1)),
            item: id.clone(),
            author,
            body,
            created_at,
            edited_at: time("last_edited_at").filter(|edited| *edited > created_at),
        })?;
    }
    for path in uploads {
        gathered.attachment(&AttachmentRecord {
            id: path.chars().take(200).collect(),
            item: id.clone(),
            comment: None,
            name: path.rsplit('/').next().unwrap_or_default().to_owned(),
            media_type: None,
            size: None,
            file: Some(path),
            url: None,
        })?;
    }
    Ok(history)
}

fn milestone(value: &Value, dates: &Dates, gathered: &mut Gathered) -> Option<String> {
    let milestone = at(value, &["milestone"])?;
    let name = text(milestone, &["title"])?;
    let record = MilestoneRecord {
        id: name.clone(),
        name: name.clone(),
        description: text(milestone, &["description"]),
        due: text(milestone, &["due_date"]).and_then(|due| dates.plain().day(&due)),
        closed: text(milestone, &["state"]).is_some_and(|state| state == "closed"),
    };
    gathered.milestones.entry(name.clone()).or_insert(record);
    Some(name)
}

fn sprint(value: &Value, dates: &Dates, gathered: &mut Gathered) -> Option<String> {
    let iteration = at(value, &["iteration", "sprint"])?;
    let day = |path: &str| text(iteration, &[path]).and_then(|day| dates.plain().day(&day));
    let (start, end) = (day("start_date"), day("due_date"));
    let name = text(iteration, &["title"]).or_else(|| Some(format!("{} to {}", start?, end?)))?;
    let (id, goal) =
        (text(iteration, &["iid"]).unwrap_or_else(|| name.clone()), text(iteration, &["description"]));
    let record = SprintRecord { id: id.clone(), name, goal, start, end, state: None };
    gathered.sprints.entry(id.clone()).or_insert(record);
    Some(id)
}

/// The paths of the uploads that a text names: `/uploads/<digest>/<name>`.
fn uploads(text: &str) -> BTreeSet<String> {
    let named = text.split("/uploads/").skip(1).filter_map(|rest| {
        let end = rest.find([')', ']', '"', '>', ' ', '\n', '\t']).unwrap_or(rest.len());
        let (digest, name) = rest[..end].split_once('/')?;
        let is_one = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_one && !name.is_empty() && !name.contains(['/', '\\']) && name != "..")
            .then(|| format!("{UPLOADS}{digest}/{name}"))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;

    use super::read;
    use crate::bounds::Bounds;
    use crate::input::testing::{self, all, utc};

    fn archive(files: &[(&str, String)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, text) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        let mut gz = archive.into_inner().unwrap();
        gz.flush().unwrap();
        gz.finish().unwrap()
    }

    #[test]
    fn an_export_with_every_trap() {
        let digest = "0123456789abcdef0123456789abcdef";
        let issue = json!({
            "iid": 7, "title": "Search", "description": format!("See ![shot](/uploads/{digest}/shot.png)"), "state": "closed",
            "author_id": 1, "issue_assignees": [{ "user_id": 2 }, { "user_id": 1 }],
            "label_links": [{ "label": { "title": "bug", "color": "#d9534f" } }, { "label": null }],
            "milestone": { "iid": 1, "title": "1.0", "due_date": "2026-10-01", "state": "active" },
            "notes": [
                { "id": 11, "note": "Yes", "author_id": 9, "author": { "name": "Has Left" }, "system": false, "created_at": "2026-09-27T10:00:00.000Z" },
                { "id": 12, "note": "changed the title", "author_id": 1, "system": true, "created_at": "2026-09-27T10:00:00.000Z" }
            ],
            "due_date": "2026-10-02", "confidential": true, "created_at": "2026-09-27T09:00:00.000Z",
            "closed_at": "2026-09-28T09:00:00.000Z", "issue_type": "incident", "weight": 3,
            "resource_state_events": [{ "state": "closed" }], "time_estimate": 3600
        });
        let open = json!({ "iid": 8, "title": "Open", "state": "opened", "created_at": "2026-09-27T09:00:00.000Z", "description": null, "milestone": null });
        let member = json!({ "user_id": 1, "user": { "id": 1, "username": "ada", "name": "Ada King", "public_email": "ada@example.org" } });
        let files = [
            ("VERSION", "0.2.4".to_owned()),
            ("./tree/project/issues.ndjson", format!("{issue}\n\n{open}\n")),
            ("./tree/project/project_members.ndjson", format!("{member}\n")),
            (&format!("uploads/{digest}/shot.png"), "picture".to_owned()),
            ("uploads/x/evil.png", "no".to_owned()),
        ];
        let name = "2026-09-27_10-11-123_acme_shop_export.tar.gz";
        let mut gathered =
            testing::read(name, &archive(&files), |input, gathered| read(input, &utc(), gathered)).unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
        let folder = gathered.folder().unwrap().join("uploads");
        assert_eq!(std::fs::read_to_string(folder.join(digest).join("shot.png")).unwrap(), "picture");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "nothing else is unpacked");
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let bytes = archive(&[("VERSION", "1".repeat(200_000))]);
        let bounds = Bounds { unpacked: 100_000, ..Bounds::NONE };
        let read = testing::read("x.tar.gz", &bytes, |input, gathered| {
            gathered.bound(bounds);
            read(input, &utc(), gathered)
        });
        assert!(read.unwrap_err().title.contains("unpacks to too much"));
    }

    #[test]
    fn something_else_is_refused() {
        let refused = |bytes: &[u8]| {
            let read = testing::read("x.tar.gz", bytes, |input, gathered| read(input, &utc(), gathered));
            read.err().unwrap().title
        };
        assert!(refused(&archive(&[("VERSION", "1".into())])).contains("no export of a GitLab project"));
        assert!(refused(b"no archive").starts_with("cannot read x.tar.gz"));
    }
}
