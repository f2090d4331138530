//! `svc item`.

use serde_json::json;
use svc_api::Page;
use svc_api::tracker::{
    Item, ItemLink, ItemType, Label, Link, LinkKind, Links, Reaction, Reactor, StateGroup, Workflow,
    WorkflowState,
};

use crate::fixtures::{ada, comment, fresh_item, item, me, org, page, problem, project, robin, template};
use crate::stub::Stub;

const ITEM: &str = "GET /orgs/demo/items/PRJ-12";

fn stub_with_item() -> Stub {
    let stub = Stub::new();
    stub.on(ITEM, &item("PRJ-12", "Search forgets its filter"));
    stub
}

#[test]
fn a_list_is_a_table_or_json() {
    let stub = Stub::new();
    let items = vec![item("PRJ-12", "Search forgets its filter"), fresh_item("PRJ-3", "Try it")];
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(items));
    insta::assert_snapshot!("item_list", stub.svc(&["item", "list", "-p", "prj"]).run());
    insta::assert_snapshot!("item_list_json", stub.svc(&["item", "list", "-p", "PRJ", "--json"]).run());
}

#[test]
fn a_list_sends_what_was_asked() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(Vec::<Item>::new()));
    let args =
        ["item", "list", "-p", "PRJ", "--filter", "-label:wontfix priority:>=high", "--sort", "-priority"];
    let ran = stub.svc(&args).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    let query = "filter=-label%3Awontfix+priority%3A%3E%3Dhigh&sort=-priority&page=1&pageSize=100";
    assert_eq!(stub.calls(), [format!("GET /orgs/demo/projects/PRJ/items?{query}")]);
}

#[test]
fn a_list_is_read_while_the_total_says_that_more_remain() {
    let stub = Stub::new();
    let call = "GET /orgs/demo/projects/PRJ/items";
    for (number, keys) in [(1, ["PRJ-1", "PRJ-2"].as_slice()), (2, &["PRJ-3", "PRJ-4"]), (3, &["PRJ-5"])] {
        let items = keys.iter().map(|key| fresh_item(key, "x")).collect();
        stub.on(call, &Page { page: number, page_size: 2, total_count: 5, items });
    }
    let ran = stub.svc(&["item", "list", "-p", "PRJ", "--json"]).run();
    let keys: Vec<_> = ran.json().as_array().unwrap().iter().map(|item| item["key"].clone()).collect();
    assert_eq!(keys, ["PRJ-1", "PRJ-2", "PRJ-3", "PRJ-4", "PRJ-5"]);
    assert_eq!(stub.calls().len(), 3);
}

#[test]
fn a_limit_reads_no_more_than_it_prints() {
    let stub = Stub::new();
    let items = vec![fresh_item("PRJ-1", "a"), fresh_item("PRJ-2", "b")];
    let answer = Page { page: 1, page_size: 2, total_count: 50, items };
    stub.on("GET /orgs/demo/projects/PRJ/items", &answer);
    let ran = stub.svc(&["item", "list", "-p", "PRJ", "--limit", "2", "--json"]).run();
    assert_eq!(ran.json().as_array().unwrap().len(), 2);
    assert_eq!(stub.calls(), ["GET /orgs/demo/projects/PRJ/items?page=1&pageSize=2"]);
}

#[test]
fn a_view_shows_comments_and_links_on_request() {
    let stub = stub_with_item();
    let mut reply = comment("comment-2", robin(), "On it.\n\nSee the branch.");
    reply.reply_to = Some("comment-1".into());
    reply.edited_at = Some(reply.created_at);
    let users =
        vec![Reactor { id: "ada".into(), display_name: "Ada".into(), avatar_key: None, agent: false }];
    reply.reactions = vec![Reaction { emoji: "👍".into(), count: 1, reacted_by_me: true, users }];
    let mut deleted = comment("comment-3", ada(), "");
    deleted.deleted = true;
    let comments = vec![comment("comment-1", ada(), "Happens on main too."), reply, deleted];
    stub.on("GET /orgs/demo/items/PRJ-12/comments", &page(comments));
    stub.on("GET /orgs/demo/items/PRJ-12/links", &linked());
    insta::assert_snapshot!("item_view", stub.svc(&["item", "view", "prj-12"]).run());
    insta::assert_snapshot!(
        "item_view_all",
        stub.svc(&["item", "view", "PRJ-12", "--comments", "--links"]).run()
    );
    insta::assert_snapshot!(
        "item_view_json",
        stub.svc(&["item", "view", "PRJ-12", "--comments", "--json"]).run()
    );
}

