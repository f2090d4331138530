//! Recurring schedules: what they make when they are due, what they skip and say, and that each due time fires once.

use http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;
use svc_testkit::scopes;

use crate::stage::Stage;

const SCHEDULES: &str = "/orgs/demo/projects/PRJ/schedules";

fn hourly() -> Value {
    json!({
        "name": "Hourly", "cron": "0 * * * *", "timeZone": "europe/berlin", "playbook": "implement",
        "type": "task", "title": "Tidy up, {date} {time}", "body": "Week {week}.", "labels": ["auto"],
    })
}

/// A schedule of every hour; its address.
async fn schedule(stage: &Stage, more: Value) -> String {
    let mut body = hourly();
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = stage.post_as(&stage.owner, SCHEDULES, body).await;
    format!("{SCHEDULES}/{}", made["id"].as_str().unwrap())
}

async fn view(stage: &Stage, path: &str) -> Value {
    stage.get(path, &stage.operator).await.is(200).json
}

async fn firings(stage: &Stage, path: &str) -> Vec<Value> {
    view(stage, &format!("{path}/firings")).await.as_array().unwrap().clone()
}

async fn change(stage: &Stage, path: &str, change: Value) -> Value {
    let mut body = json!({"version": view(stage, path).await["version"]});
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    stage.call(Method::PATCH, path, &stage.owner, Some(body)).await.is(200).json
}

/// Time goes on to this much after the next due time, and the jobs run.
async fn due(stage: &Stage, path: &str, after: SignedDuration) -> Timestamp {
    let due: Timestamp = view(stage, path).await["nextRuns"][0].as_str().unwrap().parse().unwrap();
    stage.kit.advance(due.duration_since(stage.kit.now()) + after);
    jobs(stage).await;
    due
}

async fn jobs(stage: &Stage) {
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
}

async fn cancel(stage: &Stage, run: &Value) {
    let path = format!("/orgs/demo/runs/{}/cancel", run.as_str().unwrap());
    stage.post_as(&stage.owner, &path, json!({})).await;
}

#[tokio::test]
async fn a_due_time_makes_an_item_and_hands_it_to_the_agent_once() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let made = view(&stage, &path).await;
    assert_eq!((&made["timeZone"], &made["paused"]), (&json!("Europe/Berlin"), &json!(false)), "{made}");
    assert_eq!(made["nextRuns"].as_array().unwrap().len(), 3);
    jobs(&stage).await;
    assert!(firings(&stage, &path).await.is_empty(), "it is not due yet");

    let at = due(&stage, &path, SignedDuration::from_secs(5)).await;
    jobs(&stage).await;
    let (app, beside) = (&stage.kit.app, stage.beside().0.app);
    futures::future::try_join_all([app, &beside, app].map(|app| svc_workers::run_jobs(app))).await.unwrap();
    let fired = firings(&stage, &path).await;
    assert_eq!(fired.len(), 1, "{fired:?}");
    assert_eq!(fired[0]["at"], json!(at));
    let item = stage.view_item(fired[0]["item"].as_str().unwrap()).await;
    let local = at.to_zoned(jiff::tz::TimeZone::get("Europe/Berlin").unwrap());
    assert_eq!(item["title"], json!(format!("Tidy up, {}", local.strftime("%Y-%m-%d %H:%M"))));
    assert_eq!((&item["type"], &item["labels"]), (&json!("task"), &json!(["auto"])));
    assert_eq!(item["createdBy"]["name"], "ada");
    let run = stage.view_run(fired[0]["run"].as_str().unwrap()).await;
    assert_eq!(
        (&run["status"], &run["item"], &run["requestedBy"]["name"]),
        (&json!("queued"), &item["key"], &json!("ada"))
    );
    assert!(run["promptSnapshot"].as_str().unwrap().contains("Tidy up, "), "{run}");
    assert_eq!(view(&stage, &path).await["lastItem"], item["key"]);
    stage.consistent().await;
}

