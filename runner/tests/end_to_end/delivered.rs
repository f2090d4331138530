//! Success means delivered: to where it was pushed, with everything that belongs to it, and told as what it is.

use std::process::Command;

use svc_api::factory::RunKind;
use svc_api::runner::{Assignment, FinishResult};

use crate::machine::{Machine, assignment, succeeded};
use crate::world;

const BRANCH: &str = "prj-7-greet-in-welsh";
const COMMIT: &str = "date +%N >work.txt && git add work.txt && git commit -q -m Work || exit 1";

fn continued(earlier: &str, session: Option<String>) -> Assignment {
    Assignment {
        kind: RunKind::Continue,
        resume_session: session,
        earlier_run_id: Some(earlier.into()),
        ..assignment("run-2", "")
    }
}

fn has(machine: &Machine, repository: &str) -> bool {
    !machine.git(repository, &["for-each-ref", &format!("refs/heads/{BRANCH}")]).is_empty()
}

/// The run counted as crashed, and its cost was lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_with_half_an_emoji_is_read() {
    let (stub, mut machine) = world().await;
    machine.harness(&format!(
        "{COMMIT}\nprintf '%s\\n' '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\
         \"result\":\"Cut \\ud83d\",\"total_cost_usd\":0.25,\"usage\":{{\"input_tokens\":3,\"output_tokens\":5}}}}'\nexit 0"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!((finish.result, finish.cost), (FinishResult::Succeeded, Some(0.25)), "{finish:?}");
    assert!(finish.outcome.as_ref().is_some_and(|outcome| outcome.contains("Cut \u{fffd}")), "{finish:?}");
}

/// It was pushed to the fork and looked for at the address that is fetched from.
#[tokio::test(flavor = "multi_thread")]
async fn a_branch_counts_where_it_is_pushed_to() {
    for (how, pushes) in
        ["pushurl", "default", "branch"].into_iter().flat_map(|how| [(how, true), (how, false)])
    {
        let (stub, mut machine) = world().await;
        machine.git(".", &["clone", "-q", "--bare", "origin.git", "fork.git"]);
        let fork = machine.path("fork.git").display().to_string();
        if how == "pushurl" {
            machine.git("clone", &["config", "remote.origin.pushurl", &fork]);
        } else {
            machine.refuse_pushes();
            machine.git("clone", &["remote", "add", "fork", &fork]);
            let name = if how == "default" {
                "remote.pushDefault"
            } else {
                "branch.prj-7-greet-in-welsh.pushRemote"
            };
            machine.git("clone", &["config", name, "fork"]);
        }
        let push =
            if pushes { "git push -q || git push -q -u origin HEAD || git push -q fork HEAD" } else { ":" };
        machine.harness(&format!("{COMMIT}\n{push}"));
        let _runner = machine.start(&[]);
        stub.queue(assignment("run-1", ""));
        let finish = stub.finish_of("run-1").await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{how} {pushes}: {finish:?}");
        assert_eq!(finish.pushed_branch.as_deref(), Some(BRANCH));
        assert!(has(&machine, "fork.git") && !has(&machine, "origin.git"), "{how} {pushes}");
    }
}

/// Everything that others had merged meanwhile was listed as the run's.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_rebased_or_merged_branch_are_the_runs_own() {
    for bring in ["git rebase -q origin/main", "git merge -q --no-edit origin/main"] {
        let (stub, mut machine) = world().await;
        let origin = machine.path("origin.git").display().to_string();
        machine.harness(&format!(
            "{COMMIT}\ngit clone -q '{origin}' ../other && (cd ../other && echo x >theirs.txt && git add . && \
             git commit -qm Theirs && git push -q origin HEAD:main) || exit 1\n\
             git fetch -q origin && {bring} && git push -q origin HEAD || exit 1"
        ));
        let _runner = machine.start(&[]);
        stub.queue(assignment("run-1", ""));
        let finish = stub.finish_of("run-1").await;
        assert_eq!(
            finish.result,
            FinishResult::Succeeded,
            "{finish:?} {}",
            stub.world().runs["run-1"].text()
        );
        let changes = stub.world().runs["run-1"].changes.clone().expect("changes");
        let files: Vec<&str> = changes.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["work.txt"], "{bring}");
        assert!(!changes.commits.iter().any(|commit| commit.title == "Theirs"), "{bring}: {changes:?}");
    }
}