#[test]
fn create_sends_the_fields_and_a_key_against_doubles() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-13", "Filter by label"));
    let body = stub.home.path().join("body.md");
    std::fs::write(&body, "As a *reader*").unwrap();
    let args = ["item", "create", "-p", "PRJ", "--type", "story", "--title", "Filter by label"];
    let more = ["--parent", "prj-1", "--body-file", body.to_str().unwrap(), "--labels", "ui, search"];
    stub.svc(&[&args[..], &more].concat()).run().exits(0);
    let sent = json!({
        "type": "story", "title": "Filter by label", "body": "As a *reader*", "labels": ["ui", "search"],
        "parent": "PRJ-1",
    });
    assert_eq!(stub.last_body(), sent);
    assert!(stub.seen()[0].headers.contains_key("idempotency-key"));
    insta::assert_snapshot!("item_create", stub.svc(&args).run());
}

#[test]
fn create_names_a_template() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-13", "Crash"));
    let args =
        ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "Crash", "--template", "Bug report"];
    stub.svc(&args).run().exits(0);
    assert_eq!(stub.last_body()["template"], "Bug report");
    stub.on("GET /orgs/demo/projects/PRJ/templates", &[template("t1", "Bug report")]);
    let untyped = ["item", "create", "-p", "PRJ", "--title", "Crash"];
    let ran = stub.svc(&[&untyped[..], &["--template", "bug REPORT"]].concat()).run();
    assert_eq!((ran.code, stub.last_body()["type"].clone()), (0, "bug".into()), "{ran}");
    assert_eq!(stub.last_body()["template"], "t1");
    stub.svc(&[&untyped[..], &["--template", "Chore"]].concat()).run().exits(4);
    assert_eq!(stub.svc(&untyped).run().code, 0);
    let sent = stub.last_body();
    assert_eq!((&sent["type"], sent.get("template")), (&"bug".into(), None), "the type of the only template");
    stub.now(
        "GET /orgs/demo/projects/PRJ/templates",
        &[template("t1", "Bug report"), template("t2", "Story")],
    );
    assert_eq!(stub.svc(&untyped).run().code, 2, "neither type nor template");
}

#[test]
fn several_items_are_claimed_moved_and_changed_one_by_one() {
    let stub = Stub::new();
    for key in ["PRJ-1", "PRJ-2"] {
        let call = format!("/orgs/demo/items/{key}");
        stub.on(&format!("GET {call}"), &fresh_item(key, "x"))
            .on(&format!("PATCH {call}"), &fresh_item(key, "x"));
        stub.on(&format!("POST {call}/claim"), &fresh_item(key, "x"));
    }
    stub.on("POST /orgs/demo/items/PRJ-2/transition", &fresh_item("PRJ-2", "x"));
    let taken = problem(409, "conflict", "The state does not allow it.", Some("No move leads there."));
    stub.refuse("POST /orgs/demo/items/PRJ-1/transition", &taken);
    let claimed = stub.svc(&["item", "claim", "PRJ-1", "prj-2", "--jq", ".[].key"]).run();
    assert_eq!((claimed.code, claimed.stdout.as_str()), (0, "PRJ-1\nPRJ-2\n"), "{claimed}");
    stub.svc(&["item", "edit", "PRJ-1", "PRJ-2", "--priority", "high"]).run().exits(0);
    let patched = stub.calls().into_iter().filter(|call| call.starts_with("PATCH ")).count();
    assert_eq!(patched, 2);
    let moved = stub.svc(&["item", "move", "PRJ-1", "PRJ-2", "In review"]).run();
    assert_eq!((moved.code, stub.last_body()["state"].clone()), (3, "In review".into()), "{moved}");
    assert!(
        moved.stdout.contains("PRJ-2") && moved.stderr.starts_with("PRJ-1 was not changed:\n"),
        "{moved}"
    );
    let sent = stub.seen().len();
    assert_eq!(stub.svc(&["item", "update", "PRJ-1", "PRJ-2", "--title", "x"]).run().code, 2);
    assert_eq!(stub.svc(&["item", "move", "PRJ-1", "In review", "PRJ-2"]).run().code, 2);
    assert_eq!(stub.seen().len(), sent, "nothing was sent");
}

