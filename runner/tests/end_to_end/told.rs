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
        bring_back(&machine, &told);
    }
}

/// Types every command that an outcome names, in the person's clone.
fn bring_back(machine: &Machine, told: &str) {
    for command in told.split('`').filter(|part| part.starts_with("git ")) {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", command]).current_dir(machine.path("clone"));
        for role in ["AUTHOR", "COMMITTER"] {
            shell.env(format!("GIT_{role}_NAME"), "P").env(format!("GIT_{role}_EMAIL"), "p@x");
        }
        let done = shell.output().unwrap();
        assert!(done.status.success(), "{command}: {done:?}");
    }
}

fn refs(machine: &Machine) -> Vec<String> {
    let listed = machine.git("clone", &["for-each-ref", "--format=%(objectname) %(refname)"]);
    listed.lines().filter(|line| !line.contains(" refs/svc/")).map(str::to_owned).collect()
}

/// The person's notes would have been overwritten, and `git branch -M …` would have renamed their branch; a name that is
/// long, or in the way of another, kept everything from being saved; what is no commit was lost.
#[tokio::test(flavor = "multi_thread")]
async fn names_of_the_person_stay_and_no_name_is_in_the_way() {
    let (stub, mut machine) = world().await;
    let long = "\u{e4}".repeat(120);
    machine.harness(&format!(
        "{THREE}\ngit push -q origin HEAD\nmade() {{ git commit-tree -m \"$1\" HEAD^{{tree}}; }}\n\
         for name in notes/commits heads/deep/er heads/flat heads/-M heads/Case heads/case 'heads/{long}' \
           svc/kept/run-1-branch; do git update-ref \"refs/$name\" $(made \"$name\") || exit 1; done\n\
         blob=$(echo kept | git hash-object -w --stdin); git tag blob $blob; git update-ref refs/custom/blob $blob"
    ));
    let person = ["-c", "user.name=P", "-c", "user.email=p@x"];
    machine.git("clone", &[&person[..], &["notes", "add", "-m", "mine"]].concat());
    machine.git("clone", &["branch", "deep"]);
    machine.git("clone", &["branch", "flat/tened"]);
    let before = refs(&machine);
    let head = machine.git("clone", &["symbolic-ref", "HEAD"]);
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let told = outcome(&finish);
    assert!(!told.contains("Not saved"), "{told}");
    for what in ["notes/commits", "deep/er", "flat", "-M", "Case", "case", &long, "blob", "custom/blob"] {
        let is_told = |before: &str| told.contains(&format!("{before}{what}. Bring back"));
        assert!(is_told(" ") || is_told("/"), "{what}: {told}");
    }
    bring_back(&machine, &told);
    let after = refs(&machine);
    assert!(before.iter().all(|one| after.contains(one)), "{before:?} {after:?}");
    assert_eq!(machine.git("clone", &["symbolic-ref", "HEAD"]), head);
    let kept = machine.git("clone", &["for-each-ref", "--format=%(refname)", "refs/svc/kept"]).to_lowercase();
    let names: std::collections::BTreeSet<&str> = kept.lines().collect();
    assert_eq!(names.len(), kept.lines().count(), "some file systems know no case: {kept}");
}

