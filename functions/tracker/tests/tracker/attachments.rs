//! Attachments: announced, uploaded, committed, downloaded, removed, and what is cut off in between.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use futures::StreamExt as _;
use http::{Method, Request, StatusCode, header};
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use svc_app::messages::PurgeItem;
use svc_app::tracker::attachments::sweep;
use svc_app::tracker::deletion;
use svc_domain::ids::RunId;
use svc_storage::{Op, Retention, keys};
use svc_testkit::{Reply, TestApp, call, send};

use crate::world::World;

/// The beginning of a PNG of 640×480, and something behind it.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0and the rest of it";

fn announcement(name: &str, content_type: &str, bytes: &[u8]) -> Value {
    json!({"name": name, "size": bytes.len(), "contentType": content_type})
}

async fn request(
    router: &Router,
    method: Method,
    token: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    send(router, request.body(body).unwrap()).await
}

impl World {
    async fn announce(&self, body: Value) -> Value {
        self.post("/items/PRJ-1/attachments", body).await.is(201).json
    }

    async fn put(&self, url: &Value, bytes: &[u8]) -> Reply {
        let body = Body::from(bytes.to_vec());
        request(&self.router, Method::PUT, &self.ada.token, url.as_str().unwrap(), &[], body).await
    }

    async fn commit(&self, id: &Value) -> Reply {
        self.post(&format!("/attachments/{}/commit", id.as_str().unwrap()), Value::Null).await
    }

    /// A committed attachment of PRJ-1, as the commit answered it.
    async fn attach(&self, name: &str, content_type: &str, bytes: &[u8]) -> Value {
        let announced = self.announce(announcement(name, content_type, bytes)).await;
        self.put(&announced["upload"]["url"], bytes).await.is(204);
        self.commit(&announced["attachment"]["id"]).await.is(200).json
    }

    async fn download(&self, token: &str, attachment: &Value, headers: &[(&str, &str)]) -> Reply {
        let url = attachment["url"].as_str().unwrap();
        request(&self.router, Method::GET, token, url, headers, Body::empty()).await
    }

    async fn listed(&self, token: &str) -> Vec<Value> {
        self.get_as(token, "/items/PRJ-1/attachments").await.json["items"].as_array().unwrap().clone()
    }

    /// Everything of attachments in the store: names of rows and of blobs.
    async fn leavings(&self) -> Vec<String> {
        let mut found = Vec::new();
        let key = "PRJ-1".parse().unwrap();
        let mut partitions = vec![keys::item_pk(self.org.id, &key)];
        partitions.extend((0..keys::FILE_DUE_SHARDS).map(keys::file_due_pk));
        for pk in partitions {
            let query = svc_storage::Query::new(pk, svc_storage::Range::All, 1_000);
            let rows = self.kit.app.table.query_all(query).await.unwrap();
            let ours = rows.into_iter().filter(|row| {
                row.key.sk.starts_with(keys::FILE_PREFIX) || row.key.pk.starts_with("FILEDUE#")
            });
            found.extend(ours.map(|row| format!("{}/{}", row.key.pk, row.key.sk)));
        }
        let blobs = self.kit.app.blobs.list(Retention::Attachment, "", None).await.unwrap();
        found.extend(blobs.into_iter().map(|blob| blob.key.to_string()));
        found
    }
}

#[tokio::test]
async fn a_file_is_announced_uploaded_committed_and_downloaded() {
    let world = World::new().await;
    world.item("Item").await;
    let announced =
        world.post("/items/PRJ-1/attachments", announcement("../shot.png", "image/png", PNG)).await;
    assert_snapshot!("announced", announced.snapshot());
    assert_eq!(world.listed(&world.ada.token).await, [] as [Value; 0], "not committed, not listed");
    let id = &announced.json["attachment"]["id"];
    let early = world.commit(id).await;
    assert_eq!((early.status.as_u16(), early.problem()), (409, "conflict"), "{}", early.text);

    assert_eq!(world.put(&announced.json["upload"]["url"], PNG).await.status, 204);
    assert_eq!(
        world.put(&announced.json["upload"]["url"], PNG).await.status,
        204,
        "the same again is harmless"
    );
    let committed = world.commit(id).await;
    assert_snapshot!("committed", committed.snapshot());
    assert_eq!(world.commit(id).await.json, committed.json, "a second commit is harmless");
    let late = world.put(&announced.json["upload"]["url"], PNG).await;
    assert_eq!((late.status.as_u16(), late.problem()), (409, "conflict"));

    let seen_by_bob = world.listed(&world.bob.token).await;
    assert_eq!(seen_by_bob.len(), 1);
    assert_eq!(seen_by_bob[0]["canDelete"], false);
    let downloaded = world.download(&world.guest.token, &committed.json, &[]).await;
    assert_eq!((downloaded.status.as_u16(), &downloaded.bytes[..]), (200, PNG));
    let shown = [
        "content-type",
        "content-disposition",
        "content-length",
        "x-content-type-options",
        "content-security-policy",
        "cache-control",
        "accept-ranges",
    ];
    let headers: String = shown.map(|name| format!("{name}: {}\n", downloaded.header(name))).concat();
    assert_snapshot!("download_headers", headers);
    assert_eq!(
        world.get("/items/PRJ-1").await.json["version"],
        1,
        "an attachment is no change of the item's fields"
    );
    assert_eq!(world.history("PRJ-1").await, ["ada created - -→-", "ada attached attachment -→shot.png"]);
}

