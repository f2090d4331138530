//! Calls `git`.
//!
//! A program with arguments, never a shell. It never prompts, runs no hook and no file monitor of
//! the repository, starts no background maintenance, and takes no lock that it can do without. It shows every commit
//! as it is: replacements (`git replace`), grafts and graphs of commits written beside them do not count. Dropping
//! the future of a command ends the command, with everything that it started.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};

use super::access::Access;
pub(crate) use super::way::SSH;
use super::way::{LIST, in_environment, is_setting, way};
use crate::clock;
use crate::process::{Registered, in_own_session, owner, register};

/// For what stays on the machine.
const LOCAL: Duration = Duration::from_secs(60);
/// For what goes over the network.
const NETWORK: Duration = Duration::from_secs(300);

/// Variable that carries the name of a remote.
const REMOTE: &str = "SVC_GIT_REMOTE";
/// Settings that override those of the repository.
const SETTINGS: [&str; 14] = [
    "advice.graftFileDeprecated=false",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.askPass=",
    "core.commitGraph=false",
    "core.useReplaceRefs=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "commit.gpgSign=false",
];

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
    /// The repository itself, where it is not looked for from the directory upwards.
    repository: Option<PathBuf>,
    index: Option<PathBuf>,
    access: Option<Access>,
    remote: Option<Named>,
    /// The clone in whose way remotes are reached, where the settings here do not say it.
    like: Option<PathBuf>,
    /// Variables of a command besides.
    variables: Vec<(String, String)>,
    patience: Option<Duration>,
}

/// A name for the address of a remote.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    address: String,
}

