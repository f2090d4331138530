//! `svc milestone delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a milestone. Its items stay, without a milestone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc milestone delete 'First beta' -p PRJ
  svc milestone delete 'First beta' -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let milestone = args.which.find(&org, session).await?;
    let (name, project) = (&milestone.name, args.which.project.key(session).await?);
    let items = match milestone.progress.items {
        0 => String::new(),
        1 => " Its item stays.".to_owned(),
        count => format!(" Its {count} items stay."),
    };
    args.confirm.sure(&format!("Delete the milestone {name:?} of {project}?{items}"), session.output)?;
    session.org(&org).delete_milestone(project.as_str(), &milestone.id).await?;
    session.output.say(&format!("deleted the milestone {name:?} of {project}"));
    Ok(())
}
