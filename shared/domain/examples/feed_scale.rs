//! How the project feed scales: microseconds per list in projects of a thousand items to a million, asked
//! again (warm) and right after a change, memory per item, and how long a packed feed takes to be read.
//!
//! `cargo run --release -p svc-domain --example feed_scale`

use std::time::Instant;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use svc_domain::claim::Claim;
use svc_domain::feed::{FeedEntry, FeedIndex, FilterContext, ListRequest, Packer, Sort, unpack};
use svc_domain::filter::Filter;
use svc_domain::ids::{Actor, ActorId, AgentId, UserId};
use svc_domain::item::{ItemType, Priority};
use svc_domain::workflow::Workflow;
use uuid::Uuid;

const SIZES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS: u64 = 400;
/// Filter, words, sort and page.
const LISTS: [(&str, &str, &str, u32); 15] = [
    ("", "", "-updated", 1),
    ("state:active priority:>=medium -label:wontfix", "", "-updated", 1),
    ("state:active", "", "-updated", 1),
    ("state:active type:bug -label:wontfix", "", "-priority", 1),
    ("state:active,resolved priority:>=high label:bug,frontend", "", "-updated", 1),
    ("assignee:@me state:active", "", "title", 1),
    ("assignee:@me label:bug+frontend estimate:>4", "", "estimate", 1),
    ("label:rare", "", "-updated", 1),
    ("sprint:current claimed:none blocked:false", "", "-priority", 1),
    ("claimed:@agent", "", "-updated", 1),
    ("remaining:none -state:closed", "", "key", 1),
    ("state:active", "", "-updated", 20),
    ("", "login timeout", "-updated", 1),
    ("state:active", "upload", "title", 1),
    ("", "qz", "-updated", 1),
];

/// A source of numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % bound as u64).unwrap_or_default()
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

fn at(second: u64) -> Timestamp {
    Timestamp::from_second(1_750_000_000 + i64::try_from(second).unwrap_or_default()).unwrap_or_default()
}

fn person(n: usize) -> Actor {
    Actor { id: ActorId::User(UserId(Uuid::from_u128(n as u128))), name: format!("Member number {n}") }
}

fn agent(n: usize) -> Actor {
    Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(n as u128))), name: format!("Agent number {n}") }
}

/// An item of a project that has lived for a while: most are closed, few are claimed.
fn entry(number: u64, dice: &mut Dice) -> FeedEntry {
    const WORDS: [&str; 24] = [
        "login",
        "timeout",
        "upload",
        "page",
        "export",
        "invoice",
        "cache",
        "report",
        "user",
        "slow",
        "broken",
        "mobile",
        "search",
        "filter",
        "upgrade",
        "database",
        "notification",
        "avatar",
        "crash",
        "empty",
        "layout",
        "retry",
        "webhook",
        "permission",
    ];
    const LABELS: [&str; 12] = [
        "bug", "frontend", "backend", "infra", "security", "design", "urgent", "wontfix", "docs", "customer",
        "test", "debt",
    ];
    const STATES: [&str; 10] = [
        "Backlog",
        "Backlog",
        "In progress",
        "In review",
        "Resolved",
        "Closed",
        "Closed",
        "Closed",
        "Closed",
        "Closed",
    ];
    let title = (0..4 + dice.below(5)).map(|_| dice.pick(&WORDS)).collect::<Vec<_>>().join(" ");
    let mut labels: Vec<String> = (0..dice.below(4)).map(|_| dice.pick(&LABELS).to_owned()).collect();
    labels.extend(dice.one_in(500).then(|| "rare".to_owned()));
    labels.sort();
    labels.dedup();
    let changed = at(number * 60 + dice.below(1_000_000) as u64);
    let effort =
        |dice: &mut Dice| (!dice.one_in(3)).then(|| dice.pick(&[0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0]));
    FeedEntry {
        number,
        version: 1,
        item_type: dice.pick(ItemType::ALL),
        title: format!("{title} {number}"),
        state: dice.pick(&STATES).to_owned(),
        priority: dice.pick(Priority::ALL),
        labels,
        estimate: effort(dice),
        remaining: effort(dice),
        assignee: (!dice.one_in(3)).then(|| person(dice.below(40))),
        parent: None,
        milestone: None,
        sprint: dice.one_in(10).then(|| format!("018f3a5e-7d1c-7000-8000-0000000000{:02}", dice.below(30))),
        rank: None,
        due: None,
        resolved_at: None,
        started_at: None,
        blocked: dice.one_in(20),
        claim: dice.one_in(200).then(|| Claim::begin(agent(dice.below(5)), changed)),
        live_run: None,
        last_run: None,
        standings: Vec::new(),
        linked_items: false,
        commenters: svc_domain::item::Commenters::default(),
        counts: Some(svc_domain::item::Counts { comments: 3, attachments: 1, changes: 4 }),
        link_urls: dice
            .one_in(3)
            .then(|| format!("https://code.example/acme/web/pull/{number}"))
            .into_iter()
            .collect(),
        created_by: person(dice.below(40)),
        created_at: at(number * 60),
        updated_at: changed,
        deleted: false,
    }
}

fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}

fn build(size: u64) -> FeedIndex {
    let Ok(project) = "PRJ".parse() else { unreachable!("PRJ is a project key") };
    let (before, start) = (resident_bytes(), Instant::now());
    let mut dice = Dice(size);
    let mut index = FeedIndex::new(project);
    for number in 1..=size {
        index.apply(entry(number, &mut dice));
    }
    let (took, bytes) = (start.elapsed(), resident_bytes().saturating_sub(before));
    read_packed(&index);
    println!(
        "{size:7} items: {:5.0} ms to take in, {:.1} µs and {} bytes resident an item",
        took.as_secs_f64() * 1e3,
        took.as_secs_f64() * 1e6 / size as f64,
        bytes / size,
    );
    index
}

/// Packs a feed, and says how long its bytes take to be read.
fn read_packed(index: &FeedIndex) {
    let Ok(project) = "PRJ".parse() else { return };
    let mut packer = Packer::default();
    packer.take(index, 0, usize::MAX);
    let packed = packer.pack(&project);
    let start = Instant::now();
    let read = unpack(project, &packed).map(|read| read.len());
    let took = start.elapsed().as_secs_f64() * 1e3;
    println!("{:7} items: {took:5.0} ms to read {} packed bytes", read.unwrap_or_default(), packed.len());
}

/// Changes an item, so that nothing is remembered, and says how long that took in microseconds.
fn touch(index: &mut FeedIndex, number: u64) -> f64 {
    let Some(mut entry) = index.get(number).cloned() else { return 0.0 };
    entry.version += 1;
    entry.updated_at = at(10_000_000 + entry.version);
    let start = Instant::now();
    index.apply(entry);
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Microseconds per list: warm, right after a change, and of that change.
fn measure(index: &mut FeedIndex, list: (&str, &str, &str, u32)) -> (u64, [f64; 3]) {
    let (filter, q, sort, page) = list;
    let workflow = Workflow::default();
    let filter = Filter::parse(filter).unwrap_or_default();
    let request = ListRequest {
        filter: &filter,
        context: FilterContext {
            me: Some(person(3).id),
            current_sprints: &["018f3a5e-7d1c-7000-8000-000000000007".to_owned()],
            named_sprints: &[],
            named_milestones: &[],
            watched: &[],
            texts: &[],
            workflow: &workflow,
            factory: false,
            zone: &TimeZone::UTC,
            claim_stale_after: SignedDuration::from_mins(5),
            now: at(10_000_000),
        },
        q: Some(q),
        described: &[],
        sort: sort.parse::<Sort>().unwrap_or_default(),
        page,
        page_size: 50,
    };
    let mut time = |change: bool| {
        let round = |n: u64| {
            let changed = if change { touch(index, n * 7 % index.len() as u64 + 1) } else { 0.0 };
            let start = Instant::now();
            let total = std::hint::black_box(index.query(&request)).total;
            (total, start.elapsed().as_secs_f64() * 1e6, changed)
        };
        let rounds: Vec<_> = (0..ROUNDS).map(round).collect();
        let total = rounds[0].0;
        (total, median(rounds.iter().map(|r| r.1).collect()), median(rounds.iter().map(|r| r.2).collect()))
    };
    let (_, cold, change) = time(true);
    let (total, warm, _) = time(false);
    (total, [warm, cold, change])
}

fn main() {
    let mut projects = SIZES.map(build);
    println!("\nµs per list of 50: warm / right after a change; growth from the smallest to the largest");
    let mut changes = [0.0_f64; SIZES.len()];
    for list in LISTS {
        let measured = [0, 1, 2, 3].map(|i| measure(&mut projects[i], list));
        let (filter, q, sort, page) = list;
        println!("\n[{filter}] q=[{q}] sort={sort} page={page}, {} to {} hits", measured[0].0, measured[3].0);
        for (i, (_, [warm, cold, change])) in measured.iter().enumerate() {
            println!("{:7} items: {warm:7.2} / {cold:8.2}", SIZES[i]);
            changes[i] = changes[i].max(*change);
        }
        let growth = |k: usize| measured[3].1[k] / measured[0].1[k];
        println!("        growth: {:7.2} / {:8.2}", growth(0), growth(1));
    }
    println!("\nµs per change (largest median): {changes:.1?}");
    for q in [
        "",
        "#99",
        "PRJ-12",
        "login",
        "up",
        "qz",
        "search crash",
        "timeout notification webhook",
        "search part",
    ] {
        let times = [0, 1, 2, 3].map(|i: usize| {
            let round = |_| {
                let start = Instant::now();
                std::hint::black_box(projects[i].autocomplete(q, 10));
                start.elapsed().as_secs_f64() * 1e6
            };
            median((0..ROUNDS / 4).map(round).collect())
        });
        println!("µs per autocomplete of [{q}]: {times:.1?}");
    }
}
