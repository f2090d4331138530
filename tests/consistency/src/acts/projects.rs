//! Projects, their members, teams and sprints.

use http::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, PROJECT};

pub(super) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(21) {
        0..4 => plan(caller).await,
        4..7 => start(caller).await,
        7..10 => complete(caller).await,
        10..12 => delete_sprint(caller).await,
        12 => rename_sprint(caller).await,
        13 => team(caller).await,
        14 => change_team(caller).await,
        15 => delete_team(caller).await,
        16 if caller.chance(50) => member(caller).await,
        16 => label(caller).await,
        17 if caller.chance(30) => project(caller).await,
        17 if caller.chance(50) => template(caller).await,
        17 if caller.chance(60) => milestone(caller).await,
        17 if caller.chance(30) => webhook(caller).await,
        17 => workflow(caller).await,
        18 if caller.chance(50) => archive(caller).await,
        18 => delete_and_restore(caller).await,
        19 => view(caller).await,
        _ => rename(caller).await,
    }
}

async fn plan(caller: &mut Caller) -> Option<Value> {
    let team = caller.text("team").unwrap_or_else(|| "red".to_owned());
    let new = json!({"team": team, "name": caller.name("Sprint ")});
    let made = caller.ask(Method::POST, &format!("{PROJECT}/sprints"), Some(new)).await?;
    caller.pool.put("sprint", made["id"].clone());
    Some(made)
}

fn sprint(caller: &mut Caller) -> Option<String> {
    caller.text("sprint").map(|id| format!("/orgs/demo/sprints/{id}"))
}

async fn start(caller: &mut Caller) -> Option<Value> {
    let path = sprint(caller)?;
    let version = json!({"version": caller.version(&path).await?});
    caller.ask(Method::POST, &format!("{path}/start"), Some(version)).await
}

async fn complete(caller: &mut Caller) -> Option<Value> {
    let path = sprint(caller)?;
    let to = match caller.below(3) {
        0 => Value::Null,
        1 => "next".into(),
        _ => caller.text("sprint").into(),
    };
    let body = json!({"version": caller.version(&path).await?, "unfinishedTo": to});
    caller.ask(Method::POST, &format!("{path}/complete"), Some(body)).await
}

async fn delete_sprint(caller: &mut Caller) -> Option<Value> {
    let path = sprint(caller)?;
    caller.ask(Method::DELETE, &path, None).await
}

