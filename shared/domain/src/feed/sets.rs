//! Sets of slots that are worked out when somebody asks: for all of their slots, or whether one slot is in them.
//!
//! The second asks a few bitmaps for a bit, however large the project is.

use std::borrow::Cow;

use roaring::{MultiOps, RoaringBitmap};

use super::text::{TextIndex, Words};

/// Slots of items.
pub(super) enum Slots<'a> {
    /// A set that is there already.
    Known(&'a RoaringBitmap),
    /// A set made for this question.
    Made(RoaringBitmap),
    /// The items with all of these words in the key, the title or a label.
    Texts(&'a TextIndex, Words),
    /// The items with all of these words in the title.
    Titles(&'a TextIndex, Words),
    /// Every slot in use but these.
    Without(Box<Slots<'a>>),
    /// What is in each of these; every slot in use where there are none.
    Every(Vec<Slots<'a>>),
    /// What is in any of these.
    Any(Vec<Slots<'a>>),
}

impl<'a> Slots<'a> {
    /// Every slot in use but these.
    pub(super) fn without(slots: Self) -> Self {
        Self::Without(Box::new(slots))
    }

    /// What is in any of the sets.
    pub(super) fn any(sets: impl IntoIterator<Item = Self>) -> Self {
        let mut sets: Vec<Self> = sets.into_iter().collect();
        match sets.pop() {
            Some(only) if sets.is_empty() => only,
            last => Self::Any(sets.into_iter().chain(last).collect()),
        }
    }

    /// Whether a slot in use is one of these.
    pub(super) fn contain(&self, slot: u32) -> bool {
        match self {
            Self::Known(set) => set.contains(slot),
            Self::Made(set) => set.contains(slot),
            Self::Texts(texts, words) => words.occur_in(texts.text(slot)),
            Self::Titles(texts, words) => words.occur_in(texts.title(slot)),
            Self::Without(slots) => !slots.contain(slot),
            Self::Every(sets) => sets.iter().all(|set| set.contain(slot)),
            Self::Any(sets) => sets.iter().any(|set| set.contain(slot)),
        }
    }

    /// All of them, where `all` are the slots in use; borrowed where they are there already.
    pub(super) fn of(self, all: &'a RoaringBitmap) -> Cow<'a, RoaringBitmap> {
        match self {
            Self::Known(set) => Cow::Borrowed(set),
            Self::Made(set) => Cow::Owned(set),
            Self::Texts(texts, words) => Cow::Owned(texts.search(&words, all.clone())),
            Self::Titles(texts, words) => Cow::Owned(texts.titled(&words)),
            Self::Without(slots) => Cow::Owned(all - &*slots.of(all)),
            Self::Every(sets) => intersection(sets, all),
            Self::Any(sets) => {
                let sets: Vec<_> = sets.into_iter().map(|set| set.of(all)).collect();
                Cow::Owned(sets.iter().map(AsRef::as_ref).union())
            }
        }
    }
}

/// What is in each of the sets: the smallest first, and last what is taken away.
fn intersection<'a>(sets: Vec<Slots<'a>>, all: &'a RoaringBitmap) -> Cow<'a, RoaringBitmap> {
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for set in sets {
        match set {
            Slots::Without(slots) => unwanted.push(slots.of(all)),
            set => wanted.push(set.of(all)),
        }
    }
    wanted.sort_by_cached_key(|set| set.len());
    let mut wanted = wanted.into_iter();
    let mut slots = wanted.next().unwrap_or(Cow::Borrowed(all));
    for set in wanted {
        *slots.to_mut() &= &*set;
    }
    for set in unwanted {
        *slots.to_mut() -= &*set;
    }
    slots
}
