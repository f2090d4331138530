//! `svc attachment get`: bytes to stdout, or to a file that only its owner can read.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use svc_api::tracker::Attachment;
use svc_client::Download;
use svc_domain::attachment::name::file_name;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::output::size;
use crate::session::Session;

/// Print an attachment's bytes, or save them to a file.
///
/// The file can be read only by you (mode 0600), and appears when it is complete. An existing file is replaced; a
/// symbolic link is refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc attachment get 0193a6e5-... > screenshot.png
  svc attachment get 0193a6e5-... -o screenshot.png
  svc attachment get 0193a6e5-... -o downloads/")]
pub(crate) struct Args {
    /// Id of the attachment
    #[arg(value_name = "ATTACHMENT_ID")]
    id: String,
    /// File or directory to write to; - is stdout
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let attachment = org.attachment(&args.id).await?;
    let path = args.output.filter(|path| path != Path::new("-"));
    if path.is_none() && session.output.json {
        return Err(Failure::rejected("an attachment cannot be printed as JSON")
            .hint("name a file with -o, or leave out --json"));
    }
    let text = attachment.content_type.starts_with("text/");
    if path.is_none() && session.output.is_terminal() && !text {
        let kind = &attachment.content_type;
        return Err(Failure::rejected(format!("{kind} would garble the terminal"))
            .hint("name a file with -o, or send the output to another program"));
    }
    let path = path.map(|path| target(&path, &attachment));
    if let Some(path) = &path {
        refuse_what_is_no_file(path)?;
        refuse_without_directory(path)?;
    }
    let download = org.download_attachment(&args.id).await?;
    match path {
        Some(path) => save(&path, &attachment, download, session).await,
        None => print(&attachment, download, session).await,
    }
}

async fn print(
    attachment: &Attachment,
    mut download: Download,
    session: &Session<'_>,
) -> Result<(), Failure> {
    if session.output.is_terminal() {
        let mut text = Vec::new();
        while let Some(piece) = download.piece().await? {
            text.extend_from_slice(&piece);
        }
        return session.output.text(&String::from_utf8_lossy(&text));
    }
    let mut left = attachment.size;
    while let Some(piece) = download.piece().await? {
        session.output.bytes(&piece)?;
        left = left.saturating_sub(piece.len() as u64);
    }
    if left > 0 { Err(short(left)) } else { Ok(()) }
}

async fn save(
    path: &Path,
    attachment: &Attachment,
    mut download: Download,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let trouble = |error: &io::Error| Failure::io(format_args!("cannot write {}", path.display()), error);
    // A temporary file has mode 0600 from the start and goes away when this is cut off. Its name is nobody's
    // business, so of an error only the kind is told.
    let mut file =
        NamedTempFile::new_in(directory_of(path)).map_err(|error| trouble(&error.kind().into()))?;
    let mut left = attachment.size;
    while let Some(piece) = download.piece().await? {
        file.write_all(&piece).map_err(|error| trouble(&error))?;
        left = left.saturating_sub(piece.len() as u64);
    }
    if left > 0 {
        return Err(short(left));
    }
    file.as_file().sync_all().map_err(|error| trouble(&error))?;
    // Takes the place of the name itself: a link that came there meanwhile is replaced, not followed.
    file.persist(path).map_err(|error| trouble(&error.error))?;
    session.output.say(&format!("wrote {} to {}", size(attachment.size), path.display()));
    if session.output.json { session.output.json(attachment) } else { Ok(()) }
}

/// The file to write: the path, or the attachment's own name in the directory that the path is.
fn target(path: &Path, attachment: &Attachment) -> PathBuf {
    let directory = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    // The name comes from the instance: here it must be one again, and hidden in no list.
    let name = file_name(&attachment.name).map(|name| name.trim_start_matches('.').to_owned());
    match name.filter(|name| directory && !name.is_empty()) {
        Some(name) => path.join(name),
        None if directory => path.join(&attachment.id),
        None => path.to_owned(),
    }
}

fn refuse_what_is_no_file(path: &Path) -> Result<(), Failure> {
    let why = match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_symlink() => "is a symbolic link",
        Ok(found) if !found.is_file() => "is not a file",
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::io(format_args!("cannot look at {}", path.display()), &error)),
    };
    Err(Failure::rejected(format!("{} {why}; it was not changed", path.display()))
        .hint("name another file with -o"))
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn refuse_without_directory(path: &Path) -> Result<(), Failure> {
    let directory = directory_of(path);
    if directory.is_dir() {
        return Ok(());
    }
    Err(Failure::rejected(format!("there is no directory {}", directory.display()))
        .hint("make it, or name another file with -o"))
}

fn short(left: u64) -> Failure {
    Failure::io(
        format_args!("the attachment broke off, {left} bytes are missing"),
        &ErrorKind::UnexpectedEof.into(),
    )
}
