//! `doctor`: looks for what would make runs fail here, and says how to mend it.

mod isolation;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use clap::Args;
use jiff::SignedDuration;
use serde_json::json;
use tokio::process::Command;

use super::CliError;
use crate::calls::{client, question};
use crate::clock;
use crate::directories;
use crate::harness::KNOWN;
use crate::harness::detect::Detector;
use crate::process::find_executable;
use crate::room;
use crate::runner_file::{Profile, RunnerFile, RunnerFileStore};
use crate::workspace::locate::{clone_at, origin_trouble};
use crate::workspace::root_directory;

/// Free disk space below which runs are likely to fail.
const LOW_DISK: u64 = 2 * 1024 * 1024 * 1024;
/// A clock that is further off makes credentials look expired.
const CLOCK_OFF: SignedDuration = SignedDuration::from_secs(60);

/// Check this machine for problems that make runs fail
///
/// Exits with 1 if something must be fixed.
#[derive(Clone, Debug, Args)]
pub struct Doctor {
    /// Directory for run directories [default: ~/.local/share/svc/runner]
    #[arg(long, value_name = "DIR")]
    workspace_root: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Warning,
    Bad,
}

/// One thing that was looked at.
struct Finding {
    verdict: Verdict,
    what: String,
    /// How to mend it.
    mend: Option<String>,
}

fn good(what: impl Into<String>) -> Finding {
    Finding { verdict: Verdict::Good, what: what.into(), mend: None }
}

fn warning(what: impl Into<String>, mend: impl Into<String>) -> Finding {
    Finding { verdict: Verdict::Warning, what: what.into(), mend: Some(mend.into()) }
}

fn bad(what: impl Into<String>, mend: impl Into<String>) -> Finding {
    Finding { verdict: Verdict::Bad, what: what.into(), mend: Some(mend.into()) }
}

impl Doctor {
    pub(super) async fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        let file = store.load()?;
        let root = match self.workspace_root {
            Some(root) => root,
            None => directories::runs_home()?,
        };
        let mut findings = vec![git().await, root_of_runs(&root), disk(&root)];
        findings.extend(harnesses(&file).await);
        findings.push(code_host().await);
        if file.profiles.is_empty() {
            findings.push(bad("no organization is registered", "run `svc runner register --url <url>`"));
        }
        for profile in &file.profiles {
            findings.push(reachable(&file, profile).await);
            findings.extend(clones(profile).await);
            findings.extend(isolation::isolation(profile, &root).await);
        }
        if self.json {
            println!("{:#}", as_json(&findings));
        } else {
            print!("{}", as_text(&findings));
        }
        Ok(u8::from(findings.iter().any(|finding| finding.verdict == Verdict::Bad)))
    }
}

/// What a program says, when it works.
async fn said(program: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(Duration::from_secs(10), command.output()).await.ok()?.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

async fn git() -> Finding {
    match said(Path::new("git"), &["--version"]).await {
        Some(version) => good(version),
        None => bad("git does not work", "install git, and check that it is on the runner's PATH"),
    }
}

fn root_of_runs(root: &Path) -> Finding {
    let probe = root.join(".doctor");
    let written = root_directory(root)
        .and_then(|()| std::fs::write(&probe, ""))
        .and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => good(format!("run directories go to {}", root.display())),
        Err(error) => bad(
            format!("{} cannot be written: {error}", root.display()),
            "correct its owner and mode, or start the runner with --workspace-root",
        ),
    }
}

fn disk(root: &Path) -> Finding {
    let what = |free: u64| format!("{} MiB are free for run directories", free / 1024 / 1024);
    let mend = "free some space, or start the runner with --workspace-root on another disk";
    match room::free(root) {
        Some(free) if free < room::LEAST => bad(format!("{}: no runs are taken", what(free)), mend),
        Some(free) if free < LOW_DISK => warning(what(free), mend),
        Some(free) => good(format!("{} GiB are free for run directories", free / 1024 / 1024 / 1024)),
        None => warning("free disk space is not known", "look at it with `df`"),
    }
}

async fn harnesses(file: &RunnerFile) -> Vec<Finding> {
    let found = Detector::default().all_patiently(&file.executables).await;
    let mut findings: Vec<Finding> = Vec::new();
    for one in &found {
        let known = KNOWN.iter().find(|known| known.harness == one.harness);
        let sign_in = known.map_or("", |known| known.sign_in);
        findings.push(match &one.version {
            Ok(version) => {
                good(format!("{}: {version} ({}); sign in with `{sign_in}`", one.name, one.path.display()))
            }
            Err(why) => bad(
                format!("{}: {} {why}", one.name, one.path.display()),
                "run it by hand as the runner's user, and install it again if it does not work",
            ),
        });
    }
    if found.is_empty() {
        let sought: Vec<&str> = KNOWN.iter().map(|known| known.executable).collect();
        findings.push(bad(
            format!("no coding harness was found; looked for {}", sought.join(", ")),
            no_harness(),
        ));
    }
    findings
}

