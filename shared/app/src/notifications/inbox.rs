//! A person's inbox: what is in it for them now, and what they have read and done.

use std::cmp::Reverse;

use jiff::Timestamp;
use svc_domain::identity::{Credential, Scope};
use svc_domain::ids::{NotificationId, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Limits, Op, Query, Range, keys};

use super::owner::owner;
use super::seen::{InboxEntry, Stored, named, place, seen};
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::heavy;
use crate::transaction::Transaction;

/// Most entries that one answer has.
const MOST: usize = 200;
/// How many it has unless it is asked for more or fewer.
const USUAL: usize = 100;
/// Entries that are looked at together, for whether their owner may see them.
const LOOK: usize = 50;
/// Entries that an inbox keeps. Of more, those go that its owner was done with first, and then the oldest.
const KEPT: usize = 1_000;

/// Which entries are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Only those with something unread.
    pub unread: bool,
    /// Only those in which a run waits for the person.
    pub needs_you: bool,
    /// Those that the person is done with, in place of the others.
    pub done: bool,
    /// How many at most; clamped.
    pub limit: Option<u32>,
    /// Only those that come after an entry of this time and this id.
    pub after: Option<(Timestamp, NotificationId)>,
}

/// How much there is to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Entries with something unread, which the person is not done with.
    pub unread: u64,
    /// Entries in which a run waits for the person.
    pub needs_you: u64,
}

/// What a person makes of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The version last read.
    pub version: u64,
    /// Whether it is read.
    pub read: Option<bool>,
    /// Whether the person is done with it.
    pub done: Option<bool>,
}

/// The inbox of the caller, newest first; a bound token sees what is of its organization.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for agents and runners.
pub async fn list(app: &App, caller: Option<&BearerCredential>, filter: Filter) -> Result<Vec<InboxEntry>> {
    let (credential, user) = owner(app, caller, Scope::Read).await?;
    // Whoever is told much has a long inbox.
    let mut entries = heavy::in_turn(async {
        let stored = stored(app, &credential, user).await?;
        page(app, user, stored, filter).await
    })
    .await?;
    named(app, &mut entries).await?;
    Ok(entries)
}

/// The newest of these that are wanted. Only as many are looked at as it takes: what its owner may see of an entry is not
/// newer than the entry.
async fn page(app: &App, user: UserId, mut stored: Vec<Stored>, filter: Filter) -> Result<Vec<InboxEntry>> {
    let limit = filter.limit.map_or(USUAL, |limit| usize::try_from(limit).unwrap_or(MOST)).clamp(1, MOST);
    let counts = filter.unread || filter.needs_you;
    stored.retain(|stored| {
        stored.entry.is_done() == filter.done && (!counts || filter.done || stored.entry.may_count())
    });
    stored.sort_by_key(Stored::place);
    let mut rest = stored.into_iter().peekable();
    let mut entries: Vec<InboxEntry> = Vec::new();
    while rest.peek().is_some() {
        let mut seen = seen(app, user, rest.by_ref().take(LOOK).collect()).await?;
        seen.retain(|entry| {
            (!filter.unread || entry.gathered.unread > 0)
                && (!filter.needs_you || entry.gathered.needs_you)
                && filter.after.is_none_or(|(at, id)| place(entry) > (Reverse(at), id))
        });
        entries.extend(seen);
        entries.sort_by_key(place);
        entries.truncate(limit);
        let last = entries.last().filter(|_| entries.len() == limit);
        if last.zip(rest.peek()).is_some_and(|(last, next)| place(last) < next.place()) {
            break;
        }
    }
    Ok(entries)
}

/// How much there is to look at in the inbox of the caller.
///
/// # Errors
/// As [`list`].
pub async fn counts(app: &App, caller: Option<&BearerCredential>) -> Result<Counts> {
    let (credential, user) = owner(app, caller, Scope::Read).await?;
    let entries = heavy::in_turn(async {
        let mut stored = stored(app, &credential, user).await?;
        stored.retain(|stored| stored.entry.may_count());
        seen(app, user, stored).await
    })
    .await?;
    let count = |counts: fn(&InboxEntry) -> bool| entries.iter().filter(|entry| counts(entry)).count() as u64;
    Ok(Counts {
        unread: count(|entry| entry.gathered.unread > 0),
        needs_you: count(|entry| entry.gathered.needs_you),
    })
}

