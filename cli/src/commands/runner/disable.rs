//! `svc runner disable`.

use super::shared::{Which, set_disabled};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Disable a runner: its requests are refused until it is enabled again
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner disable laptop")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Disable the runner {}?", args.which.runner);
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_disabled(&args.which, true, session).await
}
