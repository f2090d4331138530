//! `svc sprint edit`: reads the sprint's version, then sends the change under it.

use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::UpdateSprint;

use super::shared::{say_days, show};
use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{LastDay, OrNone, day_or_none, last_day_or_none, number_or_none};

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
    /// New first day, such as 2027-01-04, tomorrow, monday or +3d, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    start: Option<OrNone<Date>>,
    /// New last day, or none; +11d and friday count from the first day
    #[arg(long, value_name = "DAY", value_parser = last_day_or_none)]
    end: Option<OrNone<LastDay>>,
    /// New capacity, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_or_none)]
    capacity: Option<OrNone<f64>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, goal, start, end, capacity } = args.change;
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let known = org.sprint(&id).await?;
    let first = match &start {
        Some(OrNone::Some(day)) => Some(*day),
        Some(OrNone::None) => None,
        None => known.start,
    };
    let (last, counted) = match end {
        None => (Patch::Keep, None),
        Some(OrNone::None) => (Patch::Clear, None),
        Some(OrNone::Some(day)) => (Patch::Set(day.of(first)), Some(day)),
    };
    let update = UpdateSprint {
        version: known.version,
        name,
        goal,
        start: start.map_or(Patch::Keep, Patch::from),
        end: last,
        capacity: capacity.map_or(Patch::Keep, Patch::from),
    };
    let changed = org.update_sprint(&id, &update).await?;
    say_days(counted, &changed, session);
    show(&changed, session)
}
