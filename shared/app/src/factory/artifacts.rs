//! Files that an agent left for people: sent by the runner before the run's end, read by factory operators.
//!
//! There is one blob for each file of each assignment, named after the file, so that the listing of blobs is the list
//! of files. Sending a file again changes nothing. Readers see the files of the last assignment.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::StreamExt as _;
use svc_domain::access::Capability;
use svc_domain::attachment::content::{Content, HEAD};
use svc_domain::ids::{OrgId, OrgSlug, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::artifacts::{Artifact, ArtifactName, room_for_one_more, too_large};
use svc_domain::run::machine::{Event, Presenter, step};
use svc_storage::{BlobKey, ByteStream, Retention, StorageError, keys};

use super::loaded::LoadedRun;
use super::runner_entry::enter_at_work;
use super::runs;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;

/// Keeps a file of an assignment of a run.
///
/// # Errors
/// [`Refusal::AssignmentEnded`], [`Refusal::NotFound`]; [`Refusal::Invalid`] when there are too many files or bytes.
pub async fn keep(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    name: &ArtifactName,
    bytes: ByteStream,
) -> Result<()> {
    let (entry, row) = enter_at_work(app, credential, |org, _| keys::run(org, run)).await?;
    let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?;
    let by = Presenter { runner: entry.runner.id, fence };
    step(&loaded.run, Event::Log(by), app.now())?;
    let org = entry.org_id();
    let present = files(app, org, run, fence).await?;
    if present.iter().any(|file| file.name == *name) {
        return Ok(());
    }
    let (bounded, exceeded) = bounded(bytes, room_for_one_more(&present)?);
    match app.blobs.put_stream(&key(org, run, fence, name), bounded).await {
        Ok(_) | Err(StorageError::AlreadyExists(_)) => Ok(()),
        Err(_) if exceeded.load(Ordering::Relaxed) => Err(too_large().into()),
        Err(error) => Err(error.into()),
    }
}

/// The files of a run, by name. The short address of a run names no organization.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`] for who sees the item but is no factory operator; [`Refusal::NotFound`].
pub async fn list(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<Vec<Artifact>> {
    let (org, fence) = find(app, caller, slug, run).await?;
    files(app, org, run, fence).await
}

/// A file that is about to be read.
pub struct Opened {
    /// Name and size.
    pub artifact: Artifact,
    /// What it is served as, by its first bytes.
    pub content: Content,
    /// A name that these bytes alone have.
    pub tag: String,
    key: BlobKey,
}

impl Opened {
    /// All bytes, or a part of them, piece by piece.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn read(&self, app: &App, part: Option<Range<u64>>) -> Result<ByteStream> {
        Ok(app.blobs.read(&self.key, part).await?.bytes)
    }
}

/// A file of a run.
///
/// # Errors
/// As [`list`]; [`Refusal::NotFound`] when there is no such file.
pub async fn open(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
    name: &ArtifactName,
) -> Result<Opened> {
    let (org, fence) = find(app, caller, slug, run).await?;
    let key = key(org, run, fence, name);
    let part = files(app, org, run, fence).await?.into_iter().find(|file| file.name == *name);
    let artifact = part.ok_or(Refusal::NotFound)?;
    let mut head = Vec::new();
    if artifact.size > 0 {
        let mut read = app.blobs.read(&key, Some(0..HEAD.min(artifact.size))).await?;
        while let Some(piece) = read.bytes.next().await {
            head.extend_from_slice(&piece.map_err(StorageError::Unavailable)?);
        }
    }
    let content = Content::of(&Content::opaque().content_type, &head).unwrap_or_else(|_| Content::opaque());
    let tag = format!("{run}-{fence}-{}", encoded(name));
    Ok(Opened { artifact, content, tag, key })
}

async fn find(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<(OrgId, u64)> {
    let found = runs::find(app, caller, slug, run).await?;
    found.entry.access.require(Capability::SeeFactory)?;
    Ok((found.entry.org_id(), found.loaded.run.fence))
}

/// The files that are there. There are never more than fit into one listing.
async fn files(app: &App, org: OrgId, run: RunId, fence: u64) -> Result<Vec<Artifact>> {
    let listed = app.blobs.list(Retention::Result, &folder(org, run, fence), None).await?;
    let file = |name: &str| -> Option<ArtifactName> {
        let bytes = URL_SAFE_NO_PAD.decode(name.rsplit('/').next()?).ok()?;
        String::from_utf8(bytes).ok()?.parse().ok()
    };
    let mut files: Vec<Artifact> = listed
        .into_iter()
        .filter_map(|blob| Some(Artifact { name: file(blob.key.as_str())?, size: blob.size }))
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Breaks bytes off where they are more than there is room for, and says so.
fn bounded(bytes: ByteStream, room: u64) -> (ByteStream, Arc<AtomicBool>) {
    let exceeded = Arc::new(AtomicBool::new(false));
    let (told, mut came) = (Arc::clone(&exceeded), 0);
    let bounded = bytes.map(move |piece| {
        let piece = piece?;
        came += piece.len() as u64;
        if came > room {
            told.store(true, Ordering::Relaxed);
            return Err(too_large().into());
        }
        Ok(piece)
    });
    (bounded.boxed(), exceeded)
}

fn folder(org: OrgId, run: RunId, fence: u64) -> String {
    format!("{org}/{run}/{fence}/artifacts/")
}

fn encoded(name: &ArtifactName) -> String {
    URL_SAFE_NO_PAD.encode(name.as_str())
}

fn key(org: OrgId, run: RunId, fence: u64, name: &ArtifactName) -> BlobKey {
    BlobKey::new(Retention::Result, &format!("{}{}", folder(org, run, fence), encoded(name)))
}
