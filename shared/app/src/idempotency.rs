//! Remembers what was done under an idempotency key, so that a client may repeat a POST when it did not get the
//! answer.
//!
//! Protocol.
//! 1. A request looks its key up. If it finds the key, it answers with what it found; otherwise it does the work.
//! 2. The transaction of the work also writes the key's row, which must have been `absent`. So a crash leaves
//!    both or neither, and of many requests with one key only one does the work. The transactions of the others
//!    are refused as a whole ([`crate::Error::Repeated`]), and they look the key up again.
//! 3. After the answer, the row is written once more, with the little that a repeated answer needs: status and
//!    headers, and the body only if it cannot be read again. If a crash comes between, the row still says what
//!    was made ([`Made`]).
//! 4. A key belongs to one request: another address or body under it is refused. The answer is repeated only to
//!    callers who may still see the place where the work was done ([`may_see`]).
//! 5. A request of several transactions (a change of many items) is harmless to repeat because of the versions
//!    that it carries. Its answer is remembered at its end ([`BearerCredential::unkeyed`]).
//!
//! A body may carry a secret that is shown once, and no secret is stored in clear text. So the stored part of an
//! answer is encrypted with a key that is derived from the secret of the caller's credential, which is not
//! stored.
//!
//! Older servers wrote the row first, without a reply, and replaced it later with the reply. A recent row without
//! either belongs to such a server, which is still at work.

mod reservation;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::Aead as _;
use chacha20poly1305::{ChaCha20Poly1305, Key as SealKey, KeyInit as _, Nonce};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_domain::access::Capability;
use svc_domain::ids::{OrgSlug, ProjectKey};
use svc_storage::{Condition, Key, Row, StorageError, keys};

use crate::App;
use crate::derive::Made;
use crate::entry::{BearerCredential, Caller, authenticate, enter_unasked};
use crate::error::Result;
use crate::transaction::Transaction;

use reservation::Record;
pub use reservation::Reservation;

/// Within this time after its work, a request has answered or never will.
const ANSWERED: SignedDuration = SignedDuration::from_secs(10);

/// A request of an older server that did not finish within this time was left by a crash.
const ABANDONED: SignedDuration = SignedDuration::from_mins(1);

/// An answer as remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// Status code.
    pub status: u16,
    /// Media type.
    pub media_type: String,
    /// Other headers that are part of what the reply says; none in replies from before there were any.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Body; empty where it is read again.
    pub body: String,
    /// Address to read the body at; `None` where the body is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
}

/// Bytes of a nonce.
const NONCE: usize = 12;

struct Seal(ChaCha20Poly1305);

impl Seal {
    fn of(caller: &BearerCredential) -> Self {
        let key = caller.derivation_key.key("remembered reply");
        Self(ChaCha20Poly1305::new(&SealKey::from(key)))
    }

    fn close(&self, app: &App, reply: &Remembered) -> Result<String> {
        let clear = serde_json::to_vec(reply).map_err(|error| corrupt(&error))?;
        let mut nonce = [0; NONCE];
        nonce.copy_from_slice(&app.ids.secret()[..NONCE]);
        let sealed = self.0.encrypt(&Nonce::from(nonce), &*clear).map_err(|error| corrupt(&error))?;
        Ok(STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    fn open(&self, sealed: &str) -> Result<Remembered> {
        let bytes = STANDARD_NO_PAD.decode(sealed).map_err(|error| corrupt(&error))?;
        let (nonce, sealed) =
            bytes.split_first_chunk::<NONCE>().ok_or_else(|| corrupt(&"too short to be one"))?;
        let clear = self.0.decrypt(&Nonce::from(*nonce), sealed).map_err(|error| corrupt(&error))?;
        Ok(serde_json::from_slice(&clear).map_err(|error| corrupt(&error))?)
    }
}

fn corrupt(cause: &dyn std::fmt::Display) -> StorageError {
    StorageError::Corrupt(format!("a remembered reply: {cause}"))
}

/// What is known of a key.
#[derive(Debug)]
pub enum Known {
    /// Nothing: do the work, then [`remember`].
    Fresh(Reservation),
    /// The answer of the same request.
    Reply(Remembered),
    /// The same request was carried out, and its answer is not remembered.
    Done {
        /// What it made.
        made: Option<Made>,
        /// Whether that was so short a time ago that its answer may still be on its way.
        just_now: bool,
    },
    /// The same request is still at work, on an older server.
    Pending,
    /// The key belongs to another request.
    Other,
}

/// Looks up an idempotency key of a caller for a request, which is named by its parts.
///
/// # Errors
/// [`Refusal::Unauthenticated`](svc_domain::refusal::Refusal::Unauthenticated): a credential that works no
/// more is told nothing.
pub async fn look_up(app: &App, caller: &BearerCredential, key: &str, request: &[&[u8]]) -> Result<Known> {
    authenticate(app, Some(caller)).await?;
    let mut hasher = Sha256::new();
    for part in request {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part);
    }
    let fingerprint = hex::encode(hasher.finalize());
    let key = keys::idempotent_reply(&caller.secret_hash, &hex::encode(Sha256::digest(key.as_bytes())));
    let row = app.table.get(&key).await?;
    known(app, caller, key, row, fingerprint)
}

fn known(
    app: &App,
    caller: &BearerCredential,
    key: Key,
    row: Option<Row>,
    fingerprint: String,
) -> Result<Known> {
    let fresh = |condition| Ok(Known::Fresh(Reservation::new(key, condition, fingerprint.clone())));
    let Some(row) = row else { return fresh(Condition::Absent) };
    // Engines remove late what has expired.
    if row.ttl.is_some_and(|end| end <= app.now().as_second()) {
        return fresh(Condition::Version(row.version));
    }
    let record: Record = row.read()?;
    if record.fingerprint != fingerprint {
        return Ok(Known::Other);
    }
    match record {
        Record { reply: Some(reply), .. } => Ok(Known::Reply(Seal::of(caller).open(&reply)?)),
        Record { done: true, made, since, .. } => {
            Ok(Known::Done { made, just_now: app.now().duration_since(since) < ANSWERED })
        }
        Record { since, .. } if app.now().duration_since(since) < ABANDONED => Ok(Known::Pending),
        Record { .. } => fresh(Condition::Version(row.version)),
    }
}

/// Whether the caller may see the place where the work was done: an organization, or a project of it.
///
/// # Errors
/// As entering it.
pub async fn may_see(
    app: &App,
    caller: &BearerCredential,
    org: &OrgSlug,
    project: Option<&ProjectKey>,
) -> Result<()> {
    let caller = Caller { credential: Some(caller), org };
    let entry = enter_unasked(app, caller, project, |_| Vec::new()).await?;
    let capability = if project.is_some() { Capability::SeeProject } else { Capability::SeeOrg };
    Ok(entry.access.require(capability)?)
}

/// Remembers what a request answered.
///
/// # Errors
/// Those of storage; when another request was faster, its answer stays.
pub async fn remember(
    app: &App,
    caller: &BearerCredential,
    reservation: &Reservation,
    reply: &Remembered,
) -> Result<()> {
    let condition =
        if reservation.is_open() { reservation.condition } else { Condition::Version(reservation.version()) };
    let record = Record {
        fingerprint: reservation.fingerprint.clone(),
        since: app.now(),
        reply: Some(Seal::of(caller).close(app, reply)?),
        done: true,
        made: None,
    };
    let op = record.put(&reservation.key, condition);
    app.commit(Transaction::bookkeeping(app).with([op])).await
}
