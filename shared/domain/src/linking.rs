//! What links with other items do to an item: which of them it takes, and whether it is blocked.
//!
//! Knows the item and the one at the other end. Which items wait for each other by others in between is looked up
//! elsewhere.

use std::collections::BTreeMap;

use crate::ids::ItemKey;
use crate::item::{FieldChange, Item};
use crate::item_link::{ItemLink, LinkKind, MAX_ITEM_LINKS};
use crate::refusal::{FieldErrors, Refusal};

impl Item {
    /// Whether something else must happen first: a person says so, or an item that blocks it is open.
    pub const fn is_blocked(&self) -> bool {
        self.blocked || self.has_open_blocker
    }

    /// The items that it is this to.
    pub fn linked(&self, kind: LinkKind) -> impl Iterator<Item = &ItemKey> {
        self.item_links.iter().filter(move |link| link.kind == kind).map(|link| &link.item)
    }

    /// Whether it is this to the other item.
    pub fn is_linked(&self, kind: LinkKind, other: &ItemKey) -> bool {
        self.linked(kind).any(|item| item == other)
    }

    /// Whether this link can be added to those that it has. Circles are looked for elsewhere: that takes more items.
    ///
    /// # Errors
    /// [`Refusal::Invalid`].
    pub fn admit_link(&self, kind: LinkKind, other: &Self) -> Result<(), Refusal> {
        let mut errors = FieldErrors::default();
        if self.key == other.key {
            errors.add("item", "An item cannot be linked with itself.");
        }
        for full in [self, other].into_iter().filter(|item| item.item_links.len() >= MAX_ITEM_LINKS) {
            errors.add(
                "item",
                format!(
                    "An item can have at most {MAX_ITEM_LINKS} links to other items, and {} has reached that \
                limit.",
                    full.key
                ),
            );
        }
        let duplicate = matches!(kind, LinkKind::Duplicates | LinkKind::DuplicatedBy);
        if duplicate && self.is_linked(kind.inverse(), &other.key) {
            errors.add(
                "item",
                "The items are already linked as duplicates the other way round. Remove that link \
                first.",
            );
        }
        Ok(errors.into_result()?)
    }

    /// Adds a link.
    pub fn add_link(&mut self, kind: LinkKind, other: &ItemKey) {
        self.item_links.push(ItemLink { kind, item: other.clone() });
        self.item_links.sort();
        self.item_links.dedup();
    }

    /// Names the items that it is linked with by the keys that they have now, where those are other ones.
    pub fn rename_links(&mut self, now: &BTreeMap<ItemKey, ItemKey>) {
        for link in &mut self.item_links {
            if let Some(key) = now.get(&link.item) {
                link.item = key.clone();
            }
        }
        self.item_links.sort();
        self.item_links.dedup();
    }

    /// Takes a link away.
    pub fn remove_link(&mut self, kind: LinkKind, other: &ItemKey) {
        self.item_links.retain(|link| (link.kind, &link.item) != (kind, other));
    }

    /// Notes whether an item that blocks it is open; answers what people see change.
    pub fn note_blockers(&mut self, open: bool) -> Option<FieldChange> {
        let before = self.is_blocked();
        self.has_open_blocker = open;
        (before != self.is_blocked()).then(|| {
            let word = |blocked: bool| Some(blocked.to_string());
            FieldChange { field: "blocked", from: word(before), to: word(!before) }
        })
    }
}

/// Why two items cannot be linked so that one waits for the other.
pub fn circle(blocker: &ItemKey, blocked: &ItemKey) -> Refusal {
    Refusal::invalid(
        "item",
        format!(
            "{blocker} already waits for {blocked}, directly or through other items: they would block each other."
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::ids::{Actor, ActorId, ItemKey, UserId};
    use crate::item::{Item, ItemEdit, ItemType};
    use crate::item_link::{LinkKind, MAX_ITEM_LINKS};
    use uuid::Uuid;

    fn item(key: &str) -> Item {
        let ada = Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() };
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        Item::new(key.parse().unwrap(), ItemType::Task, "It".into(), "Backlog".into(), ada, now)
    }

    #[test]
    fn a_link_is_there_once_and_goes() {
        let (mut a, b): (Item, ItemKey) = (item("PRJ-1"), "WEB-2".parse().unwrap());
        a.add_link(LinkKind::Blocks, &b);
        a.add_link(LinkKind::Blocks, &b);
        a.add_link(LinkKind::Relates, &b);
        assert_eq!(a.item_links.len(), 2);
        a.remove_link(LinkKind::Blocks, &b);
        assert!(!a.is_linked(LinkKind::Blocks, &b) && a.is_linked(LinkKind::Relates, &b));
    }

    #[test]
    fn bad_links_are_refused_with_the_reason() {
        let (mut a, mut b) = (item("PRJ-1"), item("WEB-2"));
        assert!(a.admit_link(LinkKind::Relates, &a).is_err(), "itself");
        b.add_link(LinkKind::Duplicates, &a.key);
        a.add_link(LinkKind::DuplicatedBy, &b.key);
        assert!(a.admit_link(LinkKind::Duplicates, &b).is_err(), "both ways");
        assert!(a.admit_link(LinkKind::Blocks, &b).is_ok());
        for number in 0..MAX_ITEM_LINKS {
            b.add_link(LinkKind::Relates, &format!("PRJ-{}", number + 10).parse().unwrap());
        }
        assert!(a.admit_link(LinkKind::Blocks, &b).is_err(), "full on the other side");
    }

    #[test]
    fn a_persons_word_and_an_open_blocker_come_and_go_by_themselves() {
        let mut item = item("PRJ-1");
        let set = |item: &mut Item, blocked| {
            let by = item.created_by.clone();
            item.edit(ItemEdit { blocked: Some(blocked), ..ItemEdit::default() }, &by).unwrap().len()
        };
        assert_eq!(item.note_blockers(true).unwrap().to.as_deref(), Some("true"));
        assert_eq!(set(&mut item, true), 0, "sending back what was read sets nothing");
        assert!(item.note_blockers(false).is_some() && !item.is_blocked());
        assert_eq!(set(&mut item, true), 1);
        assert!(item.note_blockers(true).is_none(), "it is blocked already");
        assert_eq!(set(&mut item, false), 1, "the person's word is taken back");
        assert!(item.is_blocked(), "the blocker is open");
        assert!(item.note_blockers(false).is_some() && !item.is_blocked());
    }
}
