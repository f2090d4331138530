//! Segments of an index: which of some texts have which terms.
//!
//! A segment is made of texts that changed together, or of other segments, and never changes: a text that changes
//! is in a later segment, too, and only the last one that lists it counts. A text that is gone is listed without
//! terms. Of a text, all terms are in the same segment, so that what two words have in common is found in one.
//!
//! A segment is kept as [rows](Segment::rows): its texts in lists of [`LIST`], and its terms in order, in blocks of
//! some kilobytes. Texts have places, those written last first, and postings are places.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::document::{Document, Target};

/// Texts of one list.
pub const LIST: usize = 64;

/// Bytes of a block of postings; the last of its terms may exceed it by as much.
const BLOCK: usize = 4 * 1024;

/// Name of the first block of a segment, before every term.
pub const FIRST: &str = "!";

/// Segments that are so many are merged.
const MANY: usize = 4;

/// Segments of more texts than this together are not merged: merging holds all of them in memory.
const MOST_TEXTS: u32 = 50_000;

/// A text of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// What it is of.
    #[serde(rename = "t")]
    pub target: Target,
    /// When it was written, in milliseconds of the Unix epoch; `None` for a text that is gone.
    #[serde(rename = "c")]
    pub created: Option<i64>,
    /// How many terms it has.
    #[serde(rename = "n")]
    pub terms: usize,
}

impl Text {
    fn order(&self) -> (Reverse<Option<i64>>, Target) {
        (Reverse(self.created), self.target)
    }
}

/// Which texts have a term: in the title, or elsewhere. In a row, each place is told by its distance from the one
/// before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Postings(pub String, pub Part, pub Vec<u32>);

/// Where in a text a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Part {
    /// In the title.
    #[serde(rename = "t")]
    Title,
    /// Elsewhere.
    #[serde(rename = "b")]
    Body,
}

/// A row of postings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Name of the block behind it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// In order of terms, parts and places.
    pub postings: Vec<Postings>,
}

/// Texts and their terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    texts: Vec<Text>,
    postings: BTreeMap<(String, Part), Vec<u32>>,
}

impl Segment {
    /// A segment of these texts, each once; `None` for one that is gone.
    pub fn of<'a>(texts: impl IntoIterator<Item = (Target, Option<&'a Document>)>) -> Self {
        let mut texts: Vec<(Text, Option<&Document>)> = texts
            .into_iter()
            .map(|(target, document)| {
                let created = document.map(|document| document.created_at.as_millisecond());
                (Text { target, created, terms: document.map_or(0, |d| d.terms().count()) }, document)
            })
            .collect();
        texts.sort_by_key(|(text, _)| text.order());
        let mut postings = BTreeMap::<_, Vec<u32>>::new();
        for (place, (_, document)) in (0..).zip(&texts) {
            for (term, in_title) in document.iter().flat_map(|document| document.terms()) {
                let part = if in_title { Part::Title } else { Part::Body };
                postings.entry((term.to_owned(), part)).or_default().push(place);
            }
        }
        Self { texts: texts.into_iter().map(|(text, _)| text).collect(), postings }
    }

    /// Its texts.
    pub fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// One segment of several, the earliest first. Texts that are gone are forgotten where nothing is `earlier`.
    pub fn merged(segments: Vec<Self>, earlier: bool) -> Self {
        let mut last = HashMap::new();
        for (number, segment) in segments.iter().enumerate() {
            last.extend(segment.texts.iter().map(|text| (text.target, number)));
        }
        let mut kept = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            for (place, text) in segment.texts.iter().enumerate() {
                if last[&text.target] == number && (earlier || text.created.is_some()) {
                    kept.push((text.clone(), number, place));
                }
            }
        }
        kept.sort_by_key(|(text, ..)| text.order());
        let mut places: Vec<Vec<Option<u32>>> =
            segments.iter().map(|segment| vec![None; segment.texts.len()]).collect();
        for (new, (_, number, place)) in (0..).zip(&kept) {
            places[*number][*place] = Some(new);
        }
        let mut postings = BTreeMap::<_, Vec<u32>>::new();
        for (segment, places) in segments.into_iter().zip(places) {
            for (term, old) in segment.postings {
                let new: Vec<u32> = old.into_iter().filter_map(|place| places[place as usize]).collect();
                if !new.is_empty() {
                    postings.entry(term).or_default().extend(new);
                }
            }
        }
        postings.values_mut().for_each(|places| places.sort_unstable());
        Self { texts: kept.into_iter().map(|(text, ..)| text).collect(), postings }
    }

    /// What is kept of it: lists of its texts, and blocks of its postings by name. The first block is always there.
    pub fn rows(&self) -> (impl Iterator<Item = &[Text]>, Vec<(String, Block)>) {
        let mut blocks = vec![(FIRST.to_owned(), Block::default())];
        let mut room = BLOCK;
        for ((term, part), places) in &self.postings {
            let mut before = 0;
            let mut rest = places.as_slice();
            while let Some(first) = rest.first() {
                let name = name(term, *part, *first);
                let least = term.len() + 16;
                if room < least {
                    if let Some((_, before)) = blocks.last_mut() {
                        before.next = Some(name.clone());
                    }
                    blocks.push((name, Block::default()));
                    room = BLOCK;
                }
                room = room.saturating_sub(least);
                let mut steps = Vec::new();
                for place in rest {
                    let step = if steps.is_empty() { *place } else { place - before };
                    let length = step.checked_ilog10().unwrap_or(0) as usize + 2;
                    if length > room && !steps.is_empty() {
                        break;
                    }
                    room = room.saturating_sub(length);
                    before = *place;
                    steps.push(step);
                }
                rest = &rest[steps.len()..];
                if let Some((_, block)) = blocks.last_mut() {
                    block.postings.push(Postings(term.clone(), *part, steps));
                }
                if !rest.is_empty() {
                    room = 0;
                }
            }
        }
        (self.texts.chunks(LIST), blocks)
    }

    /// The segment that is kept so.
    pub fn read(texts: Vec<Text>, blocks: impl IntoIterator<Item = Block>) -> Self {
        let mut postings = BTreeMap::<_, Vec<u32>>::new();
        for kept in blocks.into_iter().flat_map(|block| block.postings) {
            let mut places = kept.places();
            places.retain(|place| (*place as usize) < texts.len());
            postings.entry((kept.0, kept.1)).or_default().extend(places);
        }
        Self { texts, postings }
    }

    /// A text that has not as many terms here as it should have: a row was lost.
    pub fn lacking(&self) -> Option<&Text> {
        let mut counts = vec![0; self.texts.len()];
        for place in self.postings.values().flatten() {
            counts[*place as usize] += 1;
        }
        self.texts.iter().zip(counts).find(|(text, count)| text.terms != *count).map(|(text, _)| text)
    }
}

