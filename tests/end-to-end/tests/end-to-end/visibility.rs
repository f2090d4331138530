//! Who may look into a run: everyone who sees the item sees how it stands, factory operators see inside.

use svc_api::factory::RunStatus;
use svc_api::identity::{CreatedToken, InvitationPreset, NewInvitation, NewToken, Scope};
use svc_end_to_end::{Home, Stage};

/// Invites a member without `Can start AI work`, joins as a browser would, and makes them a token.
async fn token_of_a_bystander(stage: &Stage) -> String {
    let org = stage.client().org(stage.org());
    let member = NewInvitation {
        email: "bystander@example.com".into(),
        preset: InvitationPreset::Member,
        project: Some(stage.project().to_owned()),
        can_start_ai_work: false,
    };
    let link = org.invite(&member).await.unwrap().link.expect("this instance sends no mail");
    let (_, secret) = link.split_once('#').expect("a link with a secret");

    let (http, base) = (stage.server.http(), format!("{}/api/v1", stage.server.url()));
    let join = serde_json::json!({
        "secret": secret, "displayName": "By Stander", "password": "a long enough password",
    });
    let joined = http.post(format!("{base}/auth/invitations/accept")).json(&join).send().await.unwrap();
    assert!(joined.status().is_success(), "{joined:?}");
    let cookie = joined.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let new = NewToken {
        name: "test".into(),
        scopes: vec![Scope::Read, Scope::Write],
        organization: None,
        expires_at: None,
    };
    let request =
        http.post(format!("{base}/me/tokens")).header("cookie", cookie).header("x-svc-request", "1");
    let created = request.json(&new).send().await.unwrap();
    assert!(created.status().is_success(), "{created:?}");
    created.json::<CreatedToken>().await.unwrap().secret
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_start_ai_work_sees_a_runs_state_and_nothing_inside() {
    let stage = Stage::set(&[]).await;
    let agent = stage.agent("begin; say 'words for operators'; echo 'trouble for operators' >&2; exit 3");
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Watched from outside").await;
    let run = stage.start_run(&item.key).await;
    let inside = stage.ended(&run.id).await;
    assert_eq!(inside.status, RunStatus::Failed);
    assert!(inside.prompt_snapshot.is_some() && inside.failure_reason.is_some(), "{inside:?}");

    let secret = token_of_a_bystander(&stage).await;
    let bystander = stage.server.client_of(&secret);
    let outside = bystander.run(&run.id).await.unwrap();
    assert_eq!((outside.status, outside.exit_code), (RunStatus::Failed, inside.exit_code));
    let hidden =
        (outside.prompt_snapshot, outside.failure_reason, outside.failure_detail, outside.harness_session);
    assert_eq!(hidden, (None, None, None, None));
    let log = bystander.run_log(&run.id, None).await.unwrap_err();
    assert_eq!(log.status(), Some(403), "{log}");

    let home = Home::new(&stage.directory().join("elsewhere"));
    let url = stage.server.url();
    let login = home.svc_with(&secret, &["auth", "login", "--url", &url]).await;
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    for refused in [["run", "logs", &run.id], ["run", "start", &item.key]] {
        let output = home.svc(&refused).await;
        assert_eq!((output.code, output.stdout.as_str()), (Some(5), ""), "{refused:?}: {}", output.stderr);
    }
    assert!(!home.svc_ok(&["run", "view", &run.id]).await.contains("operators"));
}
