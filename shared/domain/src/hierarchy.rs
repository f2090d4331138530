//! Which item may belong to which (specification section 2.2: an item has a parent, a subtask belongs to an
//! item).
//!
//! | type               | belongs to                               |
//! |--------------------|------------------------------------------|
//! | epic               | nothing                                  |
//! | story, bug, task   | nothing, or any item that is no subtask  |
//! | subtask            | always to an item that is no subtask     |
//!
//! No item *becomes* a subtask. So what a commit must demand of the items above is only that they are as
//! they were read: nothing that may hold others ever turns into something that may not.

use crate::item::ItemType;
use crate::refusal::FieldErrors;

/// Checks the place of a new item: its type, and whether it has a parent.
pub fn check_new(item_type: ItemType, has_parent: bool, errors: &mut FieldErrors) {
    match (item_type, has_parent) {
        (ItemType::Epic, true) => errors.add("parent", "An epic cannot have a parent."),
        (ItemType::Subtask, false) => errors.add("parent", "A subtask needs a parent: give its key."),
        _ => {}
    }
}

/// Checks a change of type, or of whether there is a parent, from one pair to another. What was so before
/// the rules were is left alone.
pub fn check_change(from: (ItemType, bool), to: (ItemType, bool), errors: &mut FieldErrors) {
    if from == to {
        return;
    }
    if to.0 == ItemType::Subtask && from.0 != ItemType::Subtask {
        errors.add("type", "An item cannot become a subtask. Create a new subtask instead.");
        return;
    }
    check_new(to.0, to.1, errors);
}

/// Whether other items may belong to one of this type.
pub const fn may_hold(item_type: ItemType) -> bool {
    !matches!(item_type, ItemType::Subtask)
}

#[cfg(test)]
mod tests {
    use super::{check_change, may_hold};
    use crate::item::ItemType;
    use crate::refusal::FieldErrors;

    #[test]
    fn every_change_of_type_and_parent() {
        let mut table = String::new();
        for from in ItemType::ALL {
            for to in ItemType::ALL {
                for (had, has) in [(false, false), (false, true), (true, false), (true, true)] {
                    let mut errors = FieldErrors::default();
                    check_change((*from, had), (*to, has), &mut errors);
                    let answer = errors.0.keys().cloned().collect::<Vec<_>>().join(", ");
                    let answer = if answer.is_empty() { "yes".to_owned() } else { format!("no: {answer}") };
                    let parent = |is: bool| if is { "under" } else { "alone" };
                    table += &format!("{from:8} {} → {to:8} {}  {answer}\n", parent(had), parent(has));
                }
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn nothing_belongs_to_a_subtask() {
        let holders: Vec<_> = ItemType::ALL.iter().filter(|kind| may_hold(**kind)).collect();
        assert_eq!(holders, [&ItemType::Story, &ItemType::Bug, &ItemType::Task, &ItemType::Epic]);
    }
}
