//! Pictures of people (specification section 2.3: reactors have avatar keys).
//!
//! A picture is a row under a key of its own, written and deleted with the change of the account, so that none
//! is left over; its bytes never change. Memberships repeat the key, as they repeat the name
//! ([`super::profile`]). Whoever has a key may look: it cannot be guessed, and only those who see the person
//! are told it.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::{Bytes, BytesMut};
use futures::StreamExt as _;
use svc_domain::event::AccountEvent;
use svc_domain::identity::{Avatar, Scope, Subject, User};
use svc_domain::ids::{AvatarId, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{ByteStream, Condition, Op, StorageError, keys};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::me::{Me, seen_by};
use super::orgs::require;
use super::picture::{self, Picture};
use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::Result;
use crate::transaction::Transaction;

/// Uploads that are held in memory at once.
static UPLOADS: Semaphore = Semaphore::const_new(12);

/// How long an upload may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Gives the caller's account a picture: any PNG, JPEG, GIF or WebP, which is cut square, made small and freed
/// of what cameras write into it.
///
/// # Errors
/// As [`account_of`]; [`Refusal::TooLarge`]; [`Refusal::Invalid`] for what is no such image.
pub async fn set_avatar(app: &App, caller: Option<&BearerCredential>, bytes: ByteStream) -> Result<Me> {
    let credential = authenticate(app, caller).await?;
    let id = account_of(&credential, Scope::Admin)?;
    let place = UPLOADS.try_acquire().map_err(|_| away("too many uploads at once"))?;
    let upload = timeout(PATIENCE, whole(bytes)).await.map_err(|_| Refusal::invalid("image", LATE))??;
    let picture = picture::portrait(upload).await?;
    drop(place);
    app.decide(|| replace(app, id, Some(&picture))).await?;
    seen_by(app, credential).await
}

/// Takes the picture of the caller's account away; there may be none.
///
/// # Errors
/// As [`account_of`].
pub async fn remove_avatar(app: &App, caller: Option<&BearerCredential>) -> Result<()> {
    let credential = authenticate(app, caller).await?;
    let id = account_of(&credential, Scope::Admin)?;
    app.decide(|| replace(app, id, None)).await
}

/// A picture by its key.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`], [`Refusal::NotFound`]; [`Refusal::Forbidden`] for
/// runners.
pub async fn avatar(app: &App, caller: Option<&BearerCredential>, id: AvatarId) -> Result<Picture> {
    let credential = authenticate(app, caller).await?;
    if matches!(credential.subject, Subject::Runner { .. } | Subject::Directory { .. }) {
        return Err(Refusal::Forbidden("this needs a person or an agent").into());
    }
    require(&credential, Scope::Read)?;
    let row = app.table.get(&keys::avatar(id)).await?.ok_or(Refusal::NotFound)?;
    let Avatar { content_type, bytes, .. } = row.read()?;
    let bytes = BASE64.decode(bytes).map_err(|error| StorageError::Corrupt(error.to_string()))?;
    Ok(Picture { content_type, bytes: bytes.into() })
}

const LATE: &str = "The image did not arrive in time.";

fn away(why: &'static str) -> StorageError {
    StorageError::Unavailable(why.into())
}

/// All bytes of an upload, as many as an image may have.
async fn whole(mut bytes: ByteStream) -> Result<Bytes> {
    let mut all = BytesMut::new();
    while let Some(piece) = bytes.next().await {
        all.extend_from_slice(&piece.map_err(StorageError::Unavailable)?);
        if all.len() > picture::MAX_BYTES {
            return Err(Refusal::TooLarge.into());
        }
    }
    Ok(all.freeze())
}

async fn replace(app: &App, id: UserId, picture: Option<&Picture>) -> Result<()> {
    let row = app.table.find(&keys::user(id)).await?.ok_or(Refusal::Unauthenticated)?;
    let before: User = row.read()?;
    if picture.is_none() && before.avatar.is_none() {
        return Ok(());
    }
    let user = User { avatar: picture.map(|_| AvatarId(app.uuid())), ..before.clone() };
    let mut ops = vec![row.replaced_by(&user)];
    ops.extend(before.avatar.map(|old| Op::delete(keys::avatar(old), Condition::None)));
    if let Some((avatar, picture)) = user.avatar.zip(picture) {
        let Picture { content_type, bytes } = picture.clone();
        let avatar_row = Avatar { user: id, content_type, bytes: BASE64.encode(bytes) };
        ops.push(Op::create(keys::avatar(avatar), &avatar_row));
    }
    app.commit(Transaction::bookkeeping(app).with(ops).telling(AccountEvent::ProfileChanged(id))).await
}
