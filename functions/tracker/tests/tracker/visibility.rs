//! What stakeholders and Guests do not see of discussion and history (specification section 2.9).

use serde_json::{Value, json};
use svc_domain::ids::RunId;
use svc_domain::project::{Action, HistoryEntry};

use crate::world::World;

async fn comment(world: &World, token: &str, body: &str, reply_to: &Value) -> Value {
    let new = json!({"body": body, "replyTo": reply_to});
    let reply = world.post_as(token, "/items/PRJ-1/comments", new).await.is(201);
    reply.json["id"].clone()
}

async fn bodies(world: &World, token: &str) -> (Vec<String>, Value) {
    let page = world.get_as(token, "/items/PRJ-1/comments").await.json;
    let text = |comment: &Value| comment["body"].as_str().unwrap().to_owned();
    (page["items"].as_array().unwrap().iter().map(text).collect(), page["totalCount"].clone())
}

#[tokio::test]
async fn agents_words_and_the_threads_that_they_began_do_not_exist_for_stakeholders() {
    let world = World::new().await;
    world.item("Item").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let none = Value::Null;
    let question = comment(&world, &world.ada.token, "Question", &none).await;
    let of_agent = comment(&world, &agent, "Agent begins", &none).await;
    let inside = comment(&world, &world.owner, "Owner in the agent's thread", &of_agent).await;
    let answer = comment(&world, &agent, "Agent answers", &question).await;
    comment(&world, &world.owner, "Owner to the answer", &answer).await;

    let everything =
        ["Question", "Agent begins", "Owner in the agent's thread", "Agent answers", "Owner to the answer"];
    for token in [&world.owner, &agent] {
        assert_eq!(bodies(&world, token).await, (everything.map(str::to_owned).to_vec(), json!(5)));
    }
    for token in [&world.ada.token, &world.chief.token, &world.guest.token] {
        let seen = ["Question", "Owner to the answer"].map(str::to_owned).to_vec();
        assert_eq!(bodies(&world, token).await, (seen, json!(2)));
        let all = world.get_as(token, "/items/PRJ-1/comments").await.text;
        for hidden in [&of_agent, &inside, &answer] {
            assert!(!all.contains(hidden.as_str().unwrap()), "{all}");
        }
    }
    // Nor can they be answered: as if there was no such comment.
    let absent = json!({"body": "Text", "replyTo": "00000000-0000-7000-8000-000000000000"});
    let absent = world.post("/items/PRJ-1/comments", absent).await;
    for hidden in [&of_agent, &inside, &answer] {
        let refused = world.post("/items/PRJ-1/comments", json!({"body": "Text", "replyTo": hidden})).await;
        assert_eq!(refused.snapshot(), absent.snapshot());
    }
}

#[tokio::test]
async fn history_of_runs_and_agents_is_for_operators() {
    let world = World::new().await;
    let item = world.item("Item").await;
    let (agent_id, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let by_agent = json!({"version": item["version"], "title": "Title of the agent"});
    world.change_as(&agent, http::Method::PATCH, "/items/PRJ-1", by_agent).await;
    let (ada, now) = (svc_domain::ids::ActorId::User(world.ada.id), world.kit.now());
    let ada = svc_domain::ids::Actor { id: ada, name: "ada".into() };
    let run = RunId(world.kit.app.uuid());
    let entry = HistoryEntry::new(now, ada, Action::RunQueued).about(run);
    let key =
        svc_storage::keys::history(world.org.id, &"PRJ-1".parse().unwrap(), now.as_millisecond(), "run");
    svc_testkit::write(&world.kit.app, vec![svc_storage::Op::create(key, &entry)]).await.unwrap();

    for (token, total) in [(&world.owner, 3), (&agent, 3), (&world.ada.token, 1), (&world.guest.token, 1)] {
        let history = world.get_as(token, "/items/PRJ-1/history").await;
        assert_eq!(history.json["totalCount"], total, "{}", history.text);
        let told = history.text.contains(&run.to_string()) || history.text.contains(&agent_id.to_string());
        assert_eq!(told, total == 3);
    }
}