#[test]
fn the_items_of_all_projects_are_one_list() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items", &page(vec![item("PRJ-12", "One"), fresh_item("WEB-1", "Two")]));
    let args = ["item", "list", "--all-projects", "--label", "c++", "--state", "active", "--jq", ".[].key"];
    let ran = stub.svc(&args).run();
    assert_eq!(ran.stdout, "PRJ-12\nWEB-1\n", "{ran}");
    let call = "GET /orgs/demo/items?filter=state%3Aactive+label%3A%22c%2B%2B%22&page=1&pageSize=100";
    assert_eq!(stub.calls(), [call]);
    assert_eq!(stub.svc(&["item", "list", "--all-projects", "-p", "PRJ"]).run().code, 2);
}

#[test]
fn the_only_project_need_not_be_named() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search", false)]);
    stub.on("GET /orgs/demo/projects/PRJ/labels", &json!([]));
    assert_eq!(stub.svc(&["label", "list"]).run().code, 0);
    stub.now("GET /orgs/demo/projects", &[project("PRJ", "Search", false), project("WEB", "Web", false)]);
    let ran = stub.svc(&["label", "list"]).run();
    assert!(ran.code == 2 && ran.stderr.contains("from PRJ to WEB"), "{ran}");
}

#[test]
fn the_project_is_that_of_the_mapped_clone() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/WEB/labels", &json!([]));
    let file = json!({ "profiles": [{ "organization": "demo", "url": stub.url, "token": "jrn_x",
        "workspaces": { "WEB": std::env::current_dir().unwrap() } }] });
    std::fs::create_dir_all(stub.home.path().join("svc")).unwrap();
    std::fs::write(stub.home.path().join("svc/runner.json"), file.to_string()).unwrap();
    let ran = stub.svc(&["label", "list"]).run();
    assert_eq!((ran.code, stub.calls()), (0, vec!["GET /orgs/demo/projects/WEB/labels".to_owned()]), "{ran}");
}

#[test]
fn an_item_of_another_organization_is_told_as_such() {
    let stub = Stub::new();
    let missing = problem(404, "not-found", "This does not exist, or you may not see it.", None);
    stub.refuse("GET /orgs/demo/items/API-1", &missing);
    stub.on("GET /orgs", &[org("demo", "Demo"), org("other", "Other")]);
    stub.on("GET /orgs/other/items/API-1", &item("API-1", "Elsewhere"));
    let ran = stub.svc(&["item", "view", "API-1"]).run().exits(4);
    assert!(ran.stderr.contains("API-1 is an item of other, not of demo"), "{ran}");
    assert!(ran.stderr.contains("--org other"), "{ran}");
}

#[test]
fn create_reads_a_body_from_stdin_and_names_a_file_that_is_not_there() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-13", "x"));
    let args = ["item", "create", "-p", "PRJ", "--type", "task", "--title", "x", "--body-file"];
    assert_eq!(stub.svc(&[&args[..], &["-"]].concat()).stdin("from stdin").run().code, 0);
    assert_eq!(stub.last_body()["body"], "from stdin");
    let ran = stub.svc(&[&args[..], &["/nowhere.md"]].concat()).run().exits(2);
    assert!(ran.stderr.contains("/nowhere.md"), "{ran}");
}

#[test]
fn a_subtask_belongs_to_its_item() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-14", "Write the test"));
    let args = ["item", "subtask", "PRJ-12", "--title", "Write the test", "--estimate", "2"];
    assert_eq!(stub.svc(&args).run().code, 0);
    let sent = json!({
        "type": "subtask", "title": "Write the test", "body": "", "labels": [], "estimate": 2.0, "parent": "PRJ-12",
    });
    assert_eq!(stub.last_body(), sent);
    assert_eq!(stub.svc(&args[..5]).run().code, 2, "a subtask has an estimate");
}

