//! `svc schedule`: what is sent, and what people read of a project's recurring schedules.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::factory::{Harness, Schedule, ScheduleFiring, SchedulePreview};
use svc_api::tracker::ItemType;

use crate::fixtures::{ada, agent, at, playbook};
use crate::stub::Stub;

const SCHEDULES: &str = "/orgs/demo/projects/PRJ/schedules";

fn schedule(id: &str, name: &str) -> Schedule {
    Schedule {
        id: id.into(),
        name: name.into(),
        cron: "0 6 * * MON".into(),
        time_zone: "Europe/Berlin".into(),
        playbook: "p1".into(),
        agent: None,
        runner: None,
        harness: None,
        item_type: ItemType::Task,
        title: "Update dependencies ({week})".into(),
        body: "Read the changelogs.".into(),
        labels: vec!["auto".into(), "ops".into()],
        paused: false,
        paused_reason: None,
        // The clocks go forward between the two.
        next_runs: ["2026-03-23T05:00:00Z", "2026-03-30T04:00:00Z"].map(|at| at.parse().unwrap()).into(),
        last_item: Some("PRJ-12".into()),
        last_skipped_reason: None,
        saved_by: ada(),
        version: 3,
    }
}

fn paused(id: &str, name: &str) -> Schedule {
    let reason = "The person who saved the schedule may no longer start AI work.";
    Schedule {
        paused: true,
        paused_reason: Some(reason.into()),
        next_runs: Vec::new(),
        last_skipped_reason: Some(reason.into()),
        agent: Some("a1".into()),
        runner: Some("gone".into()),
        harness: Some(Harness::Harness2),
        ..schedule(id, name)
    }
}

fn firing(item: Option<&str>) -> ScheduleFiring {
    ScheduleFiring {
        at: "2026-03-30T04:00:00Z".parse().unwrap(),
        missed_since: None,
        fired_by: None,
        item: item.map(Into::into),
        run: item.map(|_| "run_1".into()),
        skipped_reason: item
            .is_none()
            .then(|| "PRJ-12, which this schedule made last, has a live run.".into()),
    }
}

fn stub() -> Stub {
    let stub = Stub::new();
    let new = Schedule { last_item: None, ..schedule("s3", "New") };
    stub.on(&format!("GET {SCHEDULES}"), &[schedule("s1", "Dependencies"), paused("s2", "Nightly"), new]);
    stub.on("GET /orgs/demo/projects/PRJ/playbooks", &[playbook("p1", "Implement")]);
    stub.on("GET /orgs/demo/agents", &[agent("a1", "Robin")]);
    stub.on("GET /orgs/demo/runners", &[(); 0]);
    stub.on(&format!("POST {SCHEDULES}"), &schedule("s1", "Dependencies"));
    for id in ["s1", "s2"] {
        stub.on(&format!("PATCH {SCHEDULES}/{id}"), &schedule(id, "Dependencies"));
    }
    stub
}

#[test]
fn due_times_are_shown_on_the_clocks_of_the_schedule() {
    let stub = stub();
    insta::assert_snapshot!("schedule_list", stub.svc(&["schedule", "list", "-p", "PRJ"]).run());
    insta::assert_snapshot!(
        "schedule_view",
        stub.svc(&["schedule", "view", "dependencies", "-p", "PRJ"]).run()
    );
    insta::assert_snapshot!("schedule_view_paused", stub.svc(&["schedule", "view", "s2", "-p", "PRJ"]).run());
    let shown = stub.svc(&["schedule", "view", "nightly", "-p", "PRJ", "--json"]).run();
    assert_eq!(shown.json()["nextRuns"], json!([]));
    let preview = SchedulePreview { next_runs: schedule("s1", "x").next_runs };
    stub.on("POST /orgs/demo/projects/PRJ/schedule-preview", &preview);
    let zone = ["--time-zone", "Europe/Berlin"];
    let asked = ["schedule", "preview", "0 6 * * MON", "-p", "PRJ"];
    let ran = stub.svc(&[&asked[..], &zone].concat()).run();
    assert_eq!(ran.stdout, "Mon 2026-03-23 06:00 CET\nMon 2026-03-30 06:00 CEST\n", "{ran}");
    assert_eq!(stub.last_body(), json!({"cron": "0 6 * * MON", "timeZone": "Europe/Berlin"}));
    let named = ["schedule", "preview", "--cron", "0 6 * * MON", "-p", "PRJ"];
    assert_eq!(stub.svc(&named).run().code, 0, "as create takes it");
    assert_eq!(stub.last_body()["cron"], "0 6 * * MON");
    let both = stub.svc(&[&asked[..], &["--cron", "0 7 * * *"]].concat()).run();
    assert!(both.code != 0 && both.stderr.contains("cannot be used with"), "{both}");
    assert!(
        stub.svc(&["schedule", "preview", "-p", "PRJ"]).run().stderr.contains("EXPRESSION"),
        "one is required"
    );
    let ran = stub.svc(&asked).run();
    assert_eq!(ran.stdout, "Mon 2026-03-23 05:00 UTC\nMon 2026-03-30 04:00 UTC\n", "{ran}");
}

