//! A runner that is killed at any moment of a run, again and again, and started again: it leaves no process, no lock and
//! nothing of a run in the clone that is gone, and no commit is lost. `SVC_KILLS` says how often.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use rustix::process::Signal;
use svc_end_to_end::traces::{locks, processes_of};
use svc_end_to_end::{Runner, Stage, eventually};
use tokio::time::{Instant, sleep};

/// As often in the usual tests.
const FEW: u32 = 6;
/// A run of the agent below takes about this long, from the request to its report.
const RUN: Duration = Duration::from_millis(2_500);
const BOUND: Duration = Duration::from_secs(300);

/// Commits twice, with a tool of its own session beside, and pushes at the end.
const COMMITTING: &str = "
begin
setsid sleep 300 &
for part in one two; do
    echo \"$part $SVC_ITEM\" >>\"$part.txt\"
    git add . && git commit -q -m \"$part\" || exit 1
    git rev-parse HEAD >>\"$notes/commits\"
    sleep 0.2
done
git push -q origin HEAD || exit 1
succeed done";

fn kills() -> u32 {
    std::env::var("SVC_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(FEW)
}

/// The `n`th of moments that are spread evenly over a run, however many there are.
fn moment(n: u32) -> Duration {
    RUN.mul_f64((f64::from(n) * 0.618_034).fract())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_is_killed_at_any_moment_leaves_nothing_and_loses_nothing() {
    let settings = [("Automation__HeartbeatSeconds", "1"), ("Automation__RunnerLostSeconds", "60")];
    let stage = Stage::set(&settings).await;
    let agent = stage.agent(COMMITTING);
    let mut runner = stage.runner(agent.program()).await;
    let directory = stage.directory().to_owned();
    let mut interrupted = 0;
    for kill in 0..kills() {
        let item = stage.new_item(&format!("Kill {kill}")).await;
        let run = stage.start_run(&item.key).await;
        let begun = Instant::now();
        while begun.elapsed() < moment(kill) {
            sleep(Duration::from_millis(10)).await;
        }
        runner.process().kill();
        let ended = stage.client().run(&run.id).await.unwrap().status.is_terminal();
        interrupted += u32::from(!ended);
        runner = Runner::start_again(&stage.home, agent.program());
        stage.ended(&run.id).await;
    }
    println!("{interrupted} of {} kills met a run that had not ended", kills());
    // Automatic continues may be under way: the runner sees them through.
    runner.process().signal(Signal::TERM);
    runner.process().ended(BOUND).await;
    let server = stage.server.process().pid().as_raw_nonzero().get();
    eventually("the end of all that the runs started", BOUND, async || {
        processes_of(&directory, &[server]).is_empty().then_some(())
    })
    .await;
    assert_eq!(locks(&directory), Vec::<String>::new());
    every_begun_run_is_a_kept_one(&stage).await;
    no_commit_is_lost(&stage).await;
    println!("no process, no lock, nothing of a run that is gone and no lost commit");
}

/// What the clone keeps from being collected is of a run whose directory says so, and that directory of one that ended.
async fn every_begun_run_is_a_kept_one(stage: &Stage) {
    let names = ["for-each-ref", "--format=%(refname:lstrip=3)", "refs/svc/runs"];
    for run in stage.home.git(&stage.repo.clone, &names).await.lines() {
        assert!(
            stage.home.runs().join("records").join(run).join("workspace.json").is_file(),
            "{run} is gone"
        );
    }
    let runs = fs::read_dir(stage.home.runs().join("records")).unwrap().map(|entry| entry.unwrap().path());
    for run in runs.filter(|path| path.is_dir()) {
        let manifest = fs::read_to_string(run.join("workspace.json")).unwrap_or_default();
        assert!(
            manifest.contains("\"endedAt\": \""),
            "{} is of no run that ended: {manifest}",
            run.display()
        );
    }
}

/// Each commit that an agent made is held by a branch or another ref, here or at origin.
async fn no_commit_is_lost(stage: &Stage) {
    let made = fs::read_to_string(stage.directory().join("notes/commits")).unwrap_or_default();
    let made: BTreeSet<&str> = made.lines().collect();
    let mut held = BTreeSet::new();
    for repository in [&stage.repo.clone, &stage.repo.origin] {
        let all = stage.home.git(repository, &["rev-list", "--all"]).await;
        held.extend(all.lines().map(str::to_owned));
    }
    let lost: Vec<&&str> = made.iter().filter(|commit| !held.contains(**commit)).collect();
    println!("{} commits were made", made.len());
    assert!(lost.is_empty(), "{lost:?} of {} commits are in no ref", made.len());
}
