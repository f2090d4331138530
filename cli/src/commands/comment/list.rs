//! `svc comment list`.

use svc_domain::ids::ItemKey;

use crate::commands::item::{read_comments, show_comments};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// List the comments of an item, oldest first, with their ids.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc comment list PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let comments = read_comments(&args.key, &org, session).await?;
    if session.output.json {
        return session.output.json(&comments);
    }
    if comments.is_empty() {
        session.output.say(&format!("{} has no comments that you can see.", args.key));
        return Ok(());
    }
    session.output.paged(|| show_comments(&comments, session.output)).await
}
