//! Items as a table that spreadsheets open: comma-separated values (RFC 4180), in UTF-8 with the mark by which
//! spreadsheets know it.
//!
//! Spreadsheets run a cell that begins like a formula. An apostrophe in front makes it a text. Where a spreadsheet takes
//! semicolons or tabs for the ends of cells, as in many languages, what follows one in a text begins a cell as well.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;
use svc_api::tracker::Item;
use svc_app::tracker::list::Rendered;

/// The mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// Characters that a formula begins with, also in their wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Characters that begin a cell, in some spreadsheet.
const BEGINS_CELL: [char; 4] = [';', '\t', '\r', '\n'];

/// The names of the columns, in their order.
const COLUMNS: [&str; 19] = [
    "key",
    "type",
    "title",
    "state",
    "priority",
    "labels",
    "assignee",
    "sprint",
    "parent",
    "estimate",
    "remaining",
    "due",
    "blocked",
    "links",
    "creator",
    "created",
    "updated",
    "resolved",
    "milestone",
];

/// The table of these items of a list; `names` are those of their sprints and milestones by id.
///
/// # Errors
/// [`csv::Error`], which never happens: the table is written to memory.
pub fn items(items: &[Rendered], names: &HashMap<String, String>) -> Result<Vec<u8>, csv::Error> {
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(MARK.to_vec());
    table.write_record(COLUMNS)?;
    for item in items {
        // A list holds what this program wrote.
        let Ok(item) = serde_json::from_str::<Item>(item.get()) else { continue };
        table.write_record(line(&item, names).iter().map(|cell| harmless(cell).into_owned()))?;
    }
    table.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

fn line(item: &Item, names: &HashMap<String, String>) -> [String; COLUMNS.len()] {
    let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    let called = |id: &Option<String>| id.as_ref().map(|id| names.get(id).unwrap_or(id).clone());
    let links: Vec<&str> = item.links.iter().map(|link| link.url.as_str()).collect();
    [
        item.key.clone(),
        word(&item.item_type),
        item.title.clone(),
        item.state.clone(),
        word(&item.priority),
        item.labels.join(" "),
        item.assignee.as_ref().map(|actor| actor.name.clone()).unwrap_or_default(),
        called(&item.sprint).unwrap_or_default(),
        item.parent.clone().unwrap_or_default(),
        number(item.estimate),
        number(item.remaining),
        item.due.map(|day| day.to_string()).unwrap_or_default(),
        item.blocked.to_string(),
        links.join(" "),
        item.created_by.name.clone(),
        item.created_at.to_string(),
        item.updated_at.to_string(),
        item.resolved_at.map(|at| at.to_string()).unwrap_or_default(),
        called(&item.milestone).unwrap_or_default(),
    ]
}

/// A word of the API as it is sent.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// A cell that no spreadsheet runs.
fn harmless(cell: &str) -> Cow<'_, str> {
    let runs = |part: &str| part.trim_start().starts_with(FORMULA);
    if !cell.split(BEGINS_CELL).any(runs) {
        return Cow::Borrowed(cell);
    }
    let parts = cell.split_inclusive(BEGINS_CELL);
    Cow::Owned(parts.map(|part| if runs(part) { format!("'{part}") } else { part.to_owned() }).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::json;
    use svc_app::tracker::list::Rendered;

    use super::{harmless, items};

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u{a0}=1", "＝1"] {
            assert_eq!(harmless(cell), format!("'{cell}"));
        }
        for (cell, text) in
            [("a;=1+1;b", "a;'=1+1;b"), ("\t=1", "\t'=1"), ("a\r\n -1", "a\r\n' -1"), (";;@a", ";;'@a")]
        {
            assert_eq!(harmless(cell), text);
        }
        for cell in ["", "1", "a=b", "PRJ-1", "2026-01-31", "\"=1\"", "a; b;", "a, -b"] {
            assert_eq!(harmless(cell), cell);
        }
    }

    #[test]
    fn an_item_is_a_line_with_its_sprint_and_milestone_by_name() {
        let actor =
            json!({"id": "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d", "name": "Ada, Countess", "agent": false});
        let item = json!({
            "key": "PRJ-1", "version": 1, "type": "bug", "title": "=cmd(\"x\")", "state": "In progress",
            "stateGroup": "active", "priority": "high", "labels": ["a", "b"], "estimate": 2.5, "sprint": "s-1",
            "milestone": "m-1",
            "blocked": true, "due": "2026-01-31", "createdBy": actor, "createdAt": "2026-01-01T12:00:00Z",
            "updatedAt": "2026-01-02T12:00:00Z",
        });
        let item = Rendered::from(serde_json::value::to_raw_value(&item).unwrap());
        let names = [("s-1", "Sprint 1"), ("m-1", "Beta")];
        let names = HashMap::from(names.map(|(id, name)| (id.to_owned(), name.to_owned())));
        let table = String::from_utf8(items(&[item], &names).unwrap()).unwrap();
        let expected = "\u{feff}key,type,title,state,priority,labels,assignee,sprint,parent,estimate,remaining,due,\
                        blocked,links,creator,created,updated,resolved,milestone\r\n\
                        PRJ-1,bug,\"'=cmd(\"\"x\"\")\",In progress,high,a b,,Sprint 1,,2.5,,2026-01-31,true,,\
                        \"Ada, Countess\",2026-01-01T12:00:00Z,2026-01-02T12:00:00Z,,Beta\r\n";
        assert_eq!(table, expected);
    }
}
