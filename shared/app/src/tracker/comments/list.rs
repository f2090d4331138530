//! A page of a discussion.
//!
//! Protocol.
//! 1. Which comments are on a page depends on all comments before it: some are hidden from the viewer, and some
//!    were deleted. For a long discussion, a row keeps what decides that, without the texts ([`Outline`]).
//! 2. The outline ends where somebody could still be writing: comments of the last minute are read. So are
//!    comments that came after the outline was made; if these are many, the outline is made again.
//! 3. The deletion of a comment raises a counter of that row in the same commit. An outline with another count is
//!    ignored. An outline is written only under the version that was read before the comments were read.
//! 4. Of an item that is moving, comments that have not followed yet are read at its old key, and first: what follows
//!    meanwhile is found at its new one. Their outline is for later.
//! 5. Texts are read for a short discussion and for the comments on the page. No other texts are kept.

use std::collections::HashMap;

use futures::future::try_join;
use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::comment::{Comment, MAX_COMMENT};
use svc_domain::ids::{ActorId, CommentId, ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::outline::{MOST, Outline, Turn, WORTH};
use svc_domain::transfer::Transfer;
use svc_domain::visibility::Viewer;
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::SeenComment;
use super::tallies::of_comments;
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::heavy;
use crate::identity::Names;
use crate::tracker::gone::item_row;
use crate::wanted;

/// Nobody is longer at writing a comment that has its id already.
const SETTLED: SignedDuration = SignedDuration::from_mins(1);

/// Bytes of comments that are kept while looking for those on the page.
const KEPT: usize = 256 * 1024;

/// Comments that are read at once: as long as comments may be, 5 MB.
const AT_ONCE: usize = 25;
/// Bytes of a comment that is as long as may be.
const LONGEST: usize = 4 * MAX_COMMENT;

/// Comments on an item that the caller sees, oldest first: those after the first `offset`, at most `limit`;
/// and how many there are.
///
/// # Errors
/// [`Refusal::NotFound`](svc_domain::refusal::Refusal::NotFound).
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    slice: (usize, usize),
) -> Result<(Vec<SeenComment>, u64)> {
    let wanted = |org| (keys::item(org, key), keys::outline(org, key));
    let (entry, (item, outline)) =
        enter_project_with(app, caller, &key.project, Capability::SeeProject, wanted).await?;
    let item: Item = item_row(app, &entry, item, key).await?.read()?;
    of_item(app, &entry, &item, outline, slice).await
}

/// As [`list`], by who entered the item's project, with the row of the discussion's outline.
pub(crate) async fn of_item(
    app: &App,
    entry: &Entry,
    item: &Item,
    known: Option<RowOf<Option<Outline>>>,
    (offset, limit): (usize, usize),
) -> Result<(Vec<SeenComment>, u64)> {
    let mut talk = Talk::read(app, entry.org_id(), item, known).await?;
    let seen = Viewer::of(&entry.access).discussion(talk.stand_ins());
    let total = seen.len() as u64;
    let page: Vec<Comment> = seen.into_iter().skip(offset).take(limit).map(|(comment, _)| comment).collect();
    let mut page = talk.texts(app, page).await?;
    let ids: Vec<ActorId> =
        page.iter_mut().flat_map(|(comment, _)| comment.named()).map(|actor| actor.id).collect();
    let (names, mut reactions) =
        try_join(Names::of(app, entry.org_id(), ids), of_comments(app, entry, &item.key, &page)).await?;
    names.give(page.iter_mut().flat_map(|(comment, _)| comment.named()));
    let show = |(comment, version): (Comment, u64)| {
        let tallies = reactions.remove(&comment.id).unwrap_or_default();
        SeenComment::of(entry, comment, version, tallies)
    };
    Ok((page.into_iter().map(show).collect(), total))
}

/// A discussion, with few of its texts.
struct Talk<'a> {
    org: OrgId,
    /// Where its comments are: at the old key of an item that is moving, then at its own.
    places: Vec<&'a ItemKey>,
    turns: Vec<Turn>,
    kept: HashMap<CommentId, (Comment, u64)>,
}

/// Comments of one read: what the outline keeps of each, and whether it is settled.
type Read = Vec<(Turn, bool, Comment, u64)>;

