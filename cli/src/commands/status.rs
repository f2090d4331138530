//! `svc status`: what waits for the caller, across the projects of the organization. The web app's Home shows the same.

use std::collections::HashSet;

use futures::{StreamExt as _, future, stream};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use svc_api::factory::{RefinementStatus, Run, RunKind, RunQuery, RunStatus};
use svc_api::identity::Me;
use svc_api::tracker::{Item, ItemQuery};

use crate::commands::paging::collect_items;
use crate::failure::Failure;
use crate::fresh;
use crate::output::{item_list, listed, run_table};
use crate::session::Session;

/// Unfinished items that are assigned to the caller.
pub(super) const ASSIGNED: &str = "assignee:@me state:backlog,active";
/// The newest runs among which those are that wait for a person.
const RUNS: u32 = 100;
/// Refinements that are asked what they wait for.
const REFINEMENTS: usize = 8;
/// Older runs no longer wait for a person.
const A_WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Show what waits for you: runs that need you, your claims, items assigned to you, and your live runs
///
/// It covers every project that you can see. Runs need you when an agent asks or proposes something, when it finished an
/// item that was not accepted, or when it failed; only people who can start AI work see them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc status
  svc status --json --jq '.assigned[].key'")]
pub(crate) struct Args {}

pub(crate) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let me = session.client.me().await?;
    let query = |filter: &str| ItemQuery {
        filter: Some(filter.to_owned()),
        sort: Some("-updated".to_owned()),
        ..ItemQuery::default()
    };
    let claimed = everywhere(&query("claimed:@me"), None, &org, session).await?;
    let mut assigned = everywhere(&query(ASSIGNED), None, &org, session).await?;
    assigned.retain(|item| !claimed.iter().any(|claimed| claimed.key == item.key));
    let (needs, runs) = runs(&me, &org, session).await;
    let output = session.output;
    if output.json {
        return output.json(&json!({
            "needsYou": &needs,
            "claimed": listed(&claimed)?,
            "assigned": listed(&assigned)?,
            "runs": &runs,
        }));
    }
    if assigned.is_empty() && claimed.is_empty() && needs.is_empty() && runs.is_empty() {
        output.say(&format!("You have nothing to do in {org}."));
        return Ok(());
    }
    let tables = [
        ("Needs you", !needs.is_empty(), run_table(&needs)),
        ("Claimed by you", !claimed.is_empty(), item_list(&claimed, &[])),
        ("Assigned to you", !assigned.is_empty(), item_list(&assigned, &[])),
        ("Your runs", !runs.is_empty(), run_table(&runs)),
    ];
    for (index, (title, _, table)) in tables.iter().filter(|(_, any, _)| *any).enumerate() {
        if index > 0 {
            output.text("")?;
        }
        output.text(&format!("{title}\n"))?;
        output.table(table)?;
    }
    Ok(())
}

/// Items of all projects that match, all or the first `limit`.
pub(super) async fn everywhere(
    query: &ItemQuery,
    limit: Option<usize>,
    org: &str,
    session: &Session<'_>,
) -> Result<Vec<Item>, Failure> {
    let items = collect_items(limit, async |page, size| {
        let query = ItemQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(org).org_items(&query).await
    });
    Ok(items.await?)
}

/// The runs that wait for a person, and those of the caller that have not ended; none where runs are hidden.
async fn runs(me: &Me, org: &str, session: &Session<'_>) -> (Vec<Run>, Vec<Run>) {
    let newest = RunQuery { page_size: Some(RUNS), ..RunQuery::default() };
    let Ok(page) = session.org(org).runs(&newest).await else { return (Vec::new(), Vec::new()) };
    let operates = me.organizations.iter().any(|seen| seen.slug == org && seen.can_operate_factory);
    let needs =
        if operates { needs(lately(&page.items, fresh::now()), org, session).await } else { Vec::new() };
    let live = |run: &Run| !run.status.is_terminal() && run.requested_by.id == me.id;
    (needs, page.items.into_iter().filter(live).collect())
}

/// The last run of each item, as far as it ended within a week, newest first.
fn lately(runs: &[Run], now: Timestamp) -> Vec<Run> {
    let mut seen = HashSet::new();
    let last = runs.iter().filter(|run| seen.insert(&run.item) && run.status.is_terminal());
    let ended = |run: &&Run| now.duration_since(run.finished_at.unwrap_or(run.queued_at)) < A_WEEK;
    last.filter(ended).cloned().collect()
}

/// Of the last runs, refinements in which it is a person's turn, finished work that was not accepted, and failures.
async fn needs(lately: Vec<Run>, org: &str, session: &Session<'_>) -> Vec<Run> {
    let refinements = lately.iter().filter(|run| run.kind == RunKind::Refine).take(REFINEMENTS);
    let turns = stream::iter(refinements).map(|run| is_turn(run, org, session)).buffered(REFINEMENTS);
    let turns = turns.filter_map(async |turn| turn).collect::<HashSet<String>>();
    let (turns, open) = future::join(turns, open(org, session)).await;
    let place = |run: &Run| match run.status {
        _ if turns.contains(&run.id) => Some(0),
        RunStatus::Succeeded if run.kind != RunKind::Refine && open.contains(&run.item) => Some(1),
        RunStatus::Failed | RunStatus::TimedOut => Some(2),
        _ => None,
    };
    let mut needs: Vec<(i32, Run)> = lately.into_iter().filter_map(|run| Some((place(&run)?, run))).collect();
    needs.sort_by_key(|(place, _)| *place);
    needs.into_iter().map(|(_, run)| run).collect()
}

/// The id of a refinement that waits for a person.
async fn is_turn(run: &Run, org: &str, session: &Session<'_>) -> Option<String> {
    let refinement = session.org(org).refinement(&run.item).await.ok()?;
    let waits = matches!(refinement.status, RefinementStatus::Questions | RefinementStatus::Proposed);
    (waits && refinement.run == run.id).then_some(refinement.run)
}

/// The keys of the unfinished items that changed last: those of finished runs are among them.
async fn open(org: &str, session: &Session<'_>) -> HashSet<String> {
    let open = ItemQuery {
        filter: Some("state:backlog,active".to_owned()),
        sort: Some("-updated".to_owned()),
        page_size: Some(RUNS),
        ..ItemQuery::default()
    };
    let page = session.org(org).org_items(&open).await;
    page.map(|page| page.items.into_iter().map(|item| item.key).collect()).unwrap_or_default()
}
