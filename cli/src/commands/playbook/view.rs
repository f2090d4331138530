//! `svc playbook view`.

use svc_api::factory::{Delivers, Playbook};

use super::shared::{Which, delivery, find};
use crate::failure::Failure;
use crate::output::{Pairs, harness, option, yes};
use crate::session::Session;

/// Show a playbook and its instructions.
///
/// With --body-only it prints only the instructions, for `svc playbook edit --body-file`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook view Implement -p PRJ
  svc playbook view Implement -p PRJ --body-only > implement.md")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print the instructions and nothing else
    #[arg(long)]
    body_only: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let found = find(&args.which.playbook, project.as_str(), &org, session).await?;
    let playbook = session.org(&org).playbook(project.as_str(), &found.id).await?;
    let output = session.output;
    if output.json {
        return output.json(&playbook);
    }
    let body = playbook.instructions.as_deref().unwrap_or_default();
    if args.body_only {
        return output.text(body);
    }
    output.pairs(&pairs(&playbook))?;
    let body = body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

fn pairs(playbook: &Playbook) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", playbook.name.as_str());
    pairs.add("harness", harness(playbook.harness));
    pairs.add("time limit", format!("{} min", playbook.time_limit_minutes));
    pairs.add("on success", option(playbook.success_state.as_deref()));
    pairs.add("on failure", option(playbook.failure_state.as_deref()));
    pairs.add("delivery", delivery(playbook.delivery_mode));
    if playbook.delivers == Delivers::Nothing {
        pairs.add("delivers", "nothing");
    }
    pairs.add("follow-ups", if playbook.pull_request_follow_ups { "on pull requests" } else { "no" });
    pairs.add("default", yes(playbook.project_default));
    pairs.add("page", playbook.page_path.as_str());
    pairs.add("id", playbook.id.as_str());
    pairs.add("version", playbook.version.to_string());
    pairs
}
