//! The table: every kind of repository × every way in which a run ends, on the built runner with a scripted harness, in
//! repositories that borrow from the clone and in copies (`--isolated`).
//!
//! | for each pair        | holds                                                                                   |
//! |----------------------|-----------------------------------------------------------------------------------------|
//! | origin               | has the branch, with what the agent ended on, unless nothing could be delivered          |
//! | every commit         | that the agent made is at origin or below `refs/svc/kept/` of the clone                  |
//! | every file           | that it left uncommitted is in one of those                                              |
//! | outcome and log      | name what is kept, with the command that brings it back                                  |
//! | the person's clone   | has the refs, stash, index, settings and files that it had                               |
//!
//! A repository is a test, made once; its runs are at once. `make test` takes the pairs that each row names as quick,
//! `SVC_TEST_ALL=1` all of them.

mod rows;

use std::collections::BTreeSet;
use std::fs;

use svc_api::runner::{Assignment, Finish, FinishResult};

use crate::machine::{Machine, assignment, succeeded};
use crate::stub::Stub;
use crate::world;
use rows::{ROWS, Row};

const ENDINGS: [&str; 15] = [
    "pushed",
    "committed",
    "uncommitted",
    "detached",
    "second",
    "stash",
    "tag",
    "amended",
    "rebased",
    "conflict",
    "merging",
    "resolved",
    "forced",
    "deleted",
    "killed",
];

/// Runs of a repository at once.
const AT_ONCE: &str = "6";
/// Lets every row have directories to leave out, and an author.
const BASE: &str = "set -e\nexport HOME=\"$PWD/home\"\ngit config --global user.name P\ngit config --global user.email p@x\n\
    git config --global advice.detachedHead false\nmkdir -p clone/in clone/out made\n\
    for d in in out; do echo x >clone/$d/file; done\ngit -C clone add .\ngit -C clone commit -qm More\n\
    git -C clone push -q origin HEAD:main\n";

struct Table {
    row: &'static Row,
    stub: Stub,
    machine: Machine,
    /// What the person had.
    before: Vec<String>,
}

impl Table {
    async fn of(name: &str) -> Self {
        let row = ROWS.iter().find(|row| row.name == name).unwrap();
        let (stub, mut machine) = world().await;
        shell(&machine, &format!("{BASE}{}", row.make));
        let clone = machine.path(row.clone).display().to_string();
        // A person's own state, which no run may touch.
        let work_tree = if row.clone == "layout" { format!("{clone}/main") } else { clone };
        shell(
            &machine,
            &format!(
                "set -e\nexport HOME=\"$PWD/home\"\ncd '{work_tree}'\ngit branch persons\ngit tag persons-v1\n\
                 echo stashed >>README.md\ngit stash -q\necho mine >>README.md\necho new >persons.txt"
            ),
        );
        let names = format!(
            "TABLE='{}' ORIGIN='{}' DEFAULT={}",
            machine.path("made").display(),
            machine.path("origin.git").display(),
            row.default
        );
        let script = include_str!("table/main.sh");
        let extra = format!("type of_{0} >/dev/null 2>&1 && of_{0}", row.name);
        machine.harness(&format!("{names}\n{script}\n{extra}\nends_${{branch%%-*}}"));
        succeeded(&machine.register("jrn_one"));
        succeeded(&machine.tell(&["map", "PRJ", row.clone]));
        succeeded(&machine.tell(&["map", "APART", row.clone, "--isolated"]));
        let mut table = Self { row, stub, machine, before: Vec::new() };
        table.before = table.person();
        table
    }

    /// What the person has, but for what the runner keeps under its own names.
    fn person(&self) -> Vec<String> {
        let place = if self.row.clone == "layout" { "layout/main" } else { self.row.clone };
        let git = |args: &[&str]| self.machine.git(place, args);
        let refs = git(&["for-each-ref", "--format=%(objectname) %(refname)"]);
        let mut print: Vec<String> =
            refs.lines().filter(|line| !line.contains(" refs/svc/")).map(str::to_owned).collect();
        for args in [
            &["stash", "list"][..],
            &["status", "--porcelain=v2", "--branch"],
            &["diff"],
            &["ls-files", "--stage"],
            &["config", "--local", "--list"],
            &["worktree", "list"],
            &["sparse-checkout", "list"],
        ] {
            let output =
                std::process::Command::new("git").args(args).current_dir(self.machine.path(place)).output();
            let listed = String::from_utf8_lossy(&output.unwrap().stdout).into_owned();
            // A clone of parts gets the missing ones when they are looked at.
            print.push(if args[0] == "ls-files" && listed.len() > 100_000 { String::new() } else { listed });
        }
        print
    }

