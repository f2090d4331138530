//! Members of organizations and projects.

use http::{Method, StatusCode};
use serde_json::json;
use svc_domain::identity::{OrgRole, ProjectRole, Scope};
use svc_testkit::{call, scopes};

use crate::{delete, get, login_body, post, roomy, router};

#[tokio::test]
async fn a_new_address_gets_an_account_with_a_first_password() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let body = json!({
        "email": "ada@example.com", "displayName": "Ada", "password": "long enough",
        "role": "member", "canStartAiWork": true,
    });
    let added = post(&router, "/orgs/demo/members", &token, body).await;
    insta::assert_snapshot!(added.snapshot());
    let signed_in = login_body("Ada@example.com", "long enough");
    let me = call(&router, Method::POST, "/auth/login", None, Some(signed_in)).await;
    assert_eq!(me.json["organizations"][0]["canOperateFactory"], true);
    let list = get(&router, "/orgs/demo/members", &token).await;
    let names: Vec<_> = list.json.as_array().unwrap().iter().map(|m| m["displayName"].clone()).collect();
    assert_eq!(names, ["Ada", "owner"]);
}

#[tokio::test]
async fn an_account_that_exists_joins_as_it_is() {
    let t = roomy();
    let (org, other) = (t.org("demo").await, t.org("other").await);
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    t.user(&other, "ada@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let with_password = json!({ "email": "ada@example.com", "password": "long enough", "role": "guest" });
    let refused = post(&router, "/orgs/demo/members", &token, with_password).await;
    assert_eq!(refused.json["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), ["password"]);
    let body = json!({ "email": "ADA@example.com", "displayName": "Someone", "role": "guest" });
    let added = post(&router, "/orgs/demo/members", &token, body.clone()).await;
    assert_eq!((added.status, &added.json["displayName"]), (StatusCode::CREATED, &json!("ada")));
    let again = post(&router, "/orgs/demo/members", &token, body).await;
    assert_eq!((again.status, again.problem()), (StatusCode::CONFLICT, "conflict"));
}

#[tokio::test]
async fn a_new_account_needs_a_name_and_a_password() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let reply =
        post(&router(&t), "/orgs/demo/members", &token, json!({ "email": "a@b.c", "role": "boss" })).await;
    assert_eq!(reply.json["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), ["role"]);
    let reply =
        post(&router(&t), "/orgs/demo/members", &token, json!({ "email": "a@b.c", "role": "admin" })).await;
    let fields: Vec<_> = reply.json["errors"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["displayName", "password"]);
}

#[tokio::test]
async fn a_stale_version_is_refused_with_the_current_one() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Member, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let path = format!("/orgs/demo/members/{ada}");
    let change = |body| call(&router, Method::PATCH, &path, Some(&token), Some(body));
    let changed = change(json!({ "version": 1, "canStartAiWork": true })).await;
    assert_eq!((&changed.json["version"], &changed.json["canStartAiWork"]), (&json!(2), &json!(true)));
    let stale = change(json!({ "version": 1, "role": "admin" })).await;
    insta::assert_snapshot!(stale.snapshot());
    let changed = change(json!({ "version": 2, "role": "admin" })).await;
    assert_eq!((&changed.json["role"], &changed.json["canStartAiWork"]), (&json!("admin"), &json!(true)));
}

#[tokio::test]
async fn admins_neither_make_nor_touch_owners() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let admin = t.user(&org, "admin@example.com", OrgRole::Admin, false).await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Member, false).await;
    let token = t.token(admin, scopes(), None).await;
    let router = router(&t);
    let account = t.account("new@example.com").await;
    let add = json!({ "email": account.email, "role": "owner" });
    assert_eq!(post(&router, "/orgs/demo/members", &token, add).await.problem(), "forbidden");
    for (user, role) in [(ada, "owner"), (admin, "owner"), (owner, "member"), (owner, "owner")] {
        let body = Some(json!({ "version": 1, "role": role }));
        let reply =
            call(&router, Method::PATCH, &format!("/orgs/demo/members/{user}"), Some(&token), body).await;
        assert_eq!(reply.problem(), "forbidden", "{user} {role}");
    }
    assert_eq!(delete(&router, &format!("/orgs/demo/members/{owner}"), &token).await.problem(), "forbidden");
    let removed = delete(&router, &format!("/orgs/demo/members/{ada}"), &token).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn the_last_owner_stays() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let path = format!("/orgs/demo/members/{owner}");
    insta::assert_snapshot!(delete(&router, &path, &token).await.snapshot());
    let body = Some(json!({ "version": 1, "role": "admin" }));
    let demoted = call(&router, Method::PATCH, &path, Some(&token), body).await;
    assert_eq!(demoted.problem(), "conflict");
    t.user(&org, "second@example.com", OrgRole::Owner, false).await;
    assert_eq!(delete(&router, &path, &token).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&router, "/orgs/demo", &token).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn who_leaves_and_comes_back_is_in_no_project() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Member, false).await;
    let (token, adas) = (t.token(owner, scopes(), None).await, t.token(ada, scopes(), None).await);
    let router = router(&t);
    // More projects than fit one commit.
    for number in 0..130 {
        let project = t.project(&org, &format!("P{number:03}")).await;
        if number % 2 == 0 {
            t.project_member(&org, &project, ada, ProjectRole::Admin).await;
        }
    }
    assert_eq!(get(&router, "/orgs/demo/projects/P000/members", &adas).await.status, StatusCode::OK);
    let removed = delete(&router, &format!("/orgs/demo/members/{ada}"), &token).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&router, "/orgs", &adas).await.json, json!([]));
    let back = json!({ "email": "ada@example.com", "role": "member" });
    assert_eq!(post(&router, "/orgs/demo/members", &token, back).await.status, StatusCode::CREATED);
    assert_eq!(get(&router, "/orgs/demo", &adas).await.status, StatusCode::OK);
    for number in 0..130 {
        let path = format!("/orgs/demo/projects/P{number:03}/members");
        assert_eq!(get(&router, &path, &adas).await.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(get(&router, &path, &token).await.json, json!([]), "{path}");
    }
}

