//! Groups that the identity provider names at a sign-in, and the roles that they give.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;
use svc_domain::ids::UserId;
use svc_testkit::{call, scopes};

use crate::oidc::{World, at_home, session, world_of};
use crate::{get, post};

/// A world in which groups count in the organization `demo`, and its Owner's token.
async fn world() -> (World, String, UserId) {
    let w = world_of(at_home(), |settings| {
        settings.create_accounts = true;
        settings.group_organizations = "demo, nowhere".into();
    })
    .await;
    let org = w.t.org("demo").await;
    let owner = w.t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = w.t.token(owner, scopes(), None).await;
    (w, token, owner)
}

async fn map(w: &World, owner: &str, org: &str, groups: Value) {
    let path = format!("/orgs/{org}/group-roles");
    let version = get(&w.router, &path, owner).await.json["version"].clone();
    let body = json!({ "version": version, "groups": groups });
    let set = call(&w.router, Method::PUT, &path, Some(owner), Some(body)).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
}

/// The roles of the members of `demo`, by name.
async fn roles(w: &World, owner: &str) -> Vec<String> {
    let members = get(&w.router, "/orgs/demo/members", owner).await.json;
    let said = |member: &Value| {
        format!(
            "{} {}",
            member["displayName"].as_str().expect("a text"),
            member["role"].as_str().expect("a text")
        )
    };
    members.as_array().expect("a list").iter().map(said).collect()
}

/// Ada signs in, and the provider says that she is in these groups.
async fn sign_in(w: &World, groups: Value) -> String {
    w.t.advance(SignedDuration::from_secs(1));
    w.say("groups", groups);
    session(&w.sign_in().await)
}

#[tokio::test]
async fn groups_give_membership_raise_and_lower_it_and_take_it_again() {
    let (w, owner, _) = world().await;
    let adas = sign_in(&w, json!(["engineering"])).await;
    assert_eq!(w.me(&adas).await["organizations"], json!([]), "nothing is mapped");
    let groups = json!([{"group": "engineering", "role": "member"}, {"group": "leads", "role": "admin"}]);
    map(&w, &owner, "demo", groups).await;
    assert_eq!(get(&w.router, "/orgs/demo/group-roles", &owner).await.json["atSignIn"], true);
    let adas = sign_in(&w, json!(["engineering", "unknown"])).await;
    assert_eq!(w.me(&adas).await["organizations"][0]["role"], "member", "in the session that just began");
    sign_in(&w, json!(["engineering", "leads"])).await;
    assert_eq!(roles(&w, &owner).await, ["Ada Lovelace admin", "owner owner"]);
    sign_in(&w, json!("engineering")).await;
    assert_eq!(roles(&w, &owner).await, ["Ada Lovelace member", "owner owner"]);
    let out = sign_in(&w, json!([])).await;
    assert_eq!(roles(&w, &owner).await, ["owner owner"]);
    assert_eq!(w.me(&out).await["organizations"], json!([]));

    let log = get(&w.router, "/orgs/demo/audit?kind=member", &owner).await.json;
    let lines: Vec<String> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            let word = |field: &str| line[field].as_str().unwrap_or("-").to_owned();
            format!("{} {} {} {}", word("action"), word("via"), word("from"), word("to"))
        })
        .collect();
    assert_eq!(
        lines,
        [
            "memberRemoved identity provider - -",
            "memberChanged identity provider admin member",
            "memberChanged identity provider member admin",
            "memberAdded identity provider - member",
            "groupRolesChanged - - engineering is member, leads is admin",
        ]
        .map(|line| line.replace("Changed - - eng", "Changed -  eng"))
    );
    assert!(log["entries"][0].get("by").is_none(), "no person did it");
}

