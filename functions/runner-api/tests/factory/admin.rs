//! Agents, runners, playbooks and settings.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_app::Settings;
use svc_storage::keys;
use svc_testkit::call;

use crate::stage::{AREAS, Stage};

/// A look at a machine made its runner one of parallel 1 without harnesses, and one that was never started online.
#[tokio::test]
async fn a_hello_that_only_asks_changes_nothing_of_a_runner() {
    let (stage, machine) = Stage::with_runner().await;
    let hello = |harnesses: Value, parallel: u32, only_asks: bool| {
        json!({
            "machineId": "m-1", "clientVersion": "0.1.0", "platform": "linux-x86_64", "harnesses": harnesses,
            "parallel": parallel, "onlyAsks": only_asks,
        })
    };
    let seen = async || stage.get("/orgs/demo/runners", &stage.operator).await.json[0].clone();
    let asked = stage.post("/runner/hello", &machine.secret, hello(json!(["harness_1"]), 1, true)).await;
    assert_eq!((asked.status, &asked.json["organization"]), (StatusCode::OK, &json!("demo")));
    assert_eq!(seen().await["online"], false, "it was never started");
    stage.post("/runner/hello", &machine.secret, hello(json!(["harness_1"]), 2, false)).await;
    let before = seen().await;
    stage.post("/runner/hello", &machine.secret, hello(json!([]), 1, true)).await;
    assert_eq!(seen().await, before);
    assert_eq!((&before["online"], &before["parallel"]), (&json!(true), &json!(2)));
    // It was "busy" until the idle runner asked for work.
    let run = stage.start(&stage.item("Fix").await, json!({})).await;
    assert_eq!(stage.view_run(&run).await["waitingReason"], Value::Null);
}

#[tokio::test]
async fn a_secret_stops_working_when_it_is_disabled_rotated_or_deleted() {
    let (stage, machine) = Stage::with_runner().await;
    assert!(machine.secret.starts_with("jrn_"));
    let path = format!("/orgs/demo/runners/{}", machine.id);
    let works = async |secret: &str| {
        let body = json!({"harnesses": [], "waitSeconds": 0, "requestId": "x"});
        stage.post("/runner/take", secret, body).await.status != StatusCode::UNAUTHORIZED
    };
    assert!(works(&machine.secret).await);
    let disable = json!({"version": 1, "disabled": true});
    let reply = stage.call(Method::PATCH, &path, &stage.owner, Some(disable.clone())).await;
    assert_eq!((reply.status, &reply.json["disabled"]), (StatusCode::OK, &json!(true)));
    assert!(!works(&machine.secret).await);
    let stale = stage.call(Method::PATCH, &path, &stage.owner, Some(disable)).await;
    assert_eq!((stale.status, stale.problem()), (StatusCode::CONFLICT, "stale-version"));
    let enable = json!({"version": 2, "disabled": false});
    stage.call(Method::PATCH, &path, &stage.owner, Some(enable)).await;
    assert!(works(&machine.secret).await);
    let rotated = stage.call(Method::POST, &format!("{path}/rotate"), &stage.owner, None).await;
    let fresh = rotated.json["secret"].as_str().unwrap();
    assert!(!works(&machine.secret).await && works(fresh).await);
    assert_eq!(stage.call(Method::DELETE, &path, &stage.owner, None).await.status, StatusCode::NO_CONTENT);
    assert!(!works(fresh).await);
    assert_eq!(stage.call(Method::DELETE, &path, &stage.owner, None).await.status, StatusCode::NOT_FOUND);
    stage.runner("box").await;
}

