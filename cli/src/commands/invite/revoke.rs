//! `svc invite revoke`.

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Withdraw an invitation: its link stops working. The address can be invited again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc invite revoke ada@example.org
  svc invite revoke ada@example.org --yes")]
pub(crate) struct Args {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = super::shared::find(&args.invited, &org, session).await?;
    args.confirm.sure(
        &format!("Withdraw the invitation of {}? Its link stops working.", args.invited),
        session.output,
    )?;
    session.org(&org).revoke_invitation(&id).await?;
    session.output.say(&format!("withdrew the invitation of {}", args.invited));
    Ok(())
}
