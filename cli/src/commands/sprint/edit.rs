//! `svc sprint edit`: reads the sprint's version, then sends the change under it.

use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::UpdateSprint;

use super::shared::show;
use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{OrNone, day_or_none, number_or_none};

/// Change a sprint's name, goal, days or capacity.
#[derive(clap::Args)]
#[command(
    override_usage = "svc sprint edit [OPTIONS] <SPRINT>",
    after_help = "\
Examples:
  svc sprint edit 'Sprint 12' --goal 'Search remembers its filter'
  svc sprint edit current --end 2027-01-22"
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
    /// New goal
    #[arg(long)]
    goal: Option<String>,
    /// New first day, such as 2027-01-04, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    start: Option<OrNone<Date>>,
    /// New last day, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    end: Option<OrNone<Date>>,
    /// New capacity, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_or_none)]
    capacity: Option<OrNone<f64>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, goal, start, end, capacity } = args.change;
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let update = UpdateSprint {
        version: org.sprint(&id).await?.version,
        name,
        goal,
        start: start.map_or(Patch::Keep, Patch::from),
        end: end.map_or(Patch::Keep, Patch::from),
        capacity: capacity.map_or(Patch::Keep, Patch::from),
    };
    show(&org.update_sprint(&id, &update).await?, session)
}
