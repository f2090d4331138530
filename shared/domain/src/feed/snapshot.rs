//! A feed as bytes, small and quickly read: what a process that starts reads instead of every row.
//!
//! The bytes begin with the number of their format; bytes of another format are not read, but made again.
//! Inside is one compressed message. Texts and people that many items share are in it once, and items name them by
//! their place. Owns no storage and no checksum: the keeper of the bytes sees to it that they are the same
//! later.

use std::collections::HashMap;
use std::hash::Hash;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::entry::FeedEntry;
use super::index::FeedIndex;
use super::packed::{
    PackedActor, PackedEntry, PackedRun, Place, Time, actor, commenter, packed_actor, packed_commenter,
    packed_run, packed_time,
};
use crate::claim::Claim;
use crate::ids::{Actor, MilestoneId, ProjectKey, RunId};
use crate::item::{Commenters, Counts};
use crate::rank::Rank;
use crate::run::LastRun;

/// Raise it with every change of what is below, and whenever [`FeedEntry`] gets a field: bytes that an older program
/// wrote would lack it.
const FORMAT: [u8; 4] = *b"FED7";

/// By how much bytes can become fewer.
const MAX_RATIO: usize = 255;

/// Bytes are no snapshot that this program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Another program wrote them in its format.
    #[error("the snapshot is of another format")]
    Format,
    /// They are not what was written, or of another project.
    #[error("the snapshot is damaged")]
    Damaged,
}

#[derive(Default, Serialize)]
struct Packed<'a> {
    project: &'a str,
    texts: Vec<&'a str>,
    actors: Vec<PackedActor<'a>>,
    entries: Vec<PackedEntry<'a>>,
    /// Number and version.
    gone: Vec<(u64, u64)>,
}

/// The beginning of what is packed, up to how many entries follow.
#[derive(Deserialize)]
struct Head<'a> {
    project: &'a str,
    #[serde(borrow)]
    texts: Vec<&'a str>,
    #[serde(borrow)]
    actors: Vec<PackedActor<'a>>,
    entries: u64,
}

/// Packs the items of a feed, part by part: a part that changed meanwhile is packed as it is then.
#[derive(Default)]
pub struct Packer {
    entries: Vec<FeedEntry>,
    gone: Vec<(u64, u64)>,
}

impl Packer {
    /// Takes in at most `count` items of a feed from a number on; the number to go on from, if there are more.
    pub fn take(&mut self, index: &FeedIndex, from: u64, count: usize) -> Option<u64> {
        if from == 0 {
            self.gone = index.gone().collect();
        }
        let mut rest = index.from(from);
        self.entries.extend(rest.by_ref().take(count).cloned());
        rest.next().map(|entry| entry.number)
    }

    /// The bytes.
    ///
    /// # Panics
    /// Never: plain data can be written.
    pub fn pack(mut self, project: &ProjectKey) -> Vec<u8> {
        self.gone.sort_unstable();
        // Words and keys that are texts only when written.
        let written: Vec<Option<String>> =
            self.entries.iter().map(|entry| entry.parent.as_ref().map(ToString::to_string)).collect();
        let (mut texts, mut actors) = (Places::default(), Places::default());
        let entries = self.entries.iter().zip(&written);
        let entries =
            entries.map(|(entry, parent)| packed(entry, parent.as_deref(), &mut texts, &mut actors));
        let entries = entries.collect();
        let packed = Packed {
            project: project.as_str(),
            texts: texts.values,
            actors: actors.values,
            entries,
            gone: self.gone,
        };
        let message = postcard::to_allocvec(&packed).expect("plain data can be written");
        let mut bytes = FORMAT.to_vec();
        bytes.extend(lz4_flex::compress_prepend_size(&message));
        bytes
    }
}

