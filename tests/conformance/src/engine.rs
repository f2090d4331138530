//! A local engine for the AWS adapters: started by the test that needs it on a free port of the loopback
//! interface, ended with it. `SVC_TEST_AWS_ENDPOINT` names a running one (LocalStack, say) to use instead.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the engine may take to answer.
const START: Duration = Duration::from_secs(60);

/// The secret of every key that the engine was not told of. It verifies presigned addresses with it.
pub const SECRET: &str = "test";

/// A running engine.
pub struct Engine {
    endpoint: String,
    process: Option<Child>,
}

impl Engine {
    /// Starts the engine, unless a running one is named.
    pub fn start() -> Self {
        if let Ok(endpoint) = std::env::var("SVC_TEST_AWS_ENDPOINT") {
            return Self { endpoint, process: None };
        }
        let port = free_port();
        Self { endpoint: format!("http://127.0.0.1:{port}"), process: Some(spawn(port)) }
    }

    /// Where it is.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // The end of its input ends it.
            drop(process.stdin.take());
            let _ = process.wait();
        }
    }
}

/// Where `scripts/ministack` installs it.
fn python() -> PathBuf {
    let root =
        Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let python = root.join(target).join("ministack/bin/python");
    assert!(
        python.exists(),
        "{} is missing: run scripts/ministack once, or set SVC_TEST_AWS_ENDPOINT to a running engine",
        python.display()
    );
    python
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// A shell watches over the engine: it ends it when its own input does, and so even when the test is killed.
fn spawn(port: u16) -> Child {
    const WATCH: &str = r#""$0" -m ministack & engine=$!; cat >/dev/null; kill $engine; wait $engine"#;
    let mut process = Command::new("sh")
        .args(["-c", WATCH])
        .arg(python())
        .env_remove("AWS_ACCESS_KEY_ID")
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .env("BIND_HOST", "127.0.0.1")
        .env("GATEWAY_PORT", port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(process.try_wait().unwrap().is_none(), "the engine ended at its start");
        assert!(begun.elapsed() < START, "the engine does not answer on port {port}");
        std::thread::sleep(Duration::from_millis(20));
    }
    process
}