impl<'a> Talk<'a> {
    /// All comments, in their order, from the outline on.
    async fn read(
        app: &App,
        org: OrgId,
        item: &'a Item,
        known: Option<RowOf<Option<Outline>>>,
    ) -> Result<Self> {
        let deletions = known.as_ref().map_or(0, |row| row.counter("deletions"));
        let former = former(app, org, item).await?;
        if let Some(former) = former {
            let mut talk =
                Self { org, places: vec![former, &item.key], turns: Vec::new(), kept: HashMap::new() };
            for place in [former, &item.key] {
                talk.read_on(app, place, keys::COMMENT_PREFIX.to_owned()).await?;
            }
            talk.turns.sort_unstable_by_key(Turn::id);
            talk.turns.dedup_by_key(|turn| turn.id());
            return Ok(talk);
        }
        let item = &item.key;
        let outline: Option<Outline> = known.as_ref().map(RowOf::read).transpose()?.flatten();
        let turns =
            outline.filter(|outline| outline.deletions == deletions).map_or_else(Vec::new, |o| o.turns);
        let outlined = turns.len();
        let first = match turns.last() {
            Some(last) => format!("{}\0", keys::comment(org, item, last.id()).sk),
            None => keys::COMMENT_PREFIX.to_owned(),
        };
        let mut talk = Self { org, places: vec![item], turns, kept: HashMap::new() };
        let settled = talk.read_on(app, item, first).await?;
        if settled >= outlined + WORTH && outlined < MOST {
            let turns = talk.turns[..settled.min(MOST)].to_vec();
            let condition = known.map_or(Condition::Absent, |row| Condition::Version(row.version));
            let outline = Outline { deletions, turns };
            app.write_sometime(vec![Op::put(keys::outline(org, item), condition, &outline)]);
        }
        Ok(talk)
    }

    /// Reads the comments of a place from one on, after those that are known; how many from the first on are settled.
    async fn read_on(&mut self, app: &App, place: &ItemKey, first: String) -> Result<usize> {
        let range = Range::Between(first, keys::COMMENTS_END.to_owned());
        let mut query = Query::new(keys::item_pk(self.org, place), range, 1_000);
        let (mut settled, mut all_settled, mut bytes) = (self.turns.len(), true, 0);
        loop {
            let page = app.table.query(&query).await?;
            let size: usize = page.rows.iter().map(|row| row.doc.len()).sum();
            bytes += size;
            let until = app.now() - SETTLED;
            let read = heavy::on_texts(size, move || parsed(&page.rows, until)).await??;
            for (turn, is_settled, comment, version) in read {
                all_settled &= is_settled;
                self.turns.push(turn);
                if all_settled {
                    settled = self.turns.len();
                }
                self.kept.insert(turn.id(), (comment, version));
            }
            if bytes > KEPT {
                self.kept.clear();
            }
            query.cursor = page.cursor;
            if query.cursor.is_none() {
                return Ok(settled);
            }
        }
    }

    /// Comments that are seen as these are, without their texts.
    fn stand_ins(&self) -> Vec<(Comment, u64)> {
        self.turns.iter().map(|turn| (turn.stand_in(), 0)).collect()
    }

    /// The comments that stand-ins stand for, in their threads. One that is gone by now is left out.
    async fn texts(&mut self, app: &App, stand_ins: Vec<Comment>) -> Result<Vec<(Comment, u64)>> {
        let missing = stand_ins.iter().filter(|comment| !self.kept.contains_key(&comment.id)).count();
        let room = heavy::room(missing * LONGEST).await?;
        let mut held = 0;
        for place in std::mem::take(&mut self.places) {
            let missing: Vec<_> = stand_ins
                .iter()
                .filter(|comment| !self.kept.contains_key(&comment.id))
                .map(|comment| keys::comment(self.org, place, comment.id))
                .collect();
            for wanted in missing.chunks(AT_ONCE) {
                let rows = wanted::load(app, wanted.to_vec()).await?;
                let rows: Vec<Row> = rows.into_iter().flatten().map(Row::from).collect();
                let (size, now) = (rows.iter().map(|row| row.doc.len()).sum(), app.now());
                held += size;
                for (turn, _, comment, version) in heavy::on_texts(size, move || parsed(&rows, now)).await?? {
                    self.kept.insert(turn.id(), (comment, version));
                }
            }
        }
        room.keep(held);
        let whole = stand_ins.into_iter().filter_map(|stand_in| {
            let (comment, version) = self.kept.remove(&stand_in.id)?;
            let Comment { reply_to, in_thread_of_agent, .. } = stand_in;
            Some((Comment { reply_to, in_thread_of_agent, ..comment }, version))
        });
        Ok(whole.collect())
    }
}

/// The old key of an item whose discussion has not followed it yet.
async fn former<'a>(app: &App, org: OrgId, item: &'a Item) -> Result<Option<&'a ItemKey>> {
    let Some(former) = &item.former_key else { return Ok(None) };
    let row = app.table.find(&keys::transfer(org, former)).await?;
    let transfer: Option<Transfer> = row.as_ref().map(RowOf::read).transpose()?;
    Ok(transfer.filter(|transfer| !transfer.complete).map(|_| former))
}

fn parsed(rows: &[Row], settled_until: jiff::Timestamp) -> Result<Read> {
    let read = rows.iter().map(|row| {
        let comment: Comment = row.read()?;
        Ok((
            Turn::of(&comment),
            comment.imported_at.unwrap_or(comment.created_at) <= settled_until,
            comment,
            row.version,
        ))
    });
    read.collect()
}
