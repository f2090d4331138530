//! vibe-kanban's local database: the tasks of one of its projects. A task that was made from an attempt at another one
//! belongs to that one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::Dates;
use super::vibe_kanban::chosen;
use crate::failure::Failure;

/// Reads the database, without changing it.
///
/// # Errors
/// It is not this database, or it has several projects and none is named.
pub fn read(path: &Path, only: Option<&str>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let broken = |error: rusqlite::Error| {
        Failure::rejected(format!("{} is not the database of vibe-kanban: {error}", path.display()))
            .hint("it is called db.v2.sqlite or db.sqlite, in the data folder of vibe-kanban")
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(broken)?;
    let mut projects = BTreeMap::new();
    let mut names = HashMap::new();
    each(&db, "SELECT id, name FROM projects", |row| {
        let (id, name) = (id(row, 0), text(row, 1).unwrap_or_default());
        projects.insert(name.clone(), 0);
        names.insert(id, name);
        Ok(())
    })
    .map_err(broken)??;
    let project = chosen(&projects, only)?;
    gathered.name_source(&format!("vibe-kanban:{project}"));
    let attempts = attempts(&db);
    let parent = ["parent_workspace_id", "parent_task_attempt"]
        .into_iter()
        .find(|column| db.prepare(&format!("SELECT {column} FROM tasks")).is_ok());
    let query = format!(
        "SELECT id, project_id, title, description, status, created_at, updated_at, {} FROM tasks ORDER BY created_at",
        parent.unwrap_or("NULL")
    );
    let times = dates.plain();
    each(&db, &query, |row| {
        if names.get(&id(row, 1)) != Some(&project) {
            return Ok(());
        }
        let time = |column: usize| {
            text(row, column)
                .and_then(|time| times.time(&format!("{time} UTC")).or_else(|| times.time(&time)))
        };
        let (title, status) = (text(row, 2).unwrap_or_default(), text(row, 4).unwrap_or_default());
        let created = time(5).unwrap_or(gathered.now);
        let mut found = FoundItem::new(id(row, 0), title, &status, created);
        found.item.body = text(row, 3);
        found.item.updated_at = time(6);
        found.item.parent = attempts.get(&id(row, 7)).cloned();
        let is_closed = matches!(status.as_str(), "done" | "cancelled");
        gathered.item(found, is_closed.then_some(StateGroup::Closed))
    })
    .map_err(broken)??;
    let pictures =
        db.query_row("SELECT count(*) FROM task_images", [], |row| row.get::<_, i64>(0)).unwrap_or(0);
    if pictures > 0 {
        let why = "pictures are in vibe-kanban's cache, not in its database";
        gathered.report.miss("pictures", &pictures.to_string(), why)?;
    }
    let why = "attempts of agents and their logs stay in vibe-kanban";
    if !attempts.is_empty() {
        gathered.report.miss("attempts", &attempts.len().to_string(), why)?;
    }
    Ok(())
}

/// The task of each attempt, which later versions call workspaces.
fn attempts(db: &Connection) -> HashMap<String, String> {
    let mut attempts = HashMap::new();
    for table in ["workspaces", "task_attempts"] {
        let _ = each(db, &format!("SELECT id, task_id FROM {table} WHERE task_id IS NOT NULL"), |row| {
            attempts.insert(id(row, 0), id(row, 1));
            Ok(())
        });
    }
    attempts
}

fn each(
    db: &Connection,
    query: &str,
    mut take: impl FnMut(&Row<'_>) -> Result<(), Failure>,
) -> Result<Result<(), Failure>, rusqlite::Error> {
    let mut statement = db.prepare(query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Err(failure) = take(row) {
            return Ok(Err(failure));
        }
    }
    Ok(Ok(()))
}

/// An id: bytes in hexadecimal, or text.
fn id(row: &Row<'_>, column: usize) -> String {
    match row.get_ref(column) {
        Ok(ValueRef::Blob(bytes)) => hex::encode(bytes),
        Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        Ok(ValueRef::Integer(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn text(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column) {
        Ok(ValueRef::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::read;
    use crate::gathered::Gathered;
    use crate::input::testing::{all, utc};

    fn tables(attempts: &str, parent: &str) -> String {
        format!(
            "CREATE TABLE projects (id BLOB PRIMARY KEY, name TEXT NOT NULL);
             CREATE TABLE tasks (id BLOB PRIMARY KEY, project_id BLOB NOT NULL, title TEXT NOT NULL, description TEXT,
                 status TEXT NOT NULL, {parent} BLOB, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
             CREATE TABLE {attempts} (id BLOB PRIMARY KEY, task_id BLOB);
             CREATE TABLE task_images (task_id BLOB);
             INSERT INTO projects VALUES (x'01', 'Shop'), (x'02', 'Site');
             INSERT INTO tasks VALUES
                 (x'0a', x'01', 'Search', 'It fails', 'inprogress', NULL, '2026-09-27 09:00:00', '2026-09-28 09:00:00.123'),
                 (x'0b', x'01', 'Follow-up', NULL, 'cancelled', x'10', '2026-09-27T10:00:00Z', '2026-09-28 09:00:00'),
                 (x'0c', x'02', 'Elsewhere', NULL, 'todo', NULL, '2026-09-27 09:00:00', '2026-09-28 09:00:00');
             INSERT INTO {attempts} VALUES (x'10', x'0a');
             INSERT INTO task_images VALUES (x'0a');"
        )
    }

    #[test]
    fn the_tasks_of_a_project_come_from_older_and_newer_databases() {
        let directory = tempfile::tempdir().unwrap();
        for (attempts, parent) in
            [("workspaces", "parent_workspace_id"), ("task_attempts", "parent_task_attempt")]
        {
            let path = directory.path().join(attempts);
            Connection::open(&path).unwrap().execute_batch(&tables(attempts, parent)).unwrap();
            let mut gathered = Gathered::new("").unwrap();
            assert!(
                read(&path, None, &utc(), &mut gathered).unwrap_err().detail.unwrap().contains("Shop, Site")
            );
            read(&path, Some("Shop"), &utc(), &mut gathered).unwrap();
            insta::assert_json_snapshot!("tasks", all(&mut gathered));
        }
        let path = directory.path().join("other");
        std::fs::write(&path, "no database").unwrap();
        let read = read(&path, None, &utc(), &mut Gathered::new("").unwrap());
        assert!(read.unwrap_err().title.contains("is not the database of vibe-kanban"));
    }
}
