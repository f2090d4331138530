//! What the commands of this noun share: how they name a playbook and how they show it.

use svc_api::factory::{DeliveryMode, Playbook};

use crate::commands::deleted::{self, Gone};
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, harness, option, yes};
use crate::session::Session;

/// A playbook and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the playbook
    #[arg(value_name = "PLAYBOOK")]
    pub(super) playbook: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

/// The playbook of a project that `wanted` means, by name or id.
pub(in crate::commands) async fn find(
    wanted: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Playbook, Failure> {
    one_of(session.org(org).playbooks(project).await?, wanted)
}

/// The same among those that were deleted and can be restored.
pub(super) async fn find_deleted(
    wanted: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Playbook, Failure> {
    let deleted = session.org(org).deleted_playbooks(project).await?;
    if deleted.is_empty() {
        return Err(Failure::not_found(format!("{project} has no deleted playbooks that can be restored")));
    }
    one_of(deleted, wanted)
}

fn one_of(mut playbooks: Vec<Playbook>, wanted: &str) -> Result<Playbook, Failure> {
    let all: Vec<_> =
        playbooks.iter().map(|playbook| Named { id: &playbook.id, name: &playbook.name }).collect();
    let id = resolve("playbook", wanted, &all, true)?;
    let index = playbooks.iter().position(|playbook| playbook.id == id);
    index
        .map(|index| playbooks.swap_remove(index))
        .ok_or_else(|| Failure::not_found(format!("there is no playbook {wanted:?}")))
}

/// Where a run's result goes, as people say it.
pub(super) const fn delivery(mode: DeliveryMode) -> &'static str {
    match mode {
        DeliveryMode::BranchAndPullRequest => "branch and pull request",
        DeliveryMode::PushToDefaultBranch => "push to the default branch",
        DeliveryMode::Unknown => "unknown to this version of svc",
    }
}

/// Playbooks that were deleted, one a row.
pub(super) fn deleted_table(playbooks: &[Playbook]) -> Table {
    let gone = playbooks.iter().map(|playbook| Gone {
        id: &playbook.id,
        deletion: playbook.deletion.as_ref(),
        name: &playbook.name,
    });
    deleted::table("ID", gone)
}

/// Playbooks, one a row.
pub(super) fn table(playbooks: &[Playbook]) -> Table {
    let mut table = Table::new([
        Column::flexible("HARNESS"),
        Column::fixed("MINUTES").minor(),
        Column::fixed("DEFAULT"),
        Column::flexible("ON SUCCESS").minor(),
        Column::flexible("ON FAILURE").minor(),
        Column::flexible("NAME"),
    ]);
    for playbook in playbooks {
        table.row([
            harness(playbook.harness).into(),
            playbook.time_limit_minutes.to_string().into(),
            yes(playbook.project_default).into(),
            option(playbook.success_state.as_deref()).into(),
            option(playbook.failure_state.as_deref()).into(),
            playbook.name.as_str().into(),
        ]);
    }
    table
}
