//! The reactions to comments, counted for who reads them.

use std::collections::HashMap;

use svc_domain::comment::Comment;
use svc_domain::ids::{ActorId, CommentId, ItemKey, OrgId, UserId};
use svc_domain::reaction::{Count, Reactor, Tally};
use svc_storage::{Query, Range, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::wanted;

/// Rows of one read.
const AT_ONCE: usize = 500;

/// The reactions to one comment.
pub(super) async fn of_comment(app: &App, entry: &Entry, key: &ItemKey, id: CommentId) -> Result<Vec<Tally>> {
    let mut counts = HashMap::from([(id, Count::of(entry.actor().id))]);
    count(app, entry.org_id(), key, Range::Prefix(keys::reactions_prefix(id)), &mut counts).await?;
    let mut tallies = counts.into_values().flat_map(Count::tallies).collect::<Vec<_>>();
    recognize(app, entry.org_id(), tallies.iter_mut()).await?;
    Ok(tallies)
}

/// The reactions to these comments, which follow each other: one read, because ids sort by time.
pub(super) async fn of_comments(
    app: &App,
    entry: &Entry,
    key: &ItemKey,
    comments: &[(Comment, u64)],
) -> Result<HashMap<CommentId, Vec<Tally>>> {
    let ids = || comments.iter().filter(|(comment, _)| !comment.deleted).map(|(comment, _)| comment.id);
    let (Some(first), Some(last)) = (ids().min(), ids().max()) else { return Ok(HashMap::new()) };
    let me = entry.actor().id;
    let mut counts = ids().map(|id| (id, Count::of(me))).collect();
    let range = Range::Between(keys::reactions_prefix(first), keys::reactions_end(last));
    count(app, entry.org_id(), key, range, &mut counts).await?;
    let mut tallies: HashMap<CommentId, Vec<Tally>> =
        counts.into_iter().map(|(id, count)| (id, count.tallies())).collect();
    recognize(app, entry.org_id(), tallies.values_mut().flatten()).await?;
    Ok(tallies)
}

/// Counts the reactions of a range to those comments that have a count; no more rows are kept than one read has.
async fn count(
    app: &App,
    org: OrgId,
    key: &ItemKey,
    range: Range,
    counts: &mut HashMap<CommentId, Count>,
) -> Result<()> {
    let mut query = Query::new(keys::item_pk(org, key), range, AT_ONCE);
    loop {
        let read = app.table.query(&query).await?;
        for row in &read.rows {
            if let Some(count) = keys::reacted_comment(&row.key.sk).and_then(|id| counts.get_mut(&id)) {
                count.add(row.read()?);
            }
        }
        query.cursor = read.cursor;
        if query.cursor.is_none() {
            return Ok(());
        }
    }
}

/// Shows people who reacted as they are called and look now. Who left is shown as they were called then.
async fn recognize<'a>(app: &App, org: OrgId, tallies: impl Iterator<Item = &'a mut Tally>) -> Result<()> {
    let mut people: HashMap<UserId, Vec<&mut Reactor>> = HashMap::new();
    for reactor in tallies.flat_map(|tally| &mut tally.reactors) {
        if let ActorId::User(user) = reactor.actor.id {
            people.entry(user).or_default().push(reactor);
        }
    }
    let wanted: Vec<_> = people.keys().map(|user| keys::member(org, *user)).collect();
    for row in wanted::load(app, wanted).await?.into_iter().flatten() {
        let member = row.read()?;
        for reactor in people.get_mut(&member.user).into_iter().flatten() {
            reactor.recognize(&member);
        }
    }
    Ok(())
}
