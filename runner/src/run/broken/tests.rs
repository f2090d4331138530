use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::http::Uri;
use serde_json::{Value, json};
use svc_api::runner::Finish;

use super::*;
use crate::calls::{Link, client};
use crate::environment::MARK;
use crate::locking::lock;
use crate::log::{RunLog, Secrets, Uploader};
use crate::process::{Launch, Running};
use crate::run::RunContext;
use crate::run::confined::Slot;
use crate::run::lifeline::{Heartbeats, Lifeline};
use crate::run::record::first_manifest;
use crate::testing::assignment;
use crate::workspace::RunDirectory;
use crate::workspace::git::Git;
use crate::workspace::prepare::repository;

/// What an instance was told: the end of each path, and the body.
type Heard = Arc<Mutex<Vec<(String, Value)>>>;

/// An instance that takes everything.
async fn instance() -> (String, Heard) {
    let heard = Heard::default();
    let told = Arc::clone(&heard);
    let answer = move |uri: Uri, body: Bytes| {
        let call = uri.path().rsplit('/').next().unwrap_or_default().to_owned();
        lock(&told).push((call, serde_json::from_slice(&body).unwrap_or_default()));
        std::future::ready(Json(json!({"cancel": false, "truncated": false, "nextSeq": 1})))
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(answer)).await.unwrap() });
    (url, heard)
}

fn told(heard: &Heard, call: &str) -> Vec<Value> {
    lock(heard).iter().filter(|(known, _)| known == call).map(|(_, body)| body.clone()).collect()
}

fn context(url: &str, root: &Path) -> RunContext {
    RunContext {
        link: Link::new(client(url, "jrn_one").unwrap(), Duration::ZERO),
        profile: serde_json::from_value(json!({"organization": "demo", "url": url, "token": "jrn_one"}))
            .unwrap(),
        executables: BTreeMap::new(),
        attachments: crate::runner_file::Attachments::default(),
        secrets: Vec::new(),
        root: root.to_owned(),
        keep_workspaces: false,
        heartbeats: Heartbeats { every: Duration::from_secs(1), held: true },
        detector: Arc::default(),
        pace: Arc::default(),
        active: Arc::default(),
        watchdog: crate::watchdog::Watchdog::default(),
    }
}

/// A run that is about to work in a clone of its own.
async fn begun(url: &str, root: &Path) -> (OneRun, Uploader) {
    let (context, assignment) = (context(url, root), assignment("run-1"));
    let clone = root.parent().unwrap().join("clone");
    std::fs::create_dir(&clone).unwrap();
    let git = Git::at(&clone);
    git.run(["init", "-q", "-b", "main"]).await.unwrap();
    let commit =
        ["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-q", "--allow-empty", "-m", "Begin"];
    git.run(commit).await.unwrap();
    let directory = RunDirectory::create(root, "run-1").unwrap();
    let repo = directory.repo();
    git.run(["clone", "-q", ".", repo.to_str().unwrap()]).await.unwrap();
    let manifest = Manifest {
        clone: Some(clone),
        repository: repository(&repo).await,
        base: git.run(["rev-parse", "HEAD"]).await.unwrap(),
        started: true,
        session: Some("the-session".into()),
        ..first_manifest(&directory, &assignment, url)
    };
    directory.describe(&manifest).unwrap();
    let (log, source) = RunLog::new(&directory.log(), Arc::new(Secrets::new([]))).unwrap();
    let stop = StopSwitch::default();
    let calls = RunCalls::new(context.link.clone(), "run-1", 1);
    let lifeline = Lifeline::begin(calls.clone(), context.heartbeats, stop.clone());
    let uploader = Uploader::new(source, calls.clone(), Arc::clone(&context.pace), stop.clone());
    (
        OneRun { context, assignment, directory, log, stop, lifeline, calls, confined: Slot::default() },
        uploader,
    )
}

/// Starts a harness that has a tool in a session of its own and has left a file; then the runner goes wrong.
async fn panics(run: &mut OneRun) -> Attempt {
    let mut environment: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    environment.insert(MARK.into(), run.directory.config_home().into());
    let repo = run.directory.repo();
    let script = "echo unfinished >left.txt; setsid sh -c 'echo $$ >../tool; exec sleep 600' & wait";
    let _running = Running::start(Launch {
        program: Path::new("/bin/sh").into(),
        args: vec!["-c".into(), script.into()],
        directory: &repo,
        environment,
        account: None,
        mark: MARK,
        stdin: Vec::new(),
    })
    .unwrap();
    let tool = run.directory.path().join("tool");
    while std::fs::read_to_string(&tool).unwrap_or_default().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the list was empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_panics_is_reported_at_once_with_its_work_saved_and_its_processes_ended() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap().join("runs");
    let (url, heard) = instance().await;
    let (mut run, uploader) = begun(&url, &root).await;
    let ended = run.report(uploader, panics).await;
    assert!(ended.words.contains("the list was empty"), "{}", ended.words);
    let finish: Finish = serde_json::from_value(told(&heard, "finish").pop().unwrap()).unwrap();
    assert_eq!(finish.failure_reason.as_deref(), Some("harness-crashed"));
    assert_eq!(finish.harness_session.as_deref(), Some("the-session"));
    assert!(finish.failure_detail.unwrap().contains("internal error"));
    let log: String = told(&heard, "log").iter().map(Value::to_string).collect();
    assert!(log.contains("The run failed (harness-crashed)"), "{log}");
    let tool = std::fs::read_to_string(root.join("run-1/tool")).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", tool.trim())).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "its tool works on: {stat}");
    let kept = Git::at(place.path().join("clone"));
    let refs = kept.run(["for-each-ref", "--format=%(refname)", "refs/"]).await.unwrap();
    let saved = refs.lines().find(|name| name.contains("run-1")).expect("a ref that keeps what was left");
    assert_eq!(kept.run(["show", &format!("{saved}:left.txt")]).await.unwrap(), "unfinished");
    let manifest = Manifest::read(&root.join("run-1")).unwrap();
    assert!(manifest.saved && manifest.ended_at.is_some(), "{manifest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_end_panics_is_reported_all_the_same() {
    let place = tempfile::tempdir().unwrap();
    let (url, heard) = instance().await;
    let context = context(&url, place.path());
    let calls = RunCalls::new(context.link.clone(), "run-1", 1);
    let ended =
        report("gone", &calls, &assignment("run-1"), &place.path().join("run-1"), &StopSwitch::default())
            .await;
    assert!(ended.words.contains("gone"));
    assert_eq!(told(&heard, "finish").pop().unwrap()["failureReason"], "workspace-failed");
}
