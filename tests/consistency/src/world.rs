//! An organization on a store, two processes that serve it, the callers, and the workers when they are let.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::Method;
use jiff::SignedDuration;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use svc_app::check::{self, Report};
use svc_app::messages::{Happened, Message, Notify, Told};
use svc_app::notifications;
use svc_app::sealing::Sealing;
use svc_app::settings::BotToken;
use svc_app::tracker::attachments;
use svc_app::{App, Settings, search};
use svc_domain::identity::OrgRole;
use svc_domain::ids::{Actor, ActorId, UserId};
use svc_domain::notification::channel::Platform;
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Blobs, Queue, Table, keys};
use svc_testkit::{CountingIds, TestApp};

use crate::acts;
use crate::caller::{Caller, PROJECT};
use crate::faults::{Faults, Flaky};
use crate::pool::Pool;

/// Callers at once.
const CALLERS: usize = 6;
/// Of a hundred requests, how many are cut off.
const CUT: u32 = 8;
/// How often workers are called before they must be done.
const DRAINS: usize = 60;

/// Everything that the workload needs.
pub struct World {
    /// The store, its clock, and an application on it that never fails.
    pub kit: TestApp,
    apps: Vec<Arc<App>>,
    faults: Arc<Faults>,
    callers: Vec<Caller>,
    random: StdRng,
}

impl World {
    /// A world that a number determines, as far as threads let it.
    pub async fn new(seed: u64) -> Self {
        let mut settings = Settings::default();
        settings.rate_limits.requests_per_minute = 1_000_000;
        settings.rate_limits.authentication_per_minute = 1_000_000;
        settings.rate_limits.runner_per_minute = 1_000_000;
        settings.notifications.chat_1_bot_token = BotToken("123456:secret".into());
        settings.notifications.chat_1_bot_username = "work_bot".into();
        let kit = TestApp::with(settings.clone());
        let faults = Faults::new(seed);
        let apps: Vec<_> = (900..902).map(|instance| flaky(&kit, &settings, &faults, instance)).collect();
        let routers: Vec<_> = apps.iter().map(router).collect();
        let mut random = StdRng::seed_from_u64(seed);
        let callers = callers(&kit, &routers, &mut random).await;
        let mut world = Self { kit, apps, faults, callers, random };
        world.furnish().await;
        world
    }

    /// Some things to begin with.
    async fn furnish(&mut self) {
        let users: Vec<UserId> = self.callers.iter().map(|caller| caller.user).collect();
        let owner = &mut self.callers[0];
        let cut = std::mem::take(&mut owner.cut);
        let post = [
            ("/orgs/demo/projects".to_owned(), json!({"key": "PRJ", "name": "Project"})),
            ("/orgs/demo/projects".to_owned(), json!({"key": "WEB", "name": "Other project"})),
            (format!("{PROJECT}/teams"), json!({"key": "red", "name": "Red"})),
            ("/orgs/demo/agents".to_owned(), json!({"name": "Agent0"})),
        ];
        for (path, body) in post {
            assert!(owner.ask(Method::POST, &path, Some(body)).await.is_some(), "{path}");
        }
        for user in users {
            let path = format!("{PROJECT}/members/{user}");
            let role = Some(json!({"role": "admin"}));
            assert!(owner.ask(Method::PUT, &path, role).await.is_some(), "{path}");
        }
        owner.cut = cut;
    }

    /// Lets every caller do `acts` things, one caller after the other, and nothing fails.
    pub async fn work_quietly(&mut self, acts: usize) {
        for caller in &mut self.callers {
            caller.cut = 0;
        }
        for _ in 0..acts {
            for caller in &mut self.callers {
                acts::anything(caller).await;
            }
            self.kit.advance(SignedDuration::from_millis(100));
        }
    }

