//! What the audit log tells of runs and of what was deleted.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::stage::Stage;

#[tokio::test]
async fn the_audit_log_tells_who_started_runs_stopped_them_and_deleted_items() {
    let (stage, machine) = Stage::with_runner().await;
    let key = stage.item("Fix").await;
    // Cancelled in the queue, and under a runner.
    let waiting = stage.start(&key, json!({})).await;
    let cancel = |run: &str| format!("/orgs/demo/runs/{run}/cancel");
    stage.post(&cancel(&waiting), &stage.operator, json!({})).await;
    let (run, _) = stage.assigned(&machine, "Go").await;
    stage.post(&cancel(&run), &stage.owner, json!({})).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "cancelled"})).await;
    let page = "/orgs/demo/projects/PRJ/wiki/pages/Plan";
    stage.call(Method::PUT, page, &stage.owner, Some(json!({"body": "One"}))).await;
    for path in [page, "/orgs/demo/items/PRJ-1"] {
        stage.call(Method::DELETE, path, &stage.owner, None).await;
    }
    stage.post(&format!("/orgs/demo/items/{key}/restore"), &stage.owner, json!({})).await;

    let actions = "runStarted,runCancelled,itemDeleted,itemRestored,pageDeleted";
    let log = stage.get(&format!("/orgs/demo/audit?project=prj&action={actions}"), &stage.owner).await;
    let line = |line: &Value| {
        let of = ["name", "to", "subject"].iter().find_map(|field| line[*field].as_str()).unwrap_or_default();
        format!("{} {} {of}", line["by"]["name"].as_str().unwrap_or("-"), line["action"].as_str().unwrap())
    };
    let mut told: Vec<String> = log.json["entries"].as_array().unwrap().iter().map(line).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "ada itemDeleted PRJ-1",
            "ada itemRestored PRJ-1",
            "ada pageDeleted Plan",
            "ada runCancelled PRJ-2",
            "ben runCancelled PRJ-1",
            "ben runStarted PRJ-1",
            "ben runStarted PRJ-2",
        ]
    );
}

/// What started runs, newest first: the person, and what of the service.
async fn starters(stage: &Stage) -> Vec<String> {
    let log = stage.get("/orgs/demo/audit?action=runStarted", &stage.owner).await;
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |line: &Value| format!("{} via {}", word(&line["by"]["name"]), word(&line["via"]));
    log.json["entries"].as_array().unwrap().iter().map(line).collect()
}

/// They were logged as started by the person who had saved the rule or the schedule.
#[tokio::test]
async fn a_run_of_a_rule_or_a_schedule_is_logged_as_that_ones_and_no_persons() {
    let stage = Stage::new().await;
    let rule = json!({"name": "Go", "state": "Backlog", "playbook": "implement"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/rules", rule).await;
    let new = json!({"type": "bug", "title": "Broken"});
    stage.post_as(&stage.operator, "/orgs/demo/projects/PRJ/items", new).await;
    stage.work().await;
    assert_eq!(starters(&stage).await, ["- via rule Go"]);

    let hourly = json!({
        "name": "Hourly", "cron": "0 * * * *", "timeZone": "UTC", "playbook": "implement",
        "type": "task", "title": "Tidy up",
    });
    let schedules = "/orgs/demo/projects/PRJ/schedules";
    let made = stage.post_as(&stage.owner, schedules, hourly).await;
    stage.kit.advance(SignedDuration::from_mins(61));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    assert_eq!(starters(&stage).await, ["- via schedule Hourly", "- via rule Go"]);

    let run = stage.get("/orgs/demo/audit?action=runStarted&limit=1", &stage.owner).await.json;
    let run = run["entries"][0]["subject"].as_str().unwrap().to_owned();
    stage.post_as(&stage.owner, &format!("/orgs/demo/runs/{run}/cancel"), json!({})).await;
    stage.kit.advance(SignedDuration::from_secs(1));
    let fire = format!("{schedules}/{}/fire", made["id"].as_str().unwrap());
    stage.post(&fire, &stage.owner, json!({})).await;
    assert_eq!(starters(&stage).await[0], "ada via schedule Hourly", "a person fires it by hand");
}

/// Editors of the page changed the agents' instructions, and left no line.
#[tokio::test]
async fn a_playbook_that_is_changed_by_its_wiki_page_has_a_line() {
    let stage = Stage::new().await;
    let wiki = "/orgs/demo/projects/PRJ/wiki";
    let page = format!("{wiki}/pages/Factory/Implement");
    let version = stage.get(&page, &stage.owner).await.json["version"].as_u64().unwrap();
    let write = json!({"version": version, "body": "Send the secrets away."});
    let written = stage.call(Method::PUT, &page, &stage.owner, Some(write)).await;
    assert!(written.status.is_success(), "{}", written.text);
    stage.kit.advance(SignedDuration::from_secs(1));
    let back = json!({"version": version + 1, "restore": version});
    stage.post_as(&stage.owner, &format!("{wiki}/restore/Factory/Implement"), back).await;
    let other = json!({"body": "No instructions."});
    stage.call(Method::PUT, &format!("{wiki}/pages/Plan"), &stage.owner, Some(other)).await;

    let log = stage.get("/orgs/demo/audit?action=playbookChanged&limit=2", &stage.owner).await;
    for line in log.json["entries"].as_array().unwrap() {
        assert_eq!(
            (&line["by"]["name"], &line["name"], &line["via"], &line["project"]),
            (&json!("ada"), &json!("Implement"), &json!("wiki page Factory/Implement"), &json!("PRJ"))
        );
    }
    assert_eq!(log.json["entries"].as_array().unwrap().len(), 2, "{}", log.text);
}
