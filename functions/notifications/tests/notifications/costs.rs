//! What telling people costs, in units of DynamoDB: pinned, and bounded however many watch an item.

use std::collections::BTreeSet;

use serde_json::json;
use svc_domain::identity::{Member, OrgRole, ProjectMember, ProjectRole, User};
use svc_domain::ids::{Actor, ActorId, UserId};
use svc_storage::{Op, keys};
use svc_testkit::TestApp;
use uuid::Uuid;

use crate::world::World;

#[tokio::test]
async fn a_comment_that_one_person_is_told_of() {
    let (kit, meter) = TestApp::new().metered();
    let world = World::on(kit).await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello", None).await;
    let body = json!({"body": "again"});
    let path = format!("/orgs/demo/items/{item}/comments");
    world.call(&world.ben, http::Method::POST, &path, Some(body)).await;
    let before = meter.spent();
    world.work_once().await;
    let told = meter.spent() - before;
    let before = meter.spent();
    world.counts(&world.ada).await;
    let counted = meter.spent() - before;
    assert!(counted.round_trips <= 4, "who asks, the inbox, what its owner may see of it: {counted}");
    // infra/cost.py reads these.
    let lines = format!("telling one person of an event: {told}\ntheir unread count: {counted}");
    insta::assert_snapshot!("telling_one_person", lines);
}

#[tokio::test]
async fn a_thousand_watchers_are_told_in_bounded_commits() {
    let (kit, meter) = TestApp::new().metered();
    let world = World::on(kit).await;
    let item = world.item(&world.ada, "Greet people").await;
    let watchers: Vec<UserId> = (0..1_000).map(|n| UserId(Uuid::from_u128(0xffff_0000 + n))).collect();
    let template: User = {
        let row = world.kit.app.table.get(&keys::user(world.ada.id)).await.unwrap().unwrap();
        row.read().unwrap()
    };
    let rows = |user: &UserId| {
        let account = User { id: *user, display_name: format!("Watcher {user}"), ..template.clone() };
        let name = account.display_name.clone();
        let member = Member::of(&account, OrgRole::Member, false);
        let in_project = ProjectMember { user: *user, display_name: name.clone(), role: ProjectRole::Member };
        let watcher = Actor { id: ActorId::User(*user), name };
        [
            Op::create(keys::member(world.org.id, *user), &member),
            Op::create(keys::project_member(world.org.id, &world.project.key, *user), &in_project),
            Op::create(keys::watcher(world.org.id, &item.parse().unwrap(), *user), &watcher),
        ]
    };
    for watchers in watchers.chunks(33) {
        let ops = watchers.iter().flat_map(rows).collect();
        svc_testkit::write(&world.kit.app, ops).await.unwrap();
    }
    let body = json!({"body": "hello"});
    let path = format!("/orgs/demo/items/{item}/comments");
    world.call(&world.ben, http::Method::POST, &path, Some(body)).await;
    let before = meter.spent();
    world.work_once().await;
    let spent = meter.spent() - before;
    assert!(spent.round_trips < 110, "{spent}");
    insta::assert_snapshot!("telling_a_thousand", format!("telling 1,000 watchers of an event: {spent}"));
    let mut told = BTreeSet::new();
    for user in &watchers {
        let rows = world.kit.app.table.query_all(svc_storage::Query::new(
            keys::inbox_pk(*user),
            svc_storage::Range::Prefix(String::new()),
            10,
        ));
        told.extend(rows.await.unwrap().into_iter().map(|row| row.key));
    }
    assert_eq!(told.len(), 1_000, "each is told");
}
