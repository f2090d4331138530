//! Items in an order in which each parent comes before what belongs to it.

use std::collections::HashMap;

use super::Item;

/// The places of items in such an order, otherwise as they are; and the places of those whose parent is left out,
/// because the item would be above itself.
pub fn in_order(items: &[&Item]) -> (Vec<usize>, Vec<usize>) {
    let places: HashMap<&str, usize> =
        items.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
    let parent = |at: usize| items[at].parent.as_deref().and_then(|id| places.get(id).copied());
    let (mut order, mut circles) = (Vec::with_capacity(items.len()), Vec::new());
    let mut is_placed = vec![false; items.len()];
    for at in 0..items.len() {
        let mut way = Vec::new();
        let mut next = Some(at);
        while let Some(here) = next.filter(|here| !is_placed[*here]) {
            if way.contains(&here) {
                // Of a circle, the item at which it is noticed stands alone.
                circles.push(*way.last().unwrap_or(&here));
                break;
            }
            way.push(here);
            next = parent(here);
        }
        for here in way.into_iter().rev() {
            is_placed[here] = true;
            order.push(here);
        }
    }
    (order, circles)
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use crate::import::Item;

    fn item(id: &str, parent: Option<&str>) -> Item {
        Item {
            id: id.into(),
            key: None,
            url: None,
            title: id.into(),
            body: String::new(),
            state: "Backlog".into(),
            item_type: None,
            priority: None,
            labels: Vec::new(),
            assignee: None,
            author: None,
            estimate: None,
            due: None,
            milestone: None,
            sprint: None,
            parent: parent.map(str::to_owned),
            created_at: jiff::Timestamp::UNIX_EPOCH,
            updated_at: None,
            closed_at: None,
        }
    }

    #[test]
    fn parents_come_first_and_a_circle_is_cut_at_one_place() {
        let items = [
            item("leaf", Some("middle")),
            item("middle", Some("top")),
            item("elsewhere", Some("unknown")),
            item("top", None),
            item("a", Some("b")),
            item("b", Some("c")),
            item("c", Some("a")),
            item("self", Some("self")),
        ];
        let (order, circles) = in_order(&items.iter().collect::<Vec<_>>());
        let names =
            |places: &[usize]| places.iter().map(|at| items[*at].id.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(&order), "top middle leaf elsewhere c b a self");
        assert_eq!(names(&circles), "c self");
    }
}
