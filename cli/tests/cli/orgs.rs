//! `svc org`.

use axum::http::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use svc_api::deletion::Deletion;
use svc_api::identity::{Actor, CreatedScimToken, GroupRole, GroupRoles, OrgRole, Organization, ScimToken};

use crate::fixtures::{at, me, member, org, problem, project};
use crate::stub::Stub;

#[test]
fn organizations_are_listed_with_what_one_is_in_them() {
    let stub = Stub::new();
    stub.on("GET /orgs", &me().organizations);
    insta::assert_snapshot!("org_list", stub.svc(&["org", "list"]).run());
}

#[test]
fn a_view_tells_of_people_and_projects() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo", &org("demo", "Demo")).on("GET /orgs/other", &org("other", "Other"));
    let people = [member("Ada", OrgRole::Owner), member("Ben", OrgRole::Admin), member("Cy", OrgRole::Guest)];
    stub.on("GET /orgs/demo/members", &people);
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search", false), project("WEB", "Web", false)]);
    insta::assert_snapshot!("org_view", stub.svc(&["org", "view"]).run());
    let json = stub.svc(&["org", "view", "other", "--json"]).run().json();
    assert_eq!(json, serde_json::to_value(org("other", "Other")).unwrap(), "the one that is named");
}

#[test]
fn groups_are_mapped_beside_those_that_are() {
    let stub = Stub::new();
    let map = |groups: &[(&str, OrgRole)]| GroupRoles {
        groups: groups
            .iter()
            .map(|(group, role)| GroupRole { group: (*group).into(), role: *role })
            .collect(),
        at_sign_in: false,
        version: 4,
    };
    let path = "/orgs/demo/group-roles";
    stub.on(&format!("GET {path}"), &map(&[("staff", OrgRole::Guest), ("leads", OrgRole::Admin)]));
    let now = map(&[("leads", OrgRole::Admin), ("staff", OrgRole::Member)]);
    stub.on(&format!("PUT {path}"), &now);
    let listed = stub.svc(&["org", "group", "list"]).run();
    assert!(listed.stdout.contains("leads") && listed.stdout.contains("admin"), "{listed}");
    let ran = stub.svc(&["org", "group", "map", "staff", "Member"]).run();
    assert_eq!(
        (ran.code, stub.last_body()),
        (
            0,
            json!({
                "version": 4, "groups": [{"group": "leads", "role": "admin"}, {"group": "staff", "role": "member"}],
            })
        )
    );
    assert!(ran.stderr.contains("come by SCIM"), "{ran}");
    let ran = stub.svc(&["org", "group", "unmap", "staff"]).run();
    assert_eq!(stub.last_body()["groups"], json!([{"group": "leads", "role": "admin"}]), "{ran}");
    assert_eq!(stub.svc(&["org", "group", "unmap", "nobody"]).run().code, 2);
}

#[test]
fn the_secret_of_a_scim_token_alone_is_data_and_it_is_revoked_by_its_name() {
    let stub = Stub::new();
    let token = ScimToken {
        id: "0193a6e5-0000-7000-8000-000000000001".into(),
        name: "Okta".into(),
        by: Some("Ada".into()),
        works: true,
        created_at: at("12:00:00"),
    };
    let address = "https://work.example.com/scim/v2/orgs/demo".to_owned();
    let created = CreatedScimToken { token: token.clone(), secret: "svd_secret".into(), address };
    let listed = vec![token.clone()];
    stub.on("POST /orgs/demo/scim-tokens", &created).on("GET /orgs/demo/scim-tokens", &listed);
    let ran = stub.svc(&["org", "scim", "create", "Okta"]).run();
    assert_eq!((ran.stdout.as_str(), stub.last_body()), ("svd_secret\n", json!({"name": "Okta"})));
    assert!(ran.stderr.contains("/scim/v2/orgs/demo"), "{ran}");
    let listed = stub.svc(&["org", "scim", "list"]).run();
    assert!(listed.stdout.contains("Okta") && !listed.stdout.contains("svd_"), "{listed}");
    stub.on(&format!("DELETE /orgs/demo/scim-tokens/{}", token.id), &json!(null));
    let ran = stub.svc(&["org", "scim", "revoke", "okta", "--yes"]).run();
    assert!(stub.calls().iter().any(|call| call.starts_with("DELETE")), "{ran}");
}

#[test]
fn create_sends_slug_and_name() {
    let stub = Stub::new();
    stub.on("POST /orgs", &org("acme", "Acme Ltd"));
    insta::assert_snapshot!("org_create", stub.svc(&["org", "create", "acme", "--name", "Acme Ltd"]).run());
    assert_eq!(stub.last_body(), json!({ "slug": "acme", "name": "Acme Ltd" }));
}

