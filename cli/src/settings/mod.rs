//! Which instance, which credential, which organization: flags, then environment, then the config file
//! (specification section 4.2), each setting on its own.
//!
//! Inside a run (`SVC_ITEM` is set) the config file is not looked at: it holds the credential of the person
//! who started the runner, and a run that lost its own token must not act as that person.

mod file;

pub(crate) use file::{Config, ConfigFile};

use crate::args::Globals;
use crate::failure::Failure;

/// A setting and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) value: String,
    pub(crate) source: Source,
}

/// Where a setting came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Flag(&'static str),
    Environment(&'static str),
    File,
}

/// The global settings of one command.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) url: Option<Setting>,
    pub(crate) token: Option<Setting>,
    pub(crate) org: Option<Setting>,
    /// Whether the token may cross a network without TLS.
    pub(crate) allow_plain_http: bool,
    /// Whether an agent's run issued the command.
    pub(crate) in_run: bool,
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Settings {
    /// The settings from the flags, the environment and the config file.
    pub(crate) fn load(globals: &Globals) -> Result<Self, Failure> {
        refuse_unreadable(&["SVC_URL", "SVC_TOKEN", "SVC_ORG"])?;
        let environment = |name: &str| std::env::var(name).ok();
        if is_set(&environment, "SVC_ITEM") {
            return Ok(Self::resolve(globals, &environment, Config::default()));
        }
        Ok(Self::resolve(globals, &environment, ConfigFile::locate()?.read()?))
    }

    fn resolve(globals: &Globals, environment: Environment<'_>, file: Config) -> Self {
        let first = |flag, typed: &Option<String>, variable, stored: Option<String>| {
            let typed = typed.clone().map(|value| Setting { value, source: Source::Flag(flag) });
            let set = || {
                environment(variable).map(|value| Setting { value, source: Source::Environment(variable) })
            };
            let stored = || stored.map(|value| Setting { value, source: Source::File });
            let usable = |setting: &Setting| !setting.value.trim().is_empty();
            typed.or_else(|| set().filter(usable)).or_else(|| stored().filter(usable))
        };
        Self {
            url: first("--url", &globals.url, "SVC_URL", file.url),
            token: first("--token", &globals.token, "SVC_TOKEN", file.token),
            org: first("--org", &globals.org, "SVC_ORG", file.org),
            allow_plain_http: is_set(environment, "SVC_ALLOW_PLAIN_HTTP"),
            in_run: is_set(environment, "SVC_ITEM"),
        }
    }

    /// The variable whose token is used whatever the config file holds.
    pub(crate) fn token_variable(&self) -> Option<&'static str> {
        match self.token.as_ref()?.source {
            Source::Environment(name) => Some(name),
            Source::Flag(_) | Source::File => None,
        }
    }

    /// The address that was typed for this command.
    pub(crate) fn url_flag(&self) -> Option<&str> {
        let url = self.url.as_ref()?;
        matches!(url.source, Source::Flag(_)).then_some(url.value.as_str())
    }

    /// Refuses to touch the config file of the person whose runner started the run.
    pub(crate) fn refuse_in_run(&self) -> Result<(), Failure> {
        if !self.in_run {
            return Ok(());
        }
        let why = "SVC_ITEM is set, so this is an agent's run, and the settings of the person who started it are left alone";
        Err(Failure::rejected("a run cannot sign in or out").detail(why))
    }
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
    use super::{Config, Setting, Settings, Source};
    use crate::args::Globals;

    fn globals(url: Option<&str>) -> Globals {
        Globals { url: url.map(str::to_owned), token: None, org: None, json: false }
    }

    fn file() -> Config {
        Config { url: Some("file".into()), token: Some("file".into()), ..Config::default() }
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let environment = |name: &str| (name == "SVC_URL").then(|| "environment".to_owned());
        let with_flag = Settings::resolve(&globals(Some("flag")), &environment, file());
        assert_eq!(with_flag.url, Some(Setting { value: "flag".into(), source: Source::Flag("--url") }));
        let without = Settings::resolve(&globals(None), &environment, file());
        let expected = Setting { value: "environment".into(), source: Source::Environment("SVC_URL") };
        assert_eq!(without.url, Some(expected));
        assert_eq!(without.token.unwrap().source, Source::File, "each setting on its own");
        assert_eq!(without.org, None);
    }

    #[test]
    fn an_empty_variable_is_no_setting() {
        let environment = |_: &str| Some(String::new());
        let settings = Settings::resolve(&globals(None), &environment, file());
        assert_eq!(settings.url.unwrap().source, Source::File);
        assert!(!settings.in_run && !settings.allow_plain_http);
    }
}
