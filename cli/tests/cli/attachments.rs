//! `svc attachment`.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use axum::http::StatusCode;
use serde_json::json;
use svc_api::tracker::{AnnouncedAttachment, Upload, UploadHeader};

use crate::fixtures::{at, attachment, page, problem};
use crate::stub::Stub;

const BYTES: &str = "bytes of a picture \u{1b}[2J\u{0} and more";
const META: &str = "GET /orgs/demo/attachments/a1";
const CONTENT: &str = "GET /orgs/demo/attachments/a1/content";

/// An instance with one attachment.
fn stub() -> Stub {
    let stub = Stub::new();
    stub.on(META, &attachment("a1", "shot.png", "image/png", BYTES.len() as u64));
    stub.answer(CONTENT, StatusCode::OK, &[("content-type", "image/png")], BYTES.to_owned());
    stub
}

fn announced(url: &str, headers: &[(&str, &str)]) -> AnnouncedAttachment {
    let header = |(name, value): &(&str, &str)| UploadHeader { name: (*name).into(), value: (*value).into() };
    let upload = Upload {
        method: "PUT".into(),
        url: url.into(),
        headers: headers.iter().map(header).collect(),
        expires_at: at("13:00:00"),
    };
    AnnouncedAttachment { attachment: attachment("a1", "shot.png", "image/png", BYTES.len() as u64), upload }
}

#[test]
fn get_writes_the_bytes_and_nothing_else_to_a_pipe() {
    let stub = stub();
    for args in [&["attachment", "get", "a1"][..], &["attachment", "get", "a1", "-o", "-"]] {
        let ran = stub.svc(args).run();
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, BYTES, ""));
    }
    let json = stub.svc(&["attachment", "get", "a1", "--json"]).run();
    assert_eq!((json.code, json.stdout.as_str()), (2, ""), "{json}");
}

