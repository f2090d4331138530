//! Deleting organizations, and restoring them.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::{Org, OrgRole, Scope};
use svc_storage::keys;
use svc_testkit::{Reply, TestApp, call, scopes};

use crate::{delete, get, post, roomy, router};

struct World {
    t: TestApp,
    org: Org,
    router: axum::Router,
    owner: String,
    member: String,
    stranger: String,
}

impl World {
    async fn new() -> Self {
        let t = roomy();
        let (org, other) = (t.org("demo").await, t.org("other").await);
        let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        let member = t.user(&org, "ada@example.com", OrgRole::Admin, false).await;
        let stranger = t.user(&other, "dan@example.com", OrgRole::Owner, false).await;
        let owner = t.token(owner, scopes(), None).await;
        let member = t.token(member, scopes(), None).await;
        let stranger = t.token(stranger, scopes(), None).await;
        let router = router(&t);
        Self { t, org, router, owner, member, stranger }
    }

    async fn delete(&self, token: &str) -> Reply {
        delete(&self.router, "/orgs/demo?confirm=demo", token).await
    }

    async fn restore(&self, token: &str) -> Reply {
        post(&self.router, "/orgs/demo/restore", token, json!({})).await
    }

    async fn slugs(&self, path: &str, token: &str) -> Vec<Value> {
        let listed = get(&self.router, path, token).await;
        listed.json.as_array().into_iter().flatten().map(|org| org["slug"].clone()).collect()
    }
}

fn told(reply: &Reply) -> (u16, &str) {
    (reply.status.as_u16(), reply.problem())
}

#[tokio::test]
async fn a_deleted_organization_is_out_of_reach_and_comes_back_whole() {
    let world = World::new().await;
    let router = &world.router;
    let before = get(router, "/orgs/demo", &world.owner).await.json;
    let deleted = world.delete(&world.owner).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    assert_eq!(
        world.delete(&world.owner).await.status,
        StatusCode::NO_CONTENT,
        "a second time changes nothing"
    );

    for path in ["", "/members", "/invitations", "/projects/PRJ/members"] {
        let path = format!("/orgs/demo{path}");
        for token in [&world.owner, &world.member] {
            let reply = get(router, &path, token).await;
            assert_eq!(told(&reply), (410, "deleted"), "{path}: {}", reply.text);
            let detail = reply.json["detail"].as_str().unwrap();
            assert!(detail.contains("One of its Owners can restore it until"), "{detail}");
        }
        let hidden = get(router, &path, &world.stranger).await;
        assert_eq!(told(&hidden), (404, "not-found"), "{path}: {}", hidden.text);
    }
    let rename = json!({"version": 1, "name": "Late"});
    let late = call(router, Method::PATCH, "/orgs/demo", Some(&world.owner), Some(rename)).await;
    assert_eq!(told(&late), (410, "deleted"));
    let taken = post(router, "/orgs", &world.stranger, json!({"slug": "demo", "name": "Mine now"})).await;
    assert_eq!(told(&taken), (409, "already-exists"), "the slug stays taken: {}", taken.text);
    let me = get(router, "/me", &world.owner).await;
    assert_eq!((me.status.as_u16(), &me.json["organizations"]), (200, &json!([])), "{}", me.text);
    let bound = json!({"name": "ci", "scopes": ["read"], "organization": "demo"});
    let bound = post(router, "/me/tokens", &world.owner, bound).await;
    assert_eq!(told(&bound), (422, "validation-failed"), "{}", bound.text);

    let listed = get(router, "/orgs?deleted=true", &world.member).await.json;
    assert_eq!((&listed[0]["slug"], &listed[0]["deletion"]["by"]["name"]), (&json!("demo"), &json!("owner")));
    assert_eq!(world.slugs("/orgs?deleted=true", &world.stranger).await, [] as [Value; 0]);
    assert_eq!(world.slugs("/orgs", &world.owner).await, [] as [Value; 0]);

    for (token, answer) in [(&world.member, (403, "forbidden")), (&world.stranger, (404, "not-found"))] {
        assert_eq!(told(&world.restore(token).await), answer);
        assert_eq!(told(&world.delete(token).await), answer);
    }
    let back = world.restore(&world.owner).await;
    assert_eq!((back.status.as_u16(), &back.json["deletion"]), (200, &Value::Null), "{}", back.text);
    assert_eq!(world.restore(&world.owner).await.status, StatusCode::OK, "a second time changes nothing");
    let after = get(router, "/orgs/demo", &world.owner).await.json;
    assert_eq!((&after["name"], &after["role"]), (&before["name"], &before["role"]));
    assert!(after["version"].as_u64() > before["version"].as_u64(), "an edit from before is stale");
    assert_eq!(world.slugs("/orgs", &world.member).await, ["demo"]);
    assert_eq!(world.slugs("/orgs?deleted=true", &world.owner).await, [] as [Value; 0]);
}

