//! The factory: agents, runners, playbooks and settings, and runs that are started, taken, given back, cancelled,
//! ended or forgotten by who took them.

use http::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, PROJECT};

pub(super) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(26) {
        0..5 => start(caller).await,
        5..9 => take(caller).await,
        9..13 => go_on(caller).await,
        13 => cancel(caller).await,
        14 if caller.chance(60) => agent(caller).await,
        14 => delete_or_restore(caller).await,
        15 => rename_agent(caller).await,
        16 => runner(caller).await,
        17 => change_runner(caller).await,
        18 => playbook(caller).await,
        19 if caller.chance(40) => refinement(caller).await,
        20..24 => refine(caller).await,
        24 => schedule(caller).await,
        25 if caller.chance(50) => rule(caller).await,
        25 => budget(caller).await,
        _ => settings(caller).await,
    }
}

/// Limits how many runs are at work at once, or limits nothing.
async fn budget(caller: &mut Caller) -> Option<Value> {
    let path = "/orgs/demo/budgets";
    let mut change = json!({"version": caller.version(path).await?, "runsAtOnce": caller.one(&[2, 20])});
    match caller.below(3) {
        0 => change["project"] = "PRJ".into(),
        1 => change["agent"] = caller.name("Agent").into(),
        _ => {}
    }
    caller.ask(Method::PATCH, path, Some(change)).await
}

async fn start(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let mut body = json!({});
    if caller.chance(15) {
        body["scheduledFor"] = "2026-03-01T12:00:00Z".into();
    }
    if caller.chance(20) {
        body["agent"] = caller.name("Agent").into();
    }
    let run = caller.ask(Method::POST, &format!("{item}/runs"), Some(body)).await?;
    caller.pool.put("run", run["id"].clone());
    Some(run)
}

async fn take(caller: &mut Caller) -> Option<Value> {
    let secret = caller.any("runner")?["secret"].as_str()?.to_owned();
    let n = caller.below(1_000_000);
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": format!("request {n}")});
    let taken = caller.ask_as(&secret, Method::POST, "/runner/take", Some(body)).await?;
    let run = taken["runId"].as_str()?;
    caller.pool.put("taken", json!({"run": run, "fence": taken["fence"], "secret": secret}));
    Some(taken)
}

async fn go_on(caller: &mut Caller) -> Option<Value> {
    let taken = caller.any("taken")?;
    let (secret, fence) = (taken["secret"].as_str()?.to_owned(), taken["fence"].clone());
    let run = format!("/runner/runs/{}", taken["run"].as_str()?);
    let (what, body) = match caller.below(6) {
        0 => ("start", json!({"fence": fence})),
        1 => ("heartbeat", json!({"fence": fence})),
        2 => {
            let line = json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": caller.words()});
            ("log", json!({"fence": fence, "firstSeq": 1 + caller.below(3), "entries": [line]}))
        }
        3 => ("give-back", json!({"fence": fence, "reason": "stopping"})),
        n => {
            let result = if n == 4 { "succeeded" } else { "failed" };
            let url = "https://code.example/team/project/pull/9";
            ("finish", json!({"fence": fence, "result": result, "exitCode": n - 4, "pullRequest": url}))
        }
    };
    caller.ask_as(&secret, Method::POST, &format!("{run}/{what}"), Some(body)).await
}

async fn cancel(caller: &mut Caller) -> Option<Value> {
    let run = caller.text("run")?;
    caller.ask(Method::POST, &format!("/runs/{run}/cancel"), Some(json!({}))).await
}

async fn agent(caller: &mut Caller) -> Option<Value> {
    let new = json!({"name": caller.name("Agent")});
    let made = caller.ask(Method::POST, "/orgs/demo/agents", Some(new)).await?;
    caller.pool.put("agent", made.clone());
    caller.pool.put("deletable", format!("/orgs/demo/agents/{}", made["id"].as_str()?).into());
    Some(made)
}

/// Deletes an agent or a playbook, or restores it.
async fn delete_or_restore(caller: &mut Caller) -> Option<Value> {
    let path = caller.text("deletable")?;
    match caller.chance(50) {
        true => caller.ask(Method::DELETE, &path, None).await,
        false => caller.ask(Method::POST, &format!("{path}/restore"), Some(json!({}))).await,
    }
}