#[tokio::test]
async fn of_two_workers_at_the_same_moment_one_fires() {
    let stage = Stage::new().await;
    let paths = [schedule(&stage, json!({})).await, schedule(&stage, json!({"name": "Other"})).await];
    let next: Timestamp = view(&stage, &paths[0]).await["nextRuns"][0].as_str().unwrap().parse().unwrap();
    stage.kit.advance(next.duration_since(stage.kit.now()));
    let apps: Vec<_> = (0..4).map(|_| stage.beside().0.app).collect();
    futures::future::join_all(apps.iter().map(|app| svc_workers::run_jobs(app))).await;
    jobs(&stage).await;
    for path in paths {
        let fired = firings(&stage, &path).await;
        assert_eq!(fired.len(), 1, "{fired:?}");
        assert!(fired[0]["run"].is_string(), "{fired:?}");
    }
    stage.consistent().await;
}

#[tokio::test]
async fn it_is_skipped_while_the_last_item_has_a_live_run() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    let fired = firings(&stage, &path).await;
    assert_eq!(fired[0]["skippedReason"], "PRJ-1, which this schedule made last, has a live run.");
    assert!(fired[0]["item"].is_null() && fired[0]["run"].is_null());
    cancel(&stage, &fired[1]["run"]).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    assert_eq!(firings(&stage, &path).await[0]["item"], "PRJ-2", "a skipped firing uses no number");
    stage.consistent().await;
}

/// A clock that was set back failed the schedule every minute until its next due time, and each try used a number.
#[tokio::test]
async fn a_due_time_that_comes_again_is_passed_over() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let at = due(&stage, &path, SignedDuration::ZERO).await;
    let run = firings(&stage, &path).await[0]["run"].clone();
    cancel(&stage, &run).await;
    stage.kit.advance(SignedDuration::from_mins(-2));
    change(&stage, &path, json!({"paused": true})).await;
    change(&stage, &path, json!({"paused": false})).await;
    assert_eq!(due(&stage, &path, SignedDuration::ZERO).await, at, "the same time is due again");
    assert_eq!(firings(&stage, &path).await.len(), 1);
    assert!(due(&stage, &path, SignedDuration::ZERO).await > at);
    assert_eq!(firings(&stage, &path).await[0]["item"], "PRJ-2", "what is passed over uses no number");
    stage.consistent().await;
}

#[tokio::test]
async fn it_is_skipped_while_the_last_item_has_a_live_run_in_another_project() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    cancel(&stage, &firings(&stage, &path).await[0]["run"]).await;
    stage.post_as(&stage.owner, "/orgs/demo/projects", json!({"key": "WEB", "name": "Web"})).await;
    let moved = "/orgs/demo/items/PRJ-1/transfer";
    let version = stage.view_item("PRJ-1").await["version"].clone();
    stage.post_as(&stage.owner, moved, json!({"project": "WEB", "version": version})).await;
    let playbook = json!({"name": "Check", "instructions": "Look at it.", "harness": "harness_1"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/WEB/playbooks", playbook).await;
    stage.post_as(&stage.owner, "/orgs/demo/items/WEB-1/runs", json!({"playbook": "check"})).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    let fired = firings(&stage, &path).await;
    assert!(fired[0]["skippedReason"].as_str().unwrap().ends_with("has a live run."), "{fired:?}");
}

#[tokio::test]
async fn after_a_time_without_servers_the_last_due_time_fires() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let first = due(&stage, &path, SignedDuration::from_hours(50) + SignedDuration::from_mins(10)).await;
    let fired = firings(&stage, &path).await;
    assert_eq!(fired.len(), 1, "{fired:?}");
    let last = first + SignedDuration::from_hours(50);
    assert_eq!((&fired[0]["at"], &fired[0]["missedSince"]), (&json!(last), &json!(first)));
    assert_eq!(view(&stage, &path).await["nextRuns"][0], json!(last + SignedDuration::from_hours(1)));
}

