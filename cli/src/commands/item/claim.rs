//! `svc item claim`: a compare-and-swap. It sends the version it read, so of two callers who saw the item
//! free one gets it and the other is told (exit code 3).

use svc_api::tracker::{ClaimItem, Item};
use svc_domain::ids::ItemKey;

use super::each::each;
use super::shared::{held, of_another};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Claim an item or several, so that nobody else works on them.
///
/// Keep the claim fresh with `svc item heartbeat`; others can take over a claim without a heartbeat for several
/// minutes. If someone else holds the claim, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item claim PRJ-12
  svc item claim PRJ-12 PRJ-13 --yes")]
pub(crate) struct Args {
    /// Key of the item; several are claimed one by one
    #[arg(value_name = "ITEM_KEY", required = true, value_parser = item_key)]
    keys: Vec<ItemKey>,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    each(&args.keys, &[], session, async |key| claim(&key.to_string(), &args.confirm, &org, session).await)
        .await
}

async fn claim(key: &str, confirm: &Confirm, org: &str, session: &Session<'_>) -> Result<Item, Failure> {
    let item = session.org(org).item(key).await?;
    // A claim that is fresh cannot be taken over: the instance says so.
    if item.claim.as_ref().is_some_and(|claim| claim.stale)
        && confirm.asks(session.output)
        && let Some(claim) = of_another(&item, session).await?
    {
        let question = format!("{} holds a claim on {key}. Take it over?", held(claim));
        confirm.sure_on_terminal(&question, session.output)?;
    }
    Ok(session.org(org).claim(key, &ClaimItem { version: item.version }).await?)
}