/// It failed for want of a session, after a minute.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_crashed_before_it_had_a_session_is_begun_anew() {
    let (stub, mut machine) = world().await;
    machine.harness(COMMIT);
    let (agent, seen) = (machine.path("agent"), machine.path("seen"));
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] || [ -e '{seen}' ] || {{ touch '{seen}'; exit 7; }}\nexec '{agent}' \"$@\"\n",
        seen = seen.display(),
        agent = agent.display()
    );
    let crashing = machine.script("crashing", &script).display().to_string();
    machine.environment.push(("SVC_RUNNER_HARNESS_1".into(), crashing));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let first = stub.finish_of("run-1").await;
    assert_eq!((first.failure_reason.as_deref(), first.harness_session), (Some("harness-crashed"), None));
    stub.queue(continued("run-1", None));
    let finish = stub.finish_of("run-2").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
    assert_eq!(finish.pushed_branch.as_deref(), Some(BRANCH));
}

/// "The run's checkout was destroyed."
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_continued_after_its_clone_was_moved_and_mapped_again() {
    let (stub, mut machine) = world().await;
    machine.harness(&format!("case \"$*\" in *--resume*) ;; *) exit 1;; esac\n{COMMIT}"));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let session = stub.finish_of("run-1").await.harness_session;
    std::fs::rename(machine.path("clone"), machine.path("moved")).unwrap();
    succeeded(&machine.tell(&["map", "PRJ", "moved"]));
    stub.queue(continued("run-1", session));
    let finish = stub.finish_of("run-2").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
}

