//! A runner takes a run every few seconds while things go wrong: `make soak MINUTES=30`.
//!
//! Agents deliver, print much, fork into sessions of their own, ignore SIGTERM, crash and leave changes; the network is
//! cut, the server is stopped and killed, the runner is killed. Memory, processes, open files and disk are printed each
//! minute. At the end they stand beside those at the start, and everything that must hold is looked at: every commit that
//! an agent made is at origin or kept in the clone, and they are counted.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use svc_api::factory::RunStatus;
use svc_end_to_end::traces::{disk, handles, locks, memory, processes_of};
use svc_end_to_end::{Agent, Process, Proxy, Runner, Stage, all_pages, eventually};
use tokio::time::{Instant, sleep};

const BOUND: Duration = Duration::from_secs(180);
const OPTIONS: [&str; 2] = ["--parallel", "2"];
/// Runs that wait at once; more are not begun.
const MOST_WAITING: usize = 6;

/// What an agent does follows from the number of its item.
const AGENT: &str = r#"
begin
case $((${SVC_ITEM##*-} % 8)) in
1) yes 'a line of much output, as a build prints it, sixty characters' | head -c 20000000 ;;
2) setsid sleep 3600 & (setsid setsid sleep 3600 &) ;;
3) trap '' TERM INT; (trap '' TERM; sleep 3600) & sleep 3600 ;;
4) say 'about to crash'; kill -9 $$ ;;
5) echo unfinished >left.txt; exit 1 ;;
6) printf '\377\376\000not text\n'; sleep 2 ;;
esac
made() { git rev-parse HEAD >>"$notes/made"; }
echo "$SVC_ITEM" >>work.txt
git add work.txt && git commit -q -m Work && made || exit 1
[ $((${SVC_ITEM##*-} % 3)) = 0 ] && { git checkout -q --detach && git commit -q --allow-empty -m Beside && made && git checkout -q -; }
[ $((${SVC_ITEM##*-} % 5)) = 0 ] || git push -q origin HEAD || exit 1
succeed done
"#;

/// One look at the machine.
struct Sample {
    runner: i32,
    rows: Vec<(&'static str, u64)>,
}

fn sample(stage: &Stage, runner: &mut Runner) -> Sample {
    let (server, pid) = (pid(stage.server.process()), pid(runner.process()));
    let rows = vec![
        ("runner: memory now, KiB", memory(pid).0),
        ("runner: most memory, KiB", memory(pid).1),
        ("runner: open files", handles(pid) as u64),
        ("server: memory now, KiB", memory(server).0),
        ("server: open files", handles(server) as u64),
        ("processes besides both", processes_of(stage.directory(), &[pid, server]).len() as u64),
        ("disk of run directories, KiB", disk(&stage.home.runs()) / 1024),
        ("disk of the clone, KiB", disk(&stage.repo.clone) / 1024),
        ("disk of the server, KiB", disk(stage.server.data()) / 1024),
    ];
    Sample { runner: pid, rows }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Everything that takes part.
struct Soak {
    stage: Stage,
    proxy: Proxy,
    runner: Runner,
    agent: Agent,
    items: Vec<String>,
    faults: BTreeMap<&'static str, u32>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_works_on_through_faults_and_leaves_nothing() {
    let time = Duration::from_secs(60 * number("MINUTES", 30));
    let every = Duration::from_secs(number("EVERY", 5));
    let settings = [("Automation__HeartbeatSeconds", "1"), ("Automation__RunnerLostSeconds", "60")];
    let stage = Stage::set(&settings).await;
    let agent = stage.agent(AGENT);
    let proxy = Proxy::to(stage.server.address()).await;
    stage.runner_over(proxy.url(), agent.program()).await.stop(BOUND).await;
    let runner = Runner::start_again_with(&stage.home, agent.program(), &OPTIONS);
    let mut soak = Soak { stage, proxy, runner, agent, items: Vec::new(), faults: BTreeMap::new() };
    warm_up(&soak.stage).await;
    let first = soak.sample();
    soak.work(time, every).await;
    let ends = ends_of(&soak.stage, &soak.items).await;
    soak.only_the_watchdog_is_left().await;
    report(&first, &soak.sample());
    println!("\n{} items in {} minutes; their runs: {ends:?}", soak.items.len(), time.as_secs() / 60);
    println!("faults: {:?}", soak.faults);
    soak.leaves_nothing().await;
}

impl Soak {
    fn sample(&mut self) -> Sample {
        sample(&self.stage, &mut self.runner)
    }

    async fn work(&mut self, time: Duration, every: Duration) {
        let (begun, mut minute) = (Instant::now(), 0);
        for turn in 0.. {
            if begun.elapsed() >= time {
                return;
            }
            let next = Instant::now() + every;
            self.turn(turn).await;
            if begun.elapsed().as_secs() / 60 >= minute {
                minute += 1;
                let values: Vec<String> =
                    self.sample().rows.iter().map(|(_, value)| value.to_string()).collect();
                let (seconds, items) = (begun.elapsed().as_secs(), self.items.len());
                println!("{seconds:>4} s  {items:>4} items  {}", values.join("  "));
            }
            tokio::time::sleep_until(next).await;
        }
    }

    async fn turn(&mut self, turn: u64) {
        let waiting = waiting(&self.stage, latest(&self.items)).await;
        if waiting.len() < MOST_WAITING {
            self.items.push(begin(&self.stage, &format!("Turn {turn}")).await);
        }
        // Runs that would never end by themselves are cancelled, the oldest first.
        if let Some(oldest) = waiting.first().filter(|_| turn % 3 == 0 && waiting.len() > 2) {
            let _ = self.stage.home.svc(&["run", "cancel", oldest]).await;
        }
        let told = self.fault(turn).await;
        if !told.is_empty() {
            *self.faults.entry(told).or_default() += 1;
        }
    }

    /// Something that goes wrong, and is over when this is.
    async fn fault(&mut self, turn: u64) -> &'static str {
        match turn % 12 {
            2 => {
                self.proxy.cut();
                sleep(Duration::from_secs(3)).await;
                self.proxy.mend();
                "the network was cut for 3 s"
            }
            5 => {
                self.stage.server.kill();
                sleep(Duration::from_secs(1)).await;
                self.stage.server.start_again().await;
                "the server was killed"
            }
            8 => {
                self.stage.server.stop(BOUND).await;
                self.stage.server.start_again().await;
                "the server was stopped and started"
            }
            // Not each time, so that a runner grows old.
            11 if turn % 96 == 47 => {
                self.runner.process().kill();
                self.runner = Runner::start_again_with(&self.stage.home, self.agent.program(), &OPTIONS);
                "the runner was killed"
            }
            _ => "",
        }
    }

    /// The watchdog stays as long as its runner.
    async fn only_the_watchdog_is_left(&mut self) {
        let known = [pid(self.stage.server.process()), pid(self.runner.process())];
        eventually("the end of all that the runs started", BOUND, async || {
            (processes_of(self.stage.directory(), &known).len() <= 1).then_some(())
        })
        .await;
    }

    async fn leaves_nothing(self) {
        let (stage, agent) = (self.stage, self.agent);
        assert_eq!(self.runner.stop(BOUND).await.code(), Some(0));
        let server = pid(stage.server.process());
        eventually("the end of the watchdog", BOUND, async || {
            processes_of(stage.directory(), &[server]).is_empty().then_some(())
        })
        .await;
        assert_eq!(locks(stage.directory()), Vec::<String>::new(), "locks are left");
        let names = ["for-each-ref", "--format=%(refname:lstrip=3)", "refs/svc/runs"];
        for run in stage.home.git(&stage.repo.clone, &names).await.lines() {
            assert!(stage.home.runs().join(run).is_dir(), "{run} is gone");
        }
        let kept = stage.home.git(&stage.repo.clone, &["rev-list", "--glob=refs/svc/kept/**"]).await;
        let delivered = stage.repo.in_origin(&["rev-list", "--all"]).await;
        let found: BTreeSet<&str> = kept.lines().chain(delivered.lines()).collect();
        let made = agent.note("made").await;
        let lost: Vec<&str> = made.lines().filter(|commit| !found.contains(commit)).collect();
        let (made, delivered) = (made.lines().count(), delivered.lines().count());
        println!("{made} commits were made; origin has {delivered}, {} are lost", lost.len());
        assert!(lost.is_empty(), "{lost:?}");
    }
}

fn report(first: &Sample, last: &Sample) {
    println!("\n{:<32}{:>12}{:>12}", "", "at the start", "at the end");
    for ((name, before), (_, after)) in first.rows.iter().zip(&last.rows) {
        println!("{name:<32}{before:>12}{after:>12}");
    }
    println!("the runner of the end is {}", if first.runner == last.runner { "the same" } else { "another" });
}

fn pid(process: &Process) -> i32 {
    process.pid().as_raw_nonzero().get()
}

/// Those of which a run may still go on.
fn latest(items: &[String]) -> &[String] {
    &items[items.len().saturating_sub(40)..]
}

/// Hands a new item to the agent; answers its key.
async fn begin(stage: &Stage, title: &str) -> String {
    let item = stage.new_item(title).await;
    stage.start_run(&item.key).await;
    item.key
}

/// A run that delivers, seen to its end.
async fn warm_up(stage: &Stage) {
    let mut item = stage.new_item("Warm up").await;
    while kind(&item.key) != 0 {
        item = stage.new_item("Warm up").await;
    }
    let run = stage.start_run(&item.key).await;
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Succeeded);
}

/// What the agent does about an item.
fn kind(key: &str) -> u32 {
    key.rsplit('-').next().unwrap().parse::<u32>().unwrap() % 8
}

/// The runs of these items that have not ended, oldest first.
async fn waiting(stage: &Stage, items: &[String]) -> Vec<String> {
    let mut left = Vec::new();
    for key in items {
        left.extend(stage.item(key).await.live_run);
    }
    left
}

/// How all runs of these items ended. Those that still go on are cancelled.
async fn ends_of(stage: &Stage, items: &[String]) -> BTreeMap<String, u32> {
    eventually("the end of every run", BOUND, async || {
        let left = waiting(stage, items).await;
        for run in &left {
            let _ = stage.home.svc(&["run", "cancel", run]).await;
        }
        left.is_empty().then_some(())
    })
    .await;
    let org = stage.client().org(stage.org());
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    for key in items {
        let runs = all_pages(async |page| org.item_runs(key, &page).await).await.unwrap();
        for run in runs {
            let reason = run.failure_reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            *ends.entry(format!("{:?}{reason}", run.status)).or_default() += 1;
        }
    }
    ends
}