/// The feed of bytes that [`Packer::pack`] made of it.
///
/// # Errors
/// [`Unreadable`].
pub fn unpack(project: ProjectKey, bytes: &[u8]) -> Result<FeedIndex, Unreadable> {
    let compressed = bytes.strip_prefix(&FORMAT).ok_or(Unreadable::Format)?;
    let message = decompressed(compressed)?;
    let (head, mut rest): (Head<'_>, _) = taken(&message)?;
    if head.project != project.as_str() {
        return Err(Unreadable::Damaged);
    }
    let actors: Vec<Actor> = head.actors.iter().map(actor).collect();
    let places = Meaning { texts: &head.texts, actors: &actors };
    // One entry after the other: what is packed of all of them at once would take as much memory again.
    let mut next = || -> Result<FeedEntry, Unreadable> {
        let (entry, left) = taken(rest)?;
        rest = left;
        places.entry(entry)
    };
    let mut failed = None;
    let entries = (0..head.entries).map_while(|_| next().map_err(|why| failed = Some(why)).ok());
    let mut index = FeedIndex::of(project, entries);
    if let Some(why) = failed {
        return Err(why);
    }
    let gone: Vec<(u64, u64)> = postcard::from_bytes(rest).map_err(|_| Unreadable::Damaged)?;
    index.bury(gone);
    Ok(index)
}

/// What comes first, and the bytes after it.
fn taken<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), Unreadable> {
    postcard::take_from_bytes(bytes).map_err(|_| Unreadable::Damaged)
}

/// The message inside. A size that no compressed message can have is not believed.
fn decompressed(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let size = bytes.first_chunk().map(|size| u32::from_le_bytes(*size)).ok_or(Unreadable::Damaged)?;
    if size as usize / MAX_RATIO > bytes.len() {
        return Err(Unreadable::Damaged);
    }
    lz4_flex::decompress_size_prepended(bytes).map_err(|_| Unreadable::Damaged)
}

/// Values, each once, and where each is.
struct Places<V> {
    values: Vec<V>,
    places: HashMap<V, Place>,
}

impl<V> Default for Places<V> {
    fn default() -> Self {
        Self { values: Vec::new(), places: HashMap::new() }
    }
}

impl<V: Copy + Eq + Hash> Places<V> {
    fn of(&mut self, value: V) -> Place {
        // There are never four billion.
        let next = self.values.len() as Place;
        *self.places.entry(value).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }
}

/// Every field is named, so that the compiler asks for what becomes of a new one (and see [`FORMAT`]).
fn packed<'a>(
    entry: &'a FeedEntry,
    parent_key: Option<&'a str>,
    texts: &mut Places<&'a str>,
    actors: &mut Places<PackedActor<'a>>,
) -> PackedEntry<'a> {
    let FeedEntry {
        number,
        version,
        item_type,
        title,
        state,
        priority,
        labels,
        estimate,
        remaining,
        assignee,
        parent: _,
        sprint,
        milestone,
        rank,
        blocked,
        due,
        resolved_at,
        started_at,
        claim,
        live_run,
        last_run,
        link_urls,
        standings,
        linked_items,
        commenters,
        counts,
        created_by,
        created_at,
        updated_at,
        deleted: _,
    } = entry;
    let mut person = |actor| actors.of(packed_actor(actor));
    PackedEntry {
        number: *number,
        version: *version,
        item_type: texts.of(item_type.as_str()),
        title,
        state: texts.of(state),
        priority: texts.of(priority.as_str()),
        labels: labels.iter().map(|label| texts.of(label)).collect(),
        estimate: *estimate,
        remaining: *remaining,
        assignee: assignee.as_ref().map(&mut person),
        parent: parent_key.map(|key| texts.of(key)),
        sprint: sprint.as_deref().map(|sprint| texts.of(sprint)),
        milestone: milestone.map(|milestone| milestone.0.into_bytes()),
        rank: rank.as_ref().map(Rank::as_str),
        blocked: *blocked,
        due: due.map(|day| (day.year(), day.month(), day.day())),
        resolved_at: resolved_at.map(packed_time),
        started_at: started_at.map(packed_time),
        claim: claim
            .as_ref()
            .map(|claim| (person(&claim.holder), packed_time(claim.since), packed_time(claim.heartbeat_at))),
        live_run: live_run.map(|run| run.0.into_bytes()),
        last_run: last_run.as_deref().map(|last| packed_run(last, &mut person)),
        link_urls: link_urls.iter().map(String::as_str).collect(),
        standings: standings.clone(),
        linked_items: *linked_items,
        commenters: commenters.0.iter().map(packed_commenter).collect(),
        counts: counts.map(|counts| (counts.comments, counts.attachments, counts.changes)),
        created_by: person(created_by),
        created_at: packed_time(*created_at),
        updated_at: packed_time(*updated_at),
    }
}

