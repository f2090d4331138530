//! Taking runs: harnesses, chosen runners, races, repetition, give-back.

use futures::future::join_all;
use http::{Method, StatusCode};
use serde_json::json;
use svc_app::Transaction;
use svc_domain::identity::{Member, Org};
use svc_domain::ids::{RunId, UserId};
use svc_storage::{Condition, Op, keys};
use svc_testkit::call;

use crate::stage::{AREAS, Stage};

#[tokio::test]
async fn a_runner_introduces_itself_and_is_online() {
    let (stage, machine) = Stage::with_runner().await;
    let hello = json!({
        "machineId": "m-1", "label": "laptop", "clientVersion": "0.1.0", "platform": "linux-x86_64",
        "harnesses": ["harness_1", "harness_9", "harness_1"], "parallel": 2, "service": true,
    });
    let reply = stage.post("/runner/hello", &machine.secret, hello).await;
    assert_eq!((reply.status, &reply.json["organization"]), (StatusCode::OK, &json!("demo")));
    let runners = stage.get("/orgs/demo/runners", &stage.operator).await.json;
    let seen = &runners[0];
    assert_eq!((&seen["online"], &seen["label"]), (&json!(true), &json!("laptop")));
    assert_eq!((&seen["harnesses"], &seen["parallel"]), (&json!(["harness_1"]), &json!(2)));
    stage.kit.advance(jiff::SignedDuration::from_secs(61));
    let runners = stage.get("/orgs/demo/runners", &stage.operator).await.json;
    assert_eq!(runners[0]["online"], false);
}

#[tokio::test]
async fn a_runner_that_says_that_it_stops_is_offline_at_once_until_it_comes_back() {
    let (stage, machine) = Stage::with_runner().await;
    let hello = |leaving: bool| {
        json!({
            "machineId": "m-1", "clientVersion": "0.1.0", "platform": "linux-x86_64",
            "harnesses": ["harness_1"], "parallel": 1, "leaving": leaving,
        })
    };
    let online = async || stage.get("/orgs/demo/runners", &stage.operator).await.json[0]["online"].clone();
    stage.post("/runner/hello", &machine.secret, hello(false)).await;
    assert_eq!(online().await, true);
    stage.post("/runner/hello", &machine.secret, hello(true)).await.is(200);
    assert_eq!(online().await, false);
    let run = stage.start(&stage.item("Fix").await, json!({})).await;
    let waiting = stage.view_run(&run).await["waitingReason"].clone();
    assert!(waiting.as_str().unwrap().starts_with("No runner is online."), "{waiting}");
    let seen = stage.get("/orgs/demo/runners", &stage.operator).await.json;
    assert_eq!(seen[0]["harnesses"], json!(["harness_1"]), "what it said of itself stays");
    stage.post("/runner/hello", &machine.secret, hello(false)).await;
    assert_eq!(online().await, true);
    stage.post("/runner/hello", &machine.secret, hello(true)).await;
    let take = json!({"harnesses": [], "waitSeconds": 0, "requestId": "r-1"});
    stage.post("/runner/take", &machine.secret, take).await;
    assert_eq!(online().await, true, "who asks for work is there");
}

