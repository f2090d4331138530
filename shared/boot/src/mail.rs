//! Mail over SMTP: the adapter of the port `Mail`, and its settings.
//!
//! Without a host there is no mail, which is a way to run the service: links are then handed to who asks for
//! them. Knows nothing of what an email says.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MessageBuilder, MultiPart};
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use serde::{Deserialize, Serialize};
use svc_app::ports::{Envelope, Mail, MailError, MailList};
use tokio::time::timeout;

use crate::config_error::ConfigError;
use crate::mail_failure::{Cause, MailFailure};

/// How long connecting to a mail server may take.
const CONNECTING: Duration = Duration::from_secs(20);

/// How long a delivery may take, from connecting to the last answer. The transport itself waits for answers without
/// end.
const DELIVERING: Duration = Duration::from_secs(45);

/// How mail is sent (`[Mail]`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct MailSettings {
    /// Name of the SMTP server; mail is off while it is empty.
    pub host: String,
    /// Its port; the usual one of the encryption when 0.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// A PEM file of authorities that vouch for the server, beside those of the system; none when empty.
    pub ca_file: PathBuf,
    /// Whom to sign in as; nobody when empty.
    pub user: String,
    /// Password to sign in with.
    pub password: Hidden,
    /// Whom mail is from: `Name <address>`.
    pub from: String,
}

impl Default for MailSettings {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: 0,
            encryption: Encryption::StartTls,
            ca_file: PathBuf::new(),
            user: String::new(),
            password: Hidden::default(),
            from: String::new(),
        }
    }
}

/// How the connection to a mail server is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Encryption {
    /// From the first command on which it can be, or not at all.
    #[default]
    StartTls,
    /// From the first byte.
    Tls,
    /// Never: for a server on the same machine.
    None,
}

/// A setting that is never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "" } else { "…" })
    }
}

/// Sends mail over SMTP.
pub struct SmtpMail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// Host and port, for who looks for what is wrong.
    server: String,
}

impl SmtpMail {
    /// The adapter of these settings; `None` when mail is off.
    ///
    /// # Errors
    /// [`ConfigError`] for a sender that is no address, or a host that has no name for TLS.
    pub fn of(settings: &MailSettings) -> Result<Option<Self>, ConfigError> {
        if settings.host.is_empty() {
            return Ok(None);
        }
        let from = settings
            .from
            .parse()
            .map_err(|error| invalid(format!("Mail:From must be like `Name <address>`: {error}")))?;
        let (tls, usual) = match settings.encryption {
            Encryption::StartTls => (Tls::Required(parameters(settings)?), 587),
            Encryption::Tls => (Tls::Wrapper(parameters(settings)?), 465),
            Encryption::None => (Tls::None, 25),
        };
        let port = if settings.port == 0 { usual } else { settings.port };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(port)
            .tls(tls)
            .timeout(Some(CONNECTING));
        if !settings.user.is_empty() {
            let credentials = Credentials::new(settings.user.clone(), settings.password.0.clone());
            builder = builder.credentials(credentials);
        }
        let server = format!("{}:{port}", settings.host);
        Ok(Some(Self { transport: builder.build(), from, server }))
    }
}

impl SmtpMail {
    /// The mail as it leaves.
    fn message(&self, mail: &Envelope) -> Result<Message, String> {
        let to: Address = mail.to.parse().map_err(|error: AddressError| error.to_string())?;
        let id = format!("<{}@{}>", mail.id, self.from.email.domain());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(Some(id))
            .raw_header(subject(&mail.email.subject));
        if let Some(list) = &mail.list {
            message = self.headers(list).fold(message, MessageBuilder::raw_header);
        }
        let text = mail.email.text.clone();
        let message = match &mail.email.html {
            Some(html) => message.multipart(MultiPart::alternative_plain_html(text, html.clone())),
            None => message.header(ContentType::TEXT_PLAIN).body(text),
        };
        message.map_err(|error| error.to_string())
    }

