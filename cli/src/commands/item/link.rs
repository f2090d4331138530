//! `svc item link`.

use svc_api::tracker::{Item, LinkQuery, NewLink};
use svc_domain::ids::ItemKey;

use super::links::{Named, Target, show};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Table};
use crate::session::Session;

/// Link an item to another item or to a pull request. Repeating it changes nothing.
///
/// An item stays blocked until every item that blocks it is resolved or closed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item link PRJ-12 --blocked-by WEB-3
  svc item link PRJ-12 --relates PRJ-7
  svc item link PRJ-12 --pr https://code.example/team/search/pull/7")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    target: Target,
    /// Remove the link, as `svc item unlink` does
    #[arg(long)]
    remove: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    change(&args.key, args.target, args.remove, session).await
}

/// Makes a link or takes it away, and shows the links of its kind.
pub(super) async fn change(
    key: &ItemKey,
    target: Target,
    remove: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let target = target.named(key)?;
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &key.to_string());
    match target {
        Named::PullRequest(url) => {
            let item = match remove {
                true => org.unlink(key, &LinkQuery { url, ..LinkQuery::default() }).await?,
                false => org.link(key, &NewLink { url: Some(url), ..NewLink::default() }).await?,
            };
            show_pull_requests(&item, session.output)
        }
        Named::Item(kind, other) => {
            let (kind, item) = (Some(kind), Some(other));
            match remove {
                true => org.unlink(key, &LinkQuery { kind, item, ..LinkQuery::default() }).await?,
                false => org.link(key, &NewLink { kind, item, url: None }).await?,
            };
            show(&org.links(key).await?, session.output)
        }
    }
}

fn show_pull_requests(item: &Item, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.json(item);
    }
    let table = Table::of(&item.links)
        .fixed("KEY", |_| item.key.as_str())
        .flexible("LINKS", |link| link.url.as_str())
        .end();
    output.table(&table)
}
