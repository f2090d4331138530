//! Where a simulation plays: an organization with an agent, playbooks, a rule, runners and items, made once with the
//! real use cases; and a scene, which is a copy of it with two servers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use svc_app::factory::playbooks::{self, NewPlaybook};
use svc_app::factory::rules::{self, NewRule};
use svc_app::factory::schedules::{self, NewSchedule};
use svc_app::factory::{agents, runners};
use svc_app::tracker::items::{self, NewItem};
use svc_app::{App, BearerCredential, Caller, check};
use svc_domain::comment::Comment;
use svc_domain::harness::Harness;
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::ids::{CommentId, ItemKey, ProjectKey, RunId, ScheduleId};
use svc_domain::item::ItemType;
use svc_domain::mention::{self, request::MentionRequest};
use svc_domain::playbook::DeliveryMode;
use svc_domain::run::Run;
use svc_storage::{Key, Row};
use svc_testkit::{CountingIds, TestApp, TestClock, scopes};
use tokio::runtime::{Builder, Runtime};
use tokio::time::advance;

use super::Schedule;
use super::blobs::NoBlobs;
use super::invariants::{self, Seen};
use super::memory::{Memory, Messages, Mutation, Readings};
use super::steps::{self, Act, Step};

/// Items of the stage.
pub(super) const ITEMS: usize = 2;
/// Runners of the stage.
pub(super) const RUNNERS: usize = 2;

/// A furnished store to copy.
pub struct Stage {
    kit: TestApp,
    rows: BTreeMap<Key, Row>,
    start: Timestamp,
    org: Org,
    person: BearerCredential,
    runners: Vec<BearerCredential>,
    items: Vec<ItemKey>,
    recurring: ScheduleId,
}

/// A run that a runner was given.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) run: RunId,
    pub(super) fence: u64,
    pub(super) item: ItemKey,
    pub(super) token: String,
}

/// A copy of the stage on which a schedule plays.
pub(super) struct Scene {
    pub(super) clock: Arc<TestClock>,
    pub(super) org: Org,
    pub(super) person: BearerCredential,
    pub(super) runners: Vec<BearerCredential>,
    pub(super) items: Vec<ItemKey>,
    pub(super) recurring: ScheduleId,
    memory: Arc<Memory>,
    queue: Arc<Messages>,
    machines: Mutex<Vec<Machine>>,
    readings: RefCell<SceneReadings>,
}

/// What rows said when they were read last.
#[derive(Default)]
struct SceneReadings {
    runs: Readings<Run>,
    comments: Readings<Comment>,
    mentions: Readings<MentionRequest>,
}

/// What a runner remembers.
#[derive(Clone, Default)]
struct Machine {
    held: Option<Held>,
    requests: usize,
}

thread_local! {
    /// One for all schedules of a thread: making one costs as much as several steps. Its time passes only while all
    /// wait: a schedule plays alike on a busy machine.
    pub(super) static RUNTIME: Runtime = {
        let mut builder = Builder::new_current_thread();
        builder.enable_all().start_paused(true).build().expect("a runtime")
    };
}

