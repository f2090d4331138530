//! The clone that a person works in, and other runs: what a run does in its own repository touches neither.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use svc_api::factory::RunKind;
use svc_api::runner::{Assignment, FinishResult};

use crate::machine::{Machine, assignment};
use crate::world;

const COMMIT: &str = "date +%N >work.txt && git add work.txt && git commit -q -m Work || exit 1";

/// A run of an item of its own, on a branch of its own.
fn run(id: &str, branch: &str) -> Assignment {
    let mut run = assignment(id, "");
    run.item.key = format!("PRJ-{}", id.trim_start_matches("run-"));
    run.branch = branch.into();
    run
}

/// A pipe: its reader waits until the test goes on.
fn gate(machine: &Machine, name: &str) -> std::path::PathBuf {
    let path = machine.path(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn open(gate: &Path) {
    let mut pipe = std::fs::File::options().write(true).open(gate).unwrap();
    pipe.write_all(b"on\n").unwrap();
}

/// What a person has in their clone, but for what the runner keeps there under its own names.
fn fingerprint(machine: &Machine) -> Vec<String> {
    let refs = machine.git("clone", &["for-each-ref", "--format=%(objectname) %(refname)"]);
    let theirs = refs.lines().filter(|line| !line.contains(" refs/svc/")).map(str::to_owned);
    let mut print: Vec<String> = theirs.collect();
    print.push(machine.git("clone", &["stash", "list"]));
    print.push(machine.git("clone", &["status", "--porcelain=v2", "--branch"]));
    print.push(machine.git("clone", &["symbolic-ref", "HEAD"]));
    print.push(machine.git("clone", &["worktree", "list"]));
    print.push(std::fs::read_to_string(machine.path("clone/.git/config")).unwrap());
    print
}

fn person(machine: &Machine, args: &[&str]) {
    machine.git("clone", &[&["-c", "user.name=P", "-c", "user.email=p@x"], args].concat());
}

/// Its branch was rated as merged, its checkout detached and the branch deleted: its push failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_leaves_the_branch_of_one_that_has_not_committed_yet() {
    let (stub, mut machine) = world().await;
    let gate = gate(&machine, "gate");
    machine.harness(&format!(
        "case $(git branch --show-current) in slow) cat '{}' >/dev/null;; esac\n{COMMIT}\ngit push -q origin HEAD || exit 1",
        gate.display()
    ));
    let _runner = machine.start(&["--parallel", "2"]);
    stub.queue(run("run-1", "slow"));
    stub.until("the slow one works", |world| world.runs.get("run-1")?.started.clone()).await;
    for (id, branch) in [("run-2", "two"), ("run-3", "three")] {
        stub.queue(run(id, branch));
        assert_eq!(stub.finish_of(id).await.result, FinishResult::Succeeded, "{}", machine.told());
    }
    open(&gate);
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {}", stub.world().runs["run-1"].text());
    assert_eq!(finish.pushed_branch.as_deref(), Some("slow"));
}

/// It began detached, while its prompt says that it is on the branch.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_goes_on_from_one_without_a_commit_is_on_the_branch() {
    for kind in [RunKind::Continue, RunKind::FollowUp] {
        goes_on(kind).await;
    }
}

async fn goes_on(kind: RunKind) {
    let (stub, mut machine) = world().await;
    machine.harness(
        "say \"on $(git branch --show-current)\"\ncase \"$*\" in *--resume*) ;; *) exit 1;; esac\n\
         date >work.txt && git add work.txt && git commit -q -m Work && git push -q origin HEAD || exit 1",
    );
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let session = stub.finish_of("run-1").await.harness_session;
    let mut again = assignment("run-2", "");
    again.kind = kind;
    again.resume_session = session;
    again.earlier_run_id = Some("run-1".into());
    stub.queue(again);
    let finish = stub.finish_of("run-2").await;
    let text = stub.world().runs["run-2"].text();
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {text}");
    assert!(text.contains("on prj-7-greet-in-welsh"), "{text}");
}

