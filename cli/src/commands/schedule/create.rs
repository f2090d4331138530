//! `svc schedule create`.

use std::path::PathBuf;

use svc_api::factory::{Harness, NewSchedule};
use svc_api::tracker::ItemType;

use super::shared::table;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::new_name::taken;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, harness, item_type};

/// Create a schedule: at each due time, it creates an item and hands it to an agent. It acts with your rights.
///
/// {date}, {time} and {week} in the title and description stand for the due time. A due time is skipped while the
/// schedule's last item has a live run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc schedule create Dependencies -p PRJ --cron '0 6 * * MON' --time-zone Europe/Berlin --playbook implement \\
      --title 'Update dependencies ({week})'
  svc schedule create Nightly -p PRJ --cron '30 2 * * *' --playbook review --title 'Review of {date}' -m 'Read the diff.'")]
pub(crate) struct Args {
    /// Name of the schedule
    #[arg(value_name = "NEW_NAME")]
    name: String,
    #[command(flatten)]
    project: InProject,
    /// Minute, hour, day of the month, month and day of the week, such as '0 6 * * MON-FRI'
    #[arg(long, value_name = "EXPRESSION")]
    cron: String,
    /// Time zone, such as Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Name, in any case, or id of the playbook
    #[arg(long)]
    playbook: String,
    /// Display name or id of the agent [default: the project's]
    #[arg(long)]
    agent: Option<String>,
    /// Name or id of the runner for its runs [default: any]
    #[arg(long)]
    runner: Option<String>,
    /// Harness for its runs [default: the playbook's]
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Option<Harness>,
    /// Type of its items
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true, default_value = "task")]
    item_type: ItemType,
    /// Title of its items
    #[arg(long)]
    title: String,
    /// Description of its items, in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Labels of its items, separated by commas
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
    /// Create it paused
    #[arg(long)]
    paused: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let labels = Names::joined(args.labels).unwrap_or_default();
    let new = NewSchedule {
        name: args.name,
        cron: args.cron,
        time_zone: args.time_zone,
        playbook: args.playbook,
        agent: args.agent,
        runner: args.runner,
        harness: args.harness,
        item_type: args.item_type,
        title: args.title,
        body: given(args.body, args.body_file)?.unwrap_or_default(),
        labels,
        paused: args.paused,
    };
    let created = session.org(&org).create_schedule(project.as_str(), &new).await;
    let next = format!("choose another name, or see `svc schedule list -p {project}`");
    let schedule = created.map_err(|error| taken(error, "a schedule", &new.name, &next))?;
    session.output.one(&schedule, table)
}
