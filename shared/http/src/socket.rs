//! Serving on a socket: accepts connections, does not wait for ever for what a client wants, and lets requests
//! in flight finish when told to stop.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tower::ServiceExt as _;

/// How long a connection may take to say what it wants, from its start or from the answer before. Longer than
/// what proxies keep an idle connection for, so that they close it and never send into a closed one.
const PATIENCE: Duration = Duration::from_secs(75);

/// How long to wait when no connection can be accepted, as when too many files are open.
const BREATH: Duration = Duration::from_secs(1);

type Server = Builder<TokioExecutor>;

/// Serves until `stop` resolves, then lets requests in flight finish.
///
/// # Errors
/// None now: a socket that cannot accept is tried again.
pub async fn serve_socket(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    serve(listener, router, PATIENCE, stop).await;
    Ok(())
}

async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let server = server(patience);
    // Every connection holds a receiver: when none is left, all have ended.
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let (stream, client) = tokio::select! {
            accepted = accepted(&listener) => accepted,
            () = &mut stop => break,
        };
        let connection = Connection { stream, client, patience };
        tokio::spawn(converse(server.clone(), connection, router.clone(), stopped.clone()));
    }
    drop((listener, stopped));
    stopping.send_replace(());
    stopping.closed().await;
}

fn server(patience: Duration) -> Server {
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    server.http2().timer(TokioTimer::new()).keep_alive_interval(patience);
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
    patience: Duration,
}

async fn converse(
    server: Server,
    Connection { stream, client, patience }: Connection,
    router: Router,
    mut stopped: watch::Receiver<()>,
) {
    // An event must not wait for the one after it.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection may be slow");
    }
    let asked = Notify::new();
    let service = service_fn(|request| {
        asked.notify_one();
        answered(router.clone(), client, request)
    });
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = silence(patience, &asked) => return,
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
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

async fn answered(
    router: Router,
    client: SocketAddr,
    mut request: Request<Incoming>,
) -> Result<Response, Infallible> {
    request.extensions_mut().insert(ConnectInfo(client));
    router.oneshot(request.map(axum::body::Body::new)).await
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use axum::Router;
    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;
    use tokio::time::timeout;

    use super::serve;

    /// Far more than anything here takes.
    const BOUND: Duration = Duration::from_secs(30);

    struct Running {
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        serving: JoinHandle<()>,
    }

    async fn run(router: Router, patience: Duration) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let told = async move { stopped.await.unwrap_or_default() };
        let serving = tokio::spawn(serve(listener, router, patience, told));
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
        let running = run(router, Duration::from_millis(50)).await;
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
        let running = run(router, BOUND).await;
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
}
