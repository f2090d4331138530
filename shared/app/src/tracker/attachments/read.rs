//! Looking at attachments and downloading them.

use std::collections::BTreeSet;
use std::ops::Range;

use svc_domain::access::Capability;
use svc_domain::attachment::Attachment;
use svc_domain::attachment::name::disposition;
use svc_domain::ids::{AttachmentId, CommentId, ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{ByteStream, Query, Range as Sorted, Row, ServedAs, keys};

use super::enter::{Found, find, hidden, may_remove, require_own_item};
use super::{DOWNLOAD_VALID, SeenAttachment, blob};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::{Error, Result};
use crate::identity::bring_up_to_date;
use crate::tracker::gone::item_row;

/// Where the bytes of an attachment are.
pub enum Bytes {
    /// At this address, for a short while, without a credential.
    Elsewhere(String),
    /// Here: ask for the part that is wanted.
    Here(Stored),
}

/// Bytes that the server hands out itself.
pub struct Stored {
    org: OrgId,
    id: AttachmentId,
}

impl Stored {
    /// All bytes, or a part of them, piece by piece.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn read(&self, app: &App, part: Option<Range<u64>>) -> Result<ByteStream> {
        Ok(app.blobs.read(&blob(self.org, self.id), part).await?.bytes)
    }
}

/// The committed attachments of an item and its comments, oldest first. The agent of a run sees the attachments of
/// its own item.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<Vec<SeenAttachment>> {
    let wanted = |org| keys::item(org, key);
    let (entry, row) = enter_project_with(app, caller, &key.project, Capability::SeeProject, wanted).await?;
    item_row(app, &entry, row, key).await?;
    require_own_item(app, &entry.access, key).await?;
    let access = &entry.access;
    let shown = shown(app, &entry, key).await?.into_iter();
    Ok(shown
        .map(|attachment| SeenAttachment { can_remove: may_remove(access, &attachment), attachment })
        .collect())
}

/// The same, by who entered the item's project; none where the agent of a run sees none.
pub(crate) async fn seen_of(app: &App, entry: &Entry, key: &ItemKey) -> Result<Vec<Attachment>> {
    match require_own_item(app, &entry.access, key).await {
        Err(Error::Refused(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
        Ok(()) => shown(app, entry, key).await,
    }
}

async fn shown(app: &App, entry: &Entry, key: &ItemKey) -> Result<Vec<Attachment>> {
    let org = entry.org_id();
    let range = Sorted::Prefix(keys::FILE_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, key), range, 1_000)).await?;
    let mut found: Vec<Attachment> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    bring_up_to_date(app, org, found.iter_mut().map(|attachment| &mut attachment.author)).await?;
    let comments: BTreeSet<CommentId> = found.iter().filter_map(Attachment::comment).collect();
    let hidden = hidden(app, entry, key, &comments).await?;
    found.retain(|attachment| {
        attachment.is_public() && attachment.comment().is_none_or(|comment| !hidden.contains(&comment))
    });
    Ok(found)
}

/// An attachment. One that is not committed is seen by who announced it.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<SeenAttachment> {
    let Found { entry, mut attachment, .. } = find(app, caller, id, Capability::SeeProject).await?;
    bring_up_to_date(app, entry.org_id(), [&mut attachment.author]).await?;
    Ok(SeenAttachment { can_remove: may_remove(&entry.access, &attachment), attachment })
}

/// A committed attachment and where its bytes are.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn open(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<(Attachment, Bytes)> {
    let Found { entry, attachment, .. } = find(app, caller, id, Capability::SeeProject).await?;
    let content = attachment.content.as_ref().ok_or(Refusal::NotFound)?;
    let served = ServedAs {
        content_type: content.content_type.clone(),
        disposition: disposition(&attachment.name, content.is_image),
    };
    let org = entry.org_id();
    let address = app.blobs.presign_get(&blob(org, id), &served, DOWNLOAD_VALID).await?;
    let bytes = address.map_or(Bytes::Here(Stored { org, id }), Bytes::Elsewhere);
    Ok((attachment, bytes))
}
