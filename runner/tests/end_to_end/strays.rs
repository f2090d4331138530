//! Processes that lose their parents and clear their environment: in chains, beside other runs, and past a kill.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::machine::{Machine, Runner, assignment, lives, succeeded};
use crate::world;

/// Forks, ends, and goes on in the child: so many times, so long each.
const LINK: &str = r#"#!/bin/sh
trap '' TERM
sleep "$2"
[ "$1" -gt 0 ] || { echo done >"$3"; exit; }
cd /
env -i PATH=/usr/bin:/bin setsid "$0" $(($1 - 1)) "$2" "$3" >/dev/null 2>&1 &
"#;

fn start(machine: &mut Machine, work: &str, options: &[&str], started: &[&str]) -> Runner {
    machine.script("link", LINK);
    machine.harness(work);
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&[&["map", "PRJ", "clone"], options].concat()));
    machine.go(started)
}

/// Children of a process that have ended and wait for it.
fn zombies_of(parent: u32) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let zombie = |stat: &String| {
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(&format!("Z {parent} ")))
    };
    processes.filter_map(|one| fs::read_to_string(one.path().join("stat")).ok()).filter(zombie).count()
}

/// Processes whose arguments name a file.
fn running(path: &Path) -> usize {
    let name = path.display().to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let arguments = processes.filter_map(|one| fs::read(one.path().join("cmdline")).ok());
    arguments.filter(|all| String::from_utf8_lossy(all).contains(&name)).count()
}

/// They filled the machine's table of processes until the runner ended.
#[tokio::test(flavor = "multi_thread")]
async fn orphans_are_reaped_while_two_runs_work_and_after_them() {
    let (stub, mut machine) = world().await;
    let (link, whole, go) = (machine.path("link"), machine.path("whole"), machine.path("go"));
    let work = format!(
        "if [ \"$SVC_RUN_ID\" = run-1 ]; then {} 300 0 {}; fi\nwhile [ ! -e {} ]; do sleep 0.1; done",
        link.display(),
        whole.display(),
        go.display()
    );
    let runner = start(&mut machine, &work, &[], &["--parallel", "2"]);
    stub.queue(assignment("run-1", ""));
    stub.queue(assignment("run-2", ""));
    stub.until("both runs work", |world| {
        ["run-1", "run-2"]
            .iter()
            .all(|run| world.runs.get(*run).is_some_and(|run| run.started.is_some()))
            .then_some(())
    })
    .await;
    stub.until("the chain ends", |_| whole.exists().then_some(())).await;
    stub.until("nobody waits to be reaped", |_| (zombies_of(runner.pid()) == 0).then_some(())).await;
    fs::write(&go, "").unwrap();
    for run in ["run-1", "run-2"] {
        stub.finish_of(run).await;
    }
    stub.until("nobody waits to be reaped", |_| (zombies_of(runner.pid()) == 0).then_some(())).await;
}

/// Each link had ended before the signal came, and the chain outlived the run.
#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_processes_ends_with_its_run() {
    let (stub, mut machine) = world().await;
    let (link, whole) = (machine.path("link"), machine.path("whole"));
    let work = format!("{} 300 0.3 {}", link.display(), whole.display());
    let _runner = start(&mut machine, &work, &[], &[]);
    stub.queue(assignment("run-1", ""));
    stub.finish_of("run-1").await;
    assert_eq!(running(&link), 0, "{}", machine.told());
    assert!(!whole.exists(), "it was ended, and did not end by itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_runner_ends_an_orphan_without_environment() {
    if !cfg!(target_os = "linux") || !rustix::process::geteuid().is_root() {
        println!("skipped: only root may run a harness as another user");
        return;
    }
    let (stub, mut machine) = world().await;
    for directory in ["", "home"] {
        fs::set_permissions(machine.path(directory), fs::Permissions::from_mode(0o711)).unwrap();
    }
    fs::create_dir(machine.path("runs")).unwrap();
    let root = machine.path("runs").display().to_string();
    let work = "here=$PWD\n(env -i PATH=/usr/bin:/bin setsid sh -c \
        \"echo \\$\\$ >$here/left; grep '^Max processes' /proc/self/limits >$here/limit; cd /; exec sleep 600\" >/dev/null 2>&1 &)\nsleep 300";
    let started = ["--workspace-root", root.as_str()];
    let runner = start(&mut machine, work, &["--isolation", "user=nobody"], &started);
    stub.queue(assignment("run-1", ""));
    let place = machine.path("runs/run-1/repo");
    let read = |name: &str| fs::read_to_string(place.join(name)).ok().filter(|text| text.ends_with('\n'));
    let limit = stub.until("the orphan works", |_| read("limit")).await;
    let pid = read("left").unwrap().trim().to_owned();
    let most: u64 = limit.split_ascii_whitespace().nth(2).unwrap().parse().unwrap();
    assert!(lives(&pid) && most <= 4_096, "{limit}");
    drop(runner);
    let _runner = machine.go(&started);
    stub.finish_of("run-1").await;
    stub.until("the orphan is ended", |_| (!lives(&pid)).then_some(())).await;
}
