//! `svc sprint complete`: reads the sprint's version, then completes it under that version.

use svc_api::tracker::CompleteSprint;

use super::shared::pairs;
use super::which::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Complete an active sprint, and move its unfinished items.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint complete current
  svc sprint complete 'Sprint 12' -p PRJ --unfinished-to next")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Where unfinished items go: next for the team's next sprint, backlog, or a sprint's name or id
    #[arg(long, visible_alias = "to", value_name = "SPRINT", default_value = "backlog")]
    unfinished_to: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let sprint = org.sprint(&id).await?;
    let question = format!("Complete the sprint {:?}? This cannot be undone.", sprint.name);
    args.confirm.sure_on_terminal(&question, session.output)?;
    let version = sprint.version;
    let unfinished_to = match args.unfinished_to.as_str() {
        word @ ("next" | "backlog") => word.to_owned(),
        name => args.which.other(name).id(&slug, session).await?,
    };
    let complete = CompleteSprint { version, unfinished_to: Some(unfinished_to) };
    let completed = org.complete_sprint(&id, &complete).await?;
    if session.output.json {
        return session.output.json(&completed);
    }
    session.output.pairs(&pairs(&completed.sprint))?;
    session.output.say(&format!("unfinished items moved: {}", completed.moved));
    if completed.left > 0 {
        session.output.say(&format!("still to move: {}", completed.left));
    }
    Ok(())
}