impl Postings {
    /// What a block is named by whose first postings these are.
    pub fn name(&self) -> String {
        name(&self.0, self.1, self.2.first().copied().unwrap_or(0))
    }

    /// The places that it tells, in order.
    pub fn places(&self) -> Vec<u32> {
        let sum = |before: &mut u32, step: &u32| {
            *before = before.saturating_add(*step);
            Some(*before)
        };
        self.2.iter().scan(0, sum).collect()
    }
}

/// What the postings of a term and those behind it are named by. A space ends a term.
fn name(term: &str, part: Part, first: u32) -> String {
    let part = if part == Part::Title { 't' } else { 'u' };
    format!("{term} {part}{first:08x}")
}

/// A segment as the list of an index's segments has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// How many texts it has.
    pub texts: u32,
}

/// The segments of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Segments {
    /// The earliest first.
    pub list: Vec<Listed>,
    /// How many of their texts say nothing any more: a later segment lists them again, or they are gone.
    pub stale: u32,
}

impl Segments {
    /// Where in the list those begin that are to be merged with all behind them: many that are small beside what is
    /// behind them, or all when a third of the texts is stale. So there are few segments, and a text is rarely
    /// written again.
    pub fn due(&self) -> Option<usize> {
        let all: u32 = self.list.iter().map(|listed| listed.texts).sum();
        if self.stale > 0 && self.stale >= all / 3 && all <= MOST_TEXTS {
            return Some(0);
        }
        let (mut first, mut behind) = (self.list.len(), 0);
        while let Some(listed) = first.checked_sub(1).map(|at| &self.list[at]) {
            if (behind > 0 && listed.texts > 2 * behind) || behind + listed.texts > MOST_TEXTS {
                break;
            }
            behind += listed.texts;
            first -= 1;
        }
        (self.list.len() - first >= MANY).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::{Block, Document, LIST, Listed, Part, Segment, Segments, Target};
    use crate::search::Source;

    /// A text of these words, written at a second that tells its number, or nothing.
    fn document(number: u64, words: Option<&str>) -> (Target, Option<Document>) {
        let source = Source::Item(format!("PRJ-{number}").parse().unwrap());
        let created = Timestamp::from_second(number.try_into().unwrap()).unwrap();
        let target = source.id().target;
        (target, words.map(|words| Document::new(source, "Title", words, created, false)))
    }

    fn segment<'a>(texts: impl IntoIterator<Item = (u64, Option<&'a str>)>) -> Segment {
        let texts: Vec<_> = texts.into_iter().map(|(number, words)| document(number, words)).collect();
        Segment::of(texts.iter().map(|(target, document)| (*target, document.as_ref())))
    }

    /// Numbers of the texts that have a term, in their order.
    fn having(segment: &Segment, term: &str, part: Part) -> Vec<u64> {
        let places = segment.postings.get(&(term.to_owned(), part)).into_iter().flatten();
        let number = |place: &u32| match segment.texts[*place as usize].target {
            Target::Item(number) => number,
            Target::Comment(_) | Target::Page(_) => 0,
        };
        places.map(number).collect()
    }

    fn written(segment: &Segment) -> Segment {
        let (lists, blocks) = segment.rows();
        let texts = lists.flatten().cloned().collect();
        let (names, blocks): (Vec<String>, Vec<Block>) = blocks.into_iter().unzip();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
        let next: Vec<_> = blocks.iter().map(|block| block.next.clone()).collect();
        assert_eq!(next, names.iter().skip(1).cloned().map(Some).chain([None]).collect::<Vec<_>>());
        assert!(blocks.iter().zip(names).skip(1).all(|(block, name)| block.postings[0].name() == name));
        Segment::read(texts, blocks)
    }

    #[test]
    fn the_last_segment_that_lists_a_text_says_what_it_is() {
        let old = segment([(1, Some("heron")), (2, Some("heron pelican")), (3, Some("heron"))]);
        let new = segment([(2, Some("pelican stork")), (3, None)]);
        let all = Segment::merged(vec![old, new], false);
        assert_eq!(having(&all, "heron", Part::Body), [1]);
        assert_eq!(having(&all, "pelican", Part::Body), [2]);
        assert_eq!(having(&all, "title", Part::Title), [2, 1], "what was written last comes first");
        assert_eq!(all.texts().len(), 2, "what is gone is forgotten");
        assert_eq!(Segment::merged(vec![segment([(3, None)])], true).texts().len(), 1);
        assert_eq!(Segment::merged(vec![all, segment([(1, None), (2, None)])], false), Segment::default());
    }

    #[test]
    fn a_segment_is_read_as_it_was_written() {
        let words: String = (0..900).map(|n| format!("word{n} ")).collect();
        let texts =
            (1..=(12 * LIST as u64)).map(|n| (n, Some(if n % 50 == 0 { &words } else { "heron stork" })));
        let long = segment(texts);
        assert!(long.rows().1.len() > 5 && long.rows().0.count() == 12);
        for segment in [Segment::default(), segment([(7, None)]), long] {
            assert_eq!(written(&segment), segment);
            assert_eq!(segment.lacking(), None);
        }
    }

    #[test]
    fn a_segment_without_one_of_its_rows_is_known_to_lack_it() {
        let words: String = (0..900).map(|n| format!("word{n} ")).collect();
        let whole = segment([(1, Some(words.as_str()))]);
        let (lists, blocks) = whole.rows();
        let texts = lists.flatten().cloned().collect();
        let part = Segment::read(texts, blocks.into_iter().skip(1).map(|(_, block)| block));
        assert_eq!(part.lacking().map(|text| text.target), Some(Target::Item(1)));
    }

    #[test]
    fn segments_stay_few_and_texts_are_rarely_written_again() {
        for batch in [1, 3, 24] {
            let (mut segments, mut written, mut most) = (Segments::default(), 0_u32, 0);
            for _ in 0..5_000 {
                segments.list.push(Listed { id: String::new(), texts: batch });
                if let Some(first) = segments.due() {
                    let texts = segments.list.drain(first..).map(|listed| listed.texts).sum();
                    written += texts;
                    segments.list.push(Listed { id: String::new(), texts });
                }
                most = most.max(segments.list.len());
            }
            let times = written / (5_000 * batch);
            assert!(most <= 12 && times <= 8, "{most} segments, each text written {times} times");
        }
    }

    #[test]
    fn all_are_merged_when_many_texts_are_stale() {
        let listed = |texts| Listed { id: String::new(), texts };
        let segments = |stale| Segments { list: vec![listed(90), listed(9)], stale };
        assert_eq!((segments(32).due(), segments(33).due()), (None, Some(0)));
    }

    proptest! {
        #[test]
        fn merging_changes_nothing_that_is_found(
            parts in prop::collection::vec(
                prop::collection::btree_map(1_u64..20, prop::option::of("[a-d ]{0,12}"), 1..8), 1..6),
            at in 0_usize..6,
        ) {
            let words = |part: &BTreeMap<u64, Option<String>>| {
                segment(part.iter().map(|(number, words)| (*number, words.as_deref())))
            };
            let mut now = BTreeMap::new();
            for part in &parts {
                now.extend(part.clone());
            }
            now.retain(|_, words| words.is_some());
            let mut segments: Vec<Segment> = parts.iter().map(words).collect();
            let behind = segments.split_off(at.min(segments.len()));
            let merged = Segment::merged(behind, !segments.is_empty());
            segments.push(written(&merged));
            prop_assert_eq!(Segment::merged(segments, false), words(&now));
        }
    }
}
