//! Everything before the harness starts, and the workspace after it ended.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use jiff::Timestamp;
use svc_api::factory::RepositorySource;
use svc_api::runner::Assignment;

use super::credential::Keeper;
use super::{RunContext, continues};
use crate::calls::RunCalls;
use crate::clock;
use crate::environment::{MARK, harness_environment};
use crate::failure::{Failure, FailureReason};
use crate::harness::{Adapter, Job, KNOWN, Reader, Session, adapter, safe_value};
use crate::log::RunLog;
use crate::places;
use crate::process::Launch;
use crate::workspace::access::{Access, CREDENTIAL};
use crate::workspace::hosted::prepare_hosted;
use crate::workspace::locate::locate;
use crate::workspace::prepare::{Checkout, prepare, remove_directory, remove_worktree};
use crate::workspace::{Manifest, RunDirectory, retention};

/// The steps before the harness starts. Dropping it midway leaves only what `discard` removes.
pub(super) struct Setup<'a> {
    context: &'a RunContext,
    assignment: &'a Assignment,
    directory: &'a RunDirectory,
    log: &'a RunLog,
    calls: &'a RunCalls,
}

/// A harness ready to start, and what reads its output.
pub(super) struct Prepared {
    pub(super) session: Option<String>,
    pub(super) reader: Box<dyn Reader>,
    pub(super) ready: Ready,
    /// Keeps the credential of a repository at a code host.
    pub(super) keeper: Option<Keeper>,
}

/// What is started, and where.
pub(super) struct Ready {
    pub(super) program: PathBuf,
    pub(super) checkout: Checkout,
    args: Vec<OsString>,
    environment: BTreeMap<OsString, OsString>,
    prompt: Vec<u8>,
}

impl Ready {
    pub(super) fn launch(&mut self) -> Launch<'_> {
        Launch {
            program: &self.program,
            args: std::mem::take(&mut self.args),
            directory: &self.checkout.repo,
            environment: std::mem::take(&mut self.environment),
            mark: MARK,
            stdin: std::mem::take(&mut self.prompt),
        }
    }
}

impl<'a> Setup<'a> {
    pub(super) fn new(
        context: &'a RunContext,
        assignment: &'a Assignment,
        directory: &'a RunDirectory,
        log: &'a RunLog,
        calls: &'a RunCalls,
    ) -> Self {
        Self { context, assignment, directory, log, calls }
    }

    pub(super) async fn prepare(&self) -> Result<Prepared, Failure> {
        let (adapter, program, version) = self.harness().await?;
        if self.assignment.model.as_deref().is_some_and(|model| !safe_value(model)) {
            let detail = format!("{:?} cannot be the name of a model", self.assignment.model);
            return Err(Failure::new(FailureReason::HarnessModelUnavailable, detail));
        }
        let keeper = self.keeper().await?;
        let access = keeper.as_ref().map(Keeper::access);
        let (mut checkout, session) = if continues(self.assignment.kind) {
            self.earlier_checkout()?
        } else {
            (self.new_checkout(access).await?, Session::Fresh(clock::fresh_id().to_string()))
        };
        checkout.access = access.cloned();
        checkout.notes.iter().for_each(|note| self.log.event(note));
        let prepared = self.write_files(adapter, program, checkout, session, keeper).map_err(|error| {
            let detail = format!("{}: {error}", self.directory.path().display());
            Failure::new(FailureReason::WorkspaceFailed, detail)
        })?;
        self.log.event(&format!("Starting {} ({version})", prepared.ready.program.display()));
        Ok(prepared)
    }

