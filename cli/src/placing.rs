//! `-p` where a key names the project already: people who type it everywhere may type it there, too, and a number alone is
//! then an item of it. One that disagrees with the key is refused.
//!
//! It knows no command: every one whose argument is the key of an item, and that has no `-p` of its own, takes one.

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
    taking_projects(Cli::command())
}

fn taking_projects(command: Command) -> Command {
    if command.has_subcommands() {
        return command.mut_subcommands(taking_projects);
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
    use super::read;

    fn said(line: &str) -> Option<String> {
        read(line.split(' ')).err().map(|error| error.to_string())
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