#[tokio::test]
async fn it_acts_with_the_rights_that_who_saved_it_has_then() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let (_, chief) = stage.project_admin().await;
    let body = json!({"version": 1, "name": "Mine"});
    let saved = stage.call(Method::PATCH, &path, &chief, Some(body)).await.is(200);
    assert_eq!(saved.json["savedBy"]["name"], "eve");
    due(&stage, &path, SignedDuration::ZERO).await;
    let why = "The person who saved the schedule may no longer start AI work.";
    assert_eq!(firings(&stage, &path).await[0]["skippedReason"], why);
    let paused = view(&stage, &path).await;
    assert_eq!((&paused["paused"], &paused["pausedReason"]), (&json!(true), &json!(why)));
    assert_eq!(paused["nextRuns"], json!([]));
    stage.kit.advance(SignedDuration::from_hours(5));
    jobs(&stage).await;
    assert_eq!(firings(&stage, &path).await.len(), 1, "a paused schedule does nothing");
    // Somebody who may resumes it.
    let resumed = change(&stage, &path, json!({"paused": false})).await;
    assert!(resumed["pausedReason"].is_null() && resumed["paused"] == false, "{resumed}");
    due(&stage, &path, SignedDuration::ZERO).await;
    assert!(firings(&stage, &path).await[0]["run"].is_string());
    // Who may not start runs does not fire it by hand either.
    let refused = stage.call(Method::POST, &format!("{path}/fire"), &chief, None).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "factory-not-permitted"));
    stage.consistent().await;
}

#[tokio::test]
async fn what_a_run_would_be_refused_for_is_the_reason() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let agents = stage.get("/orgs/demo/agents", &stage.owner).await.json;
    let agent = format!("/orgs/demo/agents/{}", agents[0]["id"].as_str().unwrap());
    let off = json!({"version": agents[0]["version"], "disabled": true});
    assert_eq!(stage.call(Method::PATCH, &agent, &stage.owner, Some(off)).await.status, StatusCode::OK);
    due(&stage, &path, SignedDuration::ZERO).await;
    let fired = firings(&stage, &path).await;
    assert_eq!(fired[0]["skippedReason"], "All agents are disabled. Enable one, or create another.");
    let shown = view(&stage, &path).await;
    assert_eq!((&shown["paused"], &shown["lastSkippedReason"]), (&json!(false), &fired[0]["skippedReason"]));
    assert!(change(&stage, &path, json!({"name": "Mended"})).await["lastSkippedReason"].is_null());

    let archive = json!({"version": 1, "archived": true});
    stage.call(Method::PATCH, "/orgs/demo/projects/PRJ", &stage.owner, Some(archive)).await.is(200);
    due(&stage, &path, SignedDuration::ZERO).await;
    let reason = firings(&stage, &path).await[0]["skippedReason"].as_str().unwrap().to_owned();
    assert!(reason.contains("archived"), "{reason}");
    let items = stage.get("/orgs/demo/projects/PRJ/items", &stage.owner).await.json;
    assert_eq!(items["totalCount"], 0, "{items}");
    stage.consistent().await;
}

/// They fought for the row of all of them: numbers of items were drawn and not used, and some fired a minute late.
#[tokio::test]
async fn those_of_a_project_that_are_due_together_use_every_number() {
    let stage = Stage::new().await;
    let mut paths = Vec::new();
    for n in 0..10 {
        paths.push(schedule(&stage, json!({"name": format!("Hourly {n}")})).await);
    }
    due(&stage, &paths[0], SignedDuration::ZERO).await;
    let items = stage.get("/orgs/demo/projects/PRJ/items", &stage.owner).await.json;
    let mut keys: Vec<_> =
        items["items"].as_array().unwrap().iter().map(|item| item["key"].clone()).collect();
    keys.sort_by_key(|key| key.as_str().map(str::len).zip(key.as_str().map(str::to_owned)));
    assert_eq!(keys, (1..=10).map(|n| json!(format!("PRJ-{n}"))).collect::<Vec<_>>());
    stage.consistent().await;
}

/// It was skipped for ever, and said that what it names can be restored.
#[tokio::test]
async fn it_pauses_once_what_it_names_can_no_longer_be_restored() {
    for named in ["playbook", "agent"] {
        let stage = Stage::new().await;
        let path = schedule(&stage, json!({"agent": "Builder"})).await;
        let list = match named {
            "agent" => "/orgs/demo/agents",
            _ => "/orgs/demo/projects/PRJ/playbooks",
        };
        let id = stage.get(list, &stage.owner).await.json[0]["id"].as_str().unwrap().to_owned();
        stage.call(Method::DELETE, &format!("{list}/{id}"), &stage.owner, None).await;
        due(&stage, &path, SignedDuration::ZERO).await;
        let shown = view(&stage, &path).await;
        let why = shown["lastSkippedReason"].as_str().unwrap();
        assert!(shown["paused"] == false && why.contains("Restore it within its 30 days"), "{shown}");
        due(&stage, &path, SignedDuration::from_hours(30 * 24)).await;
        let shown = view(&stage, &path).await;
        let why = shown["pausedReason"].as_str().unwrap_or_default();
        assert!(shown["paused"] == true && why.contains("can no longer be restored"), "{shown}");
        stage.consistent().await;
    }
}

