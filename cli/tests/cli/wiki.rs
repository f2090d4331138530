//! `svc wiki`.

use serde_json::json;
use svc_api::wiki::{
    Audience, AudienceKind, DeletedPage, DiffHunk, DiffLine, DiffLineKind, PageAccess, PageChange,
    PageChangeKind, PageDiff, PageVersion, WikiEntry, WikiPage,
};

use crate::fixtures::{ada, at, problem, project};
use crate::stub::Stub;

pub(crate) const PAGE: &str = "/orgs/demo/projects/PRJ/wiki/pages/Factory/Fix%20a%20bug";

pub(crate) fn page(version: u64) -> WikiPage {
    WikiPage {
        id: "page-1".into(),
        path: "Factory/Fix a bug".into(),
        title: "Fix a bug".into(),
        body: "# Fix a bug\n\nReproduce it first.\n".into(),
        version,
        updated_by: ada(),
        updated_at: at("09:00:00"),
        can_edit: true,
    }
}

#[test]
fn tree_lists_pages() {
    let stub = Stub::new();
    let entry = |path: &str, version| WikiEntry {
        id: path.into(),
        path: path.into(),
        title: path.into(),
        version,
        updated_at: at("09:00:00"),
        position: 0,
    };
    stub.on("GET /orgs/demo/projects/PRJ/wiki", &[entry("Factory", 1), entry("Factory/Fix a bug", 12)]);
    insta::assert_snapshot!("wiki_tree", stub.svc(&["wiki", "tree", "-p", "PRJ"]).run());
    assert_eq!(stub.svc(&["wiki", "tree", "-p", "PRJ", "--json"]).run().json()[1]["version"], 12);
}

#[test]
fn get_prints_the_text_and_nothing_else() {
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &page(3));
    let ran = stub.svc(&["wiki", "get", "PRJ", "Factory/Fix a bug"]).run();
    assert_eq!(ran.stdout, page(3).body);
    for path in ["Factory/../../secret", "Factory//x", "/", ""] {
        stub.svc(&["wiki", "get", "PRJ", path]).run().exits(2);
    }
    let asked = stub.calls().len();
    assert_eq!(asked, 1, "what is no path is not asked for");
    stub.on("GET /orgs/demo/projects/PRJ/wiki/pages/100%25/a%3Fb%23c/%C3%BC", &page(1));
    assert_eq!(stub.svc(&["wiki", "get", "prj", "100%/a?b#c/ü"]).run().code, 0);
}

#[test]
fn get_of_what_is_not_there_is_4_and_of_no_access_too() {
    let stub = Stub::new();
    stub.refuse(&format!("GET {PAGE}"), &problem(404, "not-found", "Not found.", None));
    let ran = stub.svc(&["wiki", "get", "PRJ", "Factory/Fix a bug"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""), "{ran}");
}

#[test]
fn an_empty_wiki_says_so_and_prints_nothing() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/wiki", &json!([]));
    let ran = stub.svc(&["wiki", "tree", "-p", "PRJ"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(ran.stderr.contains("no pages"), "{ran}");
    assert_eq!(stub.svc(&["wiki", "tree", "-p", "PRJ", "--json"]).run().json(), json!([]));
}

#[test]
fn put_writes_the_next_version_or_the_first() {
    let stub = Stub::new();
    stub.refuse(&format!("GET {PAGE}"), &problem(404, "not-found", "Not found.", None));
    stub.on(&format!("GET {PAGE}"), &page(3));
    stub.on(&format!("PUT {PAGE}"), &page(4));
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", "-"];
    assert_eq!(stub.svc(&put).stdin("text").run().code, 0);
    assert_eq!(stub.last_body(), json!({ "body": "text" }));
    insta::assert_snapshot!("wiki_put", stub.svc(&put).stdin("text").run());
    assert_eq!(stub.last_body(), json!({ "version": 3, "body": "text" }));
}

#[test]
fn put_that_comes_too_late_is_a_conflict_and_changes_nothing() {
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &page(3));
    let stale = problem(409, "stale-version", "Somebody else saved first.", None);
    stub.refuse(&format!("PUT {PAGE}"), &stale);
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", "-", "--if-version", "3"];
    let ran = stub.svc(&put).stdin("text").run().exits(3);
    insta::assert_snapshot!("wiki_put_conflict", ran);
}

