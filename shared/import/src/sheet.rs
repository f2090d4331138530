//! A file of comma-separated values whose columns are found by name, without case.
//!
//! It may begin with a byte order mark, separate with semicolons or tabs, name a column several times, have rows that
//! are wider or narrower than its header, and cells of several lines. What no reader takes goes to the report.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder};

use super::clean;
use super::gathered::Gathered;
use super::portions::Portions;
use crate::failure::Failure;

/// Bytes in which the header is looked for, to tell what separates its cells.
const HEADER: usize = 64 * 1024;
/// Columns at most.
const MOST_COLUMNS: usize = 10_000;

/// The columns of a sheet.
struct Columns {
    /// As they are written.
    heads: Vec<String>,
    /// The places of each name, in lower case.
    places: BTreeMap<String, Vec<usize>>,
}

/// A row of a sheet.
pub(crate) struct Row {
    columns: Rc<Columns>,
    cells: Vec<String>,
    /// Its number, from 1 for the first one below the header.
    pub(crate) number: u64,
}

impl Row {
    /// The first cell of a column that is not empty; of the first of these columns that has one.
    pub(crate) fn one(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.all(name).into_iter().next())
    }

    /// The cells of all columns of a name that are not empty.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        let places = self.columns.places.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.cell(*place)).collect()
    }

    /// The cells that are not empty, with the names of their columns in lower case.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.columns.places.iter();
        names.flat_map(|(name, places)| {
            places.iter().filter_map(|place| Some((name.as_str(), self.cell(*place)?)))
        })
    }

    fn cell(&self, place: usize) -> Option<&str> {
        self.cells.get(place).map(String::as_str).filter(|cell| !cell.trim().is_empty())
    }
}

/// Calls `take` with every row of a sheet that is not empty. `known` says of a name in lower case whether the reader
/// takes that column; what the other columns have goes to the report. One of the `required` columns must be there.
///
/// # Errors
/// The file cannot be read, or has no column that it must have; what `take` answers.
pub(crate) fn each(
    bytes: impl Read,
    file: &str,
    required: &[&str],
    known: impl Fn(&str) -> bool,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row, &mut Gathered) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (bytes, portion) = Portions::new(bytes);
    let mut bytes = BufReader::with_capacity(HEADER, bytes);
    let separator = separator(bytes.fill_buf().map_err(|error| unreadable(file, &error))?, file)?;
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.flexible(true).has_headers(false).delimiter(separator).from_reader(bytes);
    let (mut record, mut unknown) = (ByteRecord::new(), BTreeMap::<String, u64>::new());
    let broken = |error: csv::Error| Failure::rejected(format!("cannot read {file}: {error}"));
    if !reader.read_byte_record(&mut record).map_err(broken)? {
        return Err(Failure::rejected(format!("{file} is empty")));
    }
    if record.len() > MOST_COLUMNS {
        return Err(Failure::rejected(format!("{file} has more than {MOST_COLUMNS} columns")));
    }
    let columns = Rc::new(columns(&record));
    if !required.is_empty() && !required.iter().any(|name| columns.places.contains_key(*name)) {
        return Err(Failure::rejected(format!("{file} has no column {:?}", required[0]))
            .detail(format!("it has: {}", columns.heads.join(", ")))
            .hint("check that the export is of this source; `svc import csv --map` names columns"));
    }
    let mut number = 0;
    while reader.read_byte_record(&mut record).map_err(broken)? {
        (number, _) = (number + 1, portion.replace(0));
        let cells: Vec<String> =
            record.iter().map(|cell| clean::text(&String::from_utf8_lossy(cell))).collect();
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        for extra in cells.iter().skip(columns.heads.len()).filter(|extra| !extra.trim().is_empty()) {
            let row = format!("{file} row {number}");
            gathered.report.miss_text("cell", &row, "the row is wider than the header", extra)?;
        }
        let row = Row { columns: Rc::clone(&columns), cells, number };
        for (name, _) in row.pairs().filter(|(name, _)| !known(name)) {
            *unknown.entry(name.to_owned()).or_default() += 1;
        }
        take(&row, gathered)?;
    }
    for (name, cells) in unknown {
        let head = columns.places.get(&name).and_then(|places| columns.heads.get(*places.first()?));
        let why = format!("there is no place for this column; cells with a value: {cells}");
        gathered.report.miss("column", head.unwrap_or(&name), &why)?;
    }
    Ok(())
}

