//! Places in the order given by hand.

use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::ids::{ItemKey, OrgId, SprintId};
use svc_domain::item::Item;
use svc_domain::rank::Rank;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::keys;

use super::MoveItem;
use crate::App;
use crate::error::Result;
use crate::tracker::{Feed, ItemChange};
use crate::transaction::Transaction;
use crate::wanted;

/// Items on each side of a place that are spread anew when there is no room at it.
const REACH: usize = 10;

/// Where a move puts an item.
pub(super) struct Place {
    pub(super) rank: Rank,
    /// The place in words, for the history.
    pub(super) place: String,
    /// Items that get other ranks to make room.
    around: Vec<Respread>,
}

struct Respread {
    number: u64,
    from: Rank,
    to: Rank,
}

/// The place that a move gives an item; `None` when the item has it already.
///
/// # Errors
/// [`Refusal::Conflict`] where even spreading the items around it makes no room.
pub(super) fn new_place(
    feed: &Feed,
    item: &Item,
    wanted: &MoveItem,
    errors: &mut FieldErrors,
) -> Result<Option<Place>, Refusal> {
    let Some(after) = &wanted.after else { return Ok(None) };
    let index = feed.read();
    let number = item.key.number;
    let (after, place) = match after {
        None => (None, "first".to_owned()),
        Some(text) => match neighbour(&index, item, text, wanted.sprint) {
            Ok(key) => (Some(key.number), format!("after {key}")),
            Err(why) => {
                errors.add("after", why);
                return Ok(None);
            }
        },
    };
    let (before, behind) = index.ranked_around(after, number, REACH + 1);
    let rank_of = |side: &[&FeedEntry]| side.first().map(|entry| entry.rank());
    let (low, high) = (rank_of(&before), rank_of(&behind));
    let mine = rank(item);
    if low.as_ref().is_none_or(|low| *low < mine) && high.as_ref().is_none_or(|high| mine < *high) {
        return Ok(None);
    }
    let rank = Rank::between(low.as_ref(), high.as_ref(), number);
    if rank.is_too_long() {
        return spread(&before, &behind, number, place).map(Some);
    }
    Ok(Some(Place { rank, place, around: Vec::new() }))
}

/// The place of an item between these, the nearest first, which are spread anew between the outermost.
fn spread(
    before: &[&FeedEntry],
    behind: &[&FeedEntry],
    number: u64,
    place: String,
) -> Result<Place, Refusal> {
    let outer = |side: &[&FeedEntry]| side.get(REACH).map(|entry| entry.rank());
    let (lower, upper) = (before.iter().take(REACH).rev(), behind.iter().take(REACH));
    let at = lower.len();
    let mut numbers: Vec<u64> = lower.clone().chain(upper.clone()).map(|entry| entry.number).collect();
    numbers.insert(at, number);
    let mut ranks = Rank::spread(outer(before).as_ref(), outer(behind).as_ref(), &numbers);
    if ranks.iter().any(Rank::is_too_long) {
        return Err(Refusal::Conflict(
            "there is no room at this place in the order; move the next item first",
        ));
    }
    let rank = ranks.remove(at);
    let respread =
        |(entry, to): (&&FeedEntry, Rank)| Respread { number: entry.number, from: entry.rank(), to };
    Ok(Place { rank, place, around: lower.chain(upper).zip(ranks).map(respread).collect() })
}

/// Gives the items around a place their new ranks in the transaction. It is no change of theirs that anybody is told of.
///
/// # Errors
/// [`Refusal::Conflict`] where one of them was moved meanwhile.
pub(super) async fn make_room(
    app: &App,
    org: OrgId,
    moved: &ItemKey,
    place: &Place,
    transaction: &mut Transaction,
) -> Result<()> {
    let key =
        |other: &Respread| keys::item(org, &ItemKey { project: moved.project.clone(), number: other.number });
    let wanted: Vec<_> = place.around.iter().map(key).collect();
    for (other, row) in place.around.iter().zip(wanted::load(app, wanted).await?) {
        let unmoved = row.map(|row| row.read().map(|item| (item, row.version))).transpose()?;
        let Some((item, version)) = unmoved.filter(|(item, _)| rank(item) == other.from) else {
            return Err(
                Refusal::Conflict("the items around this place were moved meanwhile; try again").into()
            );
        };
        if item.rank.as_ref() != Some(&other.to) {
            let mut change = ItemChange::update(org, item, version).as_heartbeat();
            change.item.rank = Some(other.to.clone());
            transaction.save(change);
        }
    }
    Ok(())
}

fn rank(item: &Item) -> Rank {
    item.rank.clone().unwrap_or_else(|| Rank::initial(item.key.number))
}

/// The item to come after, when it is one, and in the sprint that the other moves into.
fn neighbour(
    index: &FeedIndex,
    item: &Item,
    text: &str,
    sprint: Option<Option<SprintId>>,
) -> Result<ItemKey, String> {
    let project = &item.key.project;
    let key: Option<ItemKey> = text.parse().ok().filter(|key: &ItemKey| key.project == *project);
    let key = key.ok_or_else(|| format!("Give the key of an item of this project, such as {project}-12."))?;
    if key == item.key {
        return Err("An item cannot come after itself.".to_owned());
    }
    let entry = index.get(key.number).ok_or_else(|| format!("There is no item {key}."))?;
    match sprint {
        Some(sprint) if sprint.map(|id| id.to_string()) != entry.sprint => {
            let there = if sprint.is_some() { "that sprint" } else { "the backlog" };
            Err(format!("{key} is not in {there}."))
        }
        _ => Ok(key),
    }
}
