//! Mail as it leaves: over SMTP, in the clear where the settings say so, otherwise encrypted or not at all.

use std::sync::Arc;

use axum::Router;
use http::StatusCode;
use serde_json::{Value, json};
use svc_boot::{Encryption, Hidden, MailSettings, SmtpMail};
use svc_domain::identity::{Org, OrgRole, Scope};
use svc_domain::ids::UserId;
use svc_testkit::{TestApp, scopes};
use tokio::net::TcpListener;

use crate::post::{secret_in, work};
use crate::smtp::{Identity, Offers, Server, identity};
use crate::{get, invite, join, roomy, router};

/// How to reach a server of this port, in the clear.
fn settings(port: u16) -> MailSettings {
    MailSettings {
        host: "127.0.0.1".into(),
        port,
        encryption: Encryption::None,
        from: "Work <work@example.com>".into(),
        ..MailSettings::default()
    }
}

/// How to reach it encrypted, signing in.
fn encrypted(port: u16, encryption: Encryption, authority: Option<&Authority>) -> MailSettings {
    MailSettings {
        host: "localhost".into(),
        encryption,
        user: "work".into(),
        password: Hidden("hush hush".into()),
        ca_file: authority.map(|authority| authority.0.path().to_owned()).unwrap_or_default(),
        ..settings(port)
    }
}

/// A file with who vouches for a server.
struct Authority(tempfile::NamedTempFile);

impl Authority {
    fn of(identity: &Identity) -> Self {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        std::fs::write(file.path(), &identity.authority).expect("it can be written");
        Self(file)
    }
}

struct World {
    t: TestApp,
    router: Router,
    org: Org,
    owner_id: UserId,
    owner: String,
}

impl World {
    async fn sending(settings: &MailSettings) -> Self {
        let mail = SmtpMail::of(settings).expect("these are settings").expect("mail is on");
        let t = roomy().with_mail(Arc::new(mail));
        let org = t.org("demo").await;
        let owner_id = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        let owner = t.token(owner_id, scopes(), None).await;
        Self { router: router(&t), t, org, owner_id, owner }
    }

    /// Invites Ada and lets the workers send; what became of the mail.
    async fn invite(&self) -> Value {
        invite(&self.router, &self.owner, "ada@example.com").await;
        work(&self.t).await;
        get(&self.router, "/orgs/demo/invitations", &self.owner).await.json[0]["delivery"].clone()
    }
}

#[tokio::test]
async fn an_invitation_travels_over_smtp_and_lets_its_reader_join() {
    let server = Server::start(Offers::Nothing, None).await;
    let w = World::sending(&settings(server.port)).await;
    for email in ["ada@example.com", "nobody@example.com"] {
        invite(&w.router, &w.owner, email).await;
    }
    assert_eq!(work(&w.t).await, 0);
    let mail = server.mail().await;
    assert_eq!(mail.envelope.len(), 2, "{mail:?}");
    assert!(mail.envelope[0].starts_with("MAIL FROM:<work@example.com>"), "{mail:?}");
    assert!(mail.envelope[1].starts_with("RCPT TO:<ada@example.com>"), "{mail:?}");
    let head = |name: &str| mail.lines.iter().find(|line| line.starts_with(name)).cloned();
    assert_eq!(head("Subject: "), Some("Subject: owner invites you to demo".into()));
    assert!(head("Message-ID: <invitation.").is_some_and(|line| line.ends_with("@example.com>")), "{mail:?}");

    let listed = get(&w.router, "/orgs/demo/invitations", &w.owner).await;
    assert_eq!(
        (&listed.json[0]["delivery"], &listed.json[1]["delivery"]),
        (&json!("refused"), &json!("sent"))
    );
    // Long lines are folded by quoted-printable.
    let text = mail.lines.join("\n").replace("=\n", "");
    let joined = join(&w.router, &secret_in(&text), "Ada").await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let w = World::sending(&settings(closed)).await;
    assert_eq!(w.invite().await, "waiting");
    invite(&w.router, &w.owner, "bob@example.com").await;
    assert_eq!(work(&w.t).await, 1, "it comes again");
}

impl World {
    async fn invited(&self, email: &str) -> Value {
        invite(&self.router, &self.owner, email).await.json
    }

    async fn listed(&self, token: &str) -> Value {
        get(&self.router, "/orgs/demo/invitations", token).await.json[0].clone()
    }
}

#[tokio::test]
async fn an_answer_of_4xx_is_tried_again_and_one_of_5xx_is_told_and_given_up() {
    let server = Server::start(Offers::Nothing, None).await;
    let w = World::sending(&settings(server.port)).await;
    w.invited("busy@example.com").await;
    assert_eq!(work(&w.t).await, 1, "it comes again");
    let busy = w.listed(&w.owner).await;
    assert_eq!(busy["delivery"], "waiting");
    assert!(busy["mailError"].as_str().unwrap().contains("4.2.1 mailbox busy"), "{busy}");
    w.t.advance(jiff::SignedDuration::from_mins(10));
    assert_eq!(work(&w.t).await, 0);
    let sent = w.listed(&w.owner).await;
    assert_eq!((&sent["delivery"], sent.get("mailError"), sent.get("link")), (&json!("sent"), None, None));
    w.invited("nobody@example.com").await;
    assert_eq!(work(&w.t).await, 0, "it does not come again");
    let refused = w.listed(&w.owner).await;
    assert_eq!(refused["delivery"], "refused");
    assert!(refused["mailError"].as_str().unwrap().contains("5.1.1 nobody of this name"), "{refused}");
}

