//! `config.json`: url, token and org of the account that is in use (specification section 2.8), and the other
//! accounts; a file of mode 0600 in a directory of mode 0700, replaced as a whole so that a crash leaves the
//! old or the new one. Two commands that change it at once wait for each other.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_runner::directories::config_home;

use super::account::Account;
use crate::failure::Failure;

/// What the file holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Config {
    /// The account in use: its keys are those of the file itself.
    #[serde(flatten)]
    pub(crate) current: Account,
    /// The other accounts, the last used first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) accounts: Vec<Account>,
    /// The person's own names for commands, whatever the account.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) aliases: BTreeMap<String, String>,
    /// Keys of other versions, kept as they are.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

impl Config {
    /// The account that is used at an address. Where the one in use is of this instance it is that one, signed
    /// in or not: nobody becomes somebody else by signing out.
    pub(crate) fn at(&self, url: &str) -> Account {
        if self.current.is_at(url) {
            return self.current.clone();
        }
        self.accounts.iter().find(|account| account.is_at(url)).cloned().unwrap_or_default()
    }

    /// All accounts that have a token, the one in use first.
    pub(crate) fn signed_in(&self) -> impl Iterator<Item = &Account> {
        std::iter::once(&self.current).chain(&self.accounts).filter(|account| account.token.is_some())
    }

    /// Makes an account the one in use, and keeps the one before it.
    pub(crate) fn use_account(&mut self, account: Account) {
        let (place, holder) = (account.place().to_owned(), account.account.clone());
        let same = |other: &Account| {
            other == &account
                || holder
                    .as_deref()
                    .map_or(other.account.is_none() && other.is_at(&place), |holder| other.is(&place, holder))
        };
        let before = std::mem::take(&mut self.current);
        self.accounts.retain(|other| !same(other));
        if before.token.is_some() && !same(&before) {
            self.accounts.insert(0, before);
        }
        self.current = account;
    }
}

/// Where the file is.
pub(crate) struct ConfigFile {
    path: PathBuf,
}

impl ConfigFile {
    /// In the directory that the runner's file is in, too.
    pub(crate) fn locate() -> Result<Self, Failure> {
        let directory = config_home().map_err(|error| Failure::rejected(error.to_string()))?;
        Ok(Self { path: directory.join("config.json") })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds; nothing when there is none.
    pub(crate) fn read(&self) -> Result<Config, Failure> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(self.trouble("cannot read", &error)),
        };
        self.close_to_others();
        serde_json::from_str(&text).map_err(|error| {
            Failure::rejected(format!("{} is not valid JSON for svc", self.path.display()))
                .detail(error.to_string())
                .hint("correct it, or remove it and sign in again")
        })
    }

    /// Takes from others what they may do with the file: it holds a token, however it came here.
    fn close_to_others(&self) {
        let open = fs::metadata(&self.path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
        if open {
            // Where this is not allowed, the file is not this user's, and its mode not theirs to choose.
            let _ = fs::set_permissions(&self.path, Permissions::from_mode(0o600));
        }
    }

    /// Changes the file, while no other command does.
    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut Config) -> T) -> Result<T, Failure> {
        let _lock = self.lock().map_err(|error| self.trouble("cannot lock", &error))?;
        let mut config = self.read()?;
        let value = change(&mut config);
        self.replace(&config).map_err(|error| self.trouble("cannot write", &error))?;
        Ok(value)
    }

    /// Held until the file that it answers is closed.
    fn lock(&self) -> std::io::Result<File> {
        self.make_directory()?;
        let mut options = File::options();
        let lock = options.write(true).create(true).truncate(false).mode(0o600);
        let lock = lock.open(self.path.with_extension("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn make_directory(&self) -> std::io::Result<&Path> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        Ok(directory)
    }

    fn replace(&self, config: &Config) -> std::io::Result<()> {
        // A temporary file has mode 0600 from the start, so the token is never readable by others.
        let mut file = tempfile::NamedTempFile::new_in(self.make_directory()?)?;
        serde_json::to_writer_pretty(&mut file, config)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    fn trouble(&self, doing: &str, error: &std::io::Error) -> Failure {
        Failure::io(format_args!("{doing} {}", self.path.display()), error)
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, Config};

    fn account(url: &str, holder: &str) -> Account {
        let token = Some(format!("token of {holder} at {url}"));
        Account { url: Some(url.into()), token, account: Some(holder.into()), ..Account::default() }
    }

    #[test]
    fn a_file_of_an_older_version_is_read_and_keeps_what_is_not_known() {
        let old = r#"{"url": "https://a.example", "token": "t", "org": "demo", "color": 1}"#;
        let config: Config = serde_json::from_str(old).unwrap();
        assert_eq!(config.current.org.as_deref(), Some("demo"));
        assert_eq!(
            serde_json::to_value(&config).unwrap(),
            serde_json::from_str::<serde_json::Value>(old).unwrap()
        );
    }

    #[test]
    fn a_token_is_found_only_for_its_own_instance() {
        let mut config = Config::default();
        config.use_account(account("https://a.example", "ada"));
        config.use_account(account("https://b.example", "ben"));
        assert_eq!(config.at("https://b.example/").account.as_deref(), Some("ben"));
        assert_eq!(config.at("https://a.example").account.as_deref(), Some("ada"));
        assert_eq!(config.at("https://c.example").token, None);
    }

    #[test]
    fn accounts_are_kept_once_and_the_last_used_comes_first() {
        let mut config = Config::default();
        for (url, holder) in [("a", "ada"), ("a", "ben"), ("b", "ada"), ("a", "ada")] {
            config.use_account(account(&format!("https://{url}.example"), holder));
        }
        let holders: Vec<_> = config.signed_in().map(|account| (account.place(), account.holder())).collect();
        let expected =
            [("https://a.example", "ada"), ("https://b.example", "ada"), ("https://a.example", "ben")];
        assert_eq!(holders, expected);
    }

    #[test]
    fn who_signed_out_is_nobody_even_where_another_account_of_the_instance_is_kept() {
        let mut config = Config::default();
        config.use_account(account("https://a.example", "ben"));
        config.use_account(account("https://a.example", "ada"));
        config.current.token = None;
        assert_eq!(config.at("https://a.example").token, None);
    }
}