/// They were shared: the agent's `git stash pop` took the person's, and committed it.
#[tokio::test(flavor = "multi_thread")]
async fn stash_branches_and_tags_of_a_person_are_out_of_reach() {
    let (stub, mut machine) = world().await;
    for args in [&["branch", "mine"][..], &["tag", "v1"], &["tag", "-a", "v2", "-m", "two"]] {
        person(&machine, args);
    }
    std::fs::write(machine.path("clone/README.md"), "of the person alone\n").unwrap();
    person(&machine, &["stash"]);
    std::fs::write(machine.path("clone/README.md"), "not committed either\n").unwrap();
    let before = fingerprint(&machine);
    machine.harness(&format!(
        "git stash; git stash pop; git stash clear; git branch -D mine; git tag -d v1; git tag -f v2 HEAD\n\
         git update-ref -d refs/heads/main; git branch other; git tag new; git remote rename origin theirs\n\
         git remote rename theirs origin\n{COMMIT}\ngit add -A; git commit -qm More; git push -q origin HEAD || exit 1"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {}", stub.world().runs["run-1"].text());
    assert_eq!(fingerprint(&machine), before);
    assert_eq!(machine.git("clone", &["stash", "show", "-p"]).matches("of the person alone").count(), 1);
    assert_eq!(machine.at_origin("prj-7-greet-in-welsh", "README.md").as_deref(), Some("# Greeter\n"));
}

/// What the runner put back would have taken it away.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_does_meanwhile_stays_theirs() {
    let (stub, mut machine) = world().await;
    for args in [&["branch", "old"][..], &["tag", "v1"]] {
        person(&machine, args);
    }
    let gate = gate(&machine, "gate");
    machine.harness(&format!(
        "say works; cat '{}' >/dev/null; git config user.name Mallory; git tag -f v1; echo left >left.txt\n{COMMIT}",
        gate.display()
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    stub.until("it works", |world| world.runs.get("run-1")?.text().contains("works").then_some(())).await;
    std::fs::write(machine.path("clone/README.md"), "put aside\n").unwrap();
    person(&machine, &["stash"]);
    std::fs::write(machine.path("clone/new.txt"), "new\n").unwrap();
    for args in [
        &["checkout", "-q", "-b", "mine"][..],
        &["commit", "-q", "--allow-empty", "-m", "Mine"],
        &["branch", "-D", "old"],
        &["tag", "-d", "v1"],
        &["tag", "v2"],
        &["config", "user.name", "Pat"],
        &["remote", "add", "another", "/nowhere"],
        &["worktree", "add", "-q", "../aside", "-b", "aside"],
        &["add", "new.txt"],
    ] {
        person(&machine, args);
    }
    let before = fingerprint(&machine);
    open(&gate);
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
    assert_eq!(fingerprint(&machine), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_at_once_do_not_exchange_their_stashes() {
    let (stub, mut machine) = world().await;
    let gate = gate(&machine, "gate");
    machine.harness(&format!(
        "branch=$(git branch --show-current); echo \"$branch\" >work.txt; git add work.txt; git stash -q || exit 1\n\
         case $branch in slow) say stashed; cat '{}' >/dev/null; git stash pop -q || exit 1;;\n\
         *) echo \"$branch\" >work.txt; git add work.txt;; esac\n\
         git commit -qm Work && git push -q origin HEAD || exit 1",
        gate.display()
    ));
    let _runner = machine.start(&["--parallel", "2"]);
    stub.queue(run("run-1", "slow"));
    stub.until("the slow one has a stash", |world| {
        world.runs.get("run-1")?.text().contains("stashed").then_some(())
    })
    .await;
    stub.queue(run("run-2", "quick"));
    assert_eq!(stub.finish_of("run-2").await.result, FinishResult::Succeeded);
    open(&gate);
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    assert_eq!(machine.at_origin("slow", "work.txt").as_deref(), Some("slow\n"));
}

/// The password in origin's address was in the log.
#[tokio::test(flavor = "multi_thread")]
async fn secrets_of_remotes_do_not_reach_the_log() {
    let (stub, mut machine) = world().await;
    let helper = "!f() { echo username=me; echo password=of-the-helper-12; }; f";
    for args in [
        ["remote", "add", "work", "http://me:in-the-address-12@127.0.0.1:9/x.git"],
        ["remote", "add", "host", "https://host.example/x.git"],
        ["config", "--add", "credential.https://host.example.helper", helper],
    ] {
        person(&machine, &args);
    }
    std::fs::write(machine.path("home/.netrc"), "machine host.example login me password in-netrc-12\n")
        .unwrap();
    let result = "Pushed to http://me:in-the-address-12@127.0.0.1:9/x.git";
    machine.harness(&format!(
        "say \"$(git remote -v | tr '\\t\\n' '  ')\"; say \"$(cat ~/.netrc)\"\n\
         say \"$(echo url=https://host.example/x.git | git credential fill | tr '\\n' ' ')\"\n\
         git remote -v >remotes.txt; git add remotes.txt; git commit -q -m \"$(git remote -v | head -1)\"\n{COMMIT}\n\
         printf '%s\\n' '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\
         \"result\":\"{result}\"}}'\nexit 0"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let text = stub.world().runs["run-1"].text();
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {text}");
    for told in ["me:[redacted]@127.0.0.1:9", "password=[redacted]", "login me password [redacted]"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let changes = format!("{:?}", stub.world().runs["run-1"].changes);
    for told in [text, changes, format!("{finish:?}")] {
        assert!(told.contains("[redacted]@127.0.0.1") && !told.contains("in-the-address"), "{told}");
    }
}
