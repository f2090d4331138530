//! Lists of an organization's runs: what they show of what other processes did, and what they cost in an organization that
//! has many.

use std::collections::VecDeque;
use std::mem::take;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::{Settings, Transaction};
use svc_domain::ids::{ItemKey, RunId};
use svc_storage::{Commit, Cursor, Key, Op, Query, Range, Row, RowPage, StorageError, Table, keys};
use svc_testkit::{TestApp, call};
use tokio::sync::Notify;

use crate::stage::{AREAS, Machine, Stage};

/// Puts many more runs of the same item into the organization's list.
async fn crowd(stage: &Stage, like: &str, fifties: usize) {
    let app = &stage.kit.app;
    let row = app.table.get(&keys::run_entry(stage.org.id, like.parse().unwrap())).await.unwrap().unwrap();
    let mut entry: Value = row.read().unwrap();
    entry["status"] = json!("succeeded");
    for _ in 0..fifties {
        let places = (0..50).map(|_| Op::create(keys::run_entry(stage.org.id, RunId(app.uuid())), &entry));
        app.commit(Transaction::bookkeeping(app).with(places.collect::<Vec<_>>())).await.unwrap();
    }
}

/// Another process, which has listed the runs.
struct Other<'a> {
    stage: &'a Stage,
    router: Router,
}

impl<'a> Other<'a> {
    async fn warm(stage: &'a Stage) -> Self {
        let other = Self { stage, router: stage.beside().1 };
        other.list("").await;
        other
    }

    /// What it lists: the runs on the page, their items and states, and how many there are.
    async fn list(&self, query: &str) -> (Vec<Value>, Value) {
        let path = format!("/orgs/demo/runs?{query}");
        let reply = call(&self.router, Method::GET, &path, Some(&self.stage.owner), None).await.is(200);
        let of = |run: &Value| json!([run["id"], run["item"], run["status"]]);
        (reply.json["items"].as_array().unwrap().iter().map(of).collect(), reply.json["totalCount"].clone())
    }

    /// That it lists these.
    async fn lists(&self, query: &str, expected: &[(&str, &str, &str)]) {
        let expected: Vec<Value> =
            expected.iter().map(|(id, item, status)| json!([id, item, status])).collect();
        let total = json!(expected.len());
        assert_eq!(self.list(query).await, (expected, total), "{query}");
    }

    async fn total(&self, query: &str) -> Value {
        self.list(query).await.1
    }
}

/// A run that has failed, and the item that it was of.
async fn failed(stage: &Stage, machine: &Machine, title: &str) -> (String, String) {
    let (run, taken) = stage.assigned(machine, title).await;
    let end = json!({"fence": taken["fence"], "result": "failed", "failureReason": "workspace-failed"});
    stage.say(machine, &run, "finish", end).await;
    let item = stage.view_run(&run).await["item"].as_str().unwrap().to_owned();
    (run, item)
}

