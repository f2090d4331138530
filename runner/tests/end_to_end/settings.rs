//! The settings of a person's clone, and of a person for that clone: a run has those that git would go by there.

use svc_api::runner::{Assignment, FinishResult};

use crate::machine::{Machine, assignment, succeeded};
use crate::world;

const BRANCH: &str = "prj-7-greet-in-welsh";
const COMMIT: &str = "date +%N >work.txt && git add work.txt && git commit -q -m Work || exit 1";

/// Maps the clone for runs that borrow from it, and for those with copies.
fn map(machine: &Machine) {
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["map", "PRJ", "clone"]));
    succeeded(&machine.tell(&["map", "APART", "clone", "--isolated"]));
}

fn run(project: &str) -> Assignment {
    let branch = format!("{BRANCH}-{project}");
    Assignment { project: project.into(), branch, ..assignment(&format!("run-{project}"), "") }
}

/// Neither the person's `includeIf` for the clone nor, in a copy, the clone's own ssh command held: origin was out of reach.
#[tokio::test(flavor = "multi_thread")]
async fn origin_is_reached_as_in_the_clone() {
    let (stub, mut machine) = world().await;
    let ssh = machine.script("ssh-of-work", "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
    let command = ["core.sshCommand", ssh.to_str().unwrap()];
    let config = machine.path("home/.gitconfig").display().to_string();
    let work = machine.path("home/work.inc").display().to_string();
    let condition = format!("includeIf.gitdir:{}.path", machine.path("clone/").display());
    machine.git(".", &["config", "--file", &config, &condition, &work]);
    let address = format!("ssh://work.example{}", machine.path("origin.git").display());
    machine.git("clone", &["remote", "set-url", "origin", &address]);
    machine.harness(&format!("{COMMIT}\ngit push -q origin HEAD && say pushed || true"));
    map(&machine);
    let _runner = machine.go(&[]);
    for (place, name) in
        [(&work, "included"), (&machine.path("clone/.git/config").display().to_string(), "own")]
    {
        machine.git(".", &[&["config", "--file", place.as_str()], &command[..]].concat());
        for project in ["PRJ", "APART"] {
            let run = Assignment { run_id: format!("run-{name}-{project}"), ..run(project) };
            stub.queue(run.clone());
            let finish = stub.finish_of(&run.run_id).await;
            let text = stub.world().runs[&run.run_id].text();
            assert_eq!(finish.result, FinishResult::Succeeded, "{name} {project}: {finish:?} {text}");
            // What is kept apart has no way of its own: the runner pushes.
            assert_eq!(text.contains("\npushed\n"), project == "PRJ", "{name} {project}: {text}");
            machine.git("origin.git", &["update-ref", "-d", &format!("refs/heads/{}", run.branch)]);
        }
        std::fs::remove_file(&work).unwrap_or_default();
    }
}

/// A plain `git push` of the agent would have made origin a mirror of the run: every other branch was gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_in_a_mirror_takes_no_branch_of_others_away() {
    let (stub, mut machine) = world().await;
    machine.git("origin.git", &["branch", "others", "main"]);
    std::fs::remove_dir_all(machine.path("clone")).unwrap();
    machine.git(".", &["clone", "-q", "--mirror", "origin.git", "clone"]);
    machine.harness(&format!(
        "{COMMIT}\ngit push -q origin; git push -q origin HEAD && git fetch -q --prune origin && \
         git rev-parse -q --verify origin/others >/dev/null || exit 1; git push -q origin; true"
    ));
    map(&machine);
    let _runner = machine.go(&[]);
    stub.queue(run("PRJ"));
    let finish = stub.finish_of("run-PRJ").await;
    let branches = machine.git("origin.git", &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {}", stub.world().runs["run-PRJ"].text());
    assert_eq!(branches, format!("refs/heads/main\nrefs/heads/others\nrefs/heads/{BRANCH}-PRJ"));
}

/// Whatever these say, a run commits and is pushed, and the person's clone stays as it was.
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_people_have_are_in_no_runs_way() {
    let (stub, mut machine) = world().await;
    let config = machine.path("home/.gitconfig").display().to_string();
    for setting in [
        "push.default=matching",
        "fetch.prune=true",
        "fetch.pruneTags=true",
        "rerere.enabled=true",
        "core.fsmonitor=true",
        "core.untrackedCache=true",
        "feature.manyFiles=true",
        "transfer.fsckObjects=true",
        "color.ui=always",
        "diff.noprefix=true",
        "diff.external=false",
        "log.showSignature=true",
        "format.pretty=oneline",
        "status.showUntrackedFiles=no",
        "i18n.logOutputEncoding=latin1",
        "submodule.recurse=true",
        "push.recurseSubmodules=on-demand",
        "init.templateDir=/nowhere",
        "init.defaultRefFormat=reftable",
        "init.defaultObjectFormat=sha256",
        "branch.autoSetupRebase=always",
    ] {
        let (name, value) = setting.split_once('=').unwrap();
        machine.git(".", &["config", "--file", &config, name, value]);
    }
    machine.git("clone", &["tag", "of-the-person"]);
    let before = machine.git("clone", &["status", "--porcelain=v2", "--branch", "--show-stash"]);
    machine.harness(&format!(
        "{COMMIT}\ngit push -q origin HEAD || exit 1\ngit fetch -q origin; echo left >left.txt"
    ));
    map(&machine);
    let _runner = machine.go(&[]);
    for project in ["PRJ", "APART"] {
        let run = run(project);
        stub.queue(run.clone());
        let finish = stub.finish_of(&run.run_id).await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
        let patch = stub.world().runs[&run.run_id].changes.clone().and_then(|changes| changes.patch);
        assert!(
            patch.is_some_and(|patch| patch.starts_with("diff --git a/work.txt b/work.txt")),
            "{project}"
        );
        assert_eq!(
            machine.git("clone", &["show", &format!("refs/svc/kept/{}:left.txt", run.run_id)]),
            "left"
        );
    }
    assert_eq!(machine.git("clone", &["status", "--porcelain=v2", "--branch", "--show-stash"]), before);
    assert_eq!(machine.git("clone", &["tag"]), "of-the-person");
}