#[test]
fn update_sends_only_what_changes_under_the_version_it_read() {
    let stub = stub_with_item();
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "Search forgets its filter"));
    for (args, sent) in [
        (["--priority", "highest"], json!({ "version": 7, "priority": "highest" })),
        (["--labels", "bug,ui"], json!({ "version": 7, "labels": ["bug", "ui"] })),
        (["--labels", ""], json!({ "version": 7, "labels": [] })),
        (["--labels", "+ui,-bug"], json!({ "version": 7, "addLabels": ["ui"], "removeLabels": ["bug"] })),
        (["--labels", "-bug"], json!({ "version": 7, "removeLabels": ["bug"] })),
        (["--assignee", "none"], json!({ "version": 7, "assignee": null })),
        (["--assignee", "@me"], json!({ "version": 7, "assignee": "@me" })),
        (["--estimate", "2.5"], json!({ "version": 7, "estimate": 2.5 })),
        (["--parent", "none"], json!({ "version": 7, "parent": null })),
        (["--blocked", "true"], json!({ "version": 7, "blocked": true })),
    ] {
        stub.svc(&[&["item", "update", "PRJ-12"], &args[..]].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
}

#[test]
fn what_was_changed_is_what_is_shown() {
    let stub = stub_with_item();
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "Search forgets its filter"));
    let args = ["item", "update", "PRJ-12", "--labels", "+ui", "--remaining", "1.5", "--parent", "PRJ-1"];
    insta::assert_snapshot!("item_update", stub.svc(&[&args[..], &["--blocked", "false"]].concat()).run());
}

#[test]
fn update_refuses_labels_that_both_replace_and_change() {
    let stub = Stub::new();
    let ran = stub.svc(&["item", "update", "PRJ-12", "--labels", "bug,+ui"]).run();
    insta::assert_snapshot!("labels_mixed", ran);
    let ran = stub.svc(&["item", "update", "PRJ-12"]).run();
    assert_eq!(ran.code, 2, "nothing to change: {ran}");
    assert!(stub.seen().is_empty());
}

#[test]
fn move_names_the_state_under_the_version_it_read() {
    let stub = stub_with_item();
    stub.on("POST /orgs/demo/items/PRJ-12/transition", &item("PRJ-12", "Search forgets its filter"));
    insta::assert_snapshot!(
        "item_move",
        stub.svc(&["item", "move", "PRJ-12", "--state", "in progress"]).run()
    );
    assert_eq!(stub.last_body(), json!({ "version": 7, "state": "in progress" }));
}

#[test]
fn claim_is_a_compare_and_swap() {
    let stub = stub_with_item();
    stub.on("POST /orgs/demo/items/PRJ-12/claim", &item("PRJ-12", "Search forgets its filter"));
    insta::assert_snapshot!("item_claim", stub.svc(&["item", "claim", "PRJ-12"]).run());
    assert_eq!(stub.calls(), [ITEM, "POST /orgs/demo/items/PRJ-12/claim"]);
    assert_eq!(stub.last_body(), json!({ "version": 7 }));
}

#[test]
fn a_claim_lost_to_another_is_a_conflict_that_names_the_holder() {
    let stub = stub_with_item();
    let mut lost = problem(409, "item-claimed", "The item is already claimed.", Some("Robin holds it."));
    lost.holder = Some("Robin".into());
    stub.refuse("POST /orgs/demo/items/PRJ-12/claim", &lost);
    insta::assert_snapshot!("item_claim_lost", stub.svc(&["item", "claim", "PRJ-12"]).run());
}

#[test]
fn release_and_heartbeat_send_nothing_but_the_key() {
    let stub = Stub::new();
    for verb in ["release", "heartbeat"] {
        let call = format!("POST /orgs/demo/items/PRJ-12/{verb}");
        stub.on(&call, &fresh_item("PRJ-12", "Search forgets its filter"));
        stub.svc(&["item", verb, "PRJ-12"]).run().exits(0);
        assert_eq!(stub.calls().pop(), Some(call));
        let json = stub.svc(&["item", verb, "PRJ-12", "--json"]).run().json();
        assert_eq!(json["key"], "PRJ-12");
    }
}

