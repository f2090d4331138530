//! Personal access tokens.

use futures::future::join_all;
use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, Scope};
use svc_testkit::{TestApp, call, scopes};

use crate::{delete, get, post, roomy, roomy_settings, router};

#[tokio::test]
async fn a_token_is_made_listed_used_and_revoked() {
    let t = roomy();
    let org = t.org("demo").await;
    let user = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let all = t.token(user, scopes(), None).await;
    let router = router(&t);

    let body = json!({
        "name": " CI ", "scopes": ["read", "mcp", "read"], "organization": "demo",
        "expiresAt": "2026-02-01T00:00:00Z",
    });
    let made = post(&router, "/me/tokens", &all, body).await;
    insta::assert_snapshot!(made.snapshot());
    let secret = made.json["secret"].as_str().unwrap();
    let list = get(&router, "/me/tokens", &all).await;
    assert_eq!(list.json, json!([made.json["token"]]));
    assert!(!list.text.contains(secret));

    assert_eq!(get(&router, "/me", secret).await.json["scopes"], json!(["read", "mcp"]));
    let path = format!("/me/tokens/{}", made.json["token"]["id"].as_str().unwrap());
    assert_eq!(delete(&router, &path, &all).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&router, "/me", secret).await.problem(), "unauthenticated");
    assert_eq!(delete(&router, &path, &all).await.problem(), "not-found");
}

#[tokio::test]
async fn an_expired_token_works_no_more_and_leaves_the_list() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let all = t.token(user.id, scopes(), None).await;
    let router = router(&t);
    let body =
        json!({ "name": "short", "scopes": ["read"], "expiresAt": t.now() + SignedDuration::from_secs(60) });
    let made = post(&router, "/me/tokens", &all, body).await;
    let secret = made.json["secret"].as_str().unwrap();
    assert_eq!(get(&router, "/me", secret).await.status, StatusCode::OK);
    t.advance(SignedDuration::from_secs(60));
    insta::assert_snapshot!(get(&router, "/me", secret).await.snapshot());
    assert_eq!(get(&router, "/me/tokens", &all).await.json, json!([]));
}

#[tokio::test]
async fn each_field_is_checked() {
    let t = roomy();
    let (org, foreign) = (t.org("demo").await, t.org("foreign").await);
    let user = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    t.user(&foreign, "bob@example.com", OrgRole::Owner, false).await;
    let all = t.token(user, scopes(), None).await;
    let router = router(&t);
    for (body, field) in [
        (json!({ "name": "", "scopes": ["read"] }), "name"),
        (json!({ "name": "x", "scopes": [] }), "scopes"),
        (json!({ "name": "x", "scopes": ["everything"] }), "scopes"),
        (json!({ "name": "x", "scopes": ["mcp"] }), "organization"),
        (json!({ "name": "x", "scopes": ["read"], "organization": "foreign" }), "organization"),
        (json!({ "name": "x", "scopes": ["read"], "organization": "No such" }), "organization"),
        (json!({ "name": "x", "scopes": ["read"], "expiresAt": t.now() }), "expiresAt"),
        (json!({ "name": "x", "scopes": ["read"], "expiresAt": "tomorrow" }), "expiresAt"),
    ] {
        let reply = post(&router, "/me/tokens", &all, body.clone()).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        let fields: Vec<_> = reply.json["errors"].as_object().unwrap().keys().collect();
        assert_eq!(fields, [field], "{body}");
    }
    let missing = post(&router, "/me/tokens", &all, token_for("missing")).await;
    let foreign = post(&router, "/me/tokens", &all, token_for("foreign")).await;
    assert_eq!(missing.snapshot(), foreign.snapshot());
}

fn token_for(slug: &str) -> Value {
    json!({ "name": "x", "scopes": ["read"], "organization": slug })
}

