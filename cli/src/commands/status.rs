//! `svc status`: what waits for the caller, across the projects of the organization.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::json;
use svc_api::factory::{Run, RunQuery};
use svc_api::tracker::{Item, ItemQuery, ProjectQuery};

use crate::failure::Failure;
use crate::output::{item_list, listed, run_table};
use crate::session::Session;

/// Projects that are asked at once.
const AT_ONCE: usize = 4;
/// Most entries of each kind.
const MOST: u32 = 50;

/// Show your work: items assigned to you, your claims, and live runs that you started
///
/// It covers every project that you can see.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc status
  svc status --json --jq '.assigned[].key'")]
pub(crate) struct Args {}

struct Status {
    /// Unfinished items that are assigned to the caller.
    assigned: Vec<Item>,
    /// Items that the caller claimed.
    claimed: Vec<Item>,
    /// Queued, assigned and running runs that the caller started.
    runs: Vec<Run>,
}

pub(crate) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let assigned = mine("assignee:@me state:backlog,active", "-priority", &org, session).await?;
    let claimed = mine("claimed:@me", "-updated", &org, session).await?;
    let runs = live_runs(&org, session).await;
    let status = Status { assigned, claimed, runs };
    let output = session.output;
    if output.json {
        return output.json(&json!({
            "assigned": listed(&status.assigned)?,
            "claimed": listed(&status.claimed)?,
            "runs": &status.runs,
        }));
    }
    let Status { assigned, claimed, runs } = &status;
    if assigned.is_empty() && claimed.is_empty() && runs.is_empty() {
        output.say(&format!("You have nothing to do in {org}."));
        return Ok(());
    }
    for (title, items) in [("Assigned to you", assigned), ("Claimed by you", claimed)] {
        if !items.is_empty() {
            output.text(&format!("{title}\n"))?;
            output.table(&item_list(items, &[]))?;
            output.text("")?;
        }
    }
    if runs.is_empty() {
        return Ok(());
    }
    output.text("Your runs\n")?;
    output.table(&run_table(runs))
}

/// Items of all projects that match.
pub(super) async fn mine(
    filter: &str,
    sort: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Vec<Item>, Failure> {
    let projects = session.org(org).projects(&ProjectQuery::default()).await?;
    let query = ItemQuery {
        filter: Some(filter.to_owned()),
        sort: Some(sort.to_owned()),
        page_size: Some(MOST),
        ..ItemQuery::default()
    };
    let lists: Vec<Vec<Item>> = stream::iter(&projects)
        .map(|project| async { Ok(session.org(org).items(&project.key, &query).await?.items) })
        .buffered(AT_ONCE)
        .try_collect()
        .await
        .map_err(|error: svc_client::Error| Failure::from(error))?;
    Ok(lists.into_iter().flatten().collect())
}

/// Runs of the caller that have not ended; none for who may not see runs.
async fn live_runs(org: &str, session: &Session<'_>) -> Vec<Run> {
    let query = RunQuery { page_size: Some(MOST), ..RunQuery::default() };
    let asked = futures::join!(session.client.me(), session.org(org).runs(&query));
    let (Ok(me), Ok(runs)) = asked else { return Vec::new() };
    let own = |run: &Run| !run.status.is_terminal() && run.requested_by.id == me.id;
    runs.items.into_iter().filter(own).collect()
}
