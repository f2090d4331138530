//! `svc sprint view`.

use svc_api::tracker::{BoardCard, Burndown, Item, Taskboard};

use super::which::Which;
use super::{left, open, pairs, show};
use crate::failure::Failure;
use crate::output::{Column, Table, name, option, when};
use crate::session::Session;

/// Show a sprint, its taskboard or its burndown.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint view current
  svc sprint view 'Sprint 12' -p PRJ --taskboard")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Show its items by workflow state, with estimates and remaining effort
    #[arg(long, conflicts_with = "burndown")]
    taskboard: bool,
    /// Show the remaining effort at the end of each day
    #[arg(long)]
    burndown: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let id = args.which.id(&org, session).await?;
    let output = session.output;
    if args.taskboard {
        let board = session.org(&org).taskboard(&id).await?;
        if output.json {
            return output.json(&board);
        }
        output.pairs(&pairs(&board.sprint))?;
        output.text("")?;
        output.table(&sums(&board))?;
        if board.columns.iter().all(|column| column.cards.is_empty()) {
            return Ok(());
        }
        output.text("")?;
        return output.table(&cards(&board));
    }
    if args.burndown {
        let burndown = session.org(&org).burndown(&id).await?;
        if output.json {
            return output.json(&burndown);
        }
        output.pairs(&pairs(&burndown.sprint))?;
        output.text("")?;
        return output.table(&days(&burndown));
    }
    show(&session.org(&org).sprint(&id).await?, session)
}

/// The columns and their sums.
fn sums(board: &Taskboard) -> Table {
    Table::of(&board.columns)
        .fixed("STATE", |column| column.state.as_str())
        .fixed("GROUP", |column| name(&column.state_group))
        .fixed("ITEMS", |column| column.work.items.to_string())
        .fixed("LEFT", |column| left(column.work))
        .end()
}

/// The items, column by column, each followed by its subtasks.
fn cards(board: &Taskboard) -> Table {
    let mut table = Table::new([
        Column::fixed("KEY"),
        Column::fixed("STATE"),
        Column::fixed("TYPE"),
        Column::fixed("ESTIMATE"),
        Column::fixed("REMAINING"),
        Column::flexible("ASSIGNEE"),
        Column::flexible("TITLE"),
    ]);
    for BoardCard { item, subtasks } in board.columns.iter().flat_map(|column| &column.cards) {
        row(&mut table, item, "");
        for subtask in subtasks {
            row(&mut table, subtask, "└ ");
        }
    }
    table
}

fn row(table: &mut Table, item: &Item, before: &str) {
    let number = |number: Option<f64>| option(number.map(|number| number.to_string()).as_deref());
    table.row([
        item.key.as_str().into(),
        item.state.as_str().into(),
        name(&item.item_type).into(),
        number(item.estimate).into(),
        number(item.remaining).into(),
        option(item.assignee.as_ref().map(|actor| actor.name.as_str())).into(),
        format!("{before}{}", item.title).into(),
    ]);
}

fn days(burndown: &Burndown) -> Table {
    Table::of(&burndown.points)
        .fixed("AT", |point| when(point.at))
        .fixed("UNFINISHED", |point| open(point.work))
        .fixed("LEFT", |point| left(point.work))
        .fixed("ADDED", |point| point.added.to_string())
        .fixed("REMOVED", |point| point.removed.to_string())
        .end()
}
