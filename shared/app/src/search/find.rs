//! Searching a project, and an organization (specification section 4.1, rule 1).

use std::collections::HashSet;

use futures::future::try_join_all;
use svc_domain::access::Capability;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::search::rank::class_of_item;
use svc_domain::search::{Class, Document, Rank, SearchQuery, Source, TextId};
use svc_domain::visibility::Viewer;
use svc_storage::{Row, keys};

use super::answer::{Answer, Answered, fresh};
use super::candidates::{Candidates, ENOUGH, Posting, candidates};
use super::forgiving::meant;
use super::index::Entry as Indexed;
use super::names;
use super::question::{COUNTED, Find, Kind};
use super::totals::{Found, Texts, totals};
use crate::App;
use crate::entry::{Caller, Entry, enter_org, enter_project};
use crate::error::Result;
use crate::heavy;
use crate::tracker::projects::{self, SeenProject};

/// Entries of the index that are read for one question: those that the caller may not see, or in which the words stand
/// apart, count too.
const MAX_READ: usize = 2_000;
/// Bytes of those entries: as many as are cut into words in half a second. Usual texts never come to this.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Entries of one read: as long as texts may be, 13 MB.
const AT_ONCE: usize = 50;
/// Projects whose indexes are read at a time.
const PROJECTS: usize = 8;

/// Searches a project. For items alone it completes what is being typed, as
/// [`FeedIndex::autocomplete`](svc_domain::feed::FeedIndex::autocomplete) says; items whose descriptions
/// match follow where there is room.
///
/// # Errors
/// [`InvalidQuery`](svc_domain::refusal::Refusal::InvalidQuery) for an empty question about more than items, and for one that is too long.
pub async fn in_project(app: &App, caller: Caller<'_>, project: &ProjectKey, find: &Find) -> Result<Found> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let only_items = find.kinds.iter().eq([&Kind::Items]);
    let query = find.check(only_items)?;
    let org = entry.org_id();
    let mut ranked = Vec::new();
    if find.kinds.contains(&Kind::Items) {
        ranked = completed(app, org, project, find, &query).await?;
    }
    let is_full = ranked.len() >= find.reach();
    if only_items {
        // In the order of the feed, which knows when each changed.
        let mut answers: Vec<Answered> = ranked.into_iter().map(|(_, answer)| answer).collect();
        let mut found = Found::default();
        if !is_full && !query.is_empty() {
            let known: HashSet<ItemKey> = answers.iter().filter_map(item_of).collect();
            let more = heavy::in_turn(async {
                let texts = texts(app, &entry, &[project], &query, find).await?;
                let missing = find.limit.saturating_sub(answers.len());
                let more =
                    merge(app, &entry, &query, Vec::new(), without(texts, &known), (find, missing)).await?;
                if !known.is_empty() {
                    return Ok(more);
                }
                or_forgiving(app, &entry, &[project], &query, find, (more, &[])).await
            });
            found = more.await?;
        }
        if find.count {
            let total = found.totals.entry(Kind::Items).or_default();
            total.count += answers.len() as u64;
            total.at_least |= is_full;
        }
        answers.append(&mut found.answers);
        answers.truncate(find.limit);
        return Ok(Found { answers, ..found });
    }
    ranked.retain(|(rank, _)| rank.class() != Class::Project);
    heavy::in_turn(async {
        let mut texts = texts(app, &entry, &[project], &query, find).await?;
        texts.all &= !is_full;
        let found = merge(app, &entry, &query, ranked, texts, (find, find.limit)).await?;
        or_forgiving(app, &entry, &[project], &query, find, (found, &[])).await
    })
    .await
}

