//! Who has come in before is let in by what the rows say now, never by what was remembered.

use serde_json::json;
use svc_app::secrets;
use svc_domain::identity::{Credential, OrgRole, ProjectRole};
use svc_storage::{Condition, Op, keys};
use svc_testkit::{TestApp, call};

use crate::world::{Person, World, patient};

/// A world in which Ada has viewed an item, so that her ids are remembered.
async fn world() -> World {
    let world = World::new().await;
    world.item("Seen before").await;
    assert_eq!(world.get("/items/PRJ-1").await.status, 200);
    world
}

async fn write(world: &World, op: Op) {
    svc_testkit::write(&world.kit.app, vec![op]).await.unwrap();
}

#[tokio::test]
async fn who_is_no_member_any_more_is_told_what_strangers_are_told() {
    let world = world().await;
    let never = world.get_as(&world.outsider.token, "/items/PRJ-1").await;
    write(
        &world,
        Op::delete(keys::project_member(world.org.id, &world.project.key, world.ada.id), Condition::Present),
    )
    .await;
    let no_longer = world.get("/items/PRJ-1").await;
    assert_eq!((no_longer.status, no_longer.snapshot()), (404.try_into().unwrap(), never.snapshot()));
    write(&world, Op::delete(keys::member(world.org.id, world.ada.id), Condition::Present)).await;
    assert_eq!(world.get("/items/PRJ-1").await.snapshot(), never.snapshot());
}

#[tokio::test]
async fn a_token_that_was_revoked_works_no_more() {
    let world = world().await;
    write(&world, Op::delete(keys::credential(&secrets::hash(&world.ada.token)), Condition::Present)).await;
    let reply = world.get("/items/PRJ-1").await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (401, "unauthenticated"));
}

#[tokio::test]
async fn a_credential_speaks_for_whom_its_row_names_now() {
    let world = world().await;
    let row = |Person { token, .. }: &Person| keys::credential(&secrets::hash(token));
    let guests = world.kit.app.table.get(&row(&world.guest)).await.unwrap().unwrap();
    let credential: Credential = guests.read().unwrap();
    write(&world, Op::put(row(&world.ada), Condition::Present, &credential)).await;
    assert_eq!(world.get("/items/PRJ-1").await.status, 200);
    let reply = world.post("/projects/PRJ/items", json!({"type": "task", "title": "Not by a guest"})).await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (403, "forbidden"));
}

#[tokio::test]
async fn a_slug_that_leads_elsewhere_by_now_is_followed() {
    let world = world().await;
    let kit = &world.kit;
    let other = kit.org("other").await;
    let project = kit.project(&other, "PRJ").await;
    let user = kit.app.table.get(&keys::user(world.ada.id)).await.unwrap().unwrap().read().unwrap();
    kit.join(&other, &user, OrgRole::Member, false).await;
    kit.project_member(&other, &project, world.ada.id, ProjectRole::Member).await;
    let new = json!({"type": "task", "title": "In the other one"});
    let path = "/orgs/other/projects/PRJ/items";
    call(&world.router, http::Method::POST, path, Some(&world.ada.token), Some(new)).await;
    write(&world, Op::put(keys::slug(&world.org.slug), Condition::Present, &other.id)).await;
    assert_eq!(world.get("/items/PRJ-1").await.json["title"], "In the other one");
}

#[tokio::test]
async fn the_second_request_of_a_caller_reads_all_it_needs_at_once() {
    let (kit, meter) = TestApp::with(patient()).metered();
    let world = World::on(kit).await;
    world.item("One").await;
    let trips = async || {
        tokio::task::yield_now().await;
        let before = meter.spent();
        assert_eq!(world.get_as(&world.bob.token, "/items/PRJ-1").await.status, 200);
        (meter.spent() - before).round_trips
    };
    // The first also asks who is charged for it, and takes a share of the budgets of its token and its person.
    assert_eq!((trips().await, trips().await, trips().await), (5, 1, 1));
}