#[tokio::test]
async fn a_secret_is_shown_once_and_is_worth_something_to_its_runner_in_its_organization_alone() {
    let (stage, machine) = Stage::with_runner().await;
    let listed = stage.get("/orgs/demo/runners", &stage.owner).await;
    assert!(listed.text.contains(&machine.id) && !listed.text.contains("jrn_"), "{}", listed.text);
    let hello = json!({
        "machineId": "m-1", "label": "laptop", "clientVersion": "0.1.0", "platform": "linux-x86_64",
        "harnesses": ["harness_1"], "parallel": 1, "service": false,
    });
    let said = stage.post("/runner/hello", &machine.secret, hello).await;
    assert!(said.json["organization"] == "demo" && !said.text.contains("jrn_"), "{}", said.text);
    // It works no items; the authorization matrix shows that it opens no account.
    for path in ["/orgs/demo/projects", "/orgs/demo/items/PRJ-1", "/orgs/demo/agents"] {
        let reply = stage.get(path, &machine.secret).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN, "{path}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_disabled_runner_that_waits_for_work_is_sent_home() {
    let (stage, machine) = Stage::with_runner().await;
    let key = stage.item("Fix").await;
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": 15, "requestId": "x"});
    let wait = stage.post("/runner/take", &machine.secret, body);
    let disable = async {
        stage.until_online(&machine).await;
        let path = format!("/orgs/demo/runners/{}", machine.id);
        let change = json!({"version": 1, "disabled": true});
        stage.call(Method::PATCH, &path, &stage.owner, Some(change)).await;
        stage.start(&key, json!({})).await;
    };
    let (taken, ()) = tokio::join!(wait, disable);
    assert_eq!(taken.status, StatusCode::UNAUTHORIZED, "{}", taken.text);
}

#[tokio::test]
async fn nothing_is_noted_of_a_runner_that_is_deleted_while_it_speaks() {
    let stage = Stage::new().await;
    let (kit, gate) = stage.kit.beside().gated();
    let router = kit.router(&AREAS);
    let take = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "x"});
    let hello = json!({
        "machineId": "m-1", "label": "laptop", "clientVersion": "0.1.0", "platform": "linux-x86_64",
        "harnesses": ["harness_1"], "parallel": 1, "service": false,
    });
    for (path, body) in [("/runner/take", take), ("/runner/hello", hello)] {
        let machine = stage.runner("box").await;
        let note = keys::seen(stage.org.id, machine.id.parse().unwrap());
        let speaking = call(&router, Method::POST, path, Some(&machine.secret), Some(body));
        let runner = format!("/orgs/demo/runners/{}", machine.id);
        let deleting = stage.call(Method::DELETE, &runner, &stage.owner, None);
        let (said, deleted) = gate.meanwhile(note.clone(), speaking, deleting).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
        assert!(!said.status.is_server_error(), "{path}: {}", said.text);
        assert_eq!(stage.kit.app.table.get(&note).await.unwrap(), None, "{path}");
    }
}

#[tokio::test]
async fn names_are_unique_whatever_their_case() {
    let stage = Stage::new().await;
    let owner = stage.owner.as_str();
    let reply = stage.post("/orgs/demo/agents", owner, json!({"name": "BUILDER"})).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "already-exists"));
    let new = json!({"name": "implement", "instructions": "x", "harness": "harness_1"});
    let reply = stage.post("/orgs/demo/projects/PRJ/playbooks", owner, new).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "already-exists"));
    let agents = stage.get("/orgs/demo/agents", owner).await.json;
    let path = format!("/orgs/demo/agents/{}", agents[0]["id"].as_str().unwrap());
    let reply = stage.call(Method::PATCH, &path, owner, Some(json!({"version": 1, "name": "Maker"}))).await;
    assert_eq!((&reply.json["name"], &reply.json["version"]), (&json!("Maker"), &json!(2)));
    stage.post_as(owner, "/orgs/demo/agents", json!({"name": "builder"})).await;
}

