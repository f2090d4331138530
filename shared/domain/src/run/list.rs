//! The runs of an organization in memory, as lists are made of them: what a list filters by and nothing else, about 32
//! bytes a run, in the order of the runs' ids, which is the order in which they were queued.
//!
//! Runs are counted as they come, so a count takes no look at them, and the first page of a list that is not narrowed takes
//! one look at each of its runs. Only what few runs match, and pages far back, take a pass over small values that lie side
//! by side. Which items are there is asked once for each project, as a difference of two sets of numbers.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use roaring::RoaringBitmap;

use super::RunStatus;
use crate::ids::{AgentId, ItemKey, ProjectKey, RunId};

/// What a list of runs is narrowed to.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// A project.
    pub project: Option<ProjectKey>,
    /// A state.
    pub status: Option<RunStatus>,
    /// An agent.
    pub agent: Option<AgentId>,
    /// An item.
    pub item: Option<ItemKey>,
}

/// Runs, ready to be listed.
#[derive(Debug, Default)]
pub struct RunList {
    /// Ascending.
    ids: Vec<RunId>,
    /// One for each id.
    places: Vec<Place>,
    projects: Names<ProjectKey>,
    agents: Names<AgentId>,
    /// The items of each project.
    items: Vec<Items>,
    counts: HashMap<Group, Count>,
    /// The runs that have not ended.
    open: BTreeSet<RunId>,
}

/// What a list filters a run by.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Of the item.
    number: u32,
    group: Group,
}

/// What runs are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Group {
    project: u32,
    agent: u32,
    status: RunStatus,
}

/// How many runs of a group there are.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: usize,
    /// Without those of items that are gone.
    shown: usize,
}

/// Items of a project, by number.
#[derive(Debug, Default)]
struct Items {
    /// Those that have or had runs.
    known: RoaringBitmap,
    /// Those of them that are gone.
    gone: RoaringBitmap,
}

impl RunList {
    /// How many runs there are.
    pub const fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Takes in a run as it is now.
    pub fn put(&mut self, id: RunId, item: &ItemKey, agent: AgentId, status: RunStatus) {
        let (project, agent) = (self.projects.of(&item.project), self.agents.of(&agent));
        let place = Place { number: narrow(item.number), group: Group { project, agent, status } };
        self.items.resize_with(self.projects.names.len(), Items::default);
        self.items[project as usize].known.insert(place.number);
        if status.is_terminal() {
            self.open.remove(&id);
        } else {
            self.open.insert(id);
        }
        match self.find(id) {
            Ok(at) => {
                let before = std::mem::replace(&mut self.places[at], place);
                self.discount(before);
            }
            Err(at) => {
                self.grow();
                self.ids.insert(at, id);
                self.places.insert(at, place);
            }
        }
        let shown = self.shows(place);
        let count = self.counts.entry(place.group).or_default();
        count.all += 1;
        count.shown += usize::from(shown);
    }

    /// Takes in that there is no such run any more.
    pub fn remove(&mut self, id: RunId) {
        self.open.remove(&id);
        if let Ok(at) = self.find(id) {
            self.ids.remove(at);
            let place = self.places.remove(at);
            self.discount(place);
        }
    }

    /// Gives back memory that it does not need for now.
    pub fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// The runs before `since` that had not ended, and after which id to read all rows, to learn what became of those and
    /// which ones came since: those up to that id are left to be read one by one. It is an earlier one where many have not
    /// ended, because a read of a range has `for_one` rows for the price of one by itself.
    pub fn changing(&self, since: RunId, for_one: usize) -> (Vec<RunId>, RunId) {
        let open: Vec<RunId> = self.open.range(..since).copied().collect();
        let rows = |after: RunId| self.ids.len() - self.ids.partition_point(|id| *id <= after);
        let cost = |(beside, after): (usize, RunId)| beside + rows(after).div_ceil(for_one);
        let each = open.iter().enumerate().map(|(at, id)| (at + 1, *id));
        let cheapest = std::iter::once((open.len(), since)).chain(each).min_by_key(|way| cost(*way));
        let after = cheapest.map_or(since, |(_, after)| after);
        (open, after)
    }

