//! Refinement settings: who sets them, what they may be, and what becomes of their state.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_testkit::Reply;

use crate::stage::Stage;

const PATH: &str = "/orgs/demo/projects/PRJ/refinement-settings";

async fn change(stage: &Stage, token: &str, body: Value) -> Reply {
    stage.call(Method::PATCH, PATH, token, Some(body)).await
}

#[tokio::test]
async fn operators_set_see_and_clear_each_setting() {
    let stage = Stage::new().await;
    let none = json!({
        "version": 0, "productDescription": null, "ticketInstructions": null, "namingConventions": null,
        "platforms": null, "refinedState": null,
    });
    assert_eq!(stage.get(PATH, &stage.operator).await.json, none);
    let wanted = json!({
        "version": 0, "productDescription": "A tracker.\nFor teams.", "ticketInstructions": "Be brief.",
        "namingConventions": "[API], [Web]", "platforms": "Firefox, iOS", "refinedState": "in PROGRESS",
    });
    let set = change(&stage, &stage.operator, wanted.clone()).await.is(200);
    let mut expected = wanted.clone();
    (expected["version"], expected["refinedState"]) = (1.into(), "In progress".into());
    assert_eq!((&set.json, &stage.get(PATH, &stage.owner).await.json), (&expected, &expected));

    let late = change(&stage, &stage.owner, wanted).await;
    assert_eq!((late.status, late.problem()), (StatusCode::CONFLICT, "stale-version"));
    assert_eq!(late.json["currentVersion"], 1);

    let some = json!({"version": 1, "productDescription": null, "platforms": " \n", "refinedState": null});
    let cleared = change(&stage, &stage.owner, some).await.json;
    (expected["version"], expected["productDescription"]) = (2.into(), Value::Null);
    (expected["platforms"], expected["refinedState"]) = (Value::Null, Value::Null);
    assert_eq!(cleared, expected, "what is not named stays");
    let same = change(&stage, &stage.owner, json!({"version": 2, "ticketInstructions": "Be brief."})).await;
    assert_eq!(same.json["version"], 2, "nothing changed");
}

#[tokio::test]
async fn who_may_not_start_ai_work_neither_sees_nor_sets_them() {
    let stage = Stage::new().await;
    let body = json!({"version": 0, "platforms": "Web"});
    for token in [&stage.member, &stage.foreigner] {
        let problem = if *token == stage.member { "factory-not-permitted" } else { "not-found" };
        assert_eq!(stage.get(PATH, token).await.problem(), problem);
        assert_eq!(change(&stage, token, body.clone()).await.problem(), problem);
    }
    assert_eq!(stage.get(PATH, &stage.operator).await.json["version"], 0);
}

#[tokio::test]
async fn each_setting_that_is_not_acceptable_is_named() {
    let stage = Stage::new().await;
    let long = "x".repeat(20_001);
    let body =
        json!({"version": 0, "productDescription": long, "platforms": "\u{7}", "refinedState": "Done"});
    let refused = change(&stage, &stage.operator, body).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let states = "The states are Backlog, In progress, In review, Resolved, Closed.";
    assert_eq!(
        refused.json["errors"],
        json!({
            "platforms": ["Leave out control characters other than tabs and line breaks."],
            "productDescription": ["Give at most 20000 characters; these are 20001."],
            "refinedState": [format!("There is no state \"Done\". {states}")],
        })
    );
    assert_eq!(stage.get(PATH, &stage.operator).await.json["version"], 0);
}

#[tokio::test]
async fn the_longest_texts_of_the_largest_characters_are_kept() {
    let stage = Stage::new().await;
    let text = "🦀".repeat(20_000);
    let mut body = json!({"version": 0});
    for field in ["productDescription", "ticketInstructions", "namingConventions", "platforms"] {
        body[field] = text.as_str().into();
    }
    change(&stage, &stage.operator, body).await.is(200);
    assert_eq!(stage.get(PATH, &stage.operator).await.json["platforms"], text);
}