    fn run(&self, project: &str, number: usize, ending: &str) -> Assignment {
        let id = format!("run-{}-{ending}", project.to_lowercase());
        let mut run = assignment(&id, "");
        run.project = project.into();
        run.item.key = format!("{project}-{number}");
        run.branch = format!("{ending}-{}", project.to_lowercase());
        run.repository.default_branch = self.row.default.into();
        run.time_limit_seconds = 600;
        run
    }

    /// Lets runs with these endings work, then judges them.
    async fn hold(&self, endings: &[&str]) {
        let pairs = || {
            ["PRJ", "APART"]
                .into_iter()
                .flat_map(|project| endings.iter().map(move |ending| (project, *ending)))
        };
        let runner = self.machine.go(&["--parallel", AT_ONCE]);
        let runs: Vec<Assignment> = pairs()
            .enumerate()
            .map(|(number, (project, ending))| self.run(project, number + 1, ending))
            .collect();
        let (killed, others): (Vec<_>, Vec<_>) =
            runs.into_iter().partition(|run| run.branch.starts_with("killed"));
        self.stub.queue_all(others.clone());
        for run in &others {
            self.stub.finish_of(&run.run_id).await;
        }
        let mut runner = Some(runner);
        if !killed.is_empty() {
            self.stub.queue_all(killed.clone());
            for run in &killed {
                let hangs = self.machine.path("made").join(format!("{}.hangs", run.run_id));
                self.stub.until("the harness hangs", |_| hangs.exists().then_some(())).await;
            }
            drop(runner.take());
            runner = Some(self.machine.go(&["--parallel", AT_ONCE]));
        }
        for run in others.iter().chain(&killed) {
            let finish = self.stub.finish_of(&run.run_id).await;
            self.judge(run, &finish);
        }
        assert_eq!(self.person(), self.before, "{}: what is the person's", self.row.name);
        drop(runner);
    }

    fn judge(&self, run: &Assignment, finish: &Finish) {
        let ending = run.branch.split('-').next().unwrap();
        let text = self.stub.world().runs[&run.run_id].text();
        let told = format!("{} × {ending} ({}): {finish:?}\n{text}", self.row.name, run.project);
        let outcome = finish.outcome.clone().unwrap_or_default();
        let says = |part: &str| assert!(outcome.contains(part), "{part:?} is not said: {told}");
        if ending == "killed" {
            assert_eq!(finish.failure_reason.as_deref(), Some("harness-crashed"), "{told}");
        } else {
            assert_eq!(finish.result, FinishResult::Succeeded, "{told}");
            let at = self.machine.git(self.row.target, &["rev-parse", &format!("refs/heads/{}", run.branch)]);
            assert_eq!(finish.local_head.as_ref(), Some(&at), "{told}");
            assert_eq!(finish.pushed_branch.as_ref(), Some(&run.branch), "{told}");
        }
        match ending {
            "conflict" => says("A rebase was not finished"),
            "merging" => says("A merge was not finished"),
            "resolved" => says("A merge was in progress; it was finished."),
            "second" => says(&format!(
                "`git branch second-{0} refs/svc/kept/{1}-branch/second-{0}`",
                run.branch, run.run_id
            )),
            "stash" => says(&format!("`git stash apply refs/svc/kept/{}-stash/0`", run.run_id)),
            "tag" => says(&format!("`git tag tag-{} refs/svc/kept/{}-tag/", run.branch, run.run_id)),
            "uncommitted" | "killed" => {
                says(&format!("`git branch kept-{0} refs/svc/kept/{0}`", run.run_id));
                self.finds(run, "left.txt", &told);
            }
            _ => {}
        }
        for file in self.row.left {
            self.finds(run, file, &told);
        }
        self.finds_every_commit(run, &told);
        if self.row.name == "husky" {
            let said = self.machine.git(self.row.target, &["log", "--format=%B", "--all"]);
            assert!(said.contains("hooked"), "{told}");
        }
        if self.row.name == "lfs" && ending != "killed" {
            self.has_large_files(run, &told);
        }
    }

