//! Budgets: what waits for them, what is stopped by them, and what people see of them.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::stage::{Machine, Stage};

async fn set(stage: &Stage, mut change: Value) -> Value {
    let seen = stage.get("/orgs/demo/budgets", &stage.owner).await.json;
    change["version"] = seen["version"].clone();
    stage.call(Method::PATCH, "/orgs/demo/budgets", &stage.owner, Some(change)).await.is(200).json
}

async fn seen(stage: &Stage) -> Value {
    stage.get("/orgs/demo/budgets", &stage.operator).await.json
}

async fn is_taken(stage: &Stage, machine: &Machine, request: &str) -> Option<Value> {
    let reply = stage.take(machine, request).await;
    (reply.status == StatusCode::OK).then_some(reply.json)
}

async fn finish(stage: &Stage, machine: &Machine, taken: &Value, more: Value) {
    let (run, fence) = (taken["runId"].as_str().unwrap(), taken["fence"].clone());
    stage.say(machine, run, "start", json!({"fence": fence})).await;
    let mut report = json!({"fence": fence, "result": "succeeded"});
    report.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    stage.say(machine, run, "finish", report).await.is(204);
    stage.work().await;
}

#[tokio::test]
async fn runs_over_a_budget_wait_and_say_so() {
    let stage = Stage::new().await;
    let (one, two) = (stage.item("One").await, stage.item("Two").await);
    let (box_one, box_two) = (stage.runner("one").await, stage.runner("two").await);
    set(&stage, json!({"project": "prj", "runsAtOnce": 1})).await;
    stage.start(&one, json!({})).await;
    let waiting = stage.start(&two, json!({})).await;
    let taken = is_taken(&stage, &box_one, "1").await.unwrap();
    assert_eq!(is_taken(&stage, &box_two, "2").await, None);
    let run = stage.view_run(&waiting).await;
    let why = "The project's budget for runs at once is used up. The run begins when another run ends, or when an Admin \
               raises the budget; cancel it to free the item.";
    assert_eq!(run["waitingReason"], why, "{run}");
    let path = format!("/orgs/demo/items/{}/runs/preview", stage.item("Three").await);
    let preview = stage.post_as(&stage.operator, &path, json!({})).await;
    assert!(preview.to_string().contains("budget for runs at once"), "{preview}");

    finish(&stage, &box_one, &taken, json!({})).await;
    let taken = is_taken(&stage, &box_two, "3").await.unwrap();
    finish(&stage, &box_two, &taken, json!({})).await;
    stage.consistent().await;
}

#[tokio::test]
async fn what_a_day_used_is_counted_from_the_runs_and_ends_at_midnight() {
    let (stage, machine) = Stage::with_runner().await;
    stage.start(&stage.item("One").await, json!({})).await;
    let taken = is_taken(&stage, &machine, "1").await.unwrap();
    let (run, fence) = (taken["runId"].as_str().unwrap(), taken["fence"].clone());
    stage.say(&machine, run, "start", json!({"fence": fence})).await;
    stage.kit.advance(SignedDuration::from_mins(3));
    let used = json!({"tokens": {"input": 100, "output": 20, "cacheRead": 0, "cacheWrite": 0}, "cost": 1.5});
    finish(&stage, &machine, &taken, used).await;

    // A budget that is set late knows what was used before.
    let agent = stage.get("/orgs/demo/agents", &stage.owner).await.json[0]["name"].clone();
    set(&stage, json!({"agent": agent, "costADay": 1.0, "minutesADay": 100})).await;
    let budgets = seen(&stage).await;
    let (of_org, of_agent) = (&budgets["budgets"][0], &budgets["budgets"][1]);
    let used = json!({"runsAtOnce": 0, "runsADay": 1, "minutesADay": 3, "tokensADay": 120, "costADay": 1.5});
    assert_eq!((&of_org["used"], &of_agent["used"]), (&used, &used), "{budgets}");
    assert_eq!(of_agent["left"], json!({"minutesADay": 97, "costADay": 0.0}));
    assert_eq!(of_agent["agent"]["name"], "Builder");
    let waiting = stage.start(&stage.item("Two").await, json!({})).await;
    assert_eq!(is_taken(&stage, &machine, "2").await, None);
    let why = stage.view_run(&waiting).await["waitingReason"].clone();
    assert!(why.as_str().unwrap().contains("agent's budget for cost a day"), "{why}");
    stage.kit.advance(SignedDuration::from_hours(24));
    assert!(is_taken(&stage, &machine, "3").await.is_some(), "the next day");
    stage.consistent().await;
}