#[test]
fn comment_sends_the_text_as_it_is() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/items/PRJ-12/comments", &comment("comment-1", ada(), "- one\n- two"));
    insta::assert_snapshot!(
        "item_comment",
        stub.svc(&["item", "comment", "PRJ-12", "-m", "- one\n- two"]).run()
    );
    assert_eq!(stub.last_body(), json!({ "body": "- one\n- two" }));
}

#[test]
fn branch_prints_a_name_for_git() {
    let stub = stub_with_item();
    let ran = stub.svc(&["item", "branch", "PRJ-12"]).run();
    assert_eq!(ran.stdout, "prj-12-search-forgets-its-filter\n");
    let json = stub.svc(&["item", "branch", "PRJ-12", "--json"]).run().json();
    assert_eq!(json, json!({ "branch": "prj-12-search-forgets-its-filter" }));
}

#[test]
fn what_is_no_item_key_never_leaves_the_machine() {
    let stub = Stub::new();
    for key in ["PRJ", "12", "../me", "PRJ-0", ""] {
        assert_eq!(stub.svc(&["item", "view", key]).run().code, 2, "{key:?}");
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn link_sends_the_address_and_shows_what_is_linked() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/items/PRJ-12/links", &item("PRJ-12", "Search forgets its filter"));
    stub.on("DELETE /orgs/demo/items/PRJ-12/links", &fresh_item("PRJ-12", "Search forgets its filter"));
    let url = "https://code.example/pull/5";
    insta::assert_snapshot!("item_link", stub.svc(&["item", "link", "PRJ-12", "--pr", url]).run());
    assert_eq!(stub.last_body(), json!({ "url": url }));
    let removed = stub.svc(&["item", "link", "PRJ-12", "--pr", url, "--remove", "--json"]).run();
    assert_eq!((removed.code, &removed.json()["links"]), (0, &json!([])), "{removed}");
    let call = stub.calls().pop().unwrap();
    assert!(call.starts_with("DELETE /orgs/demo/items/PRJ-12/links?url=https"), "{call}");
    assert_eq!(stub.svc(&["item", "link", "PRJ-12"]).run().code, 2, "a link needs an address");
}

#[test]
fn an_item_is_linked_with_another_and_no_longer() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/items/PRJ-12/links", &item("PRJ-12", "Search forgets its filter"));
    stub.on("DELETE /orgs/demo/items/PRJ-12/links", &item("PRJ-12", "Search forgets its filter"));
    stub.on("GET /orgs/demo/items/PRJ-12/links", &linked());
    insta::assert_snapshot!(
        "item_link_item",
        stub.svc(&["item", "link", "PRJ-12", "--blocked-by", "web-3"]).run()
    );
    let sent = stub.seen().into_iter().find(|seen| seen.call.starts_with("POST")).map(|seen| seen.body);
    assert_eq!(sent, Some(json!({"type": "blockedBy", "item": "WEB-3"})));
    let removed = stub.svc(&["item", "unlink", "PRJ-12", "--relates", "WEB-3", "--json"]).run();
    assert_eq!((removed.code, &removed.json()["items"][0]["item"]), (0, &json!("WEB-3")), "{removed}");
    assert!(
        stub.calls().iter().any(|call| call.contains("links?type=relates&item=WEB-3")),
        "{:?}",
        stub.calls()
    );
    for args in [&["--blocks", "WEB-3", "--relates", "WEB-4"][..], &["--blocks", "nonsense"], &[]] {
        assert_eq!(stub.svc(&[&["item", "unlink", "PRJ-12"], args].concat()).run().code, 2, "{args:?}");
    }
}

/// What PRJ-12 is linked with.
fn linked() -> Links {
    let other = ItemLink {
        kind: LinkKind::BlockedBy,
        item: "WEB-3".into(),
        item_type: ItemType::Task,
        title: "Serve the pages".into(),
        state: "In progress".into(),
        state_group: StateGroup::Active,
    };
    let pull_request = Link { url: "https://code.example/pull/5".into(), pull_request: None };
    Links { items: vec![other], hidden: 0, pull_requests: vec![pull_request] }
}

