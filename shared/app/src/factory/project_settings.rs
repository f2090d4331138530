//! Factory settings of a project: where its repository is, and what is used where a caller names nothing.

use svc_domain::access::Capability;
use svc_domain::agent::Agent;
use svc_domain::code_host::{Connection, RepositoryName};
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{AgentId, OrgId, PlaybookId, ProjectKey};
use svc_domain::playbook::{FactorySettings, Playbook, RepositorySource};
use svc_domain::refusal::Refusal;
use svc_domain::run::Named;
use svc_storage::{Op, RowOf, keys};

use super::code_host::failed;
use super::naming::deleted;
use super::settings_row::{settings_of, settings_op};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::ports::CodeHostError;
use crate::transaction::Transaction;
use crate::wanted;

/// Factory settings on their way to a caller.
#[derive(Clone, Debug)]
pub struct SettingsView {
    /// The settings.
    pub settings: FactorySettings,
    /// Their version; 0 while nothing was ever set.
    pub version: u64,
    /// The default agent.
    pub default_agent: Option<Named<AgentId>>,
    /// The default playbook.
    pub default_playbook: Option<Named<PlaybookId>>,
}

/// A wanted change of factory settings; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug, Default)]
pub struct SettingsEdit {
    /// The version last read.
    pub version: u64,
    /// New source of the repository; away from the code host, its repository is forgotten.
    pub repository_source: Option<RepositorySource>,
    /// New repository at the code host.
    pub repository: Option<RepositoryName>,
    /// New path hint.
    pub path_hint: Option<Option<String>>,
    /// New default branch.
    pub default_branch: Option<String>,
    /// New default agent.
    pub default_agent: Option<Option<AgentId>>,
    /// New default playbook.
    pub default_playbook: Option<Option<PlaybookId>>,
}

/// The factory settings of a project.
///
/// # Errors
/// What [`Capability::SeeFactory`] refuses.
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<SettingsView> {
    let wanted = |org| keys::factory_settings(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeFactory, wanted).await?;
    let settings = settings_of(row.as_ref())?;
    named(app, entry.org_id(), project, settings, row.map_or(0, |row| row.version)).await
}