    /// Every commit that the agent made is at origin, or kept under a name.
    fn finds_every_commit(&self, run: &Assignment, told: &str) {
        let made = fs::read_to_string(self.machine.path("made").join(&run.run_id)).unwrap();
        let kept = format!("--glob=refs/svc/kept/{}*", run.run_id);
        let at_clone = self.machine.git(self.row.clone, &["rev-list", &kept]);
        let at_origin = self.machine.git(self.row.target, &["rev-list", "--all"]);
        let found: BTreeSet<&str> = at_clone.lines().chain(at_origin.lines()).collect();
        let (mut lost, mut bundles) =
            (made.lines().filter(|commit| !found.contains(commit)).collect::<Vec<_>>(), String::new());
        // Where a repository inside has commits of another kind, they are in a bundle.
        let place = self.machine.run_directory("kept");
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            let file = entry.path().display().to_string();
            if file.contains(&run.run_id) && file.ends_with(".bundle") {
                bundles += &self.machine.git(self.row.clone, &["bundle", "list-heads", &file]);
            }
        }
        lost.retain(|commit| !bundles.contains(commit));
        assert!(!made.is_empty() && lost.is_empty(), "{lost:?} of {made} are lost: {told}");
    }

    /// A file that was not committed is kept under a name.
    fn finds(&self, run: &Assignment, file: &str, told: &str) {
        let names = format!("refs/svc/kept/{}*", run.run_id);
        let pattern = format!("refs/svc/kept/{}*/**", run.run_id);
        let listed =
            self.machine.git(self.row.clone, &["for-each-ref", "--format=%(refname)", &names, &pattern]);
        let has = |name: &str| {
            self.machine.git(self.row.clone, &["ls-tree", "-r", "--name-only", name]).contains(file)
        };
        let bundle = self.machine.run_directory("kept").exists() && self.row.name == "sha256";
        assert!(bundle || listed.lines().any(has), "{file} is lost: {listed} {told}");
    }

    /// A fresh clone of the branch gets its large files.
    fn has_large_files(&self, run: &Assignment, told: &str) {
        let fresh = format!("fresh-{}", run.run_id);
        self.machine.git(".", &["clone", "-q", "--no-checkout", "-b", &run.branch, self.row.target, &fresh]);
        self.machine.git(&fresh, &["lfs", "install", "--local"]);
        self.machine.git(&fresh, &["checkout", "-q", &run.branch]);
        let large = fs::read_to_string(self.machine.path(&fresh).join("large.bin")).unwrap();
        assert!(large.starts_with("large of"), "{large:?} {told}");
    }
}

fn shell(machine: &Machine, script: &str) {
    let output =
        std::process::Command::new("bash").args(["-c", script]).current_dir(machine.path(".")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
}

async fn row(name: &str) {
    let all = std::env::var_os("SVC_TEST_ALL").is_some();
    if name == "large" && !all {
        println!("skipped: 100,000 files take a minute, for `make test-all`");
        return;
    }
    let table = Table::of(name).await;
    // The clone of 100,000 files again and again would say no more.
    let endings: Vec<&str> = if all && name != "large" { ENDINGS.to_vec() } else { table.row.quick.to_vec() };
    let endings: Vec<&str> = endings.into_iter().filter(|ending| !ending.is_empty()).collect();
    table.hold(&endings).await;
}

macro_rules! rows {
    ($($name:ident)*) => {
        $(#[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            row(stringify!($name)).await;
        })*

        #[test]
        fn every_repository_has_its_test_and_every_ending_its_quick_pair() {
            let tested = [$(stringify!($name)),*];
            assert_eq!(ROWS.map(|row| row.name), tested);
            let quick: BTreeSet<&str> = ROWS.iter().flat_map(|row| row.quick).collect();
            assert!(ENDINGS.iter().all(|ending| quick.contains(ending)));
        }
    };
}

rows! {
    plain shallow partial sparse submodules lfs nested sha256 reftable bare linked fork trunk upstream signed husky crlf
    large
}
