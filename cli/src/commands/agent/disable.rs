//! `svc agent disable`.

use super::shared::{Which, set_disabled};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Stop an agent from taking new runs
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc agent disable robin")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Disable the agent {}?", args.which.agent);
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_disabled(&args.which, true, session).await
}
