//! What an agent prints reaches the log without the credentials of the run and the runner; an agent that
//! prints nothing has a log all the same.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use svc_api::factory::RunStatus;
use svc_end_to_end::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn credentials_that_an_agent_prints_are_redacted_in_every_form() {
    let stage = Stage::set(&[]).await;
    let secret = stage.server.demo.runner_secret.clone();
    let agent = stage.agent(&format!(
        "begin
         note token \"$SVC_TOKEN\"
         say \"plain $SVC_TOKEN end\"
         say \"runner {secret} end\"
         say \"base64 $(printf %s \"$SVC_TOKEN\" | base64 -w0) end\"
         say \"hex $(printf %s \"$SVC_TOKEN\" | od -An -tx1 | tr -d ' \\n') end\"
         printf '%s' \"$SVC_TOKEN\" | cut -c1-9 | tr -d '\\n' >&2
         printf '%s\\n' \"$(printf '%s' \"$SVC_TOKEN\" | cut -c10-)\" >&2
         deliver
         succeed \"done with $SVC_TOKEN\""
    ));
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Leaks").await;
    let run = stage.start_run(&item.key).await;
    let run = stage.ended(&run.id).await;
    assert_eq!(run.status, RunStatus::Succeeded, "{run:?}");

    let token = agent.note("token").await;
    let log = stage.log(&run.id).await;
    let text: String = log.iter().map(|entry| format!("{}\n", entry.text)).collect();
    for form in [token.clone(), secret, BASE64_STANDARD.encode(&token), hex::encode(&token)] {
        assert!(!text.contains(&form), "the log holds {form}:\n{text}");
    }
    for line in ["plain", "runner", "base64", "hex"] {
        assert!(text.contains(&format!("{line} [redacted]")), "{line} is not shown as redacted:\n{text}");
    }
    let outcome = run.outcome.unwrap_or_default();
    assert!(outcome.contains("done with") && !outcome.contains(&token), "{outcome}");
    assert!(stage.comments(&item.key).await.iter().all(|comment| !comment.body.contains(&token)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_agent_has_a_log_too() {
    let stage = Stage::set(&[]).await;
    let agent = stage.agent("begin >/dev/null; deliver >/dev/null 2>&1; succeed ''");
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Quiet").await;
    let run = stage.start_run(&item.key).await;
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Succeeded);
    assert!(!stage.log(&run.id).await.is_empty(), "what the runner did is in the log");
}
