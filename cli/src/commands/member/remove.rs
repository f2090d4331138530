//! `svc member remove`.

use crate::commands::confirm::Confirm;
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Remove a member from the organization and all its projects.
///
/// Their account and everything they wrote stay. Invite them again to bring them back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc member remove ada@example.org
  svc member remove ada@example.org --yes")]
pub(crate) struct Args {
    /// Address, name or id of the member
    #[arg(value_name = "MEMBER")]
    member: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    let who = people::called(&member);
    args.confirm.sure(&format!("Remove {who} from {org} and all its projects?"), session.output)?;
    session.org(&org).remove_member(&member.user_id).await?;
    session.output.say(&format!("removed {who} from {org}"));
    Ok(())
}
