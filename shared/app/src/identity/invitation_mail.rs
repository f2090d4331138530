//! The mail of an invitation: a worker sends it, and notes what became of it.

use svc_domain::access::Capability;
use svc_domain::email;
use svc_domain::ids::{InvitationId, OrgId};
use svc_domain::invitation::{Delivery, Invitation, State, Undelivered};
use svc_domain::mail::said;
use svc_storage::{Op, keys};

use super::invitation_link::{Link, new_link};
use crate::App;
use crate::entry::Entry;
use crate::error::{Error, Result};
use crate::mailing;
use crate::ports::{Envelope, MailError};
use crate::transaction::Transaction;
use crate::wanted;

/// Mails an invitation, unless its mail went out before or nothing is to be sent any more.
///
/// # Errors
/// Those of storage and of the mail server: the message comes again.
pub async fn mail_invitation(app: &App, org: OrgId, id: InvitationId, generation: u32) -> Result<()> {
    let wanted = (keys::invitation(org, id), keys::org(org));
    let (Some(row), Some(org_row)) = wanted::load(app, wanted).await? else { return Ok(()) };
    let invitation: Invitation = row.read()?;
    let State::Pending { generation: current, expires_at } = invitation.state else { return Ok(()) };
    let waits = current == generation && invitation.delivery == Delivery::Waiting;
    if app.mail.is_none() || !waits || expires_at <= app.now() {
        return Ok(());
    }
    let (address, secret) =
        new_link(app, &Link { org, invitation: id, generation, mailed: true }, expires_at);
    app.commit(Transaction::by_itself(app, org).with([secret])).await?;
    let org_name = org_row.read()?.name;
    let envelope = Envelope {
        to: invitation.email.clone(),
        email: email::invitation(&org_name, &invitation.by.name, &address, expires_at),
        id: format!("invitation.{id}.{generation}"),
        list: None,
    };
    match mailing::send(app, &envelope).await {
        Ok(()) => note(app, org, id, generation, (Delivery::Sent, None)).await,
        Err(MailError::Refused(why)) => {
            tracing::warn!(invitation = %id, why, "an invitation's mail was refused");
            note(app, org, id, generation, (Delivery::Refused, Some(why))).await
        }
        Err(MailError::Unavailable(cause)) => {
            note(app, org, id, generation, (Delivery::Waiting, Some(cause.to_string()))).await?;
            Err(Error::MailAway(cause))
        }
    }
}

/// Notes what became of the mail of a generation, if nothing has happened to the invitation since.
async fn note(
    app: &App,
    org: OrgId,
    id: InvitationId,
    generation: u32,
    (delivery, why): (Delivery, Option<String>),
) -> Result<()> {
    app.decide(|| async {
        let Some(row) = app.table.find(&keys::invitation(org, id)).await? else { return Ok(()) };
        let mut invitation: Invitation = row.read()?;
        match invitation.state {
            State::Pending { generation: current, .. } if current == generation => {
                let before = invitation.clone();
                invitation.delivery = delivery;
                let mut ops = Vec::new();
                match &why {
                    Some(why) => {
                        ops.extend(pass_on(app, org, &mut invitation, why.clone()).map(|(_, op)| op));
                    }
                    None => invitation.undelivered = None,
                }
                if invitation == before {
                    return Ok(());
                }
                ops.push(row.replaced_by(&invitation));
                app.commit(Transaction::by_itself(app, org).with(ops)).await
            }
            State::Pending { .. } | State::Accepted { .. } | State::Revoked { .. } => Ok(()),
        }
    })
    .await
}

/// Notes why the mail of a pending invitation does not go out, with a link to pass on. Answers the link, and what makes it
/// lead to the invitation, where it had none yet.
pub(super) fn pass_on(
    app: &App,
    org: OrgId,
    invitation: &mut Invitation,
    why: String,
) -> Option<(String, Op)> {
    let State::Pending { generation, expires_at } = invitation.state else { return None };
    let why = said(&why);
    if let Some(undelivered) = &mut invitation.undelivered {
        undelivered.why = why;
        return None;
    }
    let link = Link { org, invitation: invitation.id, generation, mailed: false };
    let (address, secret) = new_link(app, &link, expires_at);
    let seal = app.sealing.as_ref();
    let sealed = seal.map(|sealing| sealing.seal(&*app.ids, &purpose(invitation.id), &address));
    invitation.undelivered = Some(Undelivered { why, link: sealed });
    Some((address, secret))
}

/// The link of an invitation whose mail does not go out, for the one who invited. It makes a member, so that reading is
/// not enough to see it.
pub(super) fn kept_link(app: &App, entry: &Entry, invitation: &Invitation) -> Option<String> {
    let own = invitation.by.id == entry.actor().id && entry.access.may(Capability::AdministerOrg);
    let sealed = invitation.undelivered.as_ref()?.link.as_ref()?;
    if !own || !invitation.is_live(app.now()) {
        return None;
    }
    app.sealing.as_ref()?.open(&purpose(invitation.id), sealed)
}

fn purpose(invitation: InvitationId) -> String {
    format!("invitation {invitation}")
}