/// Marks an entry of the caller.
///
/// # Errors
/// [`Refusal::NotFound`] also for what they may no longer see; [`Refusal::StaleVersion`] where there is news since;
/// [`Refusal::Invalid`] for what contradicts itself.
pub async fn mark(
    app: &App,
    caller: Option<&BearerCredential>,
    id: NotificationId,
    mark: Mark,
) -> Result<InboxEntry> {
    let (credential, user) = owner(app, caller, Scope::Write).await?;
    if mark.read == Some(false) && mark.done == Some(true) {
        return Err(Refusal::invalid("read", "what is done is read as well: leave out one of the two").into());
    }
    app.decide(|| async {
        let row = app.table.get(&keys::inbox(user, id)).await?.ok_or(Refusal::NotFound)?;
        let mut stored = Stored::of(&row)?;
        if !stored.is_for(&credential) || seen(app, user, vec![stored.clone()]).await?.is_empty() {
            return Err(Refusal::NotFound.into());
        }
        if row.version != mark.version {
            return Err(Refusal::StaleVersion { current: row.version }.into());
        }
        let before = stored.entry.clone();
        if let Some(read) = mark.read {
            stored.entry.mark_read(read);
        }
        if let Some(done) = mark.done {
            stored.entry.mark_done(done);
        }
        if stored.entry != before {
            app.commit(stored.marked(Transaction::of_account(app, caller), app, user)).await?;
            stored.version += 1;
        }
        let mut entries = seen(app, user, vec![stored]).await?;
        named(app, &mut entries).await?;
        Ok(entries.pop().ok_or(Refusal::NotFound)?)
    })
    .await
}

/// Marks everything in the inbox of the caller as read, or as done. What comes meanwhile stays as it is.
///
/// # Errors
/// As [`list`].
pub async fn mark_all(app: &App, caller: Option<&BearerCredential>, done: bool) -> Result<()> {
    let (credential, user) = owner(app, caller, Scope::Write).await?;
    for mut stored in stored(app, &credential, user).await? {
        let before = stored.entry.clone();
        if done {
            stored.entry.mark_done(true);
        } else {
            stored.entry.mark_read(true);
        }
        if stored.entry == before {
            continue;
        }
        match app.commit(stored.marked(Transaction::bookkeeping(app), app, user)).await {
            Err(error) if crate::is_conflict(&error) => {}
            committed => committed?,
        }
    }
    // The request's idempotency key is written when all is done: until then repeating it goes on.
    match caller {
        Some(keyed) if keyed.reservation.is_some() => app.commit(Transaction::of_account(app, caller)).await,
        _ => Ok(()),
    }
}

async fn stored(app: &App, credential: &Credential, user: UserId) -> Result<Vec<Stored>> {
    let everything = Range::Prefix(String::new());
    let rows = app.table.query_all(Query::new(keys::inbox_pk(user), everything, 1_000)).await?;
    let mut stored: Vec<Stored> = rows.iter().map(Stored::of).collect::<Result<_>>()?;
    if stored.len() > KEPT {
        stored.sort_by_key(|stored| (stored.entry.is_done(), stored.place()));
        forget(app, user, stored.split_off(KEPT)).await?;
    }
    stored.retain(|stored| stored.is_for(credential));
    Ok(stored)
}

/// Takes entries away that are too many. Those that get news meanwhile stay.
async fn forget(app: &App, user: UserId, stored: Vec<Stored>) -> Result<()> {
    for stored in stored.chunks(Limits::OPS) {
        let gone =
            |stored: &Stored| Op::delete(keys::inbox(user, stored.id), Condition::Version(stored.version));
        match app.commit(Transaction::bookkeeping(app).with(stored.iter().map(gone))).await {
            Err(error) if crate::is_conflict(&error) => {}
            committed => committed?,
        }
    }
    Ok(())
}
