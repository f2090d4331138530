//! The load: HTTP/1.1 over connections that are kept alive, one request at a time on each, with as little
//! work for each request as can be, because it runs on the same cores as what is measured.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures::future::try_join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// A connection that is kept alive.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer; its body is borrowed from the connection.
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) head: &'a [u8],
    pub(crate) body: &'a [u8],
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(128 * 1024) })
    }

    /// Sends a request and reads the answer.
    pub(crate) async fn send(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let (head, length) = loop {
            if let Some(head) = end_of_head(&self.buffer) {
                break (head, content_length(&self.buffer[..head])?);
            }
            self.read().await?;
        };
        while self.buffer.len() < head + length {
            self.read().await?;
        }
        let status = std::str::from_utf8(&self.buffer[9..12]).ok().and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| broken("no status"))?;
        Ok(Answer { status, head: &self.buffer[..head], body: &self.buffer[head..head + length] })
    }

    async fn read(&mut self) -> io::Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            return Err(broken("the connection was closed"));
        }
        Ok(())
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

fn content_length(head: &[u8]) -> io::Result<usize> {
    // Answers of these statuses have no body and need not say so.
    if head.get(9..12).is_some_and(|status| status == b"204" || status == b"304") {
        return Ok(0);
    }
    head.split(|byte| *byte == b'\n')
        .find_map(|line| {
            let name = line.get(..15)?;
            name.eq_ignore_ascii_case(b"content-length:").then(|| std::str::from_utf8(&line[15..]).ok())?
        })
        .and_then(|value| value.trim().parse().ok())
        .ok_or_else(|| broken("an answer without Content-Length"))
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

/// Requests to one server with one credential.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

impl Target {
    /// A GET as bytes.
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        self.request("GET", path, "")
    }

    /// A POST with a JSON body as bytes.
    pub(crate) fn post(&self, path: &str, body: &str) -> Vec<u8> {
        self.request("POST", path, body)
    }

    /// Sends a POST that must succeed.
    ///
    /// # Panics
    /// When it does not.
    pub(crate) async fn send(&self, path: &str, body: &str) {
        let mut connection = Connection::open(self.address).await.expect("a connection can be opened");
        let answer = connection.send(&self.post(path, body)).await.expect("an answer comes");
        assert!((200..300).contains(&answer.status), "{}", String::from_utf8_lossy(answer.body));
    }

    /// Sends a PUT with a JSON body that must succeed.
    ///
    /// # Panics
    /// When it does not.
    pub(crate) async fn put(&self, path: &str, body: &str) {
        let mut connection = Connection::open(self.address).await.expect("a connection can be opened");
        let answer = connection.send(&self.request("PUT", path, body)).await.expect("an answer comes");
        assert!((200..300).contains(&answer.status), "{}", String::from_utf8_lossy(answer.body));
    }

    /// A PUT of bytes.
    pub(crate) fn upload(&self, path: &str, bytes: &[u8]) -> Vec<u8> {
        let Self { address, token } = self;
        let head = format!(
            "PUT {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/octet-stream\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        [head.as_bytes(), bytes].concat()
    }

    /// A request with a JSON body as bytes.
    pub(crate) fn request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let Self { address, token } = self;
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             accept: application/json\r\n"
        );
        if method != "GET" {
            request += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        }
        format!("{request}\r\n{body}").into_bytes()
    }
}

/// Sends the same request over so many connections for so long; answers requests per second.
///
/// # Panics
/// When an answer is not 200.
pub(crate) async fn rate(address: SocketAddr, request: &[u8], connections: usize, time: Duration) -> f64 {
    let mut open = try_join_all((0..connections).map(|_| Connection::open(address)))
        .await
        .expect("connections can be opened");
    let began = Instant::now();
    let deadline = began + time;
    let work = open.iter_mut().map(|connection| async move {
        let mut count = 0_u64;
        while Instant::now() < deadline {
            let answer = connection.send(request).await.expect("an answer comes");
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
            count += 1;
        }
        count
    });
    let count: u64 = futures::future::join_all(work).await.into_iter().sum();
    count as f64 / began.elapsed().as_secs_f64()
}