#[tokio::test]
async fn parts_and_known_copies_are_answered() {
    let world = World::new().await;
    world.item("Item").await;
    let text: Vec<u8> = (0..300_000_u32).flat_map(|n| n.to_string().into_bytes()).collect();
    let attachment = world.attach("numbers.txt", "text/plain", &text).await;
    let get = async |headers: &[(&str, &str)]| world.download(&world.ada.token, &attachment, headers).await;
    let whole = get(&[]).await;
    assert_eq!(&whole.bytes[..], &text[..]);
    assert!(whole.header("content-disposition").starts_with("attachment;"));
    assert_eq!(whole.header("content-type"), "text/plain; charset=utf-8");

    let part = get(&[("range", "bytes=100-199")]).await;
    assert_eq!((part.status.as_u16(), &part.bytes[..]), (206, &text[100..200]));
    assert_eq!(part.header("content-range"), format!("bytes 100-199/{}", text.len()));
    let end = get(&[("range", "bytes=-10")]).await;
    assert_eq!(&end.bytes[..], &text[text.len() - 10..]);
    let beyond = get(&[("range", "bytes=99999999-")]).await;
    assert_eq!((beyond.status.as_u16(), beyond.problem()), (416, "range-not-satisfiable"));
    assert_eq!(beyond.header("content-range"), format!("bytes */{}", text.len()));

    let tag = whole.header("etag");
    let known = get(&[("if-none-match", tag)]).await;
    assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
    let other = get(&[("range", "bytes=0-1"), ("if-range", "\"other\"")]).await;
    assert_eq!((other.status.as_u16(), other.bytes.len()), (200, text.len()));
}

