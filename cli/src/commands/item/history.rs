//! `svc item history`.

use svc_api::page::PageQuery;
use svc_api::tracker::HistoryEntry;
use svc_domain::ids::ItemKey;

use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// Show every change of an item, with who made it and when.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item history PRJ-12 --limit 20")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Print at most this many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let entries = collect(args.limit.map(|limit| limit as usize), async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        session.org(&org).history(&key, &page).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&entries);
    }
    let mut table = Table::new([
        Column::fixed("AT"),
        Column::flexible("WHO"),
        Column::fixed("WHAT"),
        Column::flexible("CHANGE"),
    ]);
    for entry in &entries {
        let agent = if entry.actor.agent { " (agent)" } else { "" };
        table.row([
            when(entry.at).into(),
            format!("{}{agent}", entry.actor.name).into(),
            entry.action.as_str().into(),
            change(entry).into(),
        ]);
    }
    session.output.paged(|| session.output.table(&table)).await
}

/// What changed, from what, to what.
fn change(entry: &HistoryEntry) -> String {
    let field = entry.field.as_deref().map(|field| format!("{field}: ")).unwrap_or_default();
    let run = entry.run_id.as_deref().map(|run| format!("  [run {run}]")).unwrap_or_default();
    let values = match (entry.from.as_deref(), entry.to.as_deref()) {
        (None, None) => field.trim_end_matches(": ").to_owned(),
        (None, Some(to)) => format!("{field}{to}"),
        (Some(from), None) => format!("{field}{from} -> none"),
        (Some(from), Some(to)) => format!("{field}{from} -> {to}"),
    };
    format!("{values}{run}")
}