/// Each of these was in the workspace alone, and went with it.
#[tokio::test(flavor = "multi_thread")]
async fn work_that_git_itself_hides_is_kept() {
    let am = "git format-patch -q -2 -o ../agent; git reset -q --hard HEAD~2; echo other >l2; git add l2; \
         git commit -qm other; git am -q ../agent/*.patch; true";
    let autostash = format!(
        "git checkout -q -b side HEAD~1; echo other >l3; git add l3; git commit -qm other; echo aside >>l1; \
         git rebase -q --autostash {BRANCH}; true"
    );
    let removed = "git push -q origin HEAD; git worktree add -q --detach ../aside; (cd ../aside; \
                   echo aside >aside.txt; git add .; git commit -qm aside); git worktree remove ../aside";
    let popped = "broken=.git/objects/$(git commit-tree -m broken HEAD^{tree} | sed 's/^../&\\//'); head -c 60 $broken >x; \
                  mv -f x $broken; git push -q origin HEAD; echo s >>l1; git stash -q; git stash pop -q; git commit -qam s; \
                  git push -q origin HEAD";
    let unseen = "git push -q origin HEAD; git update-index --assume-unchanged l1; \
                  git update-index --skip-worktree l2; echo unseen >l1; echo unseen >l2";
    for (script, name, content) in [
        (am, "-patches/rest:patches", Some("Subject: [PATCH 2/2] l3")),
        (&autostash, "-stash/0:l1", Some("aside")),
        (removed, "-lost/0:aside.txt", Some("aside")),
        (popped, "", None),
        (unseen, ":l1", Some("unseen")),
        (unseen, ":l2", Some("unseen")),
    ] {
        let (finish, machine, _stub) = ended(&format!("{THREE}\n{script}"), false).await;
        let told = outcome(&finish);
        assert_eq!(told.contains("Kept"), content.is_some(), "{script}: {told}");
        if let Some(content) = content {
            let shown = machine.git("clone", &["show", &format!("refs/svc/kept/run-1{name}")]);
            assert!(shown.contains(content), "{script}: {shown}");
            if script != autostash {
                bring_back(&machine, &told);
            }
        }
    }
}

