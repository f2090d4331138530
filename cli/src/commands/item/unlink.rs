//! `svc item unlink`.

use svc_domain::ids::ItemKey;

use super::link::change;
use super::links::Target;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Remove the link of an item with another item or a pull request. Removing a link that is not there changes nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item unlink PRJ-12 --blocked-by WEB-3
  svc item unlink PRJ-12 --pr https://code.example/team/search/pull/7")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    target: Target,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    change(&args.key, args.target, true, session).await
}
