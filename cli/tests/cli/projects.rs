//! `svc project`.

use crate::fixtures::project;
use crate::stub::Stub;

#[test]
fn archived_projects_are_listed_on_request() {
    let stub = Stub::new();
    let (old, live) = (project("OLD", "Retired project", true), project("PRJ", "Search and find", false));
    stub.on("GET /orgs/demo/projects", &[&live]).on("GET /orgs/demo/projects", &[&old, &live]);
    insta::assert_snapshot!("project_list", stub.svc(&["project", "list"]).run());
    insta::assert_snapshot!("project_list_archived", stub.svc(&["project", "list", "--archived"]).run());
    assert_eq!(stub.calls(), ["GET /orgs/demo/projects", "GET /orgs/demo/projects?archived=true"]);
    let json = stub.svc(&["project", "list", "--archived", "--json"]).run();
    insta::assert_snapshot!("project_list_json", json);
}

#[test]
fn an_empty_list_is_talk_for_people_and_data_for_scripts() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &serde_json::json!([]));
    let ran = stub.svc(&["project", "list"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(!ran.stderr.is_empty());
    assert_eq!(stub.svc(&["project", "list", "--json"]).run().stdout, "[]\n");
}
