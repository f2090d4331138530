//! Organizations: who sees which.

use http::StatusCode;
use serde_json::json;
use svc_domain::identity::{OrgRole, Scope};
use svc_testkit::{TestApp, scopes};

use crate::{get, post, roomy, roomy_settings, router};

#[tokio::test]
async fn a_person_sees_the_organizations_they_belong_to() {
    let t = roomy();
    let (b, a, foreign) = (t.org("b-org").await, t.org("a-org").await, t.org("foreign").await);
    let user = t.account("ada@example.com").await;
    t.join(&b, &user, OrgRole::Member, true).await;
    t.join(&a, &user, OrgRole::Guest, true).await;
    t.user(&foreign, "bob@example.com", OrgRole::Owner, false).await;
    let token = t.token(user.id, &[Scope::Read], None).await;
    let router = router(&t);
    insta::assert_snapshot!(get(&router, "/orgs", &token).await.snapshot());
    assert_eq!(
        get(&router, "/me", &token).await.json["organizations"],
        get(&router, "/orgs", &token).await.json
    );
}

#[tokio::test]
async fn more_organizations_than_fit_one_read_are_all_seen() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    for number in 0..120 {
        let org = t.org(&format!("org-{number:03}")).await;
        t.join(&org, &user, OrgRole::Member, false).await;
    }
    let token = t.token(user.id, &[Scope::Read], None).await;
    let reply = get(&router(&t), "/orgs", &token).await;
    let slugs: Vec<_> = reply.json.as_array().unwrap().iter().map(|org| org["slug"].clone()).collect();
    assert_eq!(slugs, (0..120).map(|n| json!(format!("org-{n:03}"))).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_foreign_organization_looks_as_one_that_does_not_exist() {
    let t = roomy();
    let (own, foreign) = (t.org("own").await, t.org("foreign").await);
    t.project(&foreign, "PRJ").await;
    let user = t.account("ada@example.com").await;
    t.join(&own, &user, OrgRole::Owner, false).await;
    let router = router(&t);
    let free = t.token(user.id, scopes(), None).await;
    t.join(&foreign, &t.account("bob@example.com").await, OrgRole::Owner, false).await;
    for path in ["", "/members", "/projects/PRJ/members"] {
        let hidden = get(&router, &format!("/orgs/foreign{path}"), &free).await;
        let missing = get(&router, &format!("/orgs/missing{path}"), &free).await;
        let malformed = get(&router, &format!("/orgs/No%20slug{path}"), &free).await;
        assert_eq!(hidden.status, StatusCode::NOT_FOUND);
        assert_eq!(hidden.snapshot(), missing.snapshot());
        assert_eq!(hidden.snapshot(), malformed.snapshot());
        let trace = |reply: &svc_testkit::Reply| reply.json["traceId"].as_str().unwrap().to_owned();
        assert_eq!(hidden.text.replace(&trace(&hidden), ""), missing.text.replace(&trace(&missing), ""));
    }
}

#[tokio::test]
async fn a_bound_token_cannot_discover_another_organization() {
    let t = roomy();
    let (own, other) = (t.org("own").await, t.org("other").await);
    let user = t.account("ada@example.com").await;
    t.join(&own, &user, OrgRole::Owner, false).await;
    t.join(&other, &user, OrgRole::Owner, false).await;
    let bound = t.token(user.id, scopes(), Some(&own)).await;
    let router = router(&t);
    let seen = get(&router, "/orgs", &bound).await;
    assert_eq!(seen.json.as_array().unwrap().len(), 1);
    assert_eq!(seen.json[0]["slug"], "own");
    assert!(!get(&router, "/me", &bound).await.text.contains("other"));
    let hidden = get(&router, "/orgs/other", &bound).await;
    let missing = get(&router, "/orgs/missing", &bound).await;
    assert_eq!(hidden.snapshot(), missing.snapshot());
    let taken = post(&router, "/orgs", &bound, json!({ "slug": "other", "name": "x" })).await;
    let free = post(&router, "/orgs", &bound, json!({ "slug": "free", "name": "x" })).await;
    assert_eq!(taken.snapshot(), free.snapshot());
}

#[tokio::test]
async fn whoever_makes_an_organization_owns_it() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, &[Scope::Read, Scope::Write], None).await;
    let router = router(&t);
    let made = post(&router, "/orgs", &token, json!({ "slug": "mine", "name": " Mine " })).await;
    insta::assert_snapshot!(made.snapshot());
    assert_eq!(get(&router, "/orgs/mine", &token).await.json, made.json);
    let again = post(&router, "/orgs", &token, json!({ "slug": "mine", "name": "Again" })).await;
    insta::assert_snapshot!("a_slug_that_is_taken", again.snapshot());
}

#[tokio::test]
async fn an_agent_sees_its_organization_and_who_it_is() {
    let t = roomy();
    let (org, _other) = (t.org("demo").await, t.org("other").await);
    let project = t.project(&org, "PRJ").await;
    let (_, _, agent) = t.agent_token(&org, &project).await;
    let router = router(&t);
    insta::assert_snapshot!(get(&router, "/me", &agent).await.snapshot());
    assert_eq!(get(&router, "/orgs/other", &agent).await.status, StatusCode::NOT_FOUND);
    let (_, runner) = t.runner_secret(&org).await;
    assert_eq!(get(&router, "/me", &runner).await.problem(), "forbidden");
    assert_eq!(get(&router, "/orgs/demo", &runner).await.problem(), "forbidden");
}

#[tokio::test]
async fn a_person_makes_so_many_organizations() {
    let mut settings = roomy_settings();
    settings.limits.organizations_per_account = 2;
    let t = TestApp::with(settings);
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, scopes(), None).await;
    let router = router(&t);
    for (slug, status) in
        [("one", StatusCode::CREATED), ("two", StatusCode::CREATED), ("three", StatusCode::CONFLICT)]
    {
        let made = post(&router, "/orgs", &token, json!({ "slug": slug, "name": slug })).await;
        assert_eq!(made.status, status, "{}", made.text);
    }
}
