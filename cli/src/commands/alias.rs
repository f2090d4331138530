//! `svc alias`.

use clap::Subcommand;
use serde::Serialize;

use crate::aliasing::{check, known};
use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::output::{Output, Table};
use crate::settings::own_file;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    #[command(visible_aliases = ["add", "create", "edit"])]
    Set(SetArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
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
        Command::List(ListArgs {}) => list(output),
        Command::Set(args) => set(args, is_command, output),
        Command::Delete(args) => delete(&args, output),
    }
}

fn table(aliases: &[Alias]) -> Table {
    Table::of(aliases)
        .fixed("ALIAS", |alias| alias.name.as_str())
        .flexible("COMMAND", |alias| format!("svc {}", alias.command))
        .end()
}

/// List your aliases and their commands.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc alias list")]
pub(crate) struct ListArgs {}

fn list(output: &Output) -> Result<(), Failure> {
    let aliases: Vec<Alias> = known()?.into_iter().map(|(name, command)| Alias { name, command }).collect();
    output.all(&aliases, "You have no aliases. Create one: svc alias set mine 'item list --mine'", table)
}

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
pub(crate) struct SetArgs {
    /// Name of the alias
    name: String,
    /// Command to run, without svc
    command: String,
}

fn set(
    SetArgs { name, command }: SetArgs,
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

/// Delete an alias.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc alias delete mine")]
pub(crate) struct DeleteArgs {
    /// The alias
    #[arg(value_name = "ALIAS")]
    name: String,
}

fn delete(DeleteArgs { name }: &DeleteArgs, output: &Output) -> Result<(), Failure> {
    let removed = own_file()?.update(|config| config.aliases.remove(name))?;
    let Some(command) = removed else {
        let aliases = known()?;
        let hint = did_you_mean(name, aliases.keys().map(String::as_str));
        return Err(Failure::not_found(format!("there is no alias {name:?}"))
            .hint(hint.unwrap_or_else(|| "`svc alias list` lists them".to_owned())));
    };
    output.say(&format!("deleted the alias {name} (svc {command})"));
    Ok(())
}
