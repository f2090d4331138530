//! `svc inbox open`.

use svc_api::notifications::{MarkNotification, Notification};

use super::shared::find;
use crate::commands::browse;
use crate::failure::Failure;
use crate::session::Session;

/// Open an entry in a browser, and mark it as read
///
/// Without a terminal, or with --print, it prints the address.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc inbox open PRJ-12")]
pub(crate) struct Args {
    /// Key of the item, or id of the entry
    #[arg(value_name = "ITEM_KEY")]
    entry: String,
    /// Print the address instead of opening it
    #[arg(long)]
    print: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let entry = find(&args.entry, session).await?;
    browse::at(&path(&entry, operates(&entry, session).await?), args.print, session)?;
    if !entry.read {
        let read = MarkNotification { version: entry.version, read: Some(true), done: None };
        session.client.mark_notification(&entry.id, &read).await?;
    }
    Ok(())
}

/// Whether the caller sees the factory of the entry's organization.
async fn operates(entry: &Notification, session: &Session<'_>) -> Result<bool, Failure> {
    if entry.run_id.is_none() {
        return Ok(false);
    }
    let orgs = session.client.orgs().await?;
    let own = orgs.iter().find(|org| org.id == entry.organization_id);
    Ok(own.is_some_and(|org| org.can_operate_factory))
}

/// Where an entry leads (specification section 4.1, rule 5).
fn path(entry: &Notification, operates: bool) -> String {
    let org = &entry.organization;
    match (&entry.run_id, &entry.item_key, &entry.project) {
        (Some(run), _, _) if operates => format!("/o/{org}/factory/runs/{run}"),
        (_, Some(key), Some(project)) => format!("/o/{org}/p/{project}/items/{key}"),
        _ => "/inbox".to_owned(),
    }
}
