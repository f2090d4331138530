//! Mails the link of an invitation.

use svc_app::identity;
use svc_app::messages::MailInvitation;
use svc_app::{App, Result};

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for MailInvitation {
    fn subject(&self) -> String {
        format!("invitation {}", self.invitation)
    }

    fn shares(&self) -> Vec<Share> {
        Share::invitations(self.org)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        identity::mail_invitation(app, self.org, self.invitation, self.generation).await?;
        Ok(Done::Finished)
    }
}