#[tokio::test]
async fn an_assignment_has_everything_that_a_runner_needs() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix it").await;
    assert_eq!((&assignment["fence"], &assignment["harness"]), (&json!(1), &json!("harness_1")));
    assert_eq!(assignment["item"], json!({"key": "PRJ-1", "type": "task", "title": "Fix it"}));
    assert_eq!(assignment["timeLimitSeconds"], 3600);
    assert_eq!(assignment["repository"]["defaultBranch"], "main");
    assert!(assignment["prompt"].as_str().unwrap().contains("Item key: PRJ-1"));
    assert!(assignment["agent"]["email"].as_str().unwrap().ends_with("@agents.svc.invalid"));
    let seen = stage.view_run(&run).await;
    assert_eq!((&seen["status"], &seen["runner"]["name"]), (&json!("assigned"), &json!("box")));
    assert_eq!(stage.view_item("PRJ-1").await["claim"]["agent"], true);
    // The agent's own token works in its project, and nowhere else.
    let token = assignment["token"].as_str().unwrap();
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::OK);
    let reply = stage.post("/orgs/demo/items/PRJ-1/runs", token, json!({})).await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_runner_is_told_where_the_repository_is_and_which_branch_is_the_default() {
    let (stage, machine) = Stage::with_runner().await;
    let change = json!({"version": 1, "pathHint": "~/code/demo", "defaultBranch": "trunk"});
    let path = "/orgs/demo/projects/PRJ/factory-settings";
    stage.call(Method::PATCH, path, &stage.owner, Some(change)).await.is(200);
    let (_, assignment) = stage.assigned(&machine, "Fix it").await;
    let repository = &assignment["repository"];
    assert_eq!(
        (&repository["source"], &repository["pathHint"], &repository["defaultBranch"]),
        (&json!("runnerLocal"), &json!("~/code/demo"), &json!("trunk"))
    );
}

#[tokio::test]
async fn a_run_is_delivered_to_the_default_branch_of_the_time_when_it_was_queued() {
    let (stage, machine) = Stage::with_runner().await;
    let settings = "/orgs/demo/projects/PRJ/factory-settings";
    let playbooks = stage.get("/orgs/demo/projects/PRJ/playbooks", &stage.owner).await.json;
    let path = format!("/orgs/demo/projects/PRJ/playbooks/{}", playbooks[0]["id"].as_str().unwrap());
    let direct = json!({"version": 1, "deliveryMode": "pushToDefaultBranch", "delivers": "nothing"});
    stage.call(Method::PATCH, &path, &stage.owner, Some(direct)).await;
    let change = |version: u32, branch: &str| json!({"version": version, "defaultBranch": branch});
    stage.call(Method::PATCH, settings, &stage.owner, Some(change(1, "trunk"))).await;
    let run = stage.start(&stage.item("Fix it").await, json!({})).await;
    stage.call(Method::PATCH, settings, &stage.owner, Some(change(2, "main"))).await;
    let branch = json!({"version": 2, "deliveryMode": "branchAndPullRequest", "delivers": "commit"});
    stage.call(Method::PATCH, &path, &stage.owner, Some(branch)).await.is(200);
    let seen = stage.view_run(&run).await;
    assert_eq!(
        (&seen["deliveryMode"], &seen["directTarget"]),
        (&json!("pushToDefaultBranch"), &json!("trunk"))
    );
    let taken = stage.take(&machine, "one").await.json;
    assert_eq!((&taken["branch"], &taken["repository"]["defaultBranch"]), (&json!("trunk"), &json!("trunk")));
    assert_eq!(taken["delivers"], "nothing");
}

#[tokio::test]
async fn of_many_runners_one_gets_the_run() {
    let stage = Stage::new().await;
    let (_other, beside) = stage.beside();
    let mut machines = Vec::new();
    for n in 0..8 {
        machines.push(stage.runner(&format!("box {n}")).await);
    }
    let key = stage.item("Contested").await;
    stage.start(&key, json!({})).await;
    let routers = [&stage.router, &beside];
    let takes = machines.iter().enumerate().map(|(n, machine)| {
        let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": format!("r{n}")});
        call(routers[n % 2], Method::POST, "/runner/take", Some(&machine.secret), Some(body))
    });
    let replies = join_all(takes).await;
    let count = |status| replies.iter().filter(|reply| reply.status == status).count();
    assert_eq!((count(StatusCode::OK), count(StatusCode::NO_CONTENT)), (1, 7));
}

#[tokio::test]
async fn a_repeated_request_is_answered_the_same_assignment() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, first) = stage.assigned(&machine, "Once").await;
    let second = stage.take(&machine, &run).await;
    assert_eq!(second.json, first);
    assert_eq!(stage.take(&machine, "another").await.status, StatusCode::NO_CONTENT);
}

