//! The mapping of words as a file that one edits, and as a table.

use std::path::Path;

use svc_import::Proposed;
use svc_import::exports::ImportMapping;

use crate::failure::Failure;
use crate::output::{Column, Table, wire};

/// Reads a mapping. A file of people may also have nothing but people and addresses.
///
/// # Errors
/// The file cannot be read, or is none.
pub(crate) fn read_mapping(path: &Path) -> Result<ImportMapping, Failure> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::rejected(format!("cannot read {file}: {error}")))?;
    let people =
        || serde_json::from_str(&text).map(|people| ImportMapping { people, ..ImportMapping::default() });
    serde_json::from_str(&text).or_else(|error| people().map_err(|_| error)).map_err(|error| {
        Failure::rejected(format!("{file} is not a mapping: {error}"))
            .hint("`svc import --dry-run --save-mapping FILE` writes one to edit")
    })
}

/// Writes a mapping.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_mapping(mapping: &ImportMapping, path: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(mapping).map_err(std::io::Error::from);
    text.and_then(|text| std::fs::write(path, text + "\n"))
        .map_err(|error| Failure::io(format!("cannot write {}", path.display()), &error))
}

/// What stands for which word.
pub(crate) fn table(proposed: &Proposed) -> Table {
    let mut table = Table::new([
        Column::fixed("WHAT"),
        Column::flexible("AT THE SOURCE"),
        Column::fixed("ITEMS"),
        Column::fixed("BY"),
        Column::flexible("HERE"),
    ]);
    for (what, words) in
        [("state", &proposed.states), ("type", &proposed.types), ("priority", &proposed.priorities)]
    {
        for word in words {
            let target = if word.target.is_empty() { "(none)" } else { &word.target };
            let cells = [what, &word.source, &word.count.to_string(), &wire(&word.by), target];
            table.row(cells.map(Into::into));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use svc_import::exports::ImportMapping;

    use super::{read_mapping, write_mapping};

    #[test]
    fn what_is_written_to_a_file_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("mapping.json");
        let mut mapping = ImportMapping::default();
        mapping.states.insert("Done".into(), "resolved".into());
        write_mapping(&mapping, &path).unwrap();
        assert_eq!(read_mapping(&path).unwrap(), mapping);
    }

    #[test]
    fn a_file_of_people_has_nothing_but_people() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("people.json");
        std::fs::write(&path, r#"{"Octo Cat": "octo@example.org"}"#).unwrap();
        assert_eq!(read_mapping(&path).unwrap().people["Octo Cat"], "octo@example.org");
        std::fs::write(&path, r#"{"states": 3}"#).unwrap();
        assert!(read_mapping(&path).unwrap_err().title.contains("is not a mapping"));
    }
}