/// A wrong password in the settings gave every mail up, and nobody was told.
#[tokio::test]
async fn while_mail_fails_whoever_invites_gets_link_and_reason_and_admins_are_told() {
    let server = Server::start(Offers::NoSignIn, None).await;
    let signing_in =
        MailSettings { user: "work".into(), password: Hidden("wrong".into()), ..settings(server.port) };
    let w = World::sending(&signing_in).await;
    assert_eq!(w.invited("ada@example.com").await.get("link"), None, "mail may work");
    assert_eq!(work(&w.t).await, 1, "what is wrong with the settings gives no mail up");
    let listed = w.listed(&w.owner).await;
    assert!(listed["mailError"].as_str().unwrap().contains("5.7.8 authentication failed"), "{listed}");
    let link = secret_in(listed["link"].as_str().unwrap());
    // Who only reads, or did not invite, does not get to let people in.
    let other = w.t.user(&w.org, "admin@example.com", OrgRole::Admin, false).await;
    let reading = w.t.token(w.owner_id, &[Scope::Read], None).await;
    for token in [w.t.token(other, scopes(), None).await, reading] {
        assert_eq!(w.listed(&token).await.get("link"), None);
    }
    let joined = join(&w.router, &link, "Ada").await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);

    let next = w.invited("ben@example.com").await;
    assert_eq!(next["delivery"], "waiting");
    assert!(next["link"].is_string() && next["mailError"].is_string(), "it is known that mail fails: {next}");
    let health = svc_app::mailing::status(&w.t.app).await.unwrap();
    assert!(health.failing.unwrap().1.contains("5.7.8"));
    let report = svc_app::check::run(&w.t.app, None).await.unwrap();
    // Tokens of the fixtures have no record.
    let ours = |kind: &str| ["INVITE", "MAIL", "ORG"].iter().any(|name| kind.starts_with(name));
    let found: Vec<_> = report.findings.iter().filter(|found| ours(&found.kind)).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn mail_goes_encrypted_and_the_password_with_it() {
    let known = identity!("localhost");
    let authority = Authority::of(&known);
    for (offers, encryption) in [(Offers::StartTls, Encryption::StartTls), (Offers::Tls, Encryption::Tls)] {
        let server = Server::start(offers, Some(&known)).await;
        let w = World::sending(&encrypted(server.port, encryption, Some(&authority))).await;
        assert_eq!(w.invite().await, "sent", "{encryption:?}");
        let mail = server.mail().await;
        assert!(mail.encrypted && mail.envelope[0].starts_with("AUTH PLAIN"), "{mail:?}");
        let overheard = server.overheard();
        let harmless = |command: &String| command.starts_with("EHLO") || command == "STARTTLS";
        assert!(overheard.iter().all(harmless), "{overheard:?}");
    }
}

#[tokio::test]
async fn a_server_that_offers_no_encryption_gets_neither_mail_nor_password() {
    let known = identity!("localhost");
    let authority = Authority::of(&known);
    for (offers, encryption) in [
        (Offers::Nothing, Encryption::StartTls),
        (Offers::BrokenStartTls, Encryption::StartTls),
        (Offers::Nothing, Encryption::Tls),
    ] {
        let server = Server::start(offers, Some(&known)).await;
        let w = World::sending(&encrypted(server.port, encryption, Some(&authority))).await;
        assert_eq!(w.invite().await, "waiting", "{offers:?}, {encryption:?}");
        let overheard = server.overheard();
        let told =
            |command: &&String| ["AUTH", "MAIL", "RCPT", "DATA"].iter().any(|verb| command.starts_with(verb));
        assert_eq!(overheard.iter().find(told), None, "{offers:?}, {encryption:?}");
    }
}

#[tokio::test]
async fn a_server_of_a_wrong_certificate_gets_no_mail() {
    let (known, other) = (identity!("localhost"), identity!("stranger"));
    let (elsewhere, ended) = (identity!("elsewhere"), identity!("ended"));
    for (wrong, identity, trusted) in [
        ("nobody vouches for it", &known, None),
        ("somebody else vouches", &known, Some(&other)),
        ("another name", &elsewhere, Some(&elsewhere)),
        ("it has ended", &ended, Some(&ended)),
    ] {
        let authority = trusted.map(Authority::of);
        for (offers, encryption) in [(Offers::StartTls, Encryption::StartTls), (Offers::Tls, Encryption::Tls)]
        {
            let server = Server::start(offers, Some(identity)).await;
            let w = World::sending(&encrypted(server.port, encryption, authority.as_ref())).await;
            assert_eq!(w.invite().await, "waiting", "{wrong}, {encryption:?}");
        }
    }
}

#[test]
fn authorities_that_are_none_are_named_at_the_start() {
    let empty = tempfile::NamedTempFile::new().unwrap();
    for path in [empty.path(), std::path::Path::new("/nowhere/authority.pem")] {
        let settings = MailSettings { ca_file: path.to_owned(), ..encrypted(1, Encryption::Tls, None) };
        let error = SmtpMail::of(&settings).err().expect("it is wrong").to_string();
        assert!(error.contains("Mail:CaFile"), "{error}");
    }
}