/// What to do without a harness. The demo agent comes with the service, so it is named where it is installed.
fn no_harness() -> String {
    let mend = "install one, sign in as the runner's user, and check that it is on the runner's PATH";
    match find_executable(Path::new("demo-agent"), std::env::var_os("PATH").as_deref()) {
        Some(agent) => format!(
            "{mend}; to try runs without a harness, let the demo agent stand in: \
             `SVC_RUNNER_HARNESS_1='{}' svc runner start`",
            agent.display()
        ),
        None => mend.to_owned(),
    }
}

async fn code_host() -> Finding {
    let Some(gh) = find_executable(Path::new("gh"), std::env::var_os("PATH").as_deref()) else {
        return warning(
            "gh is not installed",
            "install it, and run `gh auth login`, to let agents open pull requests",
        );
    };
    match said(&gh, &["auth", "status"]).await {
        Some(_) => good("gh is signed in"),
        None => warning("gh is not signed in", "run `gh auth login` as the runner's user"),
    }
}

async fn reachable(file: &RunnerFile, profile: &Profile) -> Finding {
    let name = format!("{} at {}", profile.organization, profile.url);
    let client = match client(&profile.url, profile.token.expose()) {
        Ok(client) => client,
        Err(error) => return bad(format!("{name}: {error}"), "register it again with a correct address"),
    };
    let question = question(file).await;
    let before = clock::now();
    match client.runner().hello(&question).await {
        Ok(reply) => {
            let slow = clock::now().duration_since(before) > CLOCK_OFF;
            let found = good(format!("{name}: connected as runner {}", reply.name));
            if slow {
                warning(found.what, "the instance answers very slowly; check the network")
            } else {
                found
            }
        }
        Err(error) if error.status() == Some(401) => bad(
            format!("{name}: the secret is refused"),
            "create a new secret under Factory, Runners, and register again",
        ),
        Err(error) => {
            bad(format!("{name}: {error}"), "check the address, the network and any proxy in between")
        }
    }
}

async fn clones(profile: &Profile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (project, path) in &profile.workspaces {
        findings.push(match clone_at(path).await {
            Ok(clone) => match origin_trouble(&clone).await {
                Some(trouble) => {
                    bad(trouble, "set it with `git remote set-url origin <url>`, absolute if it is a path")
                }
                None => good(format!("{project} of {} is at {}", profile.organization, path.display())),
            },
            Err(why) => {
                let (what, mend) = why.split_once("; ").unwrap_or((&why, ""));
                bad(
                    format!("{project} of {}: {} {what}", profile.organization, path.display()),
                    format!("{mend}, or map it again with `svc runner map {project} <path>`"),
                )
            }
        });
    }
    for root in profile.repo_roots.iter().filter(|root| !root.is_dir()) {
        let mend = format!("create it, or run `svc runner root {} --remove`", root.display());
        findings.push(bad(format!("the root {} does not exist", root.display()), mend));
    }
    findings
}

fn as_text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let mark = match finding.verdict {
            Verdict::Good => "ok  ",
            Verdict::Warning => "warn",
            Verdict::Bad => "bad ",
        };
        text.push_str(&format!("{mark}  {}\n", finding.what));
        if let Some(mend) = &finding.mend {
            text.push_str(&format!("      → {mend}\n"));
        }
    }
    text
}

fn as_json(findings: &[Finding]) -> serde_json::Value {
    let findings = findings.iter().map(|finding| {
        let verdict = match finding.verdict {
            Verdict::Good => "ok",
            Verdict::Warning => "warning",
            Verdict::Bad => "bad",
        };
        json!({"verdict": verdict, "what": finding.what, "mend": finding.mend})
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_comes_with_how_to_mend_it() {
        let findings = [good("git version 2"), bad("gone", "make it")];
        assert_eq!(as_text(&findings), "ok    git version 2\nbad   gone\n      → make it\n");
        assert_eq!(as_json(&findings)[1]["mend"], "make it");
    }

    #[test]
    fn a_root_that_cannot_be_written_is_bad() {
        assert!(root_of_runs(Path::new("/proc/nowhere")).verdict == Verdict::Bad);
    }
}
