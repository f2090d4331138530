//! Texts that may answer a question, from its terms' postings, best first, at a bounded cost.
//!
//! How. The postings of a term are sorted: titles first, then what was written last. Of the question's
//! longest terms the first postings are read. The shortest list that was read to its end holds every answer;
//! where none was, and the first give few candidates, more of each is read. The candidates are those of one
//! list that no other rules out; a term whose postings were not read at all rules out none, as the entries are
//! asked about all of them.

use std::cmp::Reverse;
use std::collections::HashSet;

use futures::future::try_join_all;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::{SearchQuery, TextId};
use svc_storage::{Cursor, Query, Range, keys};

use crate::App;
use crate::error::Result;

/// Terms whose postings are read.
const LOOKUPS: usize = 6;
/// Postings of a term that are read first.
const FIRST: usize = 256;
/// Candidates that the first postings of frequent terms must give.
const ENOUGH: usize = 100;
/// Postings of a term that are read where they give fewer.
const DEEP: usize = 2_048;

/// A text that has a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Those of titles come first, and of them those written last.
    order: (bool, Reverse<i64>),
    pub(super) id: TextId,
}

/// The beginning of a term's postings.
struct List {
    pk: String,
    term: String,
    prefix: bool,
    postings: Vec<Posting>,
    ids: HashSet<TextId>,
    more: Option<Cursor>,
}

impl List {
    fn new(org: OrgId, project: Option<&ProjectKey>, term: &str, prefix: bool) -> Self {
        Self {
            pk: keys::term_pk(org, project, term),
            // A space ends a term.
            term: if prefix { term.to_owned() } else { format!("{term} ") },
            prefix,
            postings: Vec::new(),
            ids: HashSet::new(),
            more: None,
        }
    }

    async fn read(mut self, app: &App, limit: usize) -> Result<Self> {
        let range = Range::Prefix(self.term.clone());
        let page = app.table.query(&Query::new(self.pk.clone(), range, limit).resume(self.more)).await?;
        for row in page.rows {
            if let Some((in_title, created, id)) = keys::read_term_sk(&row.key.sk) {
                self.ids.insert(id.clone());
                self.postings.push(Posting { order: (!in_title, Reverse(created)), id });
            }
        }
        self.more = page.cursor;
        Ok(self)
    }

    /// Whether the text of a posting of another list does not have this term.
    fn rules_out(&self, posting: &Posting) -> bool {
        if self.ids.contains(&posting.id) {
            return false;
        }
        // Titles come first: beyond them, the list has every text that is newer than its last.
        let beyond = self.postings.last().map(|last| last.order);
        self.more.is_none() || (!self.prefix && beyond.is_some_and(|(text, at)| text && posting.order.1 < at))
    }
}

/// Texts that may answer the question, each once, best first. Those that `wanted` does not want are not.
pub(super) async fn candidates(
    app: &App,
    org: OrgId,
    project: Option<&ProjectKey>,
    query: &SearchQuery,
    wanted: &(dyn Fn(&TextId) -> bool + Sync),
) -> Result<Vec<Posting>> {
    let mut terms = query.terms();
    terms.sort_by_key(|(term, prefix)| (*prefix, Reverse(term.len())));
    terms.truncate(LOOKUPS);
    let lists =
        terms.into_iter().map(|(term, prefix)| List::new(org, project, term, prefix).read(app, FIRST));
    let mut lists = try_join_all(lists).await?;
    let found = pick(&lists, wanted);
    let sorted = lists.iter().any(|list| !list.prefix);
    let enough = lists.iter().any(|list| list.more.is_none()) || (sorted && found.len() >= ENOUGH);
    if enough || lists.is_empty() {
        return Ok(found);
    }
    lists = try_join_all(lists.into_iter().map(|list| list.read(app, DEEP - FIRST))).await?;
    Ok(pick(&lists, wanted))
}

/// Those of the best list that no other rules out.
fn pick(lists: &[List], wanted: &(dyn Fn(&TextId) -> bool + Sync)) -> Vec<Posting> {
    // A complete list, the shorter the better; else one that is sorted, as those of whole words are.
    let complete =
        |list: &&List| (list.more.is_some(), list.more.is_some() && list.prefix, list.postings.len());
    let Some(driver) = lists.iter().min_by_key(complete) else { return Vec::new() };
    let ruled_out = |posting: &Posting| lists.iter().any(|list| list.rules_out(posting));
    let found = driver.postings.iter().filter(|posting| wanted(&posting.id) && !ruled_out(posting));
    let mut found: Vec<Posting> = found.cloned().collect();
    found.sort();
    let mut seen = HashSet::new();
    found.retain(|posting| seen.insert(posting.id.clone()));
    found
}
