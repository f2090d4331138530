//! `svc alias set`.

use super::{Alias, table};
use crate::aliasing::check;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::own_file;

/// Create a shortcut for a command.
///
/// Arguments that you type after the alias are appended to the command. $1 to $9 in the command stand for the first
/// nine arguments. Quote the command, so that your shell leaves it alone. An existing alias is replaced; the names of
/// svc's own commands are refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc alias set mine 'item list --mine'
  svc alias set review 'item move $1 \"In review\"'
  svc review PRJ-12")]
pub(crate) struct Args {
    /// Name of the alias
    name: String,
    /// Command to run, without svc
    command: String,
}

pub(super) fn run(
    Args { name, command }: Args,
    is_command: impl Fn(&str) -> bool,
    output: &Output,
) -> Result<(), Failure> {
    check(&name, &command, is_command)?;
    let command = command.trim();
    let alias = Alias { command: command.strip_prefix("svc ").unwrap_or(command).trim().to_owned(), name };
    let (name, command) = (alias.name.clone(), alias.command.clone());
    let before = own_file()?.update(|config| config.aliases.insert(name, command))?;
    if let Some(before) = before.filter(|before| *before != alias.command) {
        output.say(&format!("previously svc {before}"));
    }
    output.one(&alias, table)
}
