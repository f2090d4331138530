//! `svc project export`: a project as files, to keep or to take elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use svc_api::records::{AttachmentRecord, Record};
use svc_api::tracker::ExportQuery;
use svc_client::{Download, Org};
use svc_domain::attachment::name::file_name;

use super::markdown::Folder;
use crate::commands::in_project::ThisProject;
use crate::commands::saving;
use crate::failure::Failure;
use crate::session::Session;

/// Export a project: all its items with comments, links and files, as far as you see them.
///
/// It is one JSON object a line, which `svc import svc` brings into a project; into a directory, the files of items come
/// along. With --csv it is a table of the items. With --markdown it is a file for each item, with its comments, and one
/// for each page of the wiki.
///
/// A directory must be new or empty. An export that breaks off leaves no .ndjson file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project export PRJ > prj.ndjson
  svc project export PRJ --output backup/
  svc project export PRJ --csv > prj.csv
  svc project export PRJ --markdown --output prj/")]
pub(crate) struct Args {
    #[command(flatten)]
    project: ThisProject,
    /// Write a table of the items, as comma-separated values
    #[arg(long)]
    csv: bool,
    /// Write a file of Markdown for each item and wiki page
    #[arg(long, conflicts_with = "csv", requires = "output")]
    markdown: bool,
    /// Directory to write to; - is stdout
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return Err(Failure::rejected("an export has its own format")
            .hint("leave out --json, --jq and --format; see `svc project export --help`"));
    }
    let directory = args.output.filter(|path| path != Path::new("-"));
    if args.markdown && directory.is_none() {
        return Err(Failure::rejected("files of Markdown need a directory").hint("name one with --output"));
    }
    let (slug, key) = (session.org_slug().await?, args.project.key(session).await?);
    let (org, key) = (session.org(&slug), key.as_str());
    if let Some(directory) = &directory {
        make_empty(directory)?;
    }
    let Some(directory) = directory else {
        let export = match args.csv {
            true => org.items_csv(key, &ExportQuery::default()).await?,
            false => org.export_project(key).await?,
        };
        return saving::print(0, export, session).await;
    };
    if args.csv {
        let table = org.items_csv(key, &ExportQuery::default()).await?;
        saving::keep(&directory.join(format!("{key}.csv")), 0, table).await?;
    } else if args.markdown {
        to_markdown(key, &directory, org).await?;
    } else {
        let file = directory.join(format!("{key}.ndjson"));
        saving::keep(&file, 0, org.export_project(key).await?).await?;
        files_of(&file, &directory, org).await?;
    }
    session.output.say(&format!("exported to {}", directory.display()));
    Ok(())
}

async fn to_markdown(key: &str, directory: &Path, org: Org<'_>) -> Result<(), Failure> {
    let (mut folder, mut files) = (Folder::new(directory), Vec::new());
    let mut lines = Lines::of(org.export_project(key).await?);
    while let Some(line) = lines.next().await? {
        let record: Record = serde_json::from_str(&line).map_err(|error| {
            Failure::unexpected(format!("the export has a line that is no record: {error}"))
        })?;
        folder.take(&record).map_err(|error| unwritten(directory, &error))?;
        if let Record::Attachment(attachment) = record {
            files.push(attachment);
        }
    }
    for file in &files {
        fetch(file, directory, org).await?;
    }
    pages(directory, key, org).await
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::io(format_args!("cannot write to {}", path.display()), error)
}

/// Makes the directory, which nothing may be in: nothing is replaced, and no link is followed.
fn make_empty(directory: &Path) -> Result<(), Failure> {
    fs::create_dir_all(directory).map_err(|error| unwritten(directory, &error))?;
    let mut entries = fs::read_dir(directory).map_err(|error| unwritten(directory, &error))?;
    if entries.next().is_some() {
        return Err(Failure::rejected(format!("{} is not empty", directory.display()))
            .hint("name a new directory with --output"));
    }
    Ok(())
}

/// The files of the items of an export.
async fn files_of(records: &Path, directory: &Path, org: Org<'_>) -> Result<(), Failure> {
    use std::io::BufRead as _;
    let file = fs::File::open(records).map_err(|error| unwritten(records, &error))?;
    for line in std::io::BufReader::new(file).lines() {
        let line = line.map_err(|error| unwritten(records, &error))?;
        if let Ok(Record::Attachment(attachment)) = serde_json::from_str(&line) {
            fetch(&attachment, directory, org).await?;
        }
    }
    Ok(())
}

/// Where a file is in an export, by names that come from the instance and must be names here.
pub(super) fn place(attachment: &AttachmentRecord) -> Option<PathBuf> {
    let own = |name: &str| file_name(name).filter(|name| !name.starts_with('.'));
    Some(Path::new("files").join(own(&attachment.id)?).join(file_name(&attachment.name)?))
}

async fn fetch(attachment: &AttachmentRecord, directory: &Path, org: Org<'_>) -> Result<(), Failure> {
    let Some(place) = place(attachment) else { return Ok(()) };
    let path = directory.join(place);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| unwritten(parent, &error))?;
    }
    let size = attachment.size.unwrap_or_default();
    match org.download_attachment(&attachment.id).await {
        // It was removed while the export went on.
        Err(error) if error.status() == Some(404) => Ok(()),
        download => saving::keep(&path, size, download?).await,
    }
}

/// The pages of the wiki, as files in folders.
async fn pages(directory: &Path, project: &str, org: Org<'_>) -> Result<(), Failure> {
    for entry in org.wiki_tree(project).await? {
        let page = match org.wiki_page(project, &entry.path).await {
            Err(error) if error.status() == Some(404) => continue,
            page => page?,
        };
        let names = entry.path.split('/').map(|name| file_name(name).unwrap_or_else(|| "_".to_owned()));
        let mut path = names.fold(directory.join("wiki"), |path, name| path.join(name));
        path.as_mut_os_string().push(".md");
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| unwritten(parent, &error))?;
        }
        fs::write(&path, page.body).map_err(|error| unwritten(&path, &error))?;
    }
    Ok(())
}

/// The lines of a download.
struct Lines {
    download: Download,
    read: Vec<u8>,
}

impl Lines {
    const fn of(download: Download) -> Self {
        Self { download, read: Vec::new() }
    }

    async fn next(&mut self) -> Result<Option<String>, Failure> {
        let mut seen = 0;
        loop {
            if let Some(end) = self.read[seen..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=seen + end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
            seen = self.read.len();
            let Some(piece) = self.download.piece().await? else { return Ok(None) };
            self.read.extend_from_slice(&piece);
        }
    }
}