impl Stage {
    /// Furnishes it.
    ///
    /// # Panics
    /// When a use case refuses what it must not.
    pub fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(Self::furnished())
    }

    async fn furnished() -> Self {
        let kit = TestApp::new();
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let user = kit.user(&org, "ada@example.com", OrgRole::Owner, true).await;
        kit.project_member(&org, &project, user, ProjectRole::Admin).await;
        let person = BearerCredential::new(&kit.token(user, scopes(), None).await);
        let (app, key): (&App, ProjectKey) = (&kit.app, project.key.clone());
        let caller = Caller { credential: Some(&person), org: &org.slug };
        agents::create(app, caller, "Robin", None).await.expect("an agent");
        for (name, success) in [("Implement", "In review"), ("Review", "In progress")] {
            let new = NewPlaybook {
                name: name.to_owned(),
                instructions: "Do it.".to_owned(),
                harness: Harness::Harness1,
                time_limit_minutes: None,
                success_state: Some(success.to_owned()),
                failure_state: Some("Backlog".to_owned()),
                delivery_mode: DeliveryMode::BranchAndPullRequest,
                delivers: Default::default(),
                pull_request_follow_ups: false,
                project_default: name == "Implement",
            };
            playbooks::create(app, caller, &key, &new).await.expect("a playbook");
        }
        let rule = NewRule {
            name: "Review".to_owned(),
            state: "In review".to_owned(),
            playbook: "Review".to_owned(),
            ..NewRule::default()
        };
        rules::create(app, caller, &key, &rule).await.expect("a rule");
        let recurring =
            schedules::create(app, caller, &key, &schedule()).await.expect("a schedule").schedule.id;
        let mut secrets = Vec::new();
        for n in 0..RUNNERS {
            let made = runners::create(app, caller, &format!("box {n}")).await.expect("a runner");
            secrets.push(BearerCredential::new(&made.1));
        }
        let mut keys = Vec::new();
        for n in 0..ITEMS {
            let new = NewItem {
                item_type: ItemType::Task,
                title: format!("Item {n}"),
                body: String::new(),
                priority: None,
                labels: Vec::new(),
                estimate: None,
                remaining: None,
                blocked: false,
                due: None,
                sprint: None,
                milestone: None,
                assignee: None,
                parent: None,
                state: None,
                template: None,
            };
            keys.push(items::create(app, caller, &key, &new).await.expect("an item").item.key);
        }
        let mut rows = BTreeMap::new();
        let mut page = app.table.scan(1_000, None).await.expect("the store answers");
        loop {
            rows.extend(page.rows.into_iter().map(|row| (row.key.clone(), row)));
            let Some(cursor) = page.cursor else { break };
            page = app.table.scan(1_000, Some(&cursor)).await.expect("the store answers");
        }
        let start = kit.now() + SignedDuration::from_secs(60);
        Self { start, rows, org, person, runners: secrets, items: keys, recurring, kit }
    }

    /// Plays a schedule; answers what does not hold, and after which step, and a digest of all that was read and written.
    pub(super) fn play(&self, schedule: &Schedule, mutation: Option<Mutation>) -> (Result<(), String>, u64) {
        let scene = self.scene(mutation);
        let play = async {
            let mut servers = [self.server(&scene, 1_000), self.server(&scene, 1_001)];
            let mut seen = Seen::default();
            for (n, step) in schedule.0.iter().enumerate() {
                scene.perform(step, &servers).await;
                if step.failure.is_some() {
                    // A dead process comes back and knows nothing.
                    let instance = 1_002 + u16::try_from(n).unwrap_or(0);
                    servers[step.server] = self.server(&scene, instance);
                }
                if let Some(broken) = invariants::broken(&scene.memory, &scene.queue, self.org.id, &mut seen)
                {
                    return Err(format!("after step {n}, {step:?}: {broken}"));
                }
            }
            scene.settle(&servers[0], &mut seen).await
        };
        let played = RUNTIME.with(|runtime| runtime.block_on(play));
        (played, scene.memory.trace())
    }

    fn scene(&self, mutation: Option<Mutation>) -> Scene {
        let clock = Arc::new(TestClock::at(self.start));
        Scene {
            org: self.org.clone(),
            person: self.person.clone(),
            runners: self.runners.clone(),
            items: self.items.clone(),
            recurring: self.recurring,
            memory: Arc::new(Memory::new(self.rows.clone(), mutation)),
            machines: Mutex::new(vec![Machine::default(); RUNNERS]),
            readings: RefCell::default(),
            queue: Arc::new(Messages::new(Arc::clone(&clock))),
            clock,
        }
    }

    fn server(&self, scene: &Scene, instance: u16) -> App {
        let ids = Arc::new(CountingIds::new(Arc::clone(&scene.clock), instance));
        App::new(
            scene.memory.clone(),
            Arc::new(NoBlobs),
            scene.queue.clone(),
            scene.clock.clone(),
            ids,
            self.kit.app.settings.clone(),
        )
    }
}

