//! `svc item branch`. The name is the one that a run of the item works on.

use serde_json::json;
use svc_domain::branch;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Print a branch name for an item: its key in lower case and its title, shortened.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  git switch -c \"$(svc item branch PRJ-12)\"")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let item = session.org(&org).item(&args.key.to_string()).await?;
    let branch = branch::of_item(&args.key, &item.title);
    if session.output.json {
        return session.output.json(&json!({ "branch": branch }));
    }
    session.output.text(&branch)
}
