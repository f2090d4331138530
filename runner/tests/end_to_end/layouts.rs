//! Clones of unusual layouts, and what is said where git itself refuses.

use svc_api::runner::FinishResult;

use crate::machine::{assignment, succeeded};
use crate::world;

const COMMIT: &str = "date +%N >work.txt && git add work.txt && git commit -q -m Work || exit 1";

/// They were "not a git repository".
#[tokio::test(flavor = "multi_thread")]
async fn bare_repositories_can_be_mapped() {
    let (stub, mut machine) = world().await;
    machine.harness(COMMIT);
    let origin = machine.path("origin.git").display().to_string();
    machine.git(".", &["clone", "-q", "--bare", &origin, "bare.git"]);
    std::fs::create_dir(machine.path("layout")).unwrap();
    machine.git(".", &["clone", "-q", "--bare", &origin, "layout/.bare"]);
    std::fs::write(machine.path("layout/.git"), "gitdir: ./.bare\n").unwrap();
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["map", "PRJ", "bare.git"]));
    let _runner = machine.go(&[]);
    for (run, place) in [("run-1", "bare.git"), ("run-2", "layout")] {
        succeeded(&machine.tell(&["map", "PRJ", place]));
        stub.queue(assignment(run, ""));
        let finish = stub.finish_of(run).await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{place}: {finish:?}");
    }
}

/// It was "not a git repository" as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_clone_of_another_owner_is_told_as_that() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root may give a clone away");
        return;
    }
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let clone = machine.path("clone");
    let mut chown = std::process::Command::new("chown");
    assert!(chown.arg("-R").arg("nobody").arg(&clone).status().unwrap().success());
    let command = format!("git config --global --add safe.directory {}", clone.display());
    let (map, doctor) = (machine.tell(&["map", "PRJ", "clone"]), machine.tell(&["doctor"]));
    let (map, doctor) = (String::from_utf8_lossy(&map.stderr), String::from_utf8_lossy(&doctor.stdout));
    assert!(map.contains("belongs to another user") && map.contains(&command), "{map}");
    assert!(doctor.contains("belongs to another user") && doctor.contains(&command), "{doctor}");
    stub.queue(assignment("run-1", ""));
    let run = stub.finish_of("run-1").await.failure_detail.unwrap_or_default();
    assert!(run.contains("belongs to another user") && run.contains(&command), "{run}");
}

/// Git asked origin without them, and 16 lines of hints on grafts came before what origin said.
#[tokio::test(flavor = "multi_thread")]
async fn settings_of_the_environment_hold_and_reasons_begin_with_what_matters() {
    let (stub, mut machine) = world().await;
    machine.harness(COMMIT);
    machine.refuse_pushes();
    let hook = machine.path("origin.git/hooks/pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho not today >&2\nexit 1\n").unwrap();
    let rule = format!("url.{}.insteadOf", machine.path("origin.git").display());
    machine.git("clone", &["remote", "set-url", "origin", "short://origin"]);
    for (name, value) in [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", rule.as_str()),
        ("GIT_CONFIG_VALUE_0", "short://origin"),
    ] {
        machine.environment.push((name.into(), value.into()));
    }
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"), "{finish:?}");
    let detail = finish.failure_detail.unwrap();
    assert!(detail.starts_with("pushing prj-7-greet-in-welsh failed: remote: not today"), "{detail}");
    assert!(!detail.contains("hint:") && detail.contains("pre-receive hook declined"), "{detail}");
}

/// An ssh of the agent asked for a host key at the runner's terminal, and stood for minutes.
#[tokio::test(flavor = "multi_thread")]
async fn ssh_of_an_agent_asks_nobody_unless_the_person_set_another() {
    let (stub, mut machine) = world().await;
    machine.harness(&format!("say \"ssh is $(git config core.sshCommand)\"\n{COMMIT}"));
    let _runner = machine.start(&[]);
    for (run, told) in [("run-1", "ssh is ssh -oBatchMode=yes"), ("run-2", "ssh is mine")] {
        stub.queue(assignment(run, ""));
        stub.finish_of(run).await;
        let text = stub.world().runs[run].text();
        assert!(text.contains(told), "{told}: {text}");
        std::fs::write(machine.path("home/.gitconfig"), "[core]\n\tsshCommand = mine\n").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn registering_takes_the_address_and_the_secret_from_wherever_they_are() {
    let (stub, mut machine) = world().await;
    stub.world().secrets.insert("jrn_two".into(), "demo".into());
    machine.environment.push(("SVC_URL".into(), format!("{}/api/v1/", machine.url)));
    machine.environment.push(("SVC_TOKEN".into(), "jrn_two".into()));
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["register"]));
    let status = machine.tell(&["status", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["profiles"].as_array().unwrap().len(), 1, "{status}");
    assert_eq!(status["profiles"][0]["url"], machine.url.as_str());
}

/// Commands reached the first, or both.
#[tokio::test(flavor = "multi_thread")]
async fn organizations_of_one_name_at_two_instances_are_told_apart() {
    let (_stub, machine) = world().await;
    let (other, url) = crate::stub::Stub::serve().await;
    other.world().secrets.insert("jrn_other".into(), "demo".into());
    // A person may keep the file elsewhere.
    std::fs::create_dir_all(machine.path("config/svc")).unwrap();
    std::fs::write(machine.path("kept.json"), "{}").unwrap();
    std::os::unix::fs::symlink(machine.path("kept.json"), machine.path("config/svc/runner.json")).unwrap();
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["register", "--url", &url, "--token", "jrn_other"]));
    let about: [&[&str]; 3] =
        [&["map", "PRJ", "clone", "--org", "demo"], &["root", ".", "--org", "demo"], &["remove", "demo"]];
    for command in about {
        let told = machine.tell(command);
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        assert_eq!(told.status.code(), Some(2), "{command:?}: {said}");
        assert!(said.contains(&machine.url) && said.contains(&url) && said.contains("--url"), "{said}");
    }
    let profiles = || {
        let status = machine.tell(&["status", "--json"]);
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        status["profiles"].as_array().unwrap().clone()
    };
    for command in &about[..2] {
        succeeded(&machine.tell(&[command, &["--url", &url][..]].concat()));
    }
    for profile in profiles() {
        let meant = profile["url"] == url.as_str();
        assert_eq!(profile["workspaces"]["PRJ"].is_string(), meant, "{profile}");
        assert_eq!(profile["repoRoots"].as_array().map_or(0, Vec::len), usize::from(meant), "{profile}");
    }
    succeeded(&machine.tell(&["remove", "demo", "--url", &machine.url]));
    let left = profiles();
    assert!(left.len() == 1 && left[0]["url"] == url.as_str(), "{left:?}");
    assert!(machine.path("config/svc/runner.json").is_symlink());
    assert!(std::fs::read_to_string(machine.path("kept.json")).unwrap().contains(&url));
}

/// The service began in the default places, where nothing is registered.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_finds_what_this_shell_finds() {
    let (_stub, machine) = world().await;
    for platform in ["linux", "macos", "windows"] {
        let told = machine.tell(&["install-service", "--platform", platform]);
        let said = String::from_utf8_lossy(&succeeded(&told).stdout).into_owned();
        for name in ["SVC_CONFIG_HOME", "XDG_DATA_HOME", "SVC_RUNNER_HARNESS_1"] {
            assert!(said.contains(name), "{platform} {name}: {said}");
        }
        assert!(said.contains(&machine.path("config").display().to_string()), "{said}");
    }
}
