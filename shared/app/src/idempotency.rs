//! Replies that are remembered under an idempotency key, so that a client may send a POST again when it did
//! not hear the answer.
//!
//! Protocol.
//! 1. A request reserves its key by creating the row `pending`; of many, one wins.
//! 2. The winner does the work and replaces the row by its reply.
//! 3. Who finds a reply gets that reply; who finds `pending` is told to wait. A row that is still pending
//!    after a minute was left by a crash: the next request takes it over.
//! 4. A key belongs to one request: another address or body under it is refused.
//!
//! A reply may carry a secret that is shown once, and no secret is stored in clear: replies are sealed under a
//! key that only the secret of the caller's credential gives, and that is not stored.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::Aead as _;
use chacha20poly1305::{ChaCha20Poly1305, Key as SealKey, KeyInit as _, Nonce};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_storage::{Condition, Op, StorageError, keys};

use crate::App;
use crate::entry::{BearerCredential, authenticate};
use crate::error::{Result, is_conflict};

/// Replies are remembered for a day.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// A request that did not finish within this time was left by a crash.
const ABANDONED: SignedDuration = SignedDuration::from_mins(1);

/// A reply as remembered.
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
    /// Body.
    pub body: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    fingerprint: String,
    since: jiff::Timestamp,
    /// Nonce and sealed [`Remembered`], base64; none while the request is at work.
    reply: Option<String>,
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

/// A reservation of a key.
#[derive(Clone, Debug)]
pub struct Reservation {
    key: svc_storage::Key,
    version: u64,
    fingerprint: String,
    caller: BearerCredential,
}

/// What is known of a key.
#[derive(Debug)]
pub enum Known {
    /// Nothing: do the work, then [`remember`] or [`forget`].
    Fresh(Reservation),
    /// The reply of the same request.
    Reply(Remembered),
    /// The same request is still at work.
    Pending,
    /// The key belongs to another request.
    Other,
}

/// Reserves an idempotency key of a caller for a request, which is named by its parts.
///
/// # Errors
/// [`Refusal::Unauthenticated`](svc_domain::refusal::Refusal::Unauthenticated): a credential that works no
/// more is told nothing, and reserves nothing.
pub async fn reserve(app: &App, caller: &BearerCredential, key: &str, request: &[&[u8]]) -> Result<Known> {
    authenticate(app, Some(caller)).await?;
    let mut hasher = Sha256::new();
    for part in request {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part);
    }
    let fingerprint = hex::encode(hasher.finalize());
    let key = keys::idempotent_reply(&caller.secret_hash, &hex::encode(Sha256::digest(key.as_bytes())));
    for _ in 0..3 {
        let (condition, version) = match app.table.get(&key).await? {
            None => (Condition::Absent, 1),
            Some(row) => {
                let record: Record = row.read()?;
                if record.fingerprint != fingerprint {
                    return Ok(Known::Other);
                }
                if let Some(reply) = record.reply {
                    return Ok(Known::Reply(Seal::of(caller).open(&reply)?));
                }
                if app.now().duration_since(record.since) < ABANDONED {
                    return Ok(Known::Pending);
                }
                (Condition::Version(row.version), row.version + 1)
            }
        };
        let record = Record { fingerprint: fingerprint.clone(), since: app.now(), reply: None };
        match app.commit(vec![put(app, &key, condition, &record)]).await {
            Ok(()) => {
                let caller = caller.clone();
                return Ok(Known::Fresh(Reservation { key, version, fingerprint, caller }));
            }
            Err(error) if is_conflict(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Known::Pending)
}

/// Remembers what a request answered.
///
/// # Errors
/// Those of storage; when another took an abandoned reservation over, its reply stays.
pub async fn remember(app: &App, reservation: Reservation, reply: Remembered) -> Result<()> {
    let sealed = Seal::of(&reservation.caller).close(app, &reply)?;
    let record = Record { fingerprint: reservation.fingerprint, since: app.now(), reply: Some(sealed) };
    app.commit(vec![put(app, &reservation.key, Condition::Version(reservation.version), &record)]).await
}

/// Frees a key whose request may be tried again.
///
/// # Errors
/// Those of storage.
pub async fn forget(app: &App, reservation: Reservation) -> Result<()> {
    app.commit(vec![Op::delete(reservation.key, Condition::Version(reservation.version))]).await
}

fn put(app: &App, key: &svc_storage::Key, condition: Condition, record: &Record) -> Op {
    let expires = (app.now() + REMEMBERED).as_second();
    Op::put(key.clone(), condition, record).expiring(expires)
}
