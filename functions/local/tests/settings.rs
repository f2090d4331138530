//! The settings and what people read about them.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use svc_app::Settings;

/// `RateLimits:RunnerPerMinute` was in no documentation.
#[test]
fn every_setting_is_documented() {
    let readme = include_str!("../../../docs/settings.md");
    let settings = serde_json::to_value(Settings::default()).unwrap();
    let mut missing = Vec::new();
    for (section, names) in settings.as_object().unwrap() {
        for name in names.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if !readme.contains(&format!("`{name}`")) && !readme.contains(&format!("{section}:{name}")) {
                missing.push(format!("{section}:{name}"));
            }
        }
    }
    assert!(settings.as_object().unwrap().len() > 5);
    assert!(missing.is_empty(), "in no line of docs/settings.md: {missing:#?}");
}

#[test]
fn settings_that_are_refused_leave_nothing_on_the_disk() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    for (name, value, said) in [
        ("Mail__Host", "mail.example", "Mail:From must be like"),
        ("Service__BaseUrl", "tracker.example", "Service:BaseUrl must be an address"),
        ("RateLimits__RequestsPerMinute", "many", "RateLimits__RequestsPerMinute"),
    ] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        server.args(["--listen", "127.0.0.1:0", "--data"]).arg(&data).env(name, value);
        let ran = server.output().unwrap();
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(!ran.status.success() && told.contains(said), "{name}: {told}");
        assert!(!data.exists(), "{name}");
    }
}

/// `password-link` named port 8080, wherever the server was.
#[test]
fn a_link_leads_to_where_the_server_serves() {
    let directory = tempfile::tempdir().unwrap();
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.arg("--data").arg(directory.path());
        command
    };
    let mut server = command();
    let mut server = server
        .args(["--listen", "127.0.0.1:0", "--demo", "--log", "json"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map(Result::unwrap);
    let serving: serde_json::Value =
        serde_json::from_str(&lines.find(|line| line.contains("\"serving\"")).unwrap()).unwrap();
    let made = command().args(["password-link", "demo@example.com"]).output().unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    let link = String::from_utf8(made.stdout).unwrap();
    let address = serving["base_url"].as_str().unwrap();
    assert!(link.starts_with(&format!("{address}/reset-password#")), "{link} is not at {address}");
}