async fn rename_agent(caller: &mut Caller) -> Option<Value> {
    let agent = caller.any("agent")?;
    let path = format!("/orgs/demo/agents/{}", agent["id"].as_str()?);
    let change = json!({"version": 1 + caller.below(3), "name": caller.name("Agent")});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn runner(caller: &mut Caller) -> Option<Value> {
    let new = json!({"name": caller.name("Box")});
    let made = caller.ask(Method::POST, "/orgs/demo/runners", Some(new)).await?;
    caller.pool.put("runner", json!({"id": made["runner"]["id"], "secret": made["secret"]}));
    Some(made)
}

async fn change_runner(caller: &mut Caller) -> Option<Value> {
    let runner = caller.any("runner")?;
    let path = format!("/orgs/demo/runners/{}", runner["id"].as_str()?);
    match caller.below(5) {
        0 => caller.ask(Method::DELETE, &path, None).await,
        1 => {
            let made = caller.ask(Method::POST, &format!("{path}/rotate"), Some(json!({}))).await?;
            caller.pool.put("runner", json!({"id": runner["id"], "secret": made["secret"]}));
            Some(made)
        }
        n => {
            let mut change = json!({"version": 1 + caller.below(3), "name": caller.name("Box")});
            if n == 2 {
                change["disabled"] = caller.chance(40).into();
            }
            caller.ask(Method::PATCH, &path, Some(change)).await
        }
    }
}

async fn playbook(caller: &mut Caller) -> Option<Value> {
    let new = json!({
        "name": caller.name("Play "), "instructions": caller.words(), "harness": "harness_1",
        "projectDefault": caller.chance(50), "successState": caller.one(&["In review", "Testing"]),
    });
    let made = caller.ask(Method::POST, &format!("{PROJECT}/playbooks"), Some(new)).await?;
    let path = format!("{PROJECT}/playbooks/{}", made["id"].as_str()?);
    caller.pool.put("deletable", path.as_str().into());
    let change = json!({"version": made["version"], "instructions": caller.words()});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn rule(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/rules");
    let known = caller.ask(Method::GET, &path, None).await;
    let first = known.as_ref().and_then(|rules| rules.get(0));
    if let Some(first) = first.filter(|_| caller.chance(30)) {
        let path = format!("{path}/{}", first["id"].as_str()?);
        if caller.chance(30) {
            return caller.ask(Method::DELETE, &path, None).await;
        }
        let change =
            json!({"version": first["version"], "disabled": caller.chance(20), "state": "In review"});
        return caller.ask(Method::PATCH, &path, Some(change)).await;
    }
    let playbook = caller.ask(Method::GET, &format!("{PROJECT}/playbooks"), None).await?;
    let state = caller.one(&["Backlog", "In progress", "Testing"]);
    let new = json!({"name": caller.name("Rule "), "state": state, "playbook": playbook[0]["id"]});
    caller.ask(Method::POST, &path, Some(new)).await
}

/// Makes a schedule, fires, changes or deletes one.
async fn schedule(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/schedules");
    let known = caller.ask(Method::GET, &path, None).await;
    if let Some(first) = known.as_ref().and_then(|known| known.get(0)).filter(|_| caller.chance(60)) {
        let path = format!("{path}/{}", first["id"].as_str()?);
        let paused = json!({"version": first["version"], "paused": caller.chance(50)});
        return match caller.below(6) {
            0 => caller.ask(Method::DELETE, &path, None).await,
            1..3 => caller.ask(Method::POST, &format!("{path}/fire"), None).await,
            _ => caller.ask(Method::PATCH, &path, Some(paused)).await,
        };
    }
    let playbook = caller.ask(Method::GET, &format!("{PROJECT}/playbooks"), None).await?;
    let new = json!({
        "name": caller.name("Schedule "), "cron": caller.one(&["0 6 * * 1", "*/5 * * * *"]), "timeZone": "Europe/Berlin",
        "playbook": playbook[0]["id"], "agent": caller.name("Agent"), "type": "task", "title": caller.words(),
    });
    caller.ask(Method::POST, &path, Some(new)).await
}

/// Whatever a ticket's refinement permits now, and what it does not.
async fn refine(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let path = format!("{item}/refinement");
    let seen = caller.ask(Method::GET, &path, None).await;
    let version = seen.as_ref().map_or(json!(1), |seen| seen["version"].clone());
    match (caller.below(4), seen) {
        (0, Some(seen)) => {
            let body = json!({"version": version, "itemVersion": seen["itemVersion"]});
            caller.ask(Method::POST, &format!("{path}/confirm"), Some(body)).await
        }
        (1, Some(_)) => {
            let body = json!({"version": version, "answers": [{"question": 1, "answer": caller.words()}]});
            caller.ask(Method::POST, &format!("{path}/answers"), Some(body)).await
        }
        (2, Some(_)) => {
            let body = json!({"version": version, "note": caller.words()});
            caller.ask(Method::POST, &format!("{path}/changes"), Some(body)).await
        }
        _ => {
            let started = caller.ask(Method::POST, &path, Some(json!({}))).await?;
            caller.pool.put("run", started["run"].clone());
            hand_in(caller, &item).await;
            Some(started)
        }
    }
}

/// A runner takes a run, and its agent hands in a refinement of this item, which is its own or not.
async fn hand_in(caller: &mut Caller, item: &str) -> Option<Value> {
    let taken = take(caller).await?;
    let token = taken["token"].as_str()?.to_owned();
    let proposal = json!({"title": caller.words(), "description": caller.words()});
    let body = if caller.chance(50) {
        json!({"questions": [caller.words()]})
    } else {
        json!({"proposal": proposal})
    };
    caller.ask_as(&token, Method::PUT, &format!("{item}/refinement/submission"), Some(body)).await
}

/// The state may go at this moment.
async fn refinement(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/refinement-settings");
    let state = caller.one(&[Some("Backlog"), Some("Testing"), None]);
    let change =
        json!({"version": caller.version(&path).await?, "platforms": caller.words(), "refinedState": state});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn settings(caller: &mut Caller) -> Option<Value> {
    let path = format!("{PROJECT}/factory-settings");
    let version = caller.version(&path).await?;
    let change = json!({"version": version, "defaultAgent": caller.name("Agent")});
    caller.ask(Method::PATCH, &path, Some(change)).await
}
