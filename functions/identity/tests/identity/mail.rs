//! Mail as it leaves: over SMTP, to a server on loopback that speaks the protocol.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::json;
use svc_boot::{Encryption, MailSettings, SmtpMail};
use svc_domain::identity::OrgRole;
use svc_testkit::scopes;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::post::{secret_in, work};
use crate::{get, post, roomy, router};

/// One mail as the server got it: the commands of its envelope, and its lines.
#[derive(Debug)]
struct Got {
    envelope: Vec<String>,
    lines: Vec<String>,
}

/// Serves SMTP until the test ends; refuses addresses of `nobody`.
async fn smtp_server() -> (u16, mpsc::UnboundedReceiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has ports");
    let port = listener.local_addr().expect("it has an address").port();
    let (got, mails) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(conversation(stream, got.clone()));
        }
    });
    (port, mails)
}

async fn conversation(stream: TcpStream, got: mpsc::UnboundedSender<Got>) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut commands = BufReader::new(reader).lines();
    writer.write_all(b"220 loopback ESMTP\r\n").await?;
    let mut envelope = Vec::new();
    while let Some(command) = commands.next_line().await? {
        let verb = command.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let answer: &[u8] = match verb.as_str() {
            "EHLO" | "HELO" => b"250-loopback\r\n250 8BITMIME\r\n",
            "RCPT" if command.contains("nobody") => b"550 5.1.1 nobody of this name\r\n",
            "MAIL" | "RCPT" => {
                envelope.push(command.clone());
                b"250 2.1.0 ok\r\n"
            }
            "DATA" => {
                writer.write_all(b"354 go on\r\n").await?;
                let mut lines = Vec::new();
                while let Some(line) = commands.next_line().await?.filter(|line| line != ".") {
                    lines.push(line);
                }
                let _ = got.send(Got { envelope: std::mem::take(&mut envelope), lines });
                b"250 2.0.0 taken\r\n"
            }
            "RSET" | "NOOP" => b"250 2.0.0 ok\r\n",
            "QUIT" => {
                writer.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => b"500 5.5.1 unknown\r\n",
        };
        writer.write_all(answer).await?;
    }
    Ok(())
}

fn smtp(port: u16) -> Arc<SmtpMail> {
    let settings = MailSettings {
        host: "127.0.0.1".into(),
        port,
        encryption: Encryption::None,
        from: "Work <work@example.com>".into(),
        ..MailSettings::default()
    };
    Arc::new(SmtpMail::of(&settings).expect("these are settings").expect("mail is on"))
}

#[tokio::test]
async fn an_invitation_travels_over_smtp_and_lets_its_reader_join() {
    let (port, mut mails) = smtp_server().await;
    let t = roomy().with_mail(smtp(port));
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    for email in ["ada@example.com", "nobody@example.com"] {
        post(&router, "/orgs/demo/invitations", &token, json!({ "email": email, "preset": "member" })).await;
    }
    assert_eq!(work(&t).await, 0);
    let mail = tokio::time::timeout(Duration::from_secs(10), mails.recv()).await.unwrap().unwrap();
    assert_eq!(mail.envelope.len(), 2, "{mail:?}");
    assert!(mail.envelope[0].starts_with("MAIL FROM:<work@example.com>"), "{mail:?}");
    assert!(mail.envelope[1].starts_with("RCPT TO:<ada@example.com>"), "{mail:?}");
    let head = |name: &str| mail.lines.iter().find(|line| line.starts_with(name)).cloned();
    assert_eq!(head("Subject: "), Some("Subject: owner invites you to demo".into()));
    assert!(head("Message-ID: <invitation.").is_some_and(|line| line.ends_with("@example.com>")), "{mail:?}");

    let listed = get(&router, "/orgs/demo/invitations", &token).await;
    assert_eq!(
        (&listed.json[0]["delivery"], &listed.json[1]["delivery"]),
        (&json!("refused"), &json!("sent"))
    );
    // Long lines are folded by quoted-printable.
    let text = mail.lines.join("\n").replace("=\n", "");
    let body = json!({ "secret": secret_in(&text), "displayName": "Ada", "password": "long enough" });
    let joined =
        svc_testkit::call(&router, http::Method::POST, "/auth/invitations/accept", None, Some(body)).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let t = roomy().with_mail(smtp(closed));
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let token = t.token(owner, scopes(), None).await;
    let router = router(&t);
    let body = json!({ "email": "ada@example.com", "preset": "member" });
    post(&router, "/orgs/demo/invitations", &token, body).await;
    assert_eq!(work(&t).await, 1);
    assert_eq!(get(&router, "/orgs/demo/invitations", &token).await.json[0]["delivery"], "waiting");
}
