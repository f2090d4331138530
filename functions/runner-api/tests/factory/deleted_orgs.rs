//! Runs, runners and schedules of an organization that was deleted, and what is left of it in the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use svc_app::messages::{PurgeOrg, StopOrgRuns};
use svc_app::{BearerCredential, Caller, StorageError, identity};
use svc_domain::ids::OrgSlug;
use svc_storage::{Commit, Cursor, Key, Query, Range, Row, RowPage, Table, keys};

use crate::stage::{AREAS, Stage};

async fn delete(stage: &Stage) -> Timestamp {
    let (credential, org): (_, OrgSlug) = (BearerCredential::new(&stage.owner), "demo".parse().unwrap());
    let caller = Caller { credential: Some(&credential), org: &org };
    identity::delete_org(&stage.kit.app, caller, "demo").await.unwrap();
    stage.kit.now()
}

async fn restore(stage: &Stage) -> svc_app::Result<()> {
    let (credential, org): (_, OrgSlug) = (BearerCredential::new(&stage.owner), "demo".parse().unwrap());
    let caller = Caller { credential: Some(&credential), org: &org };
    identity::restore_org(&stage.kit.app, caller).await.map(drop)
}

#[tokio::test]
async fn the_runs_of_a_deleted_organization_are_cancelled_and_no_other_begins() {
    let (stage, machine) = Stage::with_runner().await;
    let (at_work, _) = stage.assigned(&machine, "At work").await;
    stage.say(&machine, &at_work, "start", json!({"fence": 1})).await;
    let waiting = stage.item("Waiting").await;
    let waits = stage.start(&waiting, json!({})).await;
    delete(&stage).await;
    for path in
        [format!("/runs/{at_work}"), format!("/orgs/demo/items/{waiting}/runs"), "/orgs/demo/runs".into()]
    {
        let gone = stage.get(&path, &stage.operator).await;
        assert_eq!((gone.status, gone.problem()), (StatusCode::GONE, "deleted"), "{path}: {}", gone.text);
        assert!(gone.text.contains("One of its Owners can restore it until"), "{}", gone.text);
        let hidden = stage.get(&path, &stage.foreigner).await;
        assert_eq!(hidden.status, StatusCode::NOT_FOUND, "{path}: {}", hidden.text);
    }
    let refused = stage.take(&machine, "second").await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::GONE, "deleted"), "{}", refused.text);
    let heard = stage.say(&machine, &at_work, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(heard.problem(), "assignment-ended", "a runner of any version stops at this: {}", heard.text);
    stage.work_twice().await;
    stage.consistent().await;
    restore(&stage).await.unwrap();
    assert_eq!(stage.view_run(&waits).await["status"], "cancelled");
    let heard = stage.say(&machine, &at_work, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(heard.json["cancel"], true, "{}", heard.text);
    stage.start(&waiting, json!({})).await;
    stage.consistent().await;
}

#[tokio::test]
async fn a_runner_that_does_not_come_back_ends_its_run_while_the_organization_is_deleted() {
    let (stage, machine) = Stage::with_runner().await;
    let (at_work, _) = stage.assigned(&machine, "At work").await;
    stage.say(&machine, &at_work, "start", json!({"fence": 1})).await;
    delete(&stage).await;
    stage.work().await;
    stage.kit.advance(SignedDuration::from_hours(24));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    stage.work().await;
    let live = Query::new(keys::live_pk(stage.org.id), Range::All, 10);
    assert_eq!(stage.kit.app.table.query(&live).await.unwrap().rows, vec![]);
    stage.consistent().await;
}

#[tokio::test]
async fn a_late_message_stops_nothing_of_a_restored_organization() {
    let stage = Stage::new().await;
    let at = delete(&stage).await;
    restore(&stage).await.unwrap();
    let waiting = stage.item("Waiting").await;
    let waits = stage.start(&waiting, json!({})).await;
    let late = StopOrgRuns { org: stage.org.id, at };
    svc_app::factory::stopping::stop_org_runs(&stage.kit.app, &late).await.unwrap();
    assert_eq!(stage.view_run(&waits).await["status"], "queued");
}

#[tokio::test]
async fn schedules_of_a_deleted_organization_make_nothing() {
    let stage = Stage::new().await;
    let schedule = json!({
        "name": "Hourly", "cron": "0 * * * *", "timeZone": "europe/berlin", "playbook": "implement",
        "type": "task", "title": "Tidy up",
    });
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/schedules", schedule).await;
    delete(&stage).await;
    stage.kit.advance(SignedDuration::from_hours(5));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    stage.work().await;
    restore(&stage).await.unwrap();
    let items = stage.get("/orgs/demo/projects/PRJ/items", &stage.owner).await.json;
    assert_eq!(items["items"], json!([]));
}

#[tokio::test]
async fn a_run_that_is_taken_in_that_moment_does_not_begin() {
    let (stage, machine) = Stage::with_runner().await;
    let item = stage.item("Waiting").await;
    let run = stage.start(&item, json!({})).await;
    let (beside, gate) = stage.kit.beside().gated();
    let there = beside.router(&AREAS);
    let body = json!({"harnesses": ["harness_1"], "requestId": "one", "waitSeconds": 0});
    let taking =
        svc_testkit::call(&there, http::Method::POST, "/runner/take", Some(&machine.secret), Some(body));
    let place = keys::run(stage.org.id, run.parse().unwrap());
    let (taken, _) = gate.meanwhile(place, taking, delete(&stage)).await;
    assert_ne!(taken.status, StatusCode::OK, "{}", taken.text);
    stage.work().await;
    restore(&stage).await.unwrap();
    assert_eq!(stage.view_run(&run).await["status"], "cancelled");
    stage.consistent().await;
}

/// As if it had happened a moment earlier: it comes back with the organization, or goes with it.
#[tokio::test]
async fn an_item_that_is_created_or_transferred_in_that_moment_is_whole() {
    let stage = Stage::new().await;
    stage.post_as(&stage.owner, "/orgs/demo/projects", json!({"key": "ABC", "name": "Other"})).await;
    let moving = stage.item("Moves").await;
    let (beside, gate) = stage.kit.beside().gated();
    let there = beside.router(&AREAS);
    let ask = |path: String, body| {
        let (there, owner) = (there.clone(), stage.owner.clone());
        async move { svc_testkit::call(&there, http::Method::POST, &path, Some(&owner), Some(body)).await }
    };
    let place = keys::item(stage.org.id, &"PRJ-2".parse().unwrap());
    let new = json!({"type": "task", "title": "New"});
    let creating = ask("/orgs/demo/projects/PRJ/items".to_owned(), new);
    let (created, _) = gate.meanwhile(place, creating, delete(&stage)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    stage.work().await;
    restore(&stage).await.unwrap();
    assert_eq!(stage.view_item(created.json["key"].as_str().unwrap()).await["title"], "New");

    let version = stage.view_item(&moving).await["version"].clone();
    let transfer = json!({"version": version, "project": "ABC"});
    let transferring = ask(format!("/orgs/demo/items/{moving}/transfer"), transfer);
    let old = keys::item(stage.org.id, &moving.parse().unwrap());
    let (transferred, _) = gate.meanwhile(old, transferring, delete(&stage)).await;
    stage.work().await;
    restore(&stage).await.unwrap();
    stage.work().await;
    assert!(transferred.status.is_success() || transferred.problem() == "deleted", "{}", transferred.text);
    let items = async |project: &str| {
        let path = format!("/orgs/demo/projects/{project}/items");
        stage.get(&path, &stage.owner).await.json["items"].as_array().unwrap().len()
    };
    assert_eq!(items("PRJ").await + items("ABC").await, 2);
    stage.consistent().await;
}

/// An organization with something of many kinds in it, deleted more than 30 days ago.
async fn deleted_long_ago() -> (Stage, PurgeOrg) {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Done").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    stage.post_as(&stage.operator, &format!("/runs/{run}/cancel"), json!({})).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "outcome": "cancelled"})).await;
    let left = stage.item("Left").await;
    let comment = format!("/orgs/demo/items/{left}/comments");
    stage.post_as(&stage.operator, &comment, json!({"body": "Hello"})).await;
    let other = json!({"key": "OLD", "name": "Deleted before"});
    stage.post_as(&stage.owner, "/orgs/demo/projects", other).await;
    let gone = "/orgs/demo/projects/OLD?confirm=OLD";
    stage.call(http::Method::DELETE, gone, &stage.owner, None).await.is(204);
    let at = delete(&stage).await;
    stage.work().await;
    stage.kit.advance(SignedDuration::from_hours(30 * 24 + 2));
    stage.consistent().await;
    let org = stage.org.id;
    (stage, PurgeOrg { org, at })
}

/// The rows that name the organization, but for messages and notes that lead nowhere by themselves.
async fn left_of(stage: &Stage) -> Vec<String> {
    let org = stage.org.id.to_string();
    let (mut left, mut cursor) = (Vec::new(), None);
    loop {
        let page = stage.kit.app.table.scan(500, cursor.as_ref()).await.unwrap();
        for row in page.rows {
            let passing = ["OUTBOX#", "FILEDUE#", "TOINDEX#"].iter().any(|pk| row.key.pk.starts_with(pk));
            if !passing && [&*row.key.pk, &row.key.sk, &row.doc].iter().any(|text| text.contains(&org)) {
                left.push(format!("{} {}", row.key.pk, row.key.sk));
            }
        }
        cursor = page.cursor;
        if cursor.is_none() {
            return left;
        }
    }
}

async fn purge(app: &svc_app::App, message: &PurgeOrg) {
    for _ in 0..100 {
        if identity::purge_org(app, message).await.unwrap() {
            return;
        }
    }
    panic!("it does not end");
}

#[tokio::test]
async fn after_thirty_days_nothing_is_left_and_the_slug_is_free() {
    let (stage, message) = deleted_long_ago().await;
    assert!(left_of(&stage).await.len() > 30);
    purge(&stage.kit.app, &message).await;
    purge(&stage.kit.app, &message).await;
    svc_app::search::index_waiting(&stage.kit.app).await.unwrap();
    assert_eq!(left_of(&stage).await, [] as [String; 0]);
    let slug = keys::slug(&"demo".parse().unwrap());
    assert_eq!(stage.kit.app.table.get(&slug).await.unwrap(), None);
    stage.work().await;
    stage.consistent().await;
    stage.get("/orgs/demo/runs", &stage.owner).await.is(404);
}

#[tokio::test]
async fn what_can_be_restored_is_not_taken_away() {
    let stage = Stage::new().await;
    stage.item("One").await;
    let at = delete(&stage).await;
    let message = PurgeOrg { org: stage.org.id, at };
    purge(&stage.kit.app, &message).await;
    restore(&stage).await.unwrap();
    stage.kit.advance(SignedDuration::from_hours(1));
    delete(&stage).await;
    stage.kit.advance(SignedDuration::from_hours(30 * 24));
    purge(&stage.kit.app, &message).await;
    assert!(restore(&stage).await.is_err(), "its 30 days are over");
    let item = keys::item(stage.org.id, &"PRJ-1".parse().unwrap());
    assert!(stage.kit.app.table.get(&item).await.unwrap().is_some(), "an older message takes nothing away");
}

#[tokio::test]
async fn two_workers_at_once_do_no_harm() {
    let (stage, message) = deleted_long_ago().await;
    let beside = stage.kit.beside();
    for _ in 0..100 {
        let (one, other) = tokio::join!(
            identity::purge_org(&stage.kit.app, &message),
            identity::purge_org(&beside.app, &message)
        );
        // A conflict is tried again, as workers do.
        if one.is_ok_and(|done| done) && other.is_ok_and(|done| done) {
            break;
        }
        stage.consistent().await;
    }
    svc_app::search::index_waiting(&stage.kit.app).await.unwrap();
    assert_eq!(left_of(&stage).await, [] as [String; 0]);
}

/// A table that takes so many commits and fails then.
struct Cut {
    table: Arc<dyn Table>,
    left: AtomicUsize,
}

#[async_trait::async_trait]
impl Table for Cut {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.table.query(query).await
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        match self.left.load(Ordering::SeqCst) {
            0 => Err(StorageError::Corrupt("the worker was killed".to_owned())),
            left => {
                self.left.store(left - 1, Ordering::SeqCst);
                self.table.commit(commit).await
            }
        }
    }

    async fn increment(&self, key: &Key, field: &str, n: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        self.table.increment(key, field, n, ttl).await
    }
}

/// A worker that is killed after every single commit comes to the same end, and never leaves a contradiction.
#[tokio::test]
async fn a_worker_that_is_killed_anywhere_goes_on_where_it_was() {
    let (stage, message) = deleted_long_ago().await;
    let beside = stage.kit.beside();
    let mut app = Arc::into_inner(beside.app).unwrap();
    let cut = Arc::new(Cut { table: Arc::clone(&app.table), left: AtomicUsize::new(0) });
    app.table = cut.clone();
    let mut commits = 0;
    loop {
        cut.left.store(1, Ordering::SeqCst);
        let done = identity::purge_org(&app, &message).await;
        if done.is_ok_and(|done| done) {
            break;
        }
        stage.consistent().await;
        assert!(restore(&stage).await.is_err(), "nothing half comes back");
        commits += 1;
        assert!(commits < 500, "it does not end: {:#?}", left_of(&stage).await);
    }
    assert!(commits > 10, "{commits}");
    svc_app::search::index_waiting(&stage.kit.app).await.unwrap();
    assert_eq!(left_of(&stage).await, [] as [String; 0]);
}

/// The clock of the server that restores is behind: it believes that the organization can be restored.
#[tokio::test]
async fn a_restore_in_the_moment_of_the_purge_finds_all_or_nothing() {
    let (stage, message) = deleted_long_ago().await;
    let (beside, gate) = stage.kit.beside().gated();
    let mark = keys::deleted_org(stage.org.id);
    let (_, first) = gate
        .meanwhile(mark, identity::purge_org(&beside.app, &message), async {
            identity::purge_org(&stage.kit.app, &message).await
        })
        .await;
    first.unwrap();
    let refused = restore(&stage).await.unwrap_err();
    assert!(refused.to_string().contains("deleted"), "{refused}");
    purge(&stage.kit.app, &message).await;
    svc_app::search::index_waiting(&stage.kit.app).await.unwrap();
    assert_eq!(left_of(&stage).await, [] as [String; 0]);
}