#[test]
fn put_reads_a_file_before_it_asks_for_anything() {
    let stub = Stub::new();
    let file = stub.home.path().join("page.md");
    let path = file.to_str().unwrap();
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", path];
    assert_eq!(stub.svc(&put).run().code, 2, "there is no such file");
    std::fs::write(&file, b"caf\xe9").unwrap();
    stub.svc(&put).run().exits(2);
    assert!(stub.seen().is_empty());
    stub.on(&format!("GET {PAGE}"), &page(3));
    stub.on(&format!("PUT {PAGE}"), &page(4));
    std::fs::write(&file, "Öl\n").unwrap();
    assert_eq!(stub.svc(&[&put[..], &["--json", "--force"]].concat()).run().json()["version"], 4);
    assert_eq!(stub.last_body(), json!({ "version": 3, "body": "Öl\n" }));
}

#[test]
fn move_reads_the_version_and_names_the_new_path() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/wiki/pages/Guides/Old", &page(3));
    let moved = WikiPage { path: "Team/New".into(), ..page(4) };
    stub.on("POST /orgs/demo/projects/PRJ/wiki/move/Guides/Old", &moved);
    insta::assert_snapshot!("wiki_move", stub.svc(&["wiki", "move", "PRJ", "Guides/Old", "Team/New"]).run());
    assert_eq!(stub.last_body(), json!({ "version": 3, "to": "Team/New" }));
}

#[test]
fn versions_are_listed_to_the_first_and_printed() {
    let stub = Stub::new();
    let call = "GET /orgs/demo/projects/PRJ/wiki/versions/Guides/Old";
    let version = |number, change| PageVersion {
        version: number,
        body: format!("text {number}\n"),
        author: ada(),
        at: at("09:00:00"),
        change,
    };
    let restored = PageChange { kind: PageChangeKind::Restored, version: Some(1), path: None };
    stub.on(call, &[version(3, restored), version(2, PageChange::default())]);
    stub.on(call, &[version(1, PageChange::default())]);
    stub.on("GET /orgs/demo/projects/PRJ/wiki/version/2/Guides/Old", &version(2, PageChange::default()));
    insta::assert_snapshot!("wiki_versions", stub.svc(&["wiki", "versions", "PRJ", "Guides/Old"]).run());
    assert_eq!(stub.calls(), [call.to_owned(), format!("{call}?before=2")], "nothing is before the first");
    let old = stub.svc(&["wiki", "get", "PRJ", "Guides/Old", "--version", "2"]).run();
    assert_eq!(old.stdout, "text 2\n", "{old}");
}

#[test]
fn two_versions_are_compared_and_an_old_one_comes_back() {
    let stub = Stub::new();
    let line = |kind, text: &str| DiffLine { kind, text: text.into() };
    let lines = vec![line(DiffLineKind::Removed, "old"), line(DiffLineKind::Added, "new")];
    let hunk = DiffHunk { old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, lines };
    let unified = "@@ -1 +1 @@\n-old\n+new\n".into();
    let diff = PageDiff { from: 2, to: 3, hunks: vec![hunk], unified, truncated: false };
    let call = "GET /orgs/demo/projects/PRJ/wiki/diff/Guides/Old";
    stub.on(call, &diff).on(call, &PageDiff { hunks: vec![], unified: String::new(), ..diff.clone() });
    let ran = stub.svc(&["wiki", "diff", "PRJ", "Guides/Old", "--from", "2", "--to", "3"]).run();
    assert_eq!(ran.stdout, diff.unified, "{ran}");
    assert_eq!(stub.calls(), [format!("{call}?from=2&to=3")]);
    let same = stub.svc(&["wiki", "diff", "PRJ", "Guides/Old"]).run();
    assert!(same.stdout.is_empty() && same.stderr.contains("the same text"), "{same}");
    stub.on("GET /orgs/demo/projects/PRJ/wiki/pages/Guides/Old", &page(3));
    stub.on("POST /orgs/demo/projects/PRJ/wiki/restore/Guides/Old", &page(4));
    assert_eq!(stub.svc(&["wiki", "restore", "PRJ", "Guides/Old", "--version", "2"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 3, "restore": 2 }));
}

