//! `svc-server admin` as whoever runs the instance uses it, beside a process that has the store open.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use std::process::Command;

use svc_domain::identity::OrgRole;
use svc_testkit::TestApp;

/// What the program prints, to people or on failing.
fn admin(data: &Path, of: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    let said = program.arg("admin").args(of).arg("--data").arg(data).output().unwrap();
    String::from_utf8(if said.status.success() { said.stdout } else { said.stderr }).unwrap()
}

#[tokio::test]
async fn accounts_are_listed_disabled_and_enabled_and_the_log_tells_of_it() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    kit.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    kit.user(&org, "ben@example.com", OrgRole::Member, false).await;
    let data = kit.directory();
    let listed = admin(data, &["users", "BEN@"]);
    assert!(listed.contains("ben@example.com") && listed.contains("active"), "{listed}");
    assert!(listed.contains("demo (member)") && !listed.contains("ada@"), "{listed}");
    let disabled = admin(data, &["disable", "ben@example.com"]);
    assert!(disabled.contains("disabled since"), "{disabled}");
    assert!(admin(data, &["enable", "ben@example.com"]).contains("active"));
    let nobody = admin(data, &["disable", "nobody@example.com"]);
    assert!(nobody.contains("no account has the address nobody@example.com"), "{nobody}");
    let orgs = admin(data, &["orgs"]);
    assert!(orgs.contains("owners ada@example.com  2 members  0 items  0 bytes  plan none"), "{orgs}");
    let log = admin(data, &["audit"]);
    let actions: Vec<&str> =
        log.lines().map(|line| if line.contains("Enabled") { "on" } else { "off" }).collect();
    assert_eq!(actions, ["on", "off"], "{log}");
    assert!(log.lines().all(|line| line.contains("svc-server")), "{log}");
}