fn unreadable(file: &str, error: &std::io::Error) -> Failure {
    Failure::rejected(format!("cannot read {file}: {error}"))
}

fn columns(header: &ByteRecord) -> Columns {
    let head = |cell: &[u8]| clean::text(&String::from_utf8_lossy(cell)).trim().to_owned();
    let heads: Vec<String> = header.iter().map(head).collect();
    let mut places = BTreeMap::<String, Vec<usize>>::new();
    for (place, head) in heads.iter().enumerate().filter(|(_, head)| !head.is_empty()) {
        places.entry(head.to_lowercase()).or_default().push(place);
    }
    Columns { heads, places }
}

/// What separates the cells of the first line.
fn separator(start: &[u8], file: &str) -> Result<u8, Failure> {
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(Failure::rejected(format!("{file} is written in UTF-16"))
            .hint("save it as UTF-8, as \"CSV UTF-8\" of spreadsheets"));
    }
    let (mut counts, mut quoted) = ([(b',', 0), (b';', 0), (b'\t', 0)], false);
    for byte in start {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if !quoted => {
                counts.iter_mut().filter(|(mark, _)| mark == byte).for_each(|(_, count)| *count += 1)
            }
            _ => {}
        }
    }
    let mut most = counts[0];
    counts[1..].iter().filter(|(_, count)| *count > counts[0].1).for_each(|found| {
        if found.1 > most.1 {
            most = *found;
        }
    });
    Ok(most.0)
}

#[cfg(test)]
mod tests {
    use super::each;
    use crate::gathered::Gathered;

    fn rows(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut gathered, mut rows) = (Gathered::new("csv:x").unwrap(), Vec::new());
        each(
            text.as_bytes(),
            "x.csv",
            &["title"],
            |name| name != "odd",
            &mut gathered,
            |row, _| {
                let title = row.one(&["nothing", "title"]).unwrap_or("-");
                rows.push(format!("{} {title} {:?}", row.number, row.all("label")));
                Ok(())
            },
        )
        .unwrap();
        let misses = gathered.report.read().unwrap().map(|miss| {
            let miss = miss.unwrap();
            format!("{} {} {} {}", miss.kind, miss.id, miss.reason, miss.text.unwrap_or_default())
        });
        let misses = misses.collect();
        (rows, misses)
    }

    #[test]
    fn a_sheet_with_every_trap() {
        let text = "\u{feff}\"Title\",Label,LABEL,odd\r\n\
                    \"Quotes \"\"over\"\"\r\nlines\",a,b,x\r\n\
                    Short\r\n\
                    ,,,\r\n\
                    N\0UL,,c,,,wider\r\n";
        let (rows, misses) = rows(text);
        assert_eq!(rows, ["1 Quotes \"over\"\nlines [\"a\", \"b\"]", "2 Short []", "4 NUL [\"c\"]"]);
        assert_eq!(
            misses,
            [
                "cell x.csv row 4 the row is wider than the header wider",
                "column odd there is no place for this column; cells with a value: 1 "
            ]
        );
    }

    #[test]
    fn semicolons_and_tabs_separate_too() {
        assert_eq!(rows("Title;Label\nA, b;c\n").0, ["1 A, b [\"c\"]"]);
        assert_eq!(rows("Title\tLabel\nA, b\tc\n").0, ["1 A, b [\"c\"]"]);
    }

    #[test]
    fn a_file_that_is_not_one_is_refused() {
        let refused = |bytes: &[u8]| {
            let mut gathered = Gathered::new("csv:x").unwrap();
            each(bytes, "x.csv", &["title"], |_| true, &mut gathered, |_, _| Ok(())).unwrap_err().title
        };
        assert_eq!(refused(b""), "x.csv is empty");
        assert_eq!(refused(b"Name\n"), "x.csv has no column \"title\"");
        assert_eq!(refused(&[0xff, 0xfe, b'T', 0]), "x.csv is written in UTF-16");
    }
}
