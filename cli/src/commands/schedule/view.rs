//! `svc schedule view`.

use svc_api::factory::Schedule;

use super::shared::Which;
use crate::failure::Failure;
use crate::output::{Pairs, option, when};
use crate::session::Session;

/// Show a schedule, when it is due next and what its items are.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule view nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let output = session.output;
    if output.json {
        return output.json(&schedule);
    }
    output.pairs(&pairs(&schedule))?;
    let body = schedule.body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

fn pairs(schedule: &Schedule) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", schedule.name.as_str());
    pairs.add("cron", schedule.cron.as_str());
    pairs.add("time zone", schedule.time_zone.as_str());
    let next: Vec<_> = schedule.next_runs.iter().map(|at| when(*at)).collect();
    pairs.add("next", if next.is_empty() { "paused".to_owned() } else { next.join(", ") });
    if let Some(reason) = &schedule.paused_reason {
        pairs.add("paused because", reason.as_str());
    }
    pairs.add("title", schedule.title.as_str());
    pairs.add("labels", schedule.labels.join(", "));
    pairs.add("last item", option(schedule.last_item.as_deref()));
    pairs.add("playbook", schedule.playbook.as_str());
    pairs.add("agent", option(schedule.agent.as_deref()));
    pairs.add("runner", option(schedule.runner.as_deref()));
    pairs.add("saved by", schedule.saved_by.name.as_str());
    pairs.add("id", schedule.id.as_str());
    pairs.add("version", schedule.version.to_string());
    pairs
}
