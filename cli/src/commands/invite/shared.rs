//! What the commands of this noun share: how they name a thing and how they show it.

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

/// Shows an invitation that went out, and its link where no mail is sent.
pub(super) fn show(invitation: &Invitation, session: &Session<'_>) -> Result<(), Failure> {
    session.output.one(invitation, table)?;
    match &invitation.link {
        Some(link) if !session.output.json => {
            session.output.say("No mail was sent: pass this link on, for `svc auth join`.");
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
    let why = match (invitation.state, invitation.delivery) {
        (InvitationState::Pending, InvitationDelivery::Waiting) => {
            "the mail waits to be sent; if it stays so, the log of the server names the reason"
        }
        (InvitationState::Pending, InvitationDelivery::Refused) => {
            "the mail server refused the mail: check the address"
        }
        _ => return,
    };
    session.output.say(&format!("{email}: {why}. For a link to pass on: `svc invite resend {email} --link`"));
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
