//! `svc schedule`.

mod create;
mod playbooks;
mod shared;
mod view;

pub(super) use shared::outcome;

use clap::Subcommand;
use svc_api::Patch;
use svc_api::factory::{Harness, PreviewSchedule, UpdateSchedule};
use svc_api::tracker::ItemType;

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, OrNone, harness_or_none, item_type};
use playbooks::Playbooks;
use shared::{Which, firing_table, on_its_clock, set_paused, table, table_with};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's schedules.
    #[command(after_help = "\
Example:
  svc schedule list -p PRJ")]
    List(InProject),
    #[command(visible_alias = "add")]
    Create(create::Args),
    View(view::Args),
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    /// Fire a schedule now, even if it is paused. Its due times stay as they are.
    #[command(after_help = "\
Example:
  svc schedule run nightly -p PRJ")]
    Run(Which),
    /// Pause a schedule: it does nothing until it is resumed.
    #[command(after_help = "\
Example:
  svc schedule pause nightly -p PRJ")]
    Pause(Which),
    /// Resume a paused schedule, starting with its next due time. It then acts with your rights.
    #[command(after_help = "\
Example:
  svc schedule resume nightly -p PRJ")]
    Resume(Which),
    /// List the firings of a schedule, newest first, with the item and run that each created or why it created none.
    #[command(after_help = "\
Example:
  svc schedule firings nightly -p PRJ")]
    Firings(Which),
    Preview(PreviewArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Run(which) => run_now(which, session).await,
        Command::Pause(which) => pause(which, session).await,
        Command::Resume(which) => resume(which, session).await,
        Command::Firings(which) => firings(which, session).await,
        Command::Preview(args) => preview(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let schedules = session.org(&org).schedules(project.as_str()).await?;
    let (output, none) =
        (session.output, "The project has no schedules; create one with `svc schedule create <NAME>`.");
    if output.json {
        return output.json(&schedules);
    }
    let playbooks = Playbooks::of(&schedules, project.as_str(), &org, session).await;
    output.all(&schedules, none, |schedules| table_with(schedules, Some(&playbooks)))
}

/// Change a schedule. It then acts with your rights.
#[derive(clap::Args)]
#[command(
    override_usage = "svc schedule edit [OPTIONS] --project <PROJECT_KEY> <SCHEDULE>",
    after_help = "\
Examples:
  svc schedule edit nightly -p PRJ --cron '0 4 * * *'
  svc schedule edit nightly -p PRJ --agent none --labels auto,ops"
)]
pub(crate) struct EditArgs {
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

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
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

/// Delete a schedule. Its items and runs stay.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule delete nightly -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    args.confirm.sure(&format!("Delete the schedule {:?} of {project}?", schedule.name), session.output)?;
    session.org(&org).delete_schedule(project.as_str(), &schedule.id).await?;
    session.output.say(&format!("deleted the schedule {:?} of {project}", schedule.name));
    Ok(())
}

async fn run_now(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = which.find(&org, session).await?;
    let project = which.project.key(session).await?;
    let firing = session.org(&org).fire_schedule(project.as_str(), &schedule.id).await?;
    if session.output.json {
        return session.output.json(&firing);
    }
    session.output.table(&firing_table(&[firing], &schedule.time_zone))
}

async fn pause(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    set_paused(&which, true, session).await
}

async fn resume(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    set_paused(&which, false, session).await
}

async fn firings(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = which.find(&org, session).await?;
    let project = which.project.key(session).await?;
    let all = session.org(&org).schedule_firings(project.as_str(), &schedule.id).await?;
    let table = |all: &[_]| firing_table(all, &schedule.time_zone);
    session.output.all(&all, "The schedule did not fire in the last 90 days.", table)
}

/// Show the next due times of a cron expression, in its time zone. Nothing is saved.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule preview --cron '0 6 * * MON' -p PRJ --time-zone Europe/Berlin")]
pub(crate) struct PreviewArgs {
    /// Cron expression; the same as --cron
    #[arg(value_name = "EXPRESSION", required_unless_present = "cron", conflicts_with = "cron")]
    expression: Option<String>,
    /// Minute, hour, day of the month, month and day of the week, such as '0 6 * * MON-FRI'
    #[arg(long, value_name = "EXPRESSION")]
    cron: Option<String>,
    #[command(flatten)]
    project: InProject,
    /// Time zone, such as Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
}

async fn preview(args: PreviewArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let zone = args.time_zone.clone().unwrap_or_else(|| "UTC".to_owned());
    let cron = args.cron.or(args.expression).unwrap_or_default();
    let asked = PreviewSchedule { cron, time_zone: args.time_zone };
    let shown = session.org(&org).preview_schedule(project.as_str(), &asked).await?;
    if session.output.json {
        return session.output.json(&shown);
    }
    let lines: Vec<_> = shown.next_runs.iter().map(|at| on_its_clock(*at, &zone)).collect();
    session.output.text(&lines.join("\n"))
}