#[test]
fn an_effort_that_is_no_number_never_leaves_the_machine() {
    let stub = Stub::new();
    for args in [
        &["update", "PRJ-12", "--estimate", "nan"][..],
        &["update", "PRJ-12", "--remaining", "inf"],
        &["create", "-p", "PRJ", "--type", "bug", "--title", "x", "--estimate", "NaN"],
        &["subtask", "PRJ-12", "--title", "x", "--estimate", "nan"],
    ] {
        let ran = stub.svc(&[&["item"], args].concat()).run().exits(2);
        assert!(ran.stderr.contains("not a number such as"), "{ran}");
    }
    assert!(stub.seen().is_empty(), "sent as null it would clear what is there");
}

#[test]
fn a_number_below_zero_is_for_the_instance_to_refuse() {
    let stub = stub_with_item();
    let mut refused = problem(422, "validation-failed", "Some fields are not valid.", None);
    refused.errors.insert("estimate".into(), vec!["An estimate is not negative.".into()]);
    stub.refuse("PATCH /orgs/demo/items/PRJ-12", &refused);
    let ran = stub.svc(&["item", "update", "PRJ-12", "--estimate", "-1"]).run();
    assert_eq!((ran.code, stub.last_body()["estimate"].as_f64()), (2, Some(-1.0)), "{ran}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let stub = stub_with_item();
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    let update = ["item", "update", "PRJ-12", "--force", "--body-file"];
    let file = stub.home.path().join("body.md");
    std::fs::write(&file, "\u{feff}One\r\nTwo\r\n").unwrap();
    assert_eq!(stub.svc(&[&update[..], &[file.to_str().unwrap()]].concat()).run().code, 0);
    assert_eq!(stub.last_body()["body"], "One\r\nTwo\r\n");
    assert_eq!(stub.svc(&[&update[..], &["-"]].concat()).stdin("\u{feff}x").run().code, 0);
    assert_eq!(stub.last_body()["body"], "x");
}

#[test]
fn a_filter_that_finds_nothing_says_what_the_project_does_not_have() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(Vec::<Item>::new()));
    let state = |name: &str| WorkflowState::new(name, StateGroup::Active);
    let states = vec![state("Backlog"), state("In progress")];
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &Workflow { version: 1, states, moves: vec![] });
    let label = Label {
        name: "bug".into(),
        color: "#6b7280".into(),
        description: String::new(),
        items: 1,
        version: 1,
    };
    stub.on("GET /orgs/demo/projects/PRJ/labels", &[label]);
    let list = |filter| stub.svc(&["item", "list", "-p", "PRJ", "--filter", filter]).run();
    insta::assert_snapshot!(
        "item_list_unmatched",
        list("state:in-progress,active label:Bug,bgu -label:wontfix")
    );
    let asked = stub.calls().len();
    let known = list("state:\"in progress\",Closed type:bug");
    assert_eq!(known.stderr, "No items match.\n", "{known}");
    assert_eq!(stub.calls().len(), asked + 2, "labels are not asked for");
    stub.on("GET /orgs/demo/projects/PRJ/sprints", &page(Vec::<svc_api::tracker::Sprint>::new()));
    assert!(list("sprint:current").stderr.contains("PRJ has no active sprint"), "{}", list("sprint:current"));
    let json = stub.svc(&["item", "list", "-p", "PRJ", "--filter", "state:nonsense", "--json"]).run();
    assert_eq!((json.stdout.as_str(), json.stderr.as_str()), ("[]\n", ""), "{json}");
}

#[test]
fn what_was_not_found_is_named() {
    let stub = Stub::new();
    stub.refuse("GET /orgs/demo/items/PRJ-99", &problem(404, "not-found", "Not found.", None));
    let ran = stub.svc(&["item", "view", "prj-99"]).run().exits(4);
    assert!(ran.stderr.contains("no item \"PRJ-99\""), "{ran}");
}

