//! `svc invite`.

use std::time::Duration;

use clap::Subcommand;
use svc_api::identity::{
    Invitation, InvitationDelivery, InvitationPreset, InvitationState, NewInvitation, ResendQuery,
};
use svc_domain::ids::ProjectKey;

use crate::commands::confirm::Confirm;
use crate::commands::named::{Named, pick};
use crate::failure::Failure;
use crate::keys::project_key;
use crate::output::{Table, name, one_line, option, when};
use crate::session::Session;
use crate::values::preset;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    /// List the organization's invitations, newest first, with their state.
    #[command(after_help = "\
Example:
  svc invite list")]
    List,
    Resend(ResendArgs),
    #[command(visible_aliases = ["delete", "remove"])]
    Revoke(RevokeArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Create(args) => create(args, session).await,
        Command::List => list(session).await,
        Command::Resend(args) => resend(args, session).await,
        Command::Revoke(args) => revoke(args, session).await,
    }
}

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
pub(crate) struct CreateArgs {
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

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let CreateArgs { email, preset, project, can_start_ai_work } = args;
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

async fn list(session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let invitations = session.org(&org).invitations().await?;
    session.output.all(&invitations, "There are no invitations.", table)?;
    invitations.iter().for_each(|invitation| tell_of_mail(invitation, session));
    Ok(())
}

/// Send an invitation again, with a new link and a new expiry. Earlier links stop working.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc invite resend ada@example.org
  svc invite resend ada@example.org --link")]
pub(crate) struct ResendArgs {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
    /// Print a link to pass on instead of sending mail
    #[arg(long)]
    link: bool,
}

async fn resend(args: ResendArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = find(&args.invited, &org, session).await?;
    let how = ResendQuery { by_hand: args.link };
    let sent = session.org(&org).resend_invitation(&id, how).await?;
    show(&settled(sent, &org, session).await?, session)
}

/// Withdraw an invitation: its link stops working. The address can be invited again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc invite revoke ada@example.org
  svc invite revoke ada@example.org --yes")]
pub(crate) struct RevokeArgs {
    /// Address that was invited, or id of the invitation
    #[arg(value_name = "INVITED")]
    invited: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn revoke(args: RevokeArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = find(&args.invited, &org, session).await?;
    args.confirm.sure(
        &format!("Withdraw the invitation of {}? Its link stops working.", args.invited),
        session.output,
    )?;
    session.org(&org).revoke_invitation(&id).await?;
    session.output.say(&format!("withdrew the invitation of {}", args.invited));
    Ok(())
}

/// The id of the invitation that `wanted` means: by id, or by the address that is invited and has not joined.
async fn find(wanted: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    let mut open = session.org(org).invitations().await?;
    open.retain(|invitation| {
        matches!(invitation.state, InvitationState::Pending | InvitationState::Expired)
            || invitation.id.eq_ignore_ascii_case(wanted)
    });
    let found = pick("open invitation", wanted, open, true, |one| Named { id: &one.id, name: &one.email });
    Ok(found?.id)
}

/// Waits a moment for the mail of an invitation: a mail server that refuses it does so at once.
async fn settled(invited: Invitation, org: &str, session: &Session<'_>) -> Result<Invitation, Failure> {
    const LOOKS: u32 = 4;
    for look in 0..LOOKS {
        let waits = invited.delivery == InvitationDelivery::Waiting && invited.link.is_none();
        if !waits {
            return Ok(invited);
        }
        tokio::time::sleep(Duration::from_millis(150) * look).await;
        let all = session.org(org).invitations().await?;
        let now = all.into_iter().find(|one| one.id == invited.id);
        let ended =
            |now: &Invitation| now.mail_error.is_some() || now.delivery != InvitationDelivery::Waiting;
        if let Some(now) = now.filter(ended) {
            return Ok(now);
        }
    }
    Ok(invited)
}

/// Shows an invitation that went out, and its link where mail does not bring it.
fn show(invitation: &Invitation, session: &Session<'_>) -> Result<(), Failure> {
    session.output.one(invitation, table)?;
    match &invitation.link {
        Some(link) if !session.output.json => {
            let why = invitation.mail_error.as_deref().map(|why| format!(": {}", one_line(why)));
            let why = why.unwrap_or_default();
            session.output.say(&format!("No mail was sent{why}. Pass this link on, for `svc auth join`."));
            session.output.line(link)
        }
        _ => {
            tell_of_mail(invitation, session);
            Ok(())
        }
    }
}

/// Says of an open invitation whose mail has not been sent why, and what to do.
fn tell_of_mail(invitation: &Invitation, session: &Session<'_>) {
    let email = one_line(&invitation.email);
    let said = invitation.mail_error.as_deref().map(one_line);
    let why = match (invitation.state, invitation.delivery, said) {
        (InvitationState::Pending, InvitationDelivery::Waiting, None) => {
            "the mail waits to be sent; if it stays so, the log of the server names the reason".to_owned()
        }
        (InvitationState::Pending, InvitationDelivery::Waiting, Some(said)) => {
            format!("the mail could not be sent yet ({said})")
        }
        (InvitationState::Pending, InvitationDelivery::Refused, said) => {
            let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
            format!("the mail server refused the mail: check the address{said}")
        }
        _ => return,
    };
    let link = match &invitation.link {
        Some(link) => format!("Pass this link on: {}", one_line(link)),
        None => format!("For a link to pass on: `svc invite resend {email} --link`"),
    };
    session.output.say(&format!("{email}: {why}. {link}"));
}

/// Invitations, one a row.
fn table(invitations: &[Invitation]) -> Table {
    Table::of(invitations)
        .fixed("STATE", |invitation| name(&invitation.state))
        .fixed("PRESET", |invitation| name(&invitation.preset))
        .fixed("PROJECT", |invitation| option(invitation.project.as_deref()))
        .fixed("MAIL", |invitation| name(&invitation.delivery))
        .fixed("UNTIL", |invitation| option(invitation.expires_at.map(when).as_deref()))
        .flexible("INVITED BY", |invitation| invitation.invited_by.name.as_str())
        .flexible("EMAIL", |invitation| invitation.email.as_str())
        .end()
}
