//! Items of a source.

use std::collections::{BTreeMap, HashMap, HashSet};

use svc_domain::event::ItemEvent;
use svc_domain::feed::FeedIndex;
use svc_domain::hierarchy;
use svc_domain::ids::{ItemKey, MilestoneId, SprintId};
use svc_domain::import::{self, Became, Kind, Record, Surroundings, in_order};
use svc_domain::item::{Item, ItemType};
use svc_domain::milestone::Milestones;
use svc_domain::refusal::Refusal;
use svc_domain::sprint::{Planned, Sprint, SprintState, Work, is_finished};
use svc_storage::{Condition, Key, Limits, Op, RowOf, StorageError, keys};

use super::{BYTES, Batch, OPS, in_words};
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::items::last_number;
use crate::tracker::label_room::MAX_CARRIED;
use crate::wanted;

/// Most items above an item.
const MAX_DEPTH: usize = 20;
/// Operations of an item with its record, besides those about its parent: row, feed, history, index, sprint, record.
const OPS_OF_ITEM: usize = 6;
/// Bytes of these beside the item's own row.
const BYTES_BESIDE: usize = 12 * 1024;

/// What items name that is here, as it was read.
struct Around {
    milestones: Option<(Milestones, u64)>,
    sprints: HashMap<SprintId, (Sprint, u64)>,
    /// Items that others belong to: their types, and how many are above each.
    parents: HashMap<ItemKey, (ItemType, usize)>,
}

/// Items on their way into one commit.
#[derive(Default)]
struct Pack {
    made: Vec<(usize, Item)>,
    ops: usize,
    bytes: usize,
    /// Rows besides the items that the commit changes or demands, each once.
    beside: HashSet<Key>,
}

