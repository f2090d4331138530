//! Words and options that people try first, because another command or program has them.

use serde_json::json;
use svc_api::identity::OrgRole;
use svc_api::tracker::Item;

use crate::fixtures::{fresh_item, item, label, me, member, page, problem, template};
use crate::stub::Stub;

#[test]
fn a_verb_of_another_noun_is_understood() {
    let stub = Stub::new();
    for words in [
        &["comment", "create"][..],
        &["comment", "add"],
        &["attachment", "upload"],
        &["attachment", "download"],
        &["wiki", "history"],
        &["agent", "add"],
    ] {
        stub.bare(&[words, &["--help"]].concat()).run().exits(0);
    }
}

#[test]
fn a_name_is_taken_as_an_argument_and_as_an_option() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/labels", &label("search"));
    for name in [&["search"][..], &["--name", "search"]] {
        stub.svc(&[&["label", "create", "-p", "PRJ"], name].concat()).run().exits(0);
        assert_eq!(stub.last_body()["name"], "search");
    }
    assert_eq!(stub.svc(&["label", "create", "a", "--name", "b", "-p", "PRJ"]).run().code, 2);
    assert_eq!(stub.svc(&["label", "create", "-p", "PRJ"]).run().code, 2);
}

#[test]
fn a_text_is_taken_as_an_option_and_from_stdin() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &item("PRJ-1", "T"));
    let create = ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "T"];
    for (text, stdin) in
        [(&["-m", "It does."][..], ""), (&["--body", "It does."], ""), (&["--body-file", "-"], "It does.")]
    {
        stub.svc(&[&create[..], text].concat()).stdin(stdin).run().exits(0);
        assert_eq!(stub.last_body()["body"], "It does.", "{text:?}");
    }
}

#[test]
fn a_request_without_a_method_is_a_get() {
    let stub = Stub::new();
    stub.on("GET /me", &json!({ "id": "u1" }));
    let ran = stub.svc(&["api", "/me", "--jq", ".id"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "u1\n"), "{ran}");
    let method = stub.svc(&["api", "DELETE"]).run();
    assert!(method.code == 2 && method.stderr.contains("is not a path"), "{method}");
}

#[test]
fn an_item_is_closed_by_the_moves_that_are_permitted() {
    let stub = Stub::new();
    let at = |state: &str, version| Item { state: state.into(), version, ..item("PRJ-1", "T") };
    let state = |name: &str, group: &str| json!({ "name": name, "group": group });
    let workflow = json!({
        "version": 1,
        "states": [state("Backlog", "backlog"), state("Doing", "active"), state("Closed", "closed")],
        "moves": [{ "from": "Backlog", "to": "Doing" }, { "from": "Doing", "to": "Closed" }],
    });
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow);
    stub.on("GET /orgs/demo/items/PRJ-1", &at("Backlog", 1));
    let transition = "POST /orgs/demo/items/PRJ-1/transition";
    let far = stub.svc(&["item", "close", "PRJ-1"]).run().exits(3);
    assert!(far.stderr.contains("--state 'Doing'`, `svc item move PRJ-1 --state 'Closed'`"), "{far}");
    assert!(!stub.calls().contains(&transition.to_owned()), "nothing was changed");
    stub.on(transition, &at("Doing", 2)).on(transition, &at("Closed", 3));
    let through = stub.svc(&["item", "close", "PRJ-1", "--through"]).run();
    assert_eq!(
        (through.code, stub.last_body()),
        (0, json!({ "version": 2, "state": "Closed" })),
        "{through}"
    );
    stub.now("GET /orgs/demo/items/PRJ-1", &at("Doing", 5));
    assert_eq!(stub.svc(&["item", "close", "PRJ-1"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 5, "state": "Closed" }));
    stub.now("GET /orgs/demo/items/PRJ-1", &at("Closed", 6));
    let again = stub.svc(&["item", "close", "PRJ-1"]).run();
    assert!(again.code == 0 && again.stderr.contains("closed already"), "{again}");
    stub.now("GET /orgs/demo/items/PRJ-1", &at("Elsewhere", 6));
    assert_eq!(stub.svc(&["item", "close", "PRJ-1"]).run().code, 3, "there is no way");
}