#[tokio::test]
async fn project_members_are_set_changed_listed_and_removed() {
    let t = roomy();
    let org = t.org("demo").await;
    let project = t.project(&org, "PRJ").await;
    let lead = t.user(&org, "lead@example.com", OrgRole::Member, false).await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Member, false).await;
    let stranger = t.account("stranger@example.com").await;
    t.project_member(&org, &project, lead, ProjectRole::Admin).await;
    let token = t.token(lead, &[Scope::Read, Scope::Write], None).await;
    let router = router(&t);
    let path = |user| format!("/orgs/demo/projects/PRJ/members/{user}");
    for (role, version) in [("member", 1), ("admin", 2)] {
        let set = call(&router, Method::PUT, &path(ada), Some(&token), Some(json!({ "role": role }))).await;
        let expected =
            json!({ "userId": ada.to_string(), "displayName": "ada", "role": role, "version": version });
        assert_eq!(set.json, expected);
    }
    let versioned = |role: &str, version: u64| Some(json!({ "role": role, "version": version }));
    for (version, status) in [(0, 409), (1, 409), (2, 200)] {
        let set = call(&router, Method::PUT, &path(ada), Some(&token), versioned("member", version)).await;
        assert_eq!(set.status.as_u16(), status, "{version}: {}", set.text);
        assert!(status == 200 || set.json["currentVersion"] == 2, "{}", set.text);
    }
    let list = get(&router, "/orgs/demo/projects/PRJ/members", &token).await;
    let names: Vec<_> = list.json.as_array().unwrap().iter().map(|m| m["displayName"].clone()).collect();
    assert_eq!(names, ["ada", "lead"]);
    let body = Some(json!({ "role": "member" }));
    let outside = call(&router, Method::PUT, &path(stranger.id), Some(&token), body.clone()).await;
    assert_eq!(outside.status, StatusCode::NOT_FOUND);
    let unknown = call(&router, Method::PUT, &path(ada), Some(&token), Some(json!({ "role": "boss" }))).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(delete(&router, &path(ada), &token).await.status, StatusCode::NO_CONTENT);
    assert_eq!(delete(&router, &path(ada), &token).await.status, StatusCode::NOT_FOUND);
    let nowhere = call(&router, Method::PUT, &path(ada).replace("PRJ", "NONE"), Some(&token), body).await;
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND);
}
