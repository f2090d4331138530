//! `-p` where a key names the project already: people who type it everywhere may type it there, too, and a number alone is
//! then an item of it. One that disagrees with the key is refused.
//!
//! It knows no command: every one whose argument is the key of an item, and that has no `-p` of its own, takes one. Every
//! command that edits is also called `update`, and the other way round; and the help of each names the global options.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use svc_domain::ids::{ItemKey, ProjectKey};

use crate::aliasing;
use crate::args::Cli;
use crate::keys::project_key;

/// Id of the argument that is added.
const PROJECT: &str = "project_of_key";
/// The value of arguments that are keys of items.
const KEY: &str = "ITEM_KEY";

/// Reads the command line.
///
/// # Errors
/// It is none, or help was asked for.
pub(crate) fn parsed() -> Result<Cli, clap::Error> {
    read(aliasing::words())
}

/// The same of other words.
///
/// # Errors
/// As [`parsed`].
pub(crate) fn read(
    words: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
) -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(said) = disagreement(&matches, &command) {
        return Err(command.error(ErrorKind::ValueValidation, said));
    }
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The commands, with what this adds to them.
pub(crate) fn command() -> Command {
    let command = taking_projects(Cli::command());
    let globals = command.get_arguments().filter(|arg| arg.is_global_set());
    let globals: Vec<_> = globals.filter_map(|arg| arg.get_long()).map(str::to_owned).collect();
    command.mut_subcommands(|below| naming_globals(below, &globals))
}

/// A command whose help names the global options in two lines, without those that it has itself.
fn naming_globals(command: Command, globals: &[String]) -> Command {
    let own = |long: &&String| command.get_arguments().any(|arg| arg.get_long() == Some(long.as_str()));
    let named: Vec<_> = globals.iter().filter(|long| !own(long)).map(|long| format!("--{long}")).collect();
    let help = command.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
    let help = format!("{help}Global options: {}.\n`svc --help` explains them.", named.join(", "));
    command.after_help(help).mut_subcommands(|below| naming_globals(below, globals))
}

/// A noun whose items are both edited and updated, whichever of the two it has.
fn with_both_names(command: Command) -> Command {
    let verb = |name: &str| command.find_subcommand(name).map(|verb| verb.get_name().to_owned());
    match (verb("edit"), verb("update")) {
        (Some(edit), None) => command.mut_subcommand(edit, |edit| edit.alias("update")),
        (None, Some(update)) => command.mut_subcommand(update, |update| update.alias("edit")),
        _ => command,
    }
}

fn taking_projects(command: Command) -> Command {
    if command.has_subcommands() {
        return with_both_names(command.mut_subcommands(taking_projects));
    }
    let has_project =
        command.get_arguments().any(|arg| arg.get_short() == Some('p') || arg.get_long() == Some("project"));
    if has_project || !command.get_positionals().any(is_key) {
        return command;
    }
    let project = Arg::new(PROJECT).short('p').long("project").value_name("PROJECT_KEY");
    command.arg(project.value_parser(project_key).hide(true))
}

fn is_key(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == KEY))
}

/// What is wrong with the project, where it is not that of the keys.
fn disagreement(matches: &ArgMatches, command: &Command) -> Option<String> {
    if let Some((name, below)) = matches.subcommand() {
        return disagreement(below, command.find_subcommand(name)?);
    }
    let project = matches.try_get_one::<ProjectKey>(PROJECT).ok()??;
    let keys = command.get_positionals().filter(|arg| is_key(arg));
    let keys = keys.filter_map(|arg| matches.try_get_many::<ItemKey>(arg.get_id().as_str()).ok()?).flatten();
    let other = keys.into_iter().find(|key| key.project != *project)?;
    Some(format!("{other} is not an item of {project}; leave out -p, or correct one of them"))
}

#[cfg(test)]
mod tests {
    use super::{command, read};

    fn said(line: &str) -> Option<String> {
        read(line.split(' ')).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_edited_is_also_updated() {
        for noun in command().get_subcommands() {
            let [edit, update] = ["edit", "update"].map(|name| noun.find_subcommand(name).is_some());
            // The program of a runner has its own.
            assert!(edit == update || noun.get_name() == "runner", "{}", noun.get_name());
        }
        assert_eq!(said("svc label update bug -p PRJ --color red"), None);
    }

    #[test]
    fn a_project_that_agrees_with_the_key_is_taken() {
        for line in [
            "svc item view PRJ-12 -p prj",
            "svc item move -p PRJ PRJ-12 Closed",
            "svc comment list --project=PRJ prj-12",
            "svc item view PRJ-12",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
        let wrong = said("svc item claim PRJ-12 -p WEB").unwrap();
        assert!(wrong.contains("PRJ-12 is not an item of WEB; leave out -p"), "{wrong}");
        assert!(said("svc org list -p PRJ").is_some(), "it has no key");
    }
}