#[tokio::test]
async fn a_continue_counts_as_a_run_of_its_own() {
    let (stage, machine) = Stage::with_runner().await;
    set(&stage, json!({"runsADay": 1})).await;
    stage.start(&stage.item("One").await, json!({})).await;
    let taken = is_taken(&stage, &machine, "1").await.unwrap();
    let failed = json!({"result": "failed", "failureReason": "harness-failed", "harnessSession": "s-1"});
    finish(&stage, &machine, &taken, failed).await;
    let path = format!("/runs/{}/continue", taken["runId"].as_str().unwrap());
    let next = stage.post_as(&stage.operator, &path, json!({})).await;
    assert_eq!(is_taken(&stage, &machine, "2").await, None);
    let waiting = stage.view_run(next["id"].as_str().unwrap()).await["waitingReason"].clone();
    assert!(waiting.as_str().unwrap().contains("budget for runs a day"), "{waiting}");
    set(&stage, json!({"runsADay": 2})).await;
    assert_eq!(is_taken(&stage, &machine, "3").await.unwrap()["runId"], next["id"]);
    assert_eq!(seen(&stage).await["budgets"][0]["used"]["runsADay"], 2);
    stage.consistent().await;
}

#[tokio::test]
async fn a_run_that_uses_more_than_it_may_is_stopped() {
    let (stage, machine) = Stage::with_runner().await;
    set(&stage, json!({"minutesARun": 10, "costARun": 2.0})).await;
    for (used, expected) in [
        (json!({"cost": 2.5}), "It exceeded the limit of 2.00 US dollars per run."),
        (json!({}), "It reached the limit of 10 minutes per run."),
    ] {
        let (run, taken) = stage.assigned(&machine, "Long").await;
        let fence = taken["fence"].clone();
        stage.say(&machine, &run, "start", json!({"fence": fence})).await;
        let alive = stage.say(&machine, &run, "heartbeat", json!({"fence": fence, "cost": 1.0})).await;
        assert_eq!(alive.json["cancel"], false, "{}", alive.text);
        if used == json!({}) {
            for _ in 0..5 {
                stage.kit.advance(SignedDuration::from_mins(2));
                stage.say(&machine, &run, "log", json!({"fence": fence, "firstSeq": 1, "entries": []})).await;
            }
        }
        let mut sign = used.clone();
        sign["fence"] = fence.clone();
        let told = stage.say(&machine, &run, "heartbeat", sign.clone()).await;
        assert_eq!(told.json["cancel"], true, "{}", told.text);
        let again = stage.say(&machine, &run, "heartbeat", sign).await;
        assert_eq!(again.json["cancel"], true, "told as long as it goes on");
        let report = json!({"fence": fence, "result": "cancelled", "outcome": "Half of it."});
        stage.say(&machine, &run, "finish", report).await.is(204);
        let seen = stage.view_run(&run).await;
        assert_eq!(
            (&seen["status"], &seen["failureReason"]),
            (&json!("failed"), &json!("budget-exceeded")),
            "{seen}"
        );
        assert_eq!(seen["failureDetail"], expected);
        stage.work().await;
    }
    stage.consistent().await;
}

