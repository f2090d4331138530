//! What a live face of a project needs: a board of thousands of cards, drawn in one answer, and a change that reaches
//! everybody who has a stream open.

use std::net::SocketAddr;
use std::time::Duration;

use futures::future::{join_all, try_join_all};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_end_to_end::Stage;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::rest::resident_megabytes;
use crate::driver::Target as Server;
use crate::report::{Report, Target, Unit, median, percentile};
use crate::seed::{BOARD, people, target};

/// How often a board is asked for.
const BOARDS: usize = 50;

/// Streams that are open at once, of so many people: each may have 32.
const STREAMS: usize = 1_000;
const PEOPLE: usize = 40;

/// Changes that the streams tell, one after the other.
const CHANGES: usize = 40;

/// What is opened and what is told is there after this.
const SETTLE: Duration = Duration::from_secs(2);
const BOUND: Duration = Duration::from_secs(60);

/// How long the answer takes and what it weighs, as browsers ask for it.
pub(crate) async fn board(report: &mut Report, stage: &Stage) {
    let (key, size) = BOARD;
    let path = format!("/api/v1/orgs/{}/projects/{key}/board", stage.org());
    let plain = String::from_utf8(target(stage).get(&path)).expect("a request is text");
    let asked = "\r\naccept-encoding: gzip, deflate, br, zstd\r\nconnection: close\r\n\r\n";
    let request = plain.replacen("\r\n\r\n", asked, 1);
    let (mut times, mut bytes) = (Vec::new(), 0);
    for _ in 0..BOARDS {
        let began = Instant::now();
        let answer = whole_answer(stage.server.address(), request.as_bytes()).await.expect("an answer comes");
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        times.push(began.elapsed().as_secs_f64() * 1000.0);
        bytes = answer.len();
    }
    report.budget(format!("board of {size} cards"), Target::AtMost(30.0), median(&times), Unit::Millis);
    report.detail("p95", percentile(&times, 0.95), Unit::Millis);
    report.budget("  compressed", Target::AtMost(400.0), bytes as f64 / 1000.0, Unit::Kilobytes);
}

/// An answer with its head, over a connection of its own: a compressed one does not say how long it is.
async fn whole_answer(address: SocketAddr, request: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(answer)
}

/// How soon a change is told over a thousand streams, and what each of them costs the server.
pub(crate) async fn streams(report: &mut Report) {
    allow_files(8 * STREAMS as u64);
    // Behind a proxy, as everybody comes from one address here.
    let stage = Stage::set(&[("Service__TrustedProxies", "1")]).await;
    let readers = people(&stage, PEOPLE).await;
    let server = target(&stage);
    let pid = stage.server.process().pid();
    let item = stage.new_item("Something that changes").await.key;
    sleep(SETTLE).await;
    let before = resident_megabytes(pid);
    let opened = (0..STREAMS).map(|number| {
        let token = readers[number % PEOPLE].clone();
        EventStream::open(Server { token, ..server.clone() }, stage.org())
    });
    let mut streams = try_join_all(opened).await.expect("streams can be opened");
    sleep(SETTLE).await;
    let each = (resident_megabytes(pid) - before) * 1000.0 / STREAMS as f64;
    let mut delays = Vec::new();
    for number in 0..CHANGES {
        let path = format!("/api/v1/orgs/{}/items/{item}/comments", stage.org());
        let comment = format!(r#"{{"body":"Change {number}."}}"#);
        let began = Instant::now();
        let told = join_all(streams.iter_mut().map(EventStream::event));
        let ((), told) = tokio::join!(server.send(&path, &comment), told);
        delays.extend(told.into_iter().map(|at| (at - began).as_secs_f64() * 1000.0));
    }
    let p95 = percentile(&delays, 0.95);
    report.budget(
        format!("change told over {STREAMS} streams, p95"),
        Target::AtMost(250.0),
        p95,
        Unit::Millis,
    );
    report.detail("median", median(&delays), Unit::Millis);
    report.budget("  memory of each stream", Target::AtMost(50.0), each, Unit::Kilobytes);
}

/// Raises the number of files that this process and the server that it starts may have open.
pub(crate) fn allow_files(count: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(count, |most| most.min(count));
    if current.is_some_and(|current| current < wanted) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
            .expect("the limit can be raised");
    }
}

/// A stream of what changes in an organization.
struct EventStream {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl EventStream {
    /// Opens it, and waits for the event with which each begins.
    async fn open(server: Server, org: &str) -> std::io::Result<Self> {
        let mut stream = TcpStream::connect(server.address).await?;
        let request = String::from_utf8(server.get(&format!("/api/v1/orgs/{org}/stream")));
        let request =
            request.expect("a request is text").replacen("application/json", "text/event-stream", 1);
        stream.write_all(request.as_bytes()).await?;
        let mut opened = Self { stream, buffer: Vec::new() };
        opened.event().await;
        Ok(opened)
    }

    /// When the next event came; what keeps the connection alive is none.
    ///
    /// # Panics
    /// When none comes.
    async fn event(&mut self) -> Instant {
        let event = async {
            self.buffer.clear();
            while !self.buffer.windows(5).any(|part| part == b"data:") || !self.buffer.ends_with(b"\n\n\r\n")
            {
                let read = self.stream.read_buf(&mut self.buffer).await.expect("the stream can be read");
                assert_ne!(read, 0, "the stream ended: {}", String::from_utf8_lossy(&self.buffer));
            }
            Instant::now()
        };
        timeout(BOUND, event).await.expect("an event comes")
    }
}