#[test]
fn what_was_not_found_is_named_with_its_neighbours() {
    let gone = || problem(404, "not-found", "This does not exist, or you may not see it.", None);
    let stub = Stub::new();
    stub.on("GET /orgs", &[org("acme", "Acme"), org("demo", "Demo")]);
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Project", false), project("WEB", "Web", true)]);
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(vec![item("PRJ-12", "The newest")]));
    stub.on("GET /orgs/demo/items/PRJ-12", &item("PRJ-12", "The newest"));
    for call in [
        "GET /orgs/demo/items/PRJ-99",
        "GET /orgs/demo/items/NOPE-1",
        "GET /orgs/nope/items/PRJ-1",
        "GET /orgs/demo/projects/NOPE/labels",
        "GET /orgs/demo/projects/PRJ/wiki/pages/No/Such page",
        "GET /orgs/demo/items/PRJ-12/comments/c9",
        "GET /orgs/demo/projects/PRJ/teams/nope",
    ] {
        stub.refuse(call, &gone());
    }
    stub.refuse("GET /orgs/demo/projects/PRJ/wiki/pages/No/Such%20page", &gone());
    let mut said = String::new();
    for args in [
        &["item", "view", "PRJ-99"][..],
        &["item", "view", "NOPE-1"],
        &["item", "view", "PRJ-1", "--org", "nope"],
        &["label", "list", "-p", "nope"],
        &["wiki", "get", "PRJ", "No/Such page"],
        &["comment", "delete", "PRJ-12", "c9"],
        &["team", "view", "-p", "PRJ", "nope"],
    ] {
        let ran = stub.svc(args).run().exits(4);
        assert!(!ran.stderr.contains("that you can see"), "{ran}");
        said.push_str(&format!("{ran}\n"));
    }
    insta::assert_snapshot!("not_found", said);
}

/// The same is said of every older number that is not found, so that it tells nobody where an item went.
#[test]
fn an_older_number_that_is_not_found_may_be_elsewhere() {
    let stub = Stub::new();
    stub.on("GET /orgs", &[org("demo", "Demo")]);
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Project", false)]);
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(vec![item("PRJ-12", "The newest")]));
    for key in ["PRJ-3", "PRJ-13"] {
        stub.refuse(&format!("GET /orgs/demo/items/{key}"), &problem(404, "not-found", "Not found.", None));
    }
    let view = |key| stub.svc(&["item", "view", key]).run().stderr;
    let older = view("PRJ-3");
    assert!(older.contains("no item \"PRJ-3\""), "{older}");
    assert!(
        older.contains("PRJ-12; this one may be deleted, or in a project that you cannot see"),
        "{older}"
    );
    assert!(!view("PRJ-13").contains("may be deleted"), "that one was never made");
}

#[test]
fn the_caller_is_told_of_their_own_claim() {
    let stub = stub_with_item();
    let mut claimed = problem(409, "item-claimed", "The item is already claimed.", Some("Ada holds it."));
    claimed.holder = Some("Ada".into());
    stub.refuse("POST /orgs/demo/items/PRJ-12/claim", &claimed).on("GET /me", &me());
    insta::assert_snapshot!("own_claim", stub.svc(&["item", "claim", "PRJ-12"]).run());
}

#[test]
fn a_description_that_somebody_else_saved_is_not_overwritten() {
    let stub = Stub::new();
    let with = |version, body: &str| Item { version, body: body.into(), ..item("PRJ-12", "Search") };
    let update = ["item", "update", "PRJ-12", "--body-file", "-"];
    stub.on("GET /orgs/demo/items/PRJ-12", &with(7, "What I read"));
    assert_eq!(stub.svc(&["item", "view", "PRJ-12"]).run().code, 0);
    stub.now(ITEM, &with(9, "What somebody saved"));
    stub.on("PATCH /orgs/demo/items/PRJ-12", &with(9, "What somebody saved"));
    stub.svc(&update).stdin("mine").run().exits(3);
    stub.now(ITEM, &with(8, "What I read"));
    let ran = stub.svc(&update).stdin("mine").run();
    assert_eq!(
        (ran.code, stub.last_body()["version"].as_u64()),
        (0, Some(8)),
        "another field changed: {ran}"
    );
    let other = stub.svc(&["item", "update", "PRJ-12", "--priority", "low"]).run();
    assert_eq!(other.code, 0, "a change without the description needs no reading: {other}");
    let sure = stub.svc(&["item", "update", "PRJ-12", "-m", "mine", "--if-version", "9"]).run();
    assert_eq!((sure.code, stub.last_body()["version"].as_u64()), (0, Some(9)), "{sure}");
}

