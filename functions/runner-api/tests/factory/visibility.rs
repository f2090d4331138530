//! Who sees what of a run.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stage::Stage;

#[tokio::test]
async fn who_sees_the_item_sees_the_run_without_what_operators_see() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for path in [format!("/runs/{run}"), format!("/orgs/demo/runs/{run}")] {
        let seen = stage.get(&path, &stage.member).await;
        assert_eq!((seen.status, &seen.json["status"]), (StatusCode::OK, &json!("assigned")));
        assert_eq!(seen.json.get("promptSnapshot"), None);
        assert!(stage.get(&path, &stage.operator).await.json["promptSnapshot"].is_string());
        let log = stage.get(&format!("{path}/log"), &stage.member).await;
        assert_eq!((log.status, log.problem()), (StatusCode::FORBIDDEN, "factory-not-permitted"));
    }
}

#[tokio::test]
async fn another_organization_finds_nothing_byte_for_byte() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let nothing = "00000000-0000-7000-8000-000000000000";
    for suffix in ["", "/log"] {
        for base in ["/runs", "/orgs/demo/runs", "/orgs/other/runs"] {
            let there = stage.get(&format!("{base}/{run}{suffix}"), &stage.foreigner).await;
            let not = stage.get(&format!("{base}/{nothing}{suffix}"), &stage.foreigner).await;
            assert_eq!(there.status, StatusCode::NOT_FOUND, "{base}{suffix}");
            assert_eq!(there.snapshot(), not.snapshot());
        }
    }
    let wrong = stage.get(&format!("/orgs/other/runs/{run}"), &stage.operator).await;
    assert_eq!(wrong.status, StatusCode::NOT_FOUND);
    assert_eq!(stage.get("/orgs/demo/runs", &stage.foreigner).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn lists_of_items_show_live_runs_in_a_project_and_across_projects() {
    let (stage, machine) = Stage::with_runner().await;
    let (assigned, _) = stage.assigned(&machine, "First").await;
    let queued = stage.start(&stage.item("Second").await, json!({})).await;
    stage.item("Third").await;
    for token in [&stage.owner, &stage.member] {
        let runs = async |path: &str| {
            let seen = stage.get(path, token).await.is(200);
            seen.json["runs"].clone()
        };
        let across = runs("/orgs/demo/items?sort=key").await;
        let ids: Vec<&Value> = across.as_array().unwrap().iter().map(|run| &run["id"]).collect();
        assert_eq!(ids, [&json!(assigned), &json!(queued)], "{across}");
        assert_eq!(
            across,
            runs("/orgs/demo/projects/PRJ/items?sort=key").await,
            "with what the caller sees of each"
        );
        assert_eq!(runs("/orgs/demo/items?q=third").await, Value::Null);
    }
}

#[tokio::test]
async fn lists_are_newest_first_and_filtered() {
    let (stage, machine) = Stage::with_runner().await;
    let (assigned, _) = stage.assigned(&machine, "First").await;
    stage.kit.advance(jiff::SignedDuration::from_secs(1));
    let key = stage.item("Second").await;
    let queued = stage.start(&key, json!({})).await;
    let ids = async |query: &str, token: &str| {
        let reply = stage.get(&format!("/orgs/demo/runs{query}"), token).await.is(200);
        let items = reply.json["items"].as_array().unwrap().clone();
        items.iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (member, owner) = (stage.member.as_str(), stage.owner.as_str());
    assert_eq!(ids("", member).await, vec![queued.clone(), assigned.clone()]);
    assert_eq!(ids("?status=queued", owner).await, vec![queued.clone()]);
    assert_eq!(ids("?item=PRJ-1", owner).await, vec![assigned.clone()]);
    assert_eq!(ids("?project=OTHER", owner).await, Vec::<String>::new());
    assert_eq!(ids("?pageSize=1&page=2", owner).await, vec![assigned.clone()]);
    let refused = stage.get("/orgs/demo/runs?status=unheard", owner).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    // A project that a member is not in does not exist for them, nor do its runs.
    stage.kit.project(&stage.org, "SEC").await;
    let new = json!({"name": "Go", "instructions": "Do.", "harness": "harness_2", "projectDefault": true});
    stage.post_as(owner, "/orgs/demo/projects/SEC/playbooks", new).await;
    stage.post_as(owner, "/orgs/demo/projects/SEC/items", json!({"type": "bug", "title": "Hidden"})).await;
    let hidden = stage.post_as(owner, "/orgs/demo/items/SEC-1/runs", json!({})).await;
    let hidden = hidden["id"].as_str().unwrap().to_owned();
    assert_eq!(ids("", member).await.len(), 2);
    assert_eq!(ids("?project=SEC", owner).await, vec![hidden.clone()]);
    assert_eq!(stage.get(&format!("/runs/{hidden}"), &stage.operator).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn who_cannot_read_the_playbooks_page_cannot_start_a_run_from_it() {
    let stage = Stage::new().await;
    let key = stage.item("Fix the search").await;
    let access = json!({"version": 1, "read": {"who": "admins"}});
    let path = "/orgs/demo/projects/PRJ/wiki/access/Factory/Implement";
    stage.call(Method::PUT, path, &stage.owner, Some(access)).await.is(200);
    let refused = stage.post(&format!("/orgs/demo/items/{key}/runs"), &stage.operator, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "forbidden"), "{}", refused.text);
    let playbooks = stage.get("/orgs/demo/projects/PRJ/playbooks", &stage.operator).await.json;
    let id = playbooks[0]["id"].as_str().unwrap();
    let seen = stage.get(&format!("/orgs/demo/projects/PRJ/playbooks/{id}"), &stage.operator).await.json;
    assert!(seen["instructions"].is_null(), "{seen}");
    stage.post(&format!("/orgs/demo/items/{key}/runs"), &stage.owner, json!({})).await.is(201);
}

#[tokio::test]
async fn the_wiki_keeps_a_playbooks_page_in_its_section() {
    let stage = Stage::new().await;
    let body = json!({"version": 1, "to": "Implement"});
    let path = "/orgs/demo/projects/PRJ/wiki/move/Factory/Implement";
    let refused = stage.post(path, &stage.owner, body).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    let root = "/orgs/demo/projects/PRJ/wiki/pages/Factory";
    stage.call(Method::PUT, root, &stage.owner, Some(json!({"body": "Playbooks"}))).await.is(200);
    let all = "/orgs/demo/projects/PRJ/wiki/move/Factory";
    let refused = stage.post(all, &stage.owner, json!({"version": 1, "to": "Elsewhere"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    let page = stage.get("/orgs/demo/projects/PRJ/wiki/pages/Factory/Implement", &stage.owner).await;
    assert_eq!(page.json["body"], "Write the code.");
    let key = stage.item("Fix the search").await;
    stage.start(&key, json!({})).await;
}

#[tokio::test]
async fn who_is_no_operator_reads_the_ending_in_the_services_words() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let done = json!({"fence": 1, "result": "failed", "failureReason": "harness-crashed",
        "outcome": "Secret plan."});
    let finished = stage.say(&machine, &run, "finish", done).await;
    assert!(finished.status.is_success(), "{}", finished.text);
    let outcomes = async |token: &str| {
        let one = stage.get(&format!("/runs/{run}"), token).await.json["outcome"].clone();
        let listed = stage.get("/orgs/demo/runs", token).await.json["items"][0]["outcome"].clone();
        let of_item =
            stage.get("/orgs/demo/items/PRJ-1/runs", token).await.json["items"][0]["outcome"].clone();
        assert_eq!((&one, &one), (&listed, &of_item));
        one
    };
    assert_eq!(outcomes(&stage.operator).await, "Secret plan.");
    assert_eq!(outcomes(&stage.member).await, "Run failed.");
}

#[tokio::test]
async fn who_sees_the_item_sees_what_the_run_took_and_brought() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    let url = "https://host.example/o/r/pull/7";
    let done = json!({"fence": 1, "result": "succeeded", "exitCode": 0, "pullRequest": url, "cost": 0.25,
        "tokens": {"input": 10, "output": 20}});
    let finished = stage.say(&machine, &run, "finish", done).await;
    assert!(finished.status.is_success(), "{}", finished.text);
    for path in [format!("/runs/{run}"), format!("/orgs/demo/runs/{run}")] {
        let seen = stage.get(&path, &stage.member).await.json;
        assert_eq!((&seen["exitCode"], &seen["cost"]), (&json!(0), &json!(0.25)), "{seen}");
        assert_eq!((&seen["tokens"]["output"], &seen["pullRequest"]), (&json!(20), &json!(url)), "{seen}");
        for time in ["queuedAt", "assignedAt", "startedAt", "finishedAt"] {
            assert!(seen[time].is_string(), "{time}: {seen}");
        }
        assert!(seen["outcome"].is_string(), "{seen}");
    }
}

#[tokio::test]
async fn a_comment_tells_of_which_run_it_is() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    let comments = "/orgs/demo/items/PRJ-1/comments";
    stage.post_as(assignment["token"].as_str().unwrap(), comments, json!({"body": "On it."})).await;
    stage.post_as(&stage.owner, comments, json!({"body": "Thanks."})).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "succeeded"})).await;
    let listed = stage.get(comments, &stage.owner).await.json;
    let of = |field: &str| -> Vec<Value> {
        listed["items"].as_array().unwrap().iter().map(|comment| comment[field].clone()).collect()
    };
    assert_eq!(of("runId"), [json!(run), Value::Null, json!(run)], "{listed}");
    assert_eq!(of("outcomeOf"), [Value::Null, Value::Null, json!(run)], "{listed}");
}
