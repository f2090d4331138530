//! The audit log of an organization.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;
use svc_testkit::{PASSWORD, Reply, call, scopes};

use crate::post::work;
use crate::{delete, get, post, roomy, router};

/// What each line says, newest first.
fn told(reply: &Reply) -> Vec<String> {
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or("-").to_owned();
    let line = |line: &Value| {
        let by = line["by"]["name"].as_str().unwrap_or("-");
        let [action, name, from, to] = ["action", "name", "from", "to"].map(|field| word(line, field));
        format!("{by}: {action} {name} {from} {to}")
    };
    reply.json["entries"].as_array().into_iter().flatten().map(line).collect()
}

#[tokio::test]
async fn who_changed_members_and_tokens_is_told_newest_first() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let ben = t.user(&org, "ben@example.com", OrgRole::Member, false).await;
    let owner = t.token(ada, scopes(), None).await;
    let router = router(&t);
    let path = format!("/orgs/demo/members/{ben}");
    let change = json!({ "version": 1, "role": "admin" });
    call(&router, Method::PATCH, &path, Some(&owner), Some(change)).await;
    t.advance(SignedDuration::from_secs(60));
    let bound = json!({ "name": "CI", "scopes": ["read"], "organization": "demo" });
    let made = post(&router, "/me/tokens", &owner, bound).await;
    t.advance(SignedDuration::from_secs(60));
    // One that reaches all of a person's organizations is in the log of each: it was in none.
    post(&router, "/me/tokens", &owner, json!({ "name": "laptop", "scopes": ["read"] })).await;
    t.advance(SignedDuration::from_secs(60));
    let token = made.json["token"]["id"].as_str().unwrap();
    delete(&router, &format!("/me/tokens/{token}"), &owner).await;
    t.advance(SignedDuration::from_secs(60));
    assert_eq!(delete(&router, &path, &owner).await.status, StatusCode::NO_CONTENT);

    let log = async |query: &str| get(&router, &format!("/orgs/demo/audit{query}"), &owner).await;
    let all = log("").await;
    assert_eq!(
        told(&all),
        [
            "ada: memberRemoved ben - -",
            "ada: tokenRevoked CI - -",
            "ada: tokenCreated laptop - all organizations of its owner",
            "ada: tokenCreated CI - -",
            "ada: memberChanged ben member admin",
        ]
    );
    assert_eq!(told(&log("?kind=token,team").await).len(), 3);
    let refused = log("?kind=nothing").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert!(all.json.get("next").is_none(), "{}", all.text);

    let of_ben = log(&format!("?subject={ben}&action=memberAdded,memberRemoved")).await;
    assert_eq!(told(&of_ben), ["ada: memberRemoved ben - -"]);
    assert_eq!(told(&log(&format!("?by={ben}")).await).len(), 0);
    let times = all.json["entries"].as_array().unwrap();
    let (second, third) = (times[1]["at"].as_str().unwrap(), times[2]["at"].as_str().unwrap());
    let between = told(&log(&format!("?since={third}&until={second}")).await);
    assert_eq!(between, ["ada: tokenCreated laptop - all organizations of its owner"]);

    let mut pages = Vec::new();
    let mut query = "?limit=1".to_owned();
    while pages.len() < 10 {
        let page = log(&query).await;
        pages.extend(told(&page));
        let Some(next) = page.json["next"].as_str() else { break };
        query = format!("?limit=1&before={next}");
    }
    assert_eq!(pages, told(&all), "page by page");
}

/// The line of such a change was `member -> member`.
#[tokio::test]
async fn the_flag_for_ai_work_is_part_of_what_a_member_was_and_is() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let ben = t.user(&org, "ben@example.com", OrgRole::Member, false).await;
    let owner = t.token(ada, scopes(), None).await;
    let router = router(&t);
    let change = json!({ "version": 1, "canStartAiWork": true });
    call(&router, Method::PATCH, &format!("/orgs/demo/members/{ben}"), Some(&owner), Some(change)).await;
    let log = get(&router, "/orgs/demo/audit", &owner).await;
    assert_eq!(told(&log), ["ada: memberChanged ben member member, may start AI work"]);
}

/// A member called themselves as the Owner is called, made a token and took their name back.
#[tokio::test]
async fn a_member_who_takes_anothers_name_is_told_apart() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let eve = t.user(&org, "eve@example.com", OrgRole::Member, false).await;
    let owner = t.token(ada, scopes(), None).await;
    let token = t.token(eve, scopes(), None).await;
    let router = router(&t);
    let rename = async |version: u64, name: &str| {
        let body = json!({ "version": version, "displayName": name });
        let renamed = call(&router, Method::PATCH, "/me", Some(&token), Some(body)).await;
        assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text);
        assert_eq!(work(&t).await, 0);
        t.advance(SignedDuration::from_secs(60));
    };
    rename(1, "ada").await;
    let bound = json!({ "name": "CI", "scopes": ["read"], "organization": "demo" });
    post(&router, "/me/tokens", &token, bound).await;
    t.advance(SignedDuration::from_secs(60));
    rename(2, "eve").await;
    let log = get(&router, "/orgs/demo/audit", &owner).await;
    assert_eq!(
        told(&log),
        ["eve: memberRenamed eve ada eve", "ada: tokenCreated CI - -", "ada: memberRenamed eve eve ada"]
    );
    for line in log.json["entries"].as_array().unwrap() {
        assert_eq!(line["byEmail"], "eve@example.com", "{line}");
    }
}

/// They ended without a line.
#[tokio::test]
async fn a_token_that_a_new_password_ends_is_logged_as_revoked() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let session = t.session(ada).await;
    let router = router(&t);
    let bound = json!({ "name": "CI", "scopes": ["read"], "organization": "demo" });
    post(&router, "/me/tokens", &session, bound).await;
    t.advance(SignedDuration::from_secs(60));
    let new = json!({ "currentPassword": PASSWORD, "newPassword": "a new password" });
    let changed = post(&router, "/auth/password", &session, new).await;
    assert!(changed.status.is_success(), "{}", changed.text);
    let log = get(&router, "/orgs/demo/audit", &session).await;
    assert_eq!(told(&log), ["ada: tokenRevoked CI - -", "ada: tokenCreated CI - -"]);
}

#[tokio::test]
async fn members_do_not_read_it_and_a_wrong_question_is_told() {
    let t = roomy();
    let org = t.org("demo").await;
    let router = router(&t);
    for (role, status) in [
        (OrgRole::Owner, StatusCode::OK),
        (OrgRole::Admin, StatusCode::OK),
        (OrgRole::Member, StatusCode::FORBIDDEN),
        (OrgRole::Guest, StatusCode::FORBIDDEN),
    ] {
        let user = t.user(&org, &format!("{role}@example.com"), role, true).await;
        let token = t.token(user, scopes(), None).await;
        assert_eq!(get(&router, "/orgs/demo/audit", &token).await.status, status, "{role}");
        if role == OrgRole::Owner {
            for (query, field) in
                [("action=moved", "action"), ("project=-", "project"), ("before=x-y", "before")]
            {
                let refused = get(&router, &format!("/orgs/demo/audit?{query}"), &token).await;
                assert_eq!(refused.problem(), "validation-failed", "{query}");
                assert!(refused.json["errors"][field].is_array(), "{query}: {}", refused.text);
            }
        }
    }
}
