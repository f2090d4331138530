//! `svc team`.

mod archive;
mod create;
mod delete;
mod edit;
mod list;
mod unarchive;
mod view;

use clap::Subcommand;
use svc_api::tracker::{Team, UpdateTeam};
use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::failure::Failure;
use crate::output::{Column, Table, list, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Edit(edit::Args),
    Archive(archive::Args),
    Unarchive(unarchive::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Archive(args) => archive::run(args, session).await,
        Command::Unarchive(args) => unarchive::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

/// A team and its project.
#[derive(clap::Args)]
struct Which {
    /// Key or id of the team
    #[arg(value_name = "TEAM")]
    team: String,
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

/// Reads the team's version, then archives or revives it under that version.
async fn set_archived(which: &Which, archived: bool, session: &Session<'_>) -> Result<(), Failure> {
    let Which { team, project } = which;
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let version = org.team(project.as_str(), team).await?.version;
    let change = UpdateTeam { version, archived: Some(archived), ..UpdateTeam::default() };
    let team = org.update_team(project.as_str(), team, &change).await?;
    session.output.one(&team, table)
}

/// Teams, one a row.
fn table(teams: &[Team]) -> Table {
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
