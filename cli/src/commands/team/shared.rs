//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::{Column, Table, list, yes};
use crate::session::Session;
use svc_api::tracker::{Team, UpdateTeam};

/// A team and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Key or id of the team
    #[arg(value_name = "TEAM")]
    pub(super) team: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

/// Reads the team's version, then archives or revives it under that version.
pub(super) async fn set_archived(
    which: &Which,
    archived: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let (team, project) = (&which.team, which.project.key(session).await?);
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let version = org.team(project.as_str(), team).await?.version;
    let change = UpdateTeam { version, archived: Some(archived), ..UpdateTeam::default() };
    let team = org.update_team(project.as_str(), team, &change).await?;
    session.output.one(&team, table)
}

/// Teams, one a row.
pub(super) fn table(teams: &[Team]) -> Table {
    let mut table = Table::new([
        Column::fixed("KEY"),
        Column::fixed("ARCHIVED"),
        Column::flexible("NAME"),
        Column::flexible("MEMBERS"),
    ]);
    for team in teams {
        let members: Vec<_> = team.members.iter().map(|member| member.name.clone()).collect();
        table.row([
            team.key.as_str().into(),
            yes(team.archived).into(),
            team.name.as_str().into(),
            list(&members).into(),
        ]);
    }
    table
}
