//! `svc schedule run`.

use super::shared::{Which, firings};
use crate::failure::Failure;
use crate::session::Session;

/// Fire a schedule now, even if it is paused. Its due times stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule run nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    let firing = session.org(&org).fire_schedule(project.as_str(), &schedule.id).await?;
    if session.output.json {
        return session.output.json(&firing);
    }
    session.output.table(&firings(&[firing], &schedule.time_zone))
}
