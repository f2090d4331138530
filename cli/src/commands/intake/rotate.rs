//! `svc intake rotate`.

use super::shared::{Which, show_address};
use crate::failure::Failure;
use crate::session::Session;

/// Give an intake a new address and print it. The one before stops working at once.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc intake rotate Alertmanager -p OPS > address.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let intake = args.which.find(&org, session).await?;
    let rotated = session.org(&org).rotate_intake(project.as_str(), &intake.id).await?;
    show_address("replaced the address of", &rotated, session)
}
