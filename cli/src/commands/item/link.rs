//! `svc item link`.

use svc_api::tracker::{LinkQuery, NewLink};
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Column, Table};
use crate::session::Session;

/// Link a pull request to an item. Linking it again changes nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item link PRJ-12 --pr https://code.example/team/search/pull/7")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Address of the pull request
    #[arg(value_name = "PR_URL", required_unless_present = "pr")]
    address: Option<String>,
    /// The same
    #[arg(long, value_name = "PR_URL", conflicts_with = "address")]
    pr: Option<String>,
    /// Take the link away
    #[arg(long)]
    remove: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    let url = args.address.or(args.pr).unwrap_or_default();
    let item = match args.remove {
        true => session.org(&org).unlink(key, &LinkQuery { url }).await?,
        false => session.org(&org).link(key, &NewLink { url }).await?,
    };
    if session.output.json {
        return session.output.json(&item);
    }
    let mut table = Table::new([Column::fixed("KEY"), Column::flexible("LINKS")]);
    for link in &item.links {
        table.row([item.key.as_str().into(), link.url.as_str().into()]);
    }
    session.output.table(&table)
}