/// A runner that dies between asking and hearing asks again, while a server may still be at its first call.
#[tokio::test]
async fn a_request_that_is_repeated_while_its_first_call_commits_gets_one_run() {
    let (stage, machine) = Stage::with_runner().await;
    let mut runs = Vec::new();
    for title in ["One", "Two", "Three"] {
        runs.push(stage.start(&stage.item(title).await, json!({})).await);
    }
    let (kit, gate) = stage.kit.beside().gated();
    let other = kit.router(&AREAS);
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "once"});
    let first = call(&other, Method::POST, "/runner/take", Some(&machine.secret), Some(body));
    let key = keys::run(stage.org.id, runs[0].parse().unwrap());
    // The oldest run is gone when the first call goes on, and it would take the next one.
    let (first, again) = gate.meanwhile(key, first, stage.take(&machine, "once")).await;
    assert_eq!((first.status, again.status), (StatusCode::OK, StatusCode::OK), "{}", first.text);
    assert_eq!(first.json, again.json, "both calls are answered the same assignment");
    assert_eq!(stage.view_run(&runs[1]).await["status"], "queued");
    stage.consistent().await;
    // The first call is at the second run when its repetition takes that one.
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "twice"});
    let first = call(&other, Method::POST, "/runner/take", Some(&machine.secret), Some(body));
    let key = keys::run(stage.org.id, runs[1].parse().unwrap());
    let cancelled = async {
        stage.post_as(&stage.operator, &format!("/runs/{}/cancel", runs[1]), json!({})).await;
        stage.take(&machine, "twice").await
    };
    let (first, again) = gate.meanwhile(key, first, cancelled).await;
    assert_eq!((&first.json["runId"], &again.json["runId"]), (&json!(runs[2]), &json!(runs[2])));
}

/// As long as a run lives, its request stands for it; afterwards the request is as good as new.
#[tokio::test]
async fn a_request_whose_run_was_given_back_gets_another_one() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, taken) = stage.assigned(&machine, "Busy").await;
    stage.say(&machine, &run, "give-back", json!({"fence": taken["fence"], "reason": "busy"})).await;
    let again = stage.take(&machine, &run).await.json;
    assert_eq!((&again["runId"], &again["fence"]), (&json!(run), &json!(2)));
    stage.consistent().await;
}