#[test]
fn an_item_is_reopened_and_moved_by_the_moves_that_are_permitted() {
    let stub = Stub::new();
    let at = |state: &str, version| Item { state: state.into(), version, ..item("PRJ-1", "T") };
    let states =
        ["Backlog", "Doing", "Done", "Closed"].iter().zip(["backlog", "active", "resolved", "closed"]);
    let states: Vec<_> = states.map(|(name, group)| json!({ "name": name, "group": group })).collect();
    let moves = [("Closed", "Done"), ("Done", "Doing"), ("Doing", "Backlog")];
    let moves = moves.map(|(from, to)| json!({ "from": from, "to": to }));
    let workflow = json!({ "version": 1, "states": states, "moves": moves });
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow)
        .on("GET /orgs/demo/items/PRJ-1", &at("Closed", 1));
    let far = stub.svc(&["item", "reopen", "PRJ-1"]).run();
    assert!(far.code == 3 && far.stderr.contains("`svc item reopen PRJ-1 --through`"), "{far}");
    let transition = "POST /orgs/demo/items/PRJ-1/transition";
    stub.on(transition, &at("Done", 2)).on(transition, &at("Doing", 3));
    assert_eq!(stub.svc(&["item", "reopen", "PRJ-1", "--through"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 2, "state": "Doing" }));
    stub.now("GET /orgs/demo/items/PRJ-1", &at("Done", 5));
    assert_eq!(stub.svc(&["item", "reopen", "PRJ-1"]).run().code, 0, "one move needs no --through");
    let before = stub.seen().len();
    assert_eq!(stub.svc(&["item", "move", "PRJ-1", "backlog", "--through"]).run().code, 0);
    let made = stub.calls().into_iter().skip(before).filter(|call| call == transition).count();
    assert_eq!((made, stub.last_body()["state"].clone()), (2, "Backlog".into()));
    stub.now("GET /orgs/demo/items/PRJ-1", &at("Doing", 6));
    let open = stub.svc(&["item", "reopen", "PRJ-1"]).run();
    assert!(open.code == 0 && open.stderr.contains("open already"), "{open}");
}

#[test]
fn an_item_begins_in_the_state_that_is_named() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &item("PRJ-1", "T"));
    let args = ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "T", "--state", "in progress"];
    assert_eq!(stub.svc(&args).run().code, 0);
    assert_eq!(stub.last_body()["state"], "in progress");
}

#[test]
fn a_tip_names_no_option_that_is_unlike_what_was_typed() {
    let stub = Stub::new();
    let tip = |args: &[&str]| stub.svc(args).run().stderr;
    let unlike = tip(&["sprint", "start", "current", "--to", "x"]);
    assert!(!unlike.contains("--token") && unlike.contains("Usage: svc sprint start [OPTIONS]"), "{unlike}");
    assert!(tip(&["item", "list", "--jsn"]).contains("'--json'"));
    assert!(tip(&["item", "list", "--filt", "x"]).contains("'--filter'"));
}

#[test]
fn a_name_that_is_taken_is_told_with_what_to_do() {
    let stub = Stub::new();
    let taken = problem(409, "already-exists", "Something with this name already exists.", None);
    stub.refuse("POST /orgs/demo/projects/PRJ/labels", &taken).refuse("POST /orgs", &taken);
    let label = stub.svc(&["label", "create", "bug", "-p", "PRJ"]).run().exits(3);
    assert!(label.stderr.contains("there is a label \"bug\" already"), "{label}");
    assert!(label.stderr.contains("`svc label edit -p PRJ`"), "{label}");
    let org = stub.svc(&["org", "create", "acme", "--name", "Acme"]).run();
    assert!(org.code == 3 && org.stderr.contains("an organization \"acme\" already"), "{org}");
}

#[test]
fn a_day_or_time_that_is_none_is_told_with_one() {
    let stub = Stub::new();
    for args in [
        &["sprint", "create", "-p", "PRJ", "-t", "WEB", "S", "--start", "1.2.2026"][..],
        &["sprint", "edit", "S", "--end", "someday"],
        &["item", "create", "--type", "bug", "--title", "x", "--due", "1/2/2026"],
        &["factory", "stats", "--since", "yesterday"],
    ] {
        let ran = stub.svc(args).run();
        assert!(ran.code == 2 && ran.stderr.contains("such as 2026-01-31"), "{ran}");
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn a_number_alone_is_an_item_of_the_default_project() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "Search"));
    for number in ["12", "#12"] {
        let ran = stub.svc(&["item", "view", number]).env("SVC_PROJECT", "prj").run();
        assert!(ran.code == 0 && ran.stdout.contains("PRJ-12"), "{ran}");
    }
    let ran = stub.svc(&["item", "view", "12"]).run();
    assert!(ran.code == 2 && ran.stderr.contains("svc project use"), "{ran}");
}

#[test]
fn the_title_of_an_item_is_its_argument_too() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &item("PRJ-1", "Find it"));
    for title in [&["Find it"][..], &["--title", "Find it"]] {
        let ran = stub.svc(&[&["item", "create", "-p", "PRJ", "--type", "bug"], title].concat()).run();
        assert_eq!((ran.code, &stub.last_body()["title"]), (0, &json!("Find it")), "{ran}");
        let ran = stub.svc(&[&["item", "subtask", "PRJ-1", "--estimate", "2"], title].concat()).run();
        assert_eq!((ran.code, &stub.last_body()["title"]), (0, &json!("Find it")), "{ran}");
    }
    let both = ["item", "create", "-p", "PRJ", "--type", "bug", "One", "--title", "Two"];
    assert_eq!(stub.svc(&both).run().code, 2);
}

