//! A local engine for the AWS adapters: started by the test that needs it on a free port of the loopback
//! interface, ended with it. `SVC_TEST_AWS_ENDPOINT` names a running one (LocalStack, say) to use instead.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use svc_conformance::queue::VISIBILITY;
use svc_storage_aws::{AccessKey, AwsConfig, AwsStore};

use crate::wall_clock;

/// How long the engine may take to answer.
const START: Duration = Duration::from_secs(60);

/// The secret of every key that the engine was not told of. It verifies presigned addresses with it.
const SECRET: &str = "test";

/// A running engine and the names that one test uses in it.
pub(crate) struct Ministack {
    config: AwsConfig,
    process: Option<Child>,
}

impl Ministack {
    /// Starts the engine, and makes the test's table, bucket and queue in it.
    pub(crate) async fn start(test: &str) -> Self {
        let given = std::env::var("SVC_TEST_AWS_ENDPOINT").ok();
        let (endpoint, process) = match given {
            Some(endpoint) => (endpoint, None),
            None => {
                let port = free_port();
                (format!("http://127.0.0.1:{port}"), Some(spawn(port)))
            }
        };
        // An access key of 12 digits is an account of its own; the names tell runs apart elsewhere.
        let account = format!("{:012}", std::process::id());
        let name = format!("svc-{test}-{account}");
        let config = AwsConfig {
            table: name.clone(),
            bucket: name.clone(),
            queue_url: format!("{endpoint}/{account}/{name}"),
            endpoint: Some(endpoint),
            region: Some("us-east-1".into()),
            longest_delay: AwsConfig::LONGEST_DELAY,
            access_key: Some(AccessKey { id: account, secret: SECRET.into() }),
        };
        let engine = Self { config, process };
        engine.open().await.create_missing(VISIBILITY).await.unwrap();
        engine
    }

    /// A store with clients of its own.
    pub(crate) async fn open(&self) -> AwsStore {
        self.open_with(|_| ()).await
    }

    /// The same with other settings.
    pub(crate) async fn open_with(&self, change: impl FnOnce(&mut AwsConfig)) -> AwsStore {
        let mut config = self.config.clone();
        change(&mut config);
        AwsStore::connect(config, wall_clock()).await
    }
}

impl Drop for Ministack {
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
