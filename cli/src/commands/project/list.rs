//! `svc project list`.

use svc_api::tracker::{Project, ProjectQuery};

use crate::failure::Failure;
use crate::output::{Column, Table, name, option};
use crate::session::Session;

/// List the projects that you can see.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Include archived projects
    #[arg(long)]
    archived: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let query = ProjectQuery { archived: args.archived.then_some(true) };
    let projects = session.org(&org).projects(&query).await?;
    if session.output.json {
        return session.output.json(&projects);
    }
    if projects.is_empty() {
        session.output.say("There are no projects that you can see.");
        return Ok(());
    }
    session.output.table(&table(&projects, args.archived))
}

fn table(projects: &[Project], archived: bool) -> Table {
    let mut columns = vec![Column::fixed("KEY"), Column::fixed("ROLE")];
    if archived {
        columns.push(Column::fixed("ARCHIVED"));
    }
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for project in projects {
        let mut row =
            vec![project.key.as_str().into(), option(project.role.as_ref().map(name).as_deref()).into()];
        if archived {
            row.push(if project.archived { "yes" } else { "no" }.into());
        }
        row.push(project.name.as_str().into());
        table.row(row);
    }
    table
}