async fn transfer(stage: &Stage, item: &str, project: &str) -> String {
    let version = stage.view_item(item).await["version"].clone();
    let body = json!({"version": version, "project": project});
    let moved = stage.post_as(&stage.owner, &format!("/orgs/demo/items/{item}/transfer"), body).await;
    moved["key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_list_shows_what_another_process_just_did_to_runs() {
    let (stage, machine) = Stage::with_runner().await;
    let (first, one) = failed(&stage, &machine, "One").await;
    // Later runs have not begun within the moment that every read looks back.
    stage.kit.advance(SignedDuration::from_mins(2));
    let two = stage.item("Two").await;
    let second = stage.start(&two, json!({})).await;
    let other = Other::warm(&stage).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    let ended = (first.as_str(), one.as_str(), "failed");
    other.lists("", &[(&second, &two, "queued"), ended]).await;
    let taken = stage.take(&machine, "again").await.json;
    other.lists("", &[(&second, &two, "assigned"), ended]).await;
    stage.say(&machine, &second, "start", json!({"fence": taken["fence"]})).await;
    other.lists("project=PRJ", &[(&second, &two, "running"), ended]).await;
    other.lists("status=failed", &[ended]).await;
    let agent = stage.view_run(&second).await["agent"]["id"].clone();
    let agent = format!("agent={}", agent.as_str().unwrap());
    let end = json!({"fence": taken["fence"], "result": "failed", "failureReason": "workspace-failed"});
    stage.say(&machine, &second, "finish", end).await;
    let both = [(second.as_str(), two.as_str(), "failed"), ended];
    other.lists(&agent, &both).await;
    other.lists("status=failed", &both).await;

    let third = stage.start(&two, json!({})).await;
    other.lists("", &[(&third, &two, "queued"), both[0], both[1]]).await;
    stage.post_as(&stage.operator, &format!("/orgs/demo/runs/{third}/cancel"), json!({})).await;
    other.lists("", &[(&third, &two, "cancelled"), both[0], both[1]]).await;
    other.lists("status=cancelled", &[(&third, &two, "cancelled")]).await;
    let oldest = json!([first, one, "failed"]);
    assert_eq!(other.list("page=2&pageSize=2").await, (vec![oldest], json!(3)));
    assert_eq!(other.list("page=3&pageSize=2").await, (vec![], json!(3)));
}

#[tokio::test]
async fn a_list_shows_where_items_have_moved() {
    let stage = Stage::new().await;
    for key in ["WEB", "OPS"] {
        stage.kit.project(&stage.org, key).await;
    }
    let machine = stage.runner("box").await;
    let (first, one) = failed(&stage, &machine, "One").await;
    let (second, two) = failed(&stage, &machine, "Two").await;
    let other = Other::warm(&stage).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    other.lists("", &[(&second, &two, "failed"), (&first, &one, "failed")]).await;
    let there = transfer(&stage, &one, "WEB").await;
    assert_eq!(there, "WEB-1");
    other.lists("", &[(&second, &two, "failed"), (&first, "WEB-1", "failed")]).await;
    other.lists("project=WEB", &[(&first, "WEB-1", "failed")]).await;
    other.lists("project=PRJ", &[(&second, &two, "failed")]).await;
    // And on, after nobody looked for a while.
    assert_eq!(transfer(&stage, &there, "OPS").await, "OPS-1");
    stage.kit.advance(SignedDuration::from_mins(50));
    other.lists("project=OPS&status=failed", &[(&first, "OPS-1", "failed")]).await;
    other.lists("project=WEB", &[]).await;
    stage.work().await;
    stage.consistent().await;
}

/// More runs than the request that moves their item brings along itself: a worker brings the others.
#[tokio::test]
async fn a_list_shows_runs_that_follow_their_item_later() {
    const MANY: usize = 450;
    let stage = Stage::new().await;
    stage.kit.project(&stage.org, "WEB").await;
    let machine = stage.runner("box").await;
    let (first, one) = failed(&stage, &machine, "One").await;
    let (app, org, item) = (&stage.kit.app, stage.org.id, one.parse::<ItemKey>().unwrap());
    let row = app.table.get(&keys::run(org, first.parse().unwrap())).await.unwrap().unwrap();
    let entry = app.table.get(&keys::run_entry(org, first.parse().unwrap())).await.unwrap().unwrap();
    let (mut run, entry): (Value, Value) = (row.read().unwrap(), entry.read().unwrap());
    for _ in 0..MANY / 30 {
        let mut ops = Vec::new();
        for id in (0..30).map(|_| RunId(app.uuid())) {
            run["id"] = json!(id);
            ops.push(Op::create(keys::run(org, id), &run));
            ops.push(Op::create(keys::run_entry(org, id), &entry));
            ops.push(Op::create(keys::item_run(org, &item, id), &id));
        }
        app.commit(Transaction::bookkeeping(app).with(ops)).await.unwrap();
    }
    let other = Other::warm(&stage).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    assert_eq!(other.total("").await, MANY + 1);
    transfer(&stage, &one, "WEB").await;
    let moved = other.total("").await.as_u64().unwrap();
    assert!(moved > 0 && moved < MANY as u64, "some have followed: {moved}");
    // The marks of those are no longer among what every read looks back at.
    stage.kit.advance(SignedDuration::from_mins(2));
    assert_eq!(other.total("").await, moved);
    stage.work().await;
    assert_eq!(other.total("").await, MANY + 1);
    assert_eq!(other.total("project=WEB").await, MANY + 1);
    assert_eq!(other.total("project=PRJ").await, 0);
}

#[tokio::test]
async fn a_list_leaves_out_what_was_deleted_until_it_comes_back() {
    let (stage, machine) = Stage::with_runner().await;
    let (first, one) = failed(&stage, &machine, "One").await;
    let (second, two) = failed(&stage, &machine, "Two").await;
    let other = Other::warm(&stage).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    let both = [(second.as_str(), two.as_str(), "failed"), (first.as_str(), one.as_str(), "failed")];
    other.lists("", &both).await;
    let item = format!("/orgs/demo/items/{one}");
    for _ in 0..2 {
        stage.call(Method::DELETE, &item, &stage.owner, None).await.is(204);
        other.lists("", &both[..1]).await;
        other.lists("status=failed", &both[..1]).await;
        stage.post_as(&stage.owner, &format!("{item}/restore"), json!({})).await;
        other.lists("", &both).await;
    }
    let project = "/orgs/demo/projects/PRJ";
    let gone = stage.call(Method::DELETE, &format!("{project}?confirm=PRJ"), &stage.owner, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
    other.lists("", &[]).await;
    stage.post_as(&stage.owner, &format!("{project}/restore"), json!({})).await;
    other.lists("", &both).await;
    // What is deleted for good is never listed again, whether the list was remembered or is read anew.
    stage.call(Method::DELETE, &item, &stage.owner, None).await;
    let until = stage.kit.now() + SignedDuration::from_hours(24 * 31);
    while stage.kit.now() < until {
        stage.kit.advance(SignedDuration::from_mins(55));
        other.lists("", &both[..1]).await;
    }
    stage.work().await;
    other.lists("", &both[..1]).await;
    Other::warm(&stage).await.lists("", &both[..1]).await;
}

#[tokio::test]
async fn a_list_misses_nothing_when_the_clock_steps_back_or_nobody_asked_for_long() {
    let (stage, machine) = Stage::with_runner().await;
    let (mut known, item) = (Vec::new(), stage.item("One").await);
    let other = Other::warm(&stage).await;
    for step in [-3, -300, 61 * 60, 24 * 3_600] {
        stage.kit.advance(SignedDuration::from_secs(step));
        let run = stage.start(&item, json!({})).await;
        known.push(run.clone());
        let listed = other.list("").await;
        assert_eq!(listed.1, known.len(), "after {step} s");
        assert!(listed.0.iter().any(|listed| listed[0] == run.as_str()), "{listed:?}");
        stage.post_as(&stage.operator, &format!("/orgs/demo/runs/{run}/cancel"), json!({})).await;
        assert_eq!(other.total("status=cancelled").await, known.len(), "after {step} s");
    }
    drop(machine);
}

/// What becomes of a read of a whole list of runs.
enum Read {
    Succeeds,
    Fails,
    /// It is on its way until who asked gives up.
    Hangs,
}

/// A table whose first reads of whole lists of runs go as they are told.
struct Shaky {
    table: Arc<dyn Table>,
    next: Mutex<VecDeque<Read>>,
    hangs: Notify,
    /// Whether each of them was of the beginning of the list.
    seen: Mutex<Vec<bool>>,
    /// Rows of lists of runs that were read.
    rows: AtomicUsize,
}

impl Shaky {
    fn of(table: &Arc<dyn Table>, next: impl Into<VecDeque<Read>>) -> Arc<Self> {
        let (table, next) = (Arc::clone(table), Mutex::new(next.into()));
        Arc::new(Self {
            table,
            next,
            hangs: Notify::new(),
            seen: Mutex::default(),
            rows: AtomicUsize::new(0),
        })
    }
}

#[async_trait::async_trait]
impl Table for Shaky {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        let of_runs = keys.iter().filter(|key| key.pk.starts_with("RUNS#"));
        self.rows.fetch_add(of_runs.count(), Ordering::SeqCst);
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        if !query.pk.starts_with("RUNS#") {
            return self.table.query(query).await;
        }
        if query.range != Range::All {
            let page = self.table.query(query).await?;
            self.rows.fetch_add(page.rows.len(), Ordering::SeqCst);
            return Ok(page);
        }
        self.seen.lock().unwrap().push(query.cursor.is_none());
        let next = self.next.lock().unwrap().pop_front();
        match next.unwrap_or(Read::Succeeds) {
            Read::Succeeds => self.table.query(query).await,
            Read::Fails => Err(StorageError::Unavailable("the engine is busy".into())),
            Read::Hangs => {
                self.hangs.notify_one();
                std::future::pending().await
            }
        }
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        self.table.commit(commit).await
    }

    async fn increment(&self, key: &Key, field: &str, n: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        self.table.increment(key, field, n, ttl).await
    }

    fn alone(&self) -> Option<u64> {
        self.table.alone()
    }
}

/// After a burst, each list read all of it again for a minute.
#[tokio::test]
async fn a_process_that_is_alone_reads_the_runs_that_changed_and_no_others() {
    let mut kit = TestApp::new();
    let table = Shaky::of(&kit.app.table, []);
    Arc::get_mut(&mut kit.app).unwrap().table = table.clone();
    let stage = Stage::on(kit).await;
    let machine = stage.runner("box").await;
    let list = async |query: &str| {
        table.rows.store(0, Ordering::SeqCst);
        let listed = stage.get(&format!("/orgs/demo/runs?{query}"), &stage.owner).await.json;
        (listed["totalCount"].as_u64().unwrap(), table.rows.load(Ordering::SeqCst))
    };
    let (first, item) = failed(&stage, &machine, "One").await;
    assert_eq!(list("").await.0, 1);
    crowd(&stage, &first, 4).await;
    let two = stage.item("Two").await;
    let waiting = stage.start(&two, json!({})).await;
    assert_eq!(list("").await, (202, 201), "those that came");
    assert_eq!(list("").await, (202, 0), "and nothing twice");
    stage.post_as(&stage.operator, &format!("/orgs/demo/runs/{waiting}/cancel"), json!({})).await;
    assert_eq!(list("status=cancelled").await, (1, 1));
    stage.kit.project(&stage.org, "WEB").await;
    transfer(&stage, &item, "WEB").await;
    assert_eq!(list("project=WEB").await, (1, 1));
    assert_eq!(list("status=cancelled").await, (1, 0));
    // Another process had the store open: what it wrote is read as everywhere. The crowd was of the item that left.
    let (other, router) = stage.beside();
    let run = format!("/orgs/demo/items/{two}/runs");
    let again = call(&router, Method::POST, &run, Some(&stage.operator), Some(json!({}))).await;
    assert!(again.status.is_success(), "{}", again.text);
    assert_eq!(list("").await.0, 3);
    drop((other, router));
    stage.kit.advance(SignedDuration::from_secs(2));
    assert_eq!(list("").await.0, 3, "it is gone, and what it wrote is not");
}

#[tokio::test]
async fn the_first_list_goes_on_where_one_before_failed_or_was_given_up() {
    let (stage, machine) = Stage::with_runner().await;
    let (first, _) = failed(&stage, &machine, "One").await;
    let open = stage.start(&stage.item("Two").await, json!({})).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    crowd(&stage, &first, 80).await;
    let mut kit = stage.kit.beside();
    let app = Arc::get_mut(&mut kit.app).unwrap();
    let table = Shaky::of(&app.table, [Read::Succeeds, Read::Hangs, Read::Fails]);
    app.table = table.clone();
    let other = Other { stage: &stage, router: kit.router(&AREAS) };
    tokio::select! {
        listed = other.list("") => panic!("{listed:?}"),
        () = table.hangs.notified() => {}
    }
    // What was read already changes.
    stage.kit.advance(SignedDuration::from_mins(2));
    stage.post_as(&stage.operator, &format!("/orgs/demo/runs/{open}/cancel"), json!({})).await;
    call(&other.router, Method::GET, "/orgs/demo/runs", Some(&stage.owner), None).await.is(503);
    assert_eq!(other.total("status=cancelled").await, 1);
    assert_eq!(other.total("").await, 80 * 50 + 2);
    assert_eq!(take(&mut *table.seen.lock().unwrap()), [true, false, false, false, false]);

    // What began too long ago is begun again.
    stage.kit.advance(SignedDuration::from_mins(61));
    *table.next.lock().unwrap() = [Read::Succeeds, Read::Hangs].into();
    tokio::select! {
        listed = other.list("") => panic!("{listed:?}"),
        () = table.hangs.notified() => {}
    }
    stage.kit.advance(SignedDuration::from_mins(61));
    assert_eq!(other.total("").await, 80 * 50 + 2);
    assert_eq!(take(&mut *table.seen.lock().unwrap()), [true, false, true, false, false]);
}

/// Many runs that wait are read together, not one by one.
#[tokio::test]
async fn a_list_costs_little_where_many_runs_wait() {
    let (kit, meter) = TestApp::new().metered();
    let stage = Stage::on(kit).await;
    let mut known = Vec::new();
    for number in 0..60 {
        known.push(stage.start(&stage.item(&format!("Item {number}")).await, json!({})).await);
    }
    stage.kit.advance(SignedDuration::from_mins(2));
    let mut costs = Vec::new();
    for _ in 0..2 {
        let before = meter.spent();
        let listed = stage.get("/orgs/demo/runs?pageSize=1", &stage.owner).await.json;
        assert_eq!(listed["totalCount"], known.len());
        costs.push((meter.spent() - before).read_units);
        stage.kit.advance(SignedDuration::from_mins(2));
    }
    assert!(costs[1] <= costs[0] && costs[1] < 30, "{costs:?}");
    // Those that end are seen to end.
    for run in &known[3..7] {
        stage.post_as(&stage.operator, &format!("/orgs/demo/runs/{run}/cancel"), json!({})).await;
    }
    assert_eq!(stage.get("/orgs/demo/runs?status=cancelled", &stage.owner).await.json["totalCount"], 4);
}

/// Nothing is remembered of one organization once another is asked about.
#[tokio::test]
async fn lists_are_right_where_memory_holds_only_one_of_them() {
    let mut settings = Settings::default();
    settings.memory.max_items = 0;
    let stage = Stage::with(settings).await;
    let machine = stage.runner("box").await;
    let foreign = async || stage.get("/orgs/other/runs", &stage.foreigner).await.json["totalCount"].clone();
    for count in 1..=3 {
        failed(&stage, &machine, "Again").await;
        for _ in 0..2 {
            assert_eq!(stage.get("/orgs/demo/runs", &stage.owner).await.json["totalCount"], count);
            assert_eq!(foreign().await, 0);
        }
    }
}

#[tokio::test]
async fn a_list_of_all_runs_costs_the_same_among_many_runs() {
    let (kit, meter) = TestApp::new().metered();
    let stage = Stage::on(kit).await;
    let machine = stage.runner("box").await;
    let (first, _) = failed(&stage, &machine, "One").await;
    let mut costs = Vec::new();
    for fifties in [0, 40] {
        crowd(&stage, &first, fifties).await;
        stage.kit.advance(SignedDuration::from_mins(2));
        failed(&stage, &machine, "Newest").await;
        stage.kit.advance(SignedDuration::from_mins(2));
        for list in ["", "&project=PRJ", "&status=failed"] {
            let path = format!("/orgs/demo/runs?pageSize=1{list}");
            let mut cost = None;
            // The first reads of the organization and its people are not what is measured.
            for _ in 0..3 {
                let before = meter.spent();
                let seen = stage.get(&path, &stage.owner).await.json;
                assert_eq!(seen["items"].as_array().unwrap().len(), 1, "{seen}");
                cost = Some(meter.spent() - before);
            }
            let cost = cost.unwrap();
            costs.push((cost.round_trips, cost.waits, cost.read_units));
        }
    }
    let (few, many) = costs.split_at(3);
    assert_eq!(few, many);
}

#[tokio::test]
async fn lists_of_an_item_and_of_runs_that_have_not_ended_cost_the_same_among_many_runs() {
    let (kit, meter) = TestApp::new().metered();
    let stage = Stage::on(kit).await;
    let machine = stage.runner("box").await;
    let (working, taken) = stage.assigned(&machine, "Working").await;
    stage.say(&machine, &working, "start", json!({"fence": taken["fence"]})).await;
    let (assigned, _) = stage.assigned(&machine, "Assigned").await;
    let key = stage.item("Waiting").await;
    let later = stage.kit.now() + jiff::SignedDuration::from_mins(5);
    let scheduled = stage.start(&stage.item("Later").await, json!({"scheduledFor": later})).await;
    let queued = stage.start(&key, json!({})).await;
    let lists = [
        (format!("item={key}"), vec![queued.clone()]),
        (format!("item={key}&status=running"), vec![]),
        ("status=queued".to_owned(), vec![queued.clone(), scheduled.clone()]),
        ("status=queued&project=PRJ".to_owned(), vec![queued.clone(), scheduled.clone()]),
        ("status=assigned".to_owned(), vec![assigned]),
        ("status=running".to_owned(), vec![working]),
    ];
    // Each read is a unit at least; what a request costs beside reads is its share of the request budget.
    let mut costs: Vec<usize> = Vec::new();
    for many in [false, true] {
        if many {
            crowd(&stage, &queued, 10).await;
        }
        for (number, (filter, expected)) in lists.iter().enumerate() {
            let path = format!("/orgs/demo/runs?{filter}");
            stage.get(&path, &stage.owner).await;
            let before = meter.spent();
            let seen = stage.get(&path, &stage.owner).await.json;
            let cost = meter.spent() - before;
            let ids: Vec<String> = seen["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|run| run["id"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!((&ids, &seen["totalCount"]), (expected, &json!(expected.len())), "{filter}");
            if many {
                assert_eq!(cost.read_units, costs[number], "{filter}");
            } else {
                costs.push(cost.read_units);
            }
        }
    }
}