    async fn harness(&self) -> Result<(&'static dyn Adapter, PathBuf, String), Failure> {
        let harness = self.assignment.harness;
        let unavailable = |detail: String| Failure::new(FailureReason::HarnessUnavailable, detail);
        let known = KNOWN.iter().find(|known| known.harness == harness);
        let name = known.map_or("the harness", |known| known.name);
        let adapter = adapter(harness).ok_or_else(|| {
            unavailable(format!("this version of the runner ({}) cannot start {name}", crate::VERSION))
        })?;
        let found = self.context.detector.one(harness, &self.context.executables).await.ok_or_else(|| {
            let executable = known.map_or("", |known| known.executable);
            unavailable(format!("{name} ({executable}) is not on the PATH of the runner"))
        })?;
        let version =
            found.version.map_err(|why| unavailable(format!("{name} ({}) {why}", found.path.display())))?;
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

    async fn new_checkout(&self, access: Option<&Access>) -> Result<Checkout, Failure> {
        match access {
            Some(access) => prepare_hosted(access, &self.directory.repo(), self.assignment).await,
            None => self.local_checkout().await,
        }
    }

    async fn local_checkout(&self) -> Result<Checkout, Failure> {
        let repository = &self.assignment.repository;
        let hint = match repository.source {
            RepositorySource::RunnerLocal => repository.path_hint.as_deref(),
            RepositorySource::CodeHost | RepositorySource::Unknown => None,
        };
        let home = places::user_home();
        let clone = locate(&self.context.profile, &self.assignment.project, hint, home.as_deref()).await?;
        // For whoever cleans up, should the next steps not come to their end.
        let _ = self.directory.write(CLONE, clone.as_os_str().as_encoded_bytes());
        let active = self.context.active.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (organization, item) = (&self.assignment.organization, &self.assignment.item.key);
        retention::remove_kept_of(&self.context.root, organization, item, &active).await;
        let checkout = prepare(&clone, &self.directory.repo(), self.assignment).await?;
        // What was checked must be what was used, even if somebody swapped a directory meanwhile.
        let hinted = !self.context.profile.workspaces.contains_key(&self.assignment.project);
        if hinted
            && locate(&self.context.profile, &self.assignment.project, hint, home.as_deref()).await? != clone
        {
            let detail = format!("{} was replaced while the workspace was made", clone.display());
            return Err(Failure::new(FailureReason::NoLocalRepository, detail));
        }
        Ok(checkout)
    }

    /// The checkout and session of the run that this one continues.
    fn earlier_checkout(&self) -> Result<(Checkout, Session), Failure> {
        let gone = |why: &str| Failure::new(FailureReason::SessionUnavailable, why.to_owned());
        let session = self.assignment.resume_session.clone().filter(|id| safe_value(id));
        let session = session.ok_or_else(|| gone("the earlier run left no session"))?;
        let earlier = self.assignment.earlier_run_id.as_deref().unwrap_or_default();
        let group = retention::groups(&self.context.root)
            .into_iter()
            .find(|group| group.members.iter().any(|member| member.run_id == earlier))
            .ok_or_else(|| gone("the workspace of the earlier run is gone from this machine"))?;
        let manifest = group.members.into_iter().find(|member| member.run_id == earlier);
        let manifest = manifest.ok_or_else(|| gone("the workspace of the earlier run is gone"))?;
        let ours = manifest.organization == self.assignment.organization
            && manifest.item == self.assignment.item.key
            && manifest.repo.is_dir();
        if !ours {
            return Err(gone("the workspace of the earlier run is gone from this machine"));
        }
        let age = clock::now().duration_since(manifest.ended_at.unwrap_or(manifest.begun_at));
        if age > retention::KEPT_FOR && !self.context.keep_workspaces {
            return Err(gone("the workspace of the earlier run is older than 5 days"));
        }
        let notes = vec![format!("Continuing run {earlier} in its workspace")];
        let checkout = Checkout {
            repo: manifest.repo,
            worktree_of: manifest.worktree_of,
            branch: manifest.branch,
            base: manifest.base,
            has_origin: manifest.has_origin,
            access: None,
            notes,
        };
        Ok((checkout, Session::Resume(session)))
    }

    fn write_files(
        &self,
        adapter: &dyn Adapter,
        program: PathBuf,
        checkout: Checkout,
        session: Session,
        keeper: Option<Keeper>,
    ) -> std::io::Result<Prepared> {
        let url = self.context.client.base_url();
        let (mcp_url, mcp_config) = (format!("{url}/mcp"), self.directory.mcp_config());
        let job = Job {
            session,
            model: self.assignment.model.as_deref(),
            mcp_url: &mcp_url,
            mcp_config: &mcp_config,
            root: rustix::process::geteuid().is_root(),
        };
        let invocation = adapter.invocation(&job);
        self.directory.write("prompt.md", self.assignment.prompt.as_bytes())?;
        if let Some(config) = &invocation.mcp_config {
            self.directory.write("mcp.json", &serde_json::to_vec_pretty(config)?)?;
        }
        self.directory.describe(&self.manifest(&checkout, &invocation.session))?;
        let config_home = self.directory.config_home();
        let mut environment = harness_environment(
            std::env::vars_os(),
            url,
            self.assignment,
            &config_home,
            &invocation.environment,
        );
        if let Some(access) = &checkout.access {
            access.join(&mut environment)?;
        }
        let ready = Ready {
            program,
            checkout,
            args: invocation.args,
            environment,
            prompt: self.assignment.prompt.clone().into_bytes(),
        };
        Ok(Prepared { session: invocation.session, reader: adapter.reader(&job), ready, keeper })
    }

    fn manifest(&self, checkout: &Checkout, session: &Option<String>) -> Manifest {
        let home =
            checkout.repo.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Manifest {
            run_id: self.assignment.run_id.clone(),
            organization: self.assignment.organization.clone(),
            item: self.assignment.item.key.clone(),
            repo: checkout.repo.clone(),
            home: home.unwrap_or_else(|| self.assignment.run_id.clone()),
            worktree_of: checkout.worktree_of.clone(),
            branch: checkout.branch.clone(),
            base: checkout.base.clone(),
            has_origin: checkout.has_origin,
            session: session.clone(),
            begun_at: clock::now(),
            ended_at: None,
        }
    }
}

/// Names the clone of a workspace that is being made.
const CLONE: &str = "clone";

/// Writes down that the run ended, and removes what only a live run needs.
pub(super) fn close(directory: &RunDirectory, session: Option<String>, now: Timestamp) {
    if let Some(manifest) = Manifest::read(directory.path()) {
        let ended = Manifest { session, ended_at: Some(now), ..manifest };
        if let Err(error) = directory.describe(&ended) {
            tracing::warn!(%error, "the end of the workspace cannot be written down");
        }
    }
    let _ = std::fs::remove_file(directory.log());
    // Gone already, but for a renewal in the very moment of the end.
    let _ = std::fs::remove_file(directory.path().join(CREDENTIAL));
}

/// Removes the workspace of a run that nobody can continue. One that belongs to an earlier run stays.
pub(super) async fn discard(root: &Path, directory: &RunDirectory, assignment: &Assignment) {
    use std::os::unix::ffi::OsStringExt;
    let shared = Manifest::read(directory.path()).is_some_and(|manifest| manifest.home != assignment.run_id);
    if !shared && let Ok(clone) = std::fs::read(directory.path().join(CLONE)) {
        let clone = PathBuf::from(OsString::from_vec(clone));
        if directory.repo().exists()
            && let Err(error) = remove_worktree(&clone, &directory.repo()).await
        {
            tracing::warn!(%error, "the checkout cannot be removed");
        }
    }
    if let Err(error) = remove_directory(&root.join(&assignment.run_id)).await {
        tracing::warn!(%error, "the workspace cannot be removed");
    }
}
