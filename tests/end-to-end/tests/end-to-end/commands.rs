//! Every form of `svc project` and `svc item` that specification section 4.2 names, typed as a person does.

use serde_json::Value;
use svc_api::tracker::{NewProject, NewSprint, NewTeam, UpdateProject};
use svc_end_to_end::Stage;

/// Types a command line, split at spaces; what is `_` inside of a word is a space.
async fn typed(stage: &Stage, line: &str) -> svc_end_to_end::Output {
    let words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
    stage.home.svc(&words.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// Types a command line that succeeds; its data.
async fn text(stage: &Stage, line: &str) -> String {
    let output = typed(stage, line).await;
    assert_eq!(output.code, Some(0), "svc {line}: {}", output.stderr);
    output.stdout
}

async fn json(stage: &Stage, line: &str) -> Value {
    serde_json::from_str(&text(stage, &format!("{line} --json")).await).unwrap()
}

async fn refused(stage: &Stage, line: &str, code: i32) -> String {
    let output = typed(stage, line).await;
    assert_eq!((output.code, output.stdout.as_str()), (Some(code), ""), "svc {line}: {}", output.stderr);
    output.stderr
}

/// An item that the command line made; its key.
async fn made(stage: &Stage, line: &str) -> String {
    json(stage, line).await["key"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_are_listed_and_archived_ones_on_request() {
    let stage = Stage::set(&[]).await;
    let org = stage.client().org(stage.org());
    let old = NewProject { key: "OLD".into(), name: "Once".into(), description: String::new() };
    org.create_project(&old).await.unwrap();
    let archive = UpdateProject { version: 1, archived: Some(true), ..UpdateProject::default() };
    org.update_project("OLD", &archive).await.unwrap();
    let listed = text(&stage, "project list").await;
    assert!(listed.contains("DEMO") && !listed.contains("OLD"), "{listed}");
    let all = text(&stage, "project list --archived").await;
    assert!(all.contains("DEMO") && all.contains("OLD"), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_is_made_found_changed_and_seen() {
    let stage = Stage::set(&[]).await;
    let body = stage.directory().join("body.md");
    std::fs::write(&body, "As a *reader*\n").unwrap();
    let epic = made(&stage, "item create -p DEMO --type epic --title The_whole").await;
    let create = format!("item create -p DEMO --type bug --title Cut_off! --parent {epic} --body-file");
    let words: Vec<String> = create.split(' ').map(|word| word.replace('_', " ")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain([body.to_str().unwrap()]).collect();
    let item: Value = stage.home.svc_json(&words).await;
    assert_eq!((&item["parent"], &item["body"]), (&Value::from(epic.as_str()), &"As a *reader*\n".into()));
    let key = item["key"].as_str().unwrap();

    text(&stage, &format!("item update {key} --priority high --labels ui,search")).await;
    let item = json(&stage, &format!("item update {key} --labels +urgent,-ui")).await;
    assert_eq!(
        (&item["priority"], item["labels"].to_string()),
        (&"high".into(), r#"["search","urgent"]"#.into())
    );
    refused(&stage, &format!("item update {key} --labels ui,+urgent"), 2).await;

    let found = json(&stage, "item list -p DEMO --filter label:search+urgent_priority:>=high").await;
    assert_eq!((found.as_array().unwrap().len(), &found[0]["key"]), (1, &key.into()));
    let wrong = refused(&stage, "item list -p DEMO --filter colour:red", 2).await;
    assert!(wrong.contains("`colour:red`: There is no field"), "{wrong}");

    let moved = json(&stage, &format!("item move {key} --state in_progress")).await;
    assert_eq!((&moved["state"], &moved["stateGroup"]), (&"In progress".into(), &"active".into()));
    let table = text(&stage, &format!("item subtask {key} --title Write_the_test --estimate 2")).await;
    assert!(table.contains("subtask") && table.ends_with("Write the test\n"), "{table}");
    text(&stage, &format!("item comment {key} -m Seen_on_main.")).await;
    text(&stage, &format!("item link {key} --pr https://code.example/pull/7")).await;
    let seen = text(&stage, &format!("item view {key} --comments --links")).await;
    for part in
        ["Cut off!", "As a *reader*", "Seen on main.", "https://code.example/pull/7", "search, urgent"]
    {
        assert!(seen.contains(part), "{part} in {seen}");
    }
    let branch = text(&stage, &format!("item branch {key}")).await;
    assert_eq!(branch, format!("{}-cut-off\n", key.to_lowercase()));
    refused(&stage, "item view DEMO-4711", 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_taken_kept_and_let_go() {
    let stage = Stage::set(&[]).await;
    let key = stage.new_item("Claimed").await.key;
    let claimed = json(&stage, &format!("item claim {key}")).await;
    assert_eq!(claimed["claim"]["agent"], false, "{claimed}");
    let why = refused(&stage, &format!("item claim {key}"), 3).await;
    assert!(why.contains("already claimed"), "{why}");
    text(&stage, &format!("item heartbeat {key}")).await;
    let released = json(&stage, &format!("item release {key}")).await;
    assert_eq!(released["claim"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_are_planned_into_a_sprint_in_order() {
    let stage = Stage::set(&[]).await;
    let org = stage.client().org(stage.org());
    let team = NewTeam { key: "web".into(), name: "Web".into(), members: vec![] };
    org.create_team("DEMO", &team).await.unwrap();
    let new: NewSprint = serde_json::from_str(r#"{"team": "web", "name": "One"}"#).unwrap();
    let sprint = org.create_sprint("DEMO", &new).await.unwrap().id;
    let (first, second) = (stage.new_item("First").await.key, stage.new_item("Second").await.key);
    let third = stage.new_item("Third").await.key;
    for key in [&first, &second] {
        text(&stage, &format!("item move {key} --sprint {sprint}")).await;
    }
    let moved = json(&stage, &format!("item move {third} --sprint {sprint} --after {first}")).await;
    assert_eq!(moved["sprint"], sprint.as_str());
    let listed = json(&stage, &format!("item list -p DEMO --filter sprint:{sprint} --sort rank")).await;
    let keys: Vec<&str> =
        listed.as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect();
    assert_eq!(keys, [&first, &third, &second]);
    refused(&stage, &format!("item move {third} --state Closed --sprint {sprint}"), 2).await;
}
