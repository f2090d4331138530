//! `svc attachment list`.

use svc_api::page::PageQuery;
use svc_domain::ids::ItemKey;

use super::shared::table;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// List the attachments of an item and its comments.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc attachment list PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let attachments = collect(None, async |page, page_size| {
        let query = PageQuery { page: Some(page), page_size: Some(page_size) };
        session.org(&org).attachments(&key, &query).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&attachments);
    }
    if attachments.is_empty() {
        session.output.say(&format!("{key} has no attachments that you can see."));
        return Ok(());
    }
    session.output.table(&table(&attachments))
}