#[tokio::test]
async fn only_administrators_manage_agents_and_runners_and_project_admins_playbooks() {
    let stage = Stage::new().await;
    for (path, body) in [
        ("/orgs/demo/agents", json!({"name": "x"})),
        ("/orgs/demo/runners", json!({"name": "x"})),
        (
            "/orgs/demo/projects/PRJ/playbooks",
            json!({"name": "x", "instructions": "", "harness": "harness_1"}),
        ),
    ] {
        let reply = stage.post(path, &stage.operator, body.clone()).await;
        assert_eq!((reply.status, reply.problem()), (StatusCode::FORBIDDEN, "forbidden"), "{path}");
        assert_eq!(stage.post(path, &stage.foreigner, body).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(stage.get("/orgs/demo/runners", &stage.member).await.problem(), "factory-not-permitted");
    let settings = "/orgs/demo/projects/PRJ/factory-settings";
    assert_eq!(stage.get(settings, &stage.member).await.problem(), "factory-not-permitted");
}

#[tokio::test]
async fn a_playbook_is_a_page_of_the_factory_section() {
    let stage = Stage::new().await;
    let owner = stage.owner.as_str();
    let page = "/orgs/demo/projects/PRJ/wiki/pages/Factory/Implement";
    assert_eq!(stage.get(page, owner).await.json["body"], "Write the code.");
    let list = stage.get("/orgs/demo/projects/PRJ/playbooks", &stage.operator).await.json;
    assert_eq!(
        (&list[0]["pagePath"], &list[0]["projectDefault"]),
        (&json!("Factory/Implement"), &json!(true))
    );
    let path = format!("/orgs/demo/projects/PRJ/playbooks/{}", list[0]["id"].as_str().unwrap());
    let change = json!({"version": 1, "instructions": "Write tests too.", "timeLimitMinutes": 30,
        "failureState": null, "deliveryMode": "pushToDefaultBranch", "delivers": "nothing", "projectDefault": false});
    let reply = stage.call(Method::PATCH, &path, owner, Some(change)).await.is(200);
    assert_eq!((&reply.json["timeLimitMinutes"], &reply.json["projectDefault"]), (&json!(30), &json!(false)));
    assert_eq!(
        (&reply.json["instructions"], &reply.json["delivers"]),
        (&json!("Write tests too."), &json!("nothing"))
    );
    assert_eq!(stage.get(page, owner).await.json["version"], 2);
    for path in [path.as_str(), "/orgs/demo/projects/PRJ/playbooks"] {
        assert_eq!(stage.get(path, &stage.member).await.problem(), "factory-not-permitted");
    }
    let bad = json!({"version": 2, "successState": "Nowhere", "timeLimitMinutes": 0});
    let reply = stage.call(Method::PATCH, &path, owner, Some(bad)).await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        reply.json["errors"]["successState"].is_array()
            && reply.json["errors"]["timeLimitMinutes"].is_array()
    );
    // Direct delivery is captured with the run, and so is its branch.
    let key = stage.item("Direct").await;
    let run = stage.start(&key, json!({"playbook": "Implement"})).await;
    let seen = stage.view_run(&run).await;
    assert_eq!(
        (&seen["deliveryMode"], &seen["directTarget"]),
        (&json!("pushToDefaultBranch"), &json!("main"))
    );
}

#[tokio::test]
async fn a_playbook_has_one_of_five_harnesses_and_no_page_outside_the_section() {
    let stage = Stage::new().await;
    let path = "/orgs/demo/projects/PRJ/playbooks";
    let new = |harness: &str| json!({"name": harness, "instructions": "Read.", "harness": harness});
    for n in 1..=5 {
        let made = stage.post_as(&stage.owner, path, new(&format!("harness_{n}"))).await;
        let page = format!("Factory/harness_{n}");
        assert_eq!(
            (&made["pagePath"], &made["deliveryMode"], &made["delivers"]),
            (&json!(page), &json!("branchAndPullRequest"), &json!("commit"))
        );
    }
    let mut elsewhere = new("harness_1");
    elsewhere["pagePath"] = json!("Prompts/harness_1");
    for (body, field) in [(new("harness_6"), "harness"), (elsewhere, "pagePath")] {
        let refused = stage.post(path, &stage.owner, body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {}", refused.text);
        assert!(refused.json["errors"][field].is_array(), "{field}: {}", refused.text);
    }
}

#[tokio::test]
async fn settings_name_defaults_that_exist() {
    let stage = Stage::new().await;
    let (owner, path) = (stage.owner.as_str(), "/orgs/demo/projects/PRJ/factory-settings");
    let before = stage.get(path, &stage.operator).await.json;
    assert_eq!(
        (&before["defaultBranch"], &before["repositorySource"]),
        (&json!("main"), &json!("runnerLocal"))
    );
    assert_eq!(before["defaultPlaybook"]["name"], "Implement");
    let agents = stage.get("/orgs/demo/agents", owner).await.json;
    let change = json!({"version": before["version"], "pathHint": "~/code/demo", "defaultBranch": "trunk",
        "defaultAgent": agents[0]["id"]});
    let after = stage.call(Method::PATCH, path, owner, Some(change)).await.json;
    assert_eq!(
        (&after["pathHint"], &after["defaultAgent"]["name"]),
        (&json!("~/code/demo"), &json!("Builder"))
    );
    for (field, value) in
        [("defaultBranch", "-x"), ("defaultAgent", "00000000-0000-7000-8000-000000000000"), ("pathHint", " ")]
    {
        let change = json!({"version": after["version"], field: value});
        let reply = stage.call(Method::PATCH, path, owner, Some(change)).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert!(reply.json["errors"][field].is_array(), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_playbook_older_than_the_section_moves_into_it_with_its_next_save() {
    let stage = Stage::new().await;
    let owner = stage.owner.as_str();
    let wiki = |path: &str| format!("/orgs/demo/projects/PRJ/wiki/pages/{path}");
    let body = Some(json!({"body": "Old words."}));
    let page = stage.call(Method::PUT, &wiki("Prompts/Old"), owner, body).await.json;
    let id = "00000000-0000-7000-8000-000000000001";
    let row = json!({
        "id": id, "name": "Old", "page": page["id"], "pagePath": "Prompts/Old", "harness": "harness_1",
        "timeLimitMinutes": 1, "successState": null, "failureState": null,
        "deliveryMode": "branchAndPullRequest", "createdAt": "2026-01-01T12:00:00Z",
    });
    let key = keys::playbook(stage.org.id, &"PRJ".parse().unwrap(), id.parse().unwrap());
    svc_testkit::write(&stage.kit.app, vec![svc_storage::Op::create(key, &row)]).await.unwrap();

    let path = format!("/orgs/demo/projects/PRJ/playbooks/{id}");
    assert_eq!(
        stage.get(&path, &stage.operator).await.json["instructions"],
        "Old words.",
        "it keeps working"
    );
    let change = Some(json!({"version": 1, "instructions": "New words."}));
    let saved = stage.call(Method::PATCH, &path, owner, change).await;
    assert_eq!(
        (&saved.json["pagePath"], &saved.json["instructions"]),
        (&json!("Factory/Old"), &json!("New words.")),
        "{}",
        saved.text
    );
    assert_eq!(stage.get(&wiki("Factory/Old"), owner).await.json["body"], "New words.");
    assert_eq!(stage.get(&wiki("Prompts/Old"), owner).await.json, page, "unchanged");
    assert_eq!(stage.get(&wiki("Prompts/Old"), &stage.member).await.problem(), "not-found");
}

#[tokio::test]
async fn an_organization_has_so_many_runners() {
    let mut settings = Settings::default();
    settings.limits.runners_per_organization = 2;
    let stage = Stage::with(settings).await;
    let one = stage.runner("one").await;
    stage.runner("two").await;
    let third =
        || stage.call(Method::POST, "/orgs/demo/runners", &stage.owner, Some(json!({"name": "three"})));
    let refused = third().await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::CONFLICT, "conflict"), "{}", refused.text);
    let path = format!("/orgs/demo/runners/{}", one.id);
    assert_eq!(stage.call(Method::DELETE, &path, &stage.owner, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(third().await.status, StatusCode::CREATED);
}
