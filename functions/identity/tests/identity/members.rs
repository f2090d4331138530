//! Members of organizations and projects.

use http::{Method, StatusCode};
use serde_json::json;
use svc_domain::identity::{OrgRole, ProjectRole, Scope};
use svc_testkit::{Reply, call, scopes};

use crate::post::secret_in;
use crate::{accept, delete, get, join, login_body, post, roomy, router};

#[tokio::test]
async fn adding_an_address_invites_it_and_tells_nothing_of_its_account() {
    let t = roomy();
    let (org, other) = (t.org("demo").await, t.org("other").await);
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let ada = t.user(&other, "ada@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let mut answers = Vec::new();
    for email in ["ADA@example.com", "new@example.com"] {
        let body = json!({
            "email": email, "displayName": "Someone", "role": "member", "canStartAiWork": true,
        });
        answers.push(post(&router, "/orgs/demo/members", &token, body.clone()).await);
        let again = post(&router, "/orgs/demo/members", &token, body).await;
        assert_eq!((again.status, again.problem()), (StatusCode::CONFLICT, "conflict"));
    }
    insta::assert_snapshot!(answers[0].snapshot());
    let told = |reply: &svc_testkit::Reply| {
        let mut keys: Vec<_> = reply.json.as_object().unwrap().keys().cloned().collect();
        keys.extend(reply.json["invitation"].as_object().unwrap().keys().cloned());
        (keys, reply.json["userId"].clone(), reply.json["displayName"] == reply.json["email"])
    };
    assert_eq!(told(&answers[0]), told(&answers[1]), "with an account and without");
    let members = get(&router, "/orgs/demo/members", &token).await;
    assert_eq!(members.json.as_array().unwrap().len(), 1, "nobody is a member who has not joined");

    let secret = secret_in(answers[0].json["invitation"]["link"].as_str().unwrap());
    let adas = t.token(ada, scopes(), None).await;
    let joined = accept(&router, Some(&adas), json!({ "secret": secret })).await;
    assert_eq!(joined.json["organization"]["canOperateFactory"], true, "{}", joined.text);
}

#[tokio::test]
async fn nobody_chooses_the_password_of_somebody_else() {
    let t = roomy();
    let org = t.org("mallorys").await;
    let mallory = t.user(&org, "mallory@example.com", OrgRole::Owner, false).await;
    let token = t.token(mallory, scopes(), None).await;
    let router = router(&t);
    let body = json!({
        "email": "ceo@victim.example", "displayName": "CEO", "password": "long enough", "role": "admin",
    });
    let refused = post(&router, "/orgs/mallorys/members", &token, body).await;
    insta::assert_snapshot!(refused.snapshot());
    let login = login_body("ceo@victim.example", "long enough");
    let login = call(&router, Method::POST, "/auth/login", None, Some(login)).await;
    assert_eq!(login.problem(), "wrong-password");
}

#[tokio::test]
async fn an_address_that_a_stranger_joined_with_gives_them_nothing_elsewhere() {
    let t = roomy();
    let (org, victim) = (t.org("mallorys").await, t.org("victim").await);
    let mallory = t.user(&org, "mallory@example.com", OrgRole::Owner, false).await;
    let owner = t.user(&victim, "owner@victim.example", OrgRole::Owner, false).await;
    let (mallorys, owners) = (t.token(mallory, scopes(), None).await, t.token(owner, scopes(), None).await);
    let router = router(&t);
    let add = json!({ "email": "ceo@victim.example", "role": "admin" });
    // Without mail, who invites has the link, and can join as anybody who has no account yet.
    let invited = post(&router, "/orgs/mallorys/members", &mallorys, add.clone()).await;
    let secret = secret_in(invited.json["invitation"]["link"].as_str().unwrap());
    let stranger = join(&router, &secret, "CEO").await;
    assert_eq!(stranger.status, StatusCode::OK, "{}", stranger.text);
    let session = stranger.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap();

    let added = post(&router, "/orgs/victim/members", &owners, add).await;
    assert_eq!(added.status, StatusCode::CREATED);
    let seen = get(&router, "/orgs", session).await;
    let slugs: Vec<_> = seen.json.as_array().unwrap().iter().map(|org| org["slug"].clone()).collect();
    assert_eq!(slugs, ["mallorys"], "the link of the other organization is with its Owner");
}

#[tokio::test]
async fn who_is_a_member_is_not_added_again_and_nobody_is_added_as_an_owner() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    t.user(&org, "ada@example.com", OrgRole::Admin, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let add = async |email: &str, role: &str| {
        post(&router, "/orgs/demo/members", &token, json!({ "email": email, "role": role })).await
    };
    assert_eq!(add("ada@example.com", "guest").await.problem(), "conflict");
    let members = get(&router, "/orgs/demo/members", &token).await;
    assert_eq!(members.json[0]["role"], "admin", "adding lowers no role");
    for (email, role, field) in
        [("a@b.c", "boss", "role"), ("a@b.c", "owner", "role"), ("ab", "guest", "email")]
    {
        let refused = add(email, role).await;
        let fields: Vec<_> = refused.json["errors"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, [field], "{email} {role}");
    }
}

#[tokio::test]
async fn people_know_whom_they_work_with_and_only_administrators_know_addresses() {
    let t = roomy();
    let org = t.org("demo").await;
    let (one, two) = (t.project(&org, "ONE").await, t.project(&org, "TWO").await);
    let mut tokens = Vec::new();
    for (name, role, project) in [
        ("owner", OrgRole::Owner, None),
        ("admin", OrgRole::Admin, None),
        ("ada", OrgRole::Member, Some(&one)),
        ("ben", OrgRole::Member, Some(&one)),
        ("cho", OrgRole::Member, Some(&two)),
        ("guest", OrgRole::Guest, Some(&two)),
        ("new", OrgRole::Member, None),
    ] {
        let user = t.user(&org, &format!("{name}@example.com"), role, false).await;
        if let Some(project) = project {
            t.project_member(&org, project, user, ProjectRole::Member).await;
        }
        tokens.push((name, t.token(user, scopes(), None).await));
    }
    tokens.push(("agent of TWO", t.agent_token(&org, &two).await.2));
    let router = router(&t);
    let mut table = String::new();
    for (name, token) in tokens {
        let listed = get(&router, "/orgs/demo/members", &token).await.json;
        let seen = listed.as_array().unwrap().iter().map(|member| {
            let address = if member["email"] == "" { "" } else { "@" };
            format!("{}{address}", member["displayName"].as_str().unwrap())
        });
        table += &format!("{name}: {}\n", seen.collect::<Vec<_>>().join(" "));
    }
    insta::assert_snapshot!(table, @r"
    owner: ada@ admin@ ben@ cho@ guest@ new@ owner@
    admin: ada@ admin@ ben@ cho@ guest@ new@ owner@
    ada: ada@ admin ben owner
    ben: ada admin ben@ owner
    cho: admin cho@ guest owner
    guest: admin cho guest@ owner
    new: admin new@ owner
    agent of TWO: admin cho guest owner
    ");
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

/// Specification section 2.9: Guests start no AI work, however they became Guests.
#[tokio::test]
async fn a_guest_neither_gets_nor_keeps_the_right_to_start_ai_work() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Member, true).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let path = format!("/orgs/demo/members/{ada}");
    let change = |body| call(&router, Method::PATCH, &path, Some(&token), Some(body));
    let of = |reply: &Reply| (reply.json["role"].clone(), reply.json["canStartAiWork"].clone());
    let guest = change(json!({ "version": 1, "role": "guest" })).await;
    assert_eq!(of(&guest), (json!("guest"), json!(false)));
    let refused = change(json!({ "version": 2, "canStartAiWork": true })).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.json["errors"]["canStartAiWork"].is_array(), "{}", refused.text);
    let member = change(json!({ "version": 2, "role": "member" })).await;
    assert_eq!(of(&member), (json!("member"), json!(false)), "the right does not come back by itself");
    let same = change(json!({ "version": 3, "role": "member" })).await;
    assert_eq!((same.status.as_u16(), &same.json["version"]), (200, &json!(3)), "nothing was changed");
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
    let back = post(&router, "/orgs/demo/members", &token, back).await;
    let secret = secret_in(back.json["invitation"]["link"].as_str().unwrap());
    let joined = accept(&router, Some(&adas), json!({ "secret": secret })).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
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
    for (role, version, status) in [("admin", None, 200), ("member", None, 409), ("member", Some(4), 200)] {
        let body = Some(json!({ "role": role, "version": version }));
        let set = call(&router, Method::PUT, &path(ada), Some(&token), body).await;
        assert_eq!(set.status.as_u16(), status, "adding never lowers a role: {}", set.text);
        assert!(status == 200 || set.json["currentVersion"] == 4, "{}", set.text);
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