/// A clone of a path copies whatever objects lie there.
#[tokio::test(flavor = "multi_thread")]
async fn commits_of_other_runs_are_not_told_as_the_runs_own() {
    let (stub, mut machine) = world().await;
    let agent = ["-c", "user.name=A", "-c", "user.email=ada@agents.example"];
    let other = [&agent[..], &["commit-tree", "-m", "other", "main^{tree}"]].concat();
    let other = machine.git("origin.git", &other);
    machine.git("origin.git", &["update-ref", "refs/heads/other-run", &other]);
    machine.harness(&format!("{THREE}\ngit push -q origin HEAD"));
    crate::machine::succeeded(&machine.register("jrn_one"));
    crate::machine::succeeded(&machine.tell(&["map", "PRJ", "clone", "--isolated"]));
    let _runner = machine.go(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert!(!outcome(&finish).contains("Kept"), "{finish:?}");
}

/// Git waited for a writer, a minute for each of its commands, and nothing was saved.
#[tokio::test(flavor = "multi_thread")]
async fn pipes_keep_nothing_from_being_saved() {
    for pipes in [
        "mkfifo .gitignore .gitattributes .git/refs/heads/pipe .git/MERGE_MSG; rm -f .git/info/exclude; \
         mkfifo .git/info/exclude",
        "rm README.md; mkfifo README.md",
        "rm -rf .git; mkfifo .git",
    ] {
        let begun = std::time::Instant::now();
        let script = format!("{THREE}\necho left >left.txt\n{pipes}");
        let (finish, machine, _stub) = ended(&script, false).await;
        let told = outcome(&finish);
        assert!(told.contains("not committed") && !told.contains("Not saved"), "{pipes}: {told}");
        assert_eq!(machine.git("clone", &["show", "refs/svc/kept/run-1:left.txt"]), "left", "{pipes}");
        assert!(begun.elapsed().as_secs() < 50, "{pipes}");
    }
}

/// They took two processes each, and the outcome was cut off.
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_branches_are_kept_at_once_and_told_in_short() {
    let many = "git push -q origin HEAD; head=$(git rev-parse HEAD); for n in $(seq 1000); do \
                printf 'commit refs/heads/many/%s\\ncommitter A <ada@agents.example> %s +0000\\ndata 0\\nfrom %s\\n' \
                $n $n $head; done >../agent/many; git fast-import --quiet <../agent/many";
    let begun = std::time::Instant::now();
    let (finish, machine, _stub) = ended(&format!("{THREE}\n{many}"), false).await;
    let told = outcome(&finish);
    assert!(told.len() < 16_000 && told.contains("more are kept: `git for-each-ref"), "{told}");
    bring_back(&machine, &told);
    let kept = machine.git("clone", &["for-each-ref", "refs/svc/kept/run-1-branch"]);
    assert_eq!(kept.lines().count(), 1000);
    assert!(begun.elapsed().as_secs() < 40, "{:?}", begun.elapsed());
}

/// Only the log said so, and no place.
#[tokio::test(flavor = "multi_thread")]
async fn work_that_cannot_be_saved_is_told_with_its_place_and_stays_there() {
    let (stub, mut machine) = world().await;
    let clone = machine.path("clone").display().to_string();
    machine.harness(&format!(
        "{THREE}\ngit push -q origin HEAD; echo left >left.txt; [ $SVC_RUN_ID != run-1 ] || mv '{clone}' '{clone}.away'"
    ));
    crate::machine::succeeded(&machine.register("jrn_one"));
    crate::machine::succeeded(&machine.tell(&["map", "PRJ", "clone", "--isolated"]));
    let _runner = machine.go(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let repo = machine.run_directory("run-1").join("repo");
    assert!(outcome(&finish).contains(&format!("is still in {}", repo.display())), "{finish:?}");
    assert_eq!(fs::read_to_string(repo.join("left.txt")).unwrap(), "left\n");
    // Nor does the next run of the item take it away, before it is saved.
    stub.queue(assignment("run-2", ""));
    assert_eq!(stub.finish_of("run-2").await.failure_reason.as_deref(), Some("no-local-repository"));
    assert_eq!(fs::read_to_string(repo.join("left.txt")).unwrap(), "left\n");
    fs::rename(format!("{clone}.away"), &clone).unwrap();
    machine.git("origin.git", &["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    stub.queue(assignment("run-3", ""));
    stub.finish_of("run-3").await;
    assert!(!repo.exists(), "{}", machine.told());
    assert_eq!(machine.git("clone", &["show", "refs/svc/kept/run-1:left.txt"]), "left");
}

/// The command that brings it back did not find the bundle.
#[tokio::test(flavor = "multi_thread")]
async fn commands_hold_in_a_directory_with_a_blank() {
    let (stub, machine) = world().await;
    let place = machine.path("a home's");
    fs::create_dir(&place).unwrap();
    let mut machine = Machine::below(&place, &machine.url);
    machine.harness(&format!(
        "{THREE}\ngit init -q --object-format=sha256 other && (cd other && git commit -q --allow-empty -m Other)"
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let told = outcome(&finish);
    let command = told.split('`').find(|part| part.starts_with("git fetch ")).expect(&told);
    machine.git(".", &["init", "-q", "--object-format=sha256", "fresh"]);
    let mut shell = std::process::Command::new("sh");
    let done = shell.args(["-c", command]).current_dir(machine.path("fresh")).output().unwrap();
    assert!(done.status.success(), "{command}: {done:?}");
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

/// "Correct the project's default branch."
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_origin_is_told_as_that() {
    for options in [&[][..], &["--isolated"]] {
        let (stub, machine) = world().await;
        machine.git(".", &["init", "-q", "--bare", "empty.git"]);
        let empty = machine.path("empty.git").display().to_string();
        machine.git("clone", &["remote", "set-url", "origin", &empty]);
        crate::machine::succeeded(&machine.register("jrn_one"));
        crate::machine::succeeded(&machine.tell(&[&["map", "PRJ", "clone"], options].concat()));
        let _runner = machine.go(&[]);
        stub.queue(assignment("run-1", ""));
        let detail = stub.finish_of("run-1").await.failure_detail.unwrap_or_default();
        assert!(detail.contains("origin is empty; push a first commit"), "{detail}");
        assert!(detail.contains("git push origin HEAD:main"), "{detail}");
    }
}
