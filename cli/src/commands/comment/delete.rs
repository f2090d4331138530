//! `svc comment delete`.

use svc_domain::ids::ItemKey;

use crate::args::item_key;
use crate::failure::Failure;
use crate::session::Session;

/// Delete your comment, or one of a project that you administer. Replies to it stay.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment
    #[arg(value_name = "COMMENT_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    session.org(&org).delete_comment(&args.key.to_string(), &args.id).await?;
    session.output.say(&format!("deleted {}", args.id));
    Ok(())
}
