//! `svc invite revoke`.

use crate::failure::Failure;
use crate::session::Session;

/// Withdraw an invitation: its link leads nowhere. The address can be invited anew.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc invite revoke ada@example.org")]
pub(crate) struct Args {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = super::shared::find(&args.invited, &org, session).await?;
    session.org(&org).revoke_invitation(&id).await?;
    session.output.say(&format!("withdrew the invitation of {}", args.invited));
    Ok(())
}
