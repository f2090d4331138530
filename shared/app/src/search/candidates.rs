//! Texts of a project that may answer a question, from its terms' postings, best first, at a bounded cost.
//!
//! How. Each segment of the index is asked by itself, as all terms of a text are in one. The postings of a term are in
//! order: titles first, then what was written last. Of the question's longest terms the first postings are read. The
//! shortest list that was read to its end holds every answer; where none was, and the first give few candidates, more
//! of each is read. The candidates are those of one list that no other rules out; a term whose postings were not read
//! at all rules out none, as the entries are asked about all of them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use futures::future::try_join_all;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::segment::{self, Block, LIST, Listed, Part, Postings, Segments, Text};
use svc_domain::search::{SearchQuery, TextId};
use svc_storage::{Key, Limits, Query, Range, Row, StorageError, keys};

use crate::App;
use crate::error::Result;

/// Terms whose postings are read.
const LOOKUPS: usize = 6;
/// Postings of a term that are read first.
const FIRST: usize = 256;
/// Candidates that the first postings of frequent terms must give, where nothing is counted.
pub(super) const ENOUGH: usize = 100;
/// Postings of a term that are read where they give fewer, of all segments together.
const DEEP: usize = 2_048;
/// How often a question is asked again because segments were merged meanwhile.
const TRIES: usize = 5;

/// A text that has a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Those of titles come first, and of them those written last.
    order: (Part, Reverse<i64>),
    pub(super) id: TextId,
}

/// What may answer a question.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Each once, best first.
    pub(super) found: Vec<Posting>,
    /// Whether nothing else answers it.
    pub(super) all: bool,
}

/// Texts of a project that may answer the question: `enough` of them, where there are as many. Those that `wanted` does
/// not want are not.
pub(super) async fn candidates(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    query: &SearchQuery,
    wanted: &(dyn Fn(&TextId) -> bool + Sync),
    enough: usize,
) -> Result<Candidates> {
    let none = || Candidates { found: Vec::new(), all: true };
    let mut terms = query.terms();
    terms.sort_by_key(|(term, prefix)| (*prefix, Reverse(term.len())));
    terms.truncate(LOOKUPS);
    if terms.is_empty() {
        return Ok(none());
    }
    for _ in 0..TRIES {
        let Some(row) = app.table.get(&keys::index(org, project)).await? else { return Ok(none()) };
        let segments: Segments = row.read()?;
        let all: usize = segments.list.iter().map(|listed| listed.texts as usize).sum();
        let found = segments.list.iter().map(|Listed { id, texts }| {
            let deep = FIRST.max(DEEP * *texts as usize / all.max(1));
            Reader { app, pk: keys::index_pk(org, project), project, id, deep }
                .candidates(&terms, wanted, enough)
        });
        // A segment that is gone by now was merged with others.
        let found = try_join_all(found).await?.into_iter().collect::<Option<Vec<_>>>();
        if let Some(found) = found {
            let all = found.iter().all(|part| part.all);
            let mut found: Vec<Posting> = found.into_iter().flat_map(|part| part.found).collect();
            found.sort();
            let mut seen = HashSet::new();
            found.retain(|posting| seen.insert(posting.id.clone()));
            return Ok(Candidates { found, all });
        }
    }
    Err(StorageError::Contention.into())
}

/// Reads a segment.
pub(super) struct Reader<'a> {
    pub(super) app: &'a App,
    pub(super) pk: String,
    pub(super) project: &'a ProjectKey,
    pub(super) id: &'a str,
    /// Postings of a term that are read at most.
    pub(super) deep: usize,
}

