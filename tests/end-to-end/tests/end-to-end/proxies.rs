//! The reverse proxies of docs/installing.md, set up as it says, between people and the service.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use futures::StreamExt as _;
use svc_end_to_end::{Home, Process, Stage, eventually, task, within};

const BOUND: Duration = Duration::from_secs(60);
/// Bytes of the attachment: more than nginx takes unless its configuration says so.
const LARGE: usize = 8 * 1024 * 1024;

/// A proxy that runs, and the address that it serves.
struct Front {
    _process: Process,
    url: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_passes_on_streams_and_large_files() {
    let stage = Stage::set(&[("Service__TrustedProxies", "1")]).await;
    let Some(front) = nginx(&stage, &documented("nginx")).await else { return };
    passes_on(&stage, &front).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn caddy_passes_on_streams_and_large_files() {
    let stage = Stage::set(&[("Service__TrustedProxies", "1")]).await;
    let Some(front) = caddy(&stage, &documented("caddyfile")).await else { return };
    passes_on(&stage, &front).await;
}

/// It was told as "the file is too large" with the service's limit, which the file did not reach.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_only_the_proxy_refuses_is_told_as_that() {
    let stage = Stage::set(&[]).await;
    let short = documented("nginx").replace("client_max_body_size 60m;", "");
    let Some(front) = nginx(&stage, &short).await else { return };
    let home = signed_in(&stage, &front).await;
    let item = stage.new_item("Large").await;
    let output = attach(&stage, &home, &item.key).await;
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("a proxy in front of the service refused"), "{}", output.stderr);
}

/// The block of docs/installing.md in this language.
fn documented(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/installing.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
    block.expect("the page has the block").to_owned()
}

async fn nginx(stage: &Stage, server: &str) -> Option<Front> {
    let port = free_port();
    let server = server
        .lines()
        .filter(|line| !line.contains("ssl_"))
        .map(|line| line.replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port};")))
        .collect::<Vec<_>>()
        .join("\n")
        .replace("http://127.0.0.1:8080", &stage.server.url());
    let directory = stage.directory().join("nginx");
    fs::create_dir(&directory).unwrap();
    // Its workers write where the test may.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|place| format!("{place}_temp_path {};", directory.join(place).display()));
    let all = format!(
        "{user} daemon off; pid {}; error_log stderr; events {{}}\nhttp {{ access_log off; {}\n{server} }}\n",
        directory.join("pid").display(),
        places.concat(),
    );
    let file = directory.join("nginx.conf");
    fs::write(&file, all).unwrap();
    let mut command = Command::new(installed("nginx")?);
    command.arg("-p").arg(&directory).arg("-c").arg(&file).args(["-e", "stderr"]);
    serving(stage, "nginx", command, port).await
}

async fn caddy(stage: &Stage, site: &str) -> Option<Front> {
    let port = free_port();
    let upstream = stage.server.url().replace("http://", "");
    let site = site
        .replace("tracker.example", &format!("http://127.0.0.1:{port}"))
        .replace("127.0.0.1:8080", &upstream);
    let directory = stage.directory().join("caddy");
    fs::create_dir(&directory).unwrap();
    let file = directory.join("Caddyfile");
    fs::write(&file, format!("{{\n    admin off\n}}\n{site}")).unwrap();
    let mut command = Command::new(installed("caddy")?);
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file);
    command.env("XDG_DATA_HOME", &directory).env("XDG_CONFIG_HOME", &directory).env("HOME", &directory);
    serving(stage, "caddy", command, port).await
}

/// Where a proxy is: beside the built programs (`scripts/runner-tools`), or on PATH.
fn installed(name: &str) -> Option<PathBuf> {
    let me = std::env::current_exe().unwrap();
    let unpacked = me.ancestors().map(|folder| folder.join("proxies").join(name)).find(|path| path.is_file());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = unpacked
        .or_else(|| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file()));
    if found.is_none() {
        println!("skipped: {name} is not installed");
    }
    found
}

async fn serving(stage: &Stage, name: &'static str, mut command: Command, port: u16) -> Option<Front> {
    let mut process = Process::start(name, &mut command, &stage.directory().join(format!("{name}.log")));
    let url = format!("http://127.0.0.1:{port}");
    eventually("the proxy serves", BOUND, async || {
        assert!(process.status().is_none(), "{name} does not start:\n{}", process.tail());
        let answer = stage.server.http().get(format!("{url}/livez")).send().await.ok()?;
        answer.status().is_success().then_some(())
    })
    .await;
    Some(Front { _process: process, url })
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port()
}

/// A machine that knows the service by the proxy's address only.
async fn signed_in(stage: &Stage, front: &Front) -> Home {
    let home = Home::new(&stage.directory().join("behind"));
    let login = ["auth", "login", "--url", &front.url, "--org", stage.org()];
    let output = home.svc_with(&stage.server.demo.token, &login).await;
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    home
}

async fn attach(stage: &Stage, home: &Home, item: &str) -> svc_end_to_end::Output {
    let file = stage.directory().join("large.bin");
    fs::write(&file, vec![7; LARGE]).unwrap();
    home.svc(&["attachment", "add", item, &file.display().to_string()]).await
}

async fn passes_on(stage: &Stage, front: &Front) {
    let home = signed_in(stage, front).await;
    let item = stage.new_item("Before").await;
    let output = attach(stage, &home, &item.key).await;
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let path =
        format!("{}/api/v1/orgs/{}/projects/{}/changes/stream", front.url, stage.org(), stage.project());
    let request = stage.server.http().get(path).bearer_auth(&stage.server.demo.token);
    let answer =
        within("headers", BOUND, request.header("accept", "text/event-stream").send()).await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    let mut body = answer.bytes_stream();
    let mut next = async || within("an event", BOUND, body.next()).await.unwrap().unwrap();
    next().await;
    let later = stage.client().org(stage.org()).create_item(stage.project(), &task("Later")).await.unwrap();
    while !String::from_utf8_lossy(&next().await).contains(&later.key) {}
}
