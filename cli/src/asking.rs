//! Asks a person at a terminal for what a command needs and was not given, instead of refusing it: `svc item create`
//! asks for type and title. Text that may be long is written in the editor.
//!
//! It knows no command: it reads what is missing from the parser's error, asks with the argument's own help, and adds
//! the answers to the command line. Where one of several things is missing, the person first says which. A script has no
//! terminal and an agent no patience: both get the error.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::args::Cli;
use crate::editor::{self, Draft, Purpose};
use crate::failure::Failure;
use crate::output::{Output, is_for_agent};
use crate::placing;

/// The value of arguments whose text is written in the editor.
const LONG_TEXT: &str = "TEXT";
/// The value of arguments that give a text from a file.
const A_FILE: &str = "PATH";

/// A command line, and the texts of it that were written in an editor: their files are to stay until they are saved.
pub(crate) struct Line {
    pub(crate) cli: Cli,
    pub(crate) drafts: Vec<Draft>,
}

/// The command line with the answers of the person, read again; the error where they cannot be asked or it has
/// another reason.
///
/// # Errors
/// The person gave no answer, or what they answered cannot be read.
pub(crate) async fn completed(
    error: clap::Error,
    words: Vec<OsString>,
    output: &Output,
) -> Result<Result<Line, clap::Error>, Failure> {
    let missing = missing(&error);
    let may_ask = output.can_ask() && !is_for_agent();
    // After `--` nothing is read as an option any more.
    if missing.is_empty() || !may_ask || words.iter().any(|word| word == "--") {
        return Ok(Err(error));
    }
    let command = named(&words);
    let (mut words, mut last, mut drafts) = (words, Vec::new(), Vec::new());
    let Some(asked) = asked(&command, &missing) else { return Ok(Err(error)) };
    for missing in asked {
        let arg = match missing {
            Missing::This(arg) => arg,
            Missing::OneOf(args) => match chosen(&args, output) {
                Ok(Some(arg)) => arg,
                Ok(None) => return Ok(Err(error)),
                Err(failure) => return Err(unsaved(drafts, failure)),
            },
        };
        if let (false, Some(long)) = (arg.get_action().takes_values(), arg.get_long()) {
            words.push(format!("--{long}").into());
            continue;
        }
        let answer = match answered(arg, &command, output, &mut drafts).await {
            Ok(answer) => answer,
            Err(failure) => return Err(unsaved(drafts, failure)),
        };
        match arg.get_long() {
            Some(long) => words.push(format!("--{long}={answer}").into()),
            None => last.push(answer.into()),
        }
    }
    // What begins with a hyphen is no option here.
    words.push("--".into());
    words.append(&mut last);
    match placing::read(words) {
        Ok(cli) => Ok(Ok(Line { cli, drafts })),
        Err(error) if drafts.is_empty() => Ok(Err(error)),
        Err(error) => Err(unsaved(drafts, Failure::rejected(error.to_string()))),
    }
}

/// The failure of a command whose texts are saved nowhere, with the places where their files stay.
pub(crate) fn unsaved(drafts: Vec<Draft>, failure: Failure) -> Failure {
    drafts.into_iter().fold(failure, |failure, draft| draft.unsaved(failure))
}

/// What the parser misses, as it writes it: `--title <TITLE>`, `<SPRINT>` or `<NEW_NAME|--name <NEW_NAME>>`.
fn missing(error: &clap::Error) -> Vec<String> {
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(names))) => names.clone(),
        _ => Vec::new(),
    }
}

/// The command that the words name, with the settings that every command takes.
pub(crate) fn named(words: &[impl AsRef<OsStr>]) -> Command {
    let mut command = placing::command();
    command.build();
    for word in words.iter().skip(1) {
        let below = word.as_ref().to_str().and_then(|word| command.find_subcommand(word)).cloned();
        command = below.unwrap_or(command);
    }
    command
}

