//! Mails a link to choose a new password.

use svc_app::identity;
use svc_app::messages::MailPasswordReset;
use svc_app::{App, Result};

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for MailPasswordReset {
    fn subject(&self) -> String {
        format!("address {}", self.email)
    }

    fn shares(&self) -> Vec<Share> {
        Share::sign_in()
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        identity::mail_reset(app, &self.email).await?;
        Ok(Done::Finished)
    }
}
