//! Remembers what was done under an idempotency key, so that a client may repeat a POST when it did not get the
//! answer.
//!
//! Protocol.
//! 1. A request looks its key up. If it finds the key, it answers with what it found; otherwise it does the work.
//! 2. The transaction of the work also writes the key's row, which must have been `absent`. So a crash leaves
//!    both or neither, and of many requests with one key only one does the work. The transactions of the others
//!    are refused as a whole ([`crate::Error::Repeated`]), and they look the key up again.
//! 3. After the answer, the row is written once more, with the answer. If a crash comes between, the row still
//!    says what was made ([`Made`]).
//! 4. A key belongs to one request: another address or body under it is refused. The answer is repeated only to
//!    callers who may still see the place where the work was done ([`Done::admit`]).
//! 5. A request of several transactions (a change of many items) is harmless to repeat because of the versions
//!    that it carries. Its answer is remembered at its end ([`BearerCredential::unkeyed`]).
//!
//! A token and a runner have keys of their own. All sessions of an account share theirs, so that a change whose
//! answer was lost is not made twice after the session got a new secret.
//!
//! A body may carry a secret that is shown once, and no secret is stored in clear text. So the stored answer is
//! encrypted with a key that is derived from the secret of the caller's credential, which is not stored. Another
//! session of the account cannot open it, and is answered by what was made.

mod reservation;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_domain::access::Capability;
use svc_domain::identity::Subject;
use svc_domain::ids::{OrgSlug, ProjectKey};
use svc_storage::{Condition, StorageError, keys};

use crate::App;
use crate::derive::Made;
use crate::entry::{BearerCredential, Caller, authenticate, enter_unasked};
use crate::error::Result;
use crate::transaction::Transaction;

use reservation::Record;
pub use reservation::Reservation;

/// Within this time after its work, a request has answered or never will.
const ANSWERED: SignedDuration = SignedDuration::from_secs(10);

/// An answer as remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// Status code.
    pub status: u16,
    /// Media type.
    pub media_type: String,
    /// Address of what was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Body; empty where it was too long to keep and is read again.
    pub body: String,
    /// Address of the resource that the body describes, which the caller must still be able to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
}

/// Encrypts what is stored: a nonce, then the sealed answer, base64.
struct Seal(LessSafeKey);

impl Seal {
    fn of(caller: &BearerCredential) -> Result<Self> {
        let key = caller.derivation_key.key("remembered reply");
        let key = UnboundKey::new(&CHACHA20_POLY1305, &key).map_err(|error| corrupt(&error))?;
        Ok(Self(LessSafeKey::new(key)))
    }

    fn close(&self, app: &App, reply: &Remembered) -> Result<String> {
        let mut nonce = [0; NONCE_LEN];
        nonce.copy_from_slice(&app.ids.secret()[..NONCE_LEN]);
        let mut sealed = serde_json::to_vec(reply).map_err(|error| corrupt(&error))?;
        let done =
            self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed);
        done.map_err(|error| corrupt(&error))?;
        Ok(STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// The answer; `None` where another secret sealed it.
    fn open(&self, stored: &str) -> Result<Option<Remembered>> {
        let mut bytes = STANDARD_NO_PAD.decode(stored).map_err(|error| corrupt(&error))?;
        let (nonce, sealed) =
            bytes.split_first_chunk_mut::<NONCE_LEN>().ok_or_else(|| corrupt(&"too short to be one"))?;
        let Ok(clear) = self.0.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::empty(), sealed)
        else {
            return Ok(None);
        };
        Ok(Some(serde_json::from_slice(clear).map_err(|error| corrupt(&error))?))
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
    /// The same request was carried out.
    Done(Done),
    /// The key belongs to another request.
    Other,
}

/// A request that was carried out before.
#[derive(Debug)]
pub struct Done {
    /// Its answer, if that was remembered and the caller can open it.
    pub reply: Option<Remembered>,
    /// What it made.
    pub made: Option<Made>,
    /// Whether that was so short a time ago that its answer may still be on its way.
    pub just_now: bool,
    /// The project in which it was carried out, if it was in one.
    project: Option<ProjectKey>,
}

impl Done {
    /// Refuses callers who may no longer see where the work was done: the organization, and the project if it was
    /// in one or the request names one.
    ///
    /// # Errors
    /// As entering the place.
    pub async fn admit(
        &self,
        app: &App,
        caller: &BearerCredential,
        org: &OrgSlug,
        named: Option<&ProjectKey>,
    ) -> Result<()> {
        let project = self.project.as_ref().or(named);
        let caller = Caller { credential: Some(caller), org };
        let entry = enter_unasked(app, caller, project, |_| ()).await?.0;
        let capability = if project.is_some() { Capability::SeeProject } else { Capability::SeeOrg };
        Ok(entry.access.require(capability)?)
    }
}

/// Looks up an idempotency key of a caller for a request, which is named by its parts.
///
/// # Errors
/// [`Refusal::Unauthenticated`](svc_domain::refusal::Refusal::Unauthenticated): a credential that works no
/// more is told nothing. [`Refusal::OtherAccount`](svc_domain::refusal::Refusal::OtherAccount).
pub async fn look_up(app: &App, caller: &BearerCredential, key: &str, request: &[&[u8]]) -> Result<Known> {
    let credential = authenticate(app, Some(caller)).await?;
    let mut hasher = Sha256::new();
    for part in request {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part);
    }
    let fingerprint = hex::encode(hasher.finalize());
    let owner = match credential.subject {
        Subject::Session { user, .. } => user.to_string(),
        Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => caller.secret_hash.clone(),
    };
    let key = keys::idempotent_reply(&owner, &hex::encode(Sha256::digest(key.as_bytes())));
    let fresh = |condition| Known::Fresh(Reservation::new(key.clone(), condition, fingerprint.clone()));
    let Some(row) = app.table.get(&key).await? else { return Ok(fresh(Condition::Absent)) };
    // Engines remove late what has expired.
    if row.ttl.is_some_and(|end| end <= app.now().as_second()) {
        return Ok(fresh(Condition::Version(row.version)));
    }
    let record: Record = row.read()?;
    if record.fingerprint != fingerprint {
        return Ok(Known::Other);
    }
    let reply = match &record.reply {
        Some(reply) => Seal::of(caller)?.open(reply)?,
        None => None,
    };
    let just_now = app.now().duration_since(record.since) < ANSWERED;
    Ok(Known::Done(Done { reply, made: record.made, just_now, project: record.project }))
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
    let reply = Seal::of(caller)?.close(app, reply)?;
    let op = reservation.answered(app.now(), reply, condition);
    app.commit(Transaction::bookkeeping(app).with([op])).await
}