#[test]
fn a_schedule_is_made_with_everything_that_its_runs_need() {
    let stub = stub();
    let made = ["schedule", "create", "Dependencies", "-p", "PRJ", "--cron", "0 6 * * MON"];
    let least = ["--playbook", "implement", "--title", "Update ({week})"];
    stub.svc(&[&made[..], &least].concat()).run().exits(0);
    let mut sent = json!({
        "name": "Dependencies", "cron": "0 6 * * MON", "playbook": "implement", "type": "task",
        "title": "Update ({week})", "body": "", "labels": [], "paused": false,
    });
    assert_eq!(stub.last_body(), sent);
    let more = ["--agent", "robin", "--runner", "box", "--time-zone", "Europe/Berlin", "--type", "bug"];
    let most = ["--harness", "Codex", "--labels", "auto,ops", "-m", "- one", "--paused"];
    stub.svc(&[&made[..], &least, &more, &most].concat()).run().exits(0);
    let rest = json!({
        "agent": "robin", "runner": "box", "timeZone": "Europe/Berlin", "type": "bug", "labels": ["auto", "ops"],
        "body": "- one", "paused": true, "harness": "harness_2",
    });
    sent.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    assert_eq!(stub.last_body(), sent);
    let lacking = stub.svc(&made).run();
    assert!(lacking.code == 2 && lacking.stderr.contains("--playbook"), "{lacking}");
}

#[test]
fn a_schedule_is_changed_paused_and_resumed_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (&["edit", "dependencies", "--cron", "0 4 * * *"][..], json!({"version": 3, "cron": "0 4 * * *"})),
        (
            &["edit", "s2", "--agent", "none", "--runner", "box"],
            json!({"version": 3, "agent": null, "runner": "box"}),
        ),
        (&["edit", "s1", "--harness", "codex"], json!({"version": 3, "harness": "harness_2"})),
        (&["edit", "s1", "--harness", "None"], json!({"version": 3, "harness": null})),
        (&["edit", "nightly", "--labels", "auto"], json!({"version": 3, "labels": ["auto"]})),
        (&["pause", "Dependencies"], json!({"version": 3, "paused": true})),
        (&["resume", "nightly"], json!({"version": 3, "paused": false})),
    ] {
        stub.svc(&[&["schedule"], args, &["-p", "PRJ"]].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["schedule", "edit", "nightly", "-p", "PRJ"]).run().code, 2, "nothing to change");
    let unknown = stub.svc(&["schedule", "pause", "weekly", "-p", "PRJ"]).run();
    assert!(unknown.code != 0 && unknown.stderr.contains("Nightly"), "{unknown}");
    assert_eq!(stub.svc(&["schedule", "delete", "nightly", "-p", "PRJ"]).run().code, 2, "unasked");
    stub.answer(&format!("DELETE {SCHEDULES}/s2"), StatusCode::NO_CONTENT, &[], String::new());
    let deleted = stub.svc(&["schedule", "delete", "nightly", "-p", "PRJ", "--yes"]).run();
    assert!(deleted.code == 0 && stub.calls().contains(&format!("DELETE {SCHEDULES}/s2")), "{deleted}");
}

#[test]
fn what_a_schedule_did_is_read_with_its_reasons() {
    let stub = stub();
    let missed = ScheduleFiring { missed_since: Some(at("12:00:00")), ..firing(Some("PRJ-12")) };
    let by_hand = ScheduleFiring { fired_by: Some(ada()), ..firing(Some("PRJ-13")) };
    stub.on(&format!("GET {SCHEDULES}/s1/firings"), &[by_hand.clone(), firing(None), missed]);
    insta::assert_snapshot!("schedule_firings", stub.svc(&["schedule", "firings", "s1", "-p", "PRJ"]).run());
    stub.on(&format!("POST {SCHEDULES}/s1/fire"), &by_hand);
    insta::assert_snapshot!(
        "schedule_run",
        stub.svc(&["schedule", "run", "dependencies", "-p", "PRJ"]).run()
    );
    let as_json = stub.svc(&["schedule", "run", "dependencies", "-p", "PRJ", "--json"]).run();
    assert_eq!(as_json.json()["item"], "PRJ-13");
    stub.on(&format!("GET {SCHEDULES}/s2/firings"), &[(); 0]);
    let none = stub.svc(&["schedule", "firings", "s2", "-p", "PRJ"]).run();
    assert!(none.code == 0 && none.stdout.is_empty(), "{none}");
}

#[test]
fn a_schedule_whose_playbook_was_deleted_says_so() {
    let stub = stub();
    stub.now("GET /orgs/demo/projects/PRJ/playbooks", &[playbook("p2", "Other")]);
    stub.on("GET /orgs/demo/projects/PRJ/playbooks?deleted=true", &[playbook("p1", "Implement")]);
    for args in [&["list"][..], &["view", "nightly"]] {
        let ran = stub.svc(&[&["schedule"], args, &["-p", "PRJ"]].concat()).run();
        assert!(ran.code == 0 && ran.stdout.contains("deleted playbook Implement"), "{ran}");
    }
}