    /// The projects of the runs that a filter admits, whether or not their items are there.
    pub fn projects(&self, filter: &RunFilter) -> BTreeSet<ProjectKey> {
        let Some(wanted) = self.wanted(filter) else { return BTreeSet::new() };
        let mut named = vec![false; self.projects.names.len()];
        if wanted.number.is_some() {
            let admitted = self.places.iter().filter(|place| wanted.admits(place));
            admitted.for_each(|place| named[place.group.project as usize] = true);
        } else {
            let admitted = self.counts.iter().filter(|(group, count)| count.all > 0 && wanted.covers(group));
            admitted.for_each(|(group, _)| named[group.project as usize] = true);
        }
        let known = self.projects.names.iter().zip(named);
        known.filter(|(_, named)| *named).map(|(project, _)| project.clone()).collect()
    }

    /// Whether it knows already which items of a project are there.
    pub fn knows(&self, project: &ProjectKey, there: &RoaringBitmap) -> bool {
        let items = self.projects.find(project).map(|at| &self.items[at as usize]);
        items.is_none_or(|items| &items.known - there == items.gone)
    }

    /// Takes in which items of a project are there: runs of others are not listed. Costs a pass over all runs where that
    /// is another than before for an item that has runs, which is seldom.
    pub fn know(&mut self, project: &ProjectKey, there: &RoaringBitmap) {
        let Some(project) = self.projects.find(project) else { return };
        let items = &mut self.items[project as usize];
        let gone = &items.known - there;
        let changed = &gone ^ &items.gone;
        items.gone = gone;
        if changed.is_empty() {
            return;
        }
        let changed = Bits::of(&changed);
        for place in &self.places {
            if place.group.project == project && changed.has(place.number) {
                let count = self.counts.entry(place.group).or_default();
                match self.items[project as usize].gone.contains(place.number) {
                    true => count.shown -= 1,
                    false => count.shown += 1,
                }
            }
        }
    }

    /// A part of the runs that a filter admits, newest first, and how many there are: of these projects, without runs of
    /// items that are gone.
    pub fn page(
        &self,
        filter: &RunFilter,
        visible: impl Fn(&ProjectKey) -> bool,
        (offset, limit): (usize, usize),
    ) -> (Vec<RunId>, usize) {
        let Some(wanted) = self.wanted(filter) else { return (Vec::new(), 0) };
        let visible: Vec<bool> = self.projects.names.iter().map(visible).collect();
        let listed = |place: &Place| {
            wanted.admits(place) && visible[place.group.project as usize] && self.shows(*place)
        };
        let total = if wanted.number.is_some() {
            self.places.iter().filter(|place| listed(place)).count()
        } else {
            let seen = |group: &Group| visible[group.project as usize] && wanted.covers(group);
            self.counts.iter().filter(|(group, _)| seen(group)).map(|(_, count)| count.shown).sum()
        };
        // Nobody looks for more of them than there are.
        let length = limit.min(total.saturating_sub(offset));
        if length == 0 {
            return (Vec::new(), total);
        }
        let newest = self.places.iter().enumerate().rev().filter(|(_, place)| listed(place));
        (newest.skip(offset).take(length).map(|(at, _)| self.ids[at]).collect(), total)
    }

    /// A filter in the numbers of this list; `None` where it names what no run has.
    fn wanted(&self, filter: &RunFilter) -> Option<Wanted> {
        let of_item = filter.item.as_ref().map(|item| &item.project);
        if filter.project.as_ref().zip(of_item).is_some_and(|(one, other)| one != other) {
            return None;
        }
        let project = match filter.project.as_ref().or(of_item) {
            Some(project) => Some(self.projects.find(project)?),
            None => None,
        };
        let agent = match &filter.agent {
            Some(agent) => Some(self.agents.find(agent)?),
            None => None,
        };
        let number = filter.item.as_ref().map(|item| narrow(item.number));
        Some(Wanted { project, agent, status: filter.status, number })
    }

