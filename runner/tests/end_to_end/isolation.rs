//! Runs that are kept apart from the machine: another user, a sandbox command, fewer variables, commands before and
//! after the harness.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use svc_api::runner::{Finish, FinishResult};

use crate::machine::{Machine, Runner, TOKEN, assignment, lives, succeeded};
use crate::stub::Stub;
use crate::world;

const COMMIT: &str = "echo x >work.txt && git add work.txt && git commit -q -m Work || exit 1";

/// Registers, maps with these options, and starts.
fn start(machine: &Machine, options: &[&str], started: &[&str]) -> Runner {
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&[&["map", "PRJ", "clone"], options].concat()));
    machine.go(started)
}

async fn run(stub: &Stub) -> (Finish, String) {
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let text = stub.world().runs["run-1"].text();
    (finish, text)
}

async fn pid_in(stub: &Stub, path: &Path) -> String {
    let pid = || fs::read_to_string(path).ok()?.trim().parse::<u32>().ok().map(|pid| pid.to_string());
    stub.until("a process says its id", |_| pid()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_command_runs_the_harness_and_what_it_leaves_is_ended() {
    let (stub, mut machine) = world().await;
    let work = format!("[ \"$BOXED\" = 1 ] && [ -e \"$SVC_RUN_DIR/agent/ready\" ] && say boxed\n{COMMIT}");
    machine.harness(&work);
    // As a container does, it lets something work on that is no child of this process.
    let sandbox = "#!/bin/sh\necho \"$1 $2\" >>\"$1.boxed\"; cp \"$3\" \"$3.seen\"; shift 4\n\
        setsid sleep 600 >/dev/null 2>&1 & echo $! >\"$SVC_RUN_DIR/left\"\nBOXED=1 exec \"$@\"\n";
    let sandbox = machine.script("box", sandbox);
    let template = format!("'{}' {{run_dir}} {{workspace}} {{env_file}} --", sandbox.display());
    let after = "echo \"$SVC_RUN_ID in $(pwd)\" >\"$SVC_RUN_DIR/../cleaned\"";
    let options =
        ["--sandbox", &template, "--setup", "touch \"$SVC_RUN_DIR/agent/ready\"", "--cleanup", after];
    let _runner = start(&machine, &options, &[]);
    let (finish, text) = run(&stub).await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {text}");
    assert!(text.contains("boxed") && text.contains("Set-up: touch"), "{text}");
    let directory = machine.run_directory("run-1");
    let boxed = fs::read_to_string(machine.run_directory("run-1.boxed")).unwrap();
    let line = format!("{} {}\n", directory.display(), directory.join("repo").display());
    assert_eq!(boxed, line.repeat(2), "once for the set-up, once for the harness");
    let seen = fs::read_to_string(directory.join("environment.seen")).unwrap();
    assert!(seen.contains(&format!("SVC_TOKEN={TOKEN}\n")) && !directory.join("environment").exists());
    let cleaned = fs::read_to_string(machine.run_directory("cleaned")).unwrap();
    assert_eq!(cleaned, format!("run-1 in {}\n", directory.display()));
    assert!(!lives(pid_in(&stub, &directory.join("left")).await.as_str()));
    let worktrees = machine.git("clone", &["worktree", "list"]);
    assert_eq!(worktrees.lines().count(), 1, "the checkout is a clone of its own: {worktrees}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_that_fails_ends_the_run_with_the_end_of_its_output() {
    let (stub, machine) = world().await;
    let setup = "echo preparing with $SVC_TOKEN; echo no such registry >&2; exit 3";
    let options = ["--setup", setup, "--cleanup", "touch \"$SVC_RUN_DIR/../cleaned\"; exit 1"];
    let _runner = start(&machine, &options, &[]);
    let (finish, text) = run(&stub).await;
    let detail = finish.failure_detail.unwrap();
    assert_eq!(finish.failure_reason.as_deref(), Some("workspace-failed"), "{detail}");
    assert!(detail.contains("exit status: 3") && detail.contains("no such registry"), "{detail}");
    assert!(text.contains("preparing with [redacted]"), "{text}");
    assert!(!detail.contains(TOKEN) && !text.contains(TOKEN));
    assert!(text.contains("The clean-up command"), "a clean-up that fails is told: {text}");
    assert!(machine.run_directory("cleaned").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_ends_a_set_up_that_hangs_and_cleans_up() {
    let (stub, machine) = world().await;
    let setup = "setsid sleep 600 & echo $! >\"$SVC_RUN_DIR/../pid\"; wait";
    let options = ["--setup", setup, "--cleanup", "touch \"$SVC_RUN_DIR/../cleaned\""];
    let _runner = start(&machine, &options, &[]);
    stub.queue(assignment("run-1", ""));
    let pid = pid_in(&stub, &machine.run_directory("pid")).await;
    stub.world().cancelled.insert("run-1".into());
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Cancelled);
    assert!(!lives(&pid) && machine.run_directory("cleaned").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_runner_cleans_up_after_one_that_was_killed() {
    let (stub, machine) = world().await;
    let runner = start(&machine, &["--cleanup", "touch \"$SVC_RUN_DIR/../cleaned\""], &[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 300"));
    stub.until("the run starts", |world| world.runs.get("run-1")?.started.clone()).await;
    drop(runner);
    assert!(!machine.run_directory("cleaned").exists());
    let _runner = machine.go(&[]);
    stub.finish_of("run-1").await;
    assert!(machine.run_directory("cleaned").exists(), "{}", machine.told());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_allowed_variables_reach_the_harness() {
    let (stub, mut machine) = world().await;
    machine.harness(&format!("say \"names: $(env | sed 's/=.*//' | tr '\\n' ' ')\"\n{COMMIT}"));
    for name in ["WANTED", "UNWANTED"] {
        machine.environment.push((name.into(), "some value".into()));
    }
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["defaults", "--env-allow", "WANTED,ALSO_*"]));
    let _runner = start(&machine, &[], &[]);
    let (finish, text) = run(&stub).await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{text}");
    let names =
        text.lines().find_map(|line| line.split_once("names: ")).expect("the names of the variables").1;
    let has = |name: &str| names.split(' ').any(|known| known == name);
    assert!(has("WANTED") && has("PATH") && has("HOME") && has("SVC_TOKEN"), "{names}");
    assert!(!has("UNWANTED"), "{names}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_user_runs_the_harness_and_sees_only_its_run() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root may run a harness as another user");
        return;
    }
    let (stub, mut machine) = world().await;
    let secret = machine.path("config/svc/runner.json");
    let work = format!(
        "say \"I am $(id -un) in $(id -G | wc -w) group\"\nsay \"secret: ${{CI_SECRET-none}}\"\n\
         mkdir -p deep/er; chmod 777 deep deep/er; for file in '{}' ../../records/run-1/workspace.json ../../records/run-1/log.jsonl; do\n\
         cat \"$file\" >/dev/null 2>&1 && say \"open: $file\"\ndone\n\
         setsid sleep 600 >/dev/null 2>&1 & echo $! >../agent/left\n{COMMIT}",
        secret.display()
    );
    machine.harness(&work);
    machine.environment.push(("CI_SECRET".into(), "of the service".into()));
    for directory in ["", "home"] {
        fs::set_permissions(machine.path(directory), fs::Permissions::from_mode(0o711)).unwrap();
    }
    fs::create_dir(machine.path("runs")).unwrap();
    let root = machine.path("runs").display().to_string();
    let options = ["--isolation", "user=nobody", "--setup", "id -un"];
    let _runner = start(&machine, &options, &["--workspace-root", &root]);
    let (finish, text) = run(&stub).await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {text} {}", machine.told());
    assert!(text.contains("I am nobody in 1 group") && text.contains("\nnobody\n"), "{text}");
    assert!(!text.contains("open: ") && text.contains("secret: none"), "{text}");
    assert!(machine.at_origin("prj-7-greet-in-welsh", "work.txt").is_some(), "the runner pushes");
    let directory = machine.path("runs/run-1");
    let owner = |name: &str| fs::metadata(directory.join(name)).unwrap().uid();
    assert_eq!((owner("repo"), owner("repo/.git/HEAD"), owner("../records/run-1/workspace.json")), (0, 0, 0));
    assert_eq!(owner("repo/deep/er"), 0, "nobody else exchanges directories");
    assert!(owner("repo/work.txt") != 0 && !directory.join("given").exists());
    let mode = fs::metadata(directory.join("repo")).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode, owner("prompt.md") == 0), (0o700, false));
    assert!(!lives(pid_in(&stub, &directory.join("agent/left")).await.as_str()));
}

/// What is left of the user's in the repository would tell root's git what to run.
#[tokio::test(flavor = "multi_thread")]
async fn a_checkout_that_cannot_be_taken_back_whole_is_left_alone() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root may run a harness as another user");
        return;
    }
    let (stub, mut machine) = world().await;
    let trap = machine.path("trap");
    fs::create_dir(&trap).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o700)).unwrap();
    let work = format!(
        "{COMMIT}\ngit config filter.x.clean \"sh -c 'touch {}/sprung; cat'\"\n\
         echo '*.t filter=x' >.gitattributes; echo new >new.t\n\
         (cd .git && for i in $(seq 260); do mkdir d && cd d || exit 1; done)",
        trap.display()
    );
    machine.harness(&work);
    for directory in ["", "home"] {
        fs::set_permissions(machine.path(directory), fs::Permissions::from_mode(0o711)).unwrap();
    }
    fs::create_dir(machine.path("runs")).unwrap();
    let root = machine.path("runs").display().to_string();
    let _runner = start(&machine, &["--isolation", "user=nobody"], &["--workspace-root", &root]);
    let (finish, text) = run(&stub).await;
    let reason = finish.failure_reason.as_deref();
    assert_eq!((finish.result, reason), (FinishResult::Failed, Some("workspace-failed")), "{text}");
    assert!(finish.failure_detail.is_some_and(|detail| detail.contains("cannot be taken back")), "{text}");
    assert!(finish.pushed_branch.is_none() && fs::read_dir(&trap).unwrap().next().is_none());
    let directory = machine.path("runs/run-1");
    assert!(directory.join("given").exists() && directory.join("repo/work.txt").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_that_is_not_there_fails_the_run_and_the_doctor_says_so() {
    let (stub, machine) = world().await;
    let _runner = start(&machine, &["--isolation", "user=no-such-user"], &[]);
    let (finish, _) = run(&stub).await;
    assert_eq!(finish.failure_reason.as_deref(), Some("workspace-failed"));
    assert!(finish.failure_detail.unwrap().contains("no user \"no-such-user\""));
    succeeded(&machine.tell(&["map", "PRJ", "clone", "--sandbox", "no-such-program --"]));
    let told = machine.tell(&["doctor"]);
    let text = String::from_utf8_lossy(&told.stdout);
    assert!(text.contains("`no-such-program --` does not work"), "{text}");
    let refused = machine.tell(&["map", "PRJ", "clone", "--sandbox", "box {nonsense}"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("{workspace}"));
}

/// The command line with `bwrap` as the documentation has it.
fn bubblewrap() -> String {
    let text = include_str!("../../../docs/runner.md");
    let begin = text.find("bwrap --").expect("an example");
    text[begin..].split('\'').next().unwrap().to_owned()
}

/// Whether the documentation's sandbox works on this machine.
fn has_bubblewrap() -> bool {
    let tried = std::process::Command::new("bwrap")
        .args(["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc", "--", "true"])
        .output();
    let works = tried.is_ok_and(|tried| tried.status.success());
    if !works {
        println!("skipped: bubblewrap is not installed, or may not make namespaces here");
    }
    works
}

/// Where the sandbox allows no writes: it has a `/tmp` of its own.
fn out_of_reach(url: &str) -> Machine {
    Machine::below(Path::new("/var/tmp"), url)
}

/// Says what the runner once believed of a run's directory.
const RECORDS: &str = r#"victim='VICTIM'
for name in workspace.json records/workspace.json; do
  mkdir -p "$SVC_RUN_DIR/records"
  printf '{"runId":"%s","organization":"demo","item":"PRJ-7","repo":"%s","home":"%s","base":"x",' \
    "$SVC_RUN_ID" "$victim" "$SVC_RUN_ID" >"$SVC_RUN_DIR/$name"
  printf '"session":"%s","saved":true,"begunAt":"2126-01-01T00:00:00Z"}' "$session" >>"$SVC_RUN_DIR/$name"
done
for name in guard.json guard-own.json; do
  printf '{"git_dir":"%s","files":{".bashrc":{"mode":420,"bytes":"b3duZWQK"}},"settings":[],"head":null,' \
    "$victim" >"$SVC_RUN_DIR/$name"
  printf '"index":null,"staged":null,"reflog":0,"replaced":[],"shallow":null,"included":[]}' >>"$SVC_RUN_DIR/$name"
done
printf '{"repo":"%s","repository":null,"files":[],"made":[],"excluded":false}' "$victim" >"$SVC_RUN_DIR/overlay.json"
"#;

/// A harness that writes records, and then does this.
fn forger(machine: &mut Machine, then: &str) -> std::path::PathBuf {
    let victim = machine.path("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("secret"), "of the person").unwrap();
    let forged = RECORDS.replace("VICTIM", &victim.display().to_string());
    machine.harness(&format!(
        "case \"$*\" in *--resume*) ;; *) {forged}\n{then};; esac\n\
         say \"in $(pwd)\"; say \"$(cat secret 2>&1)\"; echo owned >.bashrc; git add .bashrc; git commit -qm Work || exit 1"
    ));
    victim
}

fn is_unharmed(victim: &Path) -> bool {
    fs::read_dir(victim).unwrap().count() == 1
}

/// The automatic continue took the path for its checkout: a secret was read, and files were written there.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_in_a_sandbox_says_of_its_run_is_not_believed() {
    if !has_bubblewrap() {
        return;
    }
    let (stub, machine) = world().await;
    let mut machine = out_of_reach(&machine.url);
    let victim = forger(&mut machine, "exit 1");
    let _runner = start(&machine, &["--sandbox", &bubblewrap()], &[]);
    let (first, text) = run(&stub).await;
    assert!(first.harness_session.is_some(), "{first:?} {text} {}", machine.told());
    let mut again = assignment("run-2", "");
    again.kind = svc_api::factory::RunKind::Continue;
    again.resume_session = first.harness_session;
    again.earlier_run_id = Some("run-1".into());
    stub.queue(again);
    let finish = stub.finish_of("run-2").await;
    let text = stub.world().runs["run-2"].text();
    let repo = machine.run_directory("run-1").join("repo");
    assert!(text.contains(&format!("in {}", repo.display())), "{finish:?} {text}");
    assert!(is_unharmed(&victim) && !text.contains("of the person"), "{text}");
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {text}");
}

/// The next runner wrote files of the agent's choice to a directory of its choice.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_in_a_sandbox_says_of_its_run_is_not_believed_after_a_death_either() {
    if !has_bubblewrap() {
        return;
    }
    let (stub, machine) = world().await;
    let mut machine = out_of_reach(&machine.url);
    let victim = forger(&mut machine, "say forged; exec sleep 300");
    let runner = start(&machine, &["--sandbox", &bubblewrap()], &[]);
    stub.queue(assignment("run-1", ""));
    stub.until("the records are forged", |world| {
        world.runs.get("run-1")?.text().contains("forged").then_some(())
    })
    .await;
    drop(runner);
    let _runner = machine.go(&[]);
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("harness-crashed"));
    assert!(finish.harness_session.is_some() && is_unharmed(&victim), "{finish:?} {}", machine.told());
}
