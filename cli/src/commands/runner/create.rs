//! `svc runner create`.

use svc_api::factory::NewRunner;

use super::shared::show_secret;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;

/// Create a runner in the organization and print its secret. It is shown only this once
///
/// Pass the secret to `svc runner register` on the machine that executes runs. You need to be an Owner or Admin of
/// the organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc runner create laptop
  svc runner create build-1 > secret.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let new = NewRunner { name: args.name.into_text() };
    let created = session.org(&org).create_runner(&new).await;
    let next = "choose another name, or give that runner a new secret with `svc runner rotate`";
    let created = created.map_err(|error| taken(error, "a runner", &new.name, next))?;
    show_secret("created", &created, session)
}
