//! `svc attachment delete`.

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::output::size;
use crate::session::Session;

/// Delete an attachment.
///
/// You can delete your own attachments, and as a project Admin those of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc attachment delete 0193a6e5-...
  svc attachment delete 0193a6e5-... --yes")]
pub(crate) struct Args {
    /// Id of the attachment
    #[arg(value_name = "ATTACHMENT_ID")]
    id: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let attachment = org.attachment(&args.id).await?;
    let (name, item) = (&attachment.name, &attachment.item);
    args.confirm.sure(&format!("Delete {name} ({}) from {item}?", size(attachment.size)), session.output)?;
    org.delete_attachment(&args.id).await?;
    session.output.say(&format!("deleted {name} from {item}"));
    Ok(())
}
