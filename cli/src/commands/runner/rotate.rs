//! `svc runner rotate`.

use super::shared::{Which, show_secret};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Replace a runner's secret and print the new one. The old one stops working immediately
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc runner rotate laptop
  svc runner rotate laptop --yes > secret.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    let question =
        format!("Replace the secret of the runner {:?}, which then has to register again?", runner.name);
    args.confirm.sure(&question, session.output)?;
    let rotated = session.org(&org).rotate_runner(&runner.id).await?;
    show_secret("replaced the secret of", &rotated, session)
}
