//! The rows of an account's sessions, and how sessions end.

use jiff::Timestamp;
use svc_domain::event::AccountEvent;
use svc_domain::ids::{TokenId, UserId};
use svc_domain::session::{self, Sessions};
use svc_storage::{Condition, Op, Row, keys};

use super::visitor::Visitor;
use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// Ends the session of a replaced secret that was shown after its grace.
pub(crate) async fn copied(app: &App, user: UserId, id: TokenId) {
    match end(app, user, |session| session.id == id).await {
        Ok(0) => {}
        Ok(_) => tracing::warn!(%user, session = %id, "a replaced secret was used: its session is ended"),
        Err(error) => tracing::error!(%user, %error, "a copied session was not ended"),
    }
}

/// Operations that end those sessions that are meant, and how many they are. `from` is who proved to be the
/// person meanwhile.
pub(crate) async fn ending(
    app: &App,
    user: UserId,
    from: Option<&Visitor>,
    meant: impl FnMut(&session::Session) -> bool,
) -> Result<(usize, Vec<Op>)> {
    let (mut sessions, version) = load(app, user).await?;
    let ended = sessions.end(meant);
    if let Some(visitor) = from {
        sessions.remember(visitor.familiar(user));
    }
    let mut ops: Vec<Op> = ended.iter().flat_map(removal).collect();
    ops.push(replace(user, &sessions, version));
    Ok((ended.len(), ops))
}

/// Operations that end all sessions of an account and keep it from opening others from this time on, or that let it sign
/// in again. `None` where it is so already.
pub(crate) async fn barring(
    app: &App,
    user: UserId,
    disabled_at: Option<Timestamp>,
) -> Result<Option<Vec<Op>>> {
    let (mut sessions, version) = load(app, user).await?;
    if sessions.is_disabled() == disabled_at.is_some() {
        return Ok(None);
    }
    sessions.disabled_at = disabled_at;
    let mut ops: Vec<Op> = sessions.end(|_| true).iter().flat_map(removal).collect();
    ops.push(replace(user, &sessions, version));
    Ok(Some(ops))
}

/// Whether the row of an account's sessions says that it is disabled.
///
/// # Errors
/// Those of storage.
pub(crate) fn is_disabled(sessions: Option<&Row>) -> Result<bool> {
    let sessions: Option<Sessions> = sessions.map(Row::read).transpose()?;
    Ok(sessions.is_some_and(|sessions| sessions.is_disabled()))
}

/// An operation that writes nothing new and demands that no session was opened, renewed or ended, and no access
/// token made, since now.
pub(super) async fn unchanged(app: &App, user: UserId) -> Result<Op> {
    let (sessions, version) = load(app, user).await?;
    Ok(replace(user, &sessions, version))
}

/// Ends those sessions that are meant; answers how many they were.
pub(super) async fn end(app: &App, user: UserId, meant: impl Fn(&session::Session) -> bool) -> Result<usize> {
    app.decide(|| async {
        let (count, ops) = ending(app, user, None, &meant).await?;
        if count > 0 {
            app.commit(Transaction::bookkeeping(app).with(ops).telling(AccountEvent::SessionsEnded(user)))
                .await?;
        }
        Ok(count)
    })
    .await
}

/// An account's sessions, and the version of their row.
pub(crate) async fn load(app: &App, user: UserId) -> Result<(Sessions, Option<u64>)> {
    match app.table.find(&keys::sessions(user)).await? {
        Some(row) => Ok((row.read()?, Some(row.version))),
        None => Ok((Sessions::default(), None)),
    }
}

/// The operation that writes an account's sessions.
pub(super) fn replace(user: UserId, sessions: &Sessions, version: Option<u64>) -> Op {
    Op::put(keys::sessions(user), version.map_or(Condition::Absent, Condition::Version), sessions)
}

/// The operations that take a session's secrets away.
pub(super) fn removal(session: &session::Session) -> Vec<Op> {
    session.hashes().map(|hash| Op::delete(keys::credential(hash), Condition::None)).collect()
}
