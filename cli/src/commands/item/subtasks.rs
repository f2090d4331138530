//! `svc item subtasks`.

use svc_api::page::PageQuery;
use svc_domain::ids::ItemKey;

use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::item_table;
use crate::session::Session;

/// List the subtasks of an item, or the items of an epic.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item subtasks PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let items = collect(None, async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        session.org(&org).subtasks(&key, &page).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&items);
    }
    if items.is_empty() {
        session.output.say(&format!("{key} has no subtasks or other children."));
        return Ok(());
    }
    session.output.table(&item_table(&items))
}