    /// Whether the item of a run is there.
    fn shows(&self, place: Place) -> bool {
        !self.items[place.group.project as usize].gone.contains(place.number)
    }

    /// Makes room for one more in small steps: twice the room would be too much to have in vain.
    fn grow(&mut self) {
        if self.ids.len() == self.ids.capacity() {
            let more = self.ids.len() / 16 + 16;
            self.ids.reserve_exact(more);
            self.places.reserve_exact(more);
        }
    }

    fn discount(&mut self, place: Place) {
        let shown = self.shows(place);
        if let Some(count) = self.counts.get_mut(&place.group) {
            count.all -= 1;
            count.shown -= usize::from(shown);
        }
    }

    /// Where a run is, or would come. Most come last.
    fn find(&self, id: RunId) -> Result<usize, usize> {
        match self.ids.last() {
            Some(last) if *last >= id => self.ids.binary_search(&id),
            _ => Err(self.ids.len()),
        }
    }
}

/// A filter in the numbers of a list.
struct Wanted {
    project: Option<u32>,
    agent: Option<u32>,
    status: Option<RunStatus>,
    number: Option<u32>,
}

impl Wanted {
    /// Whether it admits runs of a group, as far as it asks for that.
    fn covers(&self, group: &Group) -> bool {
        self.project.is_none_or(|project| project == group.project)
            && self.status.is_none_or(|status| status == group.status)
            && self.agent.is_none_or(|agent| agent == group.agent)
    }

    fn admits(&self, place: &Place) -> bool {
        self.covers(&place.group) && self.number.is_none_or(|number| number == place.number)
    }
}

