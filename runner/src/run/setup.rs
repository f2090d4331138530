//! Everything before the harness starts, and the workspace after it ended.

mod earlier;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_api::factory::RepositorySource;
use svc_api::runner::Assignment;

use super::confined::{Around, Confined, Confinement, Slot};
use super::credential::Keeper;
use super::record::first_manifest;
use super::{OneRun, RunContext, artifacts, attachments};
use crate::calls::{RunCalls, agent_client};
use crate::directories;
use crate::environment::{FAILURE_VARIABLE, harness_environment};
use crate::failure::{Failure, FailureReason};
use crate::harness::{Adapter, Job, KNOWN, Reader, Session, adapter, safe_value};
use crate::locking::lock;
use crate::log::RunLog;
use crate::process::Launch;
use crate::workspace::access::Access;
use crate::workspace::borrowed::sign_as_in;
use crate::workspace::copies;
use crate::workspace::git::SSH;
use crate::workspace::guard::Guard;
use crate::workspace::hosted::prepare_hosted;
use crate::workspace::large;
use crate::workspace::locate::locate;
use crate::workspace::prepare::{Checkout, prepare};
use crate::workspace::remembered::secrets_of;
use crate::workspace::values::Values;
use crate::workspace::{Manifest, RunDirectory, overlay, retention};

pub(super) use earlier::Earlier;

/// The steps before the harness starts. Dropping it midway leaves only what `discard` removes.
pub(super) struct Setup<'a> {
    context: &'a RunContext,
    assignment: &'a Assignment,
    directory: &'a RunDirectory,
    log: &'a RunLog,
    calls: &'a RunCalls,
    confined: &'a Slot,
    earlier: Earlier,
}

/// A harness ready to start, and what reads its output.
pub(super) struct Prepared {
    pub(super) reader: Box<dyn Reader>,
    pub(super) ready: Ready,
    /// Keeps the credential of a repository at a code host.
    pub(super) keeper: Option<Keeper>,
    /// What the agent must not change in its repository.
    pub(super) guard: Option<Guard>,
}

/// What is started, and where.
pub(super) struct Ready {
    pub(super) program: PathBuf,
    pub(super) checkout: Checkout,
    confined: Arc<Confined>,
    args: Vec<OsString>,
    prompt: Vec<u8>,
}

impl Ready {
    pub(super) fn launch(&mut self) -> Result<Launch<'_>, Failure> {
        let (args, prompt) = (std::mem::take(&mut self.args), std::mem::take(&mut self.prompt));
        self.confined.launch(&self.program, args, prompt)
    }
}

impl<'a> Setup<'a> {
    pub(super) fn of(run: &'a OneRun, earlier: Earlier) -> Self {
        let OneRun { context, assignment, directory, log, calls, confined, .. } = run;
        Self { context, assignment, directory, log, calls, confined, earlier }
    }

    pub(super) async fn prepare(&self) -> Result<Prepared, Failure> {
        let (adapter, program, name) = self.harness().await?;
        let confinement = Confinement::of(self.context.profile.isolation(&self.assignment.project)).await?;
        if self.assignment.model.as_deref().is_some_and(|model| !safe_value(model)) {
            let detail = format!("{:?} cannot be the name of a model", self.assignment.model);
            return Err(Failure::new(FailureReason::HarnessModelUnavailable, detail));
        }
        let keeper = self.keeper().await?;
        let access = keeper.as_ref().map(Keeper::access);
        let (mut checkout, session) = self.checkout(&confinement, access).await?;
        checkout.access = access.cloned();
        checkout.notes.iter().for_each(|note| self.log.event(note));
        if checkout.branch.is_some() {
            large::check(&checkout.git(), &checkout.base).await?;
        }
        let remembered = secrets_of(&checkout.git(), directories::user_home().as_deref()).await;
        self.log.hide_all(remembered.iter().map(String::as_str), []);
        let guard = self.guard(&checkout).await;
        let attached = self.attachments().await;
        let mut prepared = self
            .write_files(adapter, program, (checkout, session), &attached, confinement)
            .await
            .map_err(|error| {
                let detail = format!("{}: {error}", self.directory.path().display());
                Failure::new(FailureReason::WorkspaceFailed, detail)
            })?;
        prepared.keeper = keeper;
        prepared.guard = guard;
        self.set_up(&prepared.ready.confined).await?;
        self.log.event(&format!("Starting {name} ({})", prepared.ready.program.display()));
        Ok(prepared)
    }

    /// From here on, the clean-up is due.
    async fn set_up(&self, confined: &Arc<Confined>) -> Result<(), Failure> {
        *lock(self.confined) = Some(Arc::clone(confined));
        confined.set_up(Around { log: self.log, watchdog: &self.context.watchdog }).await
    }

    /// Records the repository of the run, for its end and its recovery.
    async fn guard(&self, checkout: &Checkout) -> Option<Guard> {
        let guard = Guard::of(checkout.repository.as_deref()?).await;
        if let Err(error) = guard.keep(self.directory) {
            tracing::warn!(%error, "what the repository was like cannot be written down");
        }
        Some(guard)
    }