#[tokio::test]
async fn a_token_cannot_make_a_token_worth_more_than_itself() {
    let t = roomy();
    let (demo, other) = (t.org("demo").await, t.org("other").await);
    let user = t.account("ada@example.com").await;
    t.join(&demo, &user, OrgRole::Owner, false).await;
    t.join(&other, &user, OrgRole::Owner, false).await;
    let bound = t.token(user.id, &[Scope::Read, Scope::Admin], Some(&demo)).await;
    let router = router(&t);

    let more = post(&router, "/me/tokens", &bound, json!({ "name": "x", "scopes": ["write"] })).await;
    assert_eq!(more.problem(), "validation-failed");
    let elsewhere = post(&router, "/me/tokens", &bound, token_for("other")).await;
    let nowhere = post(&router, "/me/tokens", &bound, token_for("missing")).await;
    assert_eq!(elsewhere.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(elsewhere.snapshot(), nowhere.snapshot());
    let child = post(&router, "/me/tokens", &bound, json!({ "name": "x", "scopes": ["read"] })).await;
    assert_eq!(child.json["token"]["organization"], "demo");
    let for_agents = json!({ "name": "x", "scopes": ["read", "mcp"] });
    let for_agents = post(&router, "/me/tokens", &bound, for_agents).await;
    assert_eq!(for_agents.json["token"]["scopes"], json!(["read", "mcp"]), "mcp permits nothing of its own");

    let weak = t.token(user.id, &[Scope::Read, Scope::Write], None).await;
    let refused = post(&router, "/me/tokens", &weak, json!({ "name": "x", "scopes": ["read"] })).await;
    assert_eq!(refused.problem(), "missing-scope");
}

#[tokio::test]
async fn a_bound_token_sees_and_revokes_only_tokens_of_its_organization() {
    let t = roomy();
    let (demo, other) = (t.org("demo").await, t.org("other").await);
    let user = t.account("ada@example.com").await;
    t.join(&demo, &user, OrgRole::Owner, false).await;
    t.join(&other, &user, OrgRole::Owner, false).await;
    let all = t.token(user.id, scopes(), None).await;
    let bound = t.token(user.id, scopes(), Some(&demo)).await;
    let router = router(&t);
    let mut ids = Vec::new();
    for body in [token_for("demo"), token_for("other"), json!({ "name": "free", "scopes": ["read"] })] {
        let made = post(&router, "/me/tokens", &all, body).await;
        ids.push(made.json["token"]["id"].as_str().unwrap().to_owned());
    }
    let list = get(&router, "/me/tokens", &bound).await;
    assert_eq!(list.json.as_array().unwrap().len(), 1);
    for id in &ids[1..] {
        assert_eq!(delete(&router, &format!("/me/tokens/{id}"), &bound).await.problem(), "not-found");
    }
    let own = delete(&router, &format!("/me/tokens/{}", ids[0]), &bound).await;
    assert_eq!(own.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&router, "/me/tokens", &all).await.json.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn tokens_of_others_cannot_be_reached() {
    let t = roomy();
    let (ada, bob) = (t.account("ada@example.com").await, t.account("bob@example.com").await);
    let (adas, bobs) = (t.token(ada.id, scopes(), None).await, t.token(bob.id, scopes(), None).await);
    let router = router(&t);
    let made = post(&router, "/me/tokens", &adas, json!({ "name": "x", "scopes": ["read"] })).await;
    let path = format!("/me/tokens/{}", made.json["token"]["id"].as_str().unwrap());
    assert_eq!(delete(&router, &path, &bobs).await.status, StatusCode::NOT_FOUND);
    assert_eq!(get(&router, "/me/tokens", &bobs).await.json, json!([]));
    assert_eq!(get(&router, "/me", made.json["secret"].as_str().unwrap()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn agents_and_runners_have_no_tokens() {
    let t = roomy();
    let org = t.org("demo").await;
    let project = t.project(&org, "PRJ").await;
    let (_, _, agent) = t.agent_token(&org, &project).await;
    let (_, runner) = t.runner_secret(&org).await;
    let router = router(&t);
    for secret in [agent, runner] {
        for (method, path, body) in [
            (Method::GET, "/me/tokens", None),
            (Method::POST, "/me/tokens", Some(json!({ "name": "x", "scopes": ["read"] }))),
            (Method::POST, "/orgs", Some(json!({ "slug": "mine", "name": "Mine" }))),
            (Method::POST, "/auth/logout", None),
        ] {
            let reply = call(&router, method.clone(), path, Some(&secret), body).await;
            assert_eq!(reply.problem(), "forbidden", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_person_has_so_many_tokens_and_makes_another_after_revoking_one() {
    let mut settings = roomy_settings();
    settings.limits.tokens_per_account = 3;
    let t = TestApp::with(settings);
    let user = t.account("ada@example.com").await;
    let all = t.token(user.id, scopes(), None).await;
    let router = router(&t);
    let another = || post(&router, "/me/tokens", &all, json!({ "name": "CI", "scopes": ["read"] }));
    let ended =
        json!({ "name": "short", "scopes": ["read"], "expiresAt": t.now() + SignedDuration::from_secs(60) });
    assert_eq!(post(&router, "/me/tokens", &all, ended).await.status, StatusCode::CREATED);
    t.advance(SignedDuration::from_secs(60));
    let made = join_all((0..8).map(|_| another())).await;
    let created: Vec<_> = made.iter().filter(|reply| reply.status == StatusCode::CREATED).collect();
    assert_eq!(created.len(), 3, "also of eight at once");
    let refused = another().await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text.contains("revoke one first"), "{}", refused.text);
    let path = format!("/me/tokens/{}", created[0].json["token"]["id"].as_str().unwrap());
    assert_eq!(delete(&router, &path, &all).await.status, StatusCode::NO_CONTENT);
    assert_eq!(another().await.status, StatusCode::CREATED);
}
