//! `svc item heartbeat`.

use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Keep your claim on an item fresh.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item heartbeat PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let item = session.org(&org).heartbeat_item(&args.key.to_string()).await?;
    super::shared::show(&item, session)
}