    async fn harness(&self) -> Result<(&'static dyn Adapter, PathBuf, String), Failure> {
        let harness = self.assignment.harness;
        let unavailable = |detail: String| Failure::new(FailureReason::HarnessUnavailable, detail);
        let known = KNOWN.iter().find(|known| known.harness == harness);
        let name = known.map_or("the harness", |known| known.name);
        let adapter = adapter(harness).ok_or_else(|| {
            unavailable(format!("this version of the runner ({}) cannot start {name}", crate::version()))
        })?;
        let found = self.context.detector.one(harness, &self.context.executables).await.ok_or_else(|| {
            let executable = known.map_or("", |known| known.executable);
            unavailable(format!("{name} ({executable}) is not on the PATH of the runner"))
        })?;
        let version =
            found.version.map_err(|why| unavailable(format!("{name} ({}) {why}", found.path.display())))?;
        let version =
            if version.contains(&found.name) { version } else { format!("{}, {version}", found.name) };
        Ok((adapter, found.path, version))
    }

    /// What keeps the credential, where the repository is at a code host.
    async fn keeper(&self) -> Result<Option<Keeper>, Failure> {
        match self.assignment.repository.source {
            RepositorySource::CodeHost => {
                Keeper::begin(self.assignment, self.directory, self.calls, self.log).await.map(Some)
            }
            RepositorySource::RunnerLocal | RepositorySource::Unknown => Ok(None),
        }
    }

    async fn new_checkout(
        &self,
        assignment: &Assignment,
        access: Option<&Access>,
    ) -> Result<Checkout, Failure> {
        match access {
            Some(access) => prepare_hosted(access, &self.directory.repo(), assignment).await,
            None => self.local_checkout(assignment).await,
        }
    }

    /// The clone that the run works from, and whether it was found by the project's hint.
    async fn clone(&self) -> Result<(PathBuf, bool), Failure> {
        let (profile, project) = (&self.context.profile, &self.assignment.project);
        let repository = &self.assignment.repository;
        let hint = match repository.source {
            RepositorySource::RunnerLocal => repository.path_hint.as_deref(),
            RepositorySource::CodeHost | RepositorySource::Unknown => None,
        };
        let clone = locate(profile, project, hint, directories::user_home().as_deref()).await?;
        Ok((clone, !profile.workspaces.contains_key(project)))
    }

    async fn local_checkout(&self, assignment: &Assignment) -> Result<Checkout, Failure> {
        let (clone, hinted) = self.clone().await?;
        let (profile, project) = (&self.context.profile, &self.assignment.project);
        let apart = profile.project(project).isolated || profile.isolation(project).separates();
        // For the cleanup, if the next steps are cut off.
        let begun = Manifest {
            borrows: !apart,
            clone: Some(clone.clone()),
            ..first_manifest(self.directory, self.assignment, self.context.link.client().base_url())
        };
        let _ = self.directory.describe(&begun);
        if !self.context.keep_workspaces {
            let active = lock(&self.context.active).clone();
            let (organization, item) = (&self.assignment.organization, &self.assignment.item.key);
            retention::remove_kept_of(&self.context.root, organization, item, &active).await;
        }
        let checkout = prepare(&clone, &self.directory.repo(), assignment, apart).await?;
        if apart && !profile.isolation(project).separates() {
            let signed = sign_as_in(&clone, &checkout.repo).await;
            signed.map_err(|error| Failure::new(FailureReason::WorkspaceFailed, error.to_string()))?;
        }
        // What was checked must be what was used, even if a directory was swapped meanwhile.
        if hinted && self.clone().await?.0 != clone {
            let detail = format!("{} was replaced while the workspace was made", clone.display());
            return Err(Failure::new(FailureReason::NoLocalRepository, detail));
        }
        let copied = copies::copy(&clone, &checkout.repo, &profile.project(project).copies).await;
        self.hide(&copied.values);
        copied.events.iter().for_each(|told| self.log.event(told));
        Ok(checkout)
    }

    fn hide(&self, values: &Values) {
        let (secrets, plain) = (values.secrets.iter(), values.plain.iter());
        self.log.hide_all(secrets.map(String::as_str), plain.map(String::as_str));
    }

    /// Files that are copied into the checkout now, or were before an earlier run in it.
    fn copied(&self, earlier: &[String]) -> Vec<String> {
        let mut names = self.context.profile.project(&self.assignment.project).copies;
        names.extend_from_slice(earlier);
        names.sort();
        names.dedup();
        names
    }

