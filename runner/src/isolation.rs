//! How the runs of a project are kept apart from the machine: the user or the command that runs the harness; which
//! variables it gets; what runs before and after it. Everything is off until the operator asks for it, with
//! `svc runner map` for a project, or with `svc runner defaults` for all.
//!
//! Owns what is asked for, and how `runner.json` says it. Starts nothing.
//!
//! Another user needs a runner that root started: it changes the user itself, and does not call `sudo`. Only root may
//! end and clear away what another user's processes leave; and `sudo` would replace the environment by its own rules.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What stands in a sandbox command for what is known only when a run begins.
pub const PLACEHOLDERS: [&str; 4] = ["workspace", "run_dir", "env_file", "run_id"];

/// What the operator asks for. What is not said falls to the default of the organization, then to none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Isolation {
    /// The user or the command that runs the harness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_as: Option<RunAs>,
    /// Variables of the runner that the harness gets, besides those that every program needs; `NAME*` stands for all
    /// that begin so. Without a list, all; another user gets none of them then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<Vec<String>>,
    /// Shell commands before the harness.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// Shell commands after it, however it ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleanup: Vec<String>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The user or the command that runs the harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunAs {
    /// The runner's own user.
    Runner,
    /// Another user of the machine.
    User(String),
    /// A command that runs what follows it.
    Sandbox(String),
}

impl Isolation {
    /// Whether nothing is asked for.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The same, with `default` for what is not said.
    #[must_use]
    pub fn or(self, default: &Self) -> Self {
        let either = |own: Vec<String>, other: &[String]| if own.is_empty() { other.to_vec() } else { own };
        Self {
            run_as: self.run_as.or_else(|| default.run_as.clone()),
            environment: self.environment.or_else(|| default.environment.clone()),
            setup: either(self.setup, &default.setup),
            cleanup: either(self.cleanup, &default.cleanup),
            other: self.other,
        }
    }

    /// The user that runs the harness, if it is another one.
    pub fn user(&self) -> Option<&str> {
        match &self.run_as {
            Some(RunAs::User(name)) => Some(name),
            Some(RunAs::Runner | RunAs::Sandbox(_)) | None => None,
        }
    }

    /// The command that runs the harness, if there is one.
    pub fn sandbox(&self) -> Option<&str> {
        match &self.run_as {
            Some(RunAs::Sandbox(command)) => Some(command),
            Some(RunAs::Runner | RunAs::User(_)) | None => None,
        }
    }

    /// Whether the harness cannot reach the mapped clone: its checkout must be a clone of its own.
    pub fn separates(&self) -> bool {
        self.user().is_some() || self.sandbox().is_some()
    }

    /// What is asked for, in a line.
    pub fn words(&self) -> String {
        let count = |list: &[String], what: &str| {
            (!list.is_empty()).then(|| format!("{what} `{}`", list.join("`, `")))
        };
        let run_as = match &self.run_as {
            Some(RunAs::User(name)) => Some(format!("user {name}")),
            Some(RunAs::Sandbox(command)) => Some(format!("through `{command}`")),
            Some(RunAs::Runner) => Some("the runner's own user".to_owned()),
            None => None,
        };
        let variables = self.environment.as_ref().map(|names| match names.as_slice() {
            [] => "no further variables".to_owned(),
            names => format!("variables {}", names.join(", ")),
        });
        let parts = [run_as, variables, count(&self.setup, "set-up"), count(&self.cleanup, "clean-up")];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// What the placeholders of a sandbox command stand for.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The checkout.
    pub workspace: &'a Path,
    /// The run's directory; a run that continues another has its checkout elsewhere.
    pub run_dir: &'a Path,
    /// The environment of the harness, a line for each variable.
    pub env_file: &'a Path,
    /// Id of the run.
    pub run_id: &'a str,
}

/// Whether a sandbox command asks for the file with the environment.
pub fn wants_env_file(template: &str) -> bool {
    template.contains("{env_file}")
}

/// The words of a sandbox command, with what the placeholders stand for. Words are split and quoted as in a shell;
/// nothing else of a shell applies.
///
/// # Errors
/// It has no words, a quote that does not end, or a placeholder that is none; says so.
pub fn sandbox_words(template: &str, places: &Places<'_>) -> Result<Vec<OsString>, String> {
    let words = shlex::split(template).ok_or("a quote does not end")?;
    if words.is_empty() {
        return Err("it is empty".to_owned());
    }
    words.into_iter().map(|word| filled_in(&word, places)).collect()
}

fn filled_in(word: &str, places: &Places<'_>) -> Result<OsString, String> {
    let (mut filled, mut rest) = (OsString::new(), word);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push(before);
        let name = after.split_once('}').filter(|(name, _)| is_name(name));
        let Some((name, after)) = name else {
            filled.push("{");
            rest = after;
            continue;
        };
        match name {
            "workspace" => filled.push(places.workspace),
            "run_dir" => filled.push(places.run_dir),
            "env_file" => filled.push(places.env_file),
            "run_id" => filled.push(places.run_id),
            _ => {
                let known = PLACEHOLDERS.map(|known| format!("{{{known}}}")).join(", ");
                return Err(format!("{{{name}}} stands for nothing; there are {known}"));
            }
        }
        rest = after;
    }
    filled.push(rest);
    Ok(filled)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places<'static> {
        Places {
            workspace: Path::new("/r/a b/repo"),
            run_dir: Path::new("/r/a b"),
            env_file: Path::new("/r/a b/environment"),
            run_id: "run-1",
        }
    }

    #[test]
    fn words_are_a_shells_and_placeholders_are_filled_in() {
        let template = "docker run --name 'svc {run_id}' -v {workspace}:{workspace} x{y {{.A}}";
        let expected =
            ["docker", "run", "--name", "svc run-1", "-v", "/r/a b/repo:/r/a b/repo", "x{y", "{{.A}}"];
        assert_eq!(sandbox_words(template, &places()).unwrap(), expected);
    }

    #[test]
    fn commands_that_cannot_be_meant_are_refused() {
        for (template, why) in [("", "empty"), ("bwrap 'x", "quote"), ("bwrap {home}", "{workspace}")] {
            let error = sandbox_words(template, &places()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn what_a_project_does_not_say_falls_to_the_default() {
        let default: Isolation =
            serde_json::from_str(r#"{"runAs":{"user":"agent"},"environment":["CI"],"setup":["a"]}"#).unwrap();
        let own: Isolation = serde_json::from_str(r#"{"runAs":"runner","setup":["b"],"later":1}"#).unwrap();
        let resolved = own.clone().or(&default);
        assert_eq!((resolved.run_as, resolved.setup), (Some(RunAs::Runner), vec!["b".to_owned()]));
        assert_eq!(resolved.environment.as_deref(), Some(&["CI".to_owned()][..]));
        assert!(default.separates() && !own.separates());
        assert_eq!(serde_json::to_value(&own).unwrap()["later"], 1, "fields of other versions stay");
        assert_eq!(default.words(), "user agent; variables CI; set-up `a`");
    }
}
