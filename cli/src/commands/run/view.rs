//! `svc run view`.

use svc_api::factory::{Run, TokenCounts};

use super::which::Which;
use crate::failure::Failure;
use crate::output::{Output, Pairs, duration, harness, name, status, when};
use crate::session::Session;

/// Show a run: timings, outcome, pull request, exit code, cost and tokens.
///
/// If you may start AI work, you also see why a run failed; with --json, its prompt too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run view PRJ-12
  svc run view 0193a6e5-... --json")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let run = session.client.run(&args.which.id(session).await?).await?;
    let output = session.output;
    if output.json {
        return output.json(&run);
    }
    output.paged(|| show(&run, output)).await
}

fn show(run: &Run, output: &Output) -> Result<(), Failure> {
    output.pairs(&pairs(run))?;
    match run.outcome.as_deref().map(str::trim_end).filter(|outcome| !outcome.is_empty()) {
        Some(outcome) => output.line("").and_then(|()| output.markdown(outcome, "")),
        None => Ok(()),
    }
}

fn pairs(run: &Run) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("id", run.id.as_str());
    pairs.add("status", status(run.status));
    pairs.maybe("waiting", run.waiting_reason.as_deref());
    pairs.maybe("continues automatically", run.continues_at.map(when));
    pairs.add("item", run.item.as_str());
    pairs.add("kind", name(&run.kind));
    pairs.add("agent", run.agent.name.as_str());
    pairs.add("playbook", run.playbook.name.as_str());
    pairs.add("harness", harness(run.harness));
    pairs.maybe("runner", run.runner.as_ref().map(|runner| runner.name.as_str()));
    pairs.add("requested by", run.requested_by.name.as_str());
    pairs.add("branch", run.branch.as_str());
    pairs.maybe("pushes to", run.direct_target.as_deref());
    add_timings(&mut pairs, run);
    pairs.maybe("pull request", run.pull_request.as_deref());
    pairs.maybe("exit code", run.exit_code.map(|code| code.to_string()));
    pairs.maybe("cost", run.cost.map(|dollars| format!("${dollars:.2}")));
    pairs.maybe("tokens", run.tokens.map(tokens));
    pairs.maybe("failure", failure(run));
    pairs.maybe("session", run.harness_session.as_deref());
    pairs.maybe("earlier run", run.earlier_run.as_deref());
    pairs.maybe("comment", run.comment.as_deref());
    pairs
}

fn add_timings(pairs: &mut Pairs, run: &Run) {
    pairs.maybe("scheduled for", run.scheduled_for.map(when));
    pairs.add("queued", when(run.queued_at));
    pairs.maybe("assigned", run.assigned_at.map(when));
    pairs.maybe("started", run.started_at.map(when));
    pairs.maybe("finished", run.finished_at.map(when));
    if let (Some(started), Some(finished)) = (run.started_at, run.finished_at) {
        pairs.add("took", duration(started, finished));
    }
}

fn tokens(tokens: TokenCounts) -> String {
    let TokenCounts { input, output, cache_read, cache_write } = tokens;
    let mut text = format!("{input} in, {output} out");
    if cache_read > 0 || cache_write > 0 {
        text.push_str(&format!(", {cache_read} read from cache, {cache_write} written to cache"));
    }
    text
}

fn failure(run: &Run) -> Option<String> {
    match (&run.failure_reason, &run.failure_detail) {
        (Some(reason), Some(detail)) => Some(format!("{reason}: {detail}")),
        (Some(text), None) | (None, Some(text)) => Some(text.clone()),
        (None, None) => None,
    }
}
