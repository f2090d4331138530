//! `svc item history`.

use svc_api::page::PageQuery;
use svc_api::tracker::HistoryEntry;
use svc_client::Org;
use svc_domain::ids::ItemKey;

use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Table, hyphenated, when};
use crate::session::Session;

/// Entries that are shown with their differences: each difference is a request.
const WITH_DIFFS: usize = 20;

/// Show every change of an item, with who made it and when.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item history PRJ-12 --limit 20
  svc item history PRJ-12 --diff")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Show the changes to the description; prints the newest 20 entries unless --limit is given
    #[arg(long)]
    diff: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let limit = args.limit.map(|limit| limit as usize).or(args.diff.then_some(WITH_DIFFS));
    let entries = collect(limit, async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        session.org(&org).history(&key, &page).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&entries);
    }
    if args.diff {
        return with_diffs(&entries, session.org(&org), &key, session.output).await;
    }
    let table = Table::of(&entries)
        .fixed("AT", |entry| when(entry.at))
        .flexible("WHO", who)
        .fixed("WHAT", |entry| what(&entry.action))
        .flexible("CHANGE", change)
        .end();
    session.output.paged(|| session.output.table(&table)).await
}

/// Entry by entry, with what changed of the description below its own.
async fn with_diffs(
    entries: &[HistoryEntry],
    org: Org<'_>,
    key: &str,
    output: &Output,
) -> Result<(), Failure> {
    let mut shown = Vec::with_capacity(entries.len());
    for entry in entries {
        let diff = if entry.has_diff { Some(org.history_diff(key, &entry.id).await?) } else { None };
        let title = format!("{}  {}  {}", when(entry.at), who(entry), what(&entry.action));
        shown.push((format!("{title}  {}", change(entry)), diff));
    }
    output
        .paged(|| {
            shown.iter().try_for_each(|(title, diff)| {
                output.line(title.trim_end())?;
                diff.as_ref().map_or(Ok(()), |diff| output.diff(diff, "  "))
            })
        })
        .await
}

fn who(entry: &HistoryEntry) -> String {
    let agent = if entry.actor.agent { " (agent)" } else { "" };
    format!("{}{agent}", entry.actor.name)
}

/// What happened, as people say it.
fn what(action: &str) -> String {
    match action {
        "transitioned" => "moved".to_owned(),
        "transitionSkipped" => "not moved".to_owned(),
        "transferred" => "moved to another project".to_owned(),
        action => spoken(action),
    }
}

/// What the field is called on the command line.
fn field(name: &str) -> String {
    match name {
        "body" => "description".to_owned(),
        name => spoken(name),
    }
}

/// A name of the API in words.
fn spoken(name: &str) -> String {
    hyphenated(name).replace('-', " ")
}

/// What changed, from what, to what.
fn change(entry: &HistoryEntry) -> String {
    let field = entry.field.as_deref().map(|name| format!("{}: ", field(name))).unwrap_or_default();
    let run = entry.run_id.as_deref().map(|run| format!("  [run {run}]")).unwrap_or_default();
    let values = match (entry.from.as_deref(), entry.to.as_deref()) {
        (None, None) => field.trim_end_matches(": ").to_owned(),
        (None, Some(to)) => format!("{field}{to}"),
        (Some(from), None) => format!("{field}{from} -> none"),
        (Some(from), Some(to)) => format!("{field}{from} -> {to}"),
    };
    format!("{values}{run}")
}
