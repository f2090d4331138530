//! The webhook through which an organization's code host reports pull requests: creates it, deletes it, and verifies
//! that a delivery comes from the host.
//!
//! Protocol.
//! 1. Making it draws the secret part of an address and a salt. The secret of the signatures is derived from both, as
//!    an agent's token is from its runner's secret. Stored are the part's SHA-256 and the salt: neither who reads the
//!    store nor who sees the address in a log can sign anything.
//! 2. The address and secret are shown once. A new webhook replaces the earlier one at once.
//! 3. A delivery is genuine if its signature (`X-Hub-Signature-256`) matches the exact bytes that arrived.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use svc_domain::access::Capability;
use svc_domain::code_host::Webhook;
use svc_domain::event::FactoryEvent;
use svc_domain::ids::OrgId;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, Row, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_org_with};
use crate::error::Result;
use crate::identity::org_deletion::refused_without;
use crate::secrets::{self, DerivationKey, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// What is shown of a webhook once.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Address to deliver to.
    pub url: String,
    /// Secret of the signatures.
    pub secret: String,
    /// The webhook as it is stored.
    pub webhook: Webhook,
}

/// Makes the organization's webhook, in place of the one before.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses.
pub async fn create(app: &App, caller: Caller<'_>) -> Result<NewWebhook> {
    app.decide(|| async {
        let (entry, before) = enter(app, caller).await?;
        let org = entry.org_id();
        let address = secrets::mint(app, SecretKind::WebhookAddress);
        let webhook = Webhook {
            address_hash: secrets::hash(&address),
            salt: hex::encode(app.ids.secret()),
            created_at: app.now(),
            created_by: entry.actor().clone(),
        };
        let mut ops = vec![Op::create(keys::webhook_address(&webhook.address_hash), &org)];
        match before {
            Some((row, old)) => ops.extend([
                row.replaced_by(&webhook),
                Op::delete(keys::webhook_address(&old.address_hash), Condition::None),
            ]),
            None => ops.push(Op::create(keys::webhook(org), &webhook)),
        }
        app.commit(Transaction::of(app, &entry).with(ops).telling(FactoryEvent::WebhookSet)).await?;
        let base = &app.settings.service.base_url;
        let url = format!("{base}/api/v1/code-host/deliveries/{address}");
        Ok(NewWebhook { url, secret: secret(&address, &webhook), webhook })
    })
    .await
}

/// Deletes the organization's webhook, if it has one.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>) -> Result<()> {
    app.decide(|| async {
        let (entry, before) = enter(app, caller).await?;
        let Some((row, old)) = before else { return Ok(()) };
        let ops = vec![row.deleted(), Op::delete(keys::webhook_address(&old.address_hash), Condition::None)];
        app.commit(Transaction::of(app, &entry).with(ops).telling(FactoryEvent::WebhookDeleted)).await
    })
    .await
}

async fn enter(app: &App, caller: Caller<'_>) -> Result<(Entry, Option<(Row, Webhook)>)> {
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, keys::webhook).await?;
    let before = row.map(|row| Ok::<_, crate::error::Error>((row.clone(), row.read()?))).transpose()?;
    Ok((entry, before))
}

/// The organization whose code host sent this delivery to the address with this secret part.
///
/// # Errors
/// [`Refusal::NotFound`] for an address that there is not, [`Refusal::Unauthenticated`] for a signature that is missing
/// or wrong; [`Refusal::Deleted`] for an organization that was deleted.
pub(super) async fn sender(app: &App, address: &str, signature: Option<&str>, body: &[u8]) -> Result<OrgId> {
    let hash = secrets::hash(address);
    let row = app.table.get(&keys::webhook_address(&hash)).await?.ok_or(Refusal::NotFound)?;
    let org: OrgId = row.read()?;
    let (webhook, there) = wanted::load(app, (keys::webhook(org), keys::org(org))).await?;
    let webhook: Webhook = webhook.ok_or(Refusal::NotFound)?.read()?;
    if webhook.address_hash != hash {
        return Err(Refusal::NotFound.into());
    }
    if !is_signed(&secret(address, &webhook), signature, body) {
        return Err(Refusal::Unauthenticated.into());
    }
    if there.is_none() {
        return Err(refused_without(app, org, Refusal::NotFound).await?.into());
    }
    Ok(org)
}

fn secret(address: &str, webhook: &Webhook) -> String {
    DerivationKey::of(address).derive(SecretKind::WebhookSecret, &[webhook.salt.as_bytes()])
}

/// Whether the signature, `sha256=` and hex, is that of these bytes. Takes as long for any wrong one.
fn is_signed(secret: &str, signature: Option<&str>, body: &[u8]) -> bool {
    let Some(given) = signature.and_then(|signature| hex::decode(signature.strip_prefix("sha256=")?).ok())
    else {
        return false;
    };
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
    mac.update(body);
    mac.verify_slice(&given).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_signed;

    /// The example of the code host's documentation.
    const SIGNATURE: &str = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const SECRET: &str = "It's a Secret to Everybody";

    #[test]
    fn only_the_signature_of_the_very_bytes_counts() {
        assert!(is_signed(SECRET, Some(SIGNATURE), b"Hello, World!"));
        for (secret, signature, body) in [
            (SECRET, Some(SIGNATURE), &b"Hello, World! "[..]),
            ("another", Some(SIGNATURE), b"Hello, World!"),
            (SECRET, None, b"Hello, World!"),
            (SECRET, Some(""), b"Hello, World!"),
            (SECRET, Some("sha256="), b"Hello, World!"),
            (SECRET, Some("sha256=zz"), b"Hello, World!"),
            (SECRET, Some(&SIGNATURE[..20]), b"Hello, World!"),
            (SECRET, Some(&SIGNATURE[7..]), b"Hello, World!"),
        ] {
            assert!(!is_signed(secret, signature, body), "{secret} {signature:?}");
        }
    }
}