/// The worst that a browser could be sent: it is saved as opaque bytes, whatever it says of itself.
#[tokio::test]
async fn what_a_browser_might_run_is_never_shown() {
    let world = World::new().await;
    world.item("Item").await;
    let html = b"<!doctype html><script>alert(document.cookie)</script>";
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";
    for (name, content_type, bytes) in [
        ("page.html", "text/html; charset=utf-8", &html[..]),
        ("page.xhtml", "application/xhtml+xml", html),
        ("drawing.svg", "image/svg+xml", svg),
        ("data.xml", "application/xml", svg),
        ("code.js", "text/javascript", b"alert(1)"),
        ("plain.txt", "text/plain", html),
        ("paper.pdf", "application/pdf", b"%PDF-1.7\n"),
    ] {
        let attachment = world.attach(name, content_type, bytes).await;
        assert_eq!(attachment["isImage"], false, "{name}");
        let reply = world.download(&world.ada.token, &attachment, &[]).await;
        assert!(reply.header("content-disposition").starts_with("attachment;"), "{name}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("content-security-policy"), "sandbox; default-src 'none'");
        let served = reply.header("content-type");
        assert!(
            !served.contains("html") && !served.contains("xml") && !served.contains("script"),
            "{name}: {served}"
        );
    }
}

#[tokio::test]
async fn what_arrives_must_be_what_was_announced() {
    let world = World::new().await;
    world.item("Item").await;
    let announced = world.announce(announcement("a.bin", "application/octet-stream", b"0123456789")).await;
    let url = &announced["upload"]["url"];
    for bytes in [&b"012345678"[..], b"0123456789+", b""] {
        let reply = world.put(url, bytes).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{}", reply.text);
        assert!(reply.json["errors"]["size"].is_array(), "{}", reply.text);
    }
    assert_eq!(world.put(url, b"0123456789").await.status, 204, "nothing was kept of the others");
    let other = world.put(url, b"abcdefghij").await;
    assert_eq!((other.status.as_u16(), other.problem()), (409, "conflict"));
    assert_eq!(world.commit(&announced["attachment"]["id"]).await.status, 200);

    // A picture that is none, and bytes of another sum: gone, with the reason.
    let sum = hex::encode(Sha256::digest(b"other"));
    for (announcement, field) in [
        (json!({"name": "a.png", "size": 10, "contentType": "image/png"}), "contentType"),
        (json!({"name": "a", "size": 10, "contentType": "text/plain", "sha256": sum}), "sha256"),
    ] {
        let announced = world.announce(announcement).await;
        world.put(&announced["upload"]["url"], b"0123456789").await;
        let refused = world.commit(&announced["attachment"]["id"]).await.is(422);
        assert!(refused.json["errors"][field].is_array(), "{}", refused.text);
        assert_eq!(world.commit(&announced["attachment"]["id"]).await.status, 404);
    }
    let sum = hex::encode(Sha256::digest(b"0123456789")).to_uppercase();
    let right =
        world.announce(json!({"name": "a", "size": 10, "contentType": "text/plain", "sha256": sum})).await;
    world.put(&right["upload"]["url"], b"0123456789").await;
    assert_eq!(world.commit(&right["attachment"]["id"]).await.status, 200);
    assert_eq!(world.listed(&world.ada.token).await.len(), 2);
}

#[tokio::test]
async fn an_organization_has_so_many_bytes_and_more_after_removing_some() {
    let mut settings = svc_app::Settings::default();
    settings.limits.storage_megabytes = 1;
    let world = World::with(settings).await;
    world.item("Item").await;
    let large = json!({"name": "a.txt", "size": 400_000, "contentType": "text/plain"});
    let announce = || world.post("/items/PRJ-1/attachments", large.clone());
    let first = announce().await;
    assert_eq!((first.status, announce().await.status), (StatusCode::CREATED, StatusCode::CREATED));
    let full = announce().await;
    assert_eq!((full.status, full.problem()), (StatusCode::CONFLICT, "conflict"));
    assert!(full.text.contains("remove some first"), "{}", full.text);
    let path = format!("/orgs/demo/attachments/{}", first.json["attachment"]["id"].as_str().unwrap());
    call(&world.router, Method::DELETE, &path, Some(&world.ada.token), None).await.is(204);
    assert_eq!(announce().await.status, StatusCode::CREATED);
    assert_eq!(announce().await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn limits_are_named_when_they_are_met() {
    let mut settings = svc_app::Settings::default();
    settings.attachments.max_bytes = 1_000;
    settings.attachments.max_per_item = 2;
    settings.attachments.allowed_types = "image/*, text/plain".to_owned();
    let world = World::with(settings).await;
    world.item("Item").await;
    let refused = world
        .post("/items/PRJ-1/attachments", json!({"name": "..", "size": 1_001, "contentType": "text/html"}))
        .await;
    assert_snapshot!(refused.snapshot());
    for bad in [
        json!({}),
        json!({"name": "a", "size": -1, "contentType": "text/plain"}),
        json!({"name": "a", "size": 0, "contentType": "text/plain"}),
        json!({"name": "a", "size": 1, "contentType": "text/plain", "sha256": "x"}),
    ] {
        assert_eq!(world.post("/items/PRJ-1/attachments", bad).await.status, 422);
    }
    let one = json!({"name": "a.txt", "size": 1, "contentType": "text/plain"});
    let both = futures::join!(
        world.post("/items/PRJ-1/attachments", one.clone()),
        world.post("/items/PRJ-1/attachments", one.clone())
    );
    assert_eq!((both.0.status.as_u16(), both.1.status.as_u16()), (201, 201));
    let full = world.post("/items/PRJ-1/attachments", one.clone()).await;
    assert_eq!((full.status.as_u16(), full.problem()), (409, "conflict"));
    let id = both.0.json["attachment"]["id"].as_str().unwrap();
    let path = format!("/attachments/{id}");
    assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await.status, 204);
    assert_eq!(world.post("/items/PRJ-1/attachments", one).await.status, 201, "one went, one may come");
}

#[tokio::test]
async fn who_may_do_what() {
    let world = World::new().await;
    world.item("Item").await;
    let new = announcement("a.txt", "text/plain", b"text");
    let mut for_comment = new.clone();
    for_comment["forComment"] = true.into();
    let announce = async |token: &str, body: &Value| {
        world.post_as(token, "/items/PRJ-1/attachments", body.clone()).await
    };
    assert_eq!(announce(&world.guest.token, &new).await.problem(), "forbidden", "a guest changes no item");
    assert_eq!(announce(&world.guest.token, &for_comment).await.status, 201, "and comments");
    assert_eq!(announce(&world.outsider.token, &new).await.status, 404);
    let reader = world.kit.token(world.ada.id, &[svc_domain::identity::Scope::Read], None).await;
    assert_eq!(announce(&reader, &new).await.problem(), "missing-scope");

    // What is not committed is its author's alone.
    let announced = world.announce(new.clone()).await;
    let id = announced["attachment"]["id"].as_str().unwrap().to_owned();
    let path = format!("/attachments/{id}");
    let nothing = world.get_as(&world.bob.token, "/attachments/01890000-0000-7000-8000-000000000000").await;
    for token in [&world.bob.token, &world.outsider.token, &world.owner] {
        assert_eq!(world.get_as(token, &path).await.snapshot(), nothing.snapshot());
        let url = announced["upload"]["url"].as_str().unwrap();
        let put = request(&world.router, Method::PUT, token, url, &[], Body::from("text")).await;
        assert_eq!(put.status, 404);
        assert_eq!(world.post_as(token, &format!("{path}/commit"), Value::Null).await.status, 404);
    }
    world.put(&announced["upload"]["url"], b"text").await;
    assert_eq!(world.download(&world.ada.token, &announced["attachment"], &[]).await.status, 404, "not yet");
    let committed = world.commit(&announced["attachment"]["id"]).await.json;
    assert_eq!(world.get_as(&world.bob.token, &path).await.status, 200);
    assert_eq!(world.get_as(&world.outsider.token, &path).await.snapshot(), nothing.snapshot());
    assert_eq!(world.download(&world.outsider.token, &committed, &[]).await.status, 404);

    let delete = async |token: &str| world.change_as(token, Method::DELETE, &path, Value::Null).await;
    assert_eq!(delete(&world.bob.token).await.problem(), "forbidden");
    assert_eq!(delete(&world.guest.token).await.problem(), "forbidden");
    assert_eq!(delete(&world.outsider.token).await.status, 404);
    assert_eq!(delete(&world.chief.token).await.status, 204, "an Admin of the project may");
    assert_eq!(delete(&world.chief.token).await.status, 404);
    assert_eq!(world.history("PRJ-1").await.last().unwrap(), "chief detached attachment a.txt→-");
}

#[tokio::test]
async fn archived_projects_keep_their_attachments_as_they_are() {
    let world = World::new().await;
    world.item("Item").await;
    let attachment = world.attach("a.txt", "text/plain", b"text").await;
    let announced = world.announce(announcement("b.txt", "text/plain", b"text")).await;
    let archive = json!({"version": 1, "archived": true});
    world.change_as(&world.owner, Method::PATCH, "/projects/PRJ", archive).await;
    assert_eq!(world.download(&world.ada.token, &attachment, &[]).await.status, 200);
    let path = format!("/attachments/{}", attachment["id"].as_str().unwrap());
    for reply in [
        world.post("/items/PRJ-1/attachments", announcement("c.txt", "text/plain", b"text")).await,
        world.put(&announced["upload"]["url"], b"text").await,
        world.commit(&announced["attachment"]["id"]).await,
        world.change_as(&world.owner, Method::DELETE, &path, Value::Null).await,
    ] {
        assert_eq!(reply.problem(), "project-archived", "{}", reply.text);
    }
    assert_eq!(world.listed(&world.ada.token).await[0]["canDelete"], false);
}

#[tokio::test]
async fn an_agent_reads_the_attachments_of_its_item_and_nothing_else() {
    let world = World::new().await;
    world.item("Its own").await;
    world.item("Another").await;
    let own = world.attach("a.txt", "text/plain", b"own").await;
    let pending = world.announce(announcement("b.txt", "text/plain", b"text")).await;
    let elsewhere =
        world.post("/items/PRJ-2/attachments", announcement("c.txt", "text/plain", b"text")).await.json;
    world.put(&elsewhere["upload"]["url"], b"text").await;
    world.commit(&elsewhere["attachment"]["id"]).await;
    let (_, run, agent): (_, RunId, String) = world.kit.agent_token(&world.org, &world.project).await;
    let pointer = keys::item_run(world.org.id, &"PRJ-1".parse().unwrap(), run);
    svc_testkit::write(&world.kit.app, vec![Op::create(pointer, &run)]).await.unwrap();

    assert_eq!(world.listed(&agent).await.len(), 1);
    assert_eq!(&world.download(&agent, &own, &[]).await.bytes[..], b"own");
    assert_eq!(world.get_as(&agent, "/items/PRJ-2/attachments").await.status, 404);
    assert_eq!(world.download(&agent, &elsewhere["attachment"], &[]).await.status, 404);
    assert_eq!(world.download(&agent, &pending["attachment"], &[]).await.status, 404);
    let new = announcement("d.txt", "text/plain", b"text");
    assert_eq!(world.post_as(&agent, "/items/PRJ-1/attachments", new).await.problem(), "forbidden");
    let path = format!("/attachments/{}", own["id"].as_str().unwrap());
    assert_eq!(world.change_as(&agent, Method::DELETE, &path, Value::Null).await.problem(), "forbidden");
    assert_eq!(world.post_as(&agent, &format!("{path}/commit"), Value::Null).await.problem(), "forbidden");
}

#[tokio::test]
async fn a_comment_takes_its_attachments_with_it() {
    let world = World::new().await;
    world.item("Item").await;
    let mut new = announcement("a.txt", "text/plain", b"text");
    new["forComment"] = true.into();
    let announced = world.announce(new.clone()).await;
    let id = announced["attachment"]["id"].clone();
    let comment = |ids: Value| json!({"body": "See the file", "attachments": ids});
    let early = world.post("/items/PRJ-1/comments", comment(json!([id]))).await;
    assert_eq!(early.status, 422, "it is not committed: {}", early.text);
    world.put(&announced["upload"]["url"], b"text").await;
    let committed = world.commit(&id).await.json;
    assert_eq!((&committed["committed"], &committed["comment"]), (&json!(true), &Value::Null));
    assert_eq!(world.listed(&world.ada.token).await, [] as [Value; 0], "no comment shows it yet");
    assert_eq!(
        world.get_as(&world.bob.token, &format!("/attachments/{}", id.as_str().unwrap())).await.status,
        404
    );

    let item = world.attach("item.txt", "text/plain", b"text").await;
    for (token, ids) in [
        (&world.bob.token, json!([id])),
        (&world.ada.token, json!([id, id])),
        (&world.ada.token, json!(["nothing"])),
        (&world.ada.token, json!([id, "01890000-0000-7000-8000-000000000000"])),
        (&world.ada.token, json!([item["id"]])),
    ] {
        let refused = world.post_as(token, "/items/PRJ-1/comments", comment(ids)).await;
        assert!(refused.json["errors"]["attachments"].is_array(), "{}", refused.text);
    }
    let written = world.post("/items/PRJ-1/comments", comment(json!([id]))).await.is(201);
    let listed = world.listed(&world.bob.token).await;
    assert_eq!((listed.len(), &listed[0]["comment"]), (2, &written.json["id"]));
    let again = world.post("/items/PRJ-1/comments", comment(json!([id]))).await;
    assert_eq!(again.status, 422, "it has its comment");
    assert_eq!(world.history("PRJ-1").await.len(), 2, "files of comments are no history of the item");
    world.kit.advance(SignedDuration::from_hours(100));
    assert_eq!(sweep(&world.kit.app).await.unwrap(), 0);
    assert_eq!(world.listed(&world.bob.token).await.len(), 2, "what belongs to something stays");
}

#[tokio::test]
async fn deleting_a_comment_takes_its_attachments() {
    let world = World::new().await;
    world.item("Item").await;
    let mut new = announcement("a.txt", "text/plain", b"text");
    new["forComment"] = true.into();
    let announced = world.announce(new).await;
    world.put(&announced["upload"]["url"], b"text").await;
    world.commit(&announced["attachment"]["id"]).await;
    let comment = json!({"body": "See the file", "attachments": [announced["attachment"]["id"]]});
    let comment = world.post("/items/PRJ-1/comments", comment).await;
    world.attach("kept.txt", "text/plain", b"text").await;
    let path = format!("/items/PRJ-1/comments/{}", comment.json["id"].as_str().unwrap());
    assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await.status, 204);
    assert_eq!(world.listed(&world.ada.token).await.len(), 1, "hidden at once");
    assert_eq!(world.download(&world.ada.token, &announced["attachment"], &[]).await.status, 404);

    world.kit.advance(SignedDuration::from_hours(2));
    let told = world.kit.app.queue.receive(10, std::time::Duration::ZERO).await.unwrap();
    for message in told.iter().chain(&told) {
        let message = serde_json::from_str(&message.body).unwrap();
        svc_workers::handle(&world.kit.app, &message).await.unwrap();
    }
    let left = world.leavings().await;
    assert_eq!(left.len(), 2, "the other's row and bytes: {left:?}");
}

/// Specification section 2.9: a reply in a thread that an agent started is hidden from stakeholders, and so is
/// what is attached to it.
#[tokio::test]
async fn what_is_attached_to_a_hidden_comment_is_hidden() {
    let world = World::new().await;
    world.item("Item").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let thread = world.post_as(&agent, "/items/PRJ-1/comments", json!({"body": "Which one?"})).await.is(201);
    let mut new = announcement("answer.txt", "text/plain", b"text");
    new["forComment"] = true.into();
    let announced = world.post_as(&world.owner, "/items/PRJ-1/attachments", new).await.json;
    let url = announced["upload"]["url"].as_str().unwrap();
    let put = request(&world.router, Method::PUT, &world.owner, url, &[], Body::from("text")).await;
    assert_eq!(put.status, 204);
    let id = announced["attachment"]["id"].as_str().unwrap();
    world.post_as(&world.owner, &format!("/attachments/{id}/commit"), Value::Null).await;
    let reply = json!({"body": "This one", "replyTo": thread.json["id"], "attachments": [id]});
    world.post_as(&world.owner, "/items/PRJ-1/comments", reply).await.is(201);

    assert_eq!(world.listed(&world.owner).await.len(), 1);
    assert_eq!(&world.download(&world.owner, &announced["attachment"], &[]).await.bytes[..], b"text");
    for token in [&world.ada.token, &world.guest.token] {
        assert_eq!(world.listed(token).await, [] as [Value; 0]);
        let path = format!("/attachments/{id}");
        assert_eq!(world.get_as(token, &path).await.status, 404);
        assert_eq!(world.download(token, &announced["attachment"], &[]).await.status, 404);
    }
    // Nor may an Admin of the project remove what they cannot see.
    let path = format!("/attachments/{id}");
    assert_eq!(world.change_as(&world.chief.token, Method::DELETE, &path, Value::Null).await.status, 404);
}

#[tokio::test]
async fn what_comes_to_nothing_goes_with_its_bytes() {
    let world = World::new().await;
    world.item("Item").await;
    // Never uploaded, uploaded and never committed, committed for a comment that nobody wrote.
    world.announce(announcement("a.txt", "text/plain", b"text")).await;
    let uploaded = world.announce(announcement("b.txt", "text/plain", b"text")).await;
    world.put(&uploaded["upload"]["url"], b"text").await;
    let mut new = announcement("c.txt", "text/plain", b"text");
    new["forComment"] = true.into();
    let loose = world.announce(new).await;
    world.put(&loose["upload"]["url"], b"text").await;
    world.commit(&loose["attachment"]["id"]).await;

    world.kit.advance(SignedDuration::from_mins(59));
    assert_eq!(sweep(&world.kit.app).await.unwrap(), 0, "nothing's time is over");
    world.kit.advance(SignedDuration::from_mins(2));
    let late = world.put(&uploaded["upload"]["url"], b"text").await;
    assert_eq!((late.status.as_u16(), late.problem()), (409, "conflict"));
    assert_eq!(world.commit(&uploaded["attachment"]["id"]).await.problem(), "conflict");
    world.kit.advance(SignedDuration::from_mins(10));
    assert_eq!(sweep(&world.kit.app).await.unwrap(), 2);
    assert_eq!(world.commit(&uploaded["attachment"]["id"]).await.status, 404);
    assert_eq!(world.leavings().await.len(), 3, "the loose one has a row, a note and its bytes");
    world.kit.advance(SignedDuration::from_hours(25));
    assert_eq!(sweep(&world.kit.app).await.unwrap(), 1);
    assert_eq!(world.leavings().await, [] as [String; 0]);
    let count: Value = world
        .kit
        .app
        .table
        .get(&keys::files(world.org.id, &"PRJ-1".parse().unwrap()))
        .await
        .unwrap()
        .unwrap()
        .read()
        .unwrap();
    assert_eq!(count["files"], 0);
}

#[tokio::test]
async fn a_removal_that_is_cut_off_is_finished_by_the_tick() {
    let world = World::new().await;
    world.item("Item").await;
    let attachment = world.attach("a.txt", "text/plain", b"text").await;
    let path = format!("/attachments/{}", attachment["id"].as_str().unwrap());
    assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await.status, 204);
    // Bytes that were on their way land after the rows are gone.
    let id = attachment["id"].as_str().unwrap();
    let key = svc_storage::BlobKey::new(Retention::Attachment, &format!("{}/{id}", world.org.id));
    world.kit.app.blobs.put_once(&key, Bytes::from_static(b"late")).await.unwrap();
    world.kit.advance(SignedDuration::from_mins(71));
    assert_eq!(sweep(&world.kit.app).await.unwrap(), 0, "the attachment went long ago");
    assert_eq!(world.leavings().await, [] as [String; 0]);
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing_and_may_be_repeated() {
    let world = World::new().await;
    world.item("Item").await;
    let bytes = vec![7_u8; 300_000];
    let announced = world.announce(announcement("a.bin", "application/octet-stream", &bytes)).await;
    let url = announced["upload"]["url"].as_str().unwrap();
    let pieces = futures::stream::iter([Ok(Bytes::from(bytes[..200_000].to_vec())), Err("gone")]);
    let broken = Body::from_stream(pieces.map(|piece| piece.map_err(std::io::Error::other)));
    let reply = request(&world.router, Method::PUT, &world.ada.token, url, &[], broken).await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (400, "malformed-request"));
    let temporary = world.kit.directory().join("blobs/.tmp");
    let rest = || std::fs::read_dir(&temporary).unwrap().count();
    // What was written is removed beside the answer.
    let gone = async {
        while rest() > 0 {
            tokio::task::yield_now().await
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), gone).await.expect("no rest of it");
    assert_eq!(world.put(&announced["upload"]["url"], &bytes).await.status, 204);
    assert_eq!(world.commit(&announced["attachment"]["id"]).await.status, 200);
}

