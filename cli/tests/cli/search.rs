//! `svc search`.

use svc_api::search::{SearchResult, SearchResults, SearchTotal, SearchTotals};

use crate::stub::Stub;

fn result(kind: &str, title: &str) -> SearchResult {
    SearchResult {
        kind: kind.into(),
        title: title.into(),
        project: Some("PRJ".into()),
        ..SearchResult::default()
    }
}

#[test]
fn what_is_found_says_where_it_is() {
    let stub = Stub::new();
    let item = SearchResult { key: Some("PRJ-12".into()), ..result("item", "Login times out") };
    let comment = SearchResult {
        id: Some("comment-1".into()),
        item: Some("PRJ-3".into()),
        snippet: Some("it times out after".into()),
        ..result("comment", "Sign-in")
    };
    let page = SearchResult {
        id: Some("page-1".into()),
        path: Some("Guides/Time".into()),
        ..result("page", "Time")
    };
    let person = SearchResult { id: Some("user-1".into()), project: None, ..result("person", "Tim") };
    let total = |count, at_least| Some(SearchTotal { count, at_least });
    let totals = SearchTotals {
        items: total(1, false),
        comments: total(480, true),
        people: total(0, false),
        ..SearchTotals::default()
    };
    let results = vec![item, comment, page, person];
    stub.on("GET /orgs/demo/search", &SearchResults { results, totals: Some(totals) });
    insta::assert_snapshot!("search", stub.svc(&["search", "time", "out"]).run());
    assert_eq!(stub.calls(), ["GET /orgs/demo/search?q=time+out&totals=true"]);
}

#[test]
fn a_search_of_a_project_sends_what_was_asked() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/search", &SearchResults::default());
    let ran =
        stub.svc(&["search", "-p", "prj", "time out", "--types", "comments,pages", "--limit", "5"]).run();
    assert!(ran.stdout.is_empty() && ran.stderr.contains("No results"), "{ran}");
    let call = "GET /orgs/demo/projects/PRJ/search?types=comments%2Cpages&q=time+out&limit=5&totals=true";
    assert_eq!(stub.calls(), [call]);
    assert_eq!(stub.svc(&["search"]).run().code, 2, "there must be something to look for");
}
