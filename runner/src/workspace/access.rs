//! How git, and the code host's command line, get the credential of a run whose repository is at a code host
//! (specification section 2.4).
//!
//! The credential is in one file of mode 0600 in the run's directory, outside the checkout, replaced before it ends
//! and removed with the run's end. Git reads it through a credential helper, only for the host that the repository
//! is on; `gh` through a small program of its name that stands first on the PATH. Nothing of it is in the checkout,
//! in git's configuration or in an argument. Where a harness gives its tools another PATH, `gh` has the
//! credential that the run began with, from the environment: that one ends after about an hour, and `gh` then says
//! that it is not signed in, while git goes on.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use svc_api::runner::RepositoryCredential;

use crate::failure::{Failure, FailureReason};
use crate::plain;
use crate::process::find_executable;
use crate::runner_file::private_directory;

/// Name of the file that holds the credential, in the run's directory.
pub const CREDENTIAL: &str = "credential";
/// Names the file for the helper and for `gh`.
const FILE: &str = "SVC_GIT_CREDENTIAL";
/// Names the real `gh`.
const GH: &str = "SVC_GH";

/// Prints the file when git asks for a credential; what git would have kept or forgotten is not its business.
const HELPER: &str = "!f() { test \"$1\" = get && cat \"$SVC_GIT_CREDENTIAL\"; }; f";

/// The way into one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The address to clone from.
    pub(super) url: String,
    /// Scheme, host and port of it.
    pub(super) origin: String,
    /// The run's directory.
    pub(super) directory: PathBuf,
}

impl Access {
    /// The way to the repository at this address, which the instance names, for the run of this directory.
    ///
    /// # Errors
    /// `workspace-failed` for what is no address that a credential may be sent to.
    pub fn new(url: &str, directory: &Path) -> Result<Self, Failure> {
        let origin = origin(url).ok_or_else(|| {
            let detail = format!("{url:?} is not an https:// address of a repository");
            Failure::new(FailureReason::WorkspaceFailed, detail)
        })?;
        Ok(Self { url: url.to_owned(), origin: origin.to_owned(), directory: directory.to_owned() })
    }

    /// The address to clone from.
    pub fn url(&self) -> &str {
        &self.url
    }

    fn file(&self) -> PathBuf {
        self.directory.join(CREDENTIAL)
    }

    /// Replaces the credential atomically: a reader sees the earlier one or this one.
    ///
    /// # Errors
    /// The disk refuses, or the credential would not be one line for each of its parts.
    pub fn keep(&self, credential: &RepositoryCredential) -> io::Result<()> {
        let RepositoryCredential { username, password, .. } = credential;
        if [username, password].iter().any(|part| part.is_empty() || part.chars().any(char::is_control)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the credential is not one"));
        }
        // Made with mode 0600.
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        write!(file, "username={username}\npassword={password}\n")?;
        // Readers of the earlier file may read this one, too.
        if let Ok(earlier) = fs::symlink_metadata(self.file()) {
            fchown(file.as_file(), Some(earlier.uid()), Some(earlier.gid()))?;
        }
        file.persist(self.file()).map(|_| ()).map_err(|error| error.error)
    }

    /// The password that is written down now.
    fn password(&self) -> Option<String> {
        let text = plain::read_text(&self.file(), plain::RECORD).ok()?;
        text.lines().find_map(|line| line.strip_prefix("password=")).map(str::to_owned)
    }

    /// Removes the credential.
    pub fn forget(&self) {
        if let Err(error) = fs::remove_file(self.file())
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the credential of a run cannot be removed");
        }
    }

    /// Variables with which git finds the credential, after `count` settings that the environment has already.
    /// No other helper is asked, which might keep it, no other credential takes its place, and no rule
    /// of the machine sends git elsewhere.
    pub(super) fn for_git(&self, count: usize) -> Vec<(OsString, OsString)> {
        let (origin, url) = (&self.origin, self.url.as_str());
        let settings = [
            (format!("credential.{origin}.helper"), ""),
            (format!("credential.{origin}.helper"), HELPER),
            (format!("url.{url}.insteadOf"), url),
            (format!("url.{url}.pushInsteadOf"), url),
        ];
        let mut variables = vec![
            (OsString::from("GIT_CONFIG_COUNT"), OsString::from((count + settings.len()).to_string())),
            ("GIT_ASKPASS".into(), OsString::new()),
            (FILE.into(), self.file().into()),
        ];
        for (number, (key, value)) in settings.into_iter().enumerate() {
            let number = count + number;
            variables.push((format!("GIT_CONFIG_KEY_{number}").into(), key.into()));
            variables.push((format!("GIT_CONFIG_VALUE_{number}").into(), value.into()));
        }
        variables
    }

    /// Variables with which `gh` speaks to the host with the credential that is written down now.
    pub(super) fn for_gh(&self) -> Vec<(OsString, OsString)> {
        let password = self.password().unwrap_or_default();
        let mut variables = vec![(OsString::from(self.token_variable()), OsString::from(password))];
        if self.host() != "github.com" {
            variables.push(("GH_HOST".into(), self.host().into()));
        }
        variables
    }

    /// Host and port.
    fn host(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, host)| host)
    }

    /// `gh` has another variable for hosts of one's own.
    fn token_variable(&self) -> &'static str {
        let host = self.host();
        if host == "github.com" || host.ends_with(".ghe.com") { "GH_TOKEN" } else { "GH_ENTERPRISE_TOKEN" }
    }

    /// Adds the way into the repository to the environment of a harness.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn join(&self, environment: &mut BTreeMap<OsString, OsString>) -> io::Result<()> {
        let known = environment.get(OsStr::new("GIT_CONFIG_COUNT"));
        let count = known.and_then(|count| count.to_str()?.parse().ok()).unwrap_or(0);
        environment.extend(self.for_git(count));
        environment.extend(self.for_gh());
        let path = environment.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let Some(gh) = find_executable(Path::new("gh"), Some(&path)) else { return Ok(()) };
        let programs = self.directory.join("bin");
        private_directory(&programs)?;
        let name = self.token_variable();
        let script = format!(
            "#!/bin/sh\n# gh, with the credential that the run has now.\n\
             {name}=$(sed -n 's/^password=//p' \"${FILE}\") && export {name}\nexec \"${GH}\" \"$@\"\n"
        );
        fs::write(programs.join("gh"), script)?;
        fs::set_permissions(programs.join("gh"), fs::Permissions::from_mode(0o700))?;
        let folders = std::iter::once(programs).chain(std::env::split_paths(&path));
        // A folder whose name cannot stand in a PATH leaves the PATH as it is.
        if let Ok(path) = std::env::join_paths(folders) {
            environment.insert("PATH".into(), path);
        }
        environment.insert(GH.into(), gh.into());
        Ok(())
    }
}