/// Who deletes a runner is not told which schedules name it.
#[tokio::test]
async fn what_was_deleted_is_named_as_the_reason_until_another_one_is_chosen() {
    let (stage, machine) = Stage::with_runner().await;
    let path = schedule(&stage, json!({"runner": "box"})).await;
    let reason = async || view(&stage, &path).await["lastSkippedReason"].clone();
    let gone = format!("/orgs/demo/runners/{}", machine.id);
    stage.call(Method::DELETE, &gone, &stage.owner, None).await.is(204);
    due(&stage, &path, SignedDuration::ZERO).await;
    assert_eq!(
        reason().await,
        "The runner that this schedule names was deleted. Choose another one, or none for any."
    );
    change(&stage, &path, json!({"runner": null})).await;
    due(&stage, &path, SignedDuration::ZERO).await;
    let shown = view(&stage, &path).await;
    assert!(shown["lastSkippedReason"].is_null() && shown["lastItem"] == "PRJ-1", "{shown}");
    stage.consistent().await;
}

#[tokio::test]
async fn its_runs_have_the_harness_that_it_chooses() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({"harness": "harness_2"})).await;
    assert_eq!(view(&stage, &path).await["harness"], "harness_2");
    let fire = async || {
        let fired = stage.call(Method::POST, &format!("{path}/fire"), &stage.owner, None).await;
        let run = stage.view_run(fired.json["run"].as_str().unwrap()).await;
        cancel(&stage, &run["id"]).await;
        stage.kit.advance(SignedDuration::from_secs(1));
        run["harness"].clone()
    };
    assert_eq!(fire().await, "harness_2");
    change(&stage, &path, json!({"name": "Other"})).await;
    assert_eq!(fire().await, "harness_2", "another change leaves it");
    let changed = change(&stage, &path, json!({"harness": null})).await;
    assert_eq!((&changed["harness"], fire().await), (&Value::Null, json!("harness_1")));
    for unknown in [json!("harness_9"), json!("codex")] {
        let mut body = hourly();
        body["harness"] = unknown;
        let refused = stage.call(Method::POST, SCHEDULES, &stage.owner, Some(body)).await.is(422);
        assert!(refused.json["errors"]["harness"].is_array(), "{}", refused.text);
    }
    stage.consistent().await;
}

#[tokio::test]
async fn a_person_fires_it_now_and_its_due_times_stay() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({"paused": true})).await;
    let fired = stage.call(Method::POST, &format!("{path}/fire"), &stage.owner, None).await.is(200);
    assert_eq!((&fired.json["item"], &fired.json["firedBy"]["name"]), (&json!("PRJ-1"), &json!("ada")));
    let again = stage.call(Method::POST, &format!("{path}/fire"), &stage.owner, None).await;
    assert_eq!((again.status, again.problem()), (StatusCode::CONFLICT, "live-run-exists"), "{}", again.text);
    assert_eq!(view(&stage, &path).await["paused"], true);
    assert_eq!(firings(&stage, &path).await, [fired.json]);
    stage.consistent().await;
}

#[tokio::test]
async fn an_edit_moves_what_is_due_and_a_deleted_schedule_does_nothing() {
    let stage = Stage::new().await;
    let path = schedule(&stage, json!({})).await;
    let before = view(&stage, &path).await["nextRuns"].clone();
    let renamed = change(&stage, &path, json!({"name": "Tidy", "labels": []})).await;
    assert_eq!((&renamed["nextRuns"], &renamed["version"]), (&before, &json!(2)));
    let daily = change(&stage, &path, json!({"cron": "30 3 * * *"})).await;
    assert_ne!(daily["nextRuns"], before);
    stage.consistent().await;
    let stale = json!({"version": 1, "name": "Late"});
    let stale = stage.call(Method::PATCH, &path, &stage.owner, Some(stale)).await;
    assert_eq!(stale.problem(), "stale-version");
    stage.call(Method::DELETE, &path, &stage.owner, None).await.is(204);
    stage.kit.advance(SignedDuration::from_hours(48));
    jobs(&stage).await;
    assert_eq!(stage.get("/orgs/demo/projects/PRJ/items", &stage.owner).await.json["totalCount"], 0);
    assert_eq!(stage.get(&path, &stage.owner).await.status, StatusCode::NOT_FOUND);
    stage.consistent().await;
}

