//! Taking the bytes of an attachment, where the server does it itself.

use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt as _;
use jiff::Timestamp;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use svc_domain::access::Capability;
use svc_domain::attachment::upload::{Event, step};
use svc_domain::ids::AttachmentId;
use svc_domain::refusal::Refusal;
use svc_storage::{BlobKey, ByteStream, StorageError, keys};

use super::blob;
use super::enter::{find, require_person};
use crate::App;
use crate::entry::Caller;
use crate::error::{Error, Result};
use crate::ports::Clock;

/// Writes the bytes of an announced attachment, holding a few of them at a time. The same bytes again are
/// harmless.
///
/// # Errors
/// [`Refusal::Invalid`] when they are more or fewer than announced, [`Refusal::Conflict`] when the attachment
/// is committed, its time is over, or other bytes are there.
pub async fn upload(app: &App, caller: Caller<'_>, id: AttachmentId, bytes: ByteStream) -> Result<()> {
    let found = find(app, caller, id, Capability::Comment).await?;
    let (access, attachment) = (&found.entry.access, &found.attachment);
    require_person(access)?;
    if attachment.author.id != access.actor.id {
        return Err(Refusal::Forbidden("only the person who announced an attachment can upload it").into());
    }
    step(attachment.state, attachment.target, Event::Upload, app.now())?;
    let (org, key) = (found.entry.org_id(), blob(found.entry.org_id(), id));
    let gauge = Gauge::new(Arc::clone(&app.clock), attachment.size, attachment.upload_until);
    match app.blobs.put_stream(&key, gauge.measure(bytes)).await {
        Ok(_) => {}
        Err(StorageError::AlreadyExists(_)) => return same_again(app, &key, &gauge).await,
        Err(StorageError::Interrupted(cause)) => return Err(gauge.refusal(cause)),
        Err(error) => return Err(error.into()),
    }
    // Whoever removed the attachment meanwhile may have looked for its bytes before they were there.
    if app.table.find(&keys::file(org, &attachment.item, id)).await?.is_none() {
        app.blobs.delete(&key).await?;
        return Err(Refusal::NotFound.into());
    }
    Ok(())
}

/// Whether the bytes that are there are those that just came.
async fn same_again(app: &App, key: &BlobKey, gauge: &Gauge) -> Result<()> {
    if sha256(app.blobs.read(key, None).await?.bytes).await? == gauge.sha256() {
        return Ok(());
    }
    Err(Refusal::Conflict("different bytes were uploaded earlier; commit them, or remove the attachment")
        .into())
}

/// Hex SHA-256 of bytes.
pub(super) async fn sha256(mut bytes: ByteStream) -> Result<String> {
    let mut hash = Sha256::new();
    while let Some(piece) = bytes.next().await {
        hash.update(&piece.map_err(StorageError::Unavailable)?);
    }
    Ok(hex::encode(hash.finalize()))
}

/// Measures bytes on their way, and breaks them off when they are not what was announced.
struct Gauge {
    clock: Arc<dyn Clock>,
    announced: u64,
    until: Timestamp,
    measured: Arc<Mutex<Measured>>,
}

#[derive(Default)]
struct Measured {
    size: u64,
    hash: Sha256,
    refusal: Option<Refusal>,
}

impl Gauge {
    fn new(clock: Arc<dyn Clock>, announced: u64, until: Timestamp) -> Self {
        Self { clock, announced, until, measured: Arc::default() }
    }

    fn measure(&self, bytes: ByteStream) -> ByteStream {
        let (announced, until) = (self.announced, self.until);
        let (clock, measured) = (Arc::clone(&self.clock), Arc::clone(&self.measured));
        let wrong = Arc::clone(&self.measured);
        let measured_bytes = bytes.map(move |piece| {
            let piece: Bytes = piece?;
            measured.lock().take(&piece, announced, clock.now() >= until)?;
            Ok(piece)
        });
        let end = futures::stream::once(async move { wrong.lock().end(announced).map(|()| Bytes::new()) });
        measured_bytes.chain(end).boxed()
    }

    fn sha256(&self) -> String {
        hex::encode(self.measured.lock().hash.clone().finalize())
    }

    /// Why the bytes broke off: they were wrong, or the sender went away.
    fn refusal(&self, cause: Box<dyn std::error::Error + Send + Sync>) -> Error {
        match self.measured.lock().refusal.clone() {
            Some(refusal) => refusal.into(),
            None => StorageError::Interrupted(cause).into(),
        }
    }
}

impl Measured {
    fn take(&mut self, piece: &Bytes, announced: u64, over: bool) -> Result<(), Refusal> {
        self.size += piece.len() as u64;
        self.hash.update(piece);
        if self.size > announced {
            return Err(self.refuse(too_many(announced)));
        }
        if over {
            return Err(self.refuse(Refusal::Conflict("the upload took too long")));
        }
        Ok(())
    }

    fn end(&mut self, announced: u64) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if self.size < announced {
            return Err(self.refuse(too_few(announced, self.size)).into());
        }
        Ok(())
    }

    fn refuse(&mut self, refusal: Refusal) -> Refusal {
        self.refusal = Some(refusal.clone());
        refusal
    }
}

fn too_many(announced: u64) -> Refusal {
    Refusal::invalid("size", format!("{announced} bytes were announced, but more arrived."))
}

fn too_few(announced: u64, came: u64) -> Refusal {
    Refusal::invalid("size", format!("{announced} bytes were announced, but {came} arrived."))
}
