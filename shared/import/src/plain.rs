//! Any CSV: columns by name, without case, or as `--map` says.

use std::collections::BTreeMap;

use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::sheet;
use crate::failure::{About, Failure};

/// Each field, and the columns that it is read from.
const FIELDS: &[(&str, &[&str])] = &[
    ("id", &["id", "key", "issue key", "number"]),
    ("title", &["title", "summary", "name", "subject", "task"]),
    ("body", &["body", "description", "notes", "details"]),
    ("state", &["state", "status"]),
    ("type", &["type", "issue type", "kind", "tracker"]),
    ("priority", &["priority"]),
    ("labels", &["labels", "label", "tags", "tag"]),
    ("assignee", &["assignee", "assigned to", "owner"]),
    ("author", &["author", "creator", "reporter", "created by"]),
    ("estimate", &["estimate", "points", "story points", "weight"]),
    ("due", &["due", "due date", "deadline"]),
    ("milestone", &["milestone", "version", "release"]),
    ("sprint", &["sprint", "iteration", "cycle"]),
    ("parent", &["parent", "parent id", "parent key", "epic"]),
    ("url", &["url", "link"]),
    ("created", &["created", "created at", "created on", "date created"]),
    ("updated", &["updated", "updated at", "last modified", "modified"]),
    ("closed", &["closed", "closed at", "completed", "completed at", "resolved", "finished"]),
];

/// The columns of each field.
#[derive(Debug)]
pub struct Fields(BTreeMap<&'static str, Vec<String>>);

impl Fields {
    /// The usual columns, and those that `--map FIELD=COLUMN` names instead.
    ///
    /// # Errors
    /// There is no such field.
    pub fn new(maps: &[String]) -> Result<Self, Failure> {
        let usual = FIELDS.iter().map(|(field, columns)| {
            (*field, columns.iter().map(|column| (*column).to_owned()).collect::<Vec<_>>())
        });
        let mut fields: BTreeMap<_, _> = usual.collect();
        let known = fields.keys().copied().collect::<Vec<_>>().join(", ");
        for map in maps {
            let named = map.split_once('=').filter(|(_, column)| !column.is_empty());
            let place = named.and_then(|(field, column)| Some((fields.get_mut(field.trim())?, column)));
            let Some((place, column)) = place else {
                return Err(Failure::rejected(format!("{map:?} is not FIELD=COLUMN"))
                    .about(About::Columns)
                    .detail(format!("the fields are: {known}")));
            };
            *place = vec![column.trim().to_lowercase()];
        }
        Ok(Self(fields))
    }

    fn columns(&self, field: &str) -> Vec<&str> {
        self.0.get(field).into_iter().flatten().map(String::as_str).collect()
    }
}

/// Reads the file.
///
/// # Errors
/// It has no column for titles, or its dates are ambiguous.
pub(crate) fn read(
    input: &Input<'_>,
    dates: &Dates,
    fields: &Fields,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let is_date = |name: &str| {
        ["due", "created", "updated", "closed"].iter().any(|field| fields.columns(field).contains(&name))
    };
    let times = dates.of_sheet(input, is_date)?;
    let known: Vec<&str> = fields.0.values().flatten().map(String::as_str).collect();
    let required = fields.columns("title");
    let mut without_id = 0_u64;
    sheet::each(
        (input.open)()?,
        input.name,
        &required,
        |name| known.contains(&name),
        gathered,
        |row, gathered| {
            let cell = |field: &str| row.one(&fields.columns(field));
            let time = |field: &str| cell(field).and_then(|time| times.time(time));
            let number = format!("row {}", row.number);
            without_id += u64::from(cell("id").is_none());
            let id = cell("id").map_or(number, |id| id.trim().to_owned());
            let created = time("created").or_else(|| time("updated")).unwrap_or(gathered.now);
            let mut found = FoundItem::new(
                &id,
                cell("title").unwrap_or_default(),
                cell("state").unwrap_or_default(),
                created,
            );
            found.kind = cell("type").map(str::to_owned);
            found.priority = cell("priority").map(str::to_owned);
            let item = &mut found.item;
            item.key = cell("id").map(str::to_owned);
            item.url = cell("url").map(str::to_owned);
            item.body = cell("body").map(str::to_owned);
            item.estimate = cell("estimate").and_then(|estimate| estimate.replace(',', ".").parse().ok());
            item.assignee = cell("assignee").and_then(|name| gathered.person(name, None, None));
            item.author = cell("author").and_then(|name| gathered.person(name, None, None));
            (item.updated_at, item.closed_at) = (time("updated"), time("closed"));
            item.parent = cell("parent").map(|parent| parent.trim().to_owned());
            let labels = fields.columns("labels").into_iter().flat_map(|column| row.all(column));
            let labels = labels.flat_map(|cell| cell.split([',', ';', '\n'])).map(str::trim);
            item.labels = labels.filter(|label| !label.is_empty()).map(str::to_owned).collect();
            item.milestone = cell("milestone").map(|name| gathered.milestone_named(name.trim()));
            item.sprint = cell("sprint").map(|name| gathered.sprint_named(name.trim()));
            item.due = cell("due").and_then(|due| times.day(due));
            for (field, read) in [
                ("due", item.due.is_some()),
                ("created", time("created").is_some()),
                ("updated", item.updated_at.is_some()),
                ("closed", item.closed_at.is_some()),
                ("estimate", item.estimate.is_some()),
            ] {
                if let Some(text) = cell(field).filter(|_| !read) {
                    gathered.report.miss_text(field, &id, "it cannot be read", text)?;
                }
            }
            let is_closed = found.item.closed_at.is_some();
            gathered.item(found, is_closed.then_some(StateGroup::Closed))
        },
    )?;
    if without_id > 0 {
        let why =
            "these rows have no id: their numbers tell them apart, so keep their order when you import again";
        gathered.report.miss("rows", &without_id.to_string(), why)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Fields, read};
    use crate::input::testing::{self, all, utc};

    fn found(text: &str, maps: &[&str]) -> serde_json::Value {
        let maps: Vec<String> = maps.iter().map(|map| (*map).to_owned()).collect();
        let fields = Fields::new(&maps).unwrap();
        let read = testing::read("work.csv", text.as_bytes(), |input, gathered| {
            read(input, &utc(), &fields, gathered)
        });
        all(&mut read.unwrap())
    }

    #[test]
    fn columns_are_found_by_their_usual_names() {
        insta::assert_json_snapshot!(found(
            "Id;SUMMARY;Description;Status;Tags;Tags;Owner;Points;Due Date;Created;Mood\r\n\
             A-1;First;\"Text\n\nmore\";Doing;ui, api;web;ada@example.org;2,5;3/4/2026;27/3/2026 10:00;good\r\n\
             A-2;Second;;Done;;;;many;soon\r\n\
             ;Third\r\n",
            &[],
        ));
    }

    #[test]
    fn columns_are_named_on_the_command_line() {
        let found = found("Was,Wie\nLaufen,schnell\n", &["title=Was", "priority = wie"].map(|map| map));
        assert_eq!(found["items"][0]["title"], "Laufen");
        assert_eq!(found["items"][0]["priority"], json!("schnell"));
        for map in ["colour=Was", "title", "title="] {
            assert!(
                Fields::new(&[map.to_owned()]).err().unwrap().title.contains("is not FIELD=COLUMN"),
                "{map}"
            );
        }
    }
}
