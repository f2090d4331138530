//! `svc run list`.

use svc_api::factory::{RunQuery, RunStatus};
use svc_domain::ids::{ItemKey, ProjectKey};

use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::{item_key, project_key};
use crate::output::{run_table, wire};
use crate::session::Session;
use crate::values::run_status;

/// List runs, newest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc run list -p PRJ --status running")]
pub(crate) struct Args {
    /// Only runs of this project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
    /// Only runs in this state
    #[arg(long, value_parser = run_status(), ignore_case = true)]
    status: Option<RunStatus>,
    /// Only runs of the agent with this id
    #[arg(long, value_name = "ID")]
    agent: Option<String>,
    /// Only runs of this item
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    item: Option<ItemKey>,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let query = RunQuery {
        project: args.project.map(|key| key.to_string()),
        status: args.status.as_ref().map(wire),
        agent: args.agent,
        item: args.item.map(|key| key.to_string()),
        ..RunQuery::default()
    };
    let runs = collect(args.limit.map(|limit| limit as usize), async |page, size| {
        let query = RunQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).runs(&query).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&runs);
    }
    if runs.is_empty() {
        session.output.say("No runs match.");
        return Ok(());
    }
    session.output.table(&run_table(&runs))
}
