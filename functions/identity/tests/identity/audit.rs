//! The audit log of an organization.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;
use svc_testkit::{Reply, call, scopes};

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
    // One that reaches all of a person's organizations is no organization's.
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
            "ada: tokenCreated CI - -",
            "ada: memberChanged ben member admin",
        ]
    );
    assert!(all.json.get("next").is_none(), "{}", all.text);

    let of_ben = log(&format!("?subject={ben}&action=memberAdded,memberRemoved")).await;
    assert_eq!(told(&of_ben), ["ada: memberRemoved ben - -"]);
    assert_eq!(told(&log(&format!("?by={ben}")).await).len(), 0);
    let times = all.json["entries"].as_array().unwrap();
    let (second, third) = (times[1]["at"].as_str().unwrap(), times[2]["at"].as_str().unwrap());
    assert_eq!(told(&log(&format!("?since={third}&until={second}")).await), ["ada: tokenCreated CI - -"]);

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