    /// What programs read of a mail that comes by itself: that no person wrote it, how it is stopped, and which mails
    /// stand together.
    fn headers(&self, list: &MailList) -> impl Iterator<Item = HeaderValue> {
        let domain = self.from.email.domain();
        let stop = list.unsubscribe.as_ref();
        let one_click = stop.map(|_| ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        let headers = [
            Some(("Auto-Submitted", "auto-generated".to_owned())),
            Some(("List-ID", format!("<{}.{domain}>", list.name))),
            stop.map(|address| ("List-Unsubscribe", format!("<{address}>"))),
            one_click,
            list.thread.as_ref().map(|thread| ("References", format!("<{thread}@{domain}>"))),
        ];
        headers.into_iter().flatten().map(|(name, value)| {
            HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
        })
    }
}

/// The header of a subject. One that looks encoded already is encoded once more: it is text, and programs decode it.
fn subject(text: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Subject");
    if !text.contains("=?") {
        return HeaderValue::new(name, text.to_owned());
    }
    let mut words = vec![String::new()];
    for c in text.chars() {
        // A word has at most 75 characters, with its marks.
        if words.last().is_some_and(|word| word.len() + c.len_utf8() > 45) {
            words.push(String::new());
        }
        words.last_mut().expect("there is one").push(c);
    }
    let words: Vec<String> =
        words.iter().map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word))).collect();
    HeaderValue::dangerous_new_pre_encoded(name, text.to_owned(), words.join("\r\n "))
}

/// Whom to believe that they are the server.
fn parameters(settings: &MailSettings) -> Result<TlsParameters, ConfigError> {
    let mut builder = TlsParameters::builder(settings.host.clone());
    if !settings.ca_file.as_os_str().is_empty() {
        let file = settings.ca_file.display();
        let pem = std::fs::read_to_string(&settings.ca_file)
            .map_err(|error| invalid(format!("Mail:CaFile {file} cannot be read: {error}")))?;
        if !pem.contains("-----BEGIN CERTIFICATE-----") {
            return Err(invalid(format!("Mail:CaFile {file} has no certificate in PEM")));
        }
        let authorities = Certificate::from_pem(pem.as_bytes())
            .map_err(|error| invalid(format!("Mail:CaFile {file} is not PEM: {error}")))?;
        builder = builder.add_root_certificate(authorities);
    }
    builder.build().map_err(|error| invalid(format!("Mail:Host has no name for TLS: {error}")))
}

fn invalid(message: String) -> ConfigError {
    ConfigError::Invalid { origin: "settings".to_owned(), message }
}

impl SmtpMail {
    /// Hands a mail over; what the server said to it.
    ///
    /// # Errors
    /// [`MailFailure`].
    pub async fn submit(&self, mail: &Envelope) -> Result<String, MailFailure> {
        let message = self.message(mail).map_err(|why| self.failure(Cause::Unwritten(why)))?;
        let answer = self.in_time(self.transport.send(message)).await?;
        let said = answer.message().collect::<Vec<_>>().join(" ");
        Ok(format!("{} {said}", answer.code()))
    }

    /// Connects and signs in, and sends nothing.
    ///
    /// # Errors
    /// [`MailFailure`].
    pub async fn probe(&self) -> Result<(), MailFailure> {
        self.in_time(self.transport.test_connection()).await.map(drop)
    }

    /// Host and port.
    pub fn server(&self) -> &str {
        &self.server
    }

    async fn in_time<T>(
        &self,
        asked: impl Future<Output = Result<T, smtp::Error>>,
    ) -> Result<T, MailFailure> {
        match timeout(DELIVERING, asked).await {
            Ok(answer) => answer.map_err(|error| self.failure(Cause::Smtp(error))),
            Err(_) => Err(self.failure(Cause::Silent(DELIVERING))),
        }
    }

    fn failure(&self, cause: Cause) -> MailFailure {
        MailFailure { server: self.server.clone(), cause }
    }
}

