//! Which instance, which credential, which organization, which project: flags, then environment, then the
//! config file (specification section 4.2), each setting on its own. A token of the config file counts only at
//! the instance that it was stored for.
//!
//! Inside a run (`SVC_ITEM` is set) the config file is not looked at: it holds the credential of the person
//! who started the runner, and a run that lost its own token must not act as that person.

mod account;
mod clone;
mod file;

use std::path::{Path, PathBuf};

pub(crate) use account::{Account, same_instance};
pub(crate) use file::{Config, ConfigFile};

use crate::failure::Failure;
use crate::globals::Globals;

/// A setting and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) value: String,
    pub(crate) source: Source,
}

/// Where a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Flag(&'static str),
    Environment(&'static str),
    File(PathBuf),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The global settings of one command.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) url: Option<Setting>,
    pub(crate) token: Option<Setting>,
    /// Id of the account that the token belongs to, where it is the one of the config file.
    pub(crate) account_id: Option<String>,
    pub(crate) org: Option<Setting>,
    pub(crate) project: Option<Setting>,
    /// Instances for which the config file has a token.
    pub(crate) signed_in: Vec<String>,
    /// Whether the token may cross a network without TLS.
    pub(crate) allow_plain_http: bool,
    /// Whether an agent's run issued the command.
    pub(crate) in_run: bool,
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Settings {
    /// The settings from the flags, the environment and the config file.
    pub(crate) fn load(globals: &Globals) -> Result<Self, Failure> {
        refuse_unreadable(&["SVC_URL", "SVC_TOKEN", "SVC_ORG", "SVC_PROJECT"])?;
        let environment = |name: &str| std::env::var(name).ok();
        if is_set(&environment, "SVC_ITEM") {
            return Ok(Self::resolve(globals, &environment, &Config::default(), Path::new("")));
        }
        let file = ConfigFile::locate()?;
        let mut settings = Self::resolve(globals, &environment, &file.read()?, file.path());
        if let (None, Some(url)) = (&settings.project, &settings.url) {
            let org = settings.org.as_ref().map(|org| org.value.as_str());
            settings.project = clone::project(&url.value, org);
        }
        Ok(settings)
    }

    fn resolve(globals: &Globals, environment: Environment<'_>, config: &Config, path: &Path) -> Self {
        let first = |flag, typed: Option<&String>, variable, stored: Option<&String>| {
            let typed = typed.map(|value| Setting { value: value.clone(), source: Source::Flag(flag) });
            let set = || {
                environment(variable).map(|value| Setting { value, source: Source::Environment(variable) })
            };
            let source = || Source::File(path.to_owned());
            let stored = || stored.map(|value| Setting { value: value.clone(), source: source() });
            let usable = |setting: &Setting| !setting.value.trim().is_empty();
            typed.or_else(|| set().filter(usable)).or_else(|| stored().filter(usable))
        };
        let url = first("--url", globals.url.as_ref(), "SVC_URL", config.current.url.as_ref());
        let account = url.as_ref().map(|url| config.at(&url.value)).unwrap_or_default();
        let signed_in = config.signed_in().map(|account| account.place().to_owned()).collect();
        let token = first("--token", globals.token.as_ref(), "SVC_TOKEN", account.token.as_ref());
        let stored = token.as_ref().is_some_and(|token| matches!(token.source, Source::File(_)));
        Self {
            token,
            account_id: account.id.clone().filter(|_| stored),
            org: first("--org", globals.org.as_ref(), "SVC_ORG", account.org.as_ref()),
            project: first("--project", None, "SVC_PROJECT", account.project.as_ref()),
            url,
            signed_in,
            allow_plain_http: is_set(environment, "SVC_ALLOW_PLAIN_HTTP"),
            in_run: is_set(environment, "SVC_ITEM"),
        }
    }

    /// The variable whose token is used whatever the config file holds.
    pub(crate) fn token_variable(&self) -> Option<&'static str> {
        match self.token.as_ref()?.source {
            Source::Environment(name) => Some(name),
            Source::Flag(_) | Source::File(_) => None,
        }
    }

    /// The address that was typed for this command.
    pub(crate) fn url_flag(&self) -> Option<&str> {
        let url = self.url.as_ref()?;
        matches!(url.source, Source::Flag(_)).then_some(url.value.as_str())
    }

    /// The organization that was named for this command, by flag or variable.
    pub(crate) fn named_org(&self) -> Option<&str> {
        let org = self.org.as_ref()?;
        (!matches!(org.source, Source::File(_))).then_some(org.value.as_str())
    }

    /// Refuses to touch the config file of the person whose runner started the run.
    pub(crate) fn refuse_in_run(&self) -> Result<(), Failure> {
        if self.in_run { Err(settings_of_a_person()) } else { Ok(()) }
    }
}

