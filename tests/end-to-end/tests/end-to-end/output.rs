//! A harness that prints very much: the runner holds little of it, and the harness hardly waits. `SVC_OUTPUT_MIB` says how
//! much it prints, on a machine that does nothing else (`make soak OUTPUT=1024`).

use std::time::Duration;

use svc_api::factory::RunStatus;
use svc_end_to_end::traces::memory;
use svc_end_to_end::{Stage, eventually};

/// What the runner may hold at most, over everything that it holds anyway.
const MOST: u64 = 100 * 1024;
/// What the harness may wait for a MiB to be taken, in milliseconds; and on a machine that is busy with other tests.
const LONGEST: u64 = 1_000;
const LONGEST_BUSY: u64 = 20_000;
const BOUND: Duration = Duration::from_secs(600);

/// Prints a MiB again and again, and notes the longest that one took, in milliseconds.
const LOUD: &str = r#"
begin
yes 'a line of a build that says what it does, over and over again' | head -c 1048576 >"$notes/mebibyte"
longest=0
for turn in $(seq MEBIBYTES); do
    from=$(date +%s%N)
    cat "$notes/mebibyte"
    took=$((($(date +%s%N) - from) / 1000000))
    [ "$took" -gt "$longest" ] && longest=$took
done
echo
note longest "$longest"
deliver
succeed done"#;

#[tokio::test(flavor = "multi_thread")]
async fn much_output_costs_the_runner_little_and_holds_up_nobody() {
    let asked: Option<u32> = std::env::var("SVC_OUTPUT_MIB").ok().and_then(|text| text.parse().ok());
    let mebibytes = asked.unwrap_or(64);
    let stage = Stage::set(&[]).await;
    let agent = stage.agent(&LOUD.replace("MEBIBYTES", &mebibytes.to_string()));
    let mut runner = stage.runner(agent.program()).await;
    let pid = runner.process().pid().as_raw_nonzero().get();
    let before = memory(pid).0;
    let item = stage.new_item("Loud").await;
    let run = stage.start_run(&item.key).await;
    let ended = eventually("the end of the run", BOUND, async || {
        let run = stage.client().run(&run.id).await.unwrap();
        run.status.is_terminal().then_some(run)
    })
    .await;
    assert_eq!(ended.status, RunStatus::Succeeded, "{ended:?}");
    let most = memory(pid).1;
    let longest: u64 = agent.note("longest").await.parse().unwrap();
    println!(
        "{mebibytes} MiB of output: {before} KiB before, {most} KiB at most, {longest} ms for the slowest MiB"
    );
    assert!(most < before + MOST, "the runner held {most} KiB, {before} KiB before the run");
    let bound = if asked.is_some() { LONGEST } else { LONGEST_BUSY };
    assert!(longest < bound, "a MiB waited {longest} ms");
}
