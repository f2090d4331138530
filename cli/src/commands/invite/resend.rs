//! `svc invite resend`.

use svc_api::identity::ResendQuery;

use crate::failure::Failure;
use crate::session::Session;

/// Send an invitation again, with a new link and a new expiry. Earlier links stop working.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc invite resend ada@example.org
  svc invite resend ada@example.org --link")]
pub(crate) struct Args {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
    /// Print a link to pass on instead of sending mail
    #[arg(long)]
    link: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = super::shared::find(&args.invited, &org, session).await?;
    let how = ResendQuery { by_hand: args.link };
    let sent = session.org(&org).resend_invitation(&id, how).await?;
    super::shared::show(&super::shared::settled(sent, &org, session).await?, session)
}