#[async_trait::async_trait]
impl Mail for SmtpMail {
    async fn send(&self, mail: &Envelope) -> Result<(), MailError> {
        self.submit(mail).await.map(drop).map_err(MailError::from)
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use svc_app::ports::{Envelope, Mail as _, MailError, MailList};
    use svc_domain::email::Email;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::{DELIVERING, Encryption, Hidden, MailSettings, SmtpMail};

    #[test]
    fn without_a_host_mail_is_off_and_a_wrong_sender_is_named() {
        assert!(SmtpMail::of(&MailSettings::default()).unwrap().is_none());
        let settings =
            MailSettings { host: "localhost".into(), from: "nobody".into(), ..MailSettings::default() };
        let error = SmtpMail::of(&settings).err().unwrap();
        assert!(error.to_string().contains("Mail:From"), "{error}");
    }

    #[test]
    fn a_mail_that_comes_by_itself_says_so_and_how_to_stop_it_and_has_its_text_first() {
        let settings = MailSettings {
            host: "localhost".into(),
            from: "svc <svc@example.com>".into(),
            ..MailSettings::default()
        };
        let mail = SmtpMail::of(&settings).unwrap().unwrap();
        let email = Email {
            subject: "[PRJ-1] Grüße".into(),
            text: "Hello".into(),
            html: Some("<p>Hello</p>".into()),
        };
        let list = MailList {
            name: "notifications".into(),
            unsubscribe: Some("https://work.example.com/api/v1/notifications/unsubscribe/abc".into()),
            thread: Some("1.2".into()),
        };
        let envelope = Envelope { to: "ada@example.com".into(), email, id: "n.1".into(), list: Some(list) };
        let sent = String::from_utf8(mail.message(&envelope).unwrap().formatted()).unwrap();
        for line in [
            "Message-ID: <n.1@example.com>",
            "Auto-Submitted: auto-generated",
            "List-ID: <notifications.example.com>",
            "List-Unsubscribe: <https://work.example.com/api/v1/notifications/unsubscribe/abc>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "References: <1.2@example.com>",
        ] {
            assert!(sent.lines().any(|sent| sent == line), "{line}: {sent}");
        }
        assert!(sent.contains("multipart/alternative"), "{sent}");
        assert!(sent.find("text/plain").unwrap() < sent.find("text/html").unwrap(), "{sent}");
    }

    /// Programs decoded what a title only looked like, so that it could say anything.
    #[test]
    fn a_subject_that_looks_encoded_is_text() {
        let settings = MailSettings {
            host: "localhost".into(),
            from: "svc <svc@example.com>".into(),
            ..MailSettings::default()
        };
        let mail = SmtpMail::of(&settings).unwrap().unwrap();
        let title = format!("[PRJ-1] =?utf-8?B?VVJHRU5U?= =?us-ascii?Q?Verify_now?= {}", "ü".repeat(40));
        let email = Email { subject: title.clone(), text: "Hello".into(), html: None };
        let envelope = Envelope { to: "ada@example.com".into(), email, id: "n.1".into(), list: None };
        let sent = String::from_utf8(mail.message(&envelope).unwrap().formatted()).unwrap();
        let header = sent.split("Subject: ").nth(1).unwrap().split("\r\n");
        let lines: Vec<&str> = header
            .take(9)
            .enumerate()
            .take_while(|(at, line)| *at == 0 || line.starts_with(' '))
            .map(|(_, line)| line.trim())
            .collect();
        let read = |word: &&str| {
            assert!(word.len() <= 75, "{word}");
            let inside = word.strip_prefix("=?utf-8?B?").unwrap().strip_suffix("?=").unwrap();
            STANDARD.decode(inside).unwrap()
        };
        let read: Vec<u8> = lines.iter().flat_map(read).collect();
        assert_eq!(String::from_utf8(read).unwrap(), title);
    }

    #[test]
    fn passwords_are_not_printed() {
        let settings = MailSettings { password: Hidden("hush".into()), ..MailSettings::default() };
        assert!(!format!("{settings:?}").contains("hush"));
    }

    /// Answers to the one mail of a test.
    async fn sent_to(answer: &'static [u8]) -> String {
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = server.local_addr().unwrap().port();
        let settings = MailSettings {
            host: "127.0.0.1".into(),
            port,
            encryption: Encryption::None,
            from: "svc <svc@example.com>".into(),
            ..MailSettings::default()
        };
        let mail = SmtpMail::of(&settings).unwrap().unwrap();
        let email = Email { subject: "Hello".into(), text: "Hello".into(), html: None };
        let envelope = Envelope { to: "ada@example.com".into(), email, id: "1".into(), list: None };
        let answering = async {
            let (mut connection, _) = server.accept().await.unwrap();
            connection.write_all(answer).await.unwrap();
            std::future::pending::<()>().await;
        };
        let failure = tokio::select! {
            sent = mail.send(&envelope) => sent.unwrap_err(),
            () = answering => unreachable!("it never ends"),
        };
        let MailError::Unavailable(why) = failure else { panic!("{failure}") };
        why.to_string().replace(&port.to_string(), "PORT")
    }

    /// A server that takes the connection and says nothing kept its worker, and with it the end of the process.
    #[tokio::test(start_paused = true)]
    async fn a_server_that_says_nothing_is_given_up() {
        let told = tokio::time::timeout(DELIVERING * 2, sent_to(b"")).await.expect("an end");
        assert_eq!(told, "127.0.0.1:PORT: no answer within 45 seconds");
    }

    #[tokio::test]
    async fn a_failure_names_the_server_and_what_it_said() {
        let told = sent_to(b"421 4.3.2 closed for the night\r\n").await;
        assert!(
            told.starts_with("127.0.0.1:PORT: ") && told.contains("4.3.2 closed for the night"),
            "{told}"
        );
    }
}
