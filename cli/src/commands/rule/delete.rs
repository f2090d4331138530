//! `svc rule delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a rule. The record of its firings stays.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc rule delete review -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let rule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    args.confirm.sure(&format!("Delete the rule {:?} of {project}?", rule.name), session.output)?;
    session.org(&org).delete_rule(project.as_str(), &rule.id).await?;
    session.output.say(&format!("deleted the rule {:?} of {project}", rule.name));
    Ok(())
}