#[test]
fn edit_sends_only_what_was_asked_under_the_version_that_was_read() {
    let stub = Stub::new();
    for slug in ["demo", "acme"] {
        stub.on(&format!("GET /orgs/{slug}"), &org(slug, "x"));
        stub.on(&format!("PATCH /orgs/{slug}"), &org(slug, "x"));
    }
    for (args, call, sent) in [
        (&["--name", "Demo Ltd"][..], "PATCH /orgs/demo", json!({ "version": 1, "name": "Demo Ltd" })),
        (&["acme", "--read-only", "true"], "PATCH /orgs/acme", json!({ "version": 1, "readOnly": true })),
    ] {
        stub.svc(&[&["org", "edit"], args].concat()).run().exits(0);
        assert_eq!((stub.calls().pop().unwrap().as_str(), stub.last_body()), (call, sent));
    }
    assert_eq!(stub.svc(&["org", "edit"]).run().code, 2, "nothing to change");
}

#[test]
fn leaving_takes_the_slug_and_a_yes() {
    let stub = Stub::new();
    let ran = stub.svc(&["org", "leave", "demo"]).run();
    insta::assert_snapshot!("org_leave_unasked", ran);
    assert!(stub.seen().is_empty(), "nothing is sent unasked");
    assert_eq!(stub.svc(&["org", "leave", "--yes"]).run().code, 2, "which?");
    stub.answer("POST /orgs/demo/leave", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["org", "leave", "demo", "--yes"]).run().code, 0);
    let last = Stub::new();
    last.refuse("POST /orgs/demo/leave", &problem(409, "conflict", "The last Owner stays.", None));
    assert_eq!(last.svc(&["org", "leave", "demo", "-y"]).run().code, 3);
}

#[test]
fn organizations_are_deleted_by_their_slug_and_restored() {
    let stub = Stub::new();
    let deletion = Deletion {
        by: Actor { id: "user-ada".into(), name: "Ada".into(), agent: false },
        at: Timestamp::UNIX_EPOCH,
        restorable_until: Timestamp::UNIX_EPOCH,
    };
    let gone = Organization { deletion: Some(deletion), ..org("old", "Retired Ltd") };
    stub.on("GET /orgs/acme", &org("acme", "Acme Ltd"));
    stub.on("GET /orgs?deleted=true", &[&gone]);
    stub.answer("DELETE /orgs/acme", StatusCode::NO_CONTENT, &[], String::new());
    stub.refuse("GET /orgs/old", &problem(410, "deleted", "This was deleted.", None));
    stub.on("POST /orgs/old/restore", &org("old", "Retired Ltd"));
    let unasked = stub.svc(&["org", "delete", "acme"]).run();
    assert!(
        unasked.code == 2 && unasked.stderr.contains("Type acme to delete the organization"),
        "{unasked}"
    );
    stub.svc(&["org", "delete", "acme", "--yes"]).run().exits(0);
    assert_eq!(stub.calls().last().unwrap(), "DELETE /orgs/acme?confirm=acme");
    assert_eq!(stub.svc(&["org", "delete", "--yes"]).run().code, 2, "which?");
    let listed = stub.svc(&["org", "list", "--deleted"]).run();
    for part in ["old", "Ada", "1970-01-01", "Retired Ltd"] {
        assert!(listed.stdout.contains(part), "{part}: {listed}");
    }
    let back = stub.svc(&["org", "restore", "old"]).run();
    assert!(back.code == 0 && back.stdout.contains("Retired Ltd"), "{back}");
    let there = stub.svc(&["org", "restore", "acme"]).run();
    assert!(there.code == 4 && there.stderr.contains("\"acme\" is not deleted"), "{there}");
}

#[test]
fn the_audit_log_is_read_to_its_end_and_by_what_was_asked() {
    let stub = Stub::new();
    let line = |id: &str, action: &str, name: &str| {
        json!({
            "id": id, "at": "2026-03-01T10:00:00Z", "by": { "id": "u1", "name": "Ada", "agent": false },
            "byEmail": "ada@example.com", "action": action, "name": name, "email": "ben@example.com",
            "from": "member", "to": "admin",
        })
    };
    let first = json!({ "entries": [line("3", "memberChanged", "Ben")], "next": "3" });
    let by_itself =
        json!({ "id": "2", "at": "2026-03-01T09:00:00Z", "action": "projectPurged", "project": "OLD" });
    let by_rule = json!({
        "id": "1", "at": "2026-03-01T08:00:00Z", "via": "rule Go", "action": "runStarted", "project": "WEB", "to": "WEB-1",
    });
    let last = json!({ "entries": [by_itself, by_rule] });
    stub.on("GET /orgs/demo/audit?limit=50", &first).on("GET /orgs/demo/audit?before=3&limit=49", &last);
    insta::assert_snapshot!("org_audit", stub.svc(&["org", "audit"]).run());

    stub.on("GET /orgs/demo/members", &[member("Ada", OrgRole::Owner)]);
    stub.on(
        "GET /orgs/demo/audit?action=memberChanged&by=user-ada&since=2026-01-31T00%3A00%3A00Z&limit=200",
        &first,
    );
    stub.on(
        "GET /orgs/demo/audit?action=memberChanged&by=user-ada&since=2026-01-31T00%3A00%3A00Z&before=3&limit=200",
        &last,
    );
    let args =
        ["org", "audit", "--ndjson", "--action", "memberChanged", "--by", "Ada", "--since", "2026-01-31"];
    insta::assert_snapshot!("org_audit_ndjson", stub.svc(&args).run());
}
