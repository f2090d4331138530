//! `svc attachment get`: bytes to stdout, or to a file that only its owner can read.

use std::path::{Path, PathBuf};

use crate::commands::saving;
use crate::failure::Failure;
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
    let path = path.map(|path| saving::target(&path, &attachment.name, &attachment.id));
    if let Some(path) = &path {
        saving::check(path)?;
    }
    let download = org.download_attachment(&args.id).await?;
    match path {
        Some(path) => {
            saving::save(&path, attachment.size, download, session).await?;
            if session.output.json { session.output.json(&attachment) } else { Ok(()) }
        }
        None => saving::print(attachment.size, download, session).await,
    }
}
