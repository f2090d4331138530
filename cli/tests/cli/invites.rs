//! `svc invite`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::identity::{Invitation, InvitationDelivery, InvitationState};

use crate::fixtures::{invitation, problem};
use crate::stub::Stub;

#[test]
fn a_link_of_no_invitation_says_what_to_do() {
    let stub = Stub::new();
    let missing = problem(404, "not-found", "This does not exist, or you may not see it.", None);
    stub.refuse("POST /auth/invitations/look", &missing);
    let ran = stub.bare(&["auth", "join", &format!("{}/join#svi_bad", stub.url)]).run().exits(4);
    assert!(ran.stderr.contains("this invitation link is not valid"), "{ran}");
    assert!(ran.stderr.contains("ask for a new link"), "{ran}");
}

const LINK: &str = "https://tracker.example/invitation#svi_abc";

fn stub() -> Stub {
    let stub = Stub::new();
    let all = [
        invitation("i3", "eve@example.org", InvitationState::Pending),
        invitation("i2", "eve@example.org", InvitationState::Revoked),
        invitation("i1", "ben@example.org", InvitationState::Accepted),
    ];
    stub.on("GET /orgs/demo/invitations", &all);
    stub
}

fn with_link() -> Invitation {
    Invitation { link: Some(LINK.into()), ..invitation("i4", "ben@example.org", InvitationState::Pending) }
}

#[test]
fn where_no_mail_is_sent_the_link_is_data() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/invitations", &with_link());
    let args = ["invite", "create", "ben@example.org", "--preset", "stakeholder", "-p", "prj"];
    insta::assert_snapshot!("invite_create", stub.svc(&args).run());
    let sent = json!({
        "email": "ben@example.org", "preset": "stakeholder", "project": "PRJ", "canStartAiWork": false,
    });
    assert_eq!(stub.last_body(), sent);
    assert_eq!(stub.svc(&[&args[..], &["--json"]].concat()).run().json()["link"], LINK);
    let plain = ["invite", "create", "ben@example.org", "--can-start-ai-work"];
    assert_eq!(stub.svc(&plain).run().code, 0);
    let sent = json!({ "email": "ben@example.org", "preset": "member", "canStartAiWork": true });
    assert_eq!(stub.last_body(), sent);
}

#[test]
fn invitations_are_listed() {
    insta::assert_snapshot!("invite_list", stub().svc(&["invite", "list"]).run());
}

#[test]
fn an_open_invitation_is_named_by_its_address() {
    let stub = stub();
    stub.on("POST /orgs/demo/invitations/i3/resend", &with_link());
    let ran = stub.svc(&["invite", "resend", "Eve@example.org"]).run().exits(0);
    assert!(ran.stdout.ends_with(&format!("{LINK}\n")), "{ran}");
    stub.answer("DELETE /orgs/demo/invitations/i3", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["invite", "revoke", "eve@example.org"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["invite", "revoke", "eve@example.org", "--yes"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "DELETE /orgs/demo/invitations/i3");
    assert_eq!(stub.svc(&["invite", "revoke", "ben@example.org", "--yes"]).run().code, 4, "ben has joined");
}

#[test]
fn mail_that_was_not_sent_is_told_with_the_way_to_a_link() {
    let stub = Stub::new();
    let waiting =
        |delivery| Invitation { delivery, ..invitation("i1", "ben@example.org", InvitationState::Pending) };
    stub.on("POST /orgs/demo/invitations", &waiting(InvitationDelivery::Waiting));
    stub.on("GET /orgs/demo/invitations", &[waiting(InvitationDelivery::Waiting)]);
    stub.on("POST /orgs/demo/invitations/i1/resend", &with_link());
    let created = stub.svc(&["invite", "create", "ben@example.org"]).run();
    assert!(created.stderr.contains("the mail waits to be sent"), "{created}");
    stub.now("GET /orgs/demo/invitations", &[waiting(InvitationDelivery::Refused)]);
    let listed = stub.svc(&["invite", "list"]).run();
    assert!(listed.stderr.contains("refused the mail: check the address"), "{listed}");
    assert!(listed.stderr.contains("`svc invite resend ben@example.org --link`"), "{listed}");
    let said = Some("mail.example.org:587: 535 wrong password".to_owned());
    let fails =
        Invitation { mail_error: said, link: Some(LINK.into()), ..waiting(InvitationDelivery::Waiting) };
    stub.now("GET /orgs/demo/invitations", &[fails]);
    let created = stub.svc(&["invite", "create", "ben@example.org"]).run();
    assert!(created.stdout.ends_with(&format!("{LINK}\n")), "{created}");
    assert!(
        created.stderr.contains("No mail was sent: mail.example.org:587: 535 wrong password."),
        "{created}"
    );
    let listed = stub.svc(&["invite", "list"]).run();
    assert!(listed.stderr.contains("535 wrong password") && listed.stderr.contains(LINK), "{listed}");
    let ran = stub.svc(&["invite", "resend", "ben@example.org", "--link"]).run().exits(0);
    assert!(ran.stdout.ends_with(&format!("{LINK}\n")), "{ran}");
    assert_eq!(stub.calls().pop().unwrap(), "POST /orgs/demo/invitations/i1/resend?byHand=true");
}