    /// Leaves one run with a runner that has said something, one in the queue, and one of a schedule.
    ///
    /// # Panics
    /// When that does not succeed.
    pub async fn hand_over(&mut self) {
        let owner = &mut self.callers[0];
        let new = Some(json!({"name": "Stage", "instructions": "Do it.", "harness": "harness_5"}));
        owner.ask(Method::POST, &format!("{PROJECT}/playbooks"), new).await.expect("a playbook");
        let made = owner.ask(Method::POST, "/orgs/demo/runners", Some(json!({"name": "Stage"}))).await;
        let secret = made.expect("a runner")["secret"].as_str().expect("a secret").to_owned();
        for _ in 0..2 {
            let new = Some(json!({"type": "task", "title": "Stage"}));
            let item = owner.ask(Method::POST, &format!("{PROJECT}/items"), new).await.expect("an item");
            let path = format!("/orgs/demo/items/{}/runs", item["key"].as_str().expect("a key"));
            let start = Some(json!({"playbook": "Stage", "agent": "Agent0"}));
            owner.ask(Method::POST, &path, start).await.expect("a run");
            let comments = path.replace("/runs", "/comments");
            let asks = Some(json!({"body": "@Agent0 then do this."}));
            owner.ask(Method::POST, &comments, asks).await.expect("a comment");
        }
        let take = json!({"harnesses": ["harness_5"], "waitSeconds": 0, "requestId": "stage"});
        let taken = owner.ask_as(&secret, Method::POST, "/runner/take", Some(take)).await.expect("a run");
        let line = json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "Hello"});
        let log = json!({"fence": taken["fence"], "firstSeq": 1, "entries": [line]});
        let path = format!("/runner/runs/{}/log", taken["runId"].as_str().expect("an id"));
        owner.ask_as(&secret, Method::POST, &path, Some(log)).await.expect("a log");
        let schedule = json!({
            "name": "Stage", "cron": "0 0 1 1 *", "playbook": "Stage", "agent": "Agent0", "type": "task", "title": "Stage"
        });
        let schedules = format!("{PROJECT}/schedules");
        let made = owner.ask(Method::POST, &schedules, Some(schedule)).await.expect("a schedule");
        let path = format!("{schedules}/{}/fire", made["id"].as_str().expect("an id"));
        owner.ask(Method::POST, &path, None).await.expect("a firing");
    }

    /// Leaves news that wait to be sent to the Owner, at once and with a digest, and one that could not be sent.
    ///
    /// # Panics
    /// When that does not succeed.
    pub async fn tell(&mut self) {
        let [owner, other, ..] = &mut self.callers[..] else { panic!("two callers") };
        let channels = "/me/notification-channels";
        let kinds = json!([{"kind": "commented", "inApp": true, "email": "off", "chat_2": "immediate", "chat_3": "digest"}]);
        let hooks = ["https://hooks.slack.com/services/T/B/c", "https://discord.com/api/webhooks/1/a"];
        let ops = json!({"type": "chat_2", "name": "Stage", "webhookUrl": hooks[0]});
        for (method, path, body) in [
            (Method::PUT, "/me/notification-preferences", kinds),
            (Method::POST, channels, json!({"type": "chat_1"})),
            (Method::POST, channels, json!({"type": "chat_2", "webhookUrl": hooks[0]})),
            (Method::POST, channels, json!({"type": "chat_3", "webhookUrl": hooks[1]})),
            (Method::POST, "/orgs/demo/notification-channels", ops),
            (
                Method::PUT,
                "/orgs/demo/notification-defaults",
                json!({"defaults": [{"kind": "commented", "email": "off"}]}),
            ),
        ] {
            assert!(owner.ask(method, path, Some(body)).await.is_some(), "{path}");
        }
        let new = Some(json!({"type": "task", "title": "Stage"}));
        let item = owner.ask(Method::POST, &format!("{PROJECT}/items"), new).await.expect("an item");
        let key = item["key"].as_str().expect("a key");
        let path = format!("/orgs/demo/items/{key}/comments");
        let said = other.ask(Method::POST, &path, Some(json!({"body": "hello"}))).await.expect("a comment");
        let row = self.kit.app.table.get(&keys::slug(&"demo".parse().expect("a slug"))).await;
        let org = row.expect("the store answers").expect("it is there").read().expect("an id");
        let told = Told::Commented {
            item: key.parse().expect("a key"),
            comment: said["id"].as_str().expect("an id").parse().expect("an id"),
        };
        let by = Some(Actor { id: ActorId::User(other.user), name: "caller".to_owned() });
        let happened = vec![Happened { by, at: self.kit.now(), told }];
        let id = self.kit.app.ids.uuid();
        let notify = Notify { org, id, happened, webhooks: Vec::new() };
        let to = Destination::Person(owner.user, Place::Chat(Platform::Chat2));
        notifications::fan_out(&self.kit.app, &notify).await.expect("the store answers");
        notifications::deliver(&self.kit.app, to).await.expect("the store answers");
    }

    /// Indexes the texts that wait.
    ///
    /// # Panics
    /// When the store does not answer.
    pub async fn index(&self) {
        while search::index_waiting(&self.kit.app).await.expect("the store answers") > 0 {}
    }

    /// Lets every caller do `acts` things at once, with faults.
    pub async fn work(&mut self, acts: usize) -> usize {
        self.faults.switch(true);
        let before: usize = self.callers.iter().map(|caller| caller.done).sum();
        let mut working = tokio::task::JoinSet::new();
        for mut caller in self.callers.drain(..) {
            let clock = Arc::clone(&self.kit.clock);
            working.spawn(async move {
                for _ in 0..acts {
                    acts::anything(&mut caller).await;
                    if caller.chance(8) {
                        acts::notifications::anything(&mut caller).await;
                    }
                    clock.advance(SignedDuration::from_millis(caller.below(200).into()));
                }
                caller
            });
        }
        while let Some(caller) = working.join_next().await {
            self.callers.push(caller.expect("no caller panics"));
        }
        self.faults.switch(false);
        self.callers.iter().map(|caller| caller.done).sum::<usize>() - before
    }

    /// Time passes, and one process works on what is due, with faults.
    pub async fn pass(&mut self) {
        let minutes = self.random.random_range(0..8);
        self.kit.advance(SignedDuration::from_mins(minutes));
        let place = self.random.random_range(0..self.apps.len());
        self.faults.switch(true);
        // What fails here is done by who comes next.
        let _ = work_once(&self.apps[place]).await;
        self.faults.switch(false);
    }

    /// Time passes until workers have nothing left to do.
    ///
    /// # Panics
    /// When they never have.
    pub async fn drain(&self) {
        for _ in 0..DRAINS {
            self.kit.advance(SignedDuration::from_mins(61));
            let done = work_once(&self.kit.app).await.expect("nothing fails");
            if done == 0 {
                // What was told to come back in a while.
                self.kit.advance(SignedDuration::from_hours(25));
                if work_once(&self.kit.app).await.expect("nothing fails") == 0 {
                    return;
                }
            }
        }
        panic!("the workers are never done");
    }

    /// What the checker says now.
    ///
    /// # Panics
    /// When the store cannot be read.
    pub async fn check(&self) -> Report {
        check::run(&self.kit.app, None).await.expect("the store answers")
    }
}