/// What a run has used so far counts, and is not lost with its runner.
#[tokio::test]
async fn what_a_run_at_work_has_used_counts_and_stays_known_when_nobody_says_it_again() {
    let (stage, machine) = Stage::with_runner().await;
    set(&stage, json!({"tokensADay": 100})).await;
    for (round, ending) in ["cancel", "finish", "silence"].into_iter().enumerate() {
        let (run, taken) = stage.assigned(&machine, ending).await;
        let fence = taken["fence"].clone();
        stage.say(&machine, &run, "start", json!({"fence": fence})).await;
        let tokens = json!({"input": 20, "output": 5, "cacheRead": 900, "cacheWrite": 900});
        let sign = json!({"fence": fence, "tokens": tokens, "cost": 0.5});
        assert_eq!(stage.say(&machine, &run, "heartbeat", sign).await.json["cancel"], false);
        // One that says nothing of it takes nothing back.
        stage.say(&machine, &run, "heartbeat", json!({"fence": fence})).await;
        let used = seen(&stage).await["budgets"][0]["used"]["tokensADay"].clone();
        assert_eq!(used, 25 * (round + 1), "it counts while it works");
        match ending {
            "silence" => {
                stage.kit.advance(SignedDuration::from_mins(10));
                stage.work().await;
            }
            "cancel" => {
                let path = format!("/runs/{run}/cancel");
                stage.post_as(&stage.operator, &path, json!({})).await;
            }
            _ => {
                let report = json!({"fence": fence, "result": "failed", "failureReason": "harness-failed"});
                stage.say(&machine, &run, "finish", report).await;
            }
        }
        let ended = stage.view_run(&run).await;
        assert!(ended["status"] == "failed" || ended["status"] == "cancelled", "{ended}");
        assert_eq!((&ended["tokens"], &ended["cost"]), (&tokens, &json!(0.5)), "{ending}: {ended}");
        let used = seen(&stage).await["budgets"][0]["used"]["tokensADay"].clone();
        assert_eq!(used, 25 * (round + 1), "and is counted once");
        stage.work().await;
    }
    stage.consistent().await;
}

/// It stood beside that of the next agent of the name, for ever.
#[tokio::test]
async fn the_budget_of_a_deleted_agent_can_be_taken_away_and_not_changed() {
    let stage = Stage::new().await;
    set(&stage, json!({"agent": "Builder", "runsAtOnce": 1})).await;
    let agents = stage.get("/orgs/demo/agents", &stage.owner).await.json;
    let id = agents[0]["id"].as_str().unwrap().to_owned();
    stage.call(Method::DELETE, &format!("/orgs/demo/agents/{id}"), &stage.owner, None).await;
    stage.post_as(&stage.owner, "/orgs/demo/agents", json!({"name": "Builder"})).await;
    set(&stage, json!({"agent": "Builder", "runsAtOnce": 3})).await;
    assert_eq!(seen(&stage).await["budgets"].as_array().unwrap().len(), 3);

    let version = seen(&stage).await["version"].clone();
    let more = json!({"version": version, "agent": id, "runsAtOnce": 2});
    let refused = stage.call(Method::PATCH, "/orgs/demo/budgets", &stage.owner, Some(more)).await;
    assert!(refused.text.contains("The agent Builder was deleted."), "{}", refused.text);
    set(&stage, json!({"agent": id, "runsAtOnce": null})).await;
    let left = seen(&stage).await["budgets"].as_array().unwrap().clone();
    assert_eq!((left.len(), &left[1]["limits"]["runsAtOnce"]), (2, &json!(3)), "{left:?}");
    stage.consistent().await;
}

/// Heartbeats count what the harness prints; its last word may be about the last turn only.
#[tokio::test]
async fn a_report_of_less_than_the_heartbeats_said_takes_nothing_back() {
    let (stage, machine) = Stage::with_runner().await;
    set(&stage, json!({"tokensADay": 100})).await;
    let (run, taken) = stage.assigned(&machine, "One").await;
    let fence = taken["fence"].clone();
    stage.say(&machine, &run, "start", json!({"fence": fence})).await;
    for (input, cost) in [(20, 0.5), (4, 0.1)] {
        let tokens = json!({"input": input, "output": 5, "cacheRead": 0, "cacheWrite": 0});
        stage.say(&machine, &run, "heartbeat", json!({"fence": fence, "tokens": tokens, "cost": cost})).await;
        assert_eq!(seen(&stage).await["budgets"][0]["used"]["tokensADay"], 25);
    }
    let less = json!({"input": 3, "output": 8, "cacheRead": 0, "cacheWrite": 0});
    finish(&stage, &machine, &taken, json!({"tokens": less, "cost": 0.2})).await;
    let ended = stage.view_run(&run).await;
    let most = json!({"input": 20, "output": 8, "cacheRead": 0, "cacheWrite": 0});
    assert_eq!((&ended["tokens"], &ended["cost"]), (&most, &json!(0.5)), "{ended}");
    assert_eq!(seen(&stage).await["budgets"][0]["used"]["tokensADay"], 28);
    stage.consistent().await;
}

