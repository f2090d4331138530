//! Lists of an organization's runs: what they cost in an organization that has many.

use serde_json::{Value, json};
use svc_app::Transaction;
use svc_domain::ids::RunId;
use svc_storage::{Op, keys};
use svc_testkit::TestApp;

use crate::stage::Stage;

/// Puts many more runs of the same item into the organization's list.
async fn crowd(stage: &Stage, like: &str) {
    let app = &stage.kit.app;
    let row = app.table.get(&keys::run_entry(stage.org.id, like.parse().unwrap())).await.unwrap().unwrap();
    let mut entry: Value = row.read().unwrap();
    entry["status"] = json!("succeeded");
    for _ in 0..10 {
        let places = (0..50).map(|_| Op::create(keys::run_entry(stage.org.id, RunId(app.uuid())), &entry));
        app.commit(Transaction::bookkeeping(app).with(places.collect::<Vec<_>>())).await.unwrap();
    }
}

#[tokio::test]
async fn lists_of_an_item_and_of_runs_that_have_not_ended_cost_the_same_among_many_runs() {
    let (kit, meter) = TestApp::new().metered();
    let stage = Stage::on(kit).await;
    let machine = stage.runner("box").await;
    let (working, taken) = stage.assigned(&machine, "Working").await;
    stage.say(&machine, &working, "start", json!({"fence": taken["fence"]})).await;
    let (assigned, _) = stage.assigned(&machine, "Assigned").await;
    let key = stage.item("Waiting").await;
    let later = stage.kit.now() + jiff::SignedDuration::from_mins(5);
    let scheduled = stage.start(&stage.item("Later").await, json!({"scheduledFor": later})).await;
    let queued = stage.start(&key, json!({})).await;
    let lists = [
        (format!("item={key}"), vec![queued.clone()]),
        (format!("item={key}&status=running"), vec![]),
        ("status=queued".to_owned(), vec![queued.clone(), scheduled.clone()]),
        ("status=queued&project=PRJ".to_owned(), vec![queued.clone(), scheduled.clone()]),
        ("status=assigned".to_owned(), vec![assigned]),
        ("status=running".to_owned(), vec![working]),
    ];
    // Each read is a unit at least; what a request costs beside reads is its share of the request budget.
    let mut costs: Vec<usize> = Vec::new();
    for many in [false, true] {
        if many {
            crowd(&stage, &queued).await;
        }
        for (number, (filter, expected)) in lists.iter().enumerate() {
            let path = format!("/orgs/demo/runs?{filter}");
            stage.get(&path, &stage.owner).await;
            let before = meter.spent();
            let seen = stage.get(&path, &stage.owner).await.json;
            let cost = meter.spent() - before;
            let ids: Vec<String> = seen["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|run| run["id"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!((&ids, &seen["totalCount"]), (expected, &json!(expected.len())), "{filter}");
            if many {
                assert_eq!(cost.read_units, costs[number], "{filter}");
            } else {
                costs.push(cost.read_units);
            }
        }
    }
}
