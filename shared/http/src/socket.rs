//! Serves on a socket: accepts connections, times out clients that send or read too slowly, and lets requests in
//! flight finish at shutdown. [`Limits`] says how much of the process clients may use, and [`crowd`] which
//! connections to close when there are too many.

mod answer;
mod crowd;
mod limits;

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::ConnectInfo;
use axum::response::{IntoResponse as _, Response};
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use svc_app::budget::network;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tower::ServiceExt as _;

use self::answer::{Asked, Counted, PIECE, Patient, Place};
use self::crowd::Crowd;
pub(crate) use self::crowd::{Holding, Line};
pub use self::limits::Limits;
use crate::error::ApiError;
use crate::problems::UNAVAILABLE;
use crate::reread::Compressible;

/// How long to wait when no connection can be accepted, as when too many files are open.
const BREATH: Duration = Duration::from_millis(100);

/// How often a connection is looked at that takes nothing.
const LOOK: Duration = Duration::from_secs(5);

/// Requests at once on one connection of HTTP/2.
const STREAMS: u32 = 100;

type Server = Builder<TokioExecutor>;

/// Serves until `stop` resolves, then lets requests in flight finish.
///
/// # Errors
/// None now: a socket that cannot accept is tried again.
pub async fn serve_socket(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    serve(listener, router, limits, stop).await;
    Ok(())
}

async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let server = server(limits.patience);
    let crowd = Crowd::new(limits);
    // Every connection holds a receiver: when none is left, all have ended.
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let (stream, client) = tokio::select! {
            accepted = accepted(&listener) => accepted,
            () = &mut stop => break,
        };
        let Some(guest) = crowd.admit(network(client.ip()), Instant::now()) else { continue };
        let connection = Connection { stream, client, limits, place: Place { crowd: crowd.clone(), guest } };
        tokio::spawn(converse(server.clone(), connection, router.clone(), stopped.clone()));
    }
    drop((listener, stopped));
    stopping.send_replace(());
    stopping.closed().await;
}

fn server(patience: Duration) -> Server {
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(PIECE);
    server.http2().timer(TokioTimer::new()).keep_alive_interval(patience);
    server.http2().max_concurrent_streams(STREAMS).max_send_buf_size(PIECE);
    server
}

async fn accepted(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

/// Whether the error is of a client that left before it was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

struct Connection {
    stream: TcpStream,
    client: SocketAddr,
    limits: Limits,
    place: Place,
}

/// Takes a connection out of the crowd, however it ends.
struct Leaving<'a>(&'a Place);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.crowd.leave(&self.0.guest);
    }
}

