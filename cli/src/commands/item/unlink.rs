//! `svc item unlink`.

use svc_api::tracker::LinkQuery;
use svc_domain::ids::ItemKey;

use super::link::change;
use super::links::{Target, show};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Remove an item's link to another item or a pull request. Repeating it changes nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item unlink PRJ-12 --blocked-by WEB-3
  svc item unlink PRJ-12 --hidden
  svc item unlink PRJ-12 --pr https://code.example/team/search/pull/7")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    target: Target,
    /// Remove all links to items in projects that you cannot see
    #[arg(long, group = "Target")]
    hidden: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if !args.hidden {
        return change(&args.key, args.target, true, session).await;
    }
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.key.to_string());
    org.unlink(key, &LinkQuery { hidden: true, ..LinkQuery::default() }).await?;
    show(&org.links(key).await?, session.output)
}
