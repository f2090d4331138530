//! `svc runner edit`: reads the runner's version, then sends the change under it.

use svc_api::factory::UpdateRunner;

use super::shared::{Which, table};
use crate::failure::Failure;
use crate::session::Session;

/// Rename a runner of the organization
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner edit laptop --name build-2")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// New name
    #[arg(long, value_name = "NEW_NAME")]
    name: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    let change = UpdateRunner { version: runner.version, name: Some(args.name), disabled: None };
    let runner = session.org(&org).update_runner(&runner.id, &change).await?;
    session.output.one(&runner, table)
}
