//! `svc-server plan` as the operator of the hosted service uses it, beside a process that has the store open.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use std::process::{Command, Output};

use svc_domain::identity::{Org, Plan};
use svc_storage::keys;
use svc_testkit::TestApp;

fn plan(data: &Path, of: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    program.arg("plan").args(of).arg("--data").arg(data).output().unwrap()
}

#[tokio::test]
async fn an_organization_is_put_on_a_plan_and_taken_off_it() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let on = async || -> Option<Plan> {
        kit.app.table.get(&keys::org(org.id)).await.unwrap().unwrap().read::<Org>().unwrap().plan
    };
    for (name, wanted, days) in
        [("evaluation", Some(Plan::Evaluation), 90), ("free", Some(Plan::Free), 30), ("none", None, 30)]
    {
        let said = plan(kit.directory(), &["demo", name]);
        let told = String::from_utf8(said.stdout).unwrap();
        assert_eq!((said.status.code(), on().await), (Some(0), wanted), "{name}: {told}");
        assert_eq!(told, format!("demo: run logs are kept for {days} days\n"));
    }
    for (of, why) in [(["nowhere", "free"], "not set"), (["demo", "gold"], "possible values")] {
        let said = plan(kit.directory(), &of);
        let told = String::from_utf8(said.stderr).unwrap();
        assert!(!said.status.success() && told.contains(why), "{of:?}: {told}");
    }
}