impl Git {
    /// Git in this directory.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            repository: None,
            index: None,
            access: None,
            remote: None,
            like: None,
            variables: Vec::new(),
            patience: None,
        }
    }

    /// The same, with the way into a repository at a code host.
    #[must_use]
    pub fn with_access(self, access: Option<Access>) -> Self {
        Self { access, ..self }
    }

    /// The same, and a name that stands for this address in its commands. Settings that send git elsewhere
    /// (`url.*.insteadOf`, `url.*.pushInsteadOf`, `remote.*.pushUrl`) go by what an address looks like, and so cannot
    /// concern the name: it is new each time. Git does not replace what it stands for again.
    pub fn toward(self, address: &str) -> (Self, String) {
        let name = format!("svc-{}:", clock::fresh_id());
        let remote = Named { name: name.clone(), address: address.to_owned() };
        (Self { remote: Some(remote), ..self }, name)
    }

    /// The same, with the repository at this place, whatever `.git` in the directory says.
    #[must_use]
    pub fn with_repository(self, repository: Option<PathBuf>) -> Self {
        Self { repository, ..self }
    }

    /// The same, which reaches remotes as git does in this clone.
    #[must_use]
    pub fn like(self, clone: Option<&Path>) -> Self {
        Self { like: clone.map(Path::to_owned), ..self }
    }

    /// The same, with an index of its own.
    #[must_use]
    pub fn with_index(self, index: PathBuf) -> Self {
        Self { index: Some(index), ..self }
    }

    /// The same, waiting so long for any command.
    #[must_use]
    pub fn within(self, patience: Duration) -> Self {
        Self { patience: Some(patience), ..self }
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
        self.call(args, LOCAL, Stdio::null()).await
    }

    /// The same, with a text for it to read.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub(super) async fn told(&self, args: &[&str], text: &[u8]) -> Result<String, GitError> {
        let input = || -> std::io::Result<std::fs::File> {
            let mut file = tempfile::tempfile()?;
            std::io::Write::write_all(&mut file, text)?;
            std::io::Seek::rewind(&mut file)?;
            Ok(file)
        };
        let input = input().map_err(|error| GitError { command: name_of(args), message: error.to_string() });
        self.call(args, LOCAL, input?.into()).await
    }

    /// Runs a command that talks to a remote.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub async fn network<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
    ) -> Result<String, GitError> {
        let theirs = match &self.like {
            Some(clone) => Self::at(clone).run(LIST).await.unwrap_or_default(),
            None => String::new(),
        };
        let variables = way(&theirs, &self.run(LIST).await.unwrap_or_default());
        Self { variables, ..self.clone() }.call(args, NETWORK, Stdio::null()).await
    }

    /// Runs a command that stays on the machine, and passes on what it prints as it comes.
    ///
    /// # Errors
    /// Git is missing, said no, or took too long.
    pub async fn read<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
        take: impl FnMut(&[u8]),
    ) -> Result<(), GitError> {
        let mut command = self.command();
        command.args(args);
        let error = |message: &str| GitError { command: "diff".to_owned(), message: message.to_owned() };
        let patience = self.patience.unwrap_or(LOCAL);
        let read = tokio::time::timeout(patience, read_output(command, take)).await;
        let read = read.map_err(|_| error("took too long"))?;
        let status = read.map_err(|cause| error(&format!("cannot be read: {cause}")))?;
        if status.success() { Ok(()) } else { Err(error(&status.to_string())) }
    }

    async fn call<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
        patience: Duration,
        stdin: Stdio,
    ) -> Result<String, GitError> {
        let args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
        let name = name_of(&args);
        let error =
            |message: String| GitError { command: name.clone(), message: without_credentials(&message) };
        let mut command = self.command();
        command.args(&args);
        let patience = self.patience.unwrap_or(patience);
        let output = tokio::time::timeout(patience, output_with(command, stdin))
            .await
            .map_err(|_| {
                error(match &self.remote {
                    Some(Named { address, .. }) => format!(
                        "{address} did not answer within {} seconds; see whether `git ls-remote {address}` answers here",
                        patience.as_secs()
                    ),
                    None => "took too long".to_owned(),
                })
            })?
            .map_err(|cause| error(format!("cannot be started: {cause}")))?;
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            return Ok(text.trim_end_matches('\n').to_owned());
        }
        let said = reason(&String::from_utf8_lossy(&output.stderr));
        Err(error(if said.is_empty() { output.status.to_string() } else { said }))
    }

    /// The password that git would use for an address, if it has one without asking anybody.
    pub async fn password_for(&self, address: &str) -> Option<String> {
        let text = self.told(&["credential", "fill"], format!("url={address}\n\n").as_bytes()).await.ok()?;
        text.lines().find_map(|line| line.strip_prefix("password=")).map(str::to_owned)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.directory);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let place = text.starts_with("GIT_") && !KEPT.contains(&text.as_ref()) && !is_setting(&text);
            if place || text.starts_with("SVC_") {
                command.env_remove(&name);
            }
        }
        if let Some(repository) = &self.repository {
            command.env("GIT_DIR", repository).env("GIT_WORK_TREE", &self.directory);
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command
            .envs(self.access.iter().flat_map(|access| access.for_git(in_environment())))
            .envs(self.variables.iter().cloned())
            .envs(owner::value().map(|value| (owner::VARIABLE, value)))
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GCM_INTERACTIVE", "never")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_GRAFT_FILE", "/dev/null")
            .env("LC_ALL", "C");
        SETTINGS.into_iter().for_each(|setting| {
            command.args(["-c", setting]);
        });
        if let Some(Named { name, address }) = &self.remote {
            command.env(REMOTE, name);
            for rule in ["insteadOf", "pushInsteadOf"] {
                command.arg(format!("--config-env=url.{address}.{rule}={REMOTE}"));
            }
        }
        command
    }
}

/// Runs a program of the runner's own to its end, without input; answers what it printed. Dropping this ends the
/// program's whole process group.
///
/// # Errors
/// It cannot be started.
pub(crate) async fn output_of(command: Command) -> std::io::Result<Output> {
    output_with(command, Stdio::null()).await
}

async fn output_with(mut command: Command, stdin: Stdio) -> std::io::Result<Output> {
    command.stdin(stdin).stderr(Stdio::piped());
    let (child, _registered, mut group) = spawned(command)?;
    let output = child.wait_with_output().await;
    group.0 = None;
    output
}

/// Runs a program of the runner's own to its end, and passes on what it prints. Dropping this ends its process group.
async fn read_output(mut command: Command, mut take: impl FnMut(&[u8])) -> std::io::Result<ExitStatus> {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let (mut child, _registered, mut group) = spawned(command)?;
    let mut buffer = vec![0; 64 * 1024];
    if let Some(mut stdout) = child.stdout.take() {
        loop {
            match stdout.read(&mut buffer).await? {
                0 => break,
                read => take(&buffer[..read]),
            }
        }
    }
    let status = child.wait().await?;
    group.0 = None;
    Ok(status)
}

