//! What a process counts for its operators, in the text format of OpenMetrics: requests, commits, runs, and what waits.
//!
//! Nothing of it names an organization, a person or an item. What is counted begins anew with each process.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use jiff::SignedDuration;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use svc_domain::event::{Event, Occurrence, RunEvent};
use svc_domain::harness::Harness;
use svc_domain::run::{RunStatus, Tokens};
use svc_storage::StorageError;

/// The version of the service.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that it was built from, where the build said so.
pub const COMMIT: &str = match option_env!("SVC_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// Seconds between which requests are counted: the goals of the service stand among them.
const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0];

/// Seconds between which waits of runs are counted: a moment, minutes, and what a person notices the next morning.
const WAITS: [f64; 8] = [1.0, 5.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 28_800.0];

/// The media type of what [`crate::watched::metrics`] answers.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Became {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Used {
    harness: &'static str,
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Spent {
    harness: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Delivered {
    channel: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
    commit: &'static str,
}

/// The counters of a process.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    commits: Family<Outcome, Counter>,
    runs: Family<Became, Counter>,
    run_waits: Histogram,
    runs_ready: Gauge,
    oldest_run: Gauge<f64, AtomicU64>,
    tokens: Family<Used, Counter>,
    dollars: Family<Spent, Counter<f64, AtomicU64>>,
    deliveries: Family<Delivered, Counter>,
    dead_letters: Gauge,
    outbox_age: Gauge<f64, AtomicU64>,
    store_bytes: Gauge,
    store_well: Gauge,
    memory: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            commits: Family::default(),
            runs: Family::default(),
            run_waits: Histogram::new(WAITS),
            runs_ready: Gauge::default(),
            oldest_run: Gauge::default(),
            tokens: Family::default(),
            dollars: Family::default(),
            deliveries: Family::default(),
            dead_letters: Gauge::default(),
            outbox_age: Gauge::default(),
            store_bytes: Gauge::default(),
            store_well: Gauge::default(),
            memory: Gauge::default(),
        };
        metrics.register();
        metrics.begin();
        metrics
    }
}

/// What waits, and what the process takes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting {
    /// Messages that workers gave up on.
    pub(crate) dead_letters: usize,
    /// Seconds since the oldest message of the outbox was to be sent.
    pub(crate) outbox_age: f64,
    /// Bytes of the store, where the process knows them.
    pub(crate) store_bytes: Option<u64>,
    /// Whether the store reads and writes.
    pub(crate) store_well: bool,
}

impl Metrics {
    /// All that was counted, and what waits.
    pub(crate) fn text(&self, waiting: Waiting) -> String {
        self.dead_letters.set(i64::try_from(waiting.dead_letters).unwrap_or(i64::MAX));
        self.outbox_age.set(waiting.outbox_age);
        self.store_bytes.set(gauged(waiting.store_bytes));
        self.store_well.set(waiting.store_well.into());
        self.memory.set(gauged(resident_bytes()));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }

    /// Begins at 0 what may happen for the first time: a counter that is first seen at 1 tells of no increase.
    fn begin(&self) {
        for outcome in ["written", "conflict", "failed"] {
            drop(self.commits.get_or_create(&Outcome { outcome }));
        }
        for state in RunStatus::ALL {
            drop(self.runs.get_or_create(&Became { state: state.as_str() }));
        }
        for harness in Harness::ALL {
            self.spent(harness, Some(&Tokens::default()), None);
        }
        for channel in ["mail", "chat", "browser", "webhook"] {
            for outcome in ["sent", "failed"] {
                drop(self.deliveries.get_or_create(&Delivered { channel, outcome }));
            }
        }
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("svc_http_requests", "Requests, by route and status", self.requests.clone());
        let help =
            "Time until a request was answered; streams and held answers take as long as they are open";
        registry.register_with_unit("svc_http_request_duration", help, Unit::Seconds, self.durations.clone());
        registry.register("svc_commits", "Commits to the store, by outcome", self.commits.clone());
        registry.register("svc_runs", "Runs that came into a state", self.runs.clone());
        let help = "Time that runs were ready in a queue before a runner took them";
        registry.register_with_unit("svc_run_wait", help, Unit::Seconds, self.run_waits.clone());
        let help = "Queued runs that could begin, when the background job last looked";
        registry.register("svc_runs_ready", help, self.runs_ready.clone());
        let help = "How long the oldest of them had waited then";
        registry.register_with_unit("svc_runs_ready_age", help, Unit::Seconds, self.oldest_run.clone());
        let help = "Tokens of runs that ended, as their harnesses told";
        registry.register("svc_run_tokens", help, self.tokens.clone());
        let help = "US dollars of runs that ended, as their harnesses told";
        registry.register("svc_run_cost_dollars", help, self.dollars.clone());
        let help = "Attempts to deliver notifications and webhooks";
        registry.register("svc_deliveries", help, self.deliveries.clone());
        let build = Family::<Build, Gauge>::default();
        build.get_or_create(&Build { version: VERSION, commit: COMMIT }).set(1);
        registry.register("svc_build", "The version that runs, and its commit; always 1", build);
        let help = "Background messages that workers gave up on: see `svc-server doctor`";
        registry.register("svc_dead_letters", help, self.dead_letters.clone());
        let help = "Age of the oldest message that was not handed to a worker yet";
        registry.register_with_unit("svc_outbox_age", help, Unit::Seconds, self.outbox_age.clone());
        let help = "Size of the embedded store, without attachments; 0 for a store elsewhere";
        registry.register_with_unit("svc_store", help, Unit::Bytes, self.store_bytes.clone());
        let help =
            "1 where the store reads and writes; 0 where it is full, away, gone or replaced: see `/readyz`";
        registry.register("svc_store_well", help, self.store_well.clone());
        let help = "Memory of the process";
        registry.register_with_unit("process_resident_memory", help, Unit::Bytes, self.memory.clone());
    }

