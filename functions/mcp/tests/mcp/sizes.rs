//! What the server costs a model. Sizes are bytes: a token of a current model is about four of them.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn the_catalogue_and_lists_are_small() {
    let world = World::new().await;
    let listed = world.ask(&world.owner, "tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap();
    let mut all = 0;
    for tool in tools {
        let seen = json!({"name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"]});
        let size = seen.to_string().len();
        println!("{:>5} {}", size, tool["name"].as_str().unwrap());
        all += size;
    }
    println!("{all:>5} bytes of tools/list: names, descriptions, input schemas");
    println!("{:>5} bytes of the whole answer", listed.to_string().len());
    assert!(all <= 9_500, "{all}");
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let greeted = world.ask(&world.ada, "initialize", hello).await;
    let instructions = greeted["instructions"].as_str().unwrap().chars().count();
    println!("{instructions:>5} characters of instructions");
    assert!(instructions <= 1_000, "{instructions}");
    for number in 0..25 {
        let words =
            ["Fix the login form on small screens", "Export invoices as CSV", "Retry mails that bounced"];
        world.item(&format!("{} ({number})", words[number % 3])).await;
    }
    let said = world.said(&world.ada, "list_items", json!({"project": "PRJ"})).await;
    let size = said.len();
    println!("{size:>5} bytes of a list of 25 items");
    assert!(said.contains("25 items") && size <= 2_000, "{size}: {said}");
}

/// Schemas say nothing that models do not need, or that clients warn of.
#[tokio::test]
async fn schemas_are_plain() {
    let world = World::new().await;
    let listed = world.ask(&world.owner, "tools/list", json!({})).await;
    for tool in listed["tools"].as_array().unwrap() {
        for schema in ["inputSchema", "outputSchema"] {
            assert_plain(&tool[schema], tool["name"].as_str().unwrap());
        }
        let hints = &tool["annotations"];
        assert!(hints["readOnlyHint"].is_boolean() && hints["openWorldHint"] == false, "{tool}");
    }
}

fn assert_plain(schema: &Value, tool: &str) {
    match schema {
        Value::Object(object) => {
            for keyword in ["$schema", "$ref", "$defs", "format"] {
                assert!(!object.get(keyword).is_some_and(Value::is_string), "{tool}: {keyword}");
            }
            assert!(!object.get("type").is_some_and(Value::is_array), "{tool}: {schema}");
            object.values().for_each(|inner| assert_plain(inner, tool));
        }
        Value::Array(all) => all.iter().for_each(|inner| assert_plain(inner, tool)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
