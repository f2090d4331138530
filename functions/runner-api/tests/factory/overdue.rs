//! What does not happen in the factory is told once: runs that wait, runners that are away, budgets that are nearly used,
//! schedules that paused themselves.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::stage::Stage;

impl Stage {
    /// Time goes on, and the jobs look, two workers after one another.
    async fn after(&self, minutes: i64) {
        self.kit.advance(SignedDuration::from_mins(minutes));
        for _ in 0..2 {
            svc_workers::run_jobs(&self.kit.app).await.unwrap();
        }
        self.work_twice().await;
    }

    /// What somebody is told of this kind: about what, and in which words.
    async fn told(&self, token: &str, kind: &str) -> Vec<(String, String)> {
        let of_kind = |entry: &Value| {
            let news = entry["news"].as_array().unwrap().iter().filter(|news| news["kind"] == kind);
            let word = |name: &str| entry[name].as_str().unwrap().to_owned();
            news.map(|_| (word("title"), word("summary"))).collect::<Vec<_>>()
        };
        self.inbox(token).await.iter().flat_map(of_kind).collect()
    }
}

#[tokio::test]
async fn a_run_that_waits_for_long_and_a_runner_that_is_away_are_told_once() {
    let (stage, machine) = Stage::with_runner().await;
    assert_eq!(stage.take(&machine, "1").await.status, StatusCode::NO_CONTENT);
    let item = stage.item("Greet people").await;
    let run = stage.start(&item, json!({})).await;
    stage.after(6).await;
    let away = ("box".to_owned(), "Went offline while work is queued that it could do".to_owned());
    assert_eq!(stage.told(&stage.owner, "runnerOffline").await, std::slice::from_ref(&away));
    assert_eq!(stage.told(&stage.operator, "runWaiting").await, [], "not yet");
    for _ in 0..3 {
        stage.after(10).await;
    }
    let told = stage.told(&stage.operator, "runWaiting").await;
    let [(title, words)] = told.as_slice() else { panic!("once: {told:?}") };
    assert_eq!(title, "Greet people");
    assert!(words.contains("A run waits. ") && words.contains("No runner is online"), "{words}");
    let entry = stage.inbox(&stage.operator).await.remove(0);
    assert_eq!((&entry["itemKey"], &entry["runId"]), (&json!(item), &json!(run)));
    assert_eq!(stage.told(&stage.owner, "runnerOffline").await, [away], "it is away once");
    for token in [&stage.member, &stage.foreigner] {
        assert_eq!(stage.inbox(token).await, Vec::<Value>::new());
    }
    // It was there again, and went away again.
    stage.take(&machine, "2").await;
    stage.start(&stage.item("More").await, json!({})).await;
    stage.after(7).await;
    assert_eq!(stage.told(&stage.owner, "runnerOffline").await.len(), 2);
}

#[tokio::test]
async fn a_runner_without_work_and_a_run_that_begins_soon_are_not_told() {
    let (stage, machine) = Stage::with_runner().await;
    stage.take(&machine, "1").await;
    let in_an_hour = (stage.kit.now() + SignedDuration::from_hours(1)).to_string();
    stage.start(&stage.item("Later").await, json!({"scheduledFor": in_an_hour})).await;
    stage.after(20).await;
    assert_eq!(stage.told(&stage.owner, "runnerOffline").await, []);
    assert_eq!(stage.told(&stage.operator, "runWaiting").await, [], "it does not wait, it is not due");
}

#[tokio::test]
async fn a_budget_that_is_nearly_used_is_told_to_admins_once_a_day() {
    let stage = Stage::new().await;
    let seen = stage.get("/orgs/demo/budgets", &stage.owner).await.json;
    let budget = json!({"version": seen["version"], "runsADay": 5, "minutesADay": 1_000});
    stage.call(Method::PATCH, "/orgs/demo/budgets", &stage.owner, Some(budget)).await;
    let machine = stage.runner("box").await;
    for n in 0..4 {
        assert_eq!(stage.told(&stage.owner, "budgetNearlyUsed").await, [], "after {n} runs");
        let (run, taken) = stage.assigned(&machine, &format!("Item {n}")).await;
        let fence = taken["fence"].clone();
        stage.say(&machine, &run, "start", json!({"fence": fence})).await;
        stage.say(&machine, &run, "finish", json!({"fence": fence, "result": "succeeded"})).await;
        stage.after(1).await;
    }
    let told = ("Budget of the organization".to_owned(), "Nearly used: 80 % of runs a day.".to_owned());
    stage.after(30).await;
    assert_eq!(stage.told(&stage.owner, "budgetNearlyUsed").await, [told]);
    assert_eq!(stage.told(&stage.operator, "budgetNearlyUsed").await, [], "who administers nothing");
}

#[tokio::test]
async fn a_schedule_that_paused_itself_is_told_to_who_saved_it_until_it_is_resumed() {
    let stage = Stage::new().await;
    let schedules = "/orgs/demo/projects/PRJ/schedules";
    let new = json!({
        "name": "Hourly", "cron": "0 * * * *", "timeZone": "UTC", "playbook": "implement",
        "type": "task", "title": "Tidy up",
    });
    let made = stage.post_as(&stage.owner, schedules, new).await;
    let path = format!("{schedules}/{}", made["id"].as_str().unwrap());
    let (_, chief) = stage.project_admin().await;
    let mine = json!({"version": 1, "name": "Mine"});
    stage.call(Method::PATCH, &path, &chief, Some(mine)).await.is(200);
    stage.after(60).await;
    let why = "Paused itself. The person who saved the schedule may no longer start AI work.";
    assert_eq!(stage.told(&chief, "schedulePaused").await, [("Mine".to_owned(), why.to_owned())]);
    assert_eq!(stage.told(&stage.member, "schedulePaused").await, []);
    stage.consistent().await;
}
