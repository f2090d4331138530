//! The sources, and how each one's files are told apart and read.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::plain::Fields;
use super::{
    github, gitlab, gitlab_csv, jira_csv, jira_json, linear, native, plain, trello, vibe_kanban,
    vibe_kanban_db,
};
use crate::failure::Failure;

/// Where work comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Source {
    /// Issues and comments as JSON, or with --repo from GitHub itself
    Github,
    /// The export of a project (tar.gz), or the CSV of its issues
    Gitlab,
    /// CSV, or JSON of the API
    Jira,
    /// CSV
    Linear,
    /// The JSON of a board
    Trello,
    /// Any CSV, with columns by name
    Csv,
    /// The folder of an unpacked export, or the database
    VibeKanban,
    /// An export of this service
    Svc,
}

/// How files are read.
pub(crate) struct Reading {
    pub(crate) dates: Dates,
    pub(crate) fields: Fields,
    /// The project of the source, where an export has several.
    pub(crate) only: Option<String>,
}

/// Reads a file of a source.
///
/// # Errors
/// It cannot be read, or is not of this source.
pub(crate) fn read(
    source: Source,
    path: &Path,
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let name = path.display().to_string();
    if path.is_dir() {
        return read_folder(source, path, reading, gathered);
    }
    let start = start(path)?;
    let open = || opened(path);
    let input = Input { name: &name, open: &open };
    let is_json =
        start.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b"{[".contains(byte));
    match source {
        Source::Github => github::read(&input, &reading.dates, gathered),
        Source::Gitlab if start.starts_with(&[0x1f, 0x8b]) => gitlab::read(&input, &reading.dates, gathered),
        Source::Gitlab => gitlab_csv::read(&input, gathered),
        Source::Jira if is_json => jira_json::read(&input, &reading.dates, gathered),
        Source::Jira => jira_csv::read(&input, &reading.dates, gathered),
        Source::Linear => linear::read(&input, &reading.dates, gathered),
        Source::Trello => trello::read(&input, &reading.dates, gathered),
        Source::Csv => {
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            gathered.name_source(&format!("csv:{file}"));
            plain::read(&input, &reading.dates, &reading.fields, gathered)
        }
        Source::VibeKanban if start.starts_with(b"SQLite format 3") => {
            vibe_kanban_db::read(path, reading.only.as_deref(), &reading.dates, gathered)
        }
        Source::VibeKanban if start.starts_with(b"PK") => {
            Err(Failure::rejected(format!("{name} is packed")).hint("unpack it, and name its folder"))
        }
        Source::VibeKanban => {
            let open = |file: &str| if file == "issues.csv" { opened(path).ok() } else { None };
            vibe_kanban::read(&open, reading.only.as_deref(), &reading.dates, gathered)
        }
        Source::Svc => {
            gathered.set_folder(path.parent().map(Path::to_owned).unwrap_or_default());
            native::read(&input, gathered)
        }
    }
}

fn read_folder(
    source: Source,
    folder: &Path,
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    match source {
        Source::VibeKanban => {
            gathered.set_folder(folder.to_owned());
            let open = |file: &str| opened(&folder.join(file)).ok();
            vibe_kanban::read(&open, reading.only.as_deref(), &reading.dates, gathered)
        }
        Source::Svc => {
            let unreadable = |error| Failure::rejected(format!("cannot read {}: {error}", folder.display()));
            let files = std::fs::read_dir(folder).map_err(unreadable)?;
            let paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
            let mut records = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "ndjson"));
            match (records.next(), records.next()) {
                (Some(records), None) => read(source, records, reading, gathered),
                (None, _) => Err(Failure::rejected(format!("{} has no .ndjson file", folder.display()))),
                (Some(_), Some(_)) => {
                    Err(Failure::rejected(format!("{} has several .ndjson files", folder.display()))
                        .hint("name the one to import"))
                }
            }
        }
        _ => Err(Failure::rejected(format!("{} is a folder", folder.display())).hint("name a file of it")),
    }
}

fn opened<'a>(path: &Path) -> Result<Box<dyn Read + 'a>, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(Box::new(file))
}

/// The first bytes of a file, without a byte order mark.
fn start(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    file.take(256).read_to_end(&mut start).map_err(|error| unreadable(path, &error))?;
    Ok(start.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(start))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::rejected(format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Reading, Source, read};
    use crate::import::gathered::Gathered;
    use crate::import::input::testing::utc;
    use crate::import::plain::Fields;

    #[test]
    fn a_file_is_read_by_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let reading = Reading { dates: utc(), fields: Fields::new(&[]).unwrap(), only: None };
        let items = |source, file: &str, text: &str| {
            let path = folder.path().join(file);
            std::fs::write(&path, text).unwrap();
            let mut gathered = Gathered::new("").unwrap();
            read(source, &path, &reading, &mut gathered).map(|()| (gathered.source, gathered.items.len()))
        };
        let json = "\u{feff} [{\"key\": \"A-1\", \"fields\": {}}]";
        assert_eq!(items(Source::Jira, "x", json).unwrap(), ("jira:A".into(), 1));
        assert_eq!(items(Source::Jira, "x", "Issue key\nA-1\n").unwrap(), ("jira:A".into(), 1));
        assert_eq!(items(Source::Csv, "work.csv", "Title\nA\n").unwrap(), ("csv:work.csv".into(), 1));
        assert!(items(Source::VibeKanban, "x.zip", "PK..").unwrap_err().hint.unwrap().contains("unpack"));
        assert!(items(Source::Gitlab, "x", "Title\n").unwrap_err().title.contains("has no column"));
        let shop = r#"{"kind":"project","name":"S","source":"svc:x/S"}"#;
        assert_eq!(items(Source::Svc, "shop.ndjson", shop).unwrap(), ("svc:x/S".into(), 0));
        let mut gathered = Gathered::new("").unwrap();
        read(Source::Svc, folder.path(), &reading, &mut gathered).unwrap();
        assert_eq!((gathered.source.as_str(), gathered.folder()), ("svc:x/S", Some(folder.path())));
        assert!(read(Source::Trello, folder.path(), &reading, &mut gathered).is_err());
        assert!(read(Source::Trello, &folder.path().join("nowhere"), &reading, &mut gathered).is_err());
    }
}