/// Searches all projects of an organization that the caller sees, and the names of projects and members.
///
/// # Errors
/// [`InvalidQuery`](svc_domain::refusal::Refusal::InvalidQuery) for an empty question, and for one that is too long.
pub async fn in_org(app: &App, caller: Caller<'_>, find: &Find) -> Result<Found> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let query = find.check(false)?;
    let org = entry.org_id();
    let mut seen = projects::visible(app, &entry).await?;
    seen.retain(|seen| find.projects.is_empty() || find.projects.contains(&seen.project.key));
    let visible: HashSet<&ProjectKey> = seen.iter().map(|seen| &seen.project.key).collect();
    let mut ranked = named(app, &entry, &seen, &query, find).await?;
    if find.kinds.contains(&Kind::Items) {
        ranked.extend(names::item(app, org, &find.q, &visible, &query).await?);
    }
    if !find.wants_texts() || visible.is_empty() {
        let none = Texts { all: true, ..Texts::default() };
        let found = merge(app, &entry, &query, ranked, none, (find, find.limit)).await?;
        return or_forgiving(app, &entry, &[], &query, find, (found, &seen)).await;
    }
    let projects: Vec<&ProjectKey> = visible.iter().copied().collect();
    heavy::in_turn(async {
        let texts = texts(app, &entry, &projects, &query, find).await?;
        let found = merge(app, &entry, &query, ranked, texts, (find, find.limit)).await?;
        or_forgiving(app, &entry, &projects, &query, find, (found, &seen)).await
    })
    .await
}

/// The projects and people whose names answer the question.
async fn named(
    app: &App,
    entry: &Entry,
    seen: &[SeenProject],
    query: &SearchQuery,
    find: &Find,
) -> Result<Vec<(Rank, Answered)>> {
    let mut ranked = Vec::new();
    if find.kinds.contains(&Kind::Projects) {
        ranked.extend(seen.iter().filter_map(|seen| names::project(&seen.project, query)));
    }
    if find.kinds.contains(&Kind::People) {
        ranked.extend(names::people(app, entry, query).await?);
    }
    Ok(ranked)
}

/// What was found; if that is nothing, what answers with one wrong letter of each word forgiven.
async fn or_forgiving(
    app: &App,
    entry: &Entry,
    projects: &[&ProjectKey],
    query: &SearchQuery,
    find: &Find,
    (found, seen): (Found, &[SeenProject]),
) -> Result<Found> {
    if !found.answers.is_empty() || query.is_empty() {
        return Ok(found);
    }
    let wanted = seen.iter().filter(|_| find.kinds.contains(&Kind::Projects)).map(|seen| &seen.project);
    let words = names::words(app, entry, wanted, find.kinds.contains(&Kind::People)).await?;
    for query in meant(app, entry.org_id(), projects, query, &words).await? {
        let ranked = named(app, entry, seen, &query, find).await?;
        let texts = texts(app, entry, projects, &query, find).await?;
        let forgiven = merge(app, entry, &query, ranked, texts, (find, find.limit)).await?;
        if !forgiven.answers.is_empty() {
            return Ok(forgiven);
        }
    }
    Ok(found)
}

/// Items of the project whose key, number or title begins or reads so.
async fn completed(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    find: &Find,
    query: &SearchQuery,
) -> Result<Vec<(Rank, Answered)>> {
    let feed = app.feeds.fresh(app, org, project).await?;
    let index = feed.read();
    let entries = index.autocomplete(&find.q, find.reach()).into_iter();
    let ranked = entries.map(|entry| {
        let class = class_of_item(entry, project, &find.q);
        let name = entry.key(project).to_string();
        (
            Rank::new(class, query.clauses.len(), entry.created_at, name),
            Answered::of_entry(entry, project, query),
        )
    });
    Ok(ranked.collect())
}

