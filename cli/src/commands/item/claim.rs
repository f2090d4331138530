//! `svc item claim`: a compare-and-swap. It sends the version it read, so of two callers who saw the item
//! free one gets it and the other is told (exit code 3).

use svc_api::tracker::ClaimItem;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Claim an item, so that nobody else works on it.
///
/// Keep the claim fresh with `svc item heartbeat`; others can take over a claim that was not refreshed for some
/// minutes. If someone else was first, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item claim PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    let version = session.org(&org).item(key).await?.version;
    let item = session.org(&org).claim(key, &ClaimItem { version }).await?;
    super::shared::show(&item, session)
}
