//! What others notice of an attack: while each runs, an ordinary read by another account, over a connection of its
//! own, and the memory of the server.
//!
//! Budgets of requests are out of the way (the stage raises them), so that each attack does what it can. The
//! attackers have a thread of their own and share the processors with the server, as strangers on the same machine
//! would.

mod ground;
mod kinds;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use svc_end_to_end::Stage;
use tokio::time::{Instant, sleep};

use self::kinds::KINDS;
use crate::driver::{Connection, Target};
use crate::measures::resident_megabytes;
use crate::report::{Report, Target as Budget, Unit, percentile};
use crate::seed::{people, target};

/// How long each attack lasts.
const LASTS: Duration = Duration::from_secs(10);

/// How long somebody else waits for an answer at most.
const LONGEST: Duration = Duration::from_secs(10);

/// Between two reads of somebody else.
const PAUSE: Duration = Duration::from_millis(20);

/// What reads and memory come to at most.
const READ: f64 = 200.0;
const MEMORY: f64 = 400.0;

/// Names of the attacks.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name).chain([walk::NAME])
}

/// One attack's view of what is attacked.
#[derive(Clone)]
pub(crate) struct Attack {
    target: Target,
    /// `/api/v1/orgs/{org}`.
    org: String,
    over: Arc<AtomicBool>,
    /// Requests that got any answer.
    answers: Arc<AtomicU64>,
}

impl Attack {
    fn on(stage: &Stage) -> Self {
        let org = format!("/api/v1/orgs/{}", stage.org());
        Self { target: target(stage), org, over: Arc::default(), answers: Arc::default() }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// Measures the attacks that are asked for; all where none is.
pub(crate) async fn attacks(report: &mut Report, asked: &[String]) {
    let stage = Stage::set(&[]).await;
    let run = ground::prepare(&stage).await;
    let other = Target { token: people(&stage, 1).await.remove(0), ..target(&stage) };
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    for kind in KINDS.iter().filter(|kind| wanted(kind.name)) {
        let attack = Attack::on(&stage);
        let flood = {
            let attack = attack.clone();
            move || (kind.run)(attack)
        };
        let (read, memory) = notice(&stage, &other, &attack, LASTS, flood).await;
        report.budget(format!("{}: others' reads, p99", kind.what), Budget::AtMost(READ), read, Unit::Millis);
        report.budget(format!("{}: memory", kind.what), Budget::AtMost(MEMORY), memory, Unit::Megabytes);
        report.detail("answers to the attack", attack.answers.load(Ordering::Relaxed) as f64, Unit::Count);
    }
    if wanted(walk::NAME) {
        let part = std::env::var("SVC_WALK").ok();
        walk::walk(report, &stage, &other, &run, part.as_deref()).await;
    }
}

/// What somebody else notices of an attack, which has a thread of its own: how long reads take, p99 in milliseconds, and
/// the most memory that the server has, in megabytes.
async fn notice<F: Future<Output = ()>>(
    stage: &Stage,
    other: &Target,
    attack: &Attack,
    lasts: Duration,
    flood: impl FnOnce() -> F + Send + 'static,
) -> (f64, f64) {
    let attackers = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime can be made").block_on(flood());
    });
    let (reads, peak) = somebody_else(stage, other, lasts).await;
    attack.over.store(true, Ordering::Relaxed);
    attackers.join().expect("the attackers end");
    (percentile(&reads, 0.99), peak)
}

/// Reads an item again and again while an attack lasts: how long each read took, in milliseconds, and the most
/// memory that the server had, in megabytes.
async fn somebody_else(stage: &Stage, target: &Target, lasts: Duration) -> (Vec<f64>, f64) {
    let pid = stage.server.process().pid();
    let request = target.get(&format!("/api/v1/orgs/{}/items/{}-1", stage.org(), stage.project()));
    let (began, mut reads, mut peak) = (Instant::now(), Vec::new(), 0_f64);
    while began.elapsed() < lasts {
        let asked = Instant::now();
        let answered = async {
            let mut connection = Connection::open(target.address).await?;
            connection.send(&request).await.map(|answer| answer.status)
        };
        let status = tokio::time::timeout(LONGEST, answered).await;
        assert!(matches!(status, Ok(Ok(200))), "somebody else is answered: {status:?}");
        reads.push(asked.elapsed().as_secs_f64() * 1000.0);
        peak = peak.max(resident_megabytes(pid));
        sleep(PAUSE).await;
    }
    (reads, peak)
}
