//! `svc sprint complete`: reads the sprint's version, then completes it under that version.

use svc_api::tracker::CompleteSprint;

use super::shared::pairs;
use crate::failure::Failure;
use crate::session::Session;

/// Complete an active sprint, and move what is unfinished.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint complete 0193a6e5-... --unfinished-to next
  svc sprint complete 0193a6e5-...")]
pub(crate) struct Args {
    /// Id of the sprint
    #[arg(value_name = "SPRINT_ID")]
    id: String,
    /// Where unfinished items go: next for the team's next sprint, backlog, or a sprint's id
    #[arg(long, value_name = "SPRINT", default_value = "backlog")]
    unfinished_to: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let version = org.sprint(&args.id).await?.version;
    let complete = CompleteSprint { version, unfinished_to: Some(args.unfinished_to) };
    let completed = org.complete_sprint(&args.id, &complete).await?;
    if session.output.json {
        return session.output.json(&completed);
    }
    session.output.pairs(&pairs(&completed.sprint))?;
    session.output.say(&format!("unfinished items moved: {}", completed.moved));
    if completed.left > 0 {
        session.output.say(&format!("to be moved in a moment: {}", completed.left));
    }
    Ok(())
}