#[tokio::test]
async fn what_is_wrong_is_named_with_what_to_write_instead() {
    let stage = Stage::new().await;
    for (field, value, why) in [
        ("cron", json!("61 * * * *"), "`61 * * * *`: minutes go from 0 to 59."),
        ("cron", json!("* * * * *"), "more often than every 5 minutes"),
        ("timeZone", json!("Berlin"), "Did you mean Europe/Berlin?"),
        ("title", json!(""), "Give a title"),
        ("type", json!("subtask"), "Choose another type"),
        ("playbook", json!("nope"), "nope"),
        ("agent", json!("nope"), "nope"),
        ("runner", json!("nope"), "nope"),
    ] {
        let mut body = hourly();
        body[field] = value;
        let reply = stage.call(Method::POST, SCHEDULES, &stage.owner, Some(body)).await;
        assert!(reply.status.is_client_error() && reply.text.contains(why), "{field}: {}", reply.text);
    }
    let asked = json!({"cron": "0 2 * * *", "timeZone": "Europe/Berlin"});
    let path = "/orgs/demo/projects/PRJ/schedule-preview";
    let shown = stage.post_as(&stage.operator, path, asked).await;
    assert_eq!(shown["nextRuns"].as_array().unwrap().len(), 3, "{shown}");
}

#[tokio::test]
async fn who_left_the_organization_starts_nothing() {
    let stage = Stage::new().await;
    let user = stage.kit.user(&stage.org, "finn@example.com", OrgRole::Owner, true).await;
    let token = stage.kit.token(user, scopes(), None).await;
    let made = stage.post_as(&token, SCHEDULES, hourly()).await;
    let path = format!("{SCHEDULES}/{}", made["id"].as_str().unwrap());
    let key = svc_storage::keys::member(stage.org.id, user);
    let gone = svc_storage::Op::delete(key, svc_storage::Condition::Present);
    stage.kit.app.table.commit(&svc_storage::Commit { ops: vec![gone], token: None }).await.unwrap();
    due(&stage, &path, SignedDuration::ZERO).await;
    let why = "The person who saved the schedule can no longer see the project.";
    assert_eq!(firings(&stage, &path).await[0]["skippedReason"], why);
    assert_eq!(view(&stage, &path).await["pausedReason"], why);
}

#[tokio::test]
async fn two_schedules_of_a_project_have_different_names() {
    let stage = Stage::new().await;
    let first = schedule(&stage, json!({})).await;
    let mut twin = hourly();
    twin["name"] = json!("HOURLY");
    let taken = stage.post(SCHEDULES, &stage.owner, twin).await;
    assert_eq!((taken.status, taken.problem()), (StatusCode::CONFLICT, "already-exists"), "{}", taken.text);
    assert!(taken.text.contains("A schedule with this name already exists"), "{}", taken.text);
    let other = schedule(&stage, json!({"name": "Other"})).await;
    let rename = json!({"version": 1, "name": "hourly"});
    let taken = stage.call(Method::PATCH, &other, &stage.owner, Some(rename)).await;
    assert_eq!(taken.problem(), "already-exists", "{}", taken.text);
    assert_eq!(change(&stage, &first, json!({"name": "hourly"})).await["name"], "hourly", "its own name");
}

#[tokio::test]
async fn a_word_in_braces_that_stands_for_nothing_is_refused_in_a_title() {
    let stage = Stage::new().await;
    let mut wrong = hourly();
    wrong["title"] = json!("Tidy up {day}");
    let refused = stage.post(SCHEDULES, &stage.owner, wrong).await;
    let said = "{day} is not a placeholder. Use {date}, {time} or {week}.";
    assert_eq!(refused.json["errors"]["title"][0], said, "{}", refused.text);
    schedule(&stage, json!({"title": "Tidy up { } {week} {a b}"})).await;
}
