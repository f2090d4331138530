//! `svc comment delete`.

use svc_domain::ids::ItemKey;

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Delete a comment. Replies to it stay.
///
/// You can delete your own comments, and as a project Admin those of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment delete PRJ-12 0193a6e5-...
  svc comment delete PRJ-12 0193a6e5-... --yes")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment
    #[arg(value_name = "COMMENT_ID")]
    id: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.key.to_string());
    let org = session.org(&slug);
    let author = org.view_comment(&key, &args.id).await?.author.name;
    args.confirm.sure(&format!("Delete the comment of {author} on {key}?"), session.output)?;
    org.delete_comment(&key, &args.id).await?;
    session.output.say(&format!("deleted the comment of {author} on {key}"));
    Ok(())
}
