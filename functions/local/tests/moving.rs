//! `svc-server export` and `import` as operators run them, between directories and to the engines on AWS.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bytes::Bytes;
use svc_conformance::engine::{Engine, SECRET};
use svc_domain::identity::OrgRole;
use svc_storage::{BlobKey, Retention};
use svc_testkit::TestApp;

fn server(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    program.args(arguments);
    program
}

fn run(arguments: &[&str]) -> Output {
    server(arguments).output().unwrap()
}

/// What it prints: the numbers and the digest.
fn said(arguments: &[&str]) -> String {
    told(run(arguments))
}

fn told(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    // Progress is for terminals.
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Why it fails.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A store with people, projects, counters and files, and a place for what is made of it.
struct Stage {
    kit: TestApp,
    place: tempfile::TempDir,
}

impl Stage {
    async fn new() -> Self {
        let kit = TestApp::new();
        let org = kit.org("demo").await;
        for key in ["PRJ", "OPS"] {
            kit.project(&org, key).await;
        }
        for n in 0..60 {
            kit.user(&org, &format!("p{n}@example.com"), OrgRole::Member, false).await;
        }
        for (name, size) in [("a", 0), ("b", 3), ("c", 700_000)] {
            let key = BlobKey::new(Retention::Snapshot, &format!("feed/{}/{name}", org.id));
            kit.app.blobs.put_once(&key, Bytes::from(vec![7; size])).await.unwrap();
        }
        Self { kit, place: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn export(&self, name: &str) -> (PathBuf, String) {
        let to = self.path(name);
        let said = said(&["export", text(&to), "--verify", "--data", text(self.kit.directory())]);
        (to, said)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

fn cut_off(file: &Path, part: f64) {
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    let length = file.metadata().unwrap().len();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part"
    )]
    file.set_len((length as f64 * part) as u64).unwrap();
}

#[tokio::test]
async fn a_store_comes_as_it_was_also_when_either_side_is_cut_off() {
    let stage = Stage::new().await;
    let (export, digest) = stage.export("export");
    let data = stage.path("data");
    assert_eq!(said(&["import", text(&export), "--verify", "--data", text(&data)]), digest);
    assert!(run(&["check", "--data", text(&data)]).status.success());
    assert_eq!(said(&["export", text(&stage.path("again")), "--data", text(&data)]), digest);

    // An export that was cut off goes on: in the middle of a row, of a file, and before its end.
    for (file, part) in [("rows.ndjson", 0.5), ("rows.ndjson", 0.0), ("blobs.ndjson", 0.7)] {
        let cut = stage.path(&format!("cut-{file}-{part}"));
        copy(&export, &cut);
        fs::remove_file(cut.join("end.json")).unwrap();
        cut_off(&cut.join(file), part);
        let unfinished = refusal(&["import", text(&cut), "--data", text(&stage.path("none"))]);
        assert!(unfinished.contains("not finished"), "{unfinished}");
        assert_eq!(said(&["export", text(&cut), "--data", text(stage.kit.directory())]), digest);
    }

    // So does an import; meanwhile no server serves the half of a store.
    let damaged = stage.path("damaged");
    copy(&export, &damaged);
    cut_off(&damaged.join("rows.ndjson"), 0.6);
    let half = stage.path("half");
    let why = refusal(&["import", text(&damaged), "--data", text(&half)]);
    assert!(why.contains("the export is damaged"), "{why}");
    for command in [vec!["--listen", "127.0.0.1:0"], vec!["export", text(&stage.path("of-half"))]] {
        let why = refusal(&[&command[..], &["--data", text(&half)]].concat());
        assert!(why.contains("an import into this store has not finished"), "{why}");
    }
    assert_eq!(run(&["check", "--data", text(&half)]).status.code(), Some(1));
    assert_eq!(said(&["import", text(&export), "--verify", "--data", text(&half)]), digest);
    assert!(run(&["check", "--data", text(&half)]).status.success());
}

#[tokio::test]
async fn what_would_mix_or_lose_data_is_refused() {
    let stage = Stage::new().await;
    let (export, _) = stage.export("export");
    let kit = text(stage.kit.directory());
    let why = refusal(&["import", text(&export), "--data", kit]);
    assert!(why.contains("this store is not empty"), "{why}");
    let why = refusal(&["export", text(&export), "--data", kit]);
    assert!(why.contains("holds a finished export"), "{why}");
    let full = stage.path("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("letter"), "x").unwrap();
    let why = refusal(&["export", text(&full), "--data", kit]);
    assert!(why.contains("is not empty and holds no export"), "{why}");
    let data = stage.path("data");
    let why = refusal(&["import", text(&full), "--data", text(&data)]);
    assert!(why.contains("there is no export in"), "{why}");

    let newer = stage.path("newer");
    copy(&export, &newer);
    fs::write(newer.join("export.json"), r#"{"format": 2, "by": "9.1.0", "more": []}"#).unwrap();
    let why = refusal(&["import", text(&newer), "--data", text(&data)]);
    assert!(why.contains("written by version 9.1.0") && why.contains("update svc-server"), "{why}");
    assert!(!data.exists(), "nothing is made for what cannot be read");

    // A name of a file that leads elsewhere, and bytes that are not those that were exported.
    for (file, from, to) in
        [("blobs.ndjson", "snapshot/feed/", "snapshot/../../"), ("blobs.ndjson", "\"size\":3", "\"size\":4")]
    {
        let forged = stage.path("forged");
        copy(&export, &forged);
        let lines = fs::read_to_string(forged.join(file)).unwrap();
        assert!(lines.contains(from), "{lines}");
        fs::write(forged.join(file), lines.replace(from, to)).unwrap();
        let why =
            refusal(&["import", text(&forged), "--data", text(&stage.path(&format!("into-{}", to.len())))]);
        assert!(
            why.contains("no file of a store is called") || why.contains("is not as it was exported"),
            "{why}"
        );
    }
}

/// A command on an engine's store. Only an import makes its table, bucket and queue.
fn on_aws(engine: &Engine, arguments: &[&str]) -> Output {
    let endpoint = engine.endpoint();
    let mut program = server(arguments);
    program.args(["--store", "aws"]);
    program.envs([("AWS_ACCESS_KEY_ID", "123456789012"), ("AWS_SECRET_ACCESS_KEY", SECRET)]);
    program.envs([("Storage__Endpoint", endpoint), ("Storage__Region", "us-east-1")]);
    program.envs([("Storage__Table", "moving"), ("Storage__Bucket", "moving"), ("Storage__Create", "true")]);
    program.env("Storage__QueueUrl", format!("{endpoint}/123456789012/moving")).output().unwrap()
}

#[tokio::test]
async fn a_store_moves_to_the_engines_on_aws_and_back() {
    let stage = Stage::new().await;
    let (export, digest) = stage.export("export");
    let engine = Engine::start();
    assert_eq!(told(on_aws(&engine, &["import", text(&export), "--verify"])), digest);
    let checked = on_aws(&engine, &["check"]);
    assert!(checked.status.success(), "{checked:?}");
    let back = stage.path("back");
    assert_eq!(told(on_aws(&engine, &["export", text(&back), "--verify"])), digest);
    let data = stage.path("data");
    assert_eq!(said(&["import", text(&back), "--verify", "--data", text(&data)]), digest);
    let again = on_aws(&engine, &["import", text(&export)]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("this store is not empty"), "{again:?}");
}
