//! `svc schedule firings`.

use super::shared::{Which, firings};
use crate::failure::Failure;
use crate::session::Session;

/// List the firings of a schedule, newest first, with the item and run that each created or why it created none.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule firings nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    let all = session.org(&org).schedule_firings(project.as_str(), &schedule.id).await?;
    let table = |all: &[_]| firings(all, &schedule.time_zone);
    session.output.all(&all, "The schedule did not fire in the last 90 days.", table)
}