/// What is missing.
enum Missing<'a> {
    /// This argument.
    This(&'a Arg),
    /// One of these, which mean different things.
    OneOf(Vec<&'a Arg>),
}

/// What a person is asked for: first what the command is about, then the rest. Nothing where that is not clear, or takes
/// several answers.
fn asked<'a>(command: &'a Command, missing: &[String]) -> Option<Vec<Missing<'a>>> {
    let args: Option<Vec<_>> = missing.iter().map(|name| argument(command, name)).collect();
    let mut args = args?;
    if args.iter().any(|missing| matches!(missing, Missing::This(arg) if takes_several(arg))) {
        return None;
    }
    args.sort_by_key(|missing| match missing {
        Missing::This(arg) => arg.get_index().unwrap_or(usize::MAX),
        Missing::OneOf(_) => usize::MAX,
    });
    Some(args)
}

/// The one of several arguments that the person wants to give; none where they do not say.
fn chosen<'a>(args: &[&'a Arg], output: &Output) -> Result<Option<&'a Arg>, Failure> {
    loop {
        let answer = output.ask(&choice(args))?;
        let typed = answer.trim_start_matches('-').to_lowercase();
        let named = args.iter().find(|arg| arg.get_long().is_some_and(|long| long == typed));
        if typed.is_empty() || named.is_some() {
            return Ok(named.copied());
        }
    }
}

fn choice(args: &[&Arg]) -> String {
    let names: Vec<_> = args.iter().filter_map(|arg| arg.get_long()).collect();
    format!("Which of these ({}): ", names.join(", "))
}

/// Whether one word is not enough: the help names several things.
fn takes_several(arg: &Arg) -> bool {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    takes_many(arg) && help.contains(", and ")
}

/// Whether it takes more than one word.
fn takes_many(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}

/// The argument that is missing. Of several that would do, the first, if the others only give the same in another way:
/// as an option, or from a file.
fn argument<'a>(command: &'a Command, name: &str) -> Option<Missing<'a>> {
    let inner = name.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
    let names: Vec<&str> = inner.filter(|_| name.contains('|')).unwrap_or(name).split('|').collect();
    let value = |name: &str| {
        let last = name.rsplit(' ').next().unwrap_or_default();
        last.trim_matches(['<', '>', '.', '[', ']']).to_owned()
    };
    let first = *names.first()?;
    if names.iter().all(|other| value(other) == value(first) || value(other) == A_FILE) {
        return single(command, first).map(Missing::This);
    }
    let mut args = names.iter().map(|name| single(command, name)).collect::<Option<Vec<_>>>()?;
    if args.iter().any(|arg| arg.is_positional() && takes_many(arg)) {
        return None;
    }
    // What stands alone on a command line has no name that a person could say.
    args.retain(|arg| arg.get_long().is_some());
    Some(Missing::OneOf(args))
}

/// The argument that the parser writes so.
fn single<'a>(command: &'a Command, first: &str) -> Option<&'a Arg> {
    let option = first.split(' ').find_map(|word| word.strip_prefix("--"));
    let wanted = first.trim_matches(['<', '>', '.', '[', ']']);
    let is_named = |name: &str| {
        wanted
            .strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    command.get_arguments().find(|arg| match option {
        Some(option) => arg.get_long() == Some(option),
        None => arg.is_positional() && value_name(arg).is_some_and(is_named),
    })
}

fn value_name(arg: &Arg) -> Option<&str> {
    arg.get_value_names()?.first().map(|name| name.as_str())
}

/// The person's answer.
async fn answered(
    arg: &Arg,
    command: &Command,
    output: &Output,
    drafts: &mut Vec<Draft>,
) -> Result<String, Failure> {
    let mut answer = match value_name(arg) {
        Some(LONG_TEXT) => written(arg, command, output, drafts).await?,
        _ => output.ask(&question(arg))?,
    };
    while !answer.is_empty() && !is_possible(arg, &answer) {
        answer = output.ask(&question(arg))?;
    }
    if answer.is_empty() {
        return Err(Failure::rejected("nothing was entered; nothing was changed"));
    }
    Ok(answer)
}