/// Scheme, host and port of an address that a credential may be sent to: encrypted, or on this machine.
fn origin(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let (host, path) = rest.split_once('/')?;
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:[]/~%".contains(&b));
    if host.is_empty() || path.is_empty() || !plain(host) || !plain(path) {
        return None;
    }
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    let loopback = || {
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        name == "localhost" || address.is_ok_and(|address| address.is_loopback())
    };
    (scheme == "https" || (scheme == "http" && loopback())).then(|| &url[..scheme.len() + 3 + host.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://github.com/acme/greeter.git";

    fn credential(password: &str) -> RepositoryCredential {
        RepositoryCredential {
            username: "x-access-token".into(),
            password: password.into(),
            expires_at: "2026-01-05T10:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_credential_goes_to_encrypted_addresses_and_to_this_machine() {
        for (url, known) in [
            (URL, Some("https://github.com")),
            ("https://code.example:8443/a/b.git", Some("https://code.example:8443")),
            ("http://127.0.0.1:9/a/b.git", Some("http://127.0.0.1:9")),
            ("http://[::1]:9/a/b.git", Some("http://[::1]:9")),
            ("http://localhost/a/b.git", Some("http://localhost")),
            ("http://code.example/a/b.git", None),
            ("http://127.0.0.1.example/a/b.git", None),
            ("https://user:pw@code.example/a/b.git", None),
            ("ssh://git@code.example/a/b.git", None),
            ("ext::sh -c touch% x", None),
            ("https://code.example/a b", None),
            ("https://code.example/a=b", None),
            ("https://code.example", None),
            ("--upload-pack=x", None),
            ("/a/b", None),
            ("", None),
        ] {
            assert_eq!(origin(url), known, "{url}");
        }
    }

    #[test]
    fn the_file_is_for_its_owner_alone_and_goes() {
        let directory = tempfile::tempdir().unwrap();
        let access = Access::new(URL, directory.path()).unwrap();
        for password in ["first-password", "second-password"] {
            access.keep(&credential(password)).unwrap();
            assert_eq!(access.password().as_deref(), Some(password));
        }
        assert_eq!(fs::metadata(access.file()).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(access.keep(&credential("two\nlines")).is_err());
        fs::remove_file(access.file()).unwrap();
        crate::testing::pipe(&access.file());
        assert_eq!(access.password(), None, "a pipe is not waited for");
        access.forget();
        access.forget();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_the_environment_told_git_before_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let access = Access::new(URL, directory.path()).unwrap();
        access.keep(&credential("the-password")).unwrap();
        let mut environment: BTreeMap<OsString, OsString> = BTreeMap::new();
        for (name, value) in [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "a.b"),
            ("GIT_CONFIG_VALUE_0", "c"),
            ("PATH", "/none"),
        ] {
            environment.insert(name.into(), value.into());
        }
        access.join(&mut environment).unwrap();
        let get = |name: &str| environment.get(OsStr::new(name)).map(|value| value.to_str().unwrap());
        assert_eq!((get("GIT_CONFIG_COUNT"), get("GIT_CONFIG_KEY_0")), (Some("5"), Some("a.b")));
        assert_eq!(get("GIT_CONFIG_KEY_2"), Some("credential.https://github.com.helper"));
        assert_eq!((get("GH_TOKEN"), get("GH_HOST")), (Some("the-password"), None));
        let in_arguments = |text: &str| text.contains("the-password");
        assert!(!(0..5).any(|n| get(&format!("GIT_CONFIG_VALUE_{n}")).is_some_and(in_arguments)));
    }

    #[test]
    fn gh_is_given_the_credential_of_now() {
        let directory = tempfile::tempdir().unwrap();
        let access = Access::new("https://code.example/a/b.git", directory.path()).unwrap();
        let real = directory.path().join("real");
        private_directory(&real).unwrap();
        fs::write(real.join("gh"), "#!/bin/sh\necho \"$GH_ENTERPRISE_TOKEN for $GH_HOST: $*\"\n").unwrap();
        fs::set_permissions(real.join("gh"), fs::Permissions::from_mode(0o700)).unwrap();
        access.keep(&credential("first-password")).unwrap();
        let path = format!("{}:/usr/bin:/bin", real.display());
        let mut environment = BTreeMap::from([(OsString::from("PATH"), OsString::from(path))]);
        access.join(&mut environment).unwrap();
        access.keep(&credential("second-password")).unwrap();
        let mut gh = std::process::Command::new("/bin/sh");
        let said = gh.args(["-c", "gh pr create"]).env_clear().envs(&environment).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert_eq!(said, "second-password for code.example: pr create\n");
    }
}