async fn converse(
    server: Server,
    Connection { stream, client, limits, place }: Connection,
    router: Router,
    mut stopped: watch::Receiver<()>,
) {
    // An event must not wait for the one after it.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection may be slow");
    }
    let asked = Notify::new();
    let leaving = Leaving(&place);
    let service = service_fn(|request| {
        asked.notify_one();
        answered(router.clone(), client, place.clone(), request)
    });
    let stream = TokioIo::new(Patient::new(stream, limits.stall));
    let mut connection = pin!(server.serve_connection(stream, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = silence(limits.first, &asked) => return,
        () = stalled(&place) => return,
        () = place.guest.sent_away.notified() => return,
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    drop(leaving);
    if let Err(error) = ended {
        tracing::debug!(error, "a connection broke off");
    }
}

/// Resolves when a connection asks for nothing for too long after its start. The server itself looks at the
/// time only once it knows which protocol is spoken.
async fn silence(patience: Duration, asked: &Notify) {
    if tokio::time::timeout(patience, asked.notified()).await.is_ok() {
        std::future::pending().await
    }
}

/// Resolves when a connection takes nothing of what it is answered for too long.
async fn stalled(place: &Place) {
    while !place.crowd.is_stalled(&place.guest, Instant::now()) {
        tokio::time::sleep(LOOK).await;
    }
}

async fn answered(
    router: Router,
    client: SocketAddr,
    place: Place,
    mut request: Request<Incoming>,
) -> Result<Response, Infallible> {
    let line = Line(Arc::clone(&place.guest));
    let asked = Asked::new(place);
    unladen(&asked.0).await;
    request.extensions_mut().insert(ConnectInfo(client));
    request.extensions_mut().insert(line);
    let response = router.oneshot(request.map(Body::new)).await?;
    Ok(counted(response, asked))
}

/// Waits until a connection has taken enough of what it was answered before. One that does not is closed.
async fn unladen(place: &Place) {
    while place.crowd.is_laden(&place.guest) {
        let taken = place.guest.taken.notified();
        if place.crowd.is_laden(&place.guest) {
            // Looks again from time to time: the bytes may have been taken before it listened.
            let _ = tokio::time::timeout(LOOK, taken).await;
        }
    }
}

/// An answer whose bytes are counted until they are taken; a large one is not given where too many are not.
fn counted(response: Response, asked: Asked) -> Response {
    let whole = response.extensions().get::<Compressible>().map(|answer| answer.bytes);
    // What has no size comes piece by piece as it is taken.
    let bytes = whole.or_else(|| response.body().size_hint().exact()).unwrap_or(0);
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    if !asked.0.crowd.has_answer(&asked.0.guest, bytes, bytes <= PIECE, Instant::now()) {
        drop(response);
        let why = "Too many answers wait for those who asked to take them. Try again in a moment.";
        return ApiError::from(UNAVAILABLE.because(why)).into_response();
    }
    response.map(|body| Body::new(Counted::new(body, asked, bytes)))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::net::SocketAddr;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use axum::{Extension, Router};
    use futures::StreamExt as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;
    use tokio::time::timeout;

    use super::{Compressible, Limits, Line, serve};

    /// Far more than anything here takes.
    const BOUND: Duration = Duration::from_secs(30);

    struct Running {
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        serving: JoinHandle<()>,
    }

    async fn run(router: Router, limits: Limits) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let told = async move { stopped.await.unwrap_or_default() };
        let serving = tokio::spawn(serve(listener, router, limits, told));
        Running { address, stop, serving }
    }

    async fn whole(stream: &mut TcpStream) -> String {
        let mut text = String::new();
        timeout(BOUND, stream.read_to_string(&mut text)).await.unwrap().unwrap();
        text
    }

    #[tokio::test]
    async fn who_never_says_what_they_want_is_not_waited_for() {
        let router = Router::new().route("/", get(|| async { "here" }));
        let soon = Duration::from_millis(50);
        let running = run(router, Limits { first: soon, patience: soon, ..Limits::default() }).await;
        for said in ["", "PRI * HTTP", "GET / HTTP/1.1\r\nHost: a\r\n"] {
            let mut stream = TcpStream::connect(running.address).await.unwrap();
            stream.write_all(said.as_bytes()).await.unwrap();
            assert_eq!(whole(&mut stream).await, "", "{said:?} is closed and not answered");
        }
    }

    #[tokio::test]
    async fn stopping_lets_what_is_begun_finish_and_begins_no_more() {
        let (begun, begins) = oneshot::channel::<()>();
        let (go, going) = oneshot::channel::<()>();
        let hold = Arc::new(Mutex::new(Some((begun, going))));
        let router = Router::new().route(
            "/",
            get(move |ConnectInfo(client): ConnectInfo<SocketAddr>| {
                let held = hold.lock().unwrap().take();
                async move {
                    if let Some((begun, going)) = held {
                        begun.send(()).unwrap();
                        going.await.unwrap();
                    }
                    format!("{client} was answered")
                }
            }),
        );
        let running = run(router, Limits { first: BOUND, ..Limits::default() }).await;
        let mut idle = TcpStream::connect(running.address).await.unwrap();
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        timeout(BOUND, begins).await.unwrap().unwrap();

        running.stop.send(()).unwrap();
        assert_eq!(whole(&mut idle).await, "", "who asks for nothing is sent away");
        assert!(!running.serving.is_finished());
        go.send(()).unwrap();
        let answer = whole(&mut stream).await;
        let client = stream.local_addr().unwrap();
        assert!(answer.ends_with(&format!("{client} was answered")), "{answer}");
        timeout(BOUND, running.serving).await.unwrap().unwrap();
        assert!(TcpStream::connect(running.address).await.is_err());
    }

    const ASK: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /// A thousand silent connections kept everyone out for a minute.
    #[tokio::test]
    async fn silent_connections_give_way_to_who_asks_for_something() {
        let router = Router::new().route("/", get(|| async { "here" }));
        let limits = Limits { connections: 40, of_network: 20, ..Limits::default() };
        let running = run(router, limits).await;
        let mut silent = Vec::new();
        for _ in 0..100 {
            silent.push(TcpStream::connect(running.address).await.unwrap());
        }
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        assert!(whole(&mut stream).await.ends_with("here"));
        assert_eq!(whole(&mut silent[0]).await, "", "the first was closed");
    }

    /// 520 streams of one token kept everybody else of its network out.
    #[tokio::test]
    async fn held_answers_give_way_to_who_asks_for_something() {
        let held = |Extension(line): Extension<Line>| async move {
            let holding = line.hold(&"user:1".into());
            let begin = futures::stream::iter([Ok::<_, Infallible>("begun")]);
            let held = futures::stream::once(async move {
                let _holding = holding;
                std::future::pending().await
            });
            axum::body::Body::from_stream(begin.chain(held))
        };
        let router = Router::new().route("/held", get(held)).route("/", get(|| async { "here" }));
        let running = run(router, Limits { of_network: 8, ..Limits::default() }).await;
        let mut streams = Vec::new();
        for _ in 0..8 {
            let mut stream = TcpStream::connect(running.address).await.unwrap();
            stream.write_all(b"GET /held HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
            let mut begin = [0; 12];
            timeout(BOUND, stream.read_exact(&mut begin)).await.unwrap().unwrap();
            streams.push(stream);
        }
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        assert!(whole(&mut stream).await.ends_with("here"));
        assert!(whole(&mut streams[0]).await.ends_with("begun\r\n"), "the oldest was closed");
    }

    /// 280 answers that nobody read took 1.4 GB for minutes.
    #[tokio::test]
    async fn answers_that_nobody_takes_end_their_connection() {
        let router = Router::new().route("/", get(|| async { "x".repeat(8 * 1024 * 1024) }));
        let stall = Duration::from_millis(200);
        let running = run(router, Limits { stall, ..Limits::default() }).await;
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        for _ in 0..3 {
            stream.write_all(ASK).await.unwrap();
        }
        // Nothing is read until the server has given up.
        let closed = async {
            while stream.write_all(ASK).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(BOUND, closed).await.unwrap();
    }

    const ASK_AND_LEAVE: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const MEGABYTE: usize = 1024 * 1024;

    /// The answer to somebody while another has begun to take theirs and goes no further.
    async fn beside_one_that_is_not_taken(router: Router, unsent: usize) -> String {
        let running = run(router, Limits { unsent, brisk: BOUND, stall: BOUND, ..Limits::default() }).await;
        let mut idle = TcpStream::connect(running.address).await.unwrap();
        idle.write_all(ASK).await.unwrap();
        let mut begin = [0; 12];
        timeout(BOUND, idle.read_exact(&mut begin)).await.unwrap().unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(ASK_AND_LEAVE).await.unwrap();
        whole(&mut stream).await
    }

    /// The system took most of each answer, and all of it stayed in memory for the rest: 600 MB.
    #[tokio::test]
    async fn an_answer_counts_as_a_whole_until_all_of_it_is_handed_on() {
        let router = Router::new().route("/", get(|| async { "x".repeat(16 * MEGABYTE) }));
        let answer = beside_one_that_is_not_taken(router, 31 * MEGABYTE).await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{}", &answer[..40]);
    }

    #[tokio::test]
    async fn a_compressed_answer_counts_as_what_it_is_made_of() {
        let endless = || async {
            let pieces = futures::stream::iter([Ok::<_, Infallible>("begun")]);
            let whole = Compressible { bytes: 16 * MEGABYTE as u64 };
            (Extension(whole), axum::body::Body::from_stream(pieces.chain(futures::stream::pending())))
        };
        let answer =
            beside_one_that_is_not_taken(Router::new().route("/", get(endless)), 31 * MEGABYTE).await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{}", &answer[..40]);
    }

    #[tokio::test]
    async fn large_answers_are_not_given_while_too_many_are_not_taken() {
        let router = Router::new()
            .route("/", get(|| async { "x".repeat(32 * 1024 * 1024) }))
            .route("/small", get(|| async { "small" }));
        let running =
            run(router, Limits { unsent: 64 * 1024 * 1024, brisk: BOUND, stall: BOUND, ..Limits::default() })
                .await;
        let mut idle = Vec::new();
        for _ in 0..2 {
            let mut stream = TcpStream::connect(running.address).await.unwrap();
            stream.write_all(ASK).await.unwrap();
            // The answer has begun, and no more of it is taken.
            let mut begin = [0; 12];
            timeout(BOUND, stream.read_exact(&mut begin)).await.unwrap().unwrap();
            assert_eq!(&begin, b"HTTP/1.1 200");
            idle.push(stream);
        }
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        assert!(whole(&mut stream).await.starts_with("HTTP/1.1 503"));
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(b"GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        assert!(whole(&mut stream).await.ends_with("small"));
        // Once they are taken, or their clients leave, there is room again.
        drop(idle);
        let served = async {
            loop {
                let mut stream = TcpStream::connect(running.address).await.unwrap();
                stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
                let answer = whole(&mut stream).await;
                if answer.starts_with("HTTP/1.1 200") {
                    return answer.len();
                }
            }
        };
        assert!(timeout(BOUND, served).await.unwrap() > 32 * 1024 * 1024);
    }
}
