//! The measure of all rates: an axum handler that returns the same bytes as the service, and nothing else,
//! in a process and a runtime like the server's.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::routing::any;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use svc_end_to_end::{Process, eventually};
use tokio::net::TcpListener;

/// A running bare server.
pub(crate) struct Bare {
    pub(crate) process: Process,
    pub(crate) address: SocketAddr,
}

impl Bare {
    /// Starts this program again as a bare server of these bytes.
    pub(crate) async fn start(directory: &Path, name: &str, body: &[u8]) -> Self {
        let (file, log) = (directory.join(format!("{name}.json")), directory.join(format!("{name}.address")));
        std::fs::write(&file, body).expect("a file can be written");
        let me = std::env::current_exe().expect("a process knows its executable");
        let mut command = std::process::Command::new(me);
        command.arg(BARE).arg(&file);
        let process = Process::start("the bare server", &mut command, &log);
        let address = eventually("the address of the bare server", Duration::from_secs(20), async || {
            process.printed().strip_suffix('\n').and_then(|line| line.parse().ok())
        })
        .await;
        Self { process, address }
    }
}

/// First argument of the program when it is to be the bare server.
pub(crate) const BARE: &str = "bare";

/// Serves the bytes of a file on every path, until the process is stopped.
///
/// # Errors
/// Those of the file and of the socket.
pub(crate) async fn serve(file: &Path) -> std::io::Result<()> {
    let body = Bytes::from(std::fs::read(file)?);
    let answer = move || {
        let body = body.clone();
        async move { ([(CONTENT_TYPE, "application/json")], body) }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", listener.local_addr()?)?;
    out.flush()?;
    axum::serve(listener, Router::new().fallback(any(answer))).await
}