#[tokio::test]
async fn owners_delete_organizations_and_type_the_slug() {
    let world = World::new().await;
    for (token, answer) in [(&world.member, (403, "forbidden")), (&world.stranger, (404, "not-found"))] {
        assert_eq!(told(&world.delete(token).await), answer);
        assert_eq!(told(&world.restore(token).await), answer);
    }
    for path in ["/orgs/demo", "/orgs/demo?confirm=yes", "/orgs/demo?confirm=DEMO"] {
        let reply = delete(&world.router, path, &world.owner).await;
        assert_eq!(told(&reply), (422, "validation-failed"), "{}", reply.text);
        assert!(reply.text.contains("give the organization's slug: demo"), "{}", reply.text);
    }
    let user = world.t.user(&world.org, "eve@example.com", OrgRole::Owner, false).await;
    let weak = world.t.token(user, &[Scope::Read, Scope::Write], None).await;
    assert_eq!(told(&world.delete(&weak).await), (403, "missing-scope"));
    world.t.make_read_only(world.org.clone()).await;
    assert_eq!(world.delete(&world.owner).await.status, StatusCode::NO_CONTENT, "a read-only one too");
    assert_eq!(told(&world.restore(&weak).await), (403, "missing-scope"));
    assert_eq!(world.restore(&world.owner).await.json["readOnly"], true);
}

/// What another server remembers of an organization permits nothing.
#[tokio::test]
async fn other_servers_notice_at_once() {
    let world = World::new().await;
    let beside = world.t.beside();
    let there = router(&beside);
    for _ in 0..2 {
        assert_eq!(get(&there, "/orgs/demo", &world.member).await.status, StatusCode::OK);
    }
    world.delete(&world.owner).await;
    assert_eq!(told(&get(&there, "/orgs/demo", &world.member).await), (410, "deleted"));
    world.restore(&world.owner).await;
    assert_eq!(get(&there, "/orgs/demo", &world.member).await.status, StatusCode::OK);
}

#[tokio::test]
async fn after_thirty_days_it_is_too_late() {
    let world = World::new().await;
    world.delete(&world.owner).await;
    world.t.advance(SignedDuration::from_hours(30 * 24 + 1));
    let late = world.restore(&world.owner).await;
    assert_eq!(told(&late), (410, "deleted"));
    assert!(late.text.contains("can no longer be restored"), "{}", late.text);
    assert_eq!(world.slugs("/orgs?deleted=true", &world.owner).await, [] as [Value; 0]);
}

#[tokio::test]
async fn nobody_joins_a_deleted_organization() {
    let world = World::new().await;
    let body = json!({"email": "dan@example.com", "preset": "member"});
    let invited = post(&world.router, "/orgs/demo/invitations", &world.owner, body).await;
    let link = invited.json["link"].as_str().unwrap().to_owned();
    let secret = json!({"secret": link.split_once('#').unwrap().1});
    let (beside, gate) = world.t.beside().gated();
    let there = router(&beside);
    let dan = world.t.app.table.get(&keys::email("dan@example.com")).await.unwrap().unwrap().read().unwrap();
    let joining = post(&there, "/auth/invitations/accept", &world.stranger, secret.clone());
    let place = keys::member(world.org.id, dan);
    let (joined, deleted) = gate.meanwhile(place, joining, world.delete(&world.owner)).await;
    assert_eq!((told(&joined), deleted.status.as_u16()), ((404, "not-found"), 204), "{}", joined.text);
    let look = post(&world.router, "/auth/invitations/look", &world.stranger, secret.clone()).await;
    assert_eq!(told(&look), (404, "not-found"));
    world.restore(&world.owner).await;
    let joined = post(&world.router, "/auth/invitations/accept", &world.stranger, secret).await;
    assert!(joined.status.is_success(), "{}", joined.text);
}

#[tokio::test]
async fn a_rename_in_that_moment_is_lost_or_restored_with_it() {
    let world = World::new().await;
    let (beside, gate) = world.t.beside().gated();
    let there = router(&beside);
    let rename = json!({"version": 1, "name": "Renamed"});
    let renaming = call(&there, Method::PATCH, "/orgs/demo", Some(&world.owner), Some(rename));
    let (renamed, deleted) =
        gate.meanwhile(keys::org(world.org.id), renaming, world.delete(&world.owner)).await;
    assert_eq!((told(&renamed), deleted.status.as_u16()), ((410, "deleted"), 204), "{}", renamed.text);
    assert_eq!(world.restore(&world.owner).await.json["name"], "demo");
}
