//! `svc workflow` (specification section 3.6).

mod edit;
mod view;

use clap::Subcommand;
use svc_api::tracker::Workflow;

use crate::failure::Failure;
use crate::output::{Column, Table, list, name};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    View(view::Args),
    Edit(edit::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::View(args) => view::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
    }
}

/// The states in board order, one a row, with where items may go from each.
fn show(workflow: &Workflow, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(workflow);
    }
    let mut table =
        Table::new([Column::fixed("STATE"), Column::fixed("GROUP"), Column::flexible("ITEMS MAY GO TO")]);
    for state in &workflow.states {
        let reached: Vec<_> =
            workflow.moves.iter().filter(|m| m.from == state.name).map(|m| m.to.clone()).collect();
        table.row([state.name.as_str().into(), name(&state.group).into(), list(&reached).into()]);
    }
    session.output.table(&table)
}