#[test]
fn an_option_of_another_command_or_program_is_understood() {
    let stub = Stub::new();
    for (args, said) in [
        (&["item", "update", "PRJ-1", "--state", "Done"][..], "svc item move <ITEM_KEY> <STATE>"),
        (&["item", "update", "PRJ-1", "--status=Done"], "svc item move <ITEM_KEY> <STATE>"),
        (&["item", "create", "--description", "x"], "'--body'"),
        (&["item", "list", "--status", "x"], "'--state'"),
        (&["item", "link", "PRJ-1", "PRJ-2"], "how is PRJ-1 related to PRJ-2?"),
        (&["item", "link", "PRJ-1", "prj-2"], "PRJ-1 --relates PRJ-2"),
        (&["item", "view", "PRJ-1", "-p", "WEB"], "PRJ-1 is not an item of WEB"),
    ] {
        let ran = stub.svc(args).run();
        assert!(ran.code == 2 && ran.stderr.contains(said), "{said}: {ran}");
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn a_project_beside_a_key_is_taken() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "Search"));
    for args in [&["PRJ-12", "-p", "prj"][..], &["--project", "PRJ", "12"], &["-p=PRJ", "prj-12"]] {
        let ran = stub.svc(&[&["item", "view"], args].concat()).run();
        assert!(ran.code == 0 && ran.stdout.contains("PRJ-12"), "{ran}");
    }
}

#[test]
fn labels_are_given_in_a_list_and_one_by_one() {
    let stub = Stub::new();
    let items = "/orgs/demo/projects/PRJ/items";
    stub.on(&format!("POST {items}"), &item("PRJ-1", "T"));
    stub.on(&format!("GET {items}"), &page(vec![item("PRJ-1", "T")]));
    stub.on("GET /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("PATCH /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("POST /orgs/demo/projects/PRJ/templates", &template("t1", "T"));
    for labels in [&["--label", "a", "--labels", "b,c"][..], &["--labels", "a,b,c"]] {
        for create in [&["item", "create", "T"][..], &["template", "create", "T"]] {
            let ran = stub.svc(&[create, &["-p", "PRJ", "--type", "bug"], labels].concat()).run();
            assert_eq!((ran.code, &stub.last_body()["labels"]), (0, &json!(["a", "b", "c"])), "{ran}");
        }
        let ran = stub.svc(&[&["item", "update", "PRJ-1"], labels].concat()).run();
        assert_eq!((ran.code, &stub.last_body()["labels"]), (0, &json!(["a", "b", "c"])), "{ran}");
    }
    let change = ["item", "update", "PRJ-1", "--label", "+a", "--label", "-b"];
    assert_eq!(stub.svc(&change).run().code, 0);
    assert_eq!(stub.last_body()["addLabels"], json!(["a"]));
    let mixed = stub.svc(&["item", "update", "PRJ-1", "--label", "+a", "--label", "b"]).run();
    assert!(mixed.code == 2 && mixed.stderr.contains("not both"), "{mixed}");
    let list = ["item", "list", "-p", "PRJ", "--label", "a", "--label", "b,c", "--state", "active"];
    assert_eq!(stub.svc(&list).run().code, 0);
    let asked = stub.calls().pop().unwrap();
    assert!(asked.contains("label%3Aa%2Cb%2Cc"), "{asked}");
}

#[test]
fn me_is_whoever_asks_where_nobody_is_called_so() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/members", &[member("Ada", OrgRole::Member), member("Ben", OrgRole::Member)]);
    stub.on("GET /me", &me());
    stub.on("GET /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("PATCH /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(vec![item("PRJ-1", "T")]));
    assert_eq!(stub.svc(&["item", "update", "PRJ-1", "--assignee", "me"]).run().code, 0);
    assert_eq!(stub.last_body()["assignee"], "@me");
    assert_eq!(stub.svc(&["item", "list", "-p", "PRJ", "--assignee", "me"]).run().code, 0);
    assert!(stub.calls().pop().unwrap().contains("assignee%3A%40me"), "{:?}", stub.calls());
    let slip = stub.svc(&["item", "update", "PRJ-1", "--assignee", "bne"]).run();
    assert!(slip.code == 4 && slip.stderr.contains("did you mean \"Ben\"?"), "{slip}");
}

#[test]
fn a_list_shows_what_it_is_ordered_by() {
    let stub = Stub::new();
    let due = Item { due: Some("2026-03-04".parse().unwrap()), ..item("PRJ-1", "T") };
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(vec![due]));
    let list = |more: &[&str]| stub.svc(&[&["item", "list", "-p", "PRJ"], more].concat()).run().stdout;
    for (more, column) in [
        (&["--sort", "due"][..], "DUE"),
        (&["--filter", "due:<=friday"], "2026-03-04"),
        (&["--sort", "-created"], "CREATED"),
        (&["--sort", "estimate"], "ESTIMATE"),
    ] {
        let shown = list(more);
        assert!(shown.contains(column), "{column}: {shown}");
    }
    assert!(!list(&[]).contains("DUE"), "scripts");
}
