//! What the commands of this noun share: how they name a thing and how they show it.

use std::time::Duration;

use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, name, one_line, option, when};
use crate::session::Session;
use svc_api::identity::{Invitation, InvitationDelivery, InvitationState};

/// The id of the invitation that `wanted` means: by id, or by the address that is invited and has not joined.
pub(super) async fn find(wanted: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    let all = session.org(org).invitations().await?;
    let open = |invitation: &&Invitation| {
        matches!(invitation.state, InvitationState::Pending | InvitationState::Expired)
            || invitation.id.eq_ignore_ascii_case(wanted)
    };
    let all: Vec<_> = all
        .iter()
        .filter(open)
        .map(|invitation| Named { id: &invitation.id, name: &invitation.email })
        .collect();
    resolve("open invitation", wanted, &all, true)
}

/// The invitation once something came of its mail, or as it is after a moment: a mail server that takes nothing says so
/// at once.
pub(super) async fn settled(
    invited: Invitation,
    org: &str,
    session: &Session<'_>,
) -> Result<Invitation, Failure> {
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
pub(super) fn show(invitation: &Invitation, session: &Session<'_>) -> Result<(), Failure> {
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
pub(super) fn tell_of_mail(invitation: &Invitation, session: &Session<'_>) {
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
pub(super) fn table(invitations: &[Invitation]) -> Table {
    let mut table = Table::new([
        Column::fixed("STATE"),
        Column::fixed("PRESET"),
        Column::fixed("PROJECT"),
        Column::fixed("MAIL"),
        Column::fixed("UNTIL"),
        Column::flexible("INVITED BY"),
        Column::flexible("EMAIL"),
    ]);
    for invitation in invitations {
        table.row([
            name(&invitation.state).into(),
            name(&invitation.preset).into(),
            option(invitation.project.as_deref()).into(),
            name(&invitation.delivery).into(),
            option(invitation.expires_at.map(when).as_deref()).into(),
            invitation.invited_by.name.as_str().into(),
            invitation.email.as_str().into(),
        ]);
    }
    table
}
