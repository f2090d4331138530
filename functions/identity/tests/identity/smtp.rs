//! A mail server on loopback: SMTP in the clear, with STARTTLS, or inside TLS, with a certificate of `certificates/`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// One mail as the server got it: the commands of its envelope, and its lines.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) envelope: Vec<String>,
    pub(crate) lines: Vec<String>,
    pub(crate) encrypted: bool,
}

/// How a server lets itself be talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offers {
    /// In the clear, and in no other way.
    Nothing,
    /// In the clear, until the client asks for encryption.
    StartTls,
    /// The same, but it then says that it cannot.
    BrokenStartTls,
    /// Inside TLS.
    Tls,
    /// In the clear, but it knows no password.
    NoSignIn,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    mails: tokio::sync::Mutex<mpsc::UnboundedReceiver<Got>>,
    talk: Arc<Talk>,
}

struct Talk {
    offers: Offers,
    tls: Option<TlsAcceptor>,
    got: mpsc::UnboundedSender<Got>,
    /// Commands that anybody on the way could read.
    overheard: Mutex<Vec<String>>,
    /// Whether an address of `busy` has been turned away.
    turned_away: AtomicBool,
}

/// Who vouches for a server, and its certificate.
pub(crate) struct Identity {
    /// PEM of who vouches.
    pub(crate) authority: String,
    tls: TlsAcceptor,
}

/// The certificate of this name in `certificates/`.
macro_rules! identity {
    ($name:literal) => {
        $crate::smtp::Identity::of(
            include_str!(concat!("certificates/", $name, "-authority.pem")),
            include_bytes!(concat!("certificates/", $name, ".pem")),
        )
    };
}
pub(crate) use identity;

impl Identity {
    pub(crate) fn of(authority: &str, pem: &[u8]) -> Self {
        let certificate = CertificateDer::from_pem_slice(pem).expect("a certificate");
        let key = PrivateKeyDer::from_pem_slice(pem).expect("a key");
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .expect("key and certificate belong together");
        Self { authority: authority.to_owned(), tls: TlsAcceptor::from(Arc::new(config)) }
    }
}

impl Server {
    /// Serves SMTP until the test ends; refuses addresses of `nobody`, and those of `busy` the first time.
    pub(crate) async fn start(offers: Offers, identity: Option<&Identity>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has ports");
        let port = listener.local_addr().expect("it has an address").port();
        let (got, mails) = mpsc::unbounded_channel();
        let tls = identity.map(|identity| identity.tls.clone());
        let talk =
            Talk { offers, tls, got, overheard: Mutex::default(), turned_away: AtomicBool::new(false) };
        let talk = Arc::new(talk);
        let served = talk.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let talk = served.clone();
                tokio::spawn(async move { talk.serve(stream).await });
            }
        });
        Self { port, mails: tokio::sync::Mutex::new(mails), talk }
    }

    /// The next mail.
    pub(crate) async fn mail(&self) -> Got {
        let mut mails = self.mails.lock().await;
        tokio::time::timeout(Duration::from_secs(60), mails.recv())
            .await
            .expect("a mail in time")
            .expect("a mail")
    }

    /// Commands that were sent in the clear.
    pub(crate) fn overheard(&self) -> Vec<String> {
        self.talk.overheard.lock().clone()
    }
}

impl Talk {
    async fn serve(&self, stream: tokio::net::TcpStream) -> std::io::Result<()> {
        match &self.tls {
            Some(tls) if self.offers == Offers::Tls => {
                let mut stream = tls.accept(stream).await?;
                stream.write_all(GREETING).await?;
                self.converse(&mut stream, true).await.map(drop)
            }
            tls => {
                let mut stream = stream;
                stream.write_all(GREETING).await?;
                let upgrade = self.converse(&mut stream, false).await?;
                let (true, Some(tls)) = (upgrade, tls) else { return Ok(()) };
                let mut stream = tls.accept(stream).await?;
                self.converse(&mut stream, true).await.map(drop)
            }
        }
    }

    /// Whether the client asked for encryption, and gets it.
    async fn converse<S>(&self, stream: &mut S, encrypted: bool) -> std::io::Result<bool>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut stream = BufReader::new(stream);
        let mut envelope = Vec::new();
        while let Some(command) = line(&mut stream).await? {
            if !encrypted {
                self.overheard.lock().push(command.clone());
            }
            let verb = command.split([' ', ':']).next().unwrap_or_default().to_uppercase();
            let answer: &[u8] = match verb.as_str() {
                "EHLO" if encrypted => b"250-loopback\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n",
                "EHLO" if matches!(self.offers, Offers::StartTls | Offers::BrokenStartTls) => {
                    b"250-loopback\r\n250-STARTTLS\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n"
                }
                "EHLO" | "HELO" => b"250-loopback\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n",
                "STARTTLS" if self.offers == Offers::StartTls => {
                    stream.write_all(b"220 go on\r\n").await?;
                    return Ok(true);
                }
                "STARTTLS" => b"454 4.7.0 not now\r\n",
                "AUTH" if self.offers == Offers::NoSignIn => b"535 5.7.8 authentication failed\r\n",
                "AUTH" => {
                    envelope.push(command.clone());
                    b"235 2.7.0 welcome\r\n"
                }
                "RCPT" if command.contains("busy") && !self.turned_away.swap(true, Ordering::Relaxed) => {
                    b"451 4.2.1 mailbox busy\r\n"
                }
                "RCPT" if command.contains("nobody") => b"550 5.1.1 nobody of this name\r\n",
                "MAIL" | "RCPT" => {
                    envelope.push(command.clone());
                    b"250 2.1.0 ok\r\n"
                }
                "DATA" => {
                    stream.write_all(b"354 go on\r\n").await?;
                    let mut lines = Vec::new();
                    while let Some(line) = line(&mut stream).await?.filter(|line| line != ".") {
                        lines.push(line);
                    }
                    let _ = self.got.send(Got { envelope: std::mem::take(&mut envelope), lines, encrypted });
                    b"250 2.0.0 taken\r\n"
                }
                "RSET" | "NOOP" => b"250 2.0.0 ok\r\n",
                "QUIT" => {
                    stream.write_all(b"221 bye\r\n").await?;
                    return Ok(false);
                }
                _ => b"500 5.5.1 unknown\r\n",
            };
            stream.write_all(answer).await?;
        }
        Ok(false)
    }
}

const GREETING: &[u8] = b"220 loopback ESMTP\r\n";

/// A line without its end; `None` when there are no more.
async fn line<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await?;
    Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
}
