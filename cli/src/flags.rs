//! What a field of the API is called on the command line: a problem with `expiresAt` is one with `--expires`.
//!
//! It knows no command: a field has the name of an option, or begins with it. Only other names are in a table.

use std::collections::BTreeMap;

use clap::Command;

use crate::aliasing;
use crate::asking::named;
use crate::output::hyphenated;

/// Fields whose options have names of their own; the first that the command has.
const OTHERS: [(&str, &str); 15] = [
    ("organization", "bound-to"),
    ("organization", "org"),
    ("slug", "org"),
    ("display-name", "name"),
    ("text", "message"),
    ("body", "message"),
    ("body", "file"),
    ("instructions", "file"),
    ("q", "query"),
    ("scheduled-for", "at"),
    ("project-default", "default"),
    ("add-labels", "labels"),
    ("remove-labels", "labels"),
    ("state", "to"),
    ("url", "pr"),
];

/// What is wrong with each field, one a line, by the options of the command that was typed.
pub(crate) fn lines(fields: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    if fields.is_empty() {
        return Vec::new();
    }
    let command = named(&aliasing::texts());
    let line = |(field, messages): (&String, &Vec<String>)| {
        let name = spoken(field, &command);
        messages.iter().map(|message| format!("{name}: {message}")).collect::<Vec<_>>()
    };
    fields.iter().flat_map(line).collect()
}

/// The option of a field; its own name in the spelling of the command line where there is none.
fn spoken(field: &str, command: &Command) -> String {
    let name = hyphenated(field.rsplit('.').next().unwrap_or(field));
    let options: Vec<_> = command
        .get_arguments()
        .filter(|arg| !arg.is_global_set() || arg.get_long() == Some("org"))
        .filter_map(|arg| arg.get_long())
        .collect();
    let begins =
        |long: &&&str| name.strip_prefix(**long).is_some_and(|rest| rest == "s" || rest.starts_with('-'));
    let own = options.iter().find(|long| **long == name);
    let other = || {
        OTHERS
            .iter()
            .filter(|(of, _)| *of == name)
            .find_map(|(_, own)| options.iter().find(|long| *long == own))
    };
    let found = own.or_else(other).or_else(|| options.iter().find(begins));
    found.map_or_else(|| hyphenated(field), |long| format!("--{long}"))
}

#[cfg(test)]
mod tests {
    use super::spoken;
    use crate::asking::named;

    #[test]
    fn fields_are_called_by_the_options_of_the_command() {
        for (line, field, called) in [
            ("svc token create", "expiresAt", "--expires"),
            ("svc token create", "organization", "--bound-to"),
            ("svc token create", "scopes", "--scope"),
            ("svc item create", "change.labels", "--labels"),
            ("svc item update", "addLabels", "--labels"),
            ("svc item comment", "body", "--message"),
            ("svc item list", "q", "--query"),
            ("svc item link", "url", "--pr"),
            ("svc playbook create", "timeLimitMinutes", "--time-limit"),
            ("svc auth join", "displayName", "--name"),
            ("svc auth setup", "organization", "--org"),
            ("svc invite create", "email", "email"),
            ("svc api", "expiresAt", "expires-at"),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(spoken(field, &named(&words)), called, "{line} {field}");
        }
    }
}
