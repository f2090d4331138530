//! Inviting people and joining (specification section 2.9).

use axum::Router;
use futures::future::join_all;
use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::administration::AdminCaller::Console;
use svc_app::administration::{self, MadeLink};
use svc_app::messages::{MailInvitation, Message};
use svc_domain::identity::{Org, OrgRole, ProjectRole, Scope};
use svc_storage::keys;
use svc_testkit::{Reply, TestApp, call, scopes};

use crate::post::{Weather, secret_in, with_mailbox, work};
use crate::{delete, get, join, post, roomy, router};

struct World {
    t: TestApp,
    router: Router,
    org: Org,
    owner: String,
}

async fn world(t: TestApp) -> World {
    let org = t.org("demo").await;
    t.project(&org, "PRJ").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let owner = t.token(owner, scopes(), None).await;
    World { router: router(&t), org, owner, t }
}

impl World {
    async fn invite(&self, email: &str, preset: &str) -> Reply {
        let body = json!({ "email": email, "preset": preset });
        post(&self.router, "/orgs/demo/invitations", &self.owner, body).await
    }

    async fn listed(&self) -> Value {
        get(&self.router, "/orgs/demo/invitations", &self.owner).await.json
    }

    async fn resend(&self, id: &str) -> Reply {
        self.send_again(&format!("{id}/resend")).await
    }

    async fn send_again(&self, path: &str) -> Reply {
        let path = format!("/orgs/demo/invitations/{path}");
        call(&self.router, Method::POST, &path, Some(&self.owner), None).await
    }
}

async fn accept(router: &Router, token: Option<&str>, secret: &str) -> Reply {
    crate::accept(router, token, json!({ "secret": secret })).await
}

async fn register(router: &Router, secret: &str) -> Reply {
    join(router, secret, "Ada").await
}

async fn look(router: &Router, secret: &str) -> Reply {
    let body = json!({ "secret": secret });
    call(router, Method::POST, "/auth/invitations/look", None, Some(body)).await
}

fn id(reply: &Reply) -> &str {
    reply.json["id"].as_str().expect("an id")
}

fn link(reply: &Reply) -> String {
    secret_in(reply.json["link"].as_str().expect("a link"))
}

#[tokio::test]
async fn without_mail_who_invites_gets_the_link_once_and_the_invited_registers_with_it() {
    let w = world(roomy()).await;
    let invited = w.invite("ada@example.com", "member").await;
    insta::assert_snapshot!("invited_by_hand", invited.snapshot());
    assert!(w.listed().await[0].get("link").is_none(), "a link is shown once");
    let secret = link(&invited);
    insta::assert_snapshot!("looking_at_an_invitation", look(&w.router, &secret).await.snapshot());

    let nameless = accept(&w.router, None, &secret).await;
    let fields: Vec<_> = nameless.json["errors"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["displayName", "password"]);
    let joined = register(&w.router, &secret).await;
    insta::assert_snapshot!("joined_by_registering", joined.snapshot());
    let session = joined.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap();
    let me = get(&w.router, "/me", session).await;
    assert_eq!((&me.json["email"], &me.json["displayName"]), (&json!("ada@example.com"), &json!("Ada")));

    let again = register(&w.router, &secret).await;
    assert_eq!((again.status, again.problem()), (StatusCode::CONFLICT, "conflict"));
    assert_eq!(w.listed().await[0]["state"], "accepted");
}

