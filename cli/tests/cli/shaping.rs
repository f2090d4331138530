//! `svc api`, `--jq` and `--format`, and what spans projects: `svc status` and `svc browse`.

use serde_json::json;
use svc_api::factory::{Run, RunKind, RunStatus};

use crate::fixtures::{comment, fresh_item, item, me, page, robin, run};
use crate::stub::Stub;

const ITEMS: &str = "GET /orgs/demo/projects/PRJ/items";

#[test]
fn the_json_of_any_command_is_filtered_or_filled_into_a_template() {
    let stub = Stub::new();
    stub.on(ITEMS, &page(vec![item("PRJ-12", "Search"), fresh_item("PRJ-13", "Find")]));
    let list = |more: &[&str]| stub.svc(&[&["item", "list", "-p", "PRJ"], more].concat()).run();
    assert_eq!(list(&["--jq", ".[].key"]).stdout, "PRJ-12\nPRJ-13\n");
    assert_eq!(list(&["--format", "{{ key }}: {{ title }}"]).stdout, "PRJ-12: Search\nPRJ-13: Find\n");
    let wrong = list(&["--jq", ".["]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(
        wrong.stderr.contains("not a jq filter")
            && wrong.stderr.contains("it ends where a closing bracket is missing"),
        "{wrong}"
    );
    let unfit = list(&["--jq", ".key"]);
    assert_eq!((unfit.code, unfit.stdout.as_str()), (2, ""), "{unfit}");
    assert!(unfit.stderr.contains("cannot index an array of 2 with \"key\""), "{unfit}");
    assert!(!unfit.stderr.contains("Search"), "an error is not the place for the data: {unfit}");
}

#[test]
fn any_request_is_sent_with_its_fields() {
    let stub = Stub::new();
    stub.on("GET /me", &me()).on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    let ran = stub.svc(&["api", "get", "/me", "-f", "a=b c"]).run();
    assert_eq!((ran.code, stub.calls().pop().unwrap().as_str()), (0, "GET /me?a=b+c"), "{ran}");
    let patch = ["api", "PATCH", "/api/v1/orgs/{org}/items/PRJ-12", "-F", "version=7", "-f", "title=New"];
    assert_eq!(stub.svc(&patch).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 7, "title": "New" }));
    let sent = stub.seen().len();
    for wrong in [
        &["api", "GET", "https://evil.example/me"][..],
        &["api", "GET", "//evil.example/me"],
        &["api", "BREW", "/me"],
        &["api", "POST", "/me/tokens", "-F", "a=b"],
    ] {
        assert_eq!(stub.svc(wrong).run().code, 2, "{wrong:?}");
    }
    assert_eq!(stub.seen().len(), sent, "nothing was sent");
}

#[test]
fn every_page_of_a_list_is_read() {
    let stub = Stub::new();
    let mut first = page(vec![item("PRJ-1", "One")]);
    first.total_count = 2;
    let mut second = page(vec![item("PRJ-2", "Two")]);
    second.total_count = 2;
    stub.on(ITEMS, &first).on(ITEMS, &second);
    let all =
        ["api", "GET", "/orgs/{org}/projects/PRJ/items", "--paginate", "--jq", "map(.key) | join(\",\")"];
    assert_eq!(stub.svc(&all).run().stdout, "PRJ-1,PRJ-2\n");
    assert!(stub.calls()[1].contains("page=2"), "{:?}", stub.calls());
}

#[test]
fn status_shows_what_waits_across_projects() {
    let stub = Stub::new();
    let filtered =
        |filter: &str| format!("GET /orgs/demo/items?filter={filter}&sort=-updated&page=1&pageSize=100");
    let claimed = item("PRJ-12", "Search forgets");
    stub.on(&filtered("claimed%3A%40me"), &page(vec![claimed.clone()]));
    let mine = page(vec![claimed, fresh_item("WEB-1", "Home page")]);
    stub.on(&filtered("assignee%3A%40me+state%3Abacklog%2Cactive"), &mine);
    let mut operator = me();
    operator.organizations[0].can_operate_factory = true;
    stub.on("GET /me", &operator);
    // Not longer than a week ago, whenever the test runs.
    let ended = |id: &str, item: &str, status| Run {
        item: item.into(),
        finished_at: "2099-01-01T00:00:00Z".parse().ok(),
        ..run(id, status)
    };
    let done = ended("r5", "PRJ-5", RunStatus::Succeeded);
    let runs = vec![
        run("r1", RunStatus::Running),
        ended("r2", "PRJ-2", RunStatus::Failed),
        done.clone(),
        Run { item: "PRJ-6".into(), id: "r6".into(), ..done },
        Run { kind: RunKind::Refine, ..ended("r7", "PRJ-7", RunStatus::Succeeded) },
        ended("r8", "PRJ-2", RunStatus::TimedOut),
        Run { item: "PRJ-9".into(), ..run("r9", RunStatus::Failed) },
    ];
    stub.on("GET /orgs/demo/runs", &page(runs));
    // Somebody accepted PRJ-6.
    let open = "GET /orgs/demo/items?filter=state%3Abacklog%2Cactive&sort=-updated&pageSize=100";
    stub.on(open, &page(vec![item("PRJ-5", "Open")]));
    let asks = json!({ "item": "PRJ-7", "status": "questions", "agent": { "id": "a", "name": "Robin" }, "run": "r7",
        "questions": [], "rounds": [], "itemVersion": 1, "version": 1 });
    stub.on("GET /orgs/demo/items/PRJ-7/refinement", &asks);
    let json = stub.svc(&["status", "--json"]).run().json();
    let ids = |list: &str, field: &str| -> Vec<String> {
        json[list].as_array().unwrap().iter().map(|entry| entry[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("needsYou", "id"), ["r7", "r5", "r2"], "asks, is finished, failed");
    assert_eq!(
        (ids("claimed", "key"), ids("assigned", "key")),
        (vec!["PRJ-12".into()], vec!["WEB-1".into()])
    );
    assert_eq!(ids("runs", "id"), ["r1"]);
    let ran = stub.svc(&["status"]).run();
    let places: Vec<_> = ["Needs you", "Claimed by you", "Assigned to you", "Your runs"]
        .iter()
        .map(|title| ran.stdout.find(title).unwrap_or_else(|| panic!("{title}: {ran}")))
        .collect();
    assert!(places.is_sorted(), "{ran}");
    stub.on("GET /orgs/demo/items", &mine);
    assert_eq!(stub.svc(&["item", "list", "--mine", "--jq", ".[].key"]).run().stdout, "PRJ-12\nWEB-1\n");
}

#[test]
fn addresses_are_printed_where_no_browser_can_open() {
    let stub = Stub::new();
    for (what, path) in [("prj-12", "/o/demo/p/PRJ/items/PRJ-12"), ("PRJ", "/o/demo/p/PRJ")] {
        assert_eq!(stub.svc(&["browse", what]).run().stdout, format!("http://INSTANCE{path}\n"));
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn a_reaction_is_given_and_taken_back() {
    let stub = Stub::new();
    let reactions = "/orgs/demo/items/PRJ-12/comments/c1/reactions";
    stub.on(&format!("PUT {reactions}"), &comment("c1", robin(), "x"));
    stub.on(&format!("DELETE {reactions}/%F0%9F%91%8D"), &());
    let react = ["comment", "react", "PRJ-12", "c1", "👍"];
    assert_eq!(stub.svc(&react).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "emoji": "👍" }));
    assert_eq!(stub.svc(&[&react[..], &["--remove"]].concat()).run().code, 0);
}
