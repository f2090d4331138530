//! Finds words in keys, titles and labels, wherever in them they stand, whatever their case and accents.
//!
//! Every text is kept folded, as search folds words. For every three bytes that follow each
//! other in some text there is a bitmap of the slots of those texts: a word can only be where all of its
//! threes are, so few texts are looked at. A word of three bytes or fewer is exactly where a three begins
//! with it, since separators are part of the threes and two of them end a text.

use std::collections::{BTreeMap, HashMap};

use roaring::{MultiOps, RoaringBitmap};

use super::entry::FeedEntry;
use crate::ids::ProjectKey;
use crate::search::terms::fold_text;

/// Length in bytes of the pieces that are indexed.
const GRAM: usize = 3;

/// Separates the parts of a text. White space, so that no word holds it.
const SEPARATOR: char = '\n';

/// Folds case alone, as names of labels and states compare.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The folded words of a search.
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn of(q: &str) -> Self {
        Self(q.split_whitespace().map(fold_text).filter(|word| !word.is_empty()).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every word occurs in a folded text.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.0.iter().all(|word| text.contains(word.as_str()))
    }
}

#[derive(Clone, Debug, Default)]
struct Text {
    /// Title, labels and key, with a separator between them and two at the end.
    folded: Box<str>,
    /// Bytes of the title, which comes first.
    title: usize,
}

impl Text {
    fn of(entry: &FeedEntry, project: &ProjectKey) -> Self {
        let mut folded = fold_text(&entry.title);
        let title = folded.len();
        for label in &entry.labels {
            folded.push(SEPARATOR);
            folded.push_str(&fold_text(label));
        }
        folded.push(SEPARATOR);
        folded.push_str(&entry.key(project).to_string().to_ascii_lowercase());
        folded.extend([SEPARATOR, SEPARATOR]);
        Self { folded: folded.into(), title }
    }

    /// The threes that occur in it, each once.
    fn grams(&self) -> Vec<[u8; GRAM]> {
        let mut grams: Vec<_> = grams(&self.folded).collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    }
}

fn grams(text: &str) -> impl Iterator<Item = [u8; GRAM]> {
    text.as_bytes().windows(GRAM).filter_map(|window| window.try_into().ok())
}

/// The texts of a project.
#[derive(Debug, Default)]
pub(super) struct TextIndex {
    /// By slot; a slot that is not in use has an empty one.
    texts: Vec<Text>,
    /// Never holds an empty set.
    grams: BTreeMap<[u8; GRAM], RoaringBitmap>,
}

impl TextIndex {
    /// The texts of these entries, whose slots count from 0.
    pub(super) fn of<'a>(slots: impl Iterator<Item = (u32, &'a FeedEntry)>, project: &ProjectKey) -> Self {
        let mut texts = Vec::new();
        let mut found: HashMap<[u8; GRAM], Vec<u32>> = HashMap::new();
        for (slot, entry) in slots {
            let text = Text::of(entry, project);
            for gram in grams(&text.folded) {
                let set = found.entry(gram).or_default();
                // Slots rise, so that one that is there already is the last.
                if set.last() != Some(&slot) {
                    set.push(slot);
                }
            }
            texts.push(text);
        }
        let set = |slots: Vec<u32>| slots.into_iter().collect();
        Self { texts, grams: found.into_iter().map(|(gram, slots)| (gram, set(slots))).collect() }
    }

    /// The folded title of a slot.
    pub(super) fn title(&self, slot: u32) -> &str {
        self.texts.get(slot as usize).map_or("", |text| &text.folded[..text.title])
    }

    /// The folded title, labels and key of a slot.
    pub(super) fn text(&self, slot: u32) -> &str {
        self.texts.get(slot as usize).map_or("", |text| &text.folded)
    }

    /// Puts the entry's text in place of what the slot had.
    pub(super) fn change(&mut self, slot: u32, entry: Option<&FeedEntry>, project: &ProjectKey) {
        let new = entry.map(|entry| Text::of(entry, project)).unwrap_or_default();
        let at = slot as usize;
        if self.texts.len() <= at {
            self.texts.resize(at + 1, Text::default());
        }
        let old = std::mem::replace(&mut self.texts[at], new);
        let new = &self.texts[at];
        if old.folded == new.folded {
            return;
        }
        let (gone, come) = (old.grams(), new.grams());
        for gram in gone.iter().filter(|gram| come.binary_search(gram).is_err()) {
            if let Some(set) = self.grams.get_mut(gram) {
                set.remove(slot);
                if set.is_empty() {
                    self.grams.remove(gram);
                }
            }
        }
        for gram in come.into_iter().filter(|gram| gone.binary_search(gram).is_err()) {
            self.grams.entry(gram).or_default().insert(slot);
        }
    }

    /// Slots of `within` that may hold every word: none that is left out does.
    pub(super) fn candidates(&self, words: &Words, within: RoaringBitmap) -> RoaringBitmap {
        let mut candidates = within;
        let mut sets = Vec::new();
        for word in &words.0 {
            if word.len() < GRAM {
                candidates &= self.beginning(word);
            }
            for gram in grams(word) {
                match self.grams.get(&gram) {
                    Some(set) => sets.push(set),
                    None => return RoaringBitmap::new(),
                }
            }
        }
        sets.sort_by_cached_key(|set| set.len());
        sets.into_iter().fold(candidates, |candidates, set| candidates & set)
    }

    /// Slots of the texts in which a three begins so.
    fn beginning(&self, word: &str) -> RoaringBitmap {
        let mut low = [0; GRAM];
        low[..word.len()].copy_from_slice(word.as_bytes());
        let from = self.grams.range(low..);
        from.take_while(|(gram, _)| gram.starts_with(word.as_bytes())).map(|(_, set)| set).union()
    }

    /// Slots of `within` that hold every word in the key, the title or a label.
    pub(super) fn search(&self, words: &Words, within: RoaringBitmap) -> RoaringBitmap {
        let candidates = self.candidates(words, within);
        if words.0.iter().all(|word| word.len() <= GRAM) {
            return candidates;
        }
        candidates.into_iter().filter(|slot| words.occur_in(self.text(*slot))).collect()
    }
}
