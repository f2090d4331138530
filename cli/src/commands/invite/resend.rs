//! `svc invite resend`.

use crate::failure::Failure;
use crate::session::Session;

/// Send an invitation again, with a new link and a new expiry. Earlier links stop working.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc invite resend ada@example.org")]
pub(crate) struct Args {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = super::shared::find(&args.invited, &org, session).await?;
    super::shared::show(&session.org(&org).resend_invitation(&id).await?, session)
}