/// The person's config file.
///
/// # Errors
/// This is an agent's run, or the place of the file is unknown.
pub(crate) fn own_file() -> Result<ConfigFile, Failure> {
    if is_set(&|name| std::env::var(name).ok(), "SVC_ITEM") {
        return Err(settings_of_a_person());
    }
    ConfigFile::locate()
}

fn settings_of_a_person() -> Failure {
    let why = "SVC_ITEM is set, so this is an agent's run, which must not change a person's settings";
    Failure::rejected("a run cannot sign in or out, or change settings").detail(why)
}

/// A variable that cannot be read is not one that is absent: what stands behind it is meant for elsewhere.
fn refuse_unreadable(names: &[&str]) -> Result<(), Failure> {
    let unreadable = |name: &&&str| matches!(std::env::var(name), Err(std::env::VarError::NotUnicode(_)));
    match names.iter().find(unreadable) {
        Some(name) => {
            Err(Failure::rejected(format!("{name} is not UTF-8 text")).hint("correct it, or unset it"))
        }
        None => Ok(()),
    }
}

fn is_set(environment: Environment<'_>, name: &str) -> bool {
    environment(name).is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Account, Config, Setting, Settings, Source};
    use crate::globals::Globals;

    const HERE: &str = "https://here.example";
    const ELSEWHERE: &str = "https://elsewhere.example";

    fn settings(flag: Option<&str>, variable: Option<(&str, &str)>) -> Settings {
        let account = |url: &str| Account {
            url: Some(url.into()),
            token: Some(format!("token of {url}")),
            ..Account::default()
        };
        let config =
            Config { current: account(HERE), accounts: vec![account(ELSEWHERE)], ..Config::default() };
        let globals = Globals { url: flag.map(str::to_owned), ..Globals::default() };
        let environment =
            |name: &str| variable.filter(|(set, _)| *set == name).map(|(_, value)| value.to_owned());
        Settings::resolve(&globals, &environment, &config, Path::new("config.json"))
    }

    fn token(settings: Settings) -> Option<String> {
        settings.token.map(|token| token.value)
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let both = settings(Some("https://flag.example"), Some(("SVC_URL", "https://environment.example")));
        let flag = Setting { value: "https://flag.example".into(), source: Source::Flag("--url") };
        assert_eq!(both.url, Some(flag));
        let without = settings(None, Some(("SVC_URL", HERE)));
        assert_eq!(without.url.unwrap().source, Source::Environment("SVC_URL"));
        let file = Source::File(PathBuf::from("config.json"));
        assert_eq!(without.token.unwrap().source, file, "each setting on its own");
        assert_eq!(without.org, None);
    }

    #[test]
    fn a_stored_token_counts_only_at_its_own_instance() {
        assert_eq!(token(settings(None, None)), Some(format!("token of {HERE}")));
        assert_eq!(token(settings(Some(ELSEWHERE), None)), Some(format!("token of {ELSEWHERE}")));
        assert_eq!(token(settings(Some("https://evil.example"), None)), None);
        assert_eq!(token(settings(None, Some(("SVC_URL", "https://evil.example")))), None);
        let given = settings(Some("https://evil.example"), Some(("SVC_TOKEN", "given")));
        assert_eq!(token(given), Some("given".into()), "who names a token sends it where they say");
    }

    #[test]
    fn an_empty_variable_is_no_setting() {
        let settings = settings(None, Some(("SVC_URL", "")));
        assert_eq!(settings.url.unwrap().value, HERE);
        assert!(!settings.in_run && !settings.allow_plain_http);
    }
}