async fn written(
    arg: &Arg,
    command: &Command,
    output: &Output,
    drafts: &mut Vec<Draft>,
) -> Result<String, Failure> {
    let option = arg.get_long().unwrap_or_default();
    let instead = format!("give the text with --{option}");
    let takes_file = command.get_arguments().any(|arg| arg.get_long() == Some("body-file"));
    let again = takes_file.then(|| "repeat the command with --body-file".to_owned());
    let purpose = Purpose { name: option, instead: &instead, again, begin: None, origin: None };
    let draft = editor::edit("", purpose, output).await?;
    let text = draft.as_ref().map(|draft| draft.text.clone()).unwrap_or_default();
    drafts.extend(draft);
    Ok(text)
}

fn is_possible(arg: &Arg, answer: &str) -> bool {
    let possible = arg.get_possible_values();
    possible.is_empty() || possible.iter().any(|value| value.matches(answer, true))
}

/// What the argument's help says of it, and what may be answered.
fn question(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let what = help.lines().next().unwrap_or_default();
    let possible: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if possible.is_empty() { format!("{what}: ") } else { format!("{what} ({}): ", possible.join(", ")) }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{CommandFactory as _, Parser as _};

    use super::{Missing, asked, choice, missing, named, question};
    use crate::args::Cli;

    fn questions(line: &str) -> Vec<String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let Err(error) = Cli::try_parse_from(&words) else { panic!("{line}") };
        let command = named(&words);
        asked(&command, &missing(&error)).into_iter().flatten().map(|missing| said(&missing)).collect()
    }

    fn said(missing: &Missing<'_>) -> String {
        match missing {
            Missing::This(arg) => question(arg),
            Missing::OneOf(args) => choice(args),
        }
    }

    #[test]
    fn a_person_is_asked_for_what_is_missing() {
        for (line, asked) in [
            ("svc item create", &["Title, on one line"][..]),
            ("svc template create X", &["Type of the items"]),
            ("svc sprint create", &["Name"]),
            ("svc schedule create X", &["Minute, hour", "Name, in any case", "Title of its items"]),
            ("svc item view", &["Key of the item"]),
            ("svc item subtask", &["Key of the item", "Title, on one line", "Estimated effort"]),
            ("svc refine changes PRJ-1", &["What should change"]),
            ("svc label create", &["Name"]),
            ("svc wiki get", &["Path of the page"]),
            ("svc project use", &["Key of the project"]),
        ] {
            let questions = questions(line);
            assert_eq!(questions.len(), asked.len(), "{line}: {questions:?}");
            for asked in asked {
                assert!(
                    questions.iter().any(|question| question.starts_with(asked)),
                    "{line}: {questions:?}"
                );
            }
        }
    }

    /// Every command, and what it asks for where nothing is given. One that takes several words prints what is missing.
    #[test]
    fn every_command_asks_for_the_right_thing() {
        fn leaves(command: &clap::Command, path: &str, found: &mut Vec<String>) {
            let path = format!("{path} {}", command.get_name()).trim().to_owned();
            if !command.has_subcommands() {
                return found.push(path);
            }
            command.get_subcommands().for_each(|below| leaves(below, &path, found));
        }
        let mut lines = Vec::new();
        leaves(&Cli::command(), "", &mut lines);
        let mut all = String::new();
        for line in lines.iter().filter(|line| !line.starts_with("svc runner")) {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let Err(error) = Cli::try_parse_from(&words) else { continue };
            let command = named(&words);
            let names = missing(&error);
            let asked: Option<Vec<_>> = asked(&command, &names).map(|args| args.iter().map(said).collect());
            if names.is_empty() {
                continue;
            }
            let said = asked.unwrap_or_else(|| vec!["(prints what is missing)".to_owned()]);
            all.push_str(&format!("{line}\n"));
            said.iter().for_each(|question| all.push_str(&format!("    {}\n", question.trim_end())));
        }
        insta::assert_snapshot!(all);
    }

    #[test]
    fn what_may_be_answered_is_said() {
        assert!(questions("svc template create X")[0].ends_with("(story, bug, task, epic, subtask): "));
    }

    #[test]
    fn what_is_wrong_is_not_asked_for() {
        for line in ["svc item list --limit x", "svc item frobnicate", "svc item list --frobnicate"] {
            assert!(questions(line).is_empty(), "{line}");
        }
    }
}