/// One round of every worker; answers how much there was to do.
async fn work_once(app: &App) -> svc_app::Result<usize> {
    let mut done = attachments::sweep(app).await?;
    svc_workers::run_jobs(app).await?;
    done += search::index_waiting(app).await?;
    loop {
        let messages = app.queue.receive(10, Duration::ZERO).await?;
        if messages.is_empty() {
            return Ok(done);
        }
        done += messages.len();
        for message in messages {
            let body: Message = serde_json::from_str(&message.body).expect("a message of ours");
            svc_workers::handle(app, &body).await?;
            app.queue.ack(&message.receipt).await?;
        }
    }
}

fn flaky(kit: &TestApp, settings: &Settings, faults: &Arc<Faults>, instance: u16) -> Arc<App> {
    let app = kit.beside().app;
    let faults = || Arc::clone(faults);
    let table: Arc<dyn Table> = Arc::new(Flaky { engine: Arc::clone(&app.table), faults: faults() });
    let blobs: Arc<dyn Blobs> = Arc::new(Flaky { engine: Arc::clone(&app.blobs), faults: faults() });
    let queue: Arc<dyn Queue> = Arc::new(Flaky { engine: Arc::clone(&app.queue), faults: faults() });
    let ids = Arc::new(CountingIds::new(Arc::clone(&kit.clock), instance));
    let app = App::new(table, blobs, queue, kit.clock.clone(), ids, settings.clone());
    Arc::new(app.with_sealing(Sealing::new(&[7; 32])))
}

fn router(app: &Arc<App>) -> Router {
    svc_http::finish(svc_local::areas().0, Arc::clone(app))
}

/// People of every role, each with a session and a token, all callers of one of the processes.
async fn callers(kit: &TestApp, routers: &[Router], random: &mut StdRng) -> Vec<Caller> {
    let org = kit.org("demo").await;
    let pool = Arc::new(Pool::default());
    let mut callers = Vec::new();
    for place in 0..CALLERS {
        let role = [OrgRole::Owner, OrgRole::Admin, OrgRole::Admin, OrgRole::Member][place.min(3)];
        let user = kit.user(&org, &format!("caller{place}@example.com"), role, true).await;
        let mut caller = Caller {
            router: routers[place % routers.len()].clone(),
            token: String::new(),
            session: kit.session(user).await,
            user,
            pool: Arc::clone(&pool),
            random: StdRng::seed_from_u64(random.random()),
            cut: 0,
            done: 0,
        };
        let new = json!({"name": "work", "scopes": ["read", "write", "admin"]});
        let made = caller.browse(Method::POST, "/me/tokens", Some(new)).await.expect("a token");
        made.json["secret"].as_str().expect("a secret").clone_into(&mut caller.token);
        caller.cut = CUT;
        callers.push(caller);
    }
    callers
}
