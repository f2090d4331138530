//! The reactions to comments, counted for who reads them.

use std::collections::HashMap;

use svc_domain::comment::Comment;
use svc_domain::identity::Member;
use svc_domain::ids::{ActorId, CommentId, ItemKey, OrgId, UserId};
use svc_domain::reaction::{Reaction, Reactor, Tally, tally};
use svc_storage::{Key, Limits, Query, Range, Row, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::Result;

/// The reactions to one comment.
pub(super) async fn of_comment(app: &App, entry: &Entry, key: &ItemKey, id: CommentId) -> Result<Vec<Tally>> {
    let range = Range::Prefix(keys::reactions_prefix(id));
    let rows = app.table.query_all(Query::new(keys::item_pk(entry.org_id(), key), range, 1_000)).await?;
    let reactions = rows.iter().map(Row::read).collect::<Result<Vec<Reaction>, _>>()?;
    let mut tallies = tally(reactions, entry.actor().id);
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
    let range = Range::Between(keys::reactions_prefix(first), keys::reactions_end(last));
    let rows = app.table.query_all(Query::new(keys::item_pk(entry.org_id(), key), range, 1_000)).await?;
    let mut of: HashMap<CommentId, Vec<Reaction>> = ids().map(|id| (id, Vec::new())).collect();
    for row in &rows {
        if let Some(reactions) = keys::reacted_comment(&row.key.sk).and_then(|id| of.get_mut(&id)) {
            reactions.push(row.read()?);
        }
    }
    let me = entry.actor().id;
    let mut tallies: HashMap<CommentId, Vec<Tally>> =
        of.into_iter().map(|(id, reactions)| (id, tally(reactions, me))).collect();
    recognize(app, entry.org_id(), tallies.values_mut().flatten()).await?;
    Ok(tallies)
}

/// Shows people who reacted as they are called and look now. Who left is shown as they were called then.
async fn recognize<'a>(app: &App, org: OrgId, tallies: impl Iterator<Item = &'a mut Tally>) -> Result<()> {
    let mut people: HashMap<UserId, Vec<&mut Reactor>> = HashMap::new();
    for reactor in tallies.flat_map(|tally| &mut tally.reactors) {
        if let ActorId::User(user) = reactor.actor.id {
            people.entry(user).or_default().push(reactor);
        }
    }
    let wanted: Vec<Key> = people.keys().map(|user| keys::member(org, *user)).collect();
    for chunk in wanted.chunks(Limits::KEYS) {
        for row in app.table.get_many(chunk).await?.into_iter().flatten() {
            let member: Member = row.read()?;
            for reactor in people.get_mut(&member.user).into_iter().flatten() {
                reactor.recognize(&member);
            }
        }
    }
    Ok(())
}
