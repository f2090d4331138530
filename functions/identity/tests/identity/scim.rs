//! SCIM 2.0: what Okta and Entra ID send, and what a hostile Owner with a token of the directory cannot do.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;
use svc_domain::ids::UserId;
use svc_testkit::{Reply, TestApp, call, scopes, send};

use crate::post::{secret_in, with_mailbox, work};
use crate::{accept, delete, get, join, post, roomy, router};

struct World {
    t: TestApp,
    router: Router,
    scim: Router,
    /// The Owner's token of the API.
    owner: String,
    owner_id: UserId,
    /// A token of the directory.
    token: String,
}

async fn world_of(t: TestApp) -> World {
    let org = t.org("demo").await;
    let owner_id = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let owner = t.token(owner_id, scopes(), None).await;
    let router = router(&t);
    let made = post(&router, "/orgs/demo/scim-tokens", &owner, json!({"name": "Okta"})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let address = made.json["address"].as_str().expect("a text");
    assert!(address.ends_with("/scim/v2/orgs/demo"), "{address}");
    let token = made.json["secret"].as_str().expect("a text").to_owned();
    let scim = svc_http::finish(svc_identity::scim(), Arc::clone(&t.app));
    World { t, router, scim, owner, owner_id, token }
}

async fn world() -> World {
    world_of(roomy()).await
}

impl World {
    async fn ask_as(&self, token: &str, method: Method, path: &str, body: Option<Value>) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(format!("/scim/v2/orgs/demo{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/scim+json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        send(&self.scim, request.body(body).expect("it is there")).await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Reply {
        let reply = self.ask_as(&self.token, method, path, body).await;
        if !reply.text.is_empty() {
            assert_eq!(reply.header("content-type"), "application/scim+json", "{}", reply.text);
        }
        reply
    }

    async fn add(&self, email: &str) -> String {
        let body = json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": email, "active": true,
            "name": {"givenName": "Ada", "familyName": "Lovelace"}, "externalId": format!("id of {email}"),
        });
        let made = self.ask(Method::POST, "/Users", Some(body)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json["id"].as_str().expect("a text").to_owned()
    }

    async fn group(&self, name: &str, members: &[&str]) -> String {
        let members: Vec<Value> = members.iter().map(|id| json!({ "value": id })).collect();
        let body = json!({ "displayName": name, "members": members });
        let made = self.ask(Method::POST, "/Groups", Some(body)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json["id"].as_str().expect("a text").to_owned()
    }

    async fn patch(&self, path: &str, operations: Value) -> Reply {
        let schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
        let body = json!({ "schemas": [schema], "Operations": operations });
        self.ask(Method::PATCH, path, Some(body)).await
    }

    /// The link of the invitation of an address, as the Owner passes it on.
    async fn link(&self, email: &str) -> Option<String> {
        let invitations = get(&self.router, "/orgs/demo/invitations", &self.owner).await.json;
        let pending = |one: &&Value| one["email"] == email && one["state"] == "pending";
        let id = invitations.as_array()?.iter().find(pending)?["id"].as_str()?.to_owned();
        let path = format!("/orgs/demo/invitations/{id}/resend");
        let resent = call(&self.router, Method::POST, &path, Some(&self.owner), Some(json!({}))).await;
        Some(secret_in(resent.json["link"].as_str()?))
    }

    async fn joins(&self, email: &str) {
        let joined = join(&self.router, &self.link(email).await.expect("an invitation"), "Ada").await;
        assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    }

    async fn map(&self, group: &str, role: &str) {
        let path = "/orgs/demo/group-roles";
        let version = get(&self.router, path, &self.owner).await.json["version"].clone();
        let body = json!({ "version": version, "groups": [{"group": group, "role": role}] });
        let set = call(&self.router, Method::PUT, path, Some(&self.owner), Some(body)).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    }

    async fn role(&self, email: &str) -> Option<String> {
        let members = get(&self.router, "/orgs/demo/members", &self.owner).await.json;
        let member = members.as_array()?.iter().find(|member| member["email"] == email)?;
        Some(member["role"].as_str()?.to_owned())
    }
}

fn refused(reply: &Reply) -> (u16, String) {
    assert_eq!(reply.json["schemas"][0], "urn:ietf:params:scim:api:messages:2.0:Error", "{}", reply.text);
    assert_eq!(reply.json["status"], reply.status.as_u16().to_string());
    (reply.status.as_u16(), reply.json["scimType"].as_str().unwrap_or("-").to_owned())
}

#[tokio::test]
async fn okta_looks_for_a_person_invites_them_groups_them_and_takes_them_out() {
    let w = world().await;
    let filter = "?filter=userName%20eq%20%22ada%40example.com%22&startIndex=1&count=100";
    let none = w.ask(Method::GET, &format!("/Users{filter}"), None).await;
    assert_eq!((none.status, &none.json["totalResults"]), (StatusCode::OK, &json!(0)), "{}", none.text);
    let id = w.add("ada@example.com").await;
    let found = w.ask(Method::GET, &format!("/Users{filter}"), None).await;
    assert_eq!(found.json["Resources"][0]["id"], id);
    assert_eq!(found.json["Resources"][0]["displayName"], "Ada Lovelace");
    assert_eq!(w.role("ada@example.com").await, None, "nobody is a member who has not joined");
    w.joins("ada@example.com").await;
    assert_eq!(w.role("ada@example.com").await.as_deref(), Some("guest"));

    w.map("Engineering", "member").await;
    let group = w.group("Engineering", &[&id]).await;
    assert_eq!(w.role("ada@example.com").await.as_deref(), Some("member"));
    let replace = json!([{"op": "replace", "value": {"id": group, "displayName": "Eng"}}]);
    assert_eq!(w.patch(&format!("/Groups/{group}"), replace).await.json["displayName"], "Eng");
    assert_eq!(w.role("ada@example.com").await.as_deref(), Some("guest"), "a name that gives nothing");
    w.map("Eng", "admin").await;
    assert_eq!(w.role("ada@example.com").await.as_deref(), Some("admin"), "as soon as it is mapped");

    let off = json!([{"op": "replace", "value": {"active": false}}]);
    let off = w.patch(&format!("/Users/{id}"), off).await;
    assert_eq!((off.status, &off.json["active"]), (StatusCode::OK, &json!(false)), "{}", off.text);
    assert_eq!(w.role("ada@example.com").await, None);
    let login = json!({"email": "ada@example.com", "password": "long enough"});
    let login = call(&w.router, Method::POST, "/auth/login", None, Some(login)).await;
    assert_eq!(login.status, StatusCode::OK, "the account is hers: {}", login.text);

    // Active again, they are invited again, and have their groups when they join.
    let on = json!([{"op": "replace", "value": {"active": true}}]);
    assert_eq!(w.patch(&format!("/Users/{id}"), on).await.json["active"], true);
    let secret = w.link("ada@example.com").await.expect("an invitation");
    let session = crate::oidc::cookie_of(&login);
    assert_eq!(accept(&w.router, Some(&session), json!({"secret": secret})).await.status, StatusCode::OK);
    assert_eq!(w.role("ada@example.com").await.as_deref(), Some("admin"));

    let log = get(&w.router, "/orgs/demo/audit?action=memberChanged,memberRemoved", &w.owner).await.json;
    let lines = log["entries"].as_array().unwrap();
    let by_token = lines.iter().filter(|line| line["via"] == "SCIM token Okta").count();
    assert_eq!(by_token, 3, "{lines:#?}");
    assert!(lines.iter().all(|line| line["by"]["name"] == "owner"), "in the name of who made it");
}

#[tokio::test]
async fn entra_writes_texts_for_truths_paths_with_choices_and_operations_in_capitals() {
    let w = world().await;
    let ids = [w.add("ada@example.com").await, w.add("bob@example.com").await];
    let off = json!([
        {"op": "Replace", "path": "active", "value": "False"},
        {"op": "Add", "path": "emails[type eq \"work\"].value", "value": "else@example.com"},
        {"op": "Replace", "path": "name.familyName", "value": "King"},
        {"op": "Replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User:displayName", "value": "Ada King"},
    ]);
    let off = w.patch(&format!("/Users/{}", ids[0]), off).await;
    assert_eq!(
        (&off.json["active"], &off.json["displayName"]),
        (&json!(false), &json!("Ada King")),
        "{}",
        off.text
    );
    assert_eq!(off.json["userName"], "ada@example.com");
    assert!(w.link("ada@example.com").await.is_none(), "the invitation is withdrawn");

    let group = w.group("Staff", &[]).await;
    let path = format!("/Groups/{group}");
    let members = async || {
        let found = w.ask(Method::GET, &path, None).await.json;
        let mut ids: Vec<String> = found["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["value"].as_str().unwrap().into())
            .collect();
        ids.sort();
        ids
    };
    let add = json!([{"op": "Add", "path": "members", "value": [{"value": ids[0]}, {"value": ids[1]}]}]);
    assert_eq!(w.patch(&path, add).await.status, StatusCode::OK);
    assert_eq!(members().await.len(), 2);
    let one = json!([{"op": "Remove", "path": format!("members[value eq \"{}\"]", ids[0])}]);
    assert_eq!(w.patch(&path, one).await.status, StatusCode::OK);
    assert_eq!(members().await, [ids[1].clone()]);
    let listed = json!([{"op": "Remove", "path": "members", "value": [{"value": ids[1]}]}]);
    assert_eq!(w.patch(&path, listed).await.status, StatusCode::OK);
    assert_eq!(members().await.len(), 0);
    let all = json!([{"op": "replace", "path": "members", "value": [{"value": ids[0]}]}, {"op": "remove", "path": "members"}]);
    assert_eq!(w.patch(&path, all).await.status, StatusCode::OK);
    assert_eq!(members().await.len(), 0);
    let found = w
        .ask(Method::GET, "/Groups?excludedAttributes=members&filter=displayName%20eq%20%22staff%22", None)
        .await;
    assert_eq!(found.json["totalResults"], 1, "{}", found.text);
    assert!(found.json["Resources"][0].get("members").is_none());
}

#[tokio::test]
async fn resources_have_versions_pages_and_errors_of_the_protocol() {
    let w = world().await;
    let id = w.add("ada@example.com").await;
    w.add("bob@example.com").await;
    let path = format!("/Users/{id}");
    let first = w.ask(Method::GET, &path, None).await;
    assert_eq!(first.header("etag"), first.json["meta"]["version"].as_str().unwrap());
    let page = w.ask(Method::GET, "/Users?startIndex=2&count=1", None).await.json;
    assert_eq!((&page["totalResults"], &page["itemsPerPage"]), (&json!(2), &json!(1)));
    assert_eq!(page["Resources"][0]["userName"], "bob@example.com");
    let by_id =
        w.ask(Method::GET, "/Users?filter=externalId%20eq%20%22id%20of%20bob%40example.com%22", None).await;
    assert_eq!(by_id.json["totalResults"], 1, "{}", by_id.text);

    let post = async |path: &str, body: Value| refused(&w.ask(Method::POST, path, Some(body)).await);
    assert_eq!(post("/Users", json!({"userName": "ADA@example.com"})).await, (409, "uniqueness".into()));
    assert_eq!(post("/Users", json!({"userName": "no address"})).await, (400, "invalidValue".into()));
    assert_eq!(post("/Users", json!({"active": true})).await, (400, "invalidValue".into()));
    assert_eq!(post("/Users", json!([1])).await, (400, "invalidSyntax".into()));
    assert_eq!(post("/Groups", json!({"displayName": "A", "members": [{"value": "x"}]})).await.0, 400);
    let stranger = json!([{"value": "0193a6e5-0000-7000-8000-000000000000"}]);
    assert_eq!(post("/Groups", json!({"displayName": "A", "members": stranger})).await.0, 400);
    let get = async |path: &str| refused(&w.ask(Method::GET, path, None).await);
    assert_eq!(get("/Users/nobody").await, (404, "-".into()));
    assert_eq!(get("/Users?filter=userName%20co%20%22a%22").await, (400, "invalidFilter".into()));
    assert_eq!(refused(&w.patch(&path, json!([{"op": "move"}])).await), (400, "invalidSyntax".into()));
    assert_eq!(refused(&w.patch(&path, json!([{"op": "remove"}])).await), (400, "noTarget".into()));

    let request = Request::delete(format!("/scim/v2/orgs/demo{path}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", w.token))
        .header(header::IF_MATCH, "W/\"77\"");
    let stale = send(&w.scim, request.body(Body::empty()).unwrap()).await;
    assert_eq!(refused(&stale), (412, "-".into()));
    assert_eq!(w.ask(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&path).await.0, 404);
    for about in ["ServiceProviderConfig", "ResourceTypes", "Schemas"] {
        assert_eq!(w.ask(Method::GET, &format!("/{about}"), None).await.status, StatusCode::OK, "{about}");
    }
}

#[tokio::test]
async fn a_member_is_linked_and_keeps_what_people_gave_and_the_last_owner_stays() {
    let w = world().await;
    let id = w.add("owner@example.com").await;
    assert!(w.link("owner@example.com").await.is_none(), "a member is not invited");
    w.map("Staff", "guest").await;
    let group = w.group("Staff", &[&id]).await;
    assert_eq!(w.role("owner@example.com").await.as_deref(), Some("owner"));
    let off = json!([{"op": "replace", "path": "active", "value": false}]);
    assert_eq!(refused(&w.patch(&format!("/Users/{id}"), off).await).0, 409);
    assert_eq!(refused(&w.ask(Method::DELETE, &format!("/Users/{id}"), None).await).0, 409);
    assert_eq!(w.role("owner@example.com").await.as_deref(), Some("owner"));
    assert_eq!(w.ask(Method::DELETE, &format!("/Groups/{group}"), None).await.status, StatusCode::NO_CONTENT);
    // An Owner takes another member out by hand, and the directory says so.
    let ada = w.add("ada@example.com").await;
    w.joins("ada@example.com").await;
    let members = get(&w.router, "/orgs/demo/members", &w.owner).await.json;
    let member = members.as_array().unwrap().iter().find(|one| one["email"] == "ada@example.com").unwrap();
    let path = format!("/orgs/demo/members/{}", member["userId"].as_str().unwrap());
    assert_eq!(delete(&w.router, &path, &w.owner).await.status, StatusCode::NO_CONTENT);
    let seen = w.ask(Method::GET, &format!("/Users/{ada}"), None).await.json;
    assert_eq!(seen["active"], false);
    // A group does not bring back who was taken out.
    w.group("Staff", &[&ada]).await;
    assert_eq!(w.role("ada@example.com").await, None);
}

#[tokio::test]
async fn a_hostile_owner_learns_of_no_account_and_touches_none() {
    let (t, mailbox) = with_mailbox(roomy());
    let w = world_of(t).await;
    let victim = w.t.account("victim@example.com").await;
    let other = w.t.org("other").await;
    w.t.join(&other, &victim, OrgRole::Owner, true).await;
    let shape = |reply: &Reply| {
        let mut json = reply.json.clone();
        for field in ["id", "userName", "meta", "emails"] {
            json[field] = Value::Null;
        }
        (reply.status, json)
    };
    let add = async |email: &str| {
        w.ask(Method::POST, "/Users", Some(json!({"userName": email, "displayName": "X"}))).await
    };
    let (with, without) = (add("victim@example.com").await, add("nobody@example.com").await);
    assert_eq!(shape(&with), shape(&without), "with an account and without");
    assert_eq!(work(&w.t).await, 0);
    assert_eq!(mailbox.take().len(), 2, "both are invited");
    let id = with.json["id"].as_str().unwrap();
    let takes = json!([
        {"op": "replace", "path": "displayName", "value": "Mallory"},
        {"op": "replace", "path": "userName", "value": "mallory@example.com"},
        {"op": "replace", "path": "password", "value": "chosen by me"},
    ]);
    assert_eq!(w.patch(&format!("/Users/{id}"), takes).await.status, StatusCode::OK);
    assert_eq!(w.ask(Method::DELETE, &format!("/Users/{id}"), None).await.status, StatusCode::NO_CONTENT);
    let token = w.t.token(victim.id, scopes(), None).await;
    let me = get(&w.router, "/me", &token).await.json;
    assert_eq!(
        (&me["email"], &me["displayName"]),
        (&json!("victim@example.com"), &json!(victim.display_name))
    );
    assert_eq!(me["organizations"].as_array().unwrap().len(), 1, "only their own");

    // A budget bounds whom it can mail.
    let mut last = StatusCode::OK;
    for n in 0..30 {
        last = add(&format!("stranger{n}@example.com")).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    // To write again what is there mails nobody, and goes on.
    let path = format!("/Users/{}", without.json["id"].as_str().unwrap());
    let again = json!({"userName": "nobody@example.com", "displayName": "Y", "active": true});
    assert_eq!(w.ask(Method::PUT, &path, Some(again)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_admin_who_passes_a_link_on_to_themselves_becomes_no_owner() {
    let w = world().await;
    let id = w.add("boss@example.com").await;
    w.map("Bosses", "owner").await;
    w.group("Bosses", &[&id]).await;
    // An Admin asks for the link, and makes the account of the address.
    w.joins("boss@example.com").await;
    assert_eq!(w.role("boss@example.com").await.as_deref(), Some("admin"));
}

#[tokio::test]
async fn who_joined_in_another_way_while_they_were_invited_is_taken_out_too() {
    let w = world().await;
    let id = w.add("ada@example.com").await;
    let org = w.t.app.table.get(&svc_storage::keys::slug(&"demo".parse().unwrap())).await.unwrap().unwrap();
    let org = w.t.app.table.get(&svc_storage::keys::org(org.read().unwrap())).await.unwrap().unwrap();
    w.t.user(&org.read().unwrap(), "ada@example.com", OrgRole::Member, false).await;
    assert_eq!(w.ask(Method::DELETE, &format!("/Users/{id}"), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(w.role("ada@example.com").await, None);
    assert!(w.link("ada@example.com").await.is_none());
}

#[tokio::test]
async fn a_token_works_in_its_organization_below_scim_and_while_its_maker_is_an_owner() {
    let w = world().await;
    let listing = Method::GET;
    assert_eq!(get(&w.router, "/orgs/demo/members", &w.token).await.problem(), "forbidden");
    assert_eq!(get(&w.router, "/me", &w.token).await.problem(), "forbidden");
    assert_eq!(get(&w.router, "/orgs", &w.token).await.problem(), "forbidden");
    let with_account = w.ask_as(&w.owner, listing.clone(), "/Users", None).await;
    assert_eq!(refused(&with_account).0, 403);
    assert_eq!(refused(&w.ask_as("svd_wrong", listing.clone(), "/Users", None).await).0, 401);
    w.t.org("other").await;
    let elsewhere = Request::get("/scim/v2/orgs/other/Users")
        .header(header::AUTHORIZATION, format!("Bearer {}", w.token));
    assert_eq!(refused(&send(&w.scim, elsewhere.body(Body::empty()).unwrap()).await).0, 404);

    let tokens = get(&w.router, "/orgs/demo/scim-tokens", &w.owner).await;
    assert_eq!(tokens.json[0]["works"], true);
    assert!(!tokens.text.contains(&w.token));
    // The maker is made a Member by another Owner.
    let org = w.t.app.table.get(&svc_storage::keys::slug(&"demo".parse().unwrap())).await.unwrap().unwrap();
    let org = w.t.app.table.get(&svc_storage::keys::org(org.read().unwrap())).await.unwrap().unwrap();
    let second = w.t.user(&org.read().unwrap(), "second@example.com", OrgRole::Owner, false).await;
    let second = w.t.token(second, scopes(), None).await;
    let demote = json!({"version": 1, "role": "member"});
    let path = format!("/orgs/demo/members/{}", w.owner_id);
    let demoted = call(&w.router, Method::PATCH, &path, Some(&second), Some(demote)).await;
    assert_eq!(demoted.status, StatusCode::OK, "{}", demoted.text);
    assert_eq!(refused(&w.ask(listing.clone(), "/Users", None).await).0, 401);
    assert_eq!(get(&w.router, "/orgs/demo/scim-tokens", &second).await.json[0]["works"], false);

    w.t.advance(SignedDuration::from_secs(1));
    let made = post(&w.router, "/orgs/demo/scim-tokens", &second, json!({"name": "Entra"})).await;
    let secret = made.json["secret"].as_str().unwrap().to_owned();
    assert_eq!(w.ask_as(&secret, listing.clone(), "/Users", None).await.status, StatusCode::OK);
    w.t.advance(SignedDuration::from_secs(1));
    let path = format!("/orgs/demo/scim-tokens/{}", made.json["token"]["id"].as_str().unwrap());
    assert_eq!(delete(&w.router, &path, &second).await.status, StatusCode::NO_CONTENT);
    assert_eq!(refused(&w.ask_as(&secret, listing, "/Users", None).await).0, 401);
    let log = get(&w.router, "/orgs/demo/audit?kind=token", &second).await.json;
    let said: Vec<&str> =
        log["entries"].as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(said[..3], ["tokenRevoked", "tokenCreated", "tokenCreated"]);
}