/// It was to be tried again in a moment.
#[tokio::test]
async fn an_upload_while_the_directory_is_gone_is_refused_in_words_and_may_be_repeated() {
    let world = World::new().await;
    world.item("Item").await;
    let announced = world.announce(announcement("a.txt", "text/plain", b"text")).await;
    let (blobs, aside) = (world.kit.directory().join("blobs"), world.kit.directory().join("aside"));
    std::fs::rename(&blobs, &aside).unwrap();
    assert!(world.kit.app.blobs.probe().await.is_err(), "the health check says it");
    let refused = world.put(&announced["upload"]["url"], b"text").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (503, "unavailable"));
    assert!(refused.text.contains("Tell the operator"), "{}", refused.text);
    assert!(!blobs.exists(), "no second directory was begun");
    std::fs::rename(&aside, &blobs).unwrap();
    assert_eq!(world.put(&announced["upload"]["url"], b"text").await.status, 204);
    assert_eq!(world.commit(&announced["attachment"]["id"]).await.status, 200);
}

/// More than is held in memory: pieces made as they are taken, and counted as they come back.
#[tokio::test]
async fn a_large_file_streams_through() {
    let world = World::new().await;
    world.item("Item").await;
    const PIECE: usize = 64 * 1024;
    const COUNT: usize = 640;
    let announced = world
        .announce(
            json!({"name": "large.bin", "size": PIECE * COUNT, "contentType": "application/octet-stream"}),
        )
        .await;
    let url = announced["upload"]["url"].as_str().unwrap();
    let pieces =
        futures::stream::iter((0..COUNT).map(|n| Ok::<_, std::io::Error>(Bytes::from(vec![n as u8; PIECE]))));
    request(&world.router, Method::PUT, &world.ada.token, url, &[], Body::from_stream(pieces)).await.is(204);
    let committed = world.commit(&announced["attachment"]["id"]).await.json;
    let whole = world.download(&world.ada.token, &committed, &[]).await.bytes;
    assert_eq!(whole.len(), PIECE * COUNT);
    assert!(whole.chunks(PIECE).enumerate().all(|(n, piece)| piece.iter().all(|byte| *byte == n as u8)));
}

