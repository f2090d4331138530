//! Every route of this area as asked by every kind of caller.

use std::fmt::Write as _;

use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, ProjectRole, Scope};
use svc_testkit::{TestApp, call, scopes};

use crate::{roomy, router};

/// Id of a token that nobody has.
const NO_TOKEN: &str = "00000000-0000-7000-8000-000000000000";

const CALLERS: [&str; 12] = [
    "nobody",
    "wrong secret",
    "owner of another organization",
    "owner",
    "owner, read token",
    "owner, token bound elsewhere",
    "admin",
    "member in project",
    "member, project admin",
    "member, not in project",
    "guest, project admin",
    "agent of a run",
];

struct World {
    t: TestApp,
    /// A member whom changes are about.
    target: String,
    secret: Option<String>,
}

async fn world(caller: &str) -> World {
    let t = roomy();
    let (org, other) = (t.org("demo").await, t.org("other").await);
    let project = t.project(&org, "PRJ").await;
    t.user(&org, "first@example.com", OrgRole::Owner, false).await;
    let target = t.user(&org, "target@example.com", OrgRole::Member, false).await;
    t.project_member(&org, &project, target, ProjectRole::Member).await;
    let user = t.account("caller@example.com").await;
    let join = |role| t.join(&org, &user, role, true);
    let in_project = |role| t.project_member(&org, &project, user.id, role);
    let mut with: &[Scope] = scopes();
    let mut bound = None;
    match caller {
        "nobody" | "wrong secret" | "agent of a run" => {}
        "owner of another organization" => t.join(&other, &user, OrgRole::Owner, true).await,
        "owner" => join(OrgRole::Owner).await,
        "owner, read token" => {
            join(OrgRole::Owner).await;
            with = &[Scope::Read];
        }
        "owner, token bound elsewhere" => {
            join(OrgRole::Owner).await;
            t.join(&other, &user, OrgRole::Owner, true).await;
            bound = Some(&other);
        }
        "admin" => join(OrgRole::Admin).await,
        "member in project" => {
            join(OrgRole::Member).await;
            in_project(ProjectRole::Member).await;
        }
        "member, project admin" => {
            join(OrgRole::Member).await;
            in_project(ProjectRole::Admin).await;
        }
        "member, not in project" => join(OrgRole::Member).await,
        "guest, project admin" => {
            join(OrgRole::Guest).await;
            in_project(ProjectRole::Admin).await;
        }
        other => panic!("{other} is no caller"),
    }
    let secret = match caller {
        "nobody" => None,
        "wrong secret" => Some("svp_wrong".to_owned()),
        "agent of a run" => Some(t.agent_token(&org, &project).await.2),
        _ => Some(t.token(user.id, with, bound).await),
    };
    World { t, target: target.to_string(), secret }
}

/// Every route with a credential. Changes come after reads, and removals last.
fn routes(target: &str) -> Vec<(Method, String, Option<Value>)> {
    let project_member = format!("/orgs/demo/projects/PRJ/members/{target}");
    let member = format!("/orgs/demo/members/{target}");
    let new = json!({ "email": "new@example.com", "displayName": "New", "password": "long enough", "role": "guest" });
    vec![
        (Method::GET, "/me".into(), None),
        (Method::PATCH, "/me".into(), Some(json!({ "version": 1, "displayName": "Somebody" }))),
        (Method::PUT, "/me/avatar".into(), None),
        (Method::DELETE, "/me/avatar".into(), None),
        (Method::GET, format!("/avatars/{NO_TOKEN}"), None),
        (Method::GET, "/me/sessions".into(), None),
        (Method::DELETE, "/me/sessions".into(), None),
        (Method::DELETE, format!("/me/sessions/{NO_TOKEN}"), None),
        (Method::GET, "/me/tokens".into(), None),
        (Method::POST, "/me/tokens".into(), Some(json!({ "name": "x", "scopes": ["read"] }))),
        (Method::DELETE, format!("/me/tokens/{NO_TOKEN}"), None),
        (Method::GET, "/orgs".into(), None),
        (Method::POST, "/orgs".into(), Some(json!({ "slug": "mine", "name": "Mine" }))),
        (Method::GET, "/orgs/demo".into(), None),
        (Method::PATCH, "/orgs/demo".into(), Some(json!({ "version": 1, "name": "Demo" }))),
        (Method::PATCH, "/orgs/demo".into(), Some(json!({ "version": 2, "readOnly": false }))),
        (Method::GET, "/orgs/demo/invitations".into(), None),
        (
            Method::POST,
            "/orgs/demo/invitations".into(),
            Some(json!({ "email": "x@example.com", "preset": "guest" })),
        ),
        (Method::POST, format!("/orgs/demo/invitations/{NO_TOKEN}/resend"), None),
        (Method::DELETE, format!("/orgs/demo/invitations/{NO_TOKEN}"), None),
        (Method::GET, "/orgs/demo/members".into(), None),
        (Method::POST, "/orgs/demo/members".into(), Some(new)),
        (Method::PATCH, member.clone(), Some(json!({ "version": 1, "canStartAiWork": true }))),
        (Method::GET, "/orgs/demo/projects/PRJ/members".into(), None),
        (Method::PUT, project_member.clone(), Some(json!({ "role": "admin" }))),
        (Method::DELETE, project_member, None),
        (Method::DELETE, member, None),
        (Method::POST, "/orgs/demo/leave".into(), None),
        (Method::POST, "/auth/invitations/accept".into(), Some(json!({ "secret": "svi_none" }))),
        (
            Method::POST,
            "/auth/password".into(),
            Some(json!({ "currentPassword": "no", "newPassword": "long enough" })),
        ),
        (Method::POST, "/auth/refresh".into(), None),
        (Method::POST, "/auth/oidc/start".into(), Some(json!({}))),
        (Method::GET, "/auth/oidc/callback".into(), None),
        (Method::DELETE, "/auth/oidc/connection".into(), None),
        (Method::POST, "/auth/logout".into(), None),
    ]
}

#[tokio::test]
async fn every_caller_times_every_route() {
    let mut table = String::new();
    for caller in CALLERS {
        let World { t, target, secret } = world(caller).await;
        let router = router(&t);
        for (method, path, body) in routes(&target) {
            let reply = call(&router, method.clone(), &path, secret.as_deref(), body).await;
            let operation = format!("{method} {}", named(&path.replace(&target, "{userId}")));
            let _ =
                writeln!(table, "{caller:30} {operation:52} {} {}", reply.status.as_u16(), reply.problem());
        }
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn the_table_has_every_route_that_takes_a_credential() {
    let (_, document) = TestApp::documented([svc_identity::router()]);
    let document = serde_json::to_value(&document).unwrap();
    let mut documented = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if operation.get("security").is_some() {
                documented.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    let mut asked: Vec<String> = routes("{userId}")
        .iter()
        .map(|(method, path, _)| format!("{method} /api/v1{}", named(path)))
        .collect();
    documented.sort();
    asked.sort();
    asked.dedup();
    assert_eq!(asked, documented);
}

/// The address as the document has it.
fn named(path: &str) -> String {
    path.replace("demo", "{slug}").replace("PRJ", "{key}").replace(NO_TOKEN, "{id}")
}
