//! `svc runner`: that the runner's own commands are reached, with settings of their own.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};
use svc_api::runner::HelloReply;

use crate::fixtures::{problem, project};
use crate::stub::Stub;

#[test]
fn a_runner_secret_is_verified_and_kept_out_of_the_config_file() {
    let stub = Stub::new();
    let reply = HelloReply {
        runner_id: "runner-1".into(),
        name: "build-1".into(),
        organization: "demo".into(),
        heartbeat_seconds: 15,
        take_wait_seconds: 20,
        take_every_seconds: 1,
    };
    stub.on("POST /runner/hello", &reply);
    let register = ["runner", "register", "--url", &stub.url, "--token", "jrn_abc", "--name", "laptop"];
    stub.bare(&register).env("SVC_TOKEN", "a-persons").run().exits(0);
    assert_eq!(stub.seen()[0].token.as_deref(), Some("jrn_abc"), "not the token of the person");
    assert_eq!(stub.seen()[0].body["onlyAsks"], true, "no runner was started");
    let runner_file = stub.home.path().join("svc").join("runner.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(runner_file).unwrap()).unwrap();
    assert_eq!(file["profiles"][0]["organization"], "demo");
    assert!(!stub.config_path().exists());

    assert_eq!(stub.bare(&["runner", "remove", "nobody"]).run().code, 4);
    assert_eq!(stub.bare(&["runner", "remove", "demo"]).run().code, 0);
}

#[test]
fn a_runner_takes_one_to_sixteen_runs_at_once() {
    let stub = Stub::new();
    for wrong in ["0", "17", "two"] {
        for command in [&["runner", "start"][..], &["runner", "install-service"]] {
            let ran = stub.bare(&[command, &["--parallel", wrong]].concat()).run();
            assert!(ran.code == 2 && ran.stderr.contains("--parallel"), "{wrong}: {ran}");
        }
    }
    for right in ["1", "16"] {
        let ran = stub.bare(&["runner", "start", "--parallel", right]).run();
        assert!(ran.code == 5 && ran.stderr.contains("not registered"), "{right}: {ran}");
    }
}

/// A machine that is registered with the organization demo, where the person is signed in, too.
fn registered() -> Stub {
    let stub = Stub::new();
    let profile = json!({ "organization": "demo", "url": stub.url, "token": "jrn_abc" });
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    let file = stub.home.path().join("svc").join("runner.json");
    std::fs::write(file, json!({ "profiles": [profile] }).to_string()).unwrap();
    stub
}

#[test]
fn a_project_that_does_not_exist_is_not_mapped() {
    let stub = registered();
    stub.refuse("GET /orgs/demo/projects/NOPE", &problem(404, "not-found", "Not found.", None));
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Shop", false)]);
    let ran = stub.bare(&["runner", "map", "nope", "."]).run().exits(4);
    assert!(ran.stderr.contains("no project \"NOPE\""), "{ran}");
}

#[test]
fn a_clone_that_runs_cannot_push_from_is_not_mapped() {
    let stub = registered();
    stub.on("GET /orgs/demo/projects/PRJ", &project("PRJ", "Shop", false));
    let clone = stub.home.path().join("clone");
    let git = |args: &[&str]| {
        let ran = std::process::Command::new("git").arg("-C").arg(&clone).args(args).output().unwrap();
        assert!(ran.status.success(), "{args:?}");
    };
    std::fs::create_dir(&clone).unwrap();
    git(&["init", "-q"]);
    let map = ["runner", "map", "PRJ", clone.to_str().unwrap()];
    let path = std::env::var("PATH").unwrap();
    let mapped = || stub.bare(&map).env("PATH", &path).run();
    let without = mapped();
    assert!(without.code == 2 && without.stderr.contains("no remote named origin"), "{without}");
    git(&["remote", "add", "origin", "elsewhere"]);
    for good in [
        "../origin.git",
        "/srv/origin.git",
        "git@code.example:team/shop.git",
        "https://code.example/team/shop",
    ] {
        git(&["remote", "set-url", "origin", good]);
        let ran = mapped();
        assert_eq!(ran.code, 0, "{good}: {ran}");
        assert!(ran.stderr.contains("`svc runner start`"), "what comes next: {ran}");
    }
}

#[test]
fn without_a_harness_the_doctor_names_the_demo_agent_that_is_installed() {
    let stub = Stub::new();
    let directory = stub.home.path().join("bin");
    let doctor = || stub.bare(&["runner", "doctor"]).env("PATH", &directory).run();
    std::fs::create_dir(&directory).unwrap();
    let none = doctor();
    assert!(none.stdout.contains("no coding harness") && !none.stdout.contains("demo agent"), "{none}");
    let agent = directory.join("demo-agent");
    std::fs::write(&agent, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
    let some = doctor();
    assert!(some.stdout.contains("`SVC_RUNNER_HARNESS_1='HOME/bin/demo-agent' svc runner start`"), "{some}");
}
