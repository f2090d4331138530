//! `svc run`.

mod artifacts;
mod diff;
mod logs;
mod start;
mod view;
mod which;

use std::path::PathBuf;

use clap::Subcommand;
use svc_api::factory::{RunQuery, RunStatus};
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_runner::environment::FAILURE_VARIABLE;

use crate::commands::confirm::Confirm;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::{item_key, project_key};
use crate::output::{run_table, wire};
use crate::session::Session;
use crate::values::run_status;
use start::table;
use which::Which;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "create")]
    Start(start::Args),
    List(ListArgs),
    View(view::Args),
    Logs(logs::Args),
    Diff(diff::Args),
    Artifacts(artifacts::Args),
    Cancel(CancelArgs),
    #[command(name = "continue")]
    /// Continue a run that failed or ran out of time.
    ///
    /// The agent continues its session, on the same runner and in the same workspace. Only the newest run of an item can
    /// be continued, and only if its harness had started.
    #[command(after_help = "\
Examples:
  svc run continue PRJ-12
  svc run continue 0193a6e5-...")]
    GoOn(Which),
    /// Start a failed run over.
    ///
    /// The new run has the same playbook and agent, and works in a fresh checkout.
    #[command(after_help = "\
Examples:
  svc run retry PRJ-12
  svc run retry 0193a6e5-...")]
    Retry(Which),
    Fail(FailArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Start(args) => start::run(args, session).await,
        Command::List(args) => list(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Logs(args) => logs::run(args, session).await,
        Command::Diff(args) => diff::run(args, session).await,
        Command::Artifacts(args) => artifacts::run(args, session).await,
        Command::Cancel(args) => cancel(args, session).await,
        Command::GoOn(which) => go_on(which, session).await,
        Command::Retry(which) => retry(which, session).await,
        Command::Fail(args) => fail(&args),
    }
}

/// List runs, newest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc run list -p PRJ --status running")]
pub(crate) struct ListArgs {
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

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
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
    session.output.all(&runs, "No runs match.", |runs| run_table(runs.iter()))
}

/// Stop a run.
///
/// A run that has ended stays as it is (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run cancel PRJ-12
  svc run cancel 0193a6e5-...")]
pub(crate) struct CancelArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn cancel(args: CancelArgs, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    // Of a run that is none, or has ended, the instance says so at once.
    if args.confirm.asks(session.output) && !session.client.run(&id).await?.status.is_terminal() {
        args.confirm.sure_on_terminal(&format!("Stop the run {id} and its agent?"), session.output)?;
    }
    let run = session.client.cancel_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&run_table([&run])) }
}

async fn go_on(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let id = which.id(session).await?;
    let run = session.client.continue_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&table(&run)) }
}

async fn retry(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let id = which.id(session).await?;
    let run = session.client.retry_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&table(&run)) }
}

/// Report, from inside a run, that the work cannot be done
///
/// For coding agents: the run fails with this reason once the agent ends. Factory operators read the reason.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc run fail --reason 'The item names a file that is not in the repository.'")]
pub(crate) struct FailArgs {
    /// Why, in a sentence or two
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

fn fail(args: &FailArgs) -> Result<(), Failure> {
    let reason = args.reason.trim();
    if reason.is_empty() {
        return Err(Failure::rejected("Say why the work cannot be done: --reason \"<why>\"."));
    }
    let Some(file) = std::env::var_os(FAILURE_VARIABLE).map(PathBuf::from) else {
        let hint = "to stop a run from outside, use `svc run cancel <runId>`";
        return Err(Failure::rejected("This is not a run: no runner started this program.").hint(hint));
    };
    std::fs::write(&file, reason)
        .map_err(|error| Failure::io(format!("cannot write {}", file.display()), &error))?;
    eprintln!("Saved the reason. End now: the run fails with it.");
    Ok(())
}
