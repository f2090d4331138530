//! Finds words in keys, titles and labels, wherever in them they stand, whatever their case and accents.
//!
//! Every text is kept folded, as search folds words. For every three bytes that follow each
//! other in some text there is a bitmap of the slots of those texts: a word can only be where all of its
//! threes are, so few texts are looked at. A word of three bytes or fewer is exactly where a three begins
//! with it, since separators are part of the threes and two of them end a text.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

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

/// Slots whose threes are collected before they are put into the sets: those of one part of a bitmap.
const AT_ONCE: u32 = 65_536;

/// The slots of one three, while texts are taken in.
#[derive(Default)]
struct Found {
    settled: RoaringBitmap,
    last: Vec<u32>,
}

impl Found {
    /// Puts the last slots into the set.
    fn settle(&mut self) {
        // They rise, and so all are taken.
        let _ = self.settled.append(self.last.drain(..));
    }
}

/// Spreads the few threes that there are over a table, much quicker than what withstands chosen keys: of bytes that
/// are three alone, nobody can choose many that meet.
#[derive(Default)]
struct GramHasher(u64);

impl Hasher for GramHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
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
        let mut found: HashMap<[u8; GRAM], Found, BuildHasherDefault<GramHasher>> = HashMap::default();
        for (slot, entry) in slots {
            if slot % AT_ONCE == 0 {
                found.values_mut().for_each(Found::settle);
            }
            let text = Text::of(entry, project);
            for gram in grams(&text.folded) {
                let Found { last, .. } = found.entry(gram).or_default();
                // Slots rise, so that one that is there already is the last.
                if last.last() != Some(&slot) {
                    last.push(slot);
                }
            }
            texts.push(text);
        }
        found.values_mut().for_each(Found::settle);
        Self { texts, grams: found.into_iter().map(|(gram, found)| (gram, found.settled)).collect() }
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

    /// Slots that may hold every word, as sets that each hold them all, the smallest first; `None` where no text holds
    /// every word. Words shorter than a three have no set.
    pub(super) fn sets(&self, words: &Words) -> Option<Vec<&RoaringBitmap>> {
        let grams = words.0.iter().flat_map(|word| grams(word));
        let mut sets = grams.map(|gram| self.grams.get(&gram)).collect::<Option<Vec<_>>>()?;
        sets.sort_by_cached_key(|set| set.len());
        Some(sets)
    }

    /// At least as many as hold every word.
    pub(super) fn at_most(&self, words: &Words) -> u64 {
        let long =
            |word: &str| grams(word).map(|gram| self.grams.get(&gram).map_or(0, RoaringBitmap::len)).min();
        let short = |word: &str| self.beginnings(word).map(RoaringBitmap::len).sum();
        words.0.iter().map(|word| long(word).unwrap_or_else(|| short(word))).min().unwrap_or_default()
    }

    /// Slots that may hold every word: none that is left out does.
    pub(super) fn candidates(&self, words: &Words) -> RoaringBitmap {
        let short = words.0.iter().filter(|word| word.len() < GRAM).map(|word| self.beginning(word));
        let mut sets = self.sets(words).unwrap_or_default().into_iter();
        // A word has a set, or is short.
        let first = sets.next().cloned();
        let candidates = short.chain(first).reduce(|one, other| one & other).unwrap_or_default();
        sets.fold(candidates, |candidates, set| candidates & set)
    }

    /// Slots of the texts in which a three begins so.
    fn beginning(&self, word: &str) -> RoaringBitmap {
        self.beginnings(word).union()
    }

    fn beginnings<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a RoaringBitmap> {
        let mut low = [0; GRAM];
        low[..word.len()].copy_from_slice(word.as_bytes());
        let from = self.grams.range(low..);
        from.take_while(|(gram, _)| gram.starts_with(word.as_bytes())).map(|(_, set)| set)
    }

    /// Slots that hold every word in the title.
    pub(super) fn titled(&self, words: &Words) -> RoaringBitmap {
        if self.sets(words).is_none() {
            return RoaringBitmap::new();
        }
        self.candidates(words).into_iter().filter(|slot| words.occur_in(self.title(*slot))).collect()
    }

    /// Slots of `within` that hold every word in the key, the title or a label.
    pub(super) fn search(&self, words: &Words, within: RoaringBitmap) -> RoaringBitmap {
        let Some(sets) = self.sets(words) else { return RoaringBitmap::new() };
        let short = words.0.iter().filter(|word| word.len() < GRAM);
        let candidates = short.fold(within, |candidates, word| candidates & self.beginning(word));
        let candidates = sets.into_iter().fold(candidates, |candidates, set| candidates & set);
        if words.0.iter().all(|word| word.len() <= GRAM) {
            return candidates;
        }
        candidates.into_iter().filter(|slot| words.occur_in(self.text(*slot))).collect()
    }
}