impl Reader<'_> {
    /// Those of its texts that may answer; `None` if the segment is gone.
    async fn candidates(
        self,
        terms: &[(&str, bool)],
        wanted: &(dyn Fn(&TextId) -> bool + Sync),
        enough: usize,
    ) -> Result<Option<Candidates>> {
        let first = FIRST.max(enough);
        let lists = try_join_all(terms.iter().map(|(term, prefix)| self.first(term, *prefix, first))).await?;
        let Some(mut lists) = lists.into_iter().collect::<Option<Vec<List>>>() else { return Ok(None) };
        let Some(found) = self.named(pick(&lists), wanted).await? else { return Ok(None) };
        let sorted = lists.iter().any(|list| !list.prefix);
        let all = is_complete(&lists);
        if all || (sorted && found.len() >= enough) {
            return Ok(Some(Candidates { found, all }));
        }
        let there = try_join_all(lists.iter_mut().map(|list| self.more(list, self.deep))).await?;
        if there.contains(&false) {
            return Ok(None);
        }
        let found = self.named(pick(&lists), wanted).await?;
        Ok(found.map(|found| Candidates { found, all: is_complete(&lists) }))
    }

    /// The first postings of a term; `None` if the segment is gone, as every segment has a first block.
    async fn first(&self, term: &str, prefix: bool, most: usize) -> Result<Option<List>> {
        // A space ends a term.
        let stem = if prefix { term.to_owned() } else { format!("{term} ") };
        let Some(block) = self.around(&stem).await? else { return Ok(None) };
        let mut list = List { term: term.to_owned(), stem, prefix, ..List::default() };
        list.add(&block);
        Ok(self.more(&mut list, most).await?.then_some(list))
    }

    /// The block in which a name is, or would be; `None` if the segment is gone.
    pub(super) async fn around(&self, name: &str) -> Result<Option<Arc<Block>>> {
        if let Some(block) = self.app.segments.around(self.id, name) {
            return Ok(Some(block));
        }
        let sk = |name: &str| keys::segment_words_sk(self.id, name);
        let around = Query::new(self.pk.clone(), Range::Between(sk(segment::FIRST), sk(name)), 1);
        let Some(row) = self.app.table.query(&around.descending()).await?.rows.pop() else { return Ok(None) };
        Ok(Some(self.kept(row.key.sk.trim_start_matches(&sk("")), &row)?))
    }

    fn kept(&self, name: &str, row: &Row) -> Result<Arc<Block>> {
        let block = Arc::new(row.read::<Block>()?);
        self.app.segments.keep_block(self.id, name, &block, row.doc.len());
        Ok(block)
    }

    /// Reads on until the list has so many places; `false` if the segment is gone.
    async fn more(&self, list: &mut List, most: usize) -> Result<bool> {
        while list.places.len() < most
            && let Some(name) = &list.next
        {
            let block = match self.app.segments.block(self.id, name) {
                Some(block) => block,
                None => {
                    let key = Key::new(self.pk.clone(), keys::segment_words_sk(self.id, name));
                    let Some(row) = self.app.table.get(&key).await? else { return Ok(false) };
                    self.kept(name, &row)?
                }
            };
            list.add(&block);
        }
        Ok(true)
    }

    async fn texts(&self, lists: &[usize]) -> Result<Option<HashMap<usize, Arc<Vec<Text>>>>> {
        let cached = |list: &usize| Some((*list, self.app.segments.texts(self.id, *list)?));
        let mut texts: HashMap<_, _> = lists.iter().filter_map(cached).collect();
        let unread: Vec<usize> = lists.iter().copied().filter(|list| !texts.contains_key(list)).collect();
        for lists in unread.chunks(Limits::KEYS) {
            let name = |list| Key::new(self.pk.clone(), keys::segment_texts_sk(self.id, list));
            let names: Vec<Key> = lists.iter().map(|list| name(*list)).collect();
            for (list, row) in lists.iter().zip(self.app.table.get_many(&names).await?) {
                let Some(row) = row else { return Ok(None) };
                let read = Arc::new(row.read::<Vec<Text>>()?);
                self.app.segments.keep_texts(self.id, *list, &read, row.doc.len());
                texts.insert(*list, read);
            }
        }
        Ok(Some(texts))
    }

    /// The texts at these places, as far as they are wanted; `None` if the segment is gone.
    async fn named(
        &self,
        places: Vec<(Part, u32)>,
        wanted: &(dyn Fn(&TextId) -> bool + Sync),
    ) -> Result<Option<Vec<Posting>>> {
        let lists: BTreeSet<usize> = places.iter().map(|(_, place)| *place as usize / LIST).collect();
        let lists: Vec<usize> = lists.into_iter().collect();
        let Some(texts) = self.texts(&lists).await? else { return Ok(None) };
        let mut found = Vec::new();
        for (part, place) in places {
            let place = place as usize;
            let text = texts.get(&(place / LIST)).and_then(|texts| texts.get(place % LIST));
            let Some(Text { target, created: Some(created), .. }) = text else { continue };
            let id = TextId { project: self.project.clone(), target: *target };
            if wanted(&id) {
                found.push(Posting { order: (part, Reverse(*created)), id });
            }
        }
        Ok(Some(found))
    }
}

/// The beginning of a term's postings in a segment.
#[derive(Default)]
struct List {
    term: String,
    prefix: bool,
    /// What the names of the blocks begin with that begin within the postings.
    stem: String,
    /// Those of whole words in order.
    postings: Vec<(Part, u32)>,
    places: HashSet<u32>,
    /// The block that has more.
    next: Option<String>,
}

impl List {
    /// Takes what a block has of the term.
    fn add(&mut self, block: &Block) {
        let from = block.postings.partition_point(|Postings(term, ..)| *term < self.term);
        for postings @ Postings(term, part, _) in &block.postings[from..] {
            if *term != self.term && !(self.prefix && term.starts_with(&self.term)) {
                break;
            }
            let places = postings.places();
            self.places.extend(&places);
            self.postings.extend(places.into_iter().map(|place| (*part, place)));
        }
        self.next = block.next.clone().filter(|next| next.starts_with(&self.stem));
    }

    /// Whether the text of a posting of another list does not have this term.
    fn rules_out(&self, (_, place): (Part, u32)) -> bool {
        if self.places.contains(&place) {
            return false;
        }
        // Titles come first: beyond them, the list has every text that is newer than its last.
        let beyond = |(part, last): &(Part, u32)| *part == Part::Body && place < *last;
        self.next.is_none() || (!self.prefix && self.postings.last().is_some_and(beyond))
    }
}

/// Whether one of the lists was read to its end, which then holds every answer.
fn is_complete(lists: &[List]) -> bool {
    lists.iter().any(|list| list.next.is_none())
}

/// Those of the best list that no other rules out, each once.
fn pick(lists: &[List]) -> Vec<(Part, u32)> {
    // A complete list, the shorter the better; else one that is sorted, as those of whole words are.
    let complete =
        |list: &&List| (list.next.is_some(), list.next.is_some() && list.prefix, list.postings.len());
    let Some(driver) = lists.iter().min_by_key(complete) else { return Vec::new() };
    let ruled_out = |posting: &(Part, u32)| lists.iter().any(|list| list.rules_out(*posting));
    let mut found: Vec<(Part, u32)> =
        driver.postings.iter().filter(|posting| !ruled_out(posting)).copied().collect();
    found.sort_unstable();
    let mut seen = HashSet::new();
    found.retain(|(_, place)| seen.insert(*place));
    found
}
