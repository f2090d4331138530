//! Outbound webhooks: an organization's Admins have what happens sent to addresses of their own.
//!
//! Protocol.
//! 1. A commit whose events webhooks can tell sends one message ([`crate::derive`]), if its organization may have
//!    webhooks. The worker hands it to [`fan_out`].
//! 2. [`fan_out`] makes a delivery for each webhook that tells it, in one commit with the message that sends it. The id of
//!    a delivery is made of the commit and the webhook, so that a message that comes twice makes no second one.
//! 3. [`attempt`] begins an attempt by a commit that keeps others off, sends, and notes the answer. A process that dies
//!    between sending and noting leaves an attempt that is repeated after half a minute, under the same id.
//! 4. What is sent is read when it is sent ([`content`]), with the rights that whoever saved the webhook has then, and if
//!    the webhook still tells it. Nothing is sent unsigned.

mod content;
mod deliveries;
mod fan_out;
mod manage;
mod send;
mod sign;
mod silent;

pub use content::Content;
pub use deliveries::{deliveries, ping, replay};
pub use fan_out::fan_out;
pub use manage::{
    NewWebhook, SeenWebhook, WebhookEdit, WithSecret, create, delete, get, list, rotate, update,
};
pub use send::{Render, attempt};
pub(crate) use silent::silent;

use svc_domain::ids::{OrgId, WebhookId};
use svc_domain::refusal::Refusal;
use svc_domain::webhook::{Webhook, Webhooks};
use svc_storage::{Op, RowOf, keys};

use crate::App;
use crate::error::Result;

/// The webhooks of an organization, on the way through a use case.
struct Loaded {
    org: OrgId,
    webhooks: Webhooks,
    /// 0 while there is no row.
    version: u64,
}

impl Loaded {
    fn of(org: OrgId, row: Option<&RowOf<Webhooks>>) -> Result<Self> {
        let Some(row) = row else { return Ok(Self { org, webhooks: Webhooks::default(), version: 0 }) };
        Ok(Self { org, webhooks: row.read()?, version: row.version })
    }

    async fn load(app: &App, org: OrgId) -> Result<Self> {
        Self::of(org, app.table.find(&keys::webhooks(org)).await?.as_ref())
    }

    fn find(&mut self, id: WebhookId) -> Result<&mut Webhook, Refusal> {
        self.webhooks.webhooks.iter_mut().find(|webhook| webhook.id == id).ok_or(Refusal::NotFound)
    }

    /// Refuses the name of another webhook: commands name webhooks by it, in any case.
    fn demand_name(&self, id: WebhookId, name: &str) -> Result<(), Refusal> {
        let name = name.to_lowercase();
        let other = |webhook: &Webhook| webhook.id != id && webhook.name.to_lowercase() == name;
        if self.webhooks.webhooks.iter().any(other) {
            return Err(Refusal::Conflict(
                "another webhook of this organization has that name: give this one a name of its own",
            ));
        }
        Ok(())
    }

    fn saved(&self) -> Op {
        let key = keys::webhooks(self.org);
        match self.version {
            0 => Op::create(key, &self.webhooks),
            version => Op::replace(key, version, &self.webhooks),
        }
    }
}
