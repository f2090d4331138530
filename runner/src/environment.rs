//! The environment of a harness (specification section 4.3, rule 4).
//!
//! The runner's own `SVC_*` variables never reach a harness. What a harness gets instead names the run: its
//! instance, its own token, its item, and an empty configuration directory, so that `svc` without the token
//! refuses rather than acting as the owner of the machine.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use svc_api::runner::Assignment;
use tokio::process::Command;

use crate::isolation::Isolation;
use crate::process::Account;

/// The variable that names a run's own configuration directory; it also marks the processes of the run.
pub const MARK: &str = "SVC_CONFIG_HOME";

/// Names the file in which the agent says why it cannot do the work; `svc run fail` writes it.
pub const FAILURE_VARIABLE: &str = "SVC_FAILURE_FILE";

/// Variables with which git would work elsewhere than in the working directory.
const GIT_PLACE: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CEILING_DIRECTORIES",
];

/// Keeps the runner's own variables from a program that it starts for itself.
pub fn without_own_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SVC_")) {
        command.env_remove(name);
    }
}

/// The whole environment of a run's harness.
pub fn harness_environment(
    inherited: impl IntoIterator<Item = (OsString, OsString)>,
    url: &str,
    assignment: &Assignment,
    config_home: &Path,
    extra: &[(&str, String)],
) -> BTreeMap<OsString, OsString> {
    let mut environment: BTreeMap<OsString, OsString> =
        inherited.into_iter().filter(|(name, _)| may_pass(name)).collect();
    let mut set = |name: &str, value: &OsStr| environment.insert(name.into(), value.to_owned());
    let (name, email) = (ident(&assignment.agent.name), ident(&assignment.agent.email));
    for (variable, value) in [
        ("SVC_URL", url),
        ("SVC_TOKEN", &assignment.token),
        ("SVC_ITEM", &assignment.item.key),
        ("GIT_AUTHOR_NAME", &name),
        ("GIT_AUTHOR_EMAIL", &email),
        ("GIT_COMMITTER_NAME", &name),
        ("GIT_COMMITTER_EMAIL", &email),
        ("GIT_TERMINAL_PROMPT", "0"),
    ] {
        set(variable, value.as_ref());
    }
    set(MARK, config_home.as_os_str());
    for (variable, value) in extra {
        set(variable, value.as_ref());
    }
    environment
}

/// Variables that every program needs, whatever list the operator gives.
const BASIC: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TERM",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SVC_ALLOW_PLAIN_HTTP",
];

/// Variables that lead into the session of one user, besides `XDG_*`, `SUDO_*` and where their things are.
const PERSONAL: [&str; 7] =
    ["HOME", "USER", "LOGNAME", "SHELL", "MAIL", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"];

/// What of an environment the operator lets a harness have. `own` are names that the harness itself goes by. Another user
/// gets no more than what every program needs, unless the operator names it: the rest is the runner's, and root's.
pub fn allowed(
    inherited: impl IntoIterator<Item = (OsString, OsString)>,
    isolation: &Isolation,
    own: &[&str],
) -> Vec<(OsString, OsString)> {
    let list = match (&isolation.environment, isolation.user()) {
        (Some(list), _) => list.as_slice(),
        (None, Some(_)) => &[],
        (None, None) => return inherited.into_iter().collect(),
    };
    let named = |name: &str| {
        let fits = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        BASIC.iter().chain(own).any(|pattern| fits(pattern)) || list.iter().any(|pattern| fits(pattern))
    };
    inherited.into_iter().filter(|(name, _)| name.to_str().is_some_and(named)).collect()
}

/// Makes an environment that of another user.
pub fn belong_to(variables: &mut Vec<(OsString, OsString)>, account: &Account) {
    variables.retain(|(name, _)| {
        let name = name.to_string_lossy();
        !PERSONAL.contains(&&*name) && !name.starts_with("XDG_") && !name.starts_with("SUDO_")
    });
    for (name, value) in [("USER", &account.name), ("LOGNAME", &account.name), ("SHELL", &account.shell)] {
        variables.push((name.into(), value.into()));
    }
    variables.push(("HOME".into(), account.home.clone().into()));
}

fn may_pass(name: &OsStr) -> bool {
    let text = name.to_string_lossy();
    // An instance without TLS, which the operator allows, is none for the agent alone.
    let own = text.starts_with("SVC_") && text != "SVC_ALLOW_PLAIN_HTTP";
    !own && !GIT_PLACE.contains(&text.as_ref())
}

/// Git ends a name at these characters, and refuses one that has nothing else.
fn ident(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).collect();
    let kept = kept.trim();
    if kept.is_empty() { "agent".to_owned() } else { kept.to_owned() }
}