    async fn write_files(
        &self,
        adapter: &dyn Adapter,
        program: PathBuf,
        (checkout, session): (Checkout, Session),
        attached: &str,
        confinement: Confinement,
    ) -> std::io::Result<Prepared> {
        let client = self.context.link.client();
        let url = client.base_url();
        let (mcp_url, mcp_config) = (format!("{url}/mcp"), self.directory.mcp_config());
        let usage_file = self.directory.usage();
        let checkouts: Vec<&Path> =
            [Some(checkout.repo.as_path()), checkout.clone.as_deref()].into_iter().flatten().collect();
        let earlier =
            self.assignment.earlier_run_id.as_deref().filter(|_| matches!(session, Session::Resume(_)));
        let earlier = earlier.and_then(|run| Manifest::read(&self.context.root.join(run)));
        let copied = self.copied(earlier.as_ref().map_or(&[][..], |manifest| manifest.copied.as_slice()));
        let job = Job {
            session,
            usage_file: &usage_file,
            checkouts: &checkouts,
            earlier_tokens: earlier.and_then(|manifest| manifest.session_tokens),
            model: self.assignment.model.as_deref(),
            mcp_url: &mcp_url,
            mcp_config: &mcp_config,
            root: confinement.as_root(),
            trusted: self.context.profile.project(&self.assignment.project).trusted,
        };
        let invocation = adapter.invocation(&job);
        let artifacts = self.directory.artifacts();
        let prompt = self.prompt() + attached + &artifacts::words(&artifacts);
        self.directory.write("prompt.md", prompt.as_bytes())?;
        if let Some(config) = &invocation.mcp_config {
            self.directory.write("mcp.json", &serde_json::to_vec_pretty(config)?)?;
        }
        if let Some(files) = &invocation.project_files {
            let content = serde_json::to_vec_pretty(&files.content)?;
            let (git, repository) = (checkout.git(), checkout.repository.as_deref());
            overlay::apply(self.directory, &git, repository, (files.path, &content), files.hidden).await?;
        }
        let first = first_manifest(self.directory, self.assignment, url);
        self.directory.describe(&Manifest { copied, set_up: true, ..first.with_checkout(&checkout) })?;
        let config_home = self.directory.config_home();
        let known = KNOWN.iter().find(|known| known.harness == self.assignment.harness);
        let inherited = known.map(|known| confinement.inherited(known)).unwrap_or_default();
        let gh_token = inherited.iter().find(|(name, _)| name == "GH_TOKEN").map(|(_, value)| value.clone());
        let mut environment =
            harness_environment(inherited, url, self.assignment, &config_home, &invocation.environment);
        environment.insert(FAILURE_VARIABLE.into(), self.directory.failure().into());
        environment.insert(artifacts::VARIABLE.into(), artifacts.into());
        git_of_its_own(self.directory, &mut environment)?;
        if let Some(access) = &checkout.access {
            access.join(&mut environment)?;
        }
        adapter.environment(&mut environment, gh_token.as_deref());
        let reader = adapter.reader(&job);
        let confined =
            confinement.confined(self.directory, &checkout.repo, &self.assignment.run_id, environment);
        let (args, prompt) = (invocation.args, prompt.into_bytes());
        let ready = Ready { program, checkout, confined: Arc::new(confined), args, prompt };
        Ok(Prepared { reader, ready, keeper: None, guard: None })
    }

    /// Downloads what is attached to the item; answers what the prompt says of it.
    async fn attachments(&self) -> String {
        let url = self.context.link.client().base_url().to_owned();
        let client = match agent_client(&url, &self.assignment.token) {
            Ok(client) => client,
            Err(error) => {
                self.log.event(&format!("The item's attachments cannot be listed: {error}"));
                return String::new();
            }
        };
        let directory = self.directory.attachments();
        let limits = &self.context.attachments;
        attachments::download(&client, self.assignment, &directory, limits, self.log).await
    }

    /// What the harness is told, but for the attachments: the prompt as people see it. An older service leaves out
    /// how to give up.
    fn prompt(&self) -> String {
        let prompt = &self.assignment.prompt;
        if prompt.contains(FAILURE_VARIABLE) {
            return prompt.clone();
        }
        format!(
            "{prompt}\n## On this machine\n\n\
             - If you cannot do the work, say so: run `svc run fail --reason \"<why>\"`, or write the reason to the \
             file `{}`. Then end. A run that says nothing and leaves no commit in the repository's origin counts as \
             failed too, but nobody learns why.\n",
            self.directory.failure().display()
        )
    }
}

/// Lets `git config --global` of the agent write into a file of the run: the person's own is read, and stays.
fn git_of_its_own(
    directory: &RunDirectory,
    environment: &mut BTreeMap<OsString, OsString>,
) -> std::io::Result<()> {
    let value = |name: &str| environment.get(OsStr::new(name)).map(PathBuf::from);
    let theirs = match (value("GIT_CONFIG_GLOBAL"), value("HOME")) {
        (Some(named), _) => vec![named],
        (None, Some(home)) => {
            let xdg = value("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
            vec![xdg.join("git/config"), home.join(".gitconfig")]
        }
        (None, None) => Vec::new(),
    };
    let quoted = theirs.iter().map(|path| path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\""));
    let includes: String = quoted.map(|path| format!("[include]\n\tpath = \"{path}\"\n")).collect();
    // First, so that whatever the person or the repository sets is what counts.
    let settings = format!("[core]\n\tsshCommand = {SSH}\n{includes}");
    // Git writes beside it.
    directory.write("agent/gitconfig", settings.as_bytes())?;
    environment.insert("GIT_CONFIG_GLOBAL".into(), directory.agent().join("gitconfig").into());
    Ok(())
}
