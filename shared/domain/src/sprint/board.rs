//! A sprint as a taskboard: a column for each workflow state, a card for each item, its subtasks on the card.

use std::collections::BTreeMap;

use super::work::{Planned, Work};
use crate::feed::FeedEntry;
use crate::item::ItemType;
use crate::workflow::{State, StateGroup, Workflow};

/// A column of a taskboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// The workflow state.
    pub state: State,
    /// The items in it, in the order given by hand.
    pub cards: Vec<Card<'a>>,
    /// The work on these cards.
    pub work: Work,
}

/// An item on a taskboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Card<'a> {
    /// The item.
    pub item: &'a FeedEntry,
    /// Its subtasks in the sprint, each in a state of its own.
    pub subtasks: Vec<&'a FeedEntry>,
}

/// The columns of a board with these items, which are in the order given by hand. A subtask whose item is not
/// among them has a card of its own; a state that the workflow has no longer has a column at the end.
pub fn columns<'a>(items: &[&'a FeedEntry], workflow: &Workflow) -> Vec<Column<'a>> {
    let there: BTreeMap<u64, &FeedEntry> = items.iter().map(|item| (item.number, *item)).collect();
    let mut subtasks: BTreeMap<u64, Vec<&'a FeedEntry>> = BTreeMap::new();
    let mut tops = Vec::with_capacity(items.len());
    for item in items.iter().copied() {
        match card_of(item, &there) {
            number if number == item.number => tops.push(item),
            number => subtasks.entry(number).or_default().push(item),
        }
    }
    let mut states = workflow.states.clone();
    let mut columns: Vec<Vec<Card<'a>>> = states.iter().map(|_| Vec::new()).collect();
    for item in tops {
        let name = item.state.to_lowercase();
        let at = states.iter().position(|state| state.name.to_lowercase() == name).unwrap_or_else(|| {
            states.push(State::new(item.state.clone(), StateGroup::Backlog));
            columns.push(Vec::new());
            states.len() - 1
        });
        let card = Card { item, subtasks: subtasks.remove(&item.number).unwrap_or_default() };
        columns[at].push(card);
    }
    states
        .into_iter()
        .zip(columns)
        .map(|(state, cards)| Column { work: work(&cards, workflow), state, cards })
        .collect()
}

/// Number of the item on whose card an item is: its own, or that of the topmost item above it that is there.
fn card_of(item: &FeedEntry, there: &BTreeMap<u64, &FeedEntry>) -> u64 {
    let mut top = item;
    // Nothing is below itself, but two rows of the feed may be of different moments.
    for _ in 0..there.len() {
        let parent = top.parent.as_ref().filter(|_| top.item_type == ItemType::Subtask);
        match parent.and_then(|parent| there.get(&parent.number)) {
            Some(above) => top = above,
            None => return top.number,
        }
    }
    item.number
}

fn work(cards: &[Card<'_>], workflow: &Workflow) -> Work {
    let all = cards.iter().flat_map(|card| card.subtasks.iter().chain([&card.item]));
    let planned: Vec<Planned> = all.map(|entry| Planned::listed(entry)).collect();
    Work::of(&planned, workflow)
}

#[cfg(test)]
mod tests {
    use super::columns;
    use crate::feed::FeedEntry;
    use crate::ids::{Actor, ActorId, UserId};
    use crate::item::{Item, ItemType};
    use crate::workflow::Workflow;
    use uuid::Uuid;

    fn item(number: u64, state: &str, subtask_of: Option<u64>) -> FeedEntry {
        let ada = Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() };
        let kind = if subtask_of.is_some() { ItemType::Subtask } else { ItemType::Story };
        let key = |number: u64| format!("PRJ-{number}").parse().unwrap();
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        let mut item = Item::new(key(number), kind, "Title".into(), state.into(), ada, now);
        item.parent = subtask_of.map(key);
        item.estimate = Some(number as f64);
        FeedEntry::of(&item, 1)
    }

    #[test]
    fn cards_stand_in_the_columns_of_their_states_with_their_subtasks() {
        let items = [
            item(1, "In progress", None),
            item(2, "closed", Some(1)),
            item(3, "Backlog", Some(1)),
            item(4, "Backlog", Some(99)),
            item(5, "Backlog", None),
            item(6, "Gone", None),
            item(7, "Backlog", Some(3)),
        ];
        let items: Vec<&FeedEntry> = items.iter().collect();
        let mut board = String::new();
        for column in columns(&items, &Workflow::default()) {
            let (w, name) = (column.work, column.state.name);
            board += &format!("{name} ({} items, {} of {} left)\n", w.items, w.remaining, w.estimate);
            for card in column.cards {
                let subtasks: Vec<String> =
                    card.subtasks.iter().map(|s| format!("{} {}", s.number, s.state)).collect();
                board += &format!("  {} [{}]\n", card.item.number, subtasks.join(", "));
            }
        }
        insta::assert_snapshot!(board);
    }
}
