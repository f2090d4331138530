//! `register`: verifies a runner secret and saves it.

use std::io::IsTerminal;

use clap::Args;

use super::{CliError, address};
use crate::calls::{client, question};
use crate::clock;
use crate::isolation::Isolation;
use crate::runner_file::{Profile, RunnerFile, RunnerFileStore};
use crate::secret::Secret;

/// Register this machine with an organization, or replace its secret
#[derive(Clone, Args)]
pub struct Register {
    /// Address of the instance
    #[arg(long, env = "SVC_URL")]
    url: String,
    /// Runner secret (jrn_…) from `svc runner create`. Prefer SVC_RUNNER_TOKEN or SVC_TOKEN, or - to read stdin, because
    /// others on this machine can see arguments
    #[arg(long, visible_alias = "secret")]
    token: Option<String>,
    /// Name to show for this machine
    #[arg(long, value_name = "LABEL")]
    name: Option<String>,
}

/// Never shows the secret.
impl std::fmt::Debug for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Register").field("url", &self.url).field("name", &self.name).finish_non_exhaustive()
    }
}

impl Register {
    pub(super) async fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        let token = self.secret()?;
        let mut introduced = store.load()?;
        if introduced.machine_id.is_empty() {
            introduced.machine_id = clock::fresh_id().to_string();
        }
        if self.name.is_some() {
            introduced.name.clone_from(&self.name);
        }
        let url = address(&self.url);
        let question = question(&introduced).await;
        let reply = client(url, token.expose())?.runner().hello(&question).await.map_err(explain)?;
        let replaced = store
            .update(|file| {
                if file.machine_id.is_empty() {
                    file.machine_id.clone_from(&introduced.machine_id);
                }
                if self.name.is_some() {
                    file.name.clone_from(&self.name);
                }
                Ok::<_, std::convert::Infallible>(save(file, &reply.organization, url, token))
            })?
            .unwrap_or_else(|never| match never {});
        let done = if replaced { "Registered again" } else { "Registered" };
        eprintln!("{done} as runner {} of organization {}.", reply.name, reply.organization);
        if question.harnesses.is_empty() {
            eprintln!("No coding harness works here yet; run `svc runner doctor` for details.");
        }
        eprintln!("Next: `svc runner map <PROJECT_KEY> <path>`, then `svc runner start`.");
        Ok(0)
    }

    fn secret(&self) -> Result<Secret, CliError> {
        let given = self.token.clone().filter(|text| text != "-");
        let variable = |name: &str| std::env::var(name).ok();
        let set = || variable("SVC_RUNNER_TOKEN").filter(|text| !text.is_empty());
        // A person's own token is of no use here.
        let set = || set().or_else(|| variable("SVC_TOKEN").filter(|text| text.starts_with("jrn_")));
        let text = match given.or_else(set) {
            Some(text) => text,
            None => secret_from_stdin()?,
        };
        let text = text.trim();
        if !text.starts_with("jrn_") {
            let how = "a runner secret starts with jrn_; `svc runner create <NAME>` prints one, and so does the web app under Factory, Runners";
            return Err(CliError::Rejected(how.to_owned()));
        }
        Ok(Secret::new(text))
    }
}

/// The first line of stdin; asked for on a terminal.
fn secret_from_stdin() -> Result<String, CliError> {
    if std::io::stdin().is_terminal() {
        eprint!("Runner secret (jrn_…): ");
    }
    let mut text = String::new();
    let read = std::io::stdin().read_line(&mut text);
    read.map_err(|error| CliError::Rejected(format!("the secret cannot be read from stdin: {error}")))?;
    Ok(text)
}

fn explain(error: svc_client::Error) -> CliError {
    if error.status() == Some(401) {
        let how = "the instance does not accept this secret: it is mistyped, or the runner was disabled, deleted or rotated; nothing was saved\n  next: an Admin gets a new one with `svc runner rotate <NAME>` or `svc runner create <NAME>`";
        return CliError::NotAuthenticated(how.to_owned());
    }
    CliError::Instance(error)
}

/// Saves a profile; answers whether the organization had one, whose mappings and roots stay.
fn save(file: &mut RunnerFile, organization: &str, url: &str, token: Secret) -> bool {
    // A profile of the older shape does not know its organization, but its secret does.
    let known = file.profiles.iter_mut().find(|profile| {
        let same = address(&profile.url) == url;
        (same && profile.organization == organization)
            || (profile.organization.is_empty() && profile.token == token)
    });
    if let Some(profile) = known {
        organization.clone_into(&mut profile.organization);
        url.clone_into(&mut profile.url);
        profile.token = token;
        return true;
    }
    file.profiles.push(Profile {
        organization: organization.to_owned(),
        url: url.to_owned(),
        token,
        workspaces: Default::default(),
        repo_roots: Vec::new(),
        isolation: Isolation::default(),
        projects: Default::default(),
        other: Default::default(),
    });
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_organization_adds_a_profile_and_the_same_keeps_its_mappings() {
        let mut file = RunnerFile::default();
        assert!(!save(&mut file, "a", "http://x", Secret::new("jrn_1")));
        file.profiles[0].workspaces.insert("PRJ".into(), "/clone".into());
        file.profiles[0].repo_roots.push("/root".into());
        assert!(!save(&mut file, "b", "http://x", Secret::new("jrn_2")));
        assert!(save(&mut file, "a", "http://x", Secret::new("jrn_3")));
        assert_eq!(file.profiles.len(), 2);
        let profile = &file.profiles[0];
        assert_eq!(profile.token.expose(), "jrn_3");
        assert_eq!((profile.workspaces.len(), profile.repo_roots.len()), (1, 1));
    }

    #[test]
    fn an_organization_of_the_same_name_elsewhere_is_another_and_gets_no_clones() {
        let mut file = RunnerFile::default();
        save(&mut file, "a", "http://x", Secret::new("jrn_1"));
        file.profiles[0].workspaces.insert("PRJ".into(), "/clone".into());
        assert!(!save(&mut file, "a", "http://y", Secret::new("jrn_2")));
        assert!(file.profiles[1].workspaces.is_empty());
        assert_eq!(file.profiles[0].token.expose(), "jrn_1");
    }
}