#[tokio::test]
async fn the_row_of_a_request_is_no_claim_to_the_run_of_another_runner() {
    let stage = Stage::new().await;
    let (machine, other) = (stage.runner("box").await, stage.runner("other").await);
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let theirs = keys::taken_run(stage.org.id, other.id.parse().unwrap(), &run);
    let (app, run_id): (_, RunId) = (&stage.kit.app, run.parse().unwrap());
    app.commit(Transaction::bookkeeping(app).with([Op::create(theirs, &run_id)])).await.unwrap();
    assert_eq!(stage.take(&other, &run).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn only_who_has_the_harness_or_was_chosen_takes_a_run() {
    let stage = Stage::new().await;
    let (chosen, other) = (stage.runner("chosen").await, stage.runner("other").await);
    let key = stage.item("Picky").await;
    let run = stage.start(&key, json!({"runner": "CHOSEN"})).await;
    assert_eq!(stage.take(&other, "1").await.status, StatusCode::NO_CONTENT);
    let seen = stage.view_run(&run).await;
    assert!(seen["waitingReason"].as_str().unwrap().contains("chosen is offline"), "{seen}");
    let seen = stage.get(&format!("/runs/{run}"), &stage.member).await.json;
    assert_eq!(seen["waitingReason"], "The chosen runner is offline.", "others learn no names of machines");
    let body = json!({"harnesses": [], "waitSeconds": 0, "requestId": "2"});
    let reply = stage.post("/runner/take", &other.secret, body).await;
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    let path = format!("/orgs/demo/runners/{}", chosen.id);
    let gone = stage.call(Method::DELETE, &path, &stage.owner, None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(stage.take(&other, "3").await.json["runId"], json!(run));
}

#[tokio::test]
async fn a_run_for_a_runner_that_is_disabled_is_anybodys() {
    let stage = Stage::new().await;
    let (chosen, other) = (stage.runner("chosen").await, stage.runner("other").await);
    let run = stage.start(&stage.item("Picky").await, json!({"runner": "chosen"})).await;
    assert_eq!(stage.take(&other, "1").await.status, StatusCode::NO_CONTENT);
    let path = format!("/orgs/demo/runners/{}", chosen.id);
    let change = json!({"version": 1, "disabled": true});
    stage.call(Method::PATCH, &path, &stage.owner, Some(change)).await.is(200);
    assert_eq!(stage.take(&other, "2").await.json["runId"], json!(run));
}

#[tokio::test]
async fn only_who_has_the_harness_that_was_chosen_takes_a_run() {
    let (stage, machine) = Stage::with_runner().await;
    let key = stage.item("Picky").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let unknown = stage.post(&path, &stage.operator, json!({"harness": "harness_9"})).await.is(422);
    assert!(unknown.json["errors"]["harness"].is_array(), "{}", unknown.text);
    stage.take(&machine, "nothing").await;
    let wanted = json!({"harness": "harness_2"});
    let seen = stage.post(&format!("{path}/preview"), &stage.operator, wanted.clone()).await.json;
    assert_eq!((&seen["harness"], &seen["startsNow"]), (&json!("harness_2"), &json!(false)), "{seen}");
    let why = "No online runner has Codex CLI. Install it on a runner, or cancel the run and start it with another harness.";
    assert_eq!(seen["waitingReason"], why);
    let run = stage.start(&key, wanted).await;
    assert_eq!(stage.view_run(&run).await["waitingReason"], why);
    assert_eq!(stage.take(&machine, "1").await.status, StatusCode::NO_CONTENT);
    let body = json!({"harnesses": ["harness_2"], "waitSeconds": 0, "requestId": "2"});
    let taken = stage.post("/runner/take", &machine.secret, body).await.json;
    assert_eq!((&taken["runId"], &taken["harness"]), (&json!(run), &json!("harness_2")));
    stage.consistent().await;
}

#[tokio::test]
async fn a_waiting_runner_learns_of_a_run_at_once_also_from_another_process() {
    let stage = Stage::new().await;
    let (_other, beside) = stage.beside();
    let machine = stage.runner("box").await;
    for (router, title) in [(&stage.router, "Here"), (&beside, "There")] {
        let key = stage.item(title).await;
        let body = json!({"harnesses": ["harness_1"], "waitSeconds": 15, "requestId": title});
        let take = call(router, Method::POST, "/runner/take", Some(&machine.secret), Some(body));
        let start = async {
            stage.until_online(&machine).await;
            stage.start(&key, json!({})).await
        };
        let (taken, run) = tokio::join!(take, start);
        assert_eq!(taken.json["runId"], json!(run), "{}", taken.text);
        stage.kit.advance(jiff::SignedDuration::from_mins(2));
    }
}

#[tokio::test]
async fn what_is_given_back_is_taken_again_under_a_new_number() {
    let stage = Stage::new().await;
    let (first, second) = (stage.runner("first").await, stage.runner("second").await);
    let (run, assignment) = stage.assigned(&first, "Busy").await;
    let reply = stage.say(&first, &run, "give-back", json!({"fence": 1, "reason": "busy elsewhere"})).await;
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert!(stage.view_item("PRJ-1").await["claim"].is_null());
    let token = assignment["token"].as_str().unwrap();
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::UNAUTHORIZED);
    let taken = stage.take(&second, "2").await.json;
    assert_eq!((&taken["runId"], &taken["fence"]), (&json!(run), &json!(2)));
    for fence in [1, 2] {
        let reply = stage.say(&first, &run, "heartbeat", json!({"fence": fence})).await;
        assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "assignment-ended"));
    }
    let log = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    assert_eq!(log["entries"][0]["text"], "first gave the run back: busy elsewhere");
}

