//! `svc invite create`.

use svc_api::identity::{InvitationPreset, NewInvitation};
use svc_domain::ids::ProjectKey;

use super::shared::{find, settled, show};
use crate::failure::Failure;
use crate::keys::project_key;
use crate::output::one_line;
use crate::session::Session;
use crate::values::preset;

/// Invite somebody to the organization by e-mail. If the instance sends no e-mail, or its mail server takes none, it
/// prints a link to pass on; if mail does not arrive, `svc invite resend --link` prints one.
///
/// A guest can read, comment and react. A stakeholder is a member of one project who can neither start AI work nor
/// see its details.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc invite create ada@example.org -p PRJ --can-start-ai-work
  svc invite create eve@example.org --preset stakeholder -p PRJ
  svc invite create ben@example.org --json | jq -r .link")]
pub(crate) struct Args {
    /// Address to invite
    #[arg(value_name = "ADDRESS")]
    email: String,
    /// Role to invite them as
    #[arg(long, value_parser = preset(), ignore_case = true, default_value = "member")]
    preset: InvitationPreset,
    /// Project to add them to; required for a stakeholder, not needed for an admin
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
    /// Let them hand items to agents
    #[arg(long)]
    can_start_ai_work: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { email, preset, project, can_start_ai_work } = args;
    let new = NewInvitation { email, preset, project: project.map(|key| key.to_string()), can_start_ai_work };
    let org = session.org_slug().await?;
    match session.org(&org).invite(&new).await {
        Ok(invited) => show(&settled(invited, &org, session).await?, session),
        Err(error) if error.is_problem("conflict") && find(&new.email, &org, session).await.is_ok() => {
            let again =
                format!("`svc invite resend {}` sends it again, with a new link", one_line(&new.email));
            Err(Failure::from(error).hint(again))
        }
        Err(error) => Err(error.into()),
    }
}
