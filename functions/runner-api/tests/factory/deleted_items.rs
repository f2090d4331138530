//! Runs, and the items that were deleted.

use http::{Method, StatusCode};
use serde_json::json;
use svc_domain::identity::{Member, OrgRole, ProjectRole};
use svc_domain::project::Project;
use svc_storage::{Commit, Condition, Op, keys};
use svc_testkit::scopes;

use crate::stage::Stage;

#[tokio::test]
async fn an_item_with_a_live_run_is_not_deleted_and_never_by_an_agent() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    let path = "/orgs/demo/items/PRJ-1";
    let live = stage.call(Method::DELETE, path, &stage.owner, None).await;
    assert_eq!((live.status, live.problem()), (StatusCode::CONFLICT, "live-run-exists"), "{}", live.text);
    let token = assignment["token"].as_str().unwrap();
    for (method, path) in [(Method::DELETE, path.to_owned()), (Method::POST, format!("{path}/restore"))] {
        let refused = stage.call(method, &path, token, None).await;
        assert_eq!(
            (refused.status, refused.problem()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{}",
            refused.text
        );
    }
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    assert_eq!(stage.view_run(&run).await["id"], run.as_str());
}

#[tokio::test]
async fn runs_of_a_deleted_item_are_hidden_until_it_comes_back() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage
        .say(
            &machine,
            &run,
            "finish",
            json!({"fence": 1, "result": "failed", "failureReason": "workspace-failed"}),
        )
        .await;
    let item = "/orgs/demo/items/PRJ-1";
    let runs = async || stage.get("/orgs/demo/runs", &stage.operator).await.json["totalCount"].clone();
    assert_eq!(runs().await, 1);
    stage.call(Method::DELETE, item, &stage.owner, None).await.is(204);
    assert_eq!(runs().await, 0);
    let of_run = format!("/orgs/demo/runs/{run}");
    for path in [
        format!("/runs/{run}"),
        format!("/runs/{run}/log"),
        of_run.clone(),
        format!("{of_run}/log"),
        format!("{of_run}/log/stream"),
        format!("{of_run}/changes"),
        format!("{item}/runs"),
        format!("{item}/mentions"),
    ] {
        let gone = stage.get(&path, &stage.operator).await;
        assert_eq!(
            (gone.status, gone.problem()),
            (StatusCode::GONE, "item-deleted"),
            "{path}: {}",
            gone.text
        );
        let unseen = stage.get(&path, &stage.foreigner).await;
        assert_eq!(unseen.status, StatusCode::NOT_FOUND, "{path}: {}", unseen.text);
    }
    for path in [
        format!("{of_run}/cancel"),
        format!("{of_run}/retry"),
        format!("{of_run}/continue"),
        format!("{item}/runs"),
    ] {
        let gone = stage.post(&path, &stage.operator, json!({})).await;
        assert_eq!(
            (gone.status, gone.problem()),
            (StatusCode::GONE, "item-deleted"),
            "{path}: {}",
            gone.text
        );
    }
    stage.work().await;
    stage.consistent().await;
    stage.call(Method::POST, &format!("{item}/restore"), &stage.owner, None).await.is(200);
    assert_eq!(runs().await, 1);
    assert_eq!(stage.get(&of_run, &stage.operator).await.status, StatusCode::OK);
    stage.consistent().await;
}

/// The worker of such a mention once failed for ever: it could not write its reply.
#[tokio::test]
async fn a_mention_that_no_run_can_follow_is_answered_on_a_deleted_item_too() {
    let stage = Stage::new().await;
    let item = format!("/orgs/demo/items/{}", stage.item("Greet").await);
    let table = &stage.kit.app.table;
    let project = keys::project(stage.org.id, &"PRJ".parse().unwrap());
    let project: Project = table.get(&project).await.unwrap().unwrap().read().unwrap();
    let fay = stage.kit.user(&stage.org, "fay@example.com", OrgRole::Member, true).await;
    stage.kit.project_member(&stage.org, &project, fay, ProjectRole::Member).await;
    let token = stage.kit.token(fay, scopes(), None).await;
    stage.post_as(&token, &format!("{item}/comments"), json!({"body": "@builder say it"})).await;
    let name = keys::member(stage.org.id, fay);
    let member: Member = table.get(&name).await.unwrap().unwrap().read().unwrap();
    let ops = vec![Op::put(name, Condition::None, &Member { can_start_ai_work: false, ..member })];
    table.commit(&Commit { ops, token: None }).await.unwrap();
    stage.call(Method::DELETE, &item, &stage.owner, None).await.is(204);
    stage.work().await;
    stage.consistent().await;
    stage.call(Method::POST, &format!("{item}/restore"), &stage.owner, None).await;
    let mentions = stage.get(&format!("{item}/mentions"), &stage.owner).await.json;
    assert_eq!(mentions[0]["status"], "dropped", "{mentions}");
    stage.consistent().await;
}