#[test]
fn pages_are_deleted_listed_and_brought_back() {
    let stub = Stub::new();
    stub.on("DELETE /orgs/demo/projects/PRJ/wiki/pages/Guides/Old", &json!(null));
    let deleted = DeletedPage {
        id: "page-1".into(),
        path: "Guides/Old".into(),
        title: "Old".into(),
        version: 4,
        deleted_by: ada(),
        deleted_at: at("09:00:00"),
    };
    stub.on("GET /orgs/demo/projects/PRJ/wiki/deleted", &[deleted]);
    stub.on("POST /orgs/demo/projects/PRJ/wiki/deleted/page-1/restore", &page(5));
    assert_eq!(stub.svc(&["wiki", "delete", "PRJ", "Guides/Old"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["wiki", "delete", "PRJ", "Guides/Old", "--yes"]).run().code, 0);
    insta::assert_snapshot!("wiki_deleted", stub.svc(&["wiki", "deleted", "-p", "PRJ"]).run());
    for args in
        [["undelete", "page-1"], ["undelete", "Guides/Old"], ["restore", "Guides/Old"], ["restore", "page-1"]]
    {
        stub.svc(&["wiki", args[0], "PRJ", args[1]]).run().exits(0);
        assert_eq!(stub.calls().pop().unwrap(), "POST /orgs/demo/projects/PRJ/wiki/deleted/page-1/restore");
    }
    let none = stub.svc(&["wiki", "restore", "PRJ", "Guides/New"]).run();
    assert!(none.code == 4 && none.stderr.contains("svc wiki deleted -p PRJ"), "{none}");
    let path = "/orgs/demo/projects/PRJ/wiki/pages/Guides/Old";
    stub.refuse(&format!("GET {path}"), &problem(404, "not-found", "Not found.", None));
    stub.on(&format!("PUT {path}"), &WikiPage { path: "Guides/Old".into(), ..page(1) });
    let put = stub.svc(&["wiki", "put", "PRJ", "Guides/Old", "-m", "New"]).run();
    assert!(put.code == 0 && put.stderr.contains("svc wiki restore -p PRJ 'Guides/Old'"), "{put}");
}

#[test]
fn access_is_shown_and_changed_where_it_is_named() {
    let stub = Stub::new();
    let path = "/orgs/demo/projects/PRJ/wiki/access/Plans";
    let members = Audience { who: AudienceKind::Members, people: vec![] };
    let access = PageAccess { version: 3, read: Some(members), edit: None, can_change: true };
    stub.on(&format!("GET {path}"), &access).on(&format!("PUT {path}"), &access);
    insta::assert_snapshot!("wiki_access", stub.svc(&["wiki", "access", "PRJ", "Plans"]).run());
    let id = "0193a6e5-0000-7000-8000-000000000001";
    for (args, sent) in [
        (
            &["--edit", "admins"][..],
            json!({ "version": 3, "read": { "who": "members" }, "edit": { "who": "admins" } }),
        ),
        (&["--read", "none"], json!({ "version": 3, "read": null, "edit": null })),
        (
            &["--read", "people", "--people", id],
            json!({ "version": 3, "read": { "who": "people", "people": [id] }, "edit": null }),
        ),
    ] {
        stub.svc(&[&["wiki", "access", "PRJ", "Plans"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
}

#[test]
fn a_page_that_somebody_else_saved_is_not_overwritten() {
    let stub = Stub::new();
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", "-"];
    let saved = |version, body: &str| WikiPage { body: body.into(), ..page(version) };
    stub.on(&format!("GET {PAGE}"), &saved(3, "What I read"));
    let unread = stub.svc(&put).stdin("mine").run().exits(3);
    assert!(unread.stderr.contains("you have not read it"), "{unread}");
    assert_eq!(stub.svc(&["wiki", "get", "-p", "PRJ", "Factory/Fix a bug"]).run().code, 0);

    stub.now(&format!("GET {PAGE}"), &saved(4, "What somebody saved"));
    let agent = ["wiki", "get", "PRJ", "Factory/Fix a bug", "--token", "other"];
    assert_eq!(stub.svc(&agent).run().code, 0, "what another credential reads, this one has not read");
    let late = stub.svc(&put).stdin("mine").run().exits(3);
    assert!(late.stderr.contains("version 3 then, 4 now"), "{late}");
    assert!(stub.calls().iter().all(|call| call.starts_with("GET ")), "{:?}", stub.calls());

    stub.on(&format!("PUT {PAGE}"), &saved(5, "mine"));
    assert_eq!(stub.svc(&[&put[..], &["--force"]].concat()).stdin("mine").run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 4, "body": "mine" }));
    stub.now(&format!("GET {PAGE}"), &saved(5, "mine"));
    assert_eq!(stub.svc(&put).stdin("mine again").run().code, 0, "one's own text may be replaced");
}

#[test]
fn a_page_is_edited_in_the_editor_and_a_text_that_cannot_be_saved_is_kept() {
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &page(3)).on(&format!("PUT {PAGE}"), &page(4));
    let edit = || stub.svc(&["wiki", "edit", "PRJ", "Factory/Fix a bug"]).env("PATH", "/usr/bin:/bin");
    let none = edit().run().exits(2);
    assert!(none.stderr.contains("EDITOR"), "{none}");
    assert_eq!(edit().env("EDITOR", "true").run().code, 0);
    assert!(!stub.calls().iter().any(|call| call.starts_with("PUT")), "nothing was changed");
    assert_eq!(edit().env("EDITOR", "printf 'More\\n' >>").run().code, 0);
    let body = stub.last_body();
    assert_eq!(
        (body["version"].as_u64(), body["body"].as_str().unwrap().ends_with("More\n")),
        (Some(3), true)
    );

    let late = Stub::new();
    late.on(&format!("GET {PAGE}"), &page(3));
    late.refuse(&format!("PUT {PAGE}"), &problem(409, "stale-version", "Somebody else saved first.", None));
    let ran = late.svc(&["wiki", "edit", "PRJ", "Factory/Fix a bug"]);
    let ran = ran
        .env("PATH", "/usr/bin:/bin")
        .env("EDITOR", "printf More >>")
        .env("TMPDIR", late.home.path())
        .run()
        .exits(3);
    let kept = ran.stderr.split("kept in ").nth(1).unwrap().lines().next().unwrap().to_owned();
    let kept = kept.replace("HOME", late.home.path().to_str().unwrap());
    assert!(std::fs::read_to_string(kept).unwrap().ends_with("More"), "{ran}");
}

/// `svc wiki put WEB/Foo` made a page WEB/Foo in the default project.
#[test]
fn a_path_that_begins_with_the_key_of_another_project_does_not_land_in_the_default_one() {
    let stub = Stub::new();
    let none = problem(404, "not-found", "Not found.", None);
    stub.on("GET /orgs/demo/projects/WEB", &project("WEB", "Shop", false));
    stub.refuse("GET /orgs/demo/projects/FAQ", &none);
    for (args, hint) in [
        (&["wiki", "put", "WEB/Foo", "-m", "x"][..], "-p WEB Foo is in WEB, -p PRJ WEB/Foo in PRJ"),
        (&["wiki", "get", "WEB/How to"], "-p WEB 'How to' is in WEB, -p PRJ 'WEB/How to' in PRJ"),
        (&["wiki", "move", "WEB/A", "WEB/B"], "-p WEB A B is in WEB"),
        (&["wiki", "delete", "WEB/A", "--yes"], "-p WEB A is in WEB"),
    ] {
        let ran = stub.svc(args).env("SVC_PROJECT", "PRJ").run();
        assert!(ran.code == 2 && ran.stderr.contains(hint), "{ran}");
    }
    assert!(stub.calls().iter().all(|call| call == "GET /orgs/demo/projects/WEB"), "{:?}", stub.calls());
    let at = |project: &str, path: &str| {
        let call = format!("GET /orgs/demo/projects/{project}/wiki/pages/{path}");
        stub.on(&call, &page(3));
        call
    };
    for (args, project, path) in [
        (&["wiki", "get", "FAQ/Sizes"][..], "PRJ", "FAQ/Sizes"),
        (&["wiki", "get", "-p", "PRJ", "WEB/Foo"], "PRJ", "WEB/Foo"),
        (&["wiki", "get", "PRJ", "WEB/Foo"], "PRJ", "WEB/Foo"),
    ] {
        let call = at(project, path);
        let ran = stub.svc(args).env("SVC_PROJECT", "PRJ").run();
        assert_eq!((ran.code, stub.calls().pop().unwrap()), (0, call), "{ran}");
    }
    let call = at("WEB", "Foo");
    let ran = stub.svc(&["wiki", "get", "WEB/Foo"]).run();
    assert_eq!((ran.code, stub.calls().pop().unwrap()), (0, call), "without a default project: {ran}");
}

#[test]
fn put_without_a_text_names_every_way_to_give_one() {
    let stub = Stub::new();
    let ran = stub.svc(&["wiki", "put", "-p", "PRJ", "Guide"]).run().exits(2);
    for way in ["-m", "--file", "--file -", "svc wiki edit -p PRJ Guide"] {
        assert!(ran.stderr.contains(way), "{way}: {ran}");
    }
    assert!(stub.calls().is_empty(), "{:?}", stub.calls());
}