/// No project has four billion items.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Names, each of which is a small number here.
#[derive(Debug)]
struct Names<T> {
    names: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { names: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Names<T> {
    fn find(&self, name: &T) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The number of a name, a new one if it has none yet.
    fn of(&mut self, name: &T) -> u32 {
        if let Some(number) = self.find(name) {
            return number;
        }
        // There are fewer of them than runs, of which four billion do not fit into memory.
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        number
    }
}

/// A set of numbers that answers faster than any other, and is made for one pass.
struct Bits(Vec<u64>);

impl Bits {
    fn of(numbers: &RoaringBitmap) -> Self {
        let words = numbers.max().map_or(0, |max| max as usize / 64 + 1);
        let mut bits = vec![0; words];
        for number in numbers {
            bits[number as usize / 64] |= 1 << (number % 64);
        }
        Self(bits)
    }

    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use roaring::RoaringBitmap;
    use uuid::Uuid;

    use super::{RunFilter, RunList};
    use crate::ids::{AgentId, ItemKey, ProjectKey, RunId};
    use crate::run::RunStatus;

    fn project(n: u8) -> ProjectKey {
        ["PRJ", "WEB", "OPS"][usize::from(n % 3)].parse().unwrap()
    }

    fn item(n: u8) -> ItemKey {
        ItemKey { project: project(n), number: u64::from(n / 3 % 4) + 1 }
    }

    fn agent(n: u8) -> AgentId {
        AgentId(Uuid::from_u128(u128::from(n % 3)))
    }

    fn status(n: u8) -> RunStatus {
        [RunStatus::Queued, RunStatus::Running, RunStatus::Failed, RunStatus::Succeeded][usize::from(n % 4)]
    }

    fn run(n: u8) -> RunId {
        RunId(Uuid::from_u128(u128::from(n)))
    }

    proptest! {
        /// Whatever came in which order: pages, counts and projects are those of a plain list.
        #[test]
        fn lists_as_a_plain_list_does(
            steps in prop::collection::vec((0_u8..40, any::<u8>(), any::<u8>(), any::<u8>(), 0_u8..8), 0..80),
            asked in (prop::option::of(0_u8..4), prop::option::of(0_u8..4), prop::option::of(0_u8..4), prop::option::of(0_u8..12)),
            seen in 0_u8..8,
            there in any::<u8>(),
            (offset, limit) in (0_usize..6, 0_usize..6),
        ) {
            let (mut list, mut plain) = (RunList::default(), BTreeMap::new());
            for (id, of, by, is, what) in steps {
                if what == 1 {
                    // Items go and come back.
                    list.know(&project(of), &(0..8).filter(|n| by & (1 << n) != 0).collect());
                } else if what == 0 {
                    list.remove(run(id));
                    plain.remove(&run(id));
                } else {
                    list.put(run(id), &item(of), agent(by), status(is));
                    plain.insert(run(id), (item(of), agent(by), status(is)));
                }
            }
            // One of these no run has.
            let some_project = |n: u8| if n == 3 { "NONE".parse().unwrap() } else { project(n) };
            let some_agent = |n: u8| if n == 3 { AgentId(Uuid::from_u128(99)) } else { agent(n) };
            let filter = RunFilter {
                project: asked.0.map(some_project),
                status: asked.1.map(status),
                agent: asked.2.map(some_agent),
                item: asked.3.map(item),
            };
            let there: RoaringBitmap = (0..8).filter(|n| there & (1 << n) != 0).collect();
            let visible: BTreeSet<ProjectKey> = (0..3).filter(|n| seen & (1 << n) != 0).map(project).collect();

            let admitted: Vec<_> = plain.iter().rev().filter(|(_, (item, agent, status))| {
                filter.project.as_ref().is_none_or(|asked| *asked == item.project)
                    && filter.status.is_none_or(|asked| asked == *status)
                    && filter.agent.is_none_or(|asked| asked == *agent)
                    && filter.item.as_ref().is_none_or(|asked| asked == item)
            }).collect();
            let of: BTreeSet<ProjectKey> = admitted.iter().map(|(_, (item, ..))| item.project.clone()).collect();
            let named = list.projects(&filter);
            prop_assert_eq!(named, of);
            for project in (0..3).map(project) {
                list.know(&project, &there);
                prop_assert!(list.knows(&project, &there));
            }
            let expected: Vec<RunId> = admitted.iter().filter(|(_, (item, ..))| {
                visible.contains(&item.project) && there.contains(u32::try_from(item.number).unwrap())
            }).map(|(id, _)| **id).collect();
            let (ids, total) = list.page(&filter, |project| visible.contains(project), (offset, limit));
            prop_assert_eq!(total, expected.len());
            prop_assert_eq!(ids, expected.into_iter().skip(offset).take(limit).collect::<Vec<_>>());
            let open = plain.iter().filter(|(id, (.., status))| **id < run(20) && !status.is_terminal());
            let (changing, after) = list.changing(run(20), 3);
            prop_assert_eq!(&changing, &open.map(|(id, _)| *id).collect::<Vec<_>>());
            let cost = |after: RunId| {
                let together = plain.keys().filter(|id| **id > after).count();
                changing.iter().filter(|id| **id <= after).count() + together.div_ceil(3)
            };
            let least = changing.iter().map(|id| cost(*id)).chain([cost(run(20))]).min();
            prop_assert!(after <= run(20) && Some(cost(after)) == least, "{:?} costs {}", after, cost(after));
            prop_assert_eq!(list.len(), plain.len());
        }
    }

    #[test]
    fn a_run_takes_about_32_bytes() {
        assert_eq!(size_of::<RunId>() + size_of::<super::Place>(), 32);
        let mut list = RunList::default();
        for n in 0..10_000 {
            list.put(RunId(Uuid::from_u128(n)), &item(1), agent(1), RunStatus::Failed);
        }
        assert!(list.ids.capacity() < 11_000 && list.places.capacity() < 11_000);
    }

    #[test]
    fn runs_that_have_not_ended_are_read_together_where_that_is_cheaper() {
        let numbered = |n: u128| RunId(Uuid::from_u128(n));
        let mut list = RunList::default();
        for n in 0..10_000 {
            // One waits from long ago, and all that came of late.
            let is = if n == 7 || n >= 9_000 { RunStatus::Queued } else { RunStatus::Succeeded };
            list.put(numbered(n), &item(1), agent(1), is);
        }
        let (changing, after) = list.changing(numbered(20_000), 30);
        assert_eq!((changing.len(), after), (1_001, numbered(9_000)));
    }
}
