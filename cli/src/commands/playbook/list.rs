//! `svc playbook list`.

use super::shared::{deleted_table, table};
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's playbooks.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook list -p PRJ
  svc playbook list -p PRJ --deleted")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// List the playbooks that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    if args.deleted {
        let playbooks = session.org(&org).deleted_playbooks(project.as_str()).await?;
        let none = format!("{project} has no deleted playbooks that can be restored.");
        return session.output.all(&playbooks, &none, deleted_table);
    }
    let playbooks = session.org(&org).playbooks(project.as_str()).await?;
    let none = "The project has no playbook yet; create one with `svc playbook create <NAME>`.";
    session.output.all(&playbooks, none, table)
}