#[test]
fn get_saves_a_file_for_its_owner_alone() {
    let stub = stub();
    let directory = stub.home.path().join("here");
    fs::create_dir(&directory).unwrap();
    let file = directory.join("x.png");
    let path = file.to_str().unwrap();
    insta::assert_snapshot!("attachment_get", stub.svc(&["attachment", "get", "a1", "-o", path]).run());
    assert_eq!(fs::read_to_string(&file).unwrap(), BYTES);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(stub.svc(&["attachment", "get", "a1", "-o", path]).run().code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), BYTES);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "a replaced file too");

    let into = stub.svc(&["attachment", "get", "a1", "-o", directory.to_str().unwrap(), "--json"]).run();
    assert_eq!(into.json()["id"], "a1");
    assert_eq!(fs::read_to_string(directory.join("shot.png")).unwrap(), BYTES);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn get_never_writes_through_a_link() {
    let stub = stub();
    let (secret, link) = (stub.home.path().join("secret"), stub.home.path().join("link"));
    fs::write(&secret, "keep").unwrap();
    symlink(&secret, &link).unwrap();
    stub.svc(&["attachment", "get", "a1", "-o", link.to_str().unwrap()]).run().exits(2);
    assert_eq!(fs::read_to_string(&secret).unwrap(), "keep");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn the_name_of_an_attachment_leads_nowhere_else() {
    let stub = Stub::new();
    stub.on(META, &attachment("a1", "../../.bashrc", "image/png", BYTES.len() as u64));
    stub.answer(CONTENT, StatusCode::OK, &[], BYTES.to_owned());
    let directory = stub.home.path().join("here");
    fs::create_dir(&directory).unwrap();
    assert_eq!(stub.svc(&["attachment", "get", "a1", "-o", directory.to_str().unwrap()]).run().code, 0);
    assert_eq!(fs::read_to_string(directory.join("bashrc")).unwrap(), BYTES);
}

#[test]
fn what_broke_off_leaves_no_file() {
    let stub = Stub::new();
    stub.on(META, &attachment("a1", "shot.png", "image/png", 10_000));
    stub.answer(CONTENT, StatusCode::OK, &[], BYTES.to_owned());
    let directory = stub.home.path().join("here");
    fs::create_dir(&directory).unwrap();
    stub.svc(&["attachment", "get", "a1", "-o", directory.to_str().unwrap()]).run().exits(1);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
    assert_eq!(stub.svc(&["attachment", "get", "a1"]).run().code, 1);
}

#[test]
fn bytes_in_object_storage_are_fetched_without_the_token() {
    let stub = Stub::new();
    stub.on(META, &attachment("a1", "shot.png", "image/png", BYTES.len() as u64));
    stub.answer(CONTENT, StatusCode::FOUND, &[("location", "/storage/a1?signed=1")], String::new());
    stub.answer("GET /storage/a1", StatusCode::OK, &[], BYTES.to_owned());
    let ran = stub.svc(&["attachment", "get", "a1"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, BYTES), "{ran}");
    let seen = stub.seen();
    assert_eq!(seen.iter().map(|seen| seen.token.is_some()).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(seen[2].call, "GET /storage/a1?signed=1");
}

#[test]
fn what_is_not_there_is_told_as_such() {
    let stub = Stub::new();
    stub.refuse(META, &problem(404, "not-found", "This does not exist, or you may not see it.", None));
    assert_eq!(stub.svc(&["attachment", "get", "a1"]).run().code, 4);
}

#[test]
fn add_announces_sends_and_commits() {
    let stub = Stub::new();
    stub.on(
        "POST /orgs/demo/items/PRJ-12/attachments",
        &announced("/api/v1/orgs/demo/attachments/a1/content", &[]),
    );
    stub.answer("PUT /orgs/demo/attachments/a1/content", StatusCode::NO_CONTENT, &[], String::new());
    stub.on("POST /orgs/demo/attachments/a1/commit", &attachment("a1", "shot.png", "image/png", 48_213));
    let file = stub.home.path().join("shot.png");
    fs::write(&file, BYTES).unwrap();
    insta::assert_snapshot!(
        "attachment_add",
        stub.svc(&["attachment", "add", "prj-12", file.to_str().unwrap()]).run()
    );
    let seen = stub.seen();
    assert_eq!(seen[0].body["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(
        (&seen[0].body["name"], &seen[0].body["contentType"]),
        (&json!("shot.png"), &json!("image/png"))
    );
    assert_eq!(seen[0].body["size"], BYTES.len());
    assert_eq!(seen[1].bytes, BYTES.as_bytes());
    assert_eq!(seen[1].headers["content-length"], BYTES.len().to_string().as_str());
    assert_eq!(seen.len(), 3);
}

#[test]
fn add_sends_to_object_storage_what_was_signed_and_no_token() {
    let stub = Stub::new();
    let url = format!("{}/storage/a1?signed=1", stub.url);
    stub.on("POST /orgs/demo/items/PRJ-12/attachments", &announced(&url, &[("if-none-match", "*")]));
    stub.answer("PUT /storage/a1", StatusCode::PRECONDITION_FAILED, &[], "written before".to_owned());
    stub.on("POST /orgs/demo/attachments/a1/commit", &attachment("a1", "notes.md", "text/markdown", 5));
    let file = stub.home.path().join("notes");
    fs::write(&file, BYTES).unwrap();
    let path = file.to_str().unwrap();
    let add =
        ["attachment", "add", "PRJ-12", path, "--name", "notes.md", "--type", "text/markdown", "--json"];
    let ran = stub.svc(&add).run();
    assert_eq!(ran.json()["name"], "notes.md", "what is there already is as good");
    let seen = stub.seen();
    assert_eq!((seen[1].token.as_ref(), &seen[1].headers["if-none-match"]), (None, &"*".parse().unwrap()));
    assert_eq!(seen[1].bytes, BYTES.as_bytes());
}

#[test]
fn add_says_what_it_cannot_read() {
    let stub = Stub::new();
    for path in ["/nowhere/shot.png", stub.home.path().to_str().unwrap()] {
        assert_eq!(stub.svc(&["attachment", "add", "PRJ-12", path]).run().code, 2);
    }
    assert_eq!(stub.calls(), [] as [String; 0]);
}

#[test]
fn list_and_delete() {
    let stub = Stub::new();
    let mut of_comment = attachment("a2", "a very long name of a log file.txt", "text/plain", 900);
    of_comment.comment = Some("c1".into());
    let both = page(vec![attachment("a1", "shot.png", "image/png", 3_500_000), of_comment]);
    stub.on("GET /orgs/demo/items/PRJ-12/attachments", &both);
    insta::assert_snapshot!("attachment_list", stub.svc(&["attachment", "list", "PRJ-12"]).run());
    stub.answer("DELETE /orgs/demo/attachments/a1", StatusCode::NO_CONTENT, &[], String::new());
    stub.on("GET /orgs/demo/attachments/a1", &attachment("a1", "a.png", "image/png", 3));
    assert_eq!(stub.svc(&["attachment", "delete", "a1", "--yes"]).run().code, 0);
}

#[test]
fn get_into_a_directory_that_is_not_there_asks_for_no_bytes() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/attachments/a1", &attachment("a1", "shot.png", "image/png", 4));
    let path = stub.home.path().join("nowhere").join("shot.png");
    let ran = stub.svc(&["attachment", "get", "a1", "-o", path.to_str().unwrap()]).run().exits(2);
    assert!(ran.stderr.contains("there is no directory HOME/nowhere"), "{ran}");
    assert_eq!(stub.calls(), ["GET /orgs/demo/attachments/a1"]);
}

#[test]
fn an_item_without_attachments_says_so_and_prints_nothing() {
    let stub = Stub::new();
    let none = json!({ "page": 1, "pageSize": 100, "totalCount": 0, "items": [] });
    stub.on("GET /orgs/demo/items/PRJ-12/attachments", &none);
    let ran = stub.svc(&["attachment", "list", "PRJ-12"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(ran.stderr.contains("PRJ-12 has no attachments"), "{ran}");
}