#[test]
fn title_and_description_are_edited_in_the_editor() {
    let stub = stub_with_item();
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    let edit = || stub.svc(&["item", "edit", "PRJ-12"]).env("PATH", "/usr/bin:/bin");
    assert_eq!(edit().env("EDITOR", "sed -i 1s/.*/Renamed/").run().code, 0);
    assert_eq!(stub.last_body(), serde_json::json!({ "version": 7, "title": "Renamed" }));
    let sent = stub.seen().len();
    assert_eq!(edit().env("EDITOR", "false").run().code, 2);
    assert_eq!(stub.seen().len(), sent + 1, "it was read, and nothing else");
    assert_eq!(stub.svc(&["item", "edit", "PRJ-12", "--priority", "low"]).run().code, 0);
    assert_eq!(stub.last_body(), serde_json::json!({ "version": 7, "priority": "low" }));
}

#[test]
fn an_item_moves_to_a_state_that_is_a_plain_word() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "x"));
    stub.on("POST /orgs/demo/items/PRJ-12/transition", &fresh_item("PRJ-12", "x"));
    for args in
        [&["item", "move", "PRJ-12", "in review"][..], &["item", "move", "PRJ-12", "--state", "in review"]]
    {
        assert_eq!(stub.svc(args).run().code, 0, "{args:?}");
        assert_eq!(stub.last_body(), json!({ "version": 7, "state": "in review" }));
    }
    for wrong in [&["item", "move", "PRJ-12"][..], &["item", "move", "PRJ-12", "done", "--state", "done"]] {
        assert_eq!(stub.svc(wrong).run().code, 2, "{wrong:?}");
    }
}

#[test]
fn the_first_list_of_an_organization_says_how_to_begin() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &json!([]));
    let ran = stub.svc(&["item", "list"]).run().exits(4);
    assert!(ran.stderr.contains("svc project create"), "{ran}");
}

#[test]
fn the_links_of_an_item_are_listed() {
    let stub = Stub::new();
    let link = json!({ "type": "blockedBy", "item": "WEB-3", "itemType": "task", "title": "Deploy", "state": "Backlog",
        "stateGroup": "backlog" });
    stub.on(
        "GET /orgs/demo/items/PRJ-12/links",
        &json!({ "items": [link], "pullRequests": [], "hidden": 1 }),
    );
    let ran = stub.svc(&["item", "links", "PRJ-12"]).run();
    assert_eq!(
        ran.stdout, "blocked by WEB-3 Deploy (Backlog)\n1 to items in projects that you cannot see\n",
        "{ran}"
    );
}

#[test]
fn the_color_of_a_label_has_a_name() {
    let stub = Stub::new();
    stub.refuse("POST /orgs/demo/projects/PRJ/labels", &problem(400, "x", "stop", None));
    stub.svc(&["label", "create", "ui", "-p", "PRJ", "--color", "Teal"]).run();
    assert_eq!(stub.last_body()["color"], "#008080");
    assert_eq!(stub.svc(&["label", "create", "ui", "-p", "PRJ", "--color", "reddish"]).run().code, 2);
}

#[test]
fn a_transfer_says_what_stays_behind() {
    let stub = Stub::new();
    let before = svc_api::tracker::Item {
        sprint: Some("s1".into()),
        milestone: Some("m1".into()),
        parent: Some("PRJ-3".into()),
        ..item("PRJ-12", "Search")
    };
    let after =
        svc_api::tracker::Item { sprint: None, milestone: None, parent: None, ..item("WEB-1", "Search") };
    stub.on("GET /orgs/demo/items/PRJ-12", &before);
    stub.on("POST /orgs/demo/items/PRJ-12/transfer", &after);
    let ran = stub.svc(&["item", "transfer", "PRJ-12", "WEB"]).run().exits(0);
    assert!(ran.stderr.contains("left behind: sprint \"s1\", milestone \"m1\", parent PRJ-3"), "{ran}");
    assert_eq!(stub.last_body().get("withChildren"), None, "as is usual: with them");
    let ran = stub.svc(&["item", "transfer", "PRJ-12", "WEB", "--without-children"]).run();
    assert_eq!((ran.code, &stub.last_body()["withChildren"]), (0, &false.into()), "{ran}");
}