    /// Counts a request. `route` is the pattern that it matched, never its address.
    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let labels = Answered { method: known(method), route: route.to_owned(), status };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Counts an attempt to write.
    pub(crate) fn committed(&self, written: &Result<(), StorageError>) {
        let outcome = match written {
            Ok(()) => "written",
            Err(StorageError::Conflict { .. } | StorageError::Contention) => "conflict",
            Err(_) => "failed",
        };
        self.commits.get_or_create(&Outcome { outcome }).inc();
    }

    /// Counts that a runner took a run that waited this long.
    pub(crate) fn waited(&self, waited: SignedDuration) {
        self.run_waits.observe(waited.as_secs_f64().max(0.0));
    }

    /// Notes since when queued runs could begin.
    pub(crate) fn ready(&self, waits: impl ExactSizeIterator<Item = SignedDuration>) {
        self.runs_ready.set(i64::try_from(waits.len()).unwrap_or(i64::MAX));
        self.oldest_run.set(waits.max().unwrap_or_default().as_secs_f64());
    }

    /// Counts what a run that ended now has used.
    pub(crate) fn spent(&self, harness: Harness, tokens: Option<&Tokens>, cost: Option<f64>) {
        let harness = harness.as_str();
        if let Some(tokens) = tokens {
            let kinds = [
                ("input", tokens.input),
                ("output", tokens.output),
                ("cacheRead", tokens.cache_read),
                ("cacheWrite", tokens.cache_write),
            ];
            for (kind, many) in kinds {
                self.tokens.get_or_create(&Used { harness, kind }).inc_by(many);
            }
        }
        self.dollars.get_or_create(&Spent { harness }).inc_by(cost.unwrap_or_default());
    }

    /// Counts an attempt to deliver something: by `mail`, to a `chat`, a `browser` or a `webhook`.
    pub(crate) fn delivered(&self, channel: &'static str, arrived: bool) {
        let outcome = if arrived { "sent" } else { "failed" };
        self.deliveries.get_or_create(&Delivered { channel, outcome }).inc();
    }

    /// Counts what happened to runs in a commit.
    pub(crate) fn happened(&self, occurrences: &[Occurrence]) {
        for occurrence in occurrences {
            let state = match &occurrence.event {
                Event::Run(RunEvent::Queued(..)) => "queued",
                Event::Run(RunEvent::Taken(..)) => "assigned",
                Event::Run(RunEvent::Started(..)) => "running",
                Event::Run(RunEvent::Ended(_, _, status)) => status.as_str(),
                _ => continue,
            };
            self.runs.get_or_create(&Became { state }).inc();
        }
    }
}

/// Memory that the process takes, where the system says it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix("kB"))?;
    Some(kilobytes.trim().parse::<u64>().ok()? * 1_024)
}

/// A number as gauges hold it; 0 where it is not known.
fn gauged(number: Option<u64>) -> i64 {
    i64::try_from(number.unwrap_or_default()).unwrap_or(i64::MAX)
}

/// The method as one of few words: clients may send any.
fn known(method: &str) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}