/// The branch arrived without its large files: a fresh clone failed.
#[tokio::test(flavor = "multi_thread")]
async fn large_files_arrive_with_their_branch() {
    if Command::new("git").args(["lfs", "version"]).output().map_or(true, |output| !output.status.success()) {
        println!("skipped: git-lfs is not installed");
        return;
    }
    for push in [":", "git push -q --no-verify origin HEAD"] {
        let (stub, mut machine) = world().await;
        machine.git("clone", &["lfs", "install", "--local"]);
        std::fs::write(machine.path("clone/.gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n")
            .unwrap();
        machine.git("clone", &["add", ".gitattributes"]);
        machine.git("clone", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Large files"]);
        machine.git("clone", &["push", "-q", "origin", "HEAD:refs/heads/main"]);
        machine.harness(&format!("echo large >a.bin; git add a.bin; git commit -qm Large || exit 1\n{push}"));
        let _runner = machine.start(&[]);
        stub.queue(assignment("run-1", ""));
        let finish = stub.finish_of("run-1").await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
        machine.git(".", &["clone", "-q", "--no-checkout", "-b", BRANCH, "origin.git", "fresh"]);
        machine.git("fresh", &["lfs", "install", "--local"]);
        machine.git("fresh", &["checkout", "-q", BRANCH]);
        assert_eq!(std::fs::read_to_string(machine.path("fresh/a.bin")).unwrap(), "large\n", "{push}");
    }
}

/// It counted as delivered, and no clone of it could be checked out.
#[tokio::test(flavor = "multi_thread")]
async fn a_branch_whose_large_files_do_not_arrive_is_not_delivered() {
    if Command::new("git").args(["lfs", "version"]).output().map_or(true, |output| !output.status.success()) {
        println!("skipped: git-lfs is not installed");
        return;
    }
    let (stub, mut machine) = world().await;
    machine.git("clone", &["lfs", "install", "--local"]);
    std::fs::write(machine.path("origin.git/lfs"), "no place for large files").unwrap();
    machine.harness(
        "echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes; echo large >a.bin; git add . && \
         git commit -qm Large && git push -q --no-verify origin HEAD || exit 1",
    );
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"), "{finish:?}");
    assert!(has(&machine, "origin.git"), "the branch alone is there");
}

/// The harness worked for an hour, and the branch could not be delivered.
#[tokio::test(flavor = "multi_thread")]
async fn a_missing_git_lfs_is_told_before_the_harness_starts() {
    let (stub, mut machine) = world().await;
    std::fs::write(machine.path("clone/.gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n")
        .unwrap();
    machine.git("clone", &["add", ".gitattributes"]);
    machine.git("clone", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Large files"]);
    machine.git("clone", &["push", "-q", "origin", "HEAD:refs/heads/main"]);
    let began = machine.path("began");
    machine.harness(&format!("touch {}", began.display()));
    let without = every_program_but(&machine, "git-lfs");
    machine.environment.push(("PATH".into(), without));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("workspace-failed"), "{finish:?}");
    let detail = finish.failure_detail.unwrap_or_default();
    assert!(detail.contains("Git LFS") && detail.contains("install git-lfs"), "{detail}");
    assert!(!began.exists(), "the harness began");
}

/// A directory with links to the programs on the path, without one.
fn every_program_but(machine: &Machine, name: &str) -> String {
    let directory = machine.path("programs");
    std::fs::create_dir(&directory).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for program in std::env::split_paths(&path).filter_map(|place| std::fs::read_dir(place).ok()).flatten() {
        let program = program.unwrap();
        if program.file_name() != name {
            // The first of a name on the path is the one that counts.
            drop(std::os::unix::fs::symlink(program.path(), directory.join(program.file_name())));
        }
    }
    directory.display().to_string()
}

/// The half of the branch that was rebased already was pushed, and the rest was in no ref.
#[tokio::test(flavor = "multi_thread")]
async fn a_rebase_that_was_not_finished_delivers_the_branch_as_it_was_before() {
    let (stub, mut machine) = world().await;
    let origin = machine.path("origin.git").display().to_string();
    machine.harness(&format!(
        "echo 1 >one.txt; git add .; git commit -qm One; echo mine >README.md; git commit -qam Two || exit 1\n\
         git clone -q '{origin}' ../other && (cd ../other && echo theirs >README.md && git commit -qam Theirs && \
         git push -q origin HEAD:main) || exit 1\n\
         git fetch -q origin; git rebase -q origin/main >/dev/null 2>&1 && exit 1"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {}", stub.world().runs["run-1"].text());
    assert_eq!(machine.at_origin(BRANCH, "README.md").as_deref(), Some("mine\n"));
    assert!(finish.outcome.unwrap().contains("A rebase was not finished"));
    let kept = machine.git("clone", &["show", "refs/svc/kept/run-1:README.md"]);
    assert!(kept.contains("<<<<<<<") && kept.contains("theirs"), "{kept}");
}

/// Every playbook that only reviews or answers failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_playbook_that_delivers_nothing_succeeds_without_a_commit() {
    let (stub, mut machine) = world().await;
    machine.harness("say reviewed");
    let _runner = machine.start(&[]);
    let nothing = Assignment { delivers: svc_api::factory::Delivers::Nothing, ..assignment("run-1", "") };
    stub.queue(nothing);
    let finish = stub.finish_of("run-1").await;
    assert_eq!((finish.result, finish.pushed_branch), (FinishResult::Succeeded, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn work_on_another_branch_is_told_as_that() {
    let (stub, mut machine) = world().await;
    machine.harness(&format!(
        "branch=$(git branch --show-current); git checkout -q -b mine && {{ {COMMIT}; }} && git push -q origin mine || exit 1\n\
         [ \"$SVC_RUN_ID\" = run-2 ] || git checkout -q $branch"
    ));
    let _runner = machine.start(&[]);
    for (run, result, told) in [
        ("run-1", FinishResult::Failed, "The work was pushed to mine, not to"),
        ("run-2", FinishResult::Succeeded, "The agent pushed to mine, too."),
    ] {
        stub.queue(assignment(run, ""));
        let finish = stub.finish_of(run).await;
        assert_eq!(finish.result, result, "{finish:?}");
        assert!(finish.outcome.as_ref().is_some_and(|outcome| outcome.contains(told)), "{finish:?}");
        machine.git("origin.git", &["update-ref", "-d", "refs/heads/mine"]);
    }
}

/// It came back.
#[tokio::test(flavor = "multi_thread")]
async fn a_branch_that_the_agent_merged_and_deleted_is_not_pushed_again() {
    for merge in [
        "git merge -q --no-ff --no-edit $branch",
        "git merge -q --squash $branch && git commit -q -m Squashed",
    ] {
        let (stub, mut machine) = world().await;
        machine.harness(&format!(
            "branch=$(git branch --show-current); {COMMIT}\ngit push -q origin HEAD && git checkout -q -b merged origin/main \
             && {merge} && git push -q origin merged:main && git push -q origin --delete $branch && git checkout -q $branch \
             && git branch -q -D merged || exit 1"
        ));
        let _runner = machine.start(&[]);
        stub.queue(assignment("run-1", ""));
        let finish = stub.finish_of("run-1").await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{merge}: {finish:?}");
        assert!(finish.outcome.as_ref().is_some_and(|told| told.contains("merged into main")), "{finish:?}");
        assert!(!has(&machine, "origin.git") && finish.pushed_branch.is_none(), "{finish:?}");
    }
}

/// The branch named a commit that no repository has.
#[tokio::test(flavor = "multi_thread")]
async fn a_submodule_counts_once_its_commit_can_be_fetched() {
    let (stub, mut machine) = world().await;
    machine.git(".", &["init", "-q", "--bare", "-b", "main", "lib.git"]);
    machine.git(".", &["clone", "-q", "lib.git", "lib"]);
    let identity = ["-c", "user.name=P", "-c", "user.email=p@x"];
    machine.git("lib", &[&identity[..], &["commit", "-q", "--allow-empty", "-m", "Lib"]].concat());
    machine.git("lib", &["push", "-q", "origin", "HEAD:main"]);
    machine
        .git("clone", &["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../lib.git", "lib"]);
    machine.git("clone", &[&identity[..], &["commit", "-q", "-m", "Lib"]].concat());
    machine.git("clone", &["push", "-q", "origin", "HEAD:main"]);
    machine.harness(
        "git -c protocol.file.allow=always submodule update -q --init || exit 1\n\
         (cd lib && echo x >x && git add x && git commit -q -m Inner && \
          { [ \"$SVC_RUN_ID\" = run-1 ] || git push -q origin HEAD:refs/heads/side; }) || exit 1\n\
         git add lib && git commit -q -m Pointer && git push -q origin HEAD || exit 1",
    );
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"), "{finish:?}");
    let detail = finish.failure_detail.unwrap();
    assert!(detail.contains("of the submodule lib is not at its remote"), "{detail}");
    assert_eq!(machine.git("clone", &["show", "refs/svc/kept/run-1-in/lib:x"]), "x");
    machine.git("origin.git", &["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    stub.queue(assignment("run-2", ""));
    let finish = stub.finish_of("run-2").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
}

/// The runner sent them wherever the agent said, past its sandbox.
#[tokio::test(flavor = "multi_thread")]
async fn large_files_go_to_no_place_that_the_run_chose() {
    if Command::new("git").args(["lfs", "version"]).output().map_or(true, |output| !output.status.success()) {
        println!("skipped: git-lfs is not installed");
        return;
    }
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let (stub, mut machine) = world().await;
    machine.git("clone", &["lfs", "install", "--local"]);
    machine.harness(&format!(
        "echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes; echo large >a.bin\n\
         git config -f .lfsconfig lfs.url http://{}/; git add . && git commit -qm Large || exit 1",
        elsewhere.local_addr().unwrap()
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert!(elsewhere.accept().is_err(), "{finish:?}");
    let detail = finish.failure_detail.unwrap_or_default();
    assert!(detail.contains("the run changed .lfsconfig"), "{detail}");
}
