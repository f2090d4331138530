//! `svc schedule preview`.

use svc_api::factory::PreviewSchedule;

use super::shared::on_its_clock;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// Show the next due times of a cron expression, in its time zone. Nothing is saved.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule preview --cron '0 6 * * MON' -p PRJ --time-zone Europe/Berlin")]
pub(crate) struct Args {
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

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
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
