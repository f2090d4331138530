//! A network between a program and the server that can be cut, and that sees what passes.
//!
//! While it is cut, connections are broken and new ones are refused, as when a cable is pulled. It can
//! replace one text of the server's answers by another of the same length.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What a runner sends when it asks for work.
const TAKE: &[u8] = b"POST /api/v1/runner/take ";

/// A network that can be cut.
pub struct Proxy {
    url: String,
    cut: watch::Sender<bool>,
    seen: Arc<Seen>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    refused: AtomicUsize,
    takes: AtomicUsize,
}

/// Replaces one text by another of the same length in what passes, wherever it is split.
#[derive(Clone, Debug)]
struct Replacement {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Proxy {
    /// A network to the server at this address.
    pub async fn to(server: SocketAddr) -> Self {
        Self::start(server, None).await
    }

    /// A network that also replaces a text of the server's answers.
    ///
    /// # Panics
    /// When the two texts differ in length.
    pub async fn replacing(server: SocketAddr, from: &str, to: &str) -> Self {
        assert_eq!(from.len(), to.len(), "an answer must keep its length");
        Self::start(server, Some(Replacement { from: from.into(), to: to.into() })).await
    }

    async fn start(server: SocketAddr, replacement: Option<Replacement>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the loopback has a free port");
        let address = listener.local_addr().expect("a socket has an address");
        let (cut, is_cut) = watch::channel(false);
        let seen = Arc::new(Seen::default());
        let accepting = tokio::spawn(accept(listener, server, is_cut, Arc::clone(&seen), replacement));
        Self { url: format!("http://{address}"), cut, seen, accepting }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Breaks every connection, and refuses new ones.
    pub fn cut(&self) {
        self.cut.send_replace(true);
    }

    /// Lets connections pass again.
    pub fn mend(&self) {
        self.cut.send_replace(false);
    }

    /// How many connections were refused.
    pub fn refused(&self) -> usize {
        self.seen.refused.load(Ordering::SeqCst)
    }

    /// How many requests for work have been handed to the server.
    pub fn takes(&self) -> usize {
        self.seen.takes.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.cut();
        self.accepting.abort();
    }
}

async fn accept(
    listener: TcpListener,
    server: SocketAddr,
    is_cut: watch::Receiver<bool>,
    seen: Arc<Seen>,
    replacement: Option<Replacement>,
) {
    while let Ok((client, _)) = listener.accept().await {
        if *is_cut.borrow() {
            seen.refused.fetch_add(1, Ordering::SeqCst);
            continue;
        }
        let (mut is_cut, seen, replacement) = (is_cut.clone(), Arc::clone(&seen), replacement.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = join(client, server, &seen, replacement) => {}
                // An error means that the network itself is gone.
                _ = is_cut.wait_for(|cut| *cut) => {}
            }
        });
    }
}

async fn join(client: TcpStream, server: SocketAddr, seen: &Seen, replacement: Option<Replacement>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::join!(
        forward(from_client, to_server, None, |bytes| {
            let takes = bytes.windows(TAKE.len()).filter(|window| *window == TAKE).count();
            seen.takes.fetch_add(takes, Ordering::SeqCst);
        }),
        forward(from_server, to_client, replacement, |_| {}),
    );
}

/// Copies until one side closes; `passed` is told what has been handed on.
async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    replacement: Option<Replacement>,
    passed: impl Fn(&[u8]),
) {
    let mut chunk = vec![0; 64 * 1024];
    let mut held = Vec::new();
    while let Ok(read) = from.read(&mut chunk).await {
        held.extend_from_slice(&chunk[..read]);
        let keep = match &replacement {
            Some(replacement) if read > 0 => replacement.apply(&mut held),
            Some(_) | None => 0,
        };
        let ready = held.len() - keep;
        if to.write_all(&held[..ready]).await.is_err() || to.flush().await.is_err() {
            break;
        }
        passed(&held[..ready]);
        held.drain(..ready);
        if read == 0 {
            break;
        }
    }
    // The other side may have closed first.
    let _ = to.shutdown().await;
}

impl Replacement {
    /// Replaces in place; answers how many bytes at the end may be the beginning of the text.
    fn apply(&self, bytes: &mut [u8]) -> usize {
        let length = self.from.len();
        let mut at = 0;
        while at + length <= bytes.len() {
            if bytes[at..at + length] == self.from[..] {
                bytes[at..at + length].copy_from_slice(&self.to);
            }
            at += 1;
        }
        (1..length.min(bytes.len() + 1)).rev().find(|&tail| bytes.ends_with(&self.from[..tail])).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Replacement;

    #[test]
    fn a_text_is_replaced_however_it_is_split() {
        let replacement = Replacement { from: b"limit:3600".to_vec(), to: b"limit:   2".to_vec() };
        let text = b"a limit:3600, limit:36 and limit:3600";
        for split in 0..text.len() {
            let mut passed = Vec::new();
            let mut held = Vec::new();
            for part in [&text[..split], &text[split..]] {
                held.extend_from_slice(part);
                let keep = replacement.apply(&mut held);
                let ready = held.len() - keep;
                passed.extend(held.drain(..ready));
            }
            passed.extend(held);
            assert_eq!(passed, b"a limit:   2, limit:36 and limit:   2", "split at {split}");
        }
    }
}
