//! Answers as the API shows them.

use svc_api::search::{Highlight, SearchResult, SearchResults, SearchTotal, SearchTotals};
use svc_app::search::{Answer, Answered, Found, Kind};
use svc_domain::search::snippet;

use crate::actor::actor;

/// What was found.
pub fn results(found: Found) -> SearchResults {
    let total = |kind| {
        found.totals.get(&kind).map(|total| SearchTotal { count: total.count, at_least: total.at_least })
    };
    let totals = SearchTotals {
        items: total(Kind::Items),
        comments: total(Kind::Comments),
        pages: total(Kind::Pages),
        projects: total(Kind::Projects),
        people: total(Kind::People),
    };
    let totals = (!found.totals.is_empty()).then_some(totals);
    SearchResults { results: found.answers.into_iter().map(result).collect(), totals }
}

fn result(found: Answered) -> SearchResult {
    let (text, highlights) = match found.snippet {
        Some(part) => (Some(part.text), marks(part.highlights)),
        None => (None, Vec::new()),
    };
    let shown = SearchResult {
        title: found.title.text,
        title_highlights: marks(found.title.highlights),
        snippet: text,
        snippet_highlights: highlights,
        updated_at: found.updated_at,
        ..SearchResult::default()
    };
    match found.answer {
        Answer::Item { key, item_type, state } => SearchResult {
            kind: "item".into(),
            project: Some(key.project.to_string()),
            key: Some(key.to_string()),
            item_type: Some(item_type.to_string()),
            state: Some(state),
            ..shown
        },
        Answer::Comment { id, item, author } => SearchResult {
            kind: "comment".into(),
            id: Some(id.to_string()),
            project: Some(item.project.to_string()),
            item: Some(item.to_string()),
            author: Some(actor(&author)),
            ..shown
        },
        Answer::Page { id, project, path } => SearchResult {
            kind: "page".into(),
            id: Some(id.to_string()),
            project: Some(project.to_string()),
            path: Some(path.to_string()),
            ..shown
        },
        Answer::Project(key) => SearchResult {
            kind: "project".into(),
            project: Some(key.to_string()),
            key: Some(key.to_string()),
            ..shown
        },
        Answer::Person(user) => SearchResult { kind: "person".into(), id: Some(user.to_string()), ..shown },
    }
}

fn marks(places: Vec<snippet::Highlight>) -> Vec<Highlight> {
    places.into_iter().map(|place| Highlight { start: place.start, end: place.end }).collect()
}
