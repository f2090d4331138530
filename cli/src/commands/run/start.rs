//! `svc run start`.

use svc_api::factory::{Harness, Run, RunPreview, StartRun};
use svc_domain::ids::ItemKey;

use super::logs::{follow, waits_for};
use crate::commands::{agent, playbook};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{self, Output, Pairs, Table, status};
use crate::session::Session;
use crate::values::harness;

/// Hand an item to an agent.
///
/// The run starts when a runner with its harness is free. The item must not be claimed, and must not have a live run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run start PRJ-12
  svc run start PRJ-12 --playbook 'fix a bug' --agent robin
  svc run start PRJ-12 --runner laptop --follow
  svc run start PRJ-12 --harness codex
  svc run start PRJ-12 --dry-run")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Name, in any case, or id of a playbook of the item's project [default: the project's]
    #[arg(long, value_name = "NAME_OR_ID")]
    playbook: Option<String>,
    /// Display name or id of an agent [default: the project's]
    #[arg(long, value_name = "NAME_OR_ID")]
    agent: Option<String>,
    /// Name or id of the runner to use [default: any runner with the harness]
    #[arg(long, value_name = "NAME_OR_ID")]
    runner: Option<String>,
    /// Harness to use instead of the playbook's
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Option<Harness>,
    /// Print the run's log until it ends, and exit with 1 if the run does not succeed. Ctrl-C ends only the printing
    #[arg(short, long, conflicts_with = "json")]
    follow: bool,
    /// Do not start the run; show whether and where it would start at once, or what it would wait for
    #[arg(long, conflicts_with = "follow")]
    dry_run: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let playbook = match &args.playbook {
        Some(wanted) => Some(playbook::find(wanted, args.key.project.as_str(), &org, session).await?.id),
        None => None,
    };
    let agent = match &args.agent {
        Some(wanted) => Some(agent::find(wanted, &org, session).await?.id),
        None => None,
    };
    let (runner, harness) = (args.runner, args.harness);
    let start = StartRun { playbook, agent, runner, harness, scheduled_for: None };
    if args.dry_run {
        let preview = session.org(&org).preview_run(&args.key.to_string(), &start).await;
        return show(&preview.map_err(|error| lacking(error.into(), &args.key))?, session.output);
    }
    let started = session.org(&org).start_run(&args.key.to_string(), &start).await;
    let run = started.map_err(|error| lacking(error.into(), &args.key))?;
    if session.output.json {
        return session.output.json(&run);
    }
    session.output.table(&table(&run))?;
    if let Some(waits) = waits_for(&run).filter(|_| !args.follow) {
        session.output.say(&waits);
    }
    if args.follow { follow(&run.id, None, true, session).await } else { Ok(()) }
}

/// Shows what a run would be.
fn show(preview: &RunPreview, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.json(preview);
    }
    let mut pairs = Pairs::default();
    let starts = match (&preview.runner, &preview.waiting_reason) {
        (Some(runner), _) => format!("at once, on {}", runner.name),
        (None, Some(why)) => format!("later. {why}"),
        (None, None) => "later".to_owned(),
    };
    pairs.add("starts", starts);
    let blockers = preview.blocked_by.join(", ");
    pairs.maybe("blocked", (!blockers.is_empty()).then(|| format!("by {blockers}, which are open")));
    pairs.add("agent", preview.agent.name.as_str());
    pairs.add("playbook", preview.playbook.name.as_str());
    pairs.add("harness", output::harness(preview.harness));
    pairs.add("branch", preview.branch.as_str());
    output.pairs(&pairs)?;
    output.say("Nothing was started.");
    Ok(())
}

/// The failure, with the command that makes what a run needs.
fn lacking(failure: Failure, item: &ItemKey) -> Failure {
    let project = &item.project;
    if failure.fields.contains_key("playbook") {
        return failure.hint(format!(
            "name one of `svc playbook list -p {project}` with --playbook, or create one with `svc playbook create <NAME> -p {project} --harness claude-code --body-file <PATH> --default`"
        ));
    }
    if failure.fields.contains_key("agent") {
        return failure
            .hint("name one of `svc agent list` with --agent, or create one with `svc agent create <NAME>`");
    }
    failure
}

/// A run that was queued.
pub(super) fn table(run: &Run) -> Table {
    Table::of([run])
        .fixed("ID", |run| run.id.as_str())
        .fixed("STATUS", |run| status(run.status))
        .flexible("AGENT", |run| run.agent.name.as_str())
        .flexible("PLAYBOOK", |run| run.playbook.name.as_str())
        .end()
}