/// Names, or ends of names, of variables that hold a secret. A short one may be a word that a log is full of.
const SECRET_NAMES: [(&str, usize); 12] = [
    ("TOKEN", 12),
    ("SECRET", 12),
    ("PASSWORD", 6),
    ("PASSWD", 6),
    ("_PASS", 6),
    ("_PWD", 6),
    ("PASSPHRASE", 6),
    ("_KEY", 16),
    ("APIKEY", 16),
    ("CREDENTIALS", 16),
    ("_AUTH", 12),
    ("_DSN", 16),
];

/// Values of inherited variables that are secrets by their names, and passwords in addresses, whatever the name:
/// they must not show in a log either.
pub fn inherited_secrets(inherited: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<String> {
    let mut secrets = Vec::new();
    for (name, value) in inherited {
        let Ok(value) = value.into_string() else { continue };
        let name = format!("_{}", name.to_string_lossy().to_uppercase());
        let shortest =
            SECRET_NAMES.iter().find(|(end, _)| name.ends_with(end)).map(|(_, shortest)| *shortest);
        // A path to a secret is no secret, and hiding it would hide the reason of a failure.
        if shortest.is_some_and(|shortest| value.len() >= shortest) && !value.starts_with(['/', '~', '.']) {
            secrets.push(value.clone());
        }
        secrets.extend(passwords_in(&value));
    }
    secrets
}

/// Passwords in an address (`scheme://user:password@host`, `user:password@tcp(host)`) or in a list of settings
/// (`Password=…;`, `password=…`).
pub(crate) fn passwords_in(value: &str) -> Vec<String> {
    let mut found = Vec::new();
    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
    let authority = if value.contains("://") { authority } else { rest };
    if let Some((user, _)) = authority.rsplit_once('@')
        && let Some((_, password)) = user.split_once(':')
    {
        let decoded = percent_encoding::percent_decode_str(password).decode_utf8_lossy().into_owned();
        found.extend([password.to_owned(), decoded]);
    }
    for setting in value.split([';', ' ', '&']) {
        if let Some((name, password)) = setting.split_once('=')
            && ["password", "pwd", "accountkey", "sharedaccesskey"]
                .contains(&name.trim().to_lowercase().as_str())
        {
            found.push(password.trim_matches(['"', '\'']).to_owned());
        }
    }
    found.sort();
    found.dedup();
    found.retain(|password| password.len() >= 6);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assignment;

    fn pairs(list: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        list.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    fn text(environment: &BTreeMap<OsString, OsString>, name: &str) -> Option<String> {
        environment.get(OsStr::new(name)).map(|value| value.to_string_lossy().into_owned())
    }

    #[test]
    fn the_runners_own_variables_are_replaced_by_the_runs() {
        let inherited = pairs(&[
            ("SVC_TOKEN", "owner"),
            ("SVC_ORG", "mine"),
            ("SVC_RUNNER_HARNESS_1", "/x"),
            ("GIT_DIR", "/elsewhere"),
            ("PATH", "/bin"),
        ]);
        let environment =
            harness_environment(inherited, "http://i", &assignment("r1"), Path::new("/run/c"), &[]);
        let names: Vec<_> = environment.keys().filter_map(|name| name.to_str()).collect();
        assert_eq!(
            names.iter().filter(|name| name.starts_with("SVC_")).copied().collect::<Vec<_>>(),
            ["SVC_CONFIG_HOME", "SVC_ITEM", "SVC_TOKEN", "SVC_URL"]
        );
        assert_eq!(text(&environment, "SVC_TOKEN").as_deref(), Some("jrt_run-token-0123456789"));
        assert_eq!(text(&environment, "SVC_CONFIG_HOME").as_deref(), Some("/run/c"));
        assert_eq!(text(&environment, "GIT_DIR"), None);
        assert_eq!(text(&environment, "PATH").as_deref(), Some("/bin"));
    }

    #[test]
    fn only_named_variables_pass_besides_those_that_every_program_needs() {
        let names = ["PATH", "LC_ALL", "CLAUDE_X", "AWS_SECRET_ACCESS_KEY", "CI", "MY_A", "XDG_DATA_HOME"];
        let inherited = || names.map(|name| (OsString::from(name), OsString::from("v")));
        let isolation =
            Isolation { environment: Some(vec!["CI".into(), "MY_*".into()]), ..Isolation::default() };
        let kept = |variables: Vec<(OsString, OsString)>| -> Vec<String> {
            variables.into_iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect()
        };
        let some = allowed(inherited(), &isolation, &["CLAUDE_*"]);
        assert_eq!(kept(some), ["PATH", "LC_ALL", "CLAUDE_X", "CI", "MY_A"]);
        let mut all = allowed(inherited(), &Isolation::default(), &[]);
        assert_eq!(all.len(), names.len());
        let account =
            Account { name: "ada".into(), uid: 7, gid: 7, home: "/home/ada".into(), shell: "/bin/sh".into() };
        belong_to(&mut all, &account);
        assert!(all.contains(&("HOME".into(), "/home/ada".into())));
        assert!(!kept(all).contains(&"XDG_DATA_HOME".to_owned()));
    }

    #[test]
    fn another_user_gets_what_every_program_needs_unless_more_is_named() {
        let names = ["PATH", "LC_ALL", "CLAUDE_X", "CI_SECRET", "https_proxy"];
        let kept = |environment: Option<&str>| -> Vec<String> {
            let inherited = names.map(|name| (OsString::from(name), OsString::from("v")));
            let isolation = Isolation {
                run_as: Some(crate::isolation::RunAs::User("ada".into())),
                environment: environment.map(|name| vec![name.to_owned()]),
                ..Isolation::default()
            };
            let variables = allowed(inherited, &isolation, &["CLAUDE_*"]);
            variables.into_iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(kept(None), ["PATH", "LC_ALL", "CLAUDE_X", "https_proxy"]);
        assert_eq!(kept(Some("*")), names);
    }

    #[test]
    fn commits_carry_the_agents_name_whatever_it_holds() {
        let mut assignment = assignment("r1");
        assignment.agent.name = "Ada\n<x>".into();
        assignment.agent.email = "\n".into();
        let environment = harness_environment([], "u", &assignment, Path::new("/c"), &[]);
        assert_eq!(text(&environment, "GIT_AUTHOR_NAME").as_deref(), Some("Adax"));
        assert_eq!(text(&environment, "GIT_COMMITTER_EMAIL").as_deref(), Some("agent"));
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        let inherited = pairs(&[
            ("ANTHROPIC_API_KEY", "sk-0123456789abcdef"),
            ("SHORT_TOKEN", "abc"),
            ("TLS_KEY", "/etc/ssl/private/some.key"),
            ("KEYBOARD", "a-very-long-value-indeed"),
        ]);
        assert_eq!(inherited_secrets(inherited), ["sk-0123456789abcdef"]);
    }

    #[test]
    fn passwords_under_other_names_and_in_addresses_are_secrets() {
        for (name, value, secret) in [
            ("PGPASSWORD", "hunter2x", "hunter2x"),
            ("SMTP_PASS", "hunter2x", "hunter2x"),
            ("DATABASE_URL", "postgres://app:hunter2x@db:5432/app", "hunter2x"),
            ("REDIS", "redis://:hunter2x@cache", "hunter2x"),
            ("ANY_URL", "https://u:hunter%2Fx@h/p?q=a@b", "hunter/x"),
            ("MYSQL", "app:hunter2x@tcp(db:3306)/app", "hunter2x"),
            ("CONNECTION", "Server=db;User Id=app;Password=hunter2x;", "hunter2x"),
            ("LIBPQ", "host=db password='hunter2x' dbname=app", "hunter2x"),
        ] {
            let found = inherited_secrets(pairs(&[(name, value)]));
            assert!(found.iter().any(|one| one == secret), "{name}={value}: {found:?}");
        }
        for (name, value) in
            [("HOME", "/root"), ("PWD", "/srv/work"), ("URL", "https://host/a:b@c"), ("LANG", "C")]
        {
            assert_eq!(inherited_secrets(pairs(&[(name, value)])), [] as [&str; 0], "{name}");
        }
    }
}