/// Changes the factory settings of a project.
///
/// # Errors
/// [`Refusal::StaleVersion`], [`Refusal::Invalid`], also for a repository that the organization's connection with
/// the code host does not cover; [`Refusal::CodeHostAway`]; what [`Capability::ConfigureProject`] refuses.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    edit: &SettingsEdit,
) -> Result<SettingsView> {
    app.decide(|| async {
        let wanted = |org| (keys::factory_settings(org, project), keys::code_host(org));
        let (entry, (row, code_host)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let row = row.as_ref();
        let current = row.map_or(0, |row| row.version);
        if current != edit.version {
            return Err(Refusal::StaleVersion { current }.into());
        }
        let mut settings = settings_of(row)?;
        require_there(app, entry.org_id(), project, &settings, edit).await?;
        apply(&mut settings, edit);
        settings.check()?;
        let mut ops = covered(app, code_host.as_ref(), &mut settings, edit).await?;
        let org = entry.org_id();
        let view = named(app, org, project, settings.clone(), current + 1).await?;
        if view.default_agent.is_none() && settings.default_agent.is_some() {
            return Err(Refusal::invalid("defaultAgent", "There is no agent with this id.").into());
        }
        if view.default_playbook.is_none() && settings.default_playbook.is_some() {
            return Err(Refusal::invalid("defaultPlaybook", "There is no playbook with this id.").into());
        }
        ops.push(settings_op(keys::factory_settings(org, project), row, &settings));
        let changed = FactoryEvent::SettingsChanged(project.clone());
        app.commit(Transaction::of(app, &entry).with(ops).telling(changed)).await?;
        Ok(view)
    })
    .await
}

/// Refuses a default that was deleted, unless it is the default already.
async fn require_there(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    before: &FactorySettings,
    edit: &SettingsEdit,
) -> Result<()> {
    if let Some(id) = edit.default_agent.flatten().filter(|id| before.default_agent != Some(*id))
        && let Some(row) = app.table.find(&keys::agent(org, id)).await?
    {
        let agent: Agent = row.read()?;
        if let Some(deletion) = &agent.deleted {
            let why = deleted("agent", &agent.name, deletion, app.now());
            return Err(Refusal::invalid("defaultAgent", why).into());
        }
    }
    if let Some(id) = edit.default_playbook.flatten().filter(|id| before.default_playbook != Some(*id))
        && let Some(row) = app.table.find(&keys::playbook(org, project, id)).await?
    {
        let playbook: Playbook = row.read()?;
        if let Some(deletion) = &playbook.deleted {
            let why = deleted("playbook", &playbook.name, deletion, app.now());
            return Err(Refusal::invalid("defaultPlaybook", why).into());
        }
    }
    Ok(())
}

fn apply(settings: &mut FactorySettings, edit: &SettingsEdit) {
    if let Some(source) = edit.repository_source {
        settings.repository_source = source;
        if source == RepositorySource::RunnerLocal {
            settings.repository = None;
        }
    }
    if let Some(repository) = &edit.repository {
        settings.repository = Some(repository.clone());
    }
    if let Some(hint) = &edit.path_hint {
        settings.path_hint.clone_from(hint);
    }
    if let Some(branch) = &edit.default_branch {
        settings.default_branch.clone_from(branch);
    }
    settings.default_agent = edit.default_agent.unwrap_or(settings.default_agent);
    settings.default_playbook = edit.default_playbook.unwrap_or(settings.default_playbook);
}

/// Asks the code host for the repository where the edit names one, and takes over how it is written and, unless
/// the edit says otherwise, its default branch. Answers what the commit demands: that the connection stays.
async fn covered(
    app: &App,
    connection: Option<&RowOf<Connection>>,
    settings: &mut FactorySettings,
    edit: &SettingsEdit,
) -> Result<Vec<Op>> {
    let named = edit.repository_source.is_some() || edit.repository.is_some();
    let Some(repository) = settings.repository.as_ref().filter(|_| named) else { return Ok(Vec::new()) };
    let wrong = |field: &str, message: &str| Refusal::invalid(field, message);
    let host = app.code_host.as_ref().ok_or_else(|| {
        wrong(
            "repositorySource",
            "This instance has no code host. Its operator can configure one under [CodeHost].",
        )
    })?;
    let row = connection.ok_or_else(|| {
        let message =
            "The organization is not connected to the code host. Ask an Owner or Admin to connect it.";
        wrong("repositorySource", message)
    })?;
    let installation = row.read()?.installation;
    let found = host.repository(installation, repository, app.now()).await.map_err(|error| match error {
        CodeHostError::NotCovered => {
            let message = "The organization's installation at the code host does not cover this repository. Add it \
                           to the installation there, or name another one.";
            wrong("repository", message)
        }
        error => failed(error),
    })?;
    settings.repository = Some(found.name);
    if edit.default_branch.is_none() {
        settings.default_branch = found.default_branch;
        settings.check()?;
    }
    Ok(vec![row.unchanged()])
}

/// The settings with the names of what they name. What is gone has no name.
async fn named(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    settings: FactorySettings,
    version: u64,
) -> Result<SettingsView> {
    let agent = settings.default_agent.map(|id| keys::agent(org, id));
    let playbook = settings.default_playbook.map(|id| keys::playbook(org, project, id));
    let mut view = SettingsView { settings, version, default_agent: None, default_playbook: None };
    let (agent, playbook) = wanted::load(app, (agent, playbook)).await?;
    let agent = agent.map(|row| row.read()).transpose()?;
    view.default_agent = agent.map(|agent| Named { id: agent.id, name: agent.name });
    let playbook = playbook.map(|row| row.read()).transpose()?;
    view.default_playbook = playbook.map(|playbook| Named { id: playbook.id, name: playbook.name });
    Ok(view)
}