async fn rename_sprint(caller: &mut Caller) -> Option<Value> {
    let path = sprint(caller)?;
    let change = json!({"version": caller.version(&path).await?, "name": caller.words()});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn team(caller: &mut Caller) -> Option<Value> {
    let new = json!({"key": caller.name("team"), "name": caller.words()});
    let made = caller.ask(Method::POST, &format!("{PROJECT}/teams"), Some(new)).await?;
    caller.pool.put("team", made["key"].clone());
    Some(made)
}

async fn change_team(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/teams/{}", caller.text("team")?);
    let mut change = json!({"version": caller.version(&path).await?, "name": caller.words()});
    if caller.chance(30) {
        change["archived"] = caller.chance(50).into();
    }
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn delete_team(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/teams/{}", caller.text("team")?);
    caller.ask(Method::DELETE, &path, None).await
}

async fn member(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/members/{}", caller.text("user")?);
    if caller.chance(65) {
        let role = json!({"role": caller.one(&["member", "admin"])});
        return caller.ask(Method::PUT, &path, Some(role)).await;
    }
    caller.ask(Method::DELETE, &path, None).await
}

async fn project(caller: &mut Caller) -> Option<Value> {
    let key = caller.one(&["AAA", "BBB", "CCC"]);
    let new = json!({"key": key, "name": caller.words()});
    caller.ask(Method::POST, "/orgs/demo/projects", Some(new)).await
}

/// Deletes a project and restores it; one that is empty may stay deleted.
async fn delete_and_restore(caller: &mut Caller) -> Option<Value> {
    let key = caller.one(&["PRJ", "AAA", "BBB", "CCC"]);
    let path = format!("/orgs/demo/projects/{key}");
    caller.ask(Method::DELETE, &format!("{path}?confirm={key}"), None).await;
    if key != "PRJ" && caller.chance(50) {
        return None;
    }
    // Until it works: a project that stays deleted would end the workload.
    for _ in 0..20 {
        let back = caller.ask(Method::POST, &format!("{path}/restore"), Some(json!({}))).await;
        if back.is_some() || key != "PRJ" {
            return back;
        }
    }
    None
}

/// Defines, renames, merges or deletes a label; items change with it.
async fn label(caller: &mut Caller) -> Option<Value> {
    let names = ["bug", "Bug", "frontend", "ops", "later", "new"];
    let (name, other) = (caller.one(&names), caller.one(&names));
    let labels = format!("{PROJECT}/labels");
    match caller.below(3) {
        0 => caller.ask(Method::POST, &labels, Some(json!({"name": name}))).await,
        1 => caller.ask(Method::DELETE, &format!("{labels}/{name}"), None).await,
        _ => {
            let known = caller.get(&labels).await?;
            let known = known.as_array()?.iter().find(|label| label["name"] == name)?.clone();
            let change = json!({"version": known["version"], "name": other, "merge": caller.chance(70)});
            caller.ask(Method::PATCH, &format!("{labels}/{name}"), Some(change)).await
        }
    }
}

/// Makes, closes, reopens or deletes a milestone; items leave one that goes.
async fn milestone(caller: &mut Caller) -> Option<Value> {
    let milestones = format!("{PROJECT}/milestones");
    if caller.chance(50) {
        let new = json!({"name": caller.name("Milestone "), "due": "2030-01-31"});
        return caller.ask(Method::POST, &milestones, Some(new)).await;
    }
    let known = caller.get(&milestones).await?;
    let path = format!("{milestones}/{}", known[0]["id"].as_str()?);
    if caller.chance(50) {
        return caller.ask(Method::DELETE, &path, None).await;
    }
    let state = caller.one(&["open", "closed"]);
    let change = json!({"version": known[0]["version"], "state": state});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn template(caller: &mut Caller) -> Option<Value> {
    let templates = format!("{PROJECT}/templates");
    let new = json!({"name": caller.name("Template "), "type": "bug", "labels": ["bug"]});
    if caller.chance(60) {
        return caller.ask(Method::POST, &templates, Some(new)).await;
    }
    let known = caller.get(&templates).await?;
    let path = format!("{templates}/{}", known[0]["id"].as_str()?);
    caller.ask(Method::DELETE, &path, None).await
}

/// Saves a view of the project or the organization, changes one, or deletes it.
async fn view(caller: &mut Caller) -> Option<Value> {
    let place = if caller.chance(70) { PROJECT } else { "/orgs/demo" };
    let views = format!("{place}/views");
    let new = json!({"name": caller.name("View "), "shared": caller.chance(50), "filter": "label:bug state:Testing"});
    if caller.chance(60) {
        return caller.ask(Method::POST, &views, Some(new)).await;
    }
    let known = caller.get(&views).await?;
    let path = format!("{views}/{}", known[0]["id"].as_str()?);
    if caller.chance(40) {
        return caller.ask(Method::DELETE, &path, None).await;
    }
    let change =
        json!({"version": known[0]["version"], "shared": caller.chance(50), "name": caller.name("View ")});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

/// Makes the webhook of the code host anew, or deletes it.
async fn webhook(caller: &mut Caller) -> Option<Value> {
    let method = if caller.chance(80) { Method::POST } else { Method::DELETE };
    caller.ask(method, "/orgs/demo/code-host/webhook", None).await
}

/// Adds a state, or takes it away again; items in it move.
async fn workflow(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/workflow");
    let mut set = caller.get(&path).await?;
    let testing =
        |state: &Value| state["name"] == "Testing" || state["from"] == "Testing" || state["to"] == "Testing";
    let there = set["states"].as_array()?.iter().any(testing);
    if there {
        for list in ["states", "moves"] {
            set[list].as_array_mut()?.retain(|state| !testing(state));
        }
        set["moveItems"] = json!([{"from": "Testing", "to": "Backlog"}]);
    } else {
        set["states"].as_array_mut()?.push(json!({"name": "Testing", "group": "active"}));
        for (from, to) in [("In progress", "Testing"), ("Testing", "In review")] {
            set["moves"].as_array_mut()?.push(json!({"from": from, "to": to}));
        }
    }
    let body = json!({
        "version": set["version"], "states": set["states"], "moves": set["moves"],
        "moveItems": set.get("moveItems").cloned().unwrap_or_else(|| json!([])),
    });
    caller.ask(Method::PUT, &path, Some(body)).await
}

async fn rename(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/projects/{}", caller.one(&["PRJ", "AAA", "BBB"]));
    let change = json!({"version": caller.version(&path).await?, "name": caller.words()});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

/// Archives a project for a moment: what others do meanwhile is refused, or was in time.
async fn archive(caller: &mut Caller) -> Option<Value> {
    for archived in [true, false] {
        // Until it works: a project that stays archived would end the workload.
        for _ in 0..20 {
            let change = json!({"version": caller.version(PROJECT).await, "archived": archived});
            if caller.ask(Method::PATCH, PROJECT, Some(change)).await.is_some() {
                break;
            }
        }
    }
    None
}
