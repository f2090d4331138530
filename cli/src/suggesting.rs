//! What a person may have meant by a command that there is not: other trackers call things by other names.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};

use crate::args::Cli;

/// Words of other programs, and the command here.
const NOUNS: [(&str, &str); 20] = [
    ("issue", "item"),
    ("ticket", "item"),
    ("task", "item"),
    ("bug", "item"),
    ("story", "item"),
    ("epic", "item"),
    ("board", "sprint"),
    ("page", "wiki"),
    ("file", "attachment"),
    ("login", "auth login"),
    ("logout", "auth logout"),
    ("whoami", "auth status"),
    ("organization", "org"),
    ("workspace", "org"),
    ("user", "member"),
    ("people", "member"),
    ("invitation", "invite"),
    ("tag", "label"),
    ("group", "team"),
    ("state", "workflow"),
];

/// Verbs of other programs, and those here, the likelier first.
const VERBS: [(&str, &[&str]); 19] = [
    ("show", &["view", "get", "status"]),
    ("get", &["view"]),
    ("cat", &["get", "view"]),
    ("ls", &["list", "tree"]),
    ("list", &["tree"]),
    ("new", &["create", "add", "put"]),
    ("add", &["create"]),
    ("create", &["add", "put", "start"]),
    ("edit", &["update", "put"]),
    ("set", &["update"]),
    ("update", &["edit"]),
    ("rename", &["edit", "update", "move"]),
    ("rm", &["delete", "remove", "revoke"]),
    ("remove", &["delete", "revoke"]),
    ("delete", &["remove", "revoke", "archive", "disable"]),
    ("close", &["complete"]),
    ("transition", &["move"]),
    ("assign", &["update"]),
    ("log", &["logs", "history", "versions"]),
];

/// The error with a suggestion, where it is about a command and has none yet, and without one that leads astray.
pub(crate) fn suggested(mut error: clap::Error) -> clap::Error {
    if let (Some(ContextValue::String(typed)), Some(ContextValue::String(option))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::SuggestedArg))
        && !is_like(typed, option)
    {
        error.remove(ContextKind::SuggestedArg);
        // It was made for the option that was suggested.
        let words: Vec<String> = std::env::args().collect();
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage(&words)));
    }
    let (ErrorKind::InvalidSubcommand, None) = (error.kind(), error.get(ContextKind::SuggestedSubcommand))
    else {
        return error;
    };
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let words: Vec<String> = std::env::args().collect();
    let meant = meant(&mut Cli::command(), &words, typed);
    if !meant.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(meant));
    }
    error
}

/// How the command is used that the words name.
fn usage(words: &[String]) -> StyledStr {
    fn below(mut command: Command, words: &[String]) -> StyledStr {
        let named = words.split_first().and_then(|(word, rest)| Some((command.find_subcommand(word)?, rest)));
        match named {
            Some((named, rest)) => below(named.clone(), rest),
            None => command.render_usage(),
        }
    }
    let mut root = Cli::command();
    root.build();
    below(root, words.get(1..).unwrap_or_default())
}

/// Whether an option is what somebody may have meant: one that was misspelled, or begun.
fn is_like(typed: &str, option: &str) -> bool {
    strsim::osa_distance(typed, option) <= 2 || (typed.len() >= "--abc".len() && option.starts_with(typed))
}

/// What `typed`, which the command after the words before it does not know, may have meant.
fn meant(root: &mut Command, words: &[String], typed: &str) -> Vec<String> {
    let singular = typed.strip_suffix('s').unwrap_or(typed);
    let before = words.iter().take_while(|word| *word != typed);
    let noun = before.skip(1).find_map(|word| root.find_subcommand(word));
    let Some(noun) = noun else {
        let nouns = NOUNS.iter().filter(|(other, _)| *other == typed || *other == singular);
        let mut meant: Vec<String> = nouns.map(|(_, own)| (*own).to_owned()).collect();
        meant.extend(root.find_subcommand(singular).map(|own| own.get_name().to_owned()));
        return meant;
    };
    let verbs = VERBS.iter().filter(|(other, _)| *other == typed).flat_map(|(_, own)| *own);
    verbs.filter(|own| noun.find_subcommand(own).is_some()).map(|own| (*own).to_owned()).take(1).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{NOUNS, VERBS, meant};
    use crate::args::Cli;

    fn meant_by(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let typed = words.last().cloned().unwrap();
        meant(&mut Cli::command(), &words, &typed)
    }

    #[test]
    fn what_other_trackers_say_is_understood() {
        for (line, own) in [
            ("svc issues", "item"),
            ("svc items", "item"),
            ("svc login", "auth login"),
            ("svc --org demo ticket", "item"),
            ("svc item show", "view"),
            ("svc item ls", "list"),
            ("svc sprint close", "complete"),
            ("svc attachment rm", "delete"),
            ("svc wiki ls", "list"),
            ("svc invitations", "invite"),
            ("svc label rename", "edit"),
            ("svc project update", "edit"),
            ("svc project delete", "archive"),
            ("svc member delete", "remove"),
        ] {
            assert_eq!(meant_by(line), [own], "{line}");
        }
        for line in ["svc frobnicate", "svc item frobnicate", "svc item close-all"] {
            assert!(meant_by(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn every_suggestion_is_a_command() {
        let root = Cli::command();
        for (other, own) in NOUNS {
            assert!(root.find_subcommand(other).is_none(), "{other}");
            let mut command = &root;
            for word in own.split(' ') {
                command = command.find_subcommand(word).unwrap();
            }
        }
        for (other, own) in VERBS {
            for verb in own {
                let known = root.get_subcommands().any(|noun| noun.find_subcommand(verb).is_some());
                assert!(known, "{other} → {verb}");
            }
        }
    }
}