impl Batch<'_> {
    pub(super) async fn items(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Item(item) => Some(&**item),
            _ => None,
        });
        if left.is_empty() {
            return Ok(());
        }
        let (order, circles) = in_order(&left.iter().map(|(_, item)| *item).collect::<Vec<_>>());
        let mut around = self.around(&left).await?;
        let first = self.numbers(left.len()).await?;
        self.check_label_room(&left).await?;
        let mut pack = Pack::default();
        for (nth, place) in order.into_iter().enumerate() {
            let (at, record) = left[place];
            if self.fates[at].is_some() {
                continue;
            }
            // In a dry run, any that no item has.
            let number = first.unwrap_or(u64::MAX / 2) + nth as u64;
            let key = ItemKey { project: self.project.clone(), number };
            let alone = circles.contains(&place);
            if alone {
                self.note(at, "It would be above itself, so it belongs to no item.");
            }
            let Some(item) = self.made(at, record, key, alone, &mut around) else { continue };
            let (ops, bytes, beside) = self.cost(&item, &pack);
            if bytes > Limits::ROW_BYTES - Limits::ROW_OVERHEAD - 1_024 {
                self.skip(at, "It is too long to be stored. Shorten its description.");
                continue;
            }
            if pack.ops + ops + beside.len() > OPS || pack.bytes + bytes > BYTES {
                self.write(std::mem::take(&mut pack), &mut around).await?;
            }
            // What the commit before had is not in this one.
            let (ops, bytes, beside) = self.cost(&item, &pack);
            pack.ops += ops + beside.len();
            pack.bytes += bytes + BYTES_BESIDE;
            pack.beside.extend(beside);
            // Those that belong to it find it, though it is not written yet.
            self.known.insert((Kind::Item, record.id.clone()), (Became::Item(item.key.clone()), 0));
            pack.made.push((at, item));
        }
        self.write(pack, &mut around).await
    }

    /// The first of so many numbers; none in a dry run.
    async fn numbers(&self, many: usize) -> Result<Option<u64>> {
        if self.import.dry_run {
            return Ok(None);
        }
        let last =
            last_number(self.app, self.org, self.project, i64::try_from(many).unwrap_or(i64::MAX)).await?;
        Ok(Some(last + 1 - many as u64))
    }

    /// Reads what the items name.
    async fn around(&self, items: &[(usize, &import::Item)]) -> Result<Around> {
        let milestones = match self.named(items, Kind::Milestone).is_empty() {
            false => self.app.table.find(&keys::milestones(self.org, self.project)).await?,
            true => None,
        };
        let milestones =
            milestones.map(|row| Ok::<_, StorageError>((row.read()?, row.version))).transpose()?;
        let mut sprints = HashSet::new();
        for id in self.named(items, Kind::Sprint) {
            if let Some(Became::Sprint(id)) = self.became(Kind::Sprint, id) {
                sprints.insert(*id);
            }
        }
        let wanted: Vec<_> = sprints.iter().map(|id| keys::sprint(self.org, self.project, *id)).collect();
        let mut found = HashMap::new();
        for row in wanted::load(self.app, wanted).await?.into_iter().flatten() {
            let sprint = row.read()?;
            found.insert(sprint.id, (sprint, row.version));
        }
        let parents: HashSet<&ItemKey> =
            self.named(items, Kind::Item).into_iter().filter_map(|id| self.item_key(id)).collect();
        let parents = self.parents(&parents.into_iter().collect::<Vec<_>>()).await?;
        Ok(Around { milestones, sprints: found, parents })
    }

    /// The ids of this kind that items name.
    fn named<'b>(&self, items: &[(usize, &'b import::Item)], kind: Kind) -> Vec<&'b str> {
        let name = |(_, item): &(usize, &'b import::Item)| match kind {
            Kind::Milestone => item.milestone.as_deref(),
            Kind::Sprint => item.sprint.as_deref(),
            Kind::Item => item.parent.as_deref(),
            _ => None,
        };
        items.iter().filter_map(name).collect()
    }

    /// The types of items that are there, and how many items are above each.
    async fn parents(&self, parents: &[&ItemKey]) -> Result<HashMap<ItemKey, (ItemType, usize)>> {
        if parents.is_empty() {
            return Ok(HashMap::new());
        }
        let wanted: Vec<_> = parents.iter().map(|key| keys::item(self.org, key)).collect();
        let rows = wanted::load(self.app, wanted).await?;
        let feed = self.app.feeds.fresh(self.app, self.org, self.project).await?;
        let index = feed.read();
        let read = |row: RowOf<Item>| {
            let item = row.read()?;
            let above = above(&index, item.parent.as_ref());
            Ok((item.key, (item.item_type, above)))
        };
        Ok(rows.into_iter().flatten().map(read).collect::<Result<_, StorageError>>()?)
    }

    /// Whether the project has room for the labels that items bring; those of items for which there is none are left out.
    async fn check_label_room(&mut self, items: &[(usize, &import::Item)]) -> Result<()> {
        let feed = self.app.feeds.fresh(self.app, self.org, self.project).await?;
        let mut full = Vec::new();
        {
            let index = feed.read();
            let mut room = MAX_CARRIED.saturating_sub(index.different_labels());
            let mut new = HashSet::new();
            for (at, item) in items {
                let unknown = item.labels.iter().filter(|label| !index.carries_label(label.trim()));
                let unknown: HashSet<String> =
                    unknown.map(|label| svc_domain::label::folded(label.trim())).collect();
                let more = unknown.difference(&new).count();
                if more > room {
                    full.push(*at);
                } else {
                    room -= more;
                    new.extend(unknown);
                }
            }
        }
        for at in full {
            self.skip(at, format!("The items of a project carry at most {MAX_CARRIED} different labels."));
        }
        Ok(())
    }

    /// The item of a record; `None` where it cannot come.
    fn made(
        &mut self,
        at: usize,
        record: &import::Item,
        key: ItemKey,
        alone: bool,
        around: &mut Around,
    ) -> Option<Item> {
        let workflow = self.workflow;
        let Some(state) = workflow.find(&record.state) else {
            let known: Vec<&str> = workflow.states.iter().map(|state| state.name.as_str()).collect();
            self.skip(
                at,
                format!("There is no state {:?}. The states are: {}.", record.state, known.join(", ")),
            );
            return None;
        };
        let author = self.who(at, record.author.as_ref());
        let assignee = self.who(at, record.assignee.as_ref());
        let milestone = self.milestone(at, record, around);
        let sprint = self.sprint(at, record, &state.name, around);
        let parent = if alone { None } else { self.parent(at, record, around) };
        let above =
            parent.as_ref().and_then(|parent| around.parents.get(parent)).map_or(0, |(_, above)| above + 1);
        let by = self.by();
        let surroundings = Surroundings { state, author, assignee, milestone, sprint, parent, by };
        match import::item(record, key, surroundings) {
            Ok((item, notes)) => {
                notes.into_iter().for_each(|note| self.note(at, note));
                let above = if item.parent.is_some() { above } else { 0 };
                around.parents.insert(item.key.clone(), (item.item_type, above));
                Some(item)
            }
            Err(errors) => {
                self.skip(at, in_words(Refusal::Invalid(errors)));
                None
            }
        }
    }

    /// Tells that what a record names is not there. In a dry run, what other requests bring is taken to be there.
    fn missing(&mut self, at: usize, what: &str, id: &str) {
        if !self.import.dry_run {
            self.note(at, format!("There is no {what} {id:?} among the records."));
        }
    }

    fn milestone(&mut self, at: usize, record: &import::Item, around: &Around) -> Option<MilestoneId> {
        let id = record.milestone.as_deref()?;
        let Some(Became::Milestone(milestone)) = self.became(Kind::Milestone, id) else {
            self.missing(at, "milestone", id);
            return None;
        };
        let milestone = *milestone;
        let is_there = around.milestones.as_ref().is_some_and(|(all, _)| all.get(milestone).is_some());
        if !is_there && !self.import.dry_run {
            self.note(at, "Its milestone was deleted in the project.");
            return None;
        }
        Some(milestone)
    }

    fn sprint(&mut self, at: usize, record: &import::Item, state: &str, around: &Around) -> Option<SprintId> {
        let id = record.sprint.as_deref()?;
        let Some(Became::Sprint(sprint)) = self.became(Kind::Sprint, id) else {
            self.missing(at, "sprint", id);
            return None;
        };
        let sprint = *sprint;
        match around.sprints.get(&sprint) {
            None if self.import.dry_run => Some(sprint),
            None => {
                self.note(at, "Its sprint was deleted in the project.");
                None
            }
            Some((known, _))
                if known.state == SprintState::Completed && !is_finished(state, self.workflow) =>
            {
                self.note(at, "Its sprint is completed and it is not, so it goes to the backlog.");
                None
            }
            Some(_) => Some(sprint),
        }
    }

    fn parent(&mut self, at: usize, record: &import::Item, around: &Around) -> Option<ItemKey> {
        let id = record.parent.as_deref()?;
        let Some(parent) = self.item_key(id).cloned() else {
            self.missing(at, "item", id);
            return None;
        };
        let why = match around.parents.get(&parent) {
            None if self.import.dry_run => return Some(parent),
            None => "The item that it belongs to is no longer in the project.".to_owned(),
            Some((kind, _)) if !hierarchy::may_hold(*kind) => {
                format!("{parent} is a subtask, and a subtask cannot have children.")
            }
            Some((_, above)) if *above + 1 >= MAX_DEPTH => {
                format!("An item can have at most {MAX_DEPTH} levels of parents.")
            }
            Some(_) => return Some(parent),
        };
        self.note(at, why);
        None
    }

    /// The operations and bytes of an item in a commit, and the rows beside it that the commit does not have yet.
    fn cost(&self, item: &Item, pack: &Pack) -> (usize, usize, Vec<Key>) {
        let bytes = serde_json::to_string(item).map_or(usize::MAX / 4, |doc| doc.len());
        let mut beside: Vec<Key> = Vec::new();
        if let Some(parent) = &item.parent {
            beside.extend([keys::children(self.org, parent), keys::item(self.org, parent).into()]);
        }
        beside.extend(item.milestone.map(|_| keys::milestones(self.org, self.project).into()));
        let sprint = item.sprint.as_ref().and_then(|id| id.parse().ok());
        beside.extend(sprint.map(|id| keys::sprint(self.org, self.project, id).into()));
        beside.retain(|key| !pack.beside.contains(key));
        (OPS_OF_ITEM, bytes, beside)
    }

    async fn write(&mut self, pack: Pack, around: &mut Around) -> Result<()> {
        if pack.made.is_empty() {
            return Ok(());
        }
        let written: HashSet<ItemKey> = pack.made.iter().map(|(_, item)| item.key.clone()).collect();
        let mut children: BTreeMap<ItemKey, i64> = BTreeMap::new();
        let mut in_sprints: BTreeMap<SprintId, Vec<Planned>> = BTreeMap::new();
        let (mut transaction, mut made) = (self.transaction(), Vec::new());
        let mut has_milestone = false;
        for (at, item) in pack.made {
            if let Some(parent) = &item.parent {
                *children.entry(parent.clone()).or_default() += 1;
            }
            if let Some(sprint) = item.sprint.as_ref().and_then(|id| id.parse().ok()) {
                in_sprints.entry(sprint).or_default().push(Planned::of(&item));
            }
            has_milestone |= item.milestone.is_some();
            made.push((at, Became::Item(item.key.clone())));
            // Its times stay those of the source.
            let mut change = ItemChange::create(self.org, item).brought_in();
            change.tell(ItemEvent::Imported(change.item.key.clone()));
            transaction.save(change);
        }
        for (parent, many) in children {
            if !written.contains(&parent) {
                transaction.write([Op::check(keys::item(self.org, &parent), Condition::Present)]);
            }
            transaction.write([Op::add(keys::children(self.org, &parent), "made", many)]);
        }
        if let Some((_, version)) = around.milestones.as_ref().filter(|_| has_milestone) {
            let row = keys::milestones(self.org, self.project);
            transaction.write([Op::check(row, Condition::Version(*version))]);
        }
        for (id, items) in in_sprints {
            let Some((sprint, version)) = around.sprints.get_mut(&id) else { continue };
            let row = keys::sprint(self.org, self.project, id);
            // What was in a completed sprint at its end is written in it.
            if let Some(completion) = &mut sprint.completion {
                add(&mut completion.work, &Work::of(&items, self.workflow));
                transaction.write([Op::replace(row, *version, &*sprint)]);
                *version += u64::from(!self.import.dry_run);
            } else {
                transaction.write([Op::check(row, Condition::Version(*version))]);
            }
        }
        self.commit(transaction, made).await
    }
}

/// How many items are above one with this parent.
fn above(index: &FeedIndex, parent: Option<&ItemKey>) -> usize {
    let up = |key: &ItemKey| index.get(key.number).and_then(|entry| entry.parent.clone());
    std::iter::successors(parent.cloned(), up).take(MAX_DEPTH).count()
}

fn add(sum: &mut Work, more: &Work) {
    sum.items += more.items;
    sum.unfinished += more.unfinished;
    sum.estimate += more.estimate;
    sum.remaining += more.remaining;
}
