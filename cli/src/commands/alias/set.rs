//! `svc alias set`.

use super::{Alias, table};
use crate::aliasing::check;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::own_file;

/// Give a command a name of your own.
///
/// What follows the name when you type it comes at the end of the command. $1 to $9 in the command stand for the first
/// to the ninth word that follows. Quote the command, so that your shell leaves it alone. An alias that is there already
/// gets its new meaning; a command of svc keeps its own.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc alias set mine 'item list --mine'
  svc alias set review 'item move $1 \"In review\"'
  svc review PRJ-12")]
pub(crate) struct Args {
    /// Your name for it
    name: String,
    /// What to type after svc instead
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
        output.say(&format!("it was svc {before}"));
    }
    output.one(&alias, table)
}
