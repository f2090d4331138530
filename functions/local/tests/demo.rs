//! The demo, as the program makes it.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// The demo is made by more requests than a small budget has, and leaves all of the budget to people.
#[test]
fn the_demo_is_made_whatever_the_budget() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .args(["--listen", "127.0.0.1:0", "--log", "json", "--demo", "--data"])
        .arg(directory.path())
        .env("RateLimits__RequestsPerMinute", "2")
        .env("RateLimits__AuthenticationPerMinute", "1")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let told: Vec<String> = BufReader::new(server.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .take_while(|line| !line.contains("\"serving\""))
        .collect();
    let ready = directory.path().join("demo.json").is_file();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(ready, "{told:#?}");
}