#[tokio::test]
async fn with_mail_the_secret_is_in_the_mail_alone_and_the_mail_goes_once() {
    let (t, mailbox) = with_mailbox(roomy());
    let w = world(t).await;
    let invited = w.invite("ada@example.com", "member").await;
    assert_eq!(invited.status, StatusCode::CREATED);
    assert_eq!((&invited.json["delivery"], invited.json.get("link")), (&json!("waiting"), None));

    *mailbox.weather.lock() = Weather::Down;
    assert_eq!(work(&w.t).await, 1, "an unreachable server is tried again");
    *mailbox.weather.lock() = Weather::Fine;
    w.t.advance(SignedDuration::from_mins(10));
    assert_eq!(work(&w.t).await, 0);
    let sent = mailbox.take();
    assert_eq!(sent.len(), 1);
    insta::assert_snapshot!(format!("{}\n\n{}", sent[0].email.subject, sent[0].email.text));
    assert_eq!(w.listed().await[0]["delivery"], "sent");

    let again = Message::from(MailInvitation {
        org: w.org.id,
        invitation: id(&invited).parse().unwrap(),
        generation: 1,
    });
    svc_workers::handle(&w.t.app, &again).await.unwrap();
    assert_eq!(mailbox.take(), [], "a message that comes twice mails once");
    assert_eq!(register(&w.router, &secret_in(&sent[0].email.text)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_that_takes_no_mail_is_shown_to_who_invited() {
    let (t, mailbox) = with_mailbox(roomy());
    let w = world(t).await;
    *mailbox.weather.lock() = Weather::Refusing;
    w.invite("ada@example.com", "member").await;
    assert_eq!(work(&w.t).await, 0, "it is not tried again");
    assert_eq!(w.listed().await[0]["delivery"], "refused");
}

/// With mail that did not work, nobody could be invited.
#[tokio::test]
async fn an_administrator_passes_a_link_on_where_mail_does_not_arrive() {
    let (t, mailbox) = with_mailbox(roomy());
    let w = world(t).await;
    *mailbox.weather.lock() = Weather::Down;
    let invited = w.invite("ada@example.com", "member").await;
    assert_eq!(work(&w.t).await, 1);
    let again = w.send_again(&format!("{}/resend?byHand=true", id(&invited))).await;
    assert_eq!((again.status, &again.json["delivery"]), (StatusCode::OK, &json!("byHand")));
    *mailbox.weather.lock() = Weather::Fine;
    w.t.advance(SignedDuration::from_mins(10));
    work(&w.t).await;
    assert_eq!(mailbox.take(), [], "the mail of the earlier link is not sent any more");
    assert_eq!(register(&w.router, &link(&again)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_link_tells_of_an_account_only_to_who_reads_the_mail_of_the_address() {
    let (t, mailbox) = with_mailbox(roomy());
    let w = world(t).await;
    w.t.account("ada@example.com").await;
    let mailed = w.invite("ada@example.com", "member").await;
    work(&w.t).await;
    let secret = secret_in(&mailbox.take()[0].email.text);
    assert_eq!(look(&w.router, &secret).await.json["hasAccount"], true);
    let by_hand = w.send_again(&format!("{}/resend?byHand=true", id(&mailed))).await;
    assert_eq!(look(&w.router, &link(&by_hand)).await.json["hasAccount"], false);
}

#[tokio::test]
async fn the_invited_account_joins_signed_in_and_no_other() {
    let w = world(roomy()).await;
    let ada = w.t.account("ada@example.com").await;
    let eve = w.t.account("eve@example.com").await;
    let other = w.t.org("other").await;
    w.t.join(&other, &ada, OrgRole::Member, false).await;
    let invited = w.invite(" Ada@Example.com", "guest").await;
    let secret = link(&invited);
    assert_eq!(
        look(&w.router, &secret).await.json["hasAccount"],
        false,
        "who wrote the address has the link, too"
    );
    insta::assert_snapshot!("signed_out", register(&w.router, &secret).await.snapshot());
    let eves = w.t.token(eve.id, scopes(), None).await;
    insta::assert_snapshot!("another_address", accept(&w.router, Some(&eves), &secret).await.snapshot());
    let bound = w.t.token(ada.id, scopes(), Some(&other)).await;
    assert_eq!(accept(&w.router, Some(&bound), &secret).await.problem(), "forbidden");
    let reader = w.t.token(ada.id, &[Scope::Read], None).await;
    assert_eq!(accept(&w.router, Some(&reader), &secret).await.problem(), "missing-scope");
    let token = w.t.token(ada.id, scopes(), None).await;
    let joined = accept(&w.router, Some(&token), &secret).await;
    assert_eq!((joined.status, joined.header("set-cookie")), (StatusCode::OK, ""));
    assert_eq!(joined.json["organization"]["role"], "guest");
    let members = get(&w.router, "/orgs/demo/members", &token).await;
    assert_eq!(members.json.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn links_that_were_replaced_withdrawn_or_are_late_say_so() {
    let w = world(roomy()).await;
    let first = w.invite("ada@example.com", "member").await;
    let twice = w.invite("ADA@example.com", "guest").await;
    assert_eq!((twice.status, twice.problem()), (StatusCode::CONFLICT, "conflict"));
    let second = w.resend(id(&first)).await;
    let mut said = String::new();
    let mut note = |what: &str, reply: &Reply| {
        said += &format!("{what}: {} {}\n", reply.status.as_u16(), reply.json["detail"]);
    };
    note("older link", &register(&w.router, &link(&first)).await);
    w.t.advance(SignedDuration::from_hours(24 * 7));
    note("late", &register(&w.router, &link(&second)).await);
    assert_eq!(w.listed().await[0]["state"], "expired");

    let third = w.resend(id(&first)).await;
    let path = format!("/orgs/demo/invitations/{}", id(&first));
    assert_eq!(delete(&w.router, &path, &w.owner).await.status, StatusCode::NO_CONTENT);
    note("withdrawn", &register(&w.router, &link(&third)).await);
    note("withdrawn, looked at", &look(&w.router, &link(&third)).await);
    note("withdrawn twice", &delete(&w.router, &path, &w.owner).await);
    note("withdrawn, sent again", &w.resend(id(&first)).await);
    note("no link", &register(&w.router, "svi_none").await);
    insta::assert_snapshot!(said);

    let anew = w.invite("ada@example.com", "member").await;
    assert_eq!(register(&w.router, &link(&anew)).await.status, StatusCode::OK);
    let member = w.invite("ada@example.com", "member").await;
    assert_eq!(member.problem(), "conflict", "who is a member is not invited");
}

#[tokio::test]
async fn an_invitation_does_not_outlive_the_role_of_who_invited() {
    let w = world(roomy()).await;
    let admin = w.t.user(&w.org, "admin@example.com", OrgRole::Admin, false).await;
    let token = w.t.token(admin, scopes(), None).await;
    let body = json!({ "email": "plant@example.com", "preset": "admin" });
    let invited = post(&w.router, "/orgs/demo/invitations", &token, body).await;
    let path = format!("/orgs/demo/members/{admin}");
    let members = get(&w.router, "/orgs/demo/members", &w.owner).await.json;
    let own =
        members.as_array().unwrap().iter().find(|member| member["userId"] == admin.to_string()).unwrap();
    for change in [Some(json!({ "role": "member", "version": own["version"] })), None] {
        let method = if change.is_some() { Method::PATCH } else { Method::DELETE };
        assert!(call(&w.router, method, &path, Some(&w.owner), change).await.status.is_success());
        let refused = register(&w.router, &link(&invited)).await;
        assert_eq!((refused.status, refused.problem()), (StatusCode::CONFLICT, "conflict"));
    }
    let anew = w.resend(id(&invited)).await;
    let joined = register(&w.router, &link(&anew)).await;
    assert_eq!(joined.json["organization"]["role"], "admin", "{}", joined.text);
}

/// A disabled Admin came back by the account of an address that they had invited before.
#[tokio::test]
async fn an_invitation_does_not_outlive_the_account_of_who_invited() {
    let w = world(roomy()).await;
    let admin = w.t.user(&w.org, "admin@example.com", OrgRole::Admin, false).await;
    let token = w.t.token(admin, scopes(), None).await;
    let body = json!({ "email": "plant@example.com", "preset": "admin" });
    let invited = post(&w.router, "/orgs/demo/invitations", &token, body).await;
    let (beside, gate) = w.t.beside().gated();
    let there = router(&beside);
    let secret = link(&invited);
    let joining = register(&there, &secret);
    let disabling = administration::disable_account(&w.t.app, Console, admin);
    let (meanwhile, disabled) = gate.meanwhile(keys::sessions(admin), joining, disabling).await;
    disabled.unwrap();
    assert_eq!(meanwhile.status, StatusCode::CONFLICT, "in that moment: {}", meanwhile.text);
    let refused = register(&w.router, &secret).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::CONFLICT, "conflict"), "{}", refused.text);
    administration::enable_account(&w.t.app, Console, admin).await.unwrap();
    assert_eq!(register(&w.router, &secret).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_is_free_again_when_its_invitation_has_expired() {
    let w = world(roomy()).await;
    let late = w.invite("ada@example.com", "member").await;
    w.t.advance(SignedDuration::from_hours(24 * 8));
    let anew = w.invite("ada@example.com", "guest").await;
    assert_eq!(anew.status, StatusCode::CREATED);
    assert_eq!(w.resend(id(&late)).await.problem(), "conflict", "the new one holds the address");
    let path = format!("/orgs/demo/invitations/{}", id(&late));
    assert_eq!(delete(&w.router, &path, &w.owner).await.status, StatusCode::NO_CONTENT);
    assert_eq!(w.invite("ada@example.com", "guest").await.problem(), "conflict", "the new one holds it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_accept_at_once_one_joins() {
    let w = world(roomy()).await;
    let secret = link(&w.invite("ada@example.com", "member").await);
    let routers = [router(&w.t), router(&w.t.beside())];
    let replies = join_all((0..6).map(|n| register(&routers[n % 2], &secret))).await;
    let joined = replies.iter().filter(|reply| reply.status == StatusCode::OK).count();
    let refused = replies.iter().filter(|reply| reply.status == StatusCode::CONFLICT).count();
    assert_eq!((joined, refused), (1, 5), "{:?}", replies.iter().map(|r| &r.text).collect::<Vec<_>>());
    let members = get(&w.router, "/orgs/demo/members", &w.owner).await;
    assert_eq!(members.json.as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_joins_with_what_is_being_withdrawn() {
    for round in 0..5 {
        let w = world(roomy()).await;
        let invited = w.invite("ada@example.com", "member").await;
        let path = format!("/orgs/demo/invitations/{}", id(&invited));
        let secret = link(&invited);
        let elsewhere = router(&w.t.beside());
        let (joined, withdrawn) =
            futures::join!(register(&elsewhere, &secret), delete(&w.router, &path, &w.owner));
        let members = get(&w.router, "/orgs/demo/members", &w.owner).await.json.as_array().unwrap().len();
        let joins = joined.status == StatusCode::OK;
        assert_eq!(withdrawn.status == StatusCode::NO_CONTENT, !joins, "round {round}");
        assert_eq!(members, if joins { 2 } else { 1 }, "round {round}");
    }
}

#[tokio::test]
async fn a_stakeholder_is_a_member_of_one_project_without_ai_work() {
    let w = world(roomy()).await;
    w.t.project(&w.org, "OTHER").await;
    let wrong = w.invite("ada@example.com", "stakeholder").await;
    insta::assert_snapshot!(wrong.snapshot());
    let body = json!({ "email": "ada@example.com", "preset": "stakeholder", "project": "PRJ" });
    let invited = post(&w.router, "/orgs/demo/invitations", &w.owner, body).await;
    let joined = register(&w.router, &link(&invited)).await;
    assert_eq!(joined.json["organization"]["role"], "member");
    assert_eq!(joined.json["organization"]["canOperateFactory"], false);
    let session = joined.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap();
    let mine = get(&w.router, "/orgs/demo/projects/PRJ/members", session).await;
    assert_eq!(mine.json[0]["role"], "member");
    let others = get(&w.router, "/orgs/demo/projects/OTHER/members", session).await;
    assert_eq!(others.status, StatusCode::NOT_FOUND);

    // The audit log says as what, and into which project.
    let log = get(&w.router, "/orgs/demo/audit", &w.owner).await.json;
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or("-").to_owned();
    let told = |action: &str| {
        let mut lines = log["entries"].as_array().unwrap().iter();
        let line = lines.find(|line| line["action"] == action).unwrap_or_else(|| panic!("{action}: {log}"));
        ["project", "to", "email"].map(|field| word(line, field)).join(" ")
    };
    assert_eq!(told("invitationSent"), "PRJ stakeholder -");
    assert_eq!(told("memberAdded"), "- member ada@example.com");
    assert_eq!(told("projectMemberSet"), "PRJ member ada@example.com");
}

#[tokio::test]
async fn terms_that_make_no_sense_are_named() {
    let w = world(roomy()).await;
    for (body, fields) in [
        (json!({ "email": "nobody", "preset": "admin", "project": "PRJ" }), vec!["email", "project"]),
        (json!({ "email": "a@b.c", "preset": "boss" }), vec!["preset"]),
        (json!({ "email": "a@b.c", "preset": "guest", "canStartAiWork": true }), vec!["canStartAiWork"]),
        (json!({ "email": "a@b.c", "preset": "member", "project": "NONE" }), vec!["project"]),
        (json!({ "email": "a@b.c", "preset": "member", "project": "no key" }), vec!["project"]),
    ] {
        let reply = post(&w.router, "/orgs/demo/invitations", &w.owner, body).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", reply.text);
        let named: Vec<_> = reply.json["errors"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(named, fields);
    }
    assert_eq!(w.listed().await, json!([]));
}

#[tokio::test]
async fn members_neither_invite_nor_see_invitations() {
    let w = world(roomy()).await;
    let invited = w.invite("ada@example.com", "member").await;
    let bob = w.t.user(&w.org, "bob@example.com", OrgRole::Member, true).await;
    let project =
        svc_domain::project::Project { key: "PRJ".parse().unwrap(), ..w.t.project(&w.org, "P2").await };
    w.t.project_member(&w.org, &project, bob, ProjectRole::Admin).await;
    let bobs = w.t.token(bob, scopes(), None).await;
    let path = format!("/orgs/demo/invitations/{}", id(&invited));
    let body = json!({ "email": "eve@example.com", "preset": "guest" });
    assert_eq!(post(&w.router, "/orgs/demo/invitations", &bobs, body).await.problem(), "forbidden");
    assert_eq!(get(&w.router, "/orgs/demo/invitations", &bobs).await.problem(), "forbidden");
    assert_eq!(delete(&w.router, &path, &bobs).await.problem(), "forbidden");
}

#[tokio::test]
async fn a_read_only_organization_takes_nobody_in() {
    let w = world(roomy()).await;
    let secret = link(&w.invite("ada@example.com", "member").await);
    let body = Some(json!({ "version": 1, "readOnly": true }));
    let closed = call(&w.router, Method::PATCH, "/orgs/demo", Some(&w.owner), body).await;
    assert_eq!(closed.status, StatusCode::OK);
    assert_eq!(w.invite("eve@example.com", "member").await.problem(), "organization-read-only");
    assert_eq!(register(&w.router, &secret).await.problem(), "organization-read-only");
    assert_eq!(w.listed().await.as_array().unwrap().len(), 1, "reading works");
}

/// A stranger made an account of somebody's address by inviting it into an organization of their own. It opens nothing
/// of anybody else's, and who runs the instance gives the address back to its owner.
#[tokio::test]
async fn without_mail_an_address_that_a_stranger_took_opens_nothing_and_is_given_back() {
    let w = world(roomy()).await;
    let own = w.t.org("own").await;
    let stranger = w.t.user(&own, "stranger@example.com", OrgRole::Owner, false).await;
    let stranger = w.t.token(stranger, scopes(), None).await;
    let body = json!({ "email": "ceo@example.com", "preset": "member" });
    let taken =
        register(&w.router, &link(&post(&w.router, "/orgs/own/invitations", &stranger, body).await)).await;
    let squatter =
        taken.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap().to_owned();

    let invited = link(&w.invite("ceo@example.com", "admin").await);
    assert_eq!(get(&w.router, "/orgs/demo/members", &squatter).await.status, StatusCode::NOT_FOUND);
    let refused = register(&w.router, &invited).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(
        refused.text.contains("ask the operator of this instance for a password link"),
        "{}",
        refused.text
    );

    let owner = administration::account_of_address(&w.t.app, Console, "CEO@example.com").await.unwrap();
    let made = administration::make_password_link(&w.t.app, Console, owner).await.unwrap();
    let MadeLink::Link(given) = made else { panic!("the console prints it") };
    let body = json!({ "secret": secret_in(&given.address), "newPassword": "their very own" });
    let reset = call(&w.router, Method::POST, "/auth/password/reset", None, Some(body)).await;
    assert_eq!(reset.status, StatusCode::NO_CONTENT, "{}", reset.text);
    assert_eq!(get(&w.router, "/me", &squatter).await.status, StatusCode::UNAUTHORIZED);
    let body = json!({ "email": "ceo@example.com", "password": "their very own" });
    let ceo = call(&w.router, Method::POST, "/auth/login", None, Some(body)).await;
    let ceo = ceo.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap().to_owned();
    assert_eq!(accept(&w.router, Some(&ceo), &invited).await.status, StatusCode::OK);
    assert_eq!(get(&w.router, "/orgs/demo/members", &ceo).await.status, StatusCode::OK);
}
