//! What a person may have meant by a command that there is not: other trackers call things by other names.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};

use crate::aliasing;
use crate::args::Cli;
use crate::asking::named;

/// Words of other programs, and the command here.
const NOUNS: [(&str, &str); 21] = [
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
    ("me", "auth status"),
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
const VERBS: [(&str, &[&str]); 25] = [
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
    ("done", &["close", "complete"]),
    ("finish", &["close", "complete"]),
    ("reopen", &["move"]),
    ("start", &["claim"]),
    ("find", &["list"]),
    ("comments", &["comment"]),
    ("transition", &["move"]),
    ("assign", &["update"]),
    ("log", &["logs", "history", "versions"]),
];

/// Options of other programs, and those here, the likelier first.
const OPTIONS: [(&str, &[&str]); 20] = [
    ("status", &["state"]),
    ("description", &["body"]),
    ("desc", &["body"]),
    ("message", &["body"]),
    ("text", &["body"]),
    ("content", &["body"]),
    ("summary", &["title", "name"]),
    ("subject", &["title"]),
    ("name", &["title"]),
    ("title", &["name"]),
    ("assign", &["assignee"]),
    ("owner", &["assignee"]),
    ("tag", &["labels", "label"]),
    ("tags", &["labels", "label"]),
    ("points", &["estimate"]),
    ("deadline", &["due"]),
    ("due-date", &["due"]),
    ("iteration", &["sprint"]),
    ("cycle", &["sprint"]),
    ("epic", &["parent"]),
];

/// Options that people look for in one command, and the command that does it.
const ELSEWHERE: [(&str, &str, &str); 8] = [
    ("update", "--state", "'svc item move <ITEM_KEY> <STATE>' moves an item to another state"),
    ("edit", "--state", "'svc item move <ITEM_KEY> <STATE>' moves an item to another state"),
    ("update", "--status", "'svc item move <ITEM_KEY> <STATE>' moves an item to another state"),
    ("edit", "--status", "'svc item move <ITEM_KEY> <STATE>' moves an item to another state"),
    ("update", "--comment", "'svc item comment <ITEM_KEY> -m <TEXT>' comments on an item"),
    ("update", "--project", "'svc item transfer <ITEM_KEY> <PROJECT_KEY>' moves an item to another project"),
    ("move", "--project", "'svc item transfer <ITEM_KEY> <PROJECT_KEY>' moves an item to another project"),
    ("move", "--assignee", "'svc item update <ITEM_KEY> --assignee <USER>' assigns an item"),
];

/// The error with a suggestion, where it is about a command and has none yet, and without one that leads astray.
pub(crate) fn suggested(mut error: clap::Error) -> clap::Error {
    if let (Some(ContextValue::String(typed)), Some(ContextValue::String(option))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::SuggestedArg))
        && !is_like(typed, option)
    {
        error.remove(ContextKind::SuggestedArg);
        // It was made for the option that was suggested.
        let words = aliasing::texts();
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage(&words)));
    }
    if error.kind() == ErrorKind::UnknownArgument {
        return with_option(error);
    }
    let (ErrorKind::InvalidSubcommand, None) = (error.kind(), error.get(ContextKind::SuggestedSubcommand))
    else {
        return error;
    };
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let words = aliasing::texts();
    let meant = meant(&mut Cli::command(), &words, typed);
    if !meant.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(meant));
    }
    error
}

/// The error about an option that there is not, with the one that may be meant, or the command that does it.
fn with_option(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    let typed = typed.split(['=', ' ']).next().unwrap_or_default().to_owned();
    let words = aliasing::texts();
    let command = named(&words);
    if let Some(tip) = elsewhere(&command, &typed) {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    } else if let Some(own) = option_meant(&command, &typed) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{own}")));
    }
    error
}

/// What does it that the option was looked for.
fn elsewhere(command: &Command, typed: &str) -> Option<&'static str> {
    let takes_item = command.get_positionals().any(|arg| arg.get_id() == "key" || arg.get_id() == "keys");
    let found = ELSEWHERE.iter().find(|(verb, option, _)| *verb == command.get_name() && *option == typed);
    found.filter(|_| takes_item).map(|(.., tip)| *tip)
}

/// The option of the command that another program calls so.
fn option_meant(command: &Command, typed: &str) -> Option<&'static str> {
    let typed = typed.strip_prefix("--")?;
    let own = OPTIONS.iter().find(|(other, _)| *other == typed).map(|(_, own)| *own)?;
    let known = |name: &&&str| {
        command.get_arguments().any(|arg| {
            arg.get_long() == Some(**name) || arg.get_visible_aliases().unwrap_or_default().contains(*name)
        })
    };
    own.iter().find(known).copied()
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

/// Whether an option may be meant: one that was misspelled, or begun.
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

    use super::{ELSEWHERE, NOUNS, OPTIONS, VERBS, elsewhere, meant, option_meant};
    use crate::args::Cli;
    use crate::asking::named;

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
            ("svc item start", "claim"),
            ("svc item done", "close"),
            ("svc me", "auth status"),
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
    fn options_of_other_programs_are_understood() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (line, typed, own) in [
            ("svc item create", "--description", Some("body")),
            ("svc item create", "--summary", Some("title")),
            ("svc item list", "--status", Some("state")),
            ("svc item list", "--tag", Some("label")),
            ("svc org list", "--status", None),
            ("svc item list", "--frobnicate", None),
        ] {
            assert_eq!(option_meant(&named(&words(line)), typed), own, "{line} {typed}");
        }
        assert_eq!(
            OPTIONS.len(),
            OPTIONS.iter().map(|(other, _)| other).collect::<std::collections::HashSet<_>>().len()
        );
        for (verb, option, _) in ELSEWHERE {
            let command = named(&words(&format!("svc item {verb}")));
            assert!(elsewhere(&command, option).is_some(), "svc item {verb} {option}");
            let known = command
                .get_arguments()
                .filter(|arg| !arg.is_hide_set())
                .any(|arg| Some(option) == arg.get_long().map(|long| format!("--{long}")).as_deref());
            assert!(!known, "svc item {verb} has {option}");
        }
        assert!(elsewhere(&named(&words("svc sprint edit")), "--state").is_none());
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
