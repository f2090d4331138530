//! What chats say to the bot, delivered by the platform: for instances on which nothing runs that could ask for it.
//!
//! Protocol.
//! 1. The tick tells the platform the address of this instance and a secret, and again once one of them changed. Without the
//!    setting it takes the address back, so that the bot can be asked ([`super::bot`]).
//! 2. Each delivery carries the secret in a header. It is derived from the bot's token, which only the platform and this
//!    instance know.
//! 3. A delivery is acknowledged after what was said is done. One that comes again finds its code gone, and its question
//!    answered.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use super::bot::take;
use super::chat::bot::{HEARD, Update, ask};
use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// Where deliveries arrive, behind the address of the instance.
const PATH: &str = "/api/v1/notifications/chat-1/updates";

/// What the platform was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToldBot {
    address: String,
    /// SHA-256 of the secret, hex.
    secret_hash: String,
}

/// The secret of deliveries.
fn secret(app: &App) -> String {
    let token = &app.settings.notifications.chat_1_bot_token.0;
    hex::encode(Sha256::digest(format!("deliveries of the bot {token}")))
}

fn is_delivered(app: &App) -> bool {
    app.settings.notifications.chat_1_webhook && app.settings.notifications.bot().is_some()
}

/// Tells the platform where to deliver, if it does not know it yet.
///
/// # Errors
/// Those of storage. What the platform refuses is logged, and said again next time.
pub async fn tell_bot_where(app: &App) -> Result<()> {
    let wanted = is_delivered(app).then(|| ToldBot {
        address: format!("{}{PATH}", app.settings.service.base_url),
        secret_hash: hex::encode(Sha256::digest(secret(app))),
    });
    let row = app.table.get(&keys::bot_webhook()).await?;
    let told: Option<ToldBot> = row.as_ref().map(svc_storage::Row::read).transpose()?;
    if told == wanted || app.settings.notifications.bot().is_none() {
        return Ok(());
    }
    let asked = match &wanted {
        Some(ToldBot { address, .. }) => {
            let body = json!({ "url": address, "secret_token": secret(app), "allowed_updates": HEARD });
            ask(app, "setWebhook", &body).await
        }
        None => ask(app, "deleteWebhook", &json!({})).await,
    };
    if let Err(why) = asked {
        tracing::warn!(why, "the bot is not told where to deliver what chats say");
        return Ok(());
    }
    let op = match &wanted {
        Some(wanted) => Op::put(keys::bot_webhook(), Condition::None, wanted),
        None => Op::delete(keys::bot_webhook(), Condition::None),
    };
    app.commit(Transaction::bookkeeping(app).with([op])).await
}

/// Whether a delivery is the platform's.
///
/// # Errors
/// [`Refusal::NotFound`] where nothing is delivered; [`Refusal::Unauthenticated`].
pub fn admit_delivery(app: &App, shown: Option<&str>) -> Result<()> {
    if !is_delivered(app) {
        return Err(Refusal::NotFound.into());
    }
    let shown = shown.unwrap_or_default();
    verify_slices_are_equal(shown.as_bytes(), secret(app).as_bytes())
        .map_err(|_| Refusal::Unauthenticated.into())
}

/// Does what a chat said, of a delivery that was admitted.
///
/// # Errors
/// Those of storage: the platform delivers it again.
pub async fn hear(app: &App, delivery: &Value) -> Result<()> {
    match Update::read(delivery) {
        Some(update) => take(app, &update).await,
        None => Ok(()),
    }
}