#[tokio::test]
async fn racing_commits_and_removals_leave_one_truth() {
    let world = World::new().await;
    world.item("Item").await;
    for _ in 0..5 {
        let announced = world.announce(announcement("a.txt", "text/plain", b"text")).await;
        world.put(&announced["upload"]["url"], b"text").await;
        let id = announced["attachment"]["id"].as_str().unwrap();
        let path = format!("/attachments/{id}");
        let commit = format!("{path}/commit");
        let (first, second, removed) = futures::join!(
            world.post(&commit, Value::Null),
            world.post(&commit, Value::Null),
            world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null),
        );
        for reply in [&first, &second] {
            assert!([200, 404].contains(&reply.status.as_u16()), "{}", reply.text);
        }
        assert_eq!(removed.status, 204, "{}", removed.text);
    }
    let told = world.history("PRJ-1").await;
    let of = |action: &str| told.iter().filter(|line| line.contains(action)).count();
    assert_eq!(of("attached attachment"), of("detached attachment"), "{told:#?}");
    world.kit.advance(SignedDuration::from_hours(3));
    sweep(&world.kit.app).await.unwrap();
    assert_eq!(world.leavings().await, [] as [String; 0]);
}

mod cloud {
    //! The same where blobs are in object storage with addresses of their own.

