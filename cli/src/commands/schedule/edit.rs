//! `svc schedule edit`: reads the schedule's version, then sends the change under it.

use svc_api::Patch;
use svc_api::factory::{Harness, UpdateSchedule};
use svc_api::tracker::ItemType;

use super::shared::{Which, table};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, OrNone, harness_or_none, item_type};

/// Change a schedule. It then acts with your rights.
#[derive(clap::Args)]
#[command(
    override_usage = "svc schedule edit [OPTIONS] --project <PROJECT_KEY> <SCHEDULE>",
    after_help = "\
Examples:
  svc schedule edit nightly -p PRJ --cron '0 4 * * *'
  svc schedule edit nightly -p PRJ --agent none --labels auto,ops"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New cron expression
    #[arg(long, value_name = "EXPRESSION")]
    cron: Option<String>,
    /// New time zone
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Another playbook
    #[arg(long)]
    playbook: Option<String>,
    /// Another agent, or none for the project's default
    #[arg(long)]
    agent: Option<OrNone<String>>,
    /// Another runner, or none for any
    #[arg(long)]
    runner: Option<OrNone<String>>,
    /// Another harness, or none for the playbook's
    #[arg(long, value_parser = harness_or_none(), ignore_case = true)]
    harness: Option<OrNone<Harness>>,
    /// New type of its items
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    /// New title of its items
    #[arg(long)]
    title: Option<String>,
    /// New description of its items
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// New labels of its items, separated by commas
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let found = args.which.find(&org, session).await?;
    let Change { name, cron, time_zone, playbook, agent, runner, harness, item_type, title, body, labels } =
        args.change;
    let change = UpdateSchedule {
        version: found.version,
        name,
        cron,
        time_zone,
        playbook,
        agent: agent.map_or(Patch::Keep, Patch::from),
        runner: runner.map_or(Patch::Keep, Patch::from),
        harness: harness.map_or(Patch::Keep, Patch::from),
        item_type,
        title,
        body,
        labels: Names::joined(labels),
        paused: None,
    };
    let project = args.which.project.key(session).await?;
    let schedule = session.org(&org).update_schedule(project.as_str(), &found.id, &change).await?;
    session.output.one(&schedule, table)
}
