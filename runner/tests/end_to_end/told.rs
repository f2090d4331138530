//! What the outcome of a run says is true: what was delivered, what is kept and under which name, what could not be saved.

use std::fs;

use svc_api::runner::{Finish, FinishResult};

use crate::machine::{Machine, assignment};
use crate::stub::Stub;
use crate::world;

const BRANCH: &str = "prj-7-greet-in-welsh";
/// Three commits on the branch of the run.
const THREE: &str = "for n in 1 2 3; do echo $n >l$n; git add l$n; git commit -qm l$n || exit 1; done";

async fn ended(script: &str, isolated: bool) -> (Finish, Machine, Stub) {
    let (stub, mut machine) = world().await;
    machine.harness(script);
    machine.git("clone", &["tag", "persons"]);
    machine.git(
        "clone",
        &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-q", "--allow-empty", "-m", "Local"],
    );
    machine.git("clone", &["tag", "local"]);
    machine.git("clone", &["reset", "-q", "--hard", "HEAD~1"]);
    crate::machine::succeeded(&machine.register("jrn_one"));
    let options: &[&str] = if isolated { &["--isolated"] } else { &[] };
    crate::machine::succeeded(&machine.tell(&[&["map", "PRJ", "clone"], options].concat()));
    let runner = machine.go(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    drop(runner);
    (finish, machine, stub)
}

fn outcome(finish: &Finish) -> String {
    format!(
        "{} {}",
        finish.outcome.as_deref().unwrap_or_default(),
        finish.failure_detail.as_deref().unwrap_or_default()
    )
}

/// They were "pushed to X, not to X", "no commit was made", or half of them succeeded.
#[tokio::test(flavor = "multi_thread")]
async fn commits_of_the_branch_count_wherever_the_checkout_ends() {
    for end in [
        "git push -q origin HEAD; git checkout -q -B main origin/main",
        "git checkout -q -B main origin/main",
        "git checkout -q HEAD~1",
        "git bisect start -q; git bisect bad; git bisect good HEAD~3 >/dev/null",
    ] {
        let (finish, machine, _stub) = ended(&format!("{THREE}\n{end}\ntrue"), false).await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{end}: {finish:?}");
        assert!(machine.at_origin(BRANCH, "l3").is_some(), "{end}");
        assert!(!outcome(&finish).contains("pushed to"), "{end}: {finish:?}");
        assert_eq!(outcome(&finish).contains("bisect"), end.contains("bisect"), "{finish:?}");
    }
}

/// The agent "pushed to X, too", which the runner had done.
#[tokio::test(flavor = "multi_thread")]
async fn only_branches_that_the_agent_pushed_are_told_as_pushed() {
    let (finish, ..) = ended(THREE, false).await;
    assert!(!outcome(&finish).contains("too."), "{finish:?}");
    let (finish, ..) = ended(
        &format!("{THREE}\ngit push -q origin HEAD~1:refs/heads/other; git branch other HEAD~1"),
        false,
    )
    .await;
    assert!(outcome(&finish).contains("The agent pushed to other, too."), "{finish:?}");
}

/// A series of patches that stopped was not mentioned.
#[tokio::test(flavor = "multi_thread")]
async fn patches_that_stopped_in_the_middle_are_told() {
    let script = format!(
        "{THREE}\ngit format-patch -q -1 -o ../agent; git reset -q --hard HEAD~1; echo other >l3; git add l3; \
         git commit -qm other; git am -q ../agent/0001-l3.patch; true"
    );
    let (finish, ..) = ended(&script, false).await;
    assert!(outcome(&finish).contains("A git am was not finished"), "{finish:?}");
}

/// Two names became one ref, and other refs were in none.
#[tokio::test(flavor = "multi_thread")]
async fn every_ref_is_kept_under_a_name_of_its_own_and_those_of_the_person_are_theirs() {
    let script = format!(
        "{THREE}\ngit push -q origin HEAD\nfor b in x3 ä 'b%'; do git checkout -q -b \"$b\" HEAD; git commit -q --allow-empty \
         -m \"on $b\"; done\ngit checkout -q {BRANCH}\ngit notes add -m note HEAD\n\
         git update-ref refs/custom/x $(git commit-tree -m custom HEAD^{{tree}})\n\
         git tag -f persons $(git commit-tree -m tag HEAD^{{tree}}) >/dev/null"
    );
    for isolated in [false, true] {
        let (finish, machine, _stub) = ended(&script, isolated).await;
        let told = outcome(&finish);
        let names: Vec<String> = machine
            .git("clone", &["for-each-ref", "--format=%(refname)", "refs/svc/kept"])
            .lines()
            .map(|name| name.trim_start_matches("refs/svc/kept/run-1-").to_owned())
            .collect();
        for name in
            ["branch/x3", "branch/%C3%A4", "branch/b%25", "ref/notes/commits", "ref/custom/x", "tag/persons"]
        {
            assert!(names.iter().any(|kept| kept == name), "{isolated} {name}: {names:?}");
        }
        assert!(told.contains("the branch ä") && told.contains("the ref refs/notes/commits"), "{told}");
        assert!(!told.contains("tag local"), "{told}");
        // Each command works as it stands, also where the name is taken.
        for command in told.split('`').filter(|part| part.starts_with("git ")) {
            let done = std::process::Command::new("sh")
                .args(["-c", command])
                .current_dir(machine.path("clone"))
                .output()
                .unwrap();
            assert!(done.status.success(), "{command}: {done:?}");
        }
    }
}

/// Only the log said so, and no place.
#[tokio::test(flavor = "multi_thread")]
async fn work_that_cannot_be_saved_is_told_with_its_place() {
    let (stub, mut machine) = world().await;
    let clone = machine.path("clone").display().to_string();
    machine.harness(&format!(
        "{THREE}\ngit push -q origin HEAD; echo left >left.txt; mv '{clone}' '{clone}.away'"
    ));
    crate::machine::succeeded(&machine.register("jrn_one"));
    crate::machine::succeeded(&machine.tell(&["map", "PRJ", "clone", "--isolated"]));
    let _runner = machine.go(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let repo = machine.run_directory("run-1").join("repo");
    assert!(outcome(&finish).contains(&format!("is still in {}", repo.display())), "{finish:?}");
    assert_eq!(fs::read_to_string(repo.join("left.txt")).unwrap(), "left\n");
}

/// It failed, and nothing of it could be saved.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_may_collect_garbage_while_a_run_works() {
    let (stub, mut machine) = world().await;
    let origin = |machine: &Machine, args: &[&str]| machine.git("origin.git", args);
    origin(&machine, &["branch", "feature", "main"]);
    let apart = origin(
        &machine,
        &["-c", "user.name=P", "-c", "user.email=p@x", "commit-tree", "-m", "Apart", "main^{tree}"],
    );
    origin(&machine, &["update-ref", "refs/heads/feature", &apart]);
    machine.git("clone", &["fetch", "-q"]);
    origin(&machine, &["branch", "-D", "feature"]);
    let clone = machine.path("clone").display().to_string();
    machine.harness(&format!(
        "{THREE}\ngit push -q origin HEAD; echo left >left.txt\n\
         (unset GIT_DIR; cd '{clone}'; git fetch -q --prune; git reflog expire --expire=now --all; git gc -q --prune=now)"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
    assert!(outcome(&finish).contains("changes in 1 file that were not committed"), "{finish:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_that_is_moved_while_a_run_works_is_told_as_that() {
    let (stub, mut machine) = world().await;
    let clone = machine.path("clone").display().to_string();
    machine.harness(&format!("{THREE}\nmv '{clone}' '{clone}.away'"));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let detail = finish.failure_detail.unwrap_or_default();
    assert!(detail.starts_with(&format!("the mapped clone {clone} is gone")), "{detail}");
    assert!(detail.contains("svc runner map"), "{detail}");
}