fn spawned(mut command: Command) -> std::io::Result<(Child, Registered, Group)> {
    command.stdout(Stdio::piped()).kill_on_drop(true);
    in_own_session(&mut command);
    let (child, registered) = register(|| {
        let child = command.spawn()?;
        let pid = child.id();
        Ok((child, pid))
    })?;
    let group = Group(child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)));
    Ok((child, registered, group))
}

/// A process group that ends with this.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Fails when the group is gone, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// The subcommand.
fn name_of<S: AsRef<OsStr>>(args: &[S]) -> String {
    let words = args.iter().map(|arg| arg.as_ref().to_string_lossy());
    let name = words.into_iter().find(|word| !word.starts_with('-') && !word.contains('='));
    name.unwrap_or_default().into_owned()
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

/// What git said, without its hints: first what the other side says, then why it failed, then the rest.
fn reason(said: &str) -> String {
    let lines = || said.trim().lines().map(str::trim_end).filter(|line| !line.starts_with("hint:"));
    let is_why = |line: &str| line.starts_with(" ! ") || line.starts_with("fatal:");
    let why = lines().rfind(|line| is_why(line));
    let remote = |line: &str| line.strip_prefix("remote:").is_some_and(|rest| !rest.trim().is_empty());
    let first = lines().filter(|line| remote(line)).chain(why);
    let rest = lines().filter(|line| !line.starts_with("remote:") && Some(*line) != why);
    let mut reason = first.chain(rest).collect::<Vec<_>>().join("\n").trim().to_owned();
    for (told, next) in [
        (
            "Host key verification failed",
            "connect there once as the user of the runner, with `ssh`, and confirm the key",
        ),
        (
            "Permission denied (publickey",
            "the user of the runner needs a key without a passphrase, or an ssh-agent",
        ),
    ] {
        if said.contains(told) {
            reason = format!("{reason}\nnext: {next}");
        }
    }
    reason
}

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

    #[test]
    fn what_matters_comes_first() {
        let said = "hint: Support for grafts is deprecated\nhint: \nerror: failed to push some refs\n\
                    remote: not today        \nremote: \n ! [remote rejected] a -> b (declined)\n";
        let first =
            "remote: not today\n ! [remote rejected] a -> b (declined)\nerror: failed to push some refs";
        assert_eq!(reason(said), first);
        assert_eq!(reason("warning: x\nfatal: y\n"), "fatal: y\nwarning: x");
        assert!(reason("Host key verification failed.\nfatal: no").ends_with("and confirm the key"));
    }

    #[tokio::test]
    async fn ssh_asks_nobody_unless_a_person_set_another() {
        let place = tempfile::tempdir().unwrap();
        let git = Git::at(place.path());
        git.run(["init", "-q"]).await.unwrap();
        let asked = ["-c", "alias.ssh=!echo $GIT_SSH_COMMAND #", "ssh"];
        let own = KEPT
            .iter()
            .filter(|name| name.starts_with("GIT_SSH"))
            .any(|name| std::env::var_os(name).is_some());
        if !own {
            assert_eq!(git.network(asked).await.unwrap(), SSH);
        }
        git.run(["config", "core.sshCommand", "mine"]).await.unwrap();
        assert_ne!(git.network(asked).await.unwrap(), SSH);
    }

    /// Only the address was told.
    #[tokio::test]
    async fn a_remote_that_hangs_is_told_with_what_to_do() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("git://{}/x", silent.local_addr().unwrap());
        let (git, remote) = Git::at("/").within(Duration::from_secs(1)).toward(&address);
        let error = git.network(["ls-remote", &remote]).await.unwrap_err();
        let told = format!(
            "{address} did not answer within 1 seconds; see whether `git ls-remote {address}` answers here"
        );
        assert_eq!(error.message, told);
    }

    #[tokio::test]
    async fn errors_say_what_git_said() {
        let directory = tempfile::tempdir().unwrap();
        let error = Git::at(directory.path()).run(["rev-parse", "HEAD"]).await.unwrap_err();
        assert!(error.to_string().starts_with("git rev-parse: fatal: not a git repository"), "{error}");
    }
}
