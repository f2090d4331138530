//! Calls `git`.
//!
//! A program with arguments, never a shell. It asks nobody for anything, runs no hook of the repository
//! unless told to, starts no background maintenance, and takes no lock that it can do without.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::access::Access;
use crate::process::register;

/// For what stays on the machine.
const LOCAL: Duration = Duration::from_secs(60);
/// For what goes over the network.
const NETWORK: Duration = Duration::from_secs(300);

/// A git command that did not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("git {command}: {message}")]
pub struct GitError {
    /// The subcommand.
    pub command: String,
    /// What git said.
    pub message: String,
}

/// Git in one directory.
#[derive(Clone, Debug)]
pub struct Git {
    directory: PathBuf,
    access: Option<Access>,
}

impl Git {
    /// Git in this directory.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), access: None }
    }

    /// The same, with the way into a repository at a code host.
    #[must_use]
    pub fn with_access(self, access: Option<Access>) -> Self {
        Self { access, ..self }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs a command that stays on the machine; answers its output without the last newline.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub async fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<String, GitError> {
        self.call(args, Hooks::Off, LOCAL).await
    }

    /// Runs a command that talks to a remote.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub async fn network<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
    ) -> Result<String, GitError> {
        self.call(args, Hooks::Off, NETWORK).await
    }

    /// Pushes: the one command that the repository's hooks may refuse.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub async fn push<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<String, GitError> {
        self.call(args, Hooks::On, NETWORK).await
    }

    async fn call<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
        hooks: Hooks,
        patience: Duration,
    ) -> Result<String, GitError> {
        let args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
        let name = args.first().map(|arg| arg.to_string_lossy().into_owned()).unwrap_or_default();
        let error =
            |message: String| GitError { command: name.clone(), message: without_credentials(&message) };
        let mut command = self.command(hooks);
        command.args(&args);
        let (child, _registered) = register(|| {
            let child = command.spawn()?;
            let pid = child.id();
            Ok((child, pid))
        })
        .map_err(|cause| error(format!("cannot be started: {cause}")))?;
        let output = tokio::time::timeout(patience, child.wait_with_output())
            .await
            .map_err(|_| error("took too long".to_owned()))?
            .map_err(|cause| error(cause.to_string()))?;
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            return Ok(text.trim_end_matches('\n').to_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim();
        Err(error(if said.is_empty() { output.status.to_string() } else { said.to_owned() }))
    }

    fn command(&self, hooks: Hooks) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.directory);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let place = text.starts_with("GIT_") && !KEPT.contains(&text.as_ref());
            if place || text.starts_with("SVC_") {
                command.env_remove(&name);
            }
        }
        command
            .envs(self.access.iter().flat_map(|access| access.for_git(0)))
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .args(["-c", "gc.auto=0", "-c", "maintenance.auto=false"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        if matches!(hooks, Hooks::Off) {
            command.args(["-c", "core.hooksPath=/dev/null"]);
        }
        command
    }
}

#[derive(Clone, Copy)]
enum Hooks {
    On,
    Off,
}

/// Variables by which people tell git how to reach and trust a remote. Every other `GIT_*` could make it work
/// in another place.
const KEPT: [&str; 9] = [
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
];

/// A message without the user names and passwords of its addresses.
fn without_credentials(message: &str) -> String {
    let mut parts = message.split("://");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(['/', ' ', '\'', '"', '\n']).unwrap_or(part.len());
        let host = part[..end].rfind('@').map_or(0, |at| at + 1);
        clean.push_str("://");
        clean.push_str(&part[host..]);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_do_not_show_credentials() {
        assert_eq!(
            without_credentials("fatal: 'https://me:pw@host/r' and ssh://git@h/x failed @ y"),
            "fatal: 'https://host/r' and ssh://h/x failed @ y"
        );
    }

    #[tokio::test]
    async fn errors_say_what_git_said() {
        let directory = tempfile::tempdir().unwrap();
        let error = Git::at(directory.path()).run(["rev-parse", "HEAD"]).await.unwrap_err();
        assert!(error.to_string().starts_with("git rev-parse: fatal: not a git repository"), "{error}");
    }
}
