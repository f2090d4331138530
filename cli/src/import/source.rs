//! The sources, and the files of each as a person names them: a file, or the folder of an export.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use svc_import::exports::{DateOrder, ExportSource};
use svc_import::{Gathered, Input, Reading, read_database};

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

impl From<Source> for ExportSource {
    fn from(source: Source) -> Self {
        match source {
            Source::Github => Self::Github,
            Source::Gitlab => Self::Gitlab,
            Source::Jira => Self::Jira,
            Source::Linear => Self::Linear,
            Source::Trello => Self::Trello,
            Source::Csv => Self::Csv,
            Source::VibeKanban => Self::VibeKanban,
            Source::Svc => Self::Svc,
        }
    }
}

/// Which number of a date such as `3/4/2026` is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Order {
    /// Day, month, year
    Dmy,
    /// Month, day, year
    Mdy,
}

impl From<Order> for DateOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Dmy => Self::Dmy,
            Order::Mdy => Self::Mdy,
        }
    }
}

/// Reads the files of a source.
///
/// # Errors
/// One cannot be read, or is not of this source.
pub(crate) fn read(
    source: Source,
    paths: &[PathBuf],
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    if source != Source::VibeKanban {
        let paths: Result<Vec<PathBuf>, Failure> =
            paths.iter().map(|path| file_of(source, path, gathered)).collect();
        return read_files(source, &paths?, reading, gathered);
    }
    for path in paths {
        if path.is_dir() {
            gathered.set_folder(path.clone());
            read_files(source, &files_in(path)?, reading, gathered)?;
        } else if start(path).is_some_and(|start| start == *b"SQLite format 3") {
            read_database(path, reading.only.as_deref(), &reading.dates, gathered)?;
        } else {
            read_files(source, std::slice::from_ref(path), reading, gathered)?;
        }
    }
    Ok(())
}

fn read_files(
    source: Source,
    paths: &[PathBuf],
    reading: &Reading,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let is_table = |path: &Path| source == Source::VibeKanban && path.parent().is_some_and(Path::is_dir);
    let name = |path: &PathBuf| match path.file_name() {
        Some(name) if is_table(path) => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    };
    let names: Vec<String> = paths.iter().map(name).collect();
    let opens: Vec<_> = paths.iter().map(|path| move || opened(path)).collect();
    let files = names.iter().zip(&opens).map(|(name, open)| Input { name, open });
    Ok(svc_import::read(source.into(), &files.collect::<Vec<_>>(), reading, gathered)?)
}

/// The file that a path names: itself, or of an export of this service the records in its folder.
fn file_of(source: Source, path: &Path, gathered: &mut Gathered) -> Result<PathBuf, Failure> {
    if source == Source::Svc {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        gathered.set_folder(folder.map(Path::to_owned).unwrap_or_default());
    }
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    if source != Source::Svc {
        let what = format!("{} is a folder", path.display());
        return Err(Failure::rejected(what).hint("name a file of it"));
    }
    let mut records = files_in(path)?;
    records.retain(|path| path.extension().is_some_and(|end| end == "ndjson"));
    match records.len() {
        1 => Ok(records.remove(0)),
        0 => Err(Failure::rejected(format!("{} has no .ndjson file", path.display()))),
        _ => Err(Failure::rejected(format!("{} has several .ndjson files", path.display()))
            .hint("name the one to import")),
    }
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::rejected(format!("cannot read {}: {error}", folder.display()));
    let files = std::fs::read_dir(folder).map_err(unreadable)?;
    Ok(files.filter_map(|file| Some(file.ok()?.path())).filter(|path| path.is_file()).collect())
}

fn opened<'a>(path: &Path) -> Result<Box<dyn Read + 'a>, svc_import::Failure> {
    let unreadable =
        |error| svc_import::Failure::rejected(format!("cannot read {}: {error}", path.display()));
    Ok(Box::new(File::open(path).map_err(unreadable)?))
}

/// The first bytes of a file; nothing where it has fewer.
fn start(path: &Path) -> Option<[u8; 15]> {
    let mut start = [0; 15];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).ok().map(|()| start)
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use svc_import::{Dates, Fields, Gathered, Reading};

    use super::{Source, read};

    #[test]
    fn files_and_folders_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let dates = Dates { order: None, zone: TimeZone::UTC };
        let reading = Reading { dates, fields: Fields::new(&[]).unwrap(), only: None };
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let shop = write("shop.ndjson", r#"{"kind":"project","name":"S","source":"svc:x/S"}"#);
        for path in [shop, folder.path().to_owned()] {
            let mut gathered = Gathered::new("").unwrap();
            read(Source::Svc, &[path], &reading, &mut gathered).unwrap();
            assert_eq!((gathered.source.as_str(), gathered.folder()), ("svc:x/S", Some(folder.path())));
        }
        let mut gathered = Gathered::new("").unwrap();
        let csv = write("work.csv", "Title\nA\n");
        read(Source::Csv, &[csv], &reading, &mut gathered).unwrap();
        assert_eq!((gathered.source.as_str(), gathered.items.len()), ("csv:work.csv", 1));
        write("issues.csv", "Issue ID,Title,Status,Project\n1,A,Todo,Shop\n");
        let mut gathered = Gathered::new("").unwrap();
        read(Source::VibeKanban, &[folder.path().to_owned()], &reading, &mut gathered).unwrap();
        assert_eq!((gathered.source.as_str(), gathered.items.len()), ("vibe-kanban:Shop", 1));
        let packed = write("x.zip", "PK..");
        let read = |source, path| read(source, &[path], &reading, &mut Gathered::new("").unwrap());
        assert!(read(Source::VibeKanban, packed).unwrap_err().hint.unwrap().contains("unpack"));
        assert!(read(Source::Trello, folder.path().to_owned()).is_err());
        assert!(read(Source::Trello, folder.path().join("nowhere")).is_err());
        write("b.ndjson", "");
        assert!(read(Source::Svc, folder.path().to_owned()).unwrap_err().title.contains("several"));
    }
}