/// The texts of the index that answer the question and are for the caller, best first. The caller waits for its turn.
async fn texts(
    app: &App,
    entry: &Entry,
    projects: &[&ProjectKey],
    query: &SearchQuery,
    find: &Find,
) -> Result<Texts> {
    let wanted = &|id: &TextId| find.wants(id);
    let (org, viewer) = (entry.org_id(), Viewer::of(&entry.access));
    let enough = if find.count { COUNTED } else { ENOUGH };
    let (mut postings, mut all): (Vec<Posting>, bool) = (Vec::new(), true);
    for projects in projects.chunks(PROJECTS) {
        let found = projects.iter().map(|project| candidates(app, org, project, query, wanted, enough));
        for Candidates { found, all: all_of_it } in try_join_all(found).await? {
            postings.extend(found);
            all &= all_of_it;
        }
    }
    postings.sort();
    all &= postings.len() <= MAX_READ;
    postings.truncate(MAX_READ);
    let (mut found, mut read, mut looked) = (Vec::new(), 0, 0);
    for chunk in postings.chunks(AT_ONCE) {
        looked += chunk.len();
        let wanted: Vec<_> = chunk.iter().map(|posting| keys::text(org, &posting.id)).collect();
        let rows: Vec<Row> = app.table.get_many(&wanted).await?.into_iter().flatten().collect();
        let bytes: usize = rows.iter().map(|row| row.doc.len()).sum();
        read += bytes;
        let query = query.clone();
        found.extend(heavy::on_texts(bytes, move || answering(&rows, &query, viewer)).await??);
        if found.len() > find.reach() || read > MAX_BYTES {
            break;
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(Texts { found, all: all && looked == postings.len() })
}

/// The texts of these entries that answer the question and are for the viewer.
fn answering(rows: &[Row], query: &SearchQuery, viewer: Viewer) -> Result<Vec<(Rank, Document)>> {
    let mut found = Vec::new();
    for row in rows {
        let Indexed { document, .. } = row.read()?;
        if !is_for(viewer, &document) {
            continue;
        }
        if let Some(answer) = document.answer(query) {
            let name = document.source.id().to_string();
            let rank = Rank::new(answer.class, answer.whole, document.created_at, name);
            found.push((rank, document));
        }
    }
    Ok(found)
}

/// Whether the caller may see a text, as far as the index knows.
fn is_for(viewer: Viewer, document: &Document) -> bool {
    match &document.source {
        Source::Item(_) => true,
        Source::Comment { .. } => viewer.sees_agents_work() || !document.factory,
        Source::Page { path, .. } => viewer.sees_path(path),
    }
}

/// The best of both, as they are now.
async fn merge(
    app: &App,
    entry: &Entry,
    query: &SearchQuery,
    mut ranked: Vec<(Rank, Answered)>,
    texts: Texts,
    (find, limit): (&Find, usize),
) -> Result<Found> {
    let known = ranked.iter().filter_map(|(_, answer)| item_of(answer)).collect();
    let mut texts = without(texts, &known);
    let totals = totals(find, &ranked, &texts);
    // Some more, in place of those that are gone by now.
    texts.found.truncate(limit + limit / 2);
    let (ranks, documents): (Vec<Rank>, Vec<Document>) = texts.found.into_iter().unzip();
    let answers = fresh(app, entry, query, documents).await?;
    let still = ranks.into_iter().zip(answers).filter_map(|(rank, answer)| Some((rank, answer?)));
    ranked.extend(still);
    ranked.sort_by(|one, other| one.0.cmp(&other.0));
    ranked.truncate(limit);
    Ok(Found { answers: ranked.into_iter().map(|(_, answer)| answer).collect(), totals })
}

/// The texts but those of items that are known already.
fn without(mut texts: Texts, known: &HashSet<ItemKey>) -> Texts {
    texts.found.retain(|(_, document)| !matches!(&document.source, Source::Item(key) if known.contains(key)));
    texts
}

fn item_of(answer: &Answered) -> Option<ItemKey> {
    match &answer.answer {
        Answer::Item { key, .. } => Some(key.clone()),
        Answer::Comment { .. } | Answer::Page { .. } | Answer::Project(_) | Answer::Person(_) => None,
    }
}
