//! Two processes, one store, and requests at the same time.

use futures::future::join_all;
use http::{Method, StatusCode};
use serde_json::json;
use svc_domain::identity::OrgRole;
use svc_storage::keys;
use svc_testkit::{call, scopes};

use crate::first_run::register_body;
use crate::post::secret_in;
use crate::{delete, get, post, roomy, router};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_set_the_instance_up_one_does() {
    let t = roomy();
    let routers = [router(&t), router(&t.beside())];
    let replies = join_all((0..8).map(|n| {
        let body = register_body(&format!("user{n}@example.com"), &format!("org-{n}"));
        call(&routers[n % 2], Method::POST, "/auth/register", None, Some(body))
    }))
    .await;
    let won: Vec<usize> = (0..8).filter(|n| replies[*n].status == StatusCode::CREATED).collect();
    assert_eq!(won.len(), 1);
    for (n, reply) in replies.iter().enumerate().filter(|(n, _)| *n != won[0]) {
        assert_eq!(reply.problem(), "forbidden");
        let body = Some(json!({ "email": format!("user{n}@example.com"), "password": "long enough" }));
        let login = call(&routers[0], Method::POST, "/auth/login", None, body).await;
        assert_eq!(login.problem(), "wrong-password", "a loser leaves no account");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_add_the_same_address_one_invites_it() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let routers = [router(&t), router(&t.beside())];
    let replies = join_all((0..8).map(|n| {
        let body = json!({ "email": "ada@example.com", "role": "member" });
        post(&routers[n % 2], "/orgs/demo/members", &token, body)
    }))
    .await;
    let added = replies.iter().filter(|reply| reply.status == StatusCode::CREATED).count();
    let refused = replies.iter().filter(|reply| reply.status == StatusCode::CONFLICT).count();
    assert_eq!((added, refused), (1, 7), "{:?}", replies.iter().map(|r| &r.text).collect::<Vec<_>>());
    assert_eq!(get(&routers[0], "/orgs/demo/invitations", &token).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn owners_who_remove_each_other_leave_one() {
    for _ in 0..10 {
        let t = roomy();
        let org = t.org("demo").await;
        let mut owners = Vec::new();
        for name in ["a", "b", "c"] {
            let user = t.user(&org, &format!("{name}@example.com"), OrgRole::Owner, false).await;
            owners.push((user, t.token(user, scopes(), None).await));
        }
        let routers = [router(&t), router(&t.beside())];
        // Each removes or demotes the next, all at once.
        join_all((0..3).map(|n| {
            let (router, token, next) = (&routers[n % 2], owners[n].1.clone(), owners[(n + 1) % 3].0);
            let path = format!("/orgs/demo/members/{next}");
            async move {
                if n == 0 {
                    let body = Some(json!({ "version": 1, "role": "guest" }));
                    call(router, Method::PATCH, &path, Some(&token), body).await
                } else {
                    delete(router, &path, &token).await
                }
            }
        }))
        .await;
        let rows = join_all(owners.iter().map(|(_, token)| get(&routers[0], "/orgs/demo", token))).await;
        let left = rows.iter().filter(|reply| reply.json["role"] == "owner").count();
        assert!(left >= 1, "an organization keeps an Owner");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_joins_a_project_while_leaving_the_organization() {
    for round in 0..10 {
        let t = roomy();
        let org = t.org("demo").await;
        t.project(&org, "PRJ").await;
        let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        let ada = t.user(&org, "ada@example.com", OrgRole::Member, false).await;
        let token = t.token(owner, scopes(), None).await;
        let routers = [router(&t), router(&t.beside())];
        let path = format!("/orgs/demo/projects/PRJ/members/{ada}");
        let leaving = format!("/orgs/demo/members/{ada}");
        let joins = call(&routers[0], Method::PUT, &path, Some(&token), Some(json!({ "role": "member" })));
        let (left, _) = futures::join!(delete(&routers[1], &leaving, &token), joins);
        assert_eq!(left.status, StatusCode::NO_CONTENT, "round {round}");
        let members = get(&routers[0], "/orgs/demo/projects/PRJ/members", &token).await;
        assert_eq!(members.json, json!([]), "round {round}");
    }
}

#[tokio::test]
async fn who_is_renamed_while_joining_is_a_member_by_the_new_name() {
    for way in ["invited", "founder"] {
        let t = roomy();
        let org = t.org("demo").await;
        let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        let owner = t.token(owner, scopes(), None).await;
        let account = t.account("ada@example.com").await;
        let ada = t.token(account.id, scopes(), None).await;
        let (beside, gate) = t.beside().gated();
        let (here, there) = (router(&t), router(&beside));
        let body = json!({ "email": "ada@example.com", "preset": "member" });
        let invited = post(&here, "/orgs/demo/invitations", &owner, body).await;
        let secret = secret_in(invited.json["link"].as_str().unwrap());
        let (slug, key) = match way {
            "founder" => ("new", keys::slug(&"new".parse().unwrap())),
            _ => ("demo", keys::member(org.id, account.id).into()),
        };
        let joining = match way {
            "invited" => post(&there, "/auth/invitations/accept", &ada, json!({ "secret": secret })),
            _ => post(&there, "/orgs", &ada, json!({ "slug": "new", "name": "New" })),
        };
        let body = Some(json!({ "version": 1, "displayName": "Ada Lovelace" }));
        let renaming = call(&here, Method::PATCH, "/me", Some(&ada), body);
        let (joined, renamed) = gate.meanwhile(key, joining, renaming).await;
        assert!(joined.status.is_success(), "{way}: {}", joined.text);
        assert_eq!(renamed.status, StatusCode::OK, "{way}: {}", renamed.text);
        let members = get(&here, &format!("/orgs/{slug}/members"), &ada).await.json;
        let mut names = members.as_array().unwrap().iter().map(|member| &member["displayName"]);
        assert!(names.any(|name| name == "Ada Lovelace"), "{way}: {members}");
    }
}

#[tokio::test]
async fn no_use_is_noted_of_a_token_that_is_revoked_in_that_moment() {
    let t = roomy();
    let ada = t.account("ada@example.com").await;
    let maker = t.token(ada.id, scopes(), None).await;
    let (beside, gate) = t.beside().gated();
    let (here, there) = (router(&t), router(&beside));
    let made = post(&here, "/me/tokens", &maker, json!({ "name": "ci", "scopes": ["read"] })).await;
    let (id, secret) = (made.json["token"]["id"].as_str().unwrap(), made.json["secret"].as_str().unwrap());
    let note = keys::token_use(ada.id, id.parse().unwrap());
    let path = format!("/me/tokens/{id}");
    let (used, revoked) =
        gate.meanwhile(note.clone(), get(&there, "/me", secret), delete(&here, &path, &maker)).await;
    assert_eq!((used.status, revoked.status), (StatusCode::OK, StatusCode::NO_CONTENT));
    assert_eq!(t.app.table.get(&note).await.unwrap(), None);
}
