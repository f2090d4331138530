//! What the tools do: the same as the REST API, for the same callers.

use http::Method;
use serde_json::{Value, json};

use crate::world::{World, text};

#[tokio::test]
async fn an_agent_finds_its_way_and_does_its_work() {
    let world = World::new().await;
    let key = world.item("Paint the fence").await;
    let said = world.said(&world.ada, "get_context", json!({})).await;
    assert!(said.contains("Organization: demo (demo)") && said.contains("PRJ"), "{said}");
    let said = world.said(&world.ada, "get_project", json!({"project": "PRJ"})).await;
    assert!(said.contains("- In progress (active) -> "), "{said}");
    let claimed = world.tool(&world.ada, "claim_item", json!({"key": key})).await;
    assert_eq!(claimed["structuredContent"]["claimedBy"], "ada", "{claimed}");
    let version = claimed["structuredContent"]["version"].as_u64().unwrap();
    let again = world.tool(&world.ada, "claim_item", json!({"key": key})).await;
    assert_eq!(again["structuredContent"]["version"], version, "a heartbeat keeps the version");
    let changed =
        json!({"key": key, "version": version, "priority": "high", "addLabels": ["wood"], "estimate": 2});
    let changed = world.tool(&world.ada, "update_item", changed).await;
    let version = changed["structuredContent"]["version"].as_u64().unwrap();
    let comment = world.said(&world.ada, "add_comment", json!({"key": key, "body": "Two coats."})).await;
    let id = comment.trim().rsplit(' ').next().unwrap().to_owned();
    world.said(&world.ada, "add_comment", json!({"key": key, "body": "Three.", "replyTo": id})).await;
    let url = "https://code.example/pull/1";
    let linked = world.tool(&world.ada, "link_pull_request", json!({"key": key, "url": url})).await;
    let linked = linked["structuredContent"]["version"].as_u64().unwrap();
    assert!(linked > version);
    let moved = json!({"key": key, "version": linked, "state": "In review"});
    let moved = world.tool(&world.ada, "transition_item", moved).await;
    assert_eq!(moved["structuredContent"]["state"], "In review", "{moved}");
    world.said(&world.ada, "release_item", json!({"key": key})).await;
    let read = json!({"key": key, "include": ["comments", "subtasks", "history", "attachments"]});
    let said = world.said(&world.ada, "get_item", read).await;
    for part in [
        "In review, priority high",
        "Labels: wood",
        "Estimate: 2",
        "# Paint the fence",
        "Two coats.",
        "in the thread of",
        "2 comments",
        url,
        "owner \"owner\"",
        "member \"ada\"",
        "0 attachments",
        "transitioned",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let item = world.rest(Method::GET, &format!("/items/{key}"), Value::Null).await.json;
    assert_eq!(
        (&item["state"], &item["labels"], &item["claim"]),
        (&json!("In review"), &json!(["wood"]), &Value::Null)
    );
}

#[tokio::test]
async fn a_change_of_what_somebody_else_changed_is_told_the_version_and_what_to_do() {
    let world = World::new().await;
    let key = world.item("Paint the fence").await;
    let path = format!("/items/{key}");
    world.rest(Method::PATCH, &path, json!({"version": 1, "title": "Paint the gate"})).await;
    let change = json!({"key": key, "version": 1, "title": "Paint the door"});
    let said = world.refused(&world.ada, "update_item", change).await;
    assert!(said.starts_with("409 stale-version") && said.contains("The current version is 2"), "{said}");
    assert!(said.contains("Next: read it again"), "{said}");
    world.said(&world.owner, "claim_item", json!({"key": key, "version": 2})).await;
    let said = world.refused(&world.ada, "claim_item", json!({"key": key})).await;
    assert!(said.starts_with("409 item-claimed") && said.contains("owner holds the claim"), "{said}");
    let said = world
        .refused(&world.ada, "transition_item", json!({"key": key, "version": 3, "state": "Closed"}))
        .await;
    assert!(said.contains("get_project lists the states"), "{said}");
}

#[tokio::test]
async fn lists_and_long_texts_go_on_where_they_were_cut() {
    let world = World::new().await;
    for number in 0..30 {
        world.item(&format!("Item number {number}")).await;
    }
    let said = world.said(&world.ada, "list_items", json!({"project": "PRJ", "sort": "key"})).await;
    assert!(said.starts_with("items 1-25 of 30\n") && said.ends_with("more; nextCursor=2.0\n"), "{said}");
    let next = json!({"project": "PRJ", "sort": "key", "cursor": "2.0"});
    let said = world.said(&world.ada, "list_items", next).await;
    assert!(said.starts_with("items 26-30 of 30\n") && said.contains("Item number 29"), "{said}");
    let body: String = (0..9_000).map(|number| format!("line {number}\n")).collect();
    let key = world.item("Long").await;
    let long = json!({"version": 1, "body": body});
    world.rest(Method::PATCH, &format!("/items/{key}"), long).await;
    let (mut cursor, mut read) = (String::new(), String::new());
    for _ in 0..20 {
        let said = world.said(&world.ada, "get_item", json!({"key": key, "cursor": cursor})).await;
        assert!(said.chars().count() < 21_000);
        let ours = |line: &&str| line.starts_with("line ");
        read.extend(said.lines().filter(ours).map(str::len).map(|_| "."));
        match said.lines().last().and_then(|line| line.strip_prefix("cut; nextCursor=")) {
            Some(next) => cursor = next.to_owned(),
            None => {
                assert!(said.contains("line 8999"), "{said}");
                assert!(read.len() >= 8_990, "{}", read.len());
                return;
            }
        }
    }
    panic!("it never ended");
}

#[tokio::test]
async fn the_wiki_is_read_and_written_under_its_version() {
    let world = World::new().await;
    let page = json!({"project": "PRJ", "path": "Guides/Paint", "body": "Use a brush."});
    assert_eq!(
        world.said(&world.ada, "put_wiki_page", page.clone()).await,
        "Wrote page \"Guides/Paint\": version 1\n"
    );
    let said = world
        .refused(
            &world.ada,
            "put_wiki_page",
            json!({"project": "PRJ", "path": "Guides/Paint", "body": "No."}),
        )
        .await;
    assert!(said.contains("The current version is 1"), "{said}");
    let said =
        world.said(&world.ada, "get_wiki_page", json!({"project": "PRJ", "path": "Guides/Paint"})).await;
    assert!(
        said.contains("version 1") && said.contains("Use a brush.") && said.contains("by member \"ada\""),
        "{said}"
    );
    assert!(
        world.said(&world.ada, "get_wiki_page", json!({"project": "PRJ"})).await.contains("Guides/Paint")
    );
    assert!(!world.listed(&world.agent).await.contains(&"put_wiki_page".to_owned()), "agents read the wiki");
}

#[tokio::test]
async fn what_a_caller_cannot_use_is_not_listed_and_refused_as_by_the_rest_api() {
    let world = World::new().await;
    let key = world.item("Paint the fence").await;
    let listed = world.listed(&world.guest).await;
    assert!(listed.contains(&"add_comment".to_owned()), "{listed:?}");
    for tool in ["create_item", "update_item", "claim_item", "put_wiki_page", "start_run", "cancel_run"] {
        assert!(!listed.contains(&tool.to_owned()), "{tool}");
    }
    let said = world.refused(&world.guest, "claim_item", json!({"key": key})).await;
    assert!(said.starts_with("403 forbidden: Your role does not permit this."), "{said}");
    let listed = world.listed(&world.agent).await;
    assert!(listed.contains(&"claim_item".to_owned()) && !listed.contains(&"start_run".to_owned()));
    let other = world.item("Another").await;
    let said = world.refused(&world.agent, "add_comment", json!({"key": other, "body": "Hello"})).await;
    assert!(said.contains("The agent of a run can change only its item"), "{said}");
    world.said(&world.agent, "add_comment", json!({"key": key, "body": "Hello"})).await;
    let said = world.refused(&world.ada, "start_run", json!({"item": key})).await;
    assert!(said.starts_with("403 factory-not-permitted"), "{said}");
    let owners = world.listed(&world.owner).await;
    assert_eq!(owners.len() + 1, svc_mcp::tool_names().len());
    let tool = "submit_refinement".to_owned();
    assert!(!owners.contains(&tool) && !listed.contains(&tool), "it is for refine runs alone");
    let said =
        world.refused(&world.owner, "submit_refinement", json!({"key": key, "questions": ["Why?"]})).await;
    assert!(said.contains("Only the agent of a refine run can hand in its result"), "{said}");
    assert!(owners.len() <= 24);
}

/// Specification section 2.9: the agents' side of the tracker is hidden from stakeholders in MCP tools too.
#[tokio::test]
async fn a_stakeholder_reads_nothing_of_agents_with_any_tool() {
    const WORD: &str = "quokka";
    let world = World::new().await;
    let key = world.item("Paint the fence").await;
    let asked = world.said(&world.agent, "add_comment", json!({"key": key, "body": WORD})).await;
    let id = asked.trim().rsplit(' ').next().unwrap().to_owned();
    let reply = json!({"key": key, "body": format!("{WORD} too"), "replyTo": id});
    world.said(&world.owner, "add_comment", reply).await;
    let page = json!({"body": WORD});
    world.rest(Method::PUT, "/projects/PRJ/wiki/pages/Factory/Plan", page).await;
    let include = json!(["comments", "history", "subtasks", "attachments"]);
    let calls = [
        ("get_item", json!({"key": key, "include": include})),
        ("search", json!({"q": WORD})),
        ("search", json!({"q": WORD, "project": "PRJ"})),
        ("get_wiki_page", json!({"project": "PRJ"})),
        ("get_wiki_page", json!({"project": "PRJ", "path": "Factory/Plan"})),
        ("get_project", json!({"project": "PRJ"})),
        ("list_runs", json!({})),
    ];
    for (tool, arguments) in &calls {
        let result = world.tool(&world.ada, tool, arguments.clone()).await;
        let said = text(&result);
        assert!(!said.contains(WORD) && !said.contains("Factory"), "{tool} {arguments}: {said}");
    }
    let said = world.said(&world.ada, "get_item", json!({"key": key, "include": ["comments"]})).await;
    assert!(said.contains("0 comments"), "{said}");
    let said = world.said(&world.owner, "get_item", json!({"key": key, "include": ["comments"]})).await;
    assert!(said.contains("2 comments") && said.contains("by agent \""), "{said}");
    let read = world.ask(&world.ada, "resources/read", json!({"uri": format!("svc://items/{key}")})).await;
    assert!(!read.to_string().contains(WORD), "{read}");
}
