//! `svc attachment`.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_api::page::PageQuery;
use svc_api::tracker::Attachment;
use svc_domain::ids::ItemKey;

use crate::commands::confirm::Confirm;
use crate::commands::paging::collect;
use crate::commands::saving;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Table, size, when};
use crate::session::Session;
use crate::uploading::attach;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    #[command(visible_aliases = ["view", "download"])]
    Get(GetArgs),
    #[command(visible_aliases = ["create", "upload"])]
    Add(AddArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::Get(args) => get(args, session).await,
        Command::Add(args) => add(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

/// List the attachments of an item and its comments.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc attachment list PRJ-12")]
pub(crate) struct ListArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let attachments = collect(None, async |page, page_size| {
        let query = PageQuery { page: Some(page), page_size: Some(page_size) };
        session.org(&org).attachments(&key, &query).await
    })
    .await?;
    session.output.all(&attachments, &format!("{key} has no attachments that you can see."), table)
}

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
pub(crate) struct GetArgs {
    /// Id of the attachment
    #[arg(value_name = "ATTACHMENT_ID")]
    id: String,
    /// File or directory to write to; - is stdout
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

async fn get(args: GetArgs, session: &Session<'_>) -> Result<(), Failure> {
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

/// Attach a file to an item.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc attachment add PRJ-12 screenshot.png")]
pub(crate) struct AddArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// The file
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Name to give it [default: the file's own]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Media type [default: by the name's ending]
    #[arg(long = "type", value_name = "TYPE")]
    content_type: Option<String>,
}

async fn add(args: AddArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), args.key.to_string());
    let attachment = attach(org, &key, &args.path, args.name, args.content_type, session.output).await?;
    session.output.one(&attachment, table)
}

/// Delete an attachment.
///
/// You can delete your own attachments, and as a project Admin those of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc attachment delete 0193a6e5-...
  svc attachment delete 0193a6e5-... --yes")]
pub(crate) struct DeleteArgs {
    /// Id of the attachment
    #[arg(value_name = "ATTACHMENT_ID")]
    id: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let attachment = org.attachment(&args.id).await?;
    let (name, item) = (&attachment.name, &attachment.item);
    args.confirm.sure(&format!("Delete {name} ({}) from {item}?", size(attachment.size)), session.output)?;
    org.delete_attachment(&args.id).await?;
    session.output.say(&format!("deleted {name} from {item}"));
    Ok(())
}

/// Attachments, one a row.
fn table(attachments: &[Attachment]) -> Table {
    Table::of(attachments)
        .fixed("ID", |attachment| attachment.id.as_str())
        .fixed("ON", |attachment| if attachment.comment.is_some() { "comment" } else { "item" })
        .fixed("SIZE", |attachment| size(attachment.size))
        .fixed("TYPE", |attachment| attachment.content_type.as_str())
        .fixed("ATTACHED", |attachment| when(attachment.created_at))
        .flexible("BY", |attachment| attachment.author.name.as_str())
        .flexible("NAME", |attachment| attachment.name.as_str())
        .end()
}
