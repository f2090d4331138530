//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{Column, Table, list, name};
use crate::session::Session;
use svc_api::tracker::Workflow;

/// The states in board order, one a row, with where items may go from each.
pub(super) fn show(workflow: &Workflow, session: &Session<'_>) -> Result<(), Failure> {
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