#[tokio::test]
async fn what_people_gave_stays_and_so_does_the_last_owner() {
    let (w, owner, owner_id) = world().await;
    let ada = w.t.account("ada@example.com").await;
    let org = w.t.app.table.get(&svc_storage::keys::slug(&"demo".parse().unwrap())).await.unwrap().unwrap();
    let org: svc_domain::ids::OrgId = org.read().unwrap();
    let org_row = w.t.app.table.get(&svc_storage::keys::org(org)).await.unwrap().unwrap();
    w.t.join(&org_row.read().unwrap(), &ada, OrgRole::Admin, false).await;
    map(
        &w,
        &owner,
        "demo",
        json!([{"group": "staff", "role": "guest"}, {"group": "bosses", "role": "owner"}]),
    )
    .await;
    sign_in(&w, json!(["staff"])).await;
    assert_eq!(roles(&w, &owner).await[0], "ada admin", "a group lowers nobody whom a person made an Admin");
    sign_in(&w, json!(["bosses"])).await;
    assert_eq!(roles(&w, &owner).await[0], "ada owner");
    sign_in(&w, json!([])).await;
    assert_eq!(roles(&w, &owner).await[0], "ada admin", "what a person gave comes back");

    // Ada is an Owner by her group, and then the only one: she stays.
    let adas = sign_in(&w, json!(["bosses"])).await;
    let gone =
        call(&w.router, Method::DELETE, &format!("/orgs/demo/members/{owner_id}"), Some(&adas), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.text);
    let adas = sign_in(&w, json!([])).await;
    assert_eq!(w.me(&adas).await["organizations"][0]["role"], "owner");
}

#[tokio::test]
async fn a_claim_that_is_not_to_be_used_changes_nothing() {
    let (w, owner, _) = world().await;
    map(&w, &owner, "demo", json!([{"group": "staff", "role": "member"}])).await;
    sign_in(&w, json!(["staff"])).await;
    for unusable in [json!({"staff": true}), json!(["staff", 1]), json!(7), json!(vec!["x"; 1_001])] {
        sign_in(&w, unusable.clone()).await;
        assert_eq!(roles(&w, &owner).await[0], "Ada Lovelace member", "{unusable}");
    }
    // Entra ID names the place where more groups than fit into a token can be read.
    w.provider.says.lock().more = json!({"sub": "ada-1"});
    w.say("_claim_names", json!({"groups": "src1"}));
    sign_in(&w, Value::Null).await;
    assert_eq!(roles(&w, &owner).await.len(), 2);
    w.say("_claim_names", Value::Null);
    // What the token does not say may be said elsewhere; otherwise the person is in none.
    w.provider.says.lock().more = json!({"sub": "ada-1", "groups": ["staff"]});
    sign_in(&w, Value::Null).await;
    assert_eq!(roles(&w, &owner).await.len(), 2);
    w.provider.says.lock().more = json!({"sub": "ada-1"});
    sign_in(&w, Value::Null).await;
    assert_eq!(roles(&w, &owner).await, ["owner owner"]);
}

#[tokio::test]
async fn an_organization_that_the_operator_does_not_name_draws_nobody_in() {
    let (w, _, _) = world().await;
    let org = w.t.org("mallorys").await;
    let mallory = w.t.user(&org, "mallory@example.com", OrgRole::Owner, false).await;
    let token = w.t.token(mallory, scopes(), None).await;
    map(&w, &token, "mallorys", json!([{"group": "staff", "role": "guest"}])).await;
    assert_eq!(get(&w.router, "/orgs/mallorys/group-roles", &token).await.json["atSignIn"], false);
    let adas = sign_in(&w, json!(["staff"])).await;
    assert_eq!(w.me(&adas).await["organizations"], json!([]));
    assert_eq!(get(&w.router, "/orgs/mallorys/members", &token).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_owners_map_groups_and_a_stale_change_is_refused() {
    let (w, owner, _) = world().await;
    let body = json!({"version": 0, "groups": [{"group": "staff", "role": "owner"}]});
    let org = w.t.org("other").await;
    let admin = w.t.user(&org, "admin@example.com", OrgRole::Admin, false).await;
    let admin = w.t.token(admin, scopes(), None).await;
    let put = async |org: &str, token: &str, body: Value| {
        call(&w.router, Method::PUT, &format!("/orgs/{org}/group-roles"), Some(token), Some(body)).await
    };
    assert_eq!(put("other", &admin, body.clone()).await.problem(), "forbidden");
    map(&w, &owner, "demo", json!([{"group": "staff", "role": "member"}])).await;
    let stale = put("demo", &owner, body).await;
    assert_eq!((stale.status, stale.problem()), (StatusCode::CONFLICT, "stale-version"));
    let twice =
        json!({"version": 1, "groups": [{"group": "a", "role": "guest"}, {"group": " a", "role": "admin"}]});
    let twice = put("demo", &owner, twice).await;
    assert!(twice.json["errors"]["groups"].is_array(), "{}", twice.text);
    let token =
        post(&w.router, "/me/tokens", &owner, json!({"name": "x", "scopes": ["read", "write"]})).await;
    let weak = put("demo", token.json["secret"].as_str().unwrap(), json!({"version": 1, "groups": []})).await;
    assert_eq!(weak.problem(), "missing-scope");
}