/// What the places of a snapshot mean.
struct Meaning<'a> {
    texts: &'a [&'a str],
    actors: &'a [Actor],
}

impl Meaning<'_> {
    fn entry(&self, packed: PackedEntry<'_>) -> Result<FeedEntry, Unreadable> {
        let owned = |place| self.text(place).map(str::to_owned);
        let claim = packed.claim.map(|(holder, since, heartbeat_at)| {
            let (since, heartbeat_at) = (time(since)?, time(heartbeat_at)?);
            Ok(Claim { holder: self.actor(holder)?, since, heartbeat_at })
        });
        Ok(FeedEntry {
            number: packed.number,
            version: packed.version,
            item_type: self.parsed(packed.item_type)?,
            title: packed.title.to_owned(),
            state: owned(packed.state)?,
            priority: self.parsed(packed.priority)?,
            labels: packed.labels.into_iter().map(owned).collect::<Result<_, _>>()?,
            estimate: packed.estimate,
            remaining: packed.remaining,
            assignee: packed.assignee.map(|place| self.actor(place)).transpose()?,
            parent: packed.parent.map(|place| self.parsed(place)).transpose()?,
            sprint: packed.sprint.map(owned).transpose()?,
            milestone: packed.milestone.map(|milestone| MilestoneId(Uuid::from_bytes(milestone))),
            rank: packed.rank.map(|rank| Rank::stored(rank.to_owned())),
            blocked: packed.blocked,
            due: packed.due.map(day).transpose()?,
            resolved_at: packed.resolved_at.map(time).transpose()?,
            started_at: packed.started_at.map(time).transpose()?,
            claim: claim.transpose()?,
            live_run: packed.live_run.map(|run| RunId(Uuid::from_bytes(run))),
            last_run: packed.last_run.map(|last| self.last_run(last).map(Box::new)).transpose()?,
            standings: packed.standings,
            linked_items: packed.linked_items,
            commenters: Commenters(packed.commenters.into_iter().map(commenter).collect()),
            counts: packed.counts.map(|(comments, attachments, changes)| Counts {
                comments,
                attachments,
                changes,
            }),
            link_urls: packed.link_urls.into_iter().map(str::to_owned).collect(),
            created_by: self.actor(packed.created_by)?,
            created_at: time(packed.created_at)?,
            updated_at: time(packed.updated_at)?,
            deleted: false,
        })
    }

    fn last_run(&self, packed: PackedRun<'_>) -> Result<LastRun, Unreadable> {
        let (id, status, agent, began, ended, pull_request) = packed;
        Ok(LastRun {
            id: RunId(Uuid::from_bytes(id)),
            status,
            agent: self.actor(agent)?,
            started_at: began.map(time).transpose()?,
            ended_at: time(ended)?,
            pull_request: pull_request.map(str::to_owned),
        })
    }

    fn text(&self, place: Place) -> Result<&str, Unreadable> {
        self.texts.get(place as usize).copied().ok_or(Unreadable::Damaged)
    }

    fn parsed<T: FromStr>(&self, place: Place) -> Result<T, Unreadable> {
        self.text(place)?.parse().map_err(|_| Unreadable::Damaged)
    }

    fn actor(&self, place: Place) -> Result<Actor, Unreadable> {
        self.actors.get(place as usize).cloned().ok_or(Unreadable::Damaged)
    }
}

fn day((year, month, day): (i16, i8, i8)) -> Result<Date, Unreadable> {
    Date::new(year, month, day).map_err(|_| Unreadable::Damaged)
}

fn time((second, nanosecond): Time) -> Result<Timestamp, Unreadable> {
    Timestamp::new(second, nanosecond).map_err(|_| Unreadable::Damaged)
}