/// Such numbers once stopped the whole factory of an organization.
#[tokio::test]
async fn numbers_that_no_run_uses_count_for_nothing() {
    let (stage, machine) = Stage::with_runner().await;
    set(&stage, json!({"tokensADay": 1000, "tokensARun": 500})).await;
    stage.start(&stage.item("One").await, json!({})).await;
    let taken = is_taken(&stage, &machine, "1").await.unwrap();
    let (run, fence) = (taken["runId"].as_str().unwrap(), taken["fence"].clone());
    stage.say(&machine, run, "start", json!({"fence": fence})).await;
    let most = json!({"input": u64::MAX, "output": u64::MAX, "cacheRead": u64::MAX, "cacheWrite": u64::MAX});
    finish(&stage, &machine, &taken, json!({"tokens": most, "cost": 1e300})).await;
    let budgets = seen(&stage).await;
    let used = &budgets["budgets"][0]["used"];
    assert_eq!((&used["tokensADay"], &used["costADay"]), (&json!(0), &json!(0.0)), "{budgets}");

    stage.start(&stage.item("Two").await, json!({})).await;
    let taken = is_taken(&stage, &machine, "2").await.unwrap();
    let (run, fence) = (taken["runId"].as_str().unwrap(), taken["fence"].clone());
    stage.say(&machine, run, "start", json!({"fence": fence})).await;
    let most = json!({"input": u64::MAX, "output": u64::MAX});
    let reply = stage.say(&machine, run, "heartbeat", json!({"fence": fence, "tokens": most})).await;
    assert_eq!(reply.json["cancel"], false, "{}", reply.text);
    assert_eq!(seen(&stage).await["budgets"][0]["used"]["tokensADay"], 0);
}

#[tokio::test]
async fn nobody_reads_the_budget_of_a_project_that_they_do_not_see() {
    let stage = Stage::new().await;
    stage.post_as(&stage.owner, "/orgs/demo/projects", json!({"key": "SEC", "name": "Secret"})).await;
    for project in ["PRJ", "SEC"] {
        set(&stage, json!({"project": project, "runsADay": 3})).await;
    }
    let projects = async |token: &str| {
        let all = stage.get("/orgs/demo/budgets", token).await.json["budgets"].clone();
        let named = |budget: &Value| budget["project"].as_str().map(str::to_owned);
        all.as_array().unwrap().iter().filter_map(named).collect::<Vec<_>>()
    };
    assert_eq!(projects(&stage.operator).await, ["PRJ"]);
    assert_eq!(projects(&stage.owner).await, ["PRJ", "SEC"]);
}

#[tokio::test]
async fn budgets_are_set_by_admins_for_what_there_is() {
    let stage = Stage::new().await;
    let change = async |token: &str, body: Value| {
        stage.call(Method::PATCH, "/orgs/demo/budgets", token, Some(body)).await
    };
    assert_eq!(change(&stage.operator, json!({"version": 0})).await.status, StatusCode::FORBIDDEN);
    assert_eq!(stage.get("/orgs/demo/budgets", &stage.member).await.status, StatusCode::FORBIDDEN);
    for (body, field) in [
        (json!({"version": 0, "project": "NOPE", "runsAtOnce": 1}), "project"),
        (json!({"version": 0, "agent": "nobody", "runsAtOnce": 1}), "agent"),
        (json!({"version": 0, "project": "PRJ", "agent": "Builder"}), "agent"),
        (json!({"version": 0, "minutesARun": 0}), "minutesARun"),
        (json!({"version": 0, "costADay": -1.0}), "costADay"),
    ] {
        let reply = change(&stage.owner, body).await.is(422);
        assert!(reply.json["errors"][field].is_array(), "{}", reply.text);
    }
    let made = change(&stage.owner, json!({"version": 0, "project": "PRJ", "runsAtOnce": 1})).await;
    assert_eq!(made.json["version"], 1, "{}", made.text);
    assert_eq!(change(&stage.owner, json!({"version": 0})).await.status, StatusCode::CONFLICT);
    let cleared = set(&stage, json!({"project": "PRJ", "runsAtOnce": null})).await;
    assert_eq!(cleared["budgets"].as_array().map(Vec::len), Some(1), "{cleared}");
    stage.consistent().await;
}