/// What makes an item every ten minutes.
fn schedule() -> NewSchedule {
    NewSchedule {
        name: "Often".to_owned(),
        cron: "*/10 * * * *".to_owned(),
        time_zone: "UTC".to_owned(),
        playbook: "Implement".to_owned(),
        agent: None,
        runner: None,
        harness: None,
        item_type: ItemType::Task,
        title: "Look again at {time}".to_owned(),
        body: String::new(),
        labels: Vec::new(),
        paused: false,
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    async fn perform(&self, step: &Step, servers: &[App; 2]) {
        self.memory.fail_at(step.failure);
        let first = steps::perform(&step.act, &servers[step.server], self);
        match &step.meanwhile {
            // What is refused, or dies, is one way to go on.
            None => drop(first.await),
            Some((act, order)) => {
                let second = steps::perform(act, &servers[1 - step.server], self);
                self.memory.race(true);
                interleaved(first, second, *order).await;
                self.memory.race(false);
            }
        }
        self.memory.fail_at(None);
    }

    /// Nothing fails any more, no item blocks another, the schedule is paused, runners do what there is to do, and time passes: then no run may be
    /// left, and no row may contradict another.
    async fn settle(&self, app: &App, seen: &mut Seen) -> Result<(), String> {
        for item in 0..ITEMS {
            drop(steps::perform(&Act::Unlink(item), app, self).await);
        }
        drop(steps::perform(&Act::Recur(1), app, self).await);
        for _ in 0..ROUNDS {
            for runner in 0..RUNNERS {
                for act in [Act::Take(runner), Act::Begin(runner), Act::Finish(runner, 0)] {
                    drop(steps::perform(&act, app, self).await);
                }
            }
            drop(steps::work(app, 1).await);
            drop(svc_workers::run_jobs(app).await);
            self.clock.advance(SignedDuration::from_mins(2));
            if let Some(broken) = invariants::broken(&self.memory, &self.queue, self.org.id, seen) {
                return Err(format!("while it settles: {broken}"));
            }
            if self.queue.is_empty() && self.left().is_empty() {
                break;
            }
        }
        if let Some(left) = self.left().into_iter().next() {
            return Err(left);
        }
        let report = check::run(app, None).await.map_err(|error| error.to_string())?;
        // What a text says is put into the index by other workers.
        let mut found =
            report.findings.into_iter().filter(|found| OURS.iter().any(|kind| found.kind.starts_with(kind)));
        found.next().map_or(Ok(()), |found| Err(format!("{}: {}", found.row, found.problem)))
    }

    /// Runs that have not ended, and mentions that nobody answered.
    fn left(&self) -> Vec<String> {
        let asks = |key: &Key| key.sk.starts_with("MENTION#");
        let mentions = self.memory.read("ITEM#", asks, &mut self.readings.borrow_mut().mentions);
        let waits = |request: &&Rc<MentionRequest>| request.state == mention::request::State::Waiting;
        let forgotten = |request: &Rc<MentionRequest>| {
            format!("the mention in {} waits and is forgotten", request.comment)
        };
        let mentions = mentions.iter().filter(waits).map(forgotten);
        let runs = self.runs();
        let live = runs.iter().filter(|run| !run.status().is_terminal());
        let runs = live.map(|run| format!("{} is {} and forgotten", run.id, run.status()));
        mentions.chain(runs).collect()
    }

    fn runs(&self) -> Vec<Rc<Run>> {
        self.memory.read("RUN#", |key| key.sk == "RUN", &mut self.readings.borrow_mut().runs)
    }

    pub(super) fn held(&self, runner: usize) -> Option<Held> {
        self.machines.lock()[runner].held.clone()
    }

    pub(super) fn hold(&self, runner: usize, held: Held) {
        self.machines.lock()[runner].held = Some(held);
    }

    pub(super) fn next_request(&self, runner: usize) -> String {
        self.machines.lock()[runner].requests += 1;
        self.last_request(runner)
    }

    pub(super) fn last_request(&self, runner: usize) -> String {
        format!("runner {runner}, request {}", self.machines.lock()[runner].requests)
    }

    /// The comment that a person wrote last on an item.
    pub(super) fn last_comment(&self, item: usize) -> Option<CommentId> {
        let of_item = format!("#{}", self.items[item]);
        let ours = |key: &Key| key.pk.ends_with(&of_item) && key.sk.starts_with("COMMENT#");
        let comments = self.memory.read("ITEM#", ours, &mut self.readings.borrow_mut().comments);
        let written = comments.iter().filter(|comment| !comment.author.id.is_agent() && !comment.deleted);
        written.map(|comment| comment.id).max()
    }

    /// The newest run of an item.
    pub(super) fn last_run(&self, item: usize) -> Option<RunId> {
        self.runs().iter().filter(|run| run.item == self.items[item]).map(|run| run.id).max()
    }
}

/// Rounds until everything must be over: a lost runner is noticed, its run is continued twice, and each mention is
/// answered after the one before it.
const ROUNDS: usize = 40;
/// Kinds of rows that the factory is about.
const OURS: [&str; 10] = [
    "ITEM#",
    "RUN#",
    "RUNS#",
    "QUEUE#",
    "LIVE#",
    "TAKEN#",
    "FIRED#",
    "DONE#",
    "DUE",
    "PROJ#<org>#<KEY> SCHEDULES",
];

/// Two futures at once: at each of their calls, a bit says which of them goes on. A turn takes a millisecond, so that
/// who waits before trying again waits for the same turns on every machine.
pub(super) async fn interleaved<A, B>(
    first: impl Future<Output = A>,
    second: impl Future<Output = B>,
    order: u64,
) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let (mut ended, mut bits) = ([false; 2], order);
    while ended != [true; 2] {
        bits = bits.rotate_right(1);
        let turn = if ended[0] || (!ended[1] && bits & 1 == 1) { 1 } else { 0 };
        let mut goes_on = |context: &mut Context<'_>| match turn {
            0 => first.as_mut().poll(context).is_ready(),
            _ => second.as_mut().poll(context).is_ready(),
        };
        ended[turn] = poll_fn(|context| Poll::Ready(goes_on(context))).await;
        advance(Duration::from_millis(1)).await;
    }
}