    use super::*;
    use std::ops::Range;
    use std::time::Duration;
    use svc_app::App;
    use svc_storage::{BlobInfo, BlobKey, BlobRead, Blobs, ByteStream, PresignedPut, ServedAs, StorageError};

    /// The embedded blobs, with addresses as object storage has them.
    struct Presigning(Arc<dyn Blobs>);

    #[async_trait::async_trait]
    impl Blobs for Presigning {
        async fn put_once(&self, key: &BlobKey, bytes: Bytes) -> Result<(), StorageError> {
            self.0.put_once(key, bytes).await
        }
        async fn put_stream(&self, key: &BlobKey, bytes: ByteStream) -> Result<u64, StorageError> {
            self.0.put_stream(key, bytes).await
        }
        async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
            self.0.get(key).await
        }
        async fn read(&self, key: &BlobKey, part: Option<Range<u64>>) -> Result<BlobRead, StorageError> {
            self.0.read(key, part).await
        }
        async fn list(
            &self,
            class: Retention,
            prefix: &str,
            after: Option<&BlobKey>,
        ) -> Result<Vec<BlobInfo>, StorageError> {
            self.0.list(class, prefix, after).await
        }
        async fn delete(&self, key: &BlobKey) -> Result<(), StorageError> {
            self.0.delete(key).await
        }
        async fn presign_get(
            &self,
            key: &BlobKey,
            served: &ServedAs,
            valid: Duration,
        ) -> Result<Option<String>, StorageError> {
            let ServedAs { content_type, disposition } = served;
            let disposition = disposition.split(';').next().unwrap();
            Ok(Some(format!(
                "https://blobs.example/{key}?type={content_type}&as={disposition}&for={}",
                valid.as_secs()
            )))
        }
        async fn presign_put(
            &self,
            key: &BlobKey,
            size: u64,
            valid: Duration,
        ) -> Result<Option<PresignedPut>, StorageError> {
            let url = format!("https://blobs.example/{key}?size={size}&for={}", valid.as_secs());
            Ok(Some(PresignedPut { url, headers: vec![("if-none-match".into(), "*".into())] }))
        }
    }

    fn on_object_storage(kit: &TestApp) -> Router {
        let app = &kit.app;
        let blobs = Arc::new(Presigning(app.blobs.clone()));
        let (clock, settings) = (kit.clock.clone(), app.settings.clone());
        let app = App::new(app.table.clone(), blobs, app.queue.clone(), clock, app.ids.clone(), settings);
        svc_http::finish(TestApp::documented([svc_tracker::router()]).0, Arc::new(app))
    }

    #[tokio::test]
    async fn bytes_go_to_and_come_from_object_storage_directly() {
        let mut world = World::new().await;
        world.router = on_object_storage(&world.kit);
        world.item("Item").await;
        let announced = world.announce(announcement("shot.png", "image/png", PNG)).await;
        let id = announced["attachment"]["id"].as_str().unwrap();
        let name = format!("attachment/{}/{id}", world.org.id);
        let url = format!("https://blobs.example/{name}?size={}&for=3600", PNG.len());
        assert_eq!(announced["upload"]["url"], url);
        assert_eq!(announced["upload"]["headers"], json!([{"name": "if-none-match", "value": "*"}]));
        assert_eq!(world.commit(&announced["attachment"]["id"]).await.status, 409, "nothing has arrived");

        let key = BlobKey::new(Retention::Attachment, &format!("{}/{id}", world.org.id));
        world.kit.app.blobs.put_once(&key, Bytes::from_static(PNG)).await.unwrap();
        let committed = world.commit(&announced["attachment"]["id"]).await.json;
        assert_eq!((&committed["width"], &committed["height"]), (&json!(640), &json!(480)));
        let redirect = world.download(&world.ada.token, &committed, &[]).await;
        assert_eq!(redirect.status, 302);
        assert_eq!(
            redirect.header("location"),
            format!("https://blobs.example/{name}?type=image/png&as=inline&for=300")
        );
        assert_eq!(redirect.header("cache-control"), "no-store");
    }

    /// Object storage takes what it is sent; the commit is where it is found out.
    #[tokio::test]
    async fn bytes_of_another_size_are_found_at_the_commit() {
        let mut world = World::new().await;
        world.router = on_object_storage(&world.kit);
        world.item("Item").await;
        let announced = world.announce(announcement("a.txt", "text/plain", b"text")).await;
        let id = announced["attachment"]["id"].as_str().unwrap();
        let key = BlobKey::new(Retention::Attachment, &format!("{}/{id}", world.org.id));
        world.kit.app.blobs.put_once(&key, Bytes::from_static(b"much more text")).await.unwrap();
        let refused = world.commit(&announced["attachment"]["id"]).await;
        assert!(refused.json["errors"]["size"].is_array(), "{}", refused.text);
        assert!(world.kit.app.blobs.list(Retention::Attachment, "", None).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn files_of_a_deleted_item_are_hidden_until_it_comes_back_and_go_in_the_end() {
    let world = World::new().await;
    world.item("Item").await;
    let file = world.attach("shot.png", "image/png", PNG).await;
    let ask = async |method: Method, path: &str| {
        let path = format!("/api/v1/orgs/demo/items/PRJ-1{path}");
        request(&world.router, method, &world.ada.token, &path, &[], Body::empty()).await.status.as_u16()
    };
    assert_eq!(ask(Method::DELETE, "").await, 204);
    let at = world.kit.app.now();
    let hidden = world.download(&world.ada.token, &file, &[]).await;
    assert_eq!((hidden.status.as_u16(), hidden.problem()), (410, "item-deleted"));
    assert_eq!(world.download(&world.outsider.token, &file, &[]).await.status, 404);
    assert_eq!(ask(Method::POST, "/restore").await, 200);
    assert_eq!(world.download(&world.guest.token, &file, &[]).await.bytes[..], *PNG);

    assert_eq!(ask(Method::DELETE, "").await, 204);
    world.kit.advance(SignedDuration::from_hours(30 * 24 + 1));
    let message = PurgeItem { org: world.org.id, item: "PRJ-1".parse().unwrap(), at };
    deletion::purge(&world.kit.app, &message).await.unwrap();
    assert_eq!(world.leavings().await, [] as [String; 0]);
    assert_eq!(world.download(&world.ada.token, &file, &[]).await.status, 404);
}
