//! What an agent puts in the place of its run's directories leads the runner to no other place of the machine. In a
//! sandbox the agent itself cannot go there.

use std::fs;
use std::path::Path;

use svc_api::runner::{Assignment, FinishResult};

use crate::machine::{Machine, assignment};
use crate::world;

/// What agents try; `$H` is another person's repository with a commit `$SECRET`, `$RAN` is made by whatever program they
/// make the runner start.
const TRICKS: [(&str, &str); 10] = [
    (
        "moved",
        "mv .git $SVC_RUN_DIR/evil.git; echo \"gitdir: $SVC_RUN_DIR/evil.git\" >.git; mkdir -p $SVC_RUN_DIR/evil.git/info; \
         git config filter.e.clean \"touch $RAN; cat\"; echo '* filter=e' >$SVC_RUN_DIR/evil.git/info/attributes; \
         echo u >untracked",
    ),
    ("named", "rm -rf .git; echo \"gitdir: $H/.git\" >.git"),
    ("linked", "rm -rf .git; ln -s $H/.git .git"),
    ("hooks", "rm -rf .git/hooks; ln -s $H/.git/hooks .git/hooks"),
    ("replaced", "ln -s $H .git/svc-replaced; git config a.b c"),
    (
        "parts",
        "rm -rf .git/refs .git/objects .git/packed-refs; ln -s $H/.git/refs .git/refs; ln -s $H/.git/objects .git/objects; \
         ln -s $H/.git/packed-refs .git/packed-refs",
    ),
    ("artifacts", "rm -rf $SVC_ARTIFACTS; ln -s $H $SVC_ARTIFACTS"),
    (
        "nested",
        "mkdir in; git -C in init -q; rm -rf in/.git/objects in/.git/packed-refs in/.git/refs; \
         ln -s $H/.git/objects in/.git/objects; ln -s $H/.git/refs in/.git/refs; ln -s $H/.git/HEAD in/.git/HEAD",
    ),
    (
        "borrowed",
        "git init -q in; echo $H/.git/objects >in/.git/objects/info/alternates; mkdir -p in/.git/refs/heads; \
         echo $SECRET >in/.git/refs/heads/x; git -C in symbolic-ref HEAD refs/heads/x",
    ),
    (
        // Git believes the paths of an index, and adds what changed there.
        "index",
        "for file in ../../../../../hidden/sec.txt $H/sec.txt; do name=.$(echo $file | cut -c2- | tr -c '\\n' x); \
         echo other >$name; git add $name; LC_ALL=C sed -i \"s|$name|$file|\" .git/index; rm $name; done; \
         mkdir d; echo other >d/sec.txt; git add d; rm -r d; ln -s $H d; echo u >untracked",
    ),
];

fn run(number: usize, branch: &str) -> Assignment {
    let mut run = assignment(&format!("run-{number}"), "");
    run.item.key = format!("PRJ-{number}");
    run.branch = branch.into();
    run
}

/// Every file below a directory, with what it holds.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files(&entry.path()));
        } else if kind.is_file() {
            found.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

/// The repository of another person, with a commit that they never pushed.
fn others(machine: &Machine) -> String {
    machine.git(".", &["clone", "-q", "origin.git", "hidden"]);
    fs::write(machine.path("hidden/sec.txt"), "secret").unwrap();
    fs::write(machine.path("hidden/.git/hooks/post-commit"), "#!/bin/sh\n").unwrap();
    machine.git("hidden", &["add", "."]);
    machine.git("hidden", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Secret"]);
    machine.git("hidden", &["rev-parse", "HEAD"])
}

#[tokio::test(flavor = "multi_thread")]
async fn links_and_other_repositories_in_a_run_lead_the_runner_nowhere() {
    for isolated in [false, true] {
        let (stub, mut machine) = world().await;
        let secret = others(&machine);
        let before = files(&machine.path("hidden"));
        let cases = TRICKS.map(|(name, trick)| format!("{name}) {trick};;")).join("\n");
        machine.harness(&format!(
            "H={}; RAN={}; SECRET={secret}\ngit commit -q --allow-empty -m Work\ncase $(git branch --show-current) in\n{cases}\nesac\ntrue",
            machine.path("hidden").display(),
            machine.path("ran").display(),
        ));
        let options: &[&str] = if isolated { &["--isolated"] } else { &[] };
        crate::machine::succeeded(&machine.register("jrn_one"));
        crate::machine::succeeded(&machine.tell(&[&["map", "PRJ", "clone"], options].concat()));
        let _runner = machine.go(&["--parallel", "4"]);
        stub.queue_all(TRICKS.iter().enumerate().map(|(number, (name, _))| run(number, name)));
        for (number, (name, _)) in TRICKS.iter().enumerate() {
            stub.finish_of(&format!("run-{number}")).await;
            let world = stub.world();
            let heard = &world.runs[&format!("run-{number}")];
            assert!(heard.artifacts.is_empty(), "{name}: {:?}", heard.artifacts.keys());
        }
        assert!(!machine.path("ran").exists(), "a program of the agent's was started");
        assert!(files(&machine.path("hidden")) == before, "the other repository is not as it was");
        let blob = machine.git("hidden", &["rev-parse", "HEAD:sec.txt"]);
        let copy = format!("{}/{}", &blob[..2], &blob[2..]);
        let runs = files(&machine.path("share/svc/runner"));
        assert!(!runs.iter().any(|(name, _)| name.ends_with(&copy)), "a run that is continued could read it");
        for repository in ["origin.git", "clone"] {
            let has = std::process::Command::new("git")
                .args(["cat-file", "-e", &secret])
                .current_dir(machine.path(repository))
                .output();
            assert!(!has.unwrap().status.success(), "{repository} has what was never pushed");
        }
    }
}

/// A repository that was only moved within the run still counts.
#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_was_moved_within_the_run_delivers() {
    let (stub, mut machine) = world().await;
    machine.harness(
        "echo x >work.txt; git add work.txt; git commit -qm Work\nmv .git $SVC_RUN_DIR/apart.git\n\
         echo \"gitdir: $SVC_RUN_DIR/apart.git\" >.git",
    );
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
    assert!(machine.at_origin("prj-7-greet-in-welsh", "work.txt").is_some());
}

/// Only the name of a commit of the other repository was kept of it.
#[tokio::test(flavor = "multi_thread")]
async fn files_beside_a_link_to_another_repository_are_kept() {
    let (stub, mut machine) = world().await;
    others(&machine);
    machine.harness(&format!(
        "git commit -q --allow-empty -m Work; long=$(printf '%0240d' 0); mkdir -p a/in sub $long/$long\n\
         for n in a/in sub; do echo \"gitdir: {}/.git\" >$n/.git; echo left >$n/left.txt; done\n\
         git init -q $long/$long/in; echo left >$long/$long/in/left.txt\n\
         git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub",
        machine.path("hidden").display()
    ));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let names = ["for-each-ref", "--format=%(refname)", "refs/svc/kept/run-1-in"];
    let names: Vec<String> = machine.git("clone", &names).lines().map(str::to_owned).collect();
    assert_eq!(names.len(), 3, "{names:?} {finish:?}");
    for name in names {
        assert_eq!(machine.git("clone", &["show", &format!("{name}:left.txt")]), "left", "{name}");
    }
}
