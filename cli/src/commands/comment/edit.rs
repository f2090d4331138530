//! `svc comment edit`: reads the comment's version, then sends the text under it.

use svc_api::tracker::EditComment;
use svc_domain::ids::ItemKey;

use crate::commands::item::{Text, comment_table};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Change the text of your comment.
#[derive(clap::Args)]
#[command(
    override_usage = "svc comment edit <ITEM_KEY> <COMMENT_ID> <--message <TEXT>|--body-file <PATH>>",
    after_help = "\
Example:
  svc comment edit PRJ-12 0193a6e5-... -m 'Reproduced on the release branch.'"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment
    #[arg(value_name = "COMMENT_ID")]
    id: String,
    #[command(flatten)]
    text: Text,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let body = args.text.read()?;
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.key.to_string());
    let version = org.view_comment(key, &args.id).await?.version;
    let comment = org.edit_comment(key, &args.id, &EditComment { version, body }).await?;
    if session.output.json {
        return session.output.json(&comment);
    }
    session.output.table(&comment_table(&comment))
}
