//! `svc alias`.

mod delete;
mod list;
mod set;

use clap::Subcommand;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Column, Output, Table};

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_aliases = ["add", "create", "edit"])]
    Set(set::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

/// A name, and what it stands for.
#[derive(Serialize)]
struct Alias {
    name: String,
    command: String,
}

pub(crate) fn run(
    command: Command,
    is_command: impl Fn(&str) -> bool,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        Command::List(list::Args {}) => list::run(output),
        Command::Set(args) => set::run(args, is_command, output),
        Command::Delete(args) => delete::run(&args, output),
    }
}

fn table(aliases: &[Alias]) -> Table {
    let mut table = Table::new([Column::fixed("ALIAS"), Column::flexible("COMMAND")]);
    for alias in aliases {
        table.row([alias.name.as_str().into(), format!("svc {}", alias.command).into()]);
    }
    table
}
