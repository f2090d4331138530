//! What a question that nothing answers may have meant: a word that is nowhere may have one wrong letter.
//!
//! How. Words are kept in order, so that those with the same beginning are neighbours. From the place where the word would
//! be, blocks of words are looked at in both directions, as long as their words begin with the same letter; so what differs
//! further behind is found first. Where that finds nothing, the word is looked for with other first letters. One question
//! reads at most [`MOST_BLOCKS`] blocks for that, whatever the index has.

use std::collections::BTreeMap;

use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::SearchQuery;
use svc_domain::search::near::{may_be_wrong, near};
use svc_domain::search::segment::{Block, Listed, Postings, Segments};
use svc_storage::keys;

use super::candidates::Reader;
use crate::App;
use crate::error::Result;

/// Blocks of words that are read for one question, of some 4 kB each.
const MOST_BLOCKS: usize = 400;
/// Blocks that are looked at on either side of a word, in one segment.
const BESIDE: usize = 12;
/// What is tried for a question.
const TRIES: usize = 3;

/// Questions that may have been meant, the likeliest first; none where every word is somewhere. `names` are words that are
/// found without the index.
pub(super) async fn meant(
    app: &App,
    org: OrgId,
    projects: &[&ProjectKey],
    query: &SearchQuery,
    names: &[String],
) -> Result<Vec<SearchQuery>> {
    let terms = query.terms().into_iter();
    let mut asked: Vec<Asked> = terms.map(|(term, prefix)| Asked::of(term, prefix)).collect();
    asked.iter_mut().for_each(|asked| names.iter().for_each(|name| asked.look_at(name, 1)));
    let mut left = MOST_BLOCKS;
    for project in projects {
        let Some(row) = app.table.get(&keys::index(org, project)).await? else { continue };
        let segments: Segments = row.read()?;
        // The largest have most words.
        let mut list: Vec<&Listed> = segments.list.iter().collect();
        list.sort_by_key(|listed| std::cmp::Reverse(listed.texts));
        for Listed { id, .. } in list {
            let reader = Reader { app, pk: keys::index_pk(org, project), project, id, deep: 0 };
            for asked in asked.iter_mut().filter(|asked| !asked.is_there) {
                asked.look_in(&reader, &mut left).await?;
            }
        }
    }
    let wrong: Vec<(&str, Vec<String>)> =
        asked.iter().filter(|asked| !asked.is_there).map(|asked| (asked.term, asked.best())).collect();
    if wrong.is_empty() || wrong.iter().any(|(_, best)| best.is_empty()) {
        return Ok(Vec::new());
    }
    let tries = wrong.iter().map(|(_, best)| best.len()).max().unwrap_or(0);
    let instead = |n: usize, term: &str| {
        let (_, best) = wrong.iter().find(|(wrong, _)| *wrong == term)?;
        best.get(n).or(best.last()).cloned()
    };
    Ok((0..tries).map(|n| query.replacing(|term| instead(n, term))).collect())
}

/// A word of a question, and what it may mean.
struct Asked<'q> {
    term: &'q str,
    prefix: bool,
    /// Whether it is somewhere as it was written.
    is_there: bool,
    /// How many texts have what it may mean, and whether that is a whole word.
    near: BTreeMap<String, (bool, usize)>,
}

impl<'q> Asked<'q> {
    const fn of(term: &'q str, prefix: bool) -> Self {
        Self { term, prefix, is_there: false, near: BTreeMap::new() }
    }

    fn look_at(&mut self, known: &str, texts: usize) {
        if known == self.term || (self.prefix && known.starts_with(self.term)) {
            self.is_there = true;
        } else if may_be_wrong(self.term)
            && let Some((meant, whole)) = near(self.term, self.prefix, known)
        {
            let (is_whole, count) = self.near.entry(meant.to_owned()).or_default();
            (*is_whole, *count) = (*is_whole || whole, *count + texts);
        }
    }

    fn look_at_all(&mut self, block: &Block) {
        block.postings.iter().for_each(|Postings(known, _, texts)| self.look_at(known, texts.len()));
    }

    /// Looks at the words of a segment around this one.
    async fn look_in(&mut self, reader: &Reader<'_>, left: &mut usize) -> Result<()> {
        let letter: String = self.term.chars().take(1).collect();
        for forward in [true, false] {
            let mut stem = self.term.to_owned();
            for _ in 0..BESIDE {
                let Some(block) = around(reader, &stem, left).await? else { break };
                self.look_at_all(&block);
                // What is frequent has blocks of its own, which are passed over: `!` comes after the space that ends a term.
                let beyond = if forward { block.postings.last() } else { block.postings.first() };
                let Some(Postings(term, ..)) = beyond.filter(|it| it.0.starts_with(&letter)) else { break };
                let next = if forward { format!("{term}!") } else { format!("{term} ") };
                if next == stem || (forward && block.next.is_none()) || !may_be_wrong(self.term) {
                    break;
                }
                stem = next;
            }
        }
        if !self.is_there && self.near.is_empty() && may_be_wrong(self.term) {
            self.look_elsewhere(reader, left).await?;
        }
        Ok(())
    }

    /// Looks for the word with another first letter, without it, and with its first two in the other order.
    async fn look_elsewhere(&mut self, reader: &Reader<'_>, left: &mut usize) -> Result<()> {
        let mut letters = self.term.chars();
        let (Some(first), rest) = (letters.next(), letters.as_str()) else { return Ok(()) };
        let mut stems: Vec<String> = ('a'..='z').map(|other| format!("{other}{rest}")).collect();
        stems.push(rest.to_owned());
        if let Some(second) = letters.next() {
            stems.push(format!("{second}{first}{}", letters.as_str()));
        }
        for stem in stems {
            let Some(block) = around(reader, &stem, left).await? else { return Ok(()) };
            self.look_at_all(&block);
        }
        Ok(())
    }

    /// What it may mean: whole words first, then what most texts have.
    fn best(&self) -> Vec<String> {
        let mut best: Vec<_> = self.near.iter().collect();
        best.sort_by_key(|(_, (whole, texts))| std::cmp::Reverse((*whole, *texts)));
        best.into_iter().take(TRIES).map(|(term, _)| term.clone()).collect()
    }
}

/// The block where a name would be, as long as blocks are left to read; `None` too where the segment is gone.
async fn around(reader: &Reader<'_>, stem: &str, left: &mut usize) -> Result<Option<std::sync::Arc<Block>>> {
    if *left == 0 {
        return Ok(None);
    }
    *left -= 1;
    reader.around(stem).await
}
