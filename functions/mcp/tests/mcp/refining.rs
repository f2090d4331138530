//! The agent of a refine run: it is shown `submit_refinement`, and asks with it.

use http::Method;
use serde_json::{Value, json};
use svc_domain::run::{Run, RunKind};
use svc_storage::{Condition, Op, keys};

use crate::world::World;

/// A ticket that is being refined: its key, the run and the token of the run.
async fn refined(world: &World) -> (String, String, String) {
    let secret = world.furnish().await;
    let key = world.item("Paint the fence").await;
    let started = world.rest(Method::POST, &format!("/items/{key}/refinement"), json!({})).await;
    assert!(started.status.is_success(), "{}", started.text);
    let taken = world.take(&secret).await;
    let text = |name: &str| taken[name].as_str().unwrap().to_owned();
    (key, text("runId"), text("token"))
}

#[tokio::test]
async fn the_agent_of_a_refine_run_is_shown_the_tool_and_asks_with_it() {
    let world = World::new().await;
    let (key, _, token) = refined(&world).await;
    assert!(world.listed(&token).await.contains(&"submit_refinement".to_owned()));
    let said =
        world.said(&token, "submit_refinement", json!({"key": key, "questions": ["Which colour?"]})).await;
    assert!(said.contains("1 question,"), "{said}");
    let read = world.rest(Method::GET, &format!("/items/{key}/refinement"), Value::Null).await.json;
    assert_eq!(read["status"], "running", "it counts when the run ends");
}

/// A run that goes on with a refine run, or repeats one, refines too, whatever its kind.
#[tokio::test]
async fn whatever_its_kind_a_run_that_refines_is_shown_the_tool() {
    let world = World::new().await;
    let (key, run, token) = refined(&world).await;
    let name = keys::run(world.org.id, run.parse().unwrap());
    for kind in [RunKind::Continue, RunKind::Retry, RunKind::FollowUp] {
        let row = world.kit.app.table.get(&name).await.unwrap().unwrap();
        let run = Run { kind, ..row.read().unwrap() };
        svc_testkit::write(&world.kit.app, vec![Op::put(name.clone(), Condition::Present, &run)])
            .await
            .unwrap();
        assert!(world.listed(&token).await.contains(&"submit_refinement".to_owned()), "{kind}");
    }
    world.said(&token, "submit_refinement", json!({"key": key, "questions": ["Which colour?"]})).await;
}
