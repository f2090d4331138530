//! `svc-server check` as operators run it, beside a process that has the store open.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use svc_domain::identity::OrgRole;
use svc_storage::{Commit, Key, Op};
use svc_testkit::TestApp;

fn check(data: &Path, options: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    program.arg("check").args(options).arg("--data").arg(data);
    program.output().unwrap()
}

fn run(command: &str, data: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_svc-server")).arg(command).arg("--data").arg(data).output().unwrap()
}

#[tokio::test]
async fn a_store_is_clean_until_something_in_it_is_broken() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    kit.project(&org, "PRJ").await;
    kit.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let clean = check(kit.directory(), &[]);
    let said = String::from_utf8(clean.stdout).unwrap();
    assert_eq!(clean.status.code(), Some(0), "{said}");
    assert!(said.contains("9 rows of 9 kinds") && said.contains("The data is consistent."), "{said}");

    let stray = Key::new("SPRINTREF#00000000-0000-7000-8000-000000000000", "PROJECT");
    let place = serde_json::json!({"org": org.id, "project": "PRJ"});
    let ops = vec![Op::create(stray.clone(), &place)];
    kit.app.table.commit(&Commit { ops, token: None }).await.unwrap();
    let broken = check(kit.directory(), &["--json", "--patience", "0"]);
    assert_eq!(broken.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&broken.stdout).unwrap();
    assert_eq!(report["findings"][0]["row"], format!("{} {}", stray.pk, stray.sk));
    assert_eq!(report["findings"][0]["kind"], "SPRINTREF#<sprint> PROJECT");
}

/// `doctor` and its like made a store in a directory that was mistyped, and said that all is well.
#[test]
fn where_there_is_no_store_none_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let nowhere = directory.path().join("none");
    for (command, code) in [("check", 2), ("doctor", 2), ("replay", 1), ("reindex", 1)] {
        let said = run(command, &nowhere);
        assert_eq!(said.status.code(), Some(code), "{command}");
        let said = String::from_utf8(said.stderr).unwrap();
        assert!(said.contains("there is no store in"), "{command}: {said}");
        assert!(!nowhere.exists(), "{command}");
    }
}

#[test]
fn a_store_that_was_cut_off_is_named_as_such_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("store.db");
    std::fs::write(&store, "").unwrap();
    let said = check(directory.path(), &[]);
    assert_eq!(said.status.code(), Some(2));
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("store.db is empty: it was cut off") && !said.contains("is it writable"), "{said}");
    let left: Vec<_> =
        std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["store.db"]);
}

#[tokio::test]
async fn a_backup_beside_a_server_is_consistent() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    kit.project(&org, "PRJ").await;
    let target = tempfile::tempdir().unwrap();
    let copy = target.path().join("copy");
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    program.arg("backup").arg("--data").arg(kit.directory()).arg("--to").arg(&copy);
    let said = program.output().unwrap();
    assert!(said.status.success(), "{said:?}");
    assert_eq!(check(&copy, &[]).status.code(), Some(0));
}

#[tokio::test]
async fn backups_are_kept_for_as_long_as_is_said() {
    let kit = TestApp::new();
    let target = tempfile::tempdir().unwrap();
    let backup = |keep: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        program.arg("backup").arg("--data").arg(kit.directory()).arg("--to").arg(target.path());
        program.args(["--keep", keep]).output().unwrap()
    };
    let names = || {
        let mut names: Vec<_> =
            std::fs::read_dir(target.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let first = backup("7d");
    assert!(first.status.success(), "{first:?}");
    let made = names().pop().unwrap();
    let whole = target.path().join(&made);
    assert_eq!(check(&whole, &[]).status.code(), Some(0));
    // Two of one day long ago, one that was cut off, and what is none of ours.
    for old in ["20200101T000000Z", "20200101T120000Z", "20200102T000000Z"] {
        let old = target.path().join(old);
        std::fs::create_dir(&old).unwrap();
        std::fs::copy(whole.join("store.db"), old.join("store.db")).unwrap();
    }
    std::fs::create_dir_all(target.path().join("20200103T000000Z/blobs")).unwrap();
    std::fs::create_dir(target.path().join("by-hand")).unwrap();
    // A second backup of the same second would find its name taken.
    std::fs::rename(&whole, target.path().join("20200104T000000Z")).unwrap();
    let second = backup("3d");
    let told = String::from_utf8(second.stdout).unwrap();
    assert!(
        second.status.success() && told.contains("3 backups are kept") && told.contains("3 were deleted"),
        "{told}"
    );
    let left = names();
    assert_eq!(left.len(), 4);
    assert_eq!(left[..2], ["20200102T000000Z", "20200104T000000Z"]);
    assert_eq!(left[3], "by-hand");
    assert!(!backup("7").status.success());
}

#[tokio::test]
async fn who_runs_the_instance_makes_a_link_to_a_new_password() {
    let kit = TestApp::new();
    kit.account("ada@example.com").await;
    let link = |email: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        program.args(["password-link", email]).arg("--data").arg(kit.directory());
        program.output().unwrap()
    };
    let made = link("ada@example.com");
    let (said, told) = (String::from_utf8(made.stdout).unwrap(), String::from_utf8(made.stderr).unwrap());
    assert!(made.status.success() && told.contains("owner of ada@example.com"), "{told}");
    assert!(said.starts_with("http://127.0.0.1:8080/reset-password#") && said.lines().count() == 1, "{said}");
    let nobody = link("nobody@example.com");
    assert_eq!(nobody.status.code(), Some(1));
    assert!(
        String::from_utf8(nobody.stderr).unwrap().contains("no account has the address nobody@example.com")
    );
}
