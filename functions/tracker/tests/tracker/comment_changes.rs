//! Editing and deleting comments, and whom they mention.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn written(world: &World, token: &str, body: Value) -> Value {
    world.post_as(token, "/items/PRJ-1/comments", body).await.is(201).json
}

fn address(comment: &Value) -> String {
    format!("/items/PRJ-1/comments/{}", comment["id"].as_str().unwrap())
}

async fn edit(world: &World, token: &str, comment: &Value, version: u64, body: &str) -> Reply {
    let change = json!({"version": version, "body": body});
    world.change_as(token, Method::PATCH, &address(comment), change).await
}

async fn delete(world: &World, token: &str, comment: &Value) -> Reply {
    let path = format!("/orgs/demo{}", address(comment));
    call(&world.router, Method::DELETE, &path, Some(token), None).await
}

#[tokio::test]
async fn an_author_edits_and_everybody_sees_when() {
    let world = World::new().await;
    world.item("Item").await;
    let comment = written(&world, &world.guest.token, json!({"body": "First"})).await;
    assert_eq!(comment.get("editedAt"), None);
    world.kit.advance(jiff::SignedDuration::from_mins(1));
    let edited = edit(&world, &world.guest.token, &comment, 1, "Second").await;
    assert_eq!((edited.status.as_u16(), &edited.json["version"]), (200, &json!(2)), "{}", edited.text);
    assert_eq!(edited.json["editedAt"], "2026-01-05T09:01:00Z");
    assert_eq!(edited.json["createdAt"], comment["createdAt"]);
    let read = async |path: &str| world.get_as(&world.guest.token, path).await.json;
    assert_eq!(read(&address(&comment)).await, edited.json);
    assert_eq!(read("/items/PRJ-1/comments").await["items"], json!([edited.json]));

    let stale = edit(&world, &world.guest.token, &comment, 1, "Third").await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    let same = edit(&world, &world.guest.token, &comment, 2, "Second").await;
    assert_eq!((same.status.as_u16(), &same.json), (200, &edited.json), "the same again is no change");
    for token in [&world.ada.token, &world.chief.token, &world.owner] {
        assert_eq!(edit(&world, token, &comment, 2, "Not mine").await.problem(), "forbidden");
    }
    let empty = edit(&world, &world.guest.token, &comment, 2, " ").await;
    assert!(empty.json["errors"]["body"].is_array(), "{}", empty.text);
    assert_eq!(edit(&world, &world.outsider.token, &comment, 2, "x").await.problem(), "not-found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_edits_of_one_version_one_is_told() {
    let world = World::new().await;
    world.item("Item").await;
    for _ in 0..8 {
        let comment = written(&world, &world.ada.token, json!({"body": "First"})).await;
        let token = &world.ada.token;
        let (one, two) =
            futures::join!(edit(&world, token, &comment, 1, "One"), edit(&world, token, &comment, 1, "Two"));
        let (won, lost) = if one.status == 200 { (one, two) } else { (two, one) };
        assert_eq!((won.status.as_u16(), lost.problem()), (200, "stale-version"), "{}", lost.text);
        assert_eq!(world.get(&address(&comment)).await.json["body"], won.json["body"]);
    }
}

#[tokio::test]
async fn a_deleted_comment_stays_while_it_has_replies() {
    let world = World::new().await;
    world.item("Item").await;
    let alone = written(&world, &world.ada.token, json!({"body": "Alone @bob"})).await;
    let asked = written(&world, &world.ada.token, json!({"body": "Asked @bob"})).await;
    let reply = written(&world, &world.bob.token, json!({"body": "Reply", "replyTo": asked["id"]})).await;
    for comment in [&alone, &asked] {
        assert_eq!(delete(&world, &world.bob.token, comment).await.problem(), "forbidden");
        for _ in 0..2 {
            assert_eq!(delete(&world, &world.ada.token, comment).await.status, 204, "and again");
        }
        assert_eq!(world.get(&address(comment)).await.problem(), "not-found");
        assert_eq!(edit(&world, &world.ada.token, comment, 2, "Back").await.problem(), "not-found");
        let answer = json!({"body": "Late", "replyTo": comment["id"]});
        let answer = world.post("/items/PRJ-1/comments", answer).await;
        assert!(answer.json["errors"]["replyTo"].is_array(), "{}", answer.text);
    }
    let page = world.get("/items/PRJ-1/comments").await.json;
    let tombstone = &page["items"][0];
    assert_eq!(page["totalCount"], 2);
    assert_eq!(
        (&tombstone["id"], &tombstone["deleted"], &tombstone["body"], &tombstone["mentions"]),
        (&asked["id"], &json!(true), &json!(""), &json!([]))
    );
    // Who answers the reply joins the thread all the same; without replies nothing is left.
    let deeper = json!({"body": "Deeper", "replyTo": reply["id"]});
    let deeper = written(&world, &world.guest.token, deeper).await;
    assert_eq!(deeper["replyTo"], asked["id"]);
    assert_eq!(delete(&world, &world.chief.token, &deeper).await.status, 204, "an Admin of the project may");
    assert_eq!(delete(&world, &world.owner, &reply).await.status, 204, "and one of the organization");
    let page = world.get("/items/PRJ-1/comments").await.json;
    assert_eq!((&page["totalCount"], &page["items"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn frozen_places_keep_their_comments() {
    let world = World::new().await;
    world.item("Item").await;
    let comment = written(&world, &world.ada.token, json!({"body": "Text"})).await;
    let archive = json!({"version": 1, "archived": true});
    world.change_as(&world.owner, Method::PATCH, "/projects/PRJ", archive).await;
    assert_eq!(edit(&world, &world.ada.token, &comment, 1, "New").await.problem(), "project-archived");
    assert_eq!(delete(&world, &world.ada.token, &comment).await.problem(), "project-archived");
}

#[tokio::test]
async fn mentions_are_found_in_the_text_and_stay_with_the_comment() {
    let world = World::new().await;
    world.item("Item").await;
    let bot = svc_domain::ids::AgentId(world.kit.app.uuid());
    let row = svc_domain::agent::Agent {
        id: bot,
        name: "Builder".into(),
        owner: svc_domain::ids::Actor {
            id: svc_domain::ids::ActorId::User(world.ada.id),
            name: "ada".into(),
        },
        model: None,
        disabled: false,
        created_at: world.kit.now(),
        deleted: None,
    };
    let rows = vec![
        svc_storage::Op::create(svc_storage::keys::agent(world.org.id, bot), &row),
        svc_storage::Op::create(svc_storage::keys::org_name(world.org.id, "agent", "Builder"), &bot),
    ];
    svc_testkit::write(&world.kit.app, rows).await.unwrap();
    let body = "@bob and @Owner, `@ada`; ask @builder, not @outsider\n\n    @guest";
    let comment = written(&world, &world.ada.token, json!({"body": body})).await;
    let names = |comment: &Value| {
        let name = |actor: &Value| actor["name"].as_str().unwrap().to_owned();
        comment["mentions"].as_array().unwrap().iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&comment), ["bob", "owner", "Builder"], "those who see the project, and agents");
    assert_eq!(comment["mentions"][2], json!({"id": bot, "name": "Builder", "agent": true}));

    // An edit that keeps a mention is no new one: since when is kept for who tells them.
    let stored = async || {
        let key = svc_storage::keys::comment(
            world.org.id,
            &"PRJ-1".parse().unwrap(),
            comment["id"].as_str().unwrap().parse().unwrap(),
        );
        let row = world.kit.app.table.get(&key).await.unwrap().unwrap();
        let row: svc_domain::comment::Comment = row.read().unwrap();
        row.mentions.into_iter().map(|m| (m.who.name, m.since)).collect::<Vec<_>>()
    };
    let before = world.kit.now();
    let after = world.kit.advance(jiff::SignedDuration::from_mins(1));
    let edited = edit(&world, &world.ada.token, &comment, 1, "@guest and @Builder").await.json;
    assert_eq!(names(&edited), ["guest", "Builder"]);
    assert_eq!(stored().await, [("guest".to_owned(), after), ("Builder".to_owned(), before)]);
}

#[tokio::test]
async fn long_discussions_are_read_page_by_page() {
    let world = World::new().await;
    world.item("Item").await;
    let (org, key) = (world.org.id, "PRJ-1".parse().unwrap());
    let author =
        svc_domain::ids::Actor { id: svc_domain::ids::ActorId::User(world.ada.id), name: "ada".into() };
    for chunk in 0..25 {
        let ops = (0..100).map(|n| {
            let id = svc_domain::ids::CommentId(world.kit.app.uuid());
            let body = format!("Comment {}", chunk * 100 + n);
            let comment = svc_domain::comment::Comment::new(id, author.clone(), body, world.kit.now());
            svc_storage::Op::create(svc_storage::keys::comment(org, &key, id), &comment)
        });
        svc_testkit::write(&world.kit.app, ops.collect()).await.unwrap();
    }
    let mut read = 0;
    for page in 1..=26 {
        let page = world.get(&format!("/items/PRJ-1/comments?pageSize=100&page={page}")).await.json;
        assert_eq!(page["totalCount"], 2500);
        for comment in page["items"].as_array().unwrap() {
            assert_eq!(comment["body"], format!("Comment {read}"));
            read += 1;
        }
    }
    assert_eq!(read, 2500);
}
