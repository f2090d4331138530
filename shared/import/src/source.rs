//! How the files of each source are told apart and read.

use std::io::Read as _;
use std::path::Path;

use crate::exports::ExportSource;

use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::plain::Fields;
use super::{
    github, gitlab, gitlab_csv, jira_csv, jira_json, linear, native, plain, trello, vibe_kanban, wire,
};
use crate::failure::Failure;

/// How files are read.
#[derive(Debug)]
pub struct Reading {
    /// How times are.
    pub dates: Dates,
    /// The columns of a CSV.
    pub fields: Fields,
    /// The project of the source, where an export has several.
    pub only: Option<String>,
}

/// Reads files of a source. Those of vibe-kanban are one export, the others are read one after the other.
///
/// # Errors
/// One cannot be read, or is not of this source.
pub fn read(
    source: ExportSource,
    files: &[Input<'_>],
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    if source == ExportSource::VibeKanban {
        let open = |name: &str| {
            let file = files.iter().find(|file| file.name.eq_ignore_ascii_case(name));
            file.or_else(|| files.first().filter(|_| name == "issues.csv" && files.len() == 1))
                .and_then(|file| (file.open)().ok())
        };
        if let [file] = files
            && start(file)?.starts_with(b"PK")
        {
            return Err(packed(file.name));
        }
        return vibe_kanban::read(&open, reading.only.as_deref(), &reading.dates, gathered);
    }
    for input in files {
        one(source, input, reading, gathered)?;
    }
    if source == ExportSource::Github {
        github::tell_missing_comments(gathered)?;
    }
    if let Some(file) = files.first() {
        gathered.name_source(&format!("{}:{}", name_of(source), base(file.name)));
    }
    Ok(())
}

/// What a source is called on the command line.
pub fn name_of(source: ExportSource) -> String {
    if source == ExportSource::VibeKanban { "vibe-kanban".to_owned() } else { wire(&source) }
}

/// The name of a file without the folders before it.
fn base(name: &str) -> &str {
    Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name)
}

fn one(
    source: ExportSource,
    input: &Input<'_>,
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let start = start(input)?;
    let is_json =
        start.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b"{[".contains(byte));
    if start.starts_with(b"PK\x03\x04") {
        return Err(packed(input.name));
    }
    match source {
        ExportSource::Github => github::read(input, &reading.dates, gathered),
        ExportSource::Gitlab if start.starts_with(&[0x1f, 0x8b]) => {
            gitlab::read(input, &reading.dates, gathered)
        }
        ExportSource::Gitlab => gitlab_csv::read(input, gathered),
        ExportSource::Jira if is_json => jira_json::read(input, &reading.dates, gathered),
        ExportSource::Jira => jira_csv::read(input, &reading.dates, gathered),
        ExportSource::Linear => linear::read(input, &reading.dates, gathered),
        ExportSource::Trello => trello::read(input, &reading.dates, gathered),
        ExportSource::Csv => {
            gathered.name_source(&format!("csv:{}", base(input.name)));
            plain::read(input, &reading.dates, &reading.fields, gathered)
        }
        ExportSource::Svc => native::read(input, gathered),
        ExportSource::VibeKanban | ExportSource::Unknown => {
            Err(Failure::rejected("this source is not known"))
        }
    }
}

fn packed(name: &str) -> Failure {
    Failure::rejected(format!("{name} is packed"))
        .detail("Unpack it first.")
        .hint("unpack it, and name its folder")
}

/// The first bytes of a file, without a byte order mark.
fn start(input: &Input<'_>) -> Result<Vec<u8>, Failure> {
    let mut start = Vec::new();
    let unreadable = |error| Failure::rejected(format!("cannot read {}: {error}", input.name));
    (input.open)()?.take(256).read_to_end(&mut start).map_err(unreadable)?;
    Ok(start.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(start))
}

#[cfg(test)]
mod tests {
    use crate::exports::ExportSource as Source;

    use super::{Reading, read};
    use crate::failure::Failure;
    use crate::gathered::Gathered;
    use crate::input::{Input, testing::utc};
    use crate::plain::Fields;

    fn found(source: Source, name: &str, text: &str) -> Result<(String, usize), Failure> {
        let reading = Reading { dates: utc(), fields: Fields::new(&[]).unwrap(), only: None };
        let mut gathered = Gathered::new("").unwrap();
        let open = || Ok(Box::new(text.as_bytes()) as Box<dyn std::io::Read>);
        read(source, &[Input { name, open: &open }], &reading, &mut gathered)?;
        Ok((gathered.source, gathered.items.len()))
    }

    #[test]
    fn a_file_is_read_by_what_is_in_it() {
        let json = "\u{feff} [{\"key\": \"A-1\", \"fields\": {}}]";
        assert_eq!(found(Source::Jira, "x", json).unwrap(), ("jira:A".into(), 1));
        assert_eq!(found(Source::Jira, "x", "Issue key\nA-1\n").unwrap(), ("jira:A".into(), 1));
        assert_eq!(found(Source::Csv, "work.csv", "Title\nA\n").unwrap(), ("csv:work.csv".into(), 1));
        assert_eq!(found(Source::Linear, "l.csv", "ID,Title\n").unwrap(), ("linear:l.csv".into(), 0));
        assert!(found(Source::VibeKanban, "x.zip", "PK..").unwrap_err().hint.unwrap().contains("unpack"));
        assert!(found(Source::Jira, "x.zip", "PK\x03\x04").unwrap_err().title.contains("packed"));
        assert!(found(Source::Gitlab, "x", "Title\n").unwrap_err().title.contains("has no column"));
        let shop = r#"{"kind":"project","name":"S","source":"svc:x/S"}"#;
        assert_eq!(found(Source::Svc, "shop.ndjson", shop).unwrap(), ("svc:x/S".into(), 0));
    }

    #[test]
    fn what_only_takes_memory_is_refused() {
        let wide = format!("Title{}\n", ",x".repeat(20_000));
        assert!(found(Source::Csv, "x.csv", &wide).unwrap_err().title.contains("10000 columns"));
        let long = format!("Title\n{}\n", ",".repeat(5_000_000));
        assert!(found(Source::Csv, "x.csv", &long).unwrap_err().title.contains("4 MB"));
        let value = format!("[[{}0]]", "[],".repeat(2_000_000));
        assert!(found(Source::Github, "x.json", &value).unwrap_err().title.contains("4 MB"));
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(found(Source::Github, "x.json", &deep).unwrap_err().title.contains("not JSON"));
    }
}
