//! `svc milestone`, and `--milestone` of items.

use serde_json::{Value, json};
use svc_api::tracker::{Milestone, MilestoneProgress, MilestoneState};

use crate::fixtures::{at, fresh_item, item, problem};
use crate::stub::Stub;

const LIST: &str = "GET /orgs/demo/projects/PRJ/milestones";

fn milestone(id: &str, name: &str, state: MilestoneState) -> Milestone {
    let progress = MilestoneProgress {
        items: 5,
        backlog: 1,
        active: 1,
        resolved: 1,
        closed: 2,
        estimate: 13.0,
        remaining: 4.5,
    };
    Milestone {
        id: id.into(),
        version: 5,
        name: name.into(),
        description: "What early customers need.".into(),
        due: Some("2027-03-31".parse().unwrap()),
        state,
        progress,
        created_at: at("09:00:00"),
        closed_at: (state == MilestoneState::Closed).then(|| at("10:00:00")),
    }
}

fn stub() -> Stub {
    let stub = Stub::new();
    let beta = milestone("m1", "First beta", MilestoneState::Open);
    stub.on(LIST, &[beta.clone(), milestone("m2", "Alpha", MilestoneState::Closed)]);
    stub.on("PATCH /orgs/demo/projects/PRJ/milestones/m1", &beta);
    stub.on("PATCH /orgs/demo/projects/PRJ/milestones/m2", &milestone("m2", "Alpha", MilestoneState::Open));
    stub.on("POST /orgs/demo/projects/PRJ/milestones", &beta);
    stub
}

#[test]
fn milestones_are_listed_and_seen_with_their_progress() {
    let stub = stub();
    insta::assert_snapshot!("milestone_list", stub.svc(&["milestone", "list", "-p", "PRJ"]).run());
    let open = stub.svc(&["milestone", "list", "-p", "PRJ", "--state", "open"]).run().stdout;
    assert!(open.contains("First beta") && !open.contains("Alpha"), "{open}");
    insta::assert_snapshot!(
        "milestone_view",
        stub.svc(&["milestone", "view", "first BETA", "-p", "PRJ"]).run()
    );
    let unknown = stub.svc(&["milestone", "view", "Gamma", "-p", "PRJ"]).run().exits(4);
    assert!(unknown.stderr.contains("choose from: First beta, Alpha"), "{unknown}");
}

#[test]
fn create_sends_what_was_given_and_says_that_a_name_is_taken() {
    let stub = stub();
    let args = ["milestone", "create", "First beta", "-p", "PRJ", "--due", "2027-03-31", "-m", "Early"];
    let why = problem(409, "already-exists", "There is a milestone with this name already", None);
    stub.refuse("POST /orgs/demo/projects/PRJ/milestones", &why);
    assert_eq!(stub.svc(&args).run().code, 0);
    let sent = json!({"name": "First beta", "description": "Early", "due": "2027-03-31"});
    assert_eq!(stub.last_body(), sent);
    let taken = stub.svc(&args).run();
    assert!(taken.stderr.contains("there is a milestone \"First beta\" already"), "{taken}");
}

#[test]
fn a_milestone_is_changed_closed_and_reopened_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (vec!["edit", "first beta", "--due", "none"], json!({"version": 5, "due": null})),
        (vec!["edit", "m1", "--name", "Beta"], json!({"version": 5, "name": "Beta"})),
        (vec!["close", "First beta"], json!({"version": 5, "state": "closed"})),
        (vec!["reopen", "alpha"], json!({"version": 5, "state": "open"})),
    ] {
        stub.svc(&[&["milestone"], &args[..], &["-p", "PRJ"]].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
}

#[test]
fn items_get_a_milestone_by_its_name() {
    let stub = stub();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-13", "New"));
    let args =
        ["item", "create", "-p", "PRJ", "--type", "task", "--title", "New", "--milestone", "First beta"];
    assert_eq!(stub.svc(&args).run().code, 0);
    assert_eq!(stub.last_body()["milestone"], "First beta");
    stub.on("GET /orgs/demo/items/PRJ-12", &item("PRJ-12", "Search"));
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "Search"));
    for (name, sent) in [("Alpha", json!("Alpha")), ("none", Value::Null)] {
        stub.svc(&["item", "update", "PRJ-12", "--milestone", name]).run().exits(0);
        assert_eq!(stub.last_body()["milestone"], sent);
    }
}
