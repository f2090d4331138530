//! A person's machine in a directory: configuration, data and git settings of their own, and the command
//! line as they type it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::io::AsyncWriteExt as _;

use crate::programs::program;
use crate::wait::within;

/// No command of a test takes longer.
const BOUND: Duration = Duration::from_secs(300);

/// A person's machine.
#[derive(Clone, Debug)]
pub struct Home {
    directory: PathBuf,
}

/// What a command answered.
#[derive(Clone, Debug)]
pub struct Output {
    /// Exit code; absent when a signal ended it.
    pub code: Option<i32>,
    /// Its data.
    pub stdout: String,
    /// Its talk.
    pub stderr: String,
}

impl Home {
    /// A machine in a directory, which is made.
    ///
    /// # Panics
    /// When the disk refuses.
    pub fn new(directory: &Path) -> Self {
        fs::create_dir_all(directory).expect("a directory can be made");
        let settings = "[user]\n\tname = Test Person\n\temail = person@example.com\n\
                        [init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n";
        fs::write(directory.join("gitconfig"), settings).expect("a file can be written");
        Self { directory: directory.to_owned() }
    }

    /// Its directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the runner keeps the directories of its runs.
    pub fn runs(&self) -> PathBuf {
        self.directory.join("share/svc/runner")
    }

    /// A program with the environment of this machine: nothing of the real one is read or written.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let foreign = |name: &str| name.starts_with("SVC_") || name.starts_with("GIT_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| foreign(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command
            .env("HOME", &self.directory)
            .env("SVC_CONFIG_HOME", self.directory.join("config"))
            .env("XDG_CONFIG_HOME", self.directory.join("config"))
            .env("XDG_DATA_HOME", self.directory.join("share"))
            .env("GIT_CONFIG_GLOBAL", self.directory.join("gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("NO_COLOR", "1")
            // A registry that is away: no test asks the public one.
            .env("npm_config_registry", "http://127.0.0.1:9");
        command
    }

    /// `svc` with these arguments.
    pub async fn svc(&self, args: &[&str]) -> Output {
        self.svc_with("", args).await
    }

    /// `svc` with these arguments and this on its stdin.
    pub async fn svc_with(&self, stdin: &str, args: &[&str]) -> Output {
        let mut command = self.command(program("svc"));
        command.args(args);
        within(&format!("svc {}", args.join(" ")), BOUND, output(command, stdin)).await
    }

    /// `svc` with these arguments, which must succeed; answers its stdout.
    ///
    /// # Panics
    /// When it fails.
    pub async fn svc_ok(&self, args: &[&str]) -> String {
        let output = self.svc(args).await;
        assert_eq!(output.code, Some(0), "svc {} failed:\n{}", args.join(" "), output.stderr);
        output.stdout
    }

    /// `svc … --json`, which must succeed; answers what it printed.
    ///
    /// # Panics
    /// When it fails, or prints something else.
    pub async fn svc_json<T: DeserializeOwned>(&self, args: &[&str]) -> T {
        let text = self.svc_ok(&[args, &["--json"]].concat()).await;
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("svc {}: {error} in {text}", args.join(" ")))
    }

    /// `git` with these arguments, which must succeed; answers its stdout.
    ///
    /// # Panics
    /// When it fails.
    pub async fn git(&self, directory: &Path, args: &[&str]) -> String {
        let mut command = self.command("git");
        command.arg("-C").arg(directory).args(args);
        let output = within("git", BOUND, output(command, "")).await;
        assert_eq!(output.code, Some(0), "git {} failed:\n{}", args.join(" "), output.stderr);
        output.stdout.trim().to_owned()
    }
}

async fn output(command: Command, stdin: &str) -> Output {
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("stdin is a pipe");
    // A program that does not read its input is judged by how it ends.
    let _ = input.write_all(stdin.as_bytes()).await;
    drop(input);
    let output = child.wait_with_output().await.expect("a child can be waited for");
    Output {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
