//! What requests cost on DynamoDB: round trips and units, counted by the rules of DynamoDB from the sizes of the
//! rows. `svc-tracker`'s tests hold the same requests to their budgets.

use http::Method;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_domain::identity::OrgRole;
use svc_testkit::{Cost, TestApp, call, scopes};

use crate::report::{Report, Unit};

pub(crate) async fn units(report: &mut Report) {
    let mut settings = Settings::default();
    settings.rate_limits.requests_per_minute = 1_000_000;
    let (kit, meter) = TestApp::with(settings).metered();
    let org = kit.org("demo").await;
    kit.project(&org, "PRJ").await;
    let owner = kit.user(&org, "owner@example.com", OrgRole::Owner, true).await;
    let token = kit.token(owner, scopes(), None).await;
    let router = kit.router([svc_tracker::router()]);
    let ask = async |method: Method, path: &str, body: Option<Value>| {
        let before = meter.spent();
        let reply = call(&router, method, &format!("/orgs/demo{path}"), Some(&token), body).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
        meter.spent() - before
    };
    let new = || json!({"type": "task", "title": "One of many", "body": "As small as most."});
    for _ in 0..60 {
        ask(Method::POST, "/projects/PRJ/items", Some(new())).await;
    }
    kit.advance(jiff::SignedDuration::from_secs(60));
    ask(Method::GET, "/projects/PRJ/items", None).await;
    let claim = json!({"version": 1});
    let transition = json!({"version": 1, "state": "In progress"});
    for (work, method, path, body) in [
        ("view an item", Method::GET, "/items/PRJ-1", None),
        ("warm list of 50", Method::GET, "/projects/PRJ/items?pageSize=50", None),
        ("claim", Method::POST, "/items/PRJ-2/claim", Some(claim)),
        ("transition", Method::POST, "/items/PRJ-3/transition", Some(transition)),
        ("comment", Method::POST, "/items/PRJ-1/comments", Some(json!({"body": "Looks good."}))),
        ("create", Method::POST, "/projects/PRJ/items", Some(new())),
    ] {
        tell(report, work, ask(method, path, body).await);
    }
}

fn tell(report: &mut Report, work: &str, cost: Cost) {
    report.detail(format!("DynamoDB, {work}: round trips"), cost.round_trips as f64, Unit::Count);
    report.detail("read units, those of authentication included", cost.read_units as f64, Unit::Count);
    report.detail("write units", cost.write_units as f64, Unit::Count);
}
