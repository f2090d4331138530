//! `svc item move`: reads the item's version, then moves it under that version.

use svc_api::tracker::Transition;
use svc_domain::ids::ItemKey;

use crate::args::item_key;
use crate::failure::Failure;
use crate::session::Session;

/// Move an item to another workflow state.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item move PRJ-12 --state 'In review'")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Name of the state, in any case
    #[arg(long, value_name = "NAME")]
    state: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    let version = session.org(&org).item(key).await?.version;
    let item = session.org(&org).transition(key, &Transition { version, state: args.state }).await?;
    super::show(&item, session)
}
