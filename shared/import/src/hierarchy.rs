//! What belongs to what among the items that were found, and by which names they name each other.

use std::collections::{BTreeSet, HashSet};

use super::gathered::Gathered;

impl Gathered {
    /// An item belongs to another, as is told elsewhere than in the item.
    pub fn set_parent(&mut self, id: &str, parent: &str) {
        let number = self.numbers.get(self.id_of(id)).copied();
        if let Some(known) = number.and_then(|number| self.parents.get_mut(number)) {
            *known = Some(parent.to_owned());
        }
    }

    /// The parent of the item with this number.
    pub fn parent(&self, number: usize) -> Option<&str> {
        self.parents.get(number)?.as_deref().map(|parent| self.id_of(parent))
    }

    /// The id that an item has in the records, whatever others call it.
    pub fn id_of<'a>(&'a self, named: &'a str) -> &'a str {
        if self.numbers.contains_key(named) {
            return named;
        }
        self.aliases.get(named).map_or(named, String::as_str)
    }

    /// Whether the files have an item that is named so.
    pub fn has_item(&self, named: &str) -> bool {
        self.numbers.contains_key(self.id_of(named))
    }

    /// The numbers of the items, each after its parent, and the items whose parent would close a circle.
    pub fn order(&self) -> (Vec<usize>, BTreeSet<usize>) {
        let parent = |number: usize| self.numbers.get(self.parent(number)?).copied();
        let (mut depths, mut open) = (vec![None; self.parents.len()], vec![false; self.parents.len()]);
        let mut circles = BTreeSet::new();
        for start in 0..self.parents.len() {
            let (mut path, mut at, mut depth) = (Vec::new(), Some(start), 0_usize);
            while let Some(number) = at {
                if let Some(known) = depths[number] {
                    depth = known + 1;
                    break;
                }
                if open[number] {
                    circles.extend(path.last().copied());
                    break;
                }
                open[number] = true;
                path.push(number);
                at = parent(number);
            }
            for number in path.into_iter().rev() {
                depths[number] = Some(depth);
                depth += 1;
            }
        }
        let mut order: Vec<usize> = (0..self.parents.len()).collect();
        order.sort_by_key(|number| depths[*number]);
        (order, circles)
    }

    /// The items that others belong to.
    pub fn holders(&self) -> HashSet<String> {
        self.parents.iter().flatten().map(|parent| self.id_of(parent).to_owned()).collect()
    }
}