#[tokio::test]
async fn a_runner_is_told_nothing_of_runs_that_it_never_had() {
    let stage = Stage::new().await;
    let (holder, stranger) = (stage.runner("holder").await, stage.runner("stranger").await);
    let (run, _) = stage.assigned(&holder, "Held").await;
    let reply = stage.say(&stranger, &run, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    let reply = stage
        .say(
            &stranger,
            &run,
            "log",
            json!({"fence": 1, "firstSeq": 1, "entries": [
        {"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "x"}]}),
        )
        .await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    // A runner secret opens nothing else, and nothing else opens the runner's routes.
    assert_eq!(stage.get("/orgs/demo/agents", &holder.secret).await.status, StatusCode::FORBIDDEN);
    let body = json!({"harnesses": [], "requestId": "x"});
    assert_eq!(stage.post("/runner/take", &stage.owner, body).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_token_of_a_run_works_in_its_organization_until_the_run_must_have_ended() {
    let (stage, machine) = Stage::with_runner().await;
    let (_, assignment) = stage.assigned(&machine, "Busy").await;
    let token = assignment["token"].as_str().unwrap();
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::OK);
    assert_eq!(stage.get("/orgs/other", token).await.status, StatusCode::NOT_FOUND);
    stage.kit.advance(jiff::SignedDuration::from_hours(48));
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::UNAUTHORIZED);
}

/// Freezes, looks at a queued and a scheduled run, and thaws: nothing is taken meanwhile, and each says why.
async fn nothing_is_taken_while(stage: &Stage, why: &str, freeze: impl AsyncFn(bool)) {
    let machine = stage.runner(&format!("box {why}")).await;
    let (now, later) = (stage.item("Now").await, stage.item("Later").await);
    let queued = stage.start(&now, json!({})).await;
    let due = stage.kit.now() + jiff::SignedDuration::from_secs(1);
    let scheduled = stage.start(&later, json!({"scheduledFor": due})).await;
    stage.kit.advance(jiff::SignedDuration::from_secs(2));
    freeze(true).await;
    assert_eq!(stage.take(&machine, "frozen").await.status, StatusCode::NO_CONTENT, "{why}");
    for run in [&queued, &scheduled] {
        let reason = stage.view_run(run).await["waitingReason"].clone();
        assert!(reason.as_str().is_some_and(|reason| reason.contains(why)), "{reason}");
    }
    let cancel = |run: &str| format!("/runs/{run}/cancel");
    let cancelled = stage.call(Method::POST, &cancel(&scheduled), &stage.operator, None).await;
    assert_eq!(cancelled.json["status"], "cancelled", "{}", cancelled.text);
    freeze(false).await;
    assert_eq!(stage.take(&machine, "thawed").await.json["runId"], json!(queued));
    freeze(true).await;
    let stopped = stage.call(Method::POST, &cancel(&queued), &stage.operator, None).await;
    assert_eq!(stopped.json["status"], "cancelled", "{}", stopped.text);
    let told = stage.say(&machine, &queued, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(told.json["cancel"], true, "{}", told.text);
    freeze(false).await;
}

#[tokio::test]
async fn nothing_is_taken_from_frozen_places_or_by_disabled_agents_and_all_can_be_cancelled() {
    let stage = Stage::new().await;
    let patch = async |path: &str, change: serde_json::Value| {
        let mut change = change;
        let seen = stage.get(path, &stage.owner).await.json;
        let seen = seen.as_array().map_or(&seen, |list| &list[0]);
        change["version"] = seen["version"].clone();
        let path = match path {
            "/orgs/demo/agents" => format!("{path}/{}", seen["id"].as_str().unwrap()),
            other => other.to_owned(),
        };
        stage.call(Method::PATCH, &path, &stage.owner, Some(change)).await.is(200);
    };
    nothing_is_taken_while(&stage, "archived", async |on| {
        patch("/orgs/demo/projects/PRJ", json!({"archived": on})).await;
    })
    .await;
    nothing_is_taken_while(&stage, "disabled", async |on| {
        patch("/orgs/demo/agents", json!({"disabled": on})).await;
    })
    .await;
    nothing_is_taken_while(&stage, "read-only", async |on| {
        let org = Org { read_only: on, ..stage.org.clone() };
        let write = Op::put(keys::org(org.id), Condition::Present, &org);
        stage.kit.app.commit(Transaction::bookkeeping(&stage.kit.app).with([write])).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_somebody_started_is_not_taken_while_they_may_not_start_it() {
    let (stage, machine) = Stage::with_runner().await;
    let seen_by_owner = async |run: &str| stage.get(&format!("/runs/{run}"), &stage.owner).await.json;
    let key = stage.item("Now").await;
    let due = stage.kit.now() + jiff::SignedDuration::from_secs(1);
    let run = stage.start(&key, json!({"scheduledFor": due})).await;
    stage.kit.advance(jiff::SignedDuration::from_secs(2));
    let ben = seen_by_owner(&run).await["requestedBy"]["id"].as_str().unwrap().parse().unwrap();
    let membership = keys::member(stage.org.id, UserId(ben));
    let write = async |op: Op| {
        stage.kit.app.commit(Transaction::bookkeeping(&stage.kit.app).with([op])).await.unwrap();
    };
    let may = async |may: bool| {
        let row = stage.kit.app.table.get(&membership).await.unwrap().unwrap();
        let member = Member { can_start_ai_work: may, ..row.read().unwrap() };
        write(Op::put(membership.clone(), Condition::Present, &member)).await;
    };
    may(false).await;
    assert_eq!(stage.take(&machine, "refused").await.status, StatusCode::NO_CONTENT);
    let reason = seen_by_owner(&run).await["waitingReason"].clone();
    assert!(reason.as_str().is_some_and(|reason| reason.starts_with("ben started this run")), "{reason}");
    let seen = stage.get(&format!("/runs/{run}"), &stage.member).await.json;
    assert_eq!(seen["waitingReason"], "It waits for somebody who may start AI work here.");
    may(true).await;
    assert_eq!(stage.take(&machine, "again").await.json["runId"], json!(run));

    let second = stage.start(&stage.item("Later").await, json!({})).await;
    write(Op::delete(membership.clone(), Condition::Present)).await;
    assert_eq!(stage.take(&machine, "gone").await.status, StatusCode::NO_CONTENT);
    let reason = seen_by_owner(&second).await["waitingReason"].clone();
    assert!(reason.as_str().is_some_and(|reason| reason.starts_with("ben started this run")), "{reason}");
}

#[tokio::test]
async fn an_agent_claims_subtasks_of_its_item_which_are_free_again_when_the_run_is_over() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix it").await;
    let token = assignment["token"].as_str().unwrap();
    let other = stage.item("Somebody else's").await;
    let sub = json!({"title": "Part", "estimate": 1});
    let sub = stage.post_as(token, "/orgs/demo/items/PRJ-1/subtasks", sub).await;
    let sub = sub["key"].as_str().unwrap().to_owned();
    let claim = async |key: &str| {
        let version = stage.view_item(key).await["version"].clone();
        stage.post(&format!("/orgs/demo/items/{key}/claim"), token, json!({"version": version})).await
    };
    let refused = claim(&other).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    assert_eq!(claim(&sub).await.status, StatusCode::OK);
    assert_eq!(stage.view_item(&sub).await["claim"]["holderName"], "Builder");
    let done = json!({"fence": 1, "result": "succeeded", "exitCode": 0, "outcome": "Done."});
    assert!(stage.say(&machine, &run, "start", json!({"fence": 1})).await.status.is_success());
    let finished = stage.say(&machine, &run, "finish", done).await;
    assert!(finished.status.is_success(), "{}", finished.text);
    for message in stage.kit.app.queue.receive(10, std::time::Duration::ZERO).await.unwrap() {
        let message = serde_json::from_str(&message.body).unwrap();
        svc_workers::handle(&stage.kit.app, &message).await.unwrap();
    }
    assert!(stage.view_item(&sub).await["claim"].is_null(), "released with the run");
    let history = stage.history(&sub).await;
    assert!(history.contains(&"released".to_owned()), "{history:?}");
}
