//! Mails the link that confirms a new address, and tells the old one.

use svc_app::identity;
use svc_app::messages::MailNewAddress;
use svc_app::{App, Result};

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for MailNewAddress {
    fn subject(&self) -> String {
        format!("account {}", self.user)
    }

    fn shares(&self) -> Vec<Share> {
        Share::sign_in()
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        identity::mail_new_address(app, self.user, &self.email).await?;
        Ok(Done::Finished)
    }
}
