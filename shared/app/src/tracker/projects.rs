//! Projects of an organization.

use std::sync::Arc;

use svc_domain::access::{Access, Capability, Standing};
use svc_domain::deletion::Deletion;
use svc_domain::event::ProjectEvent;
use svc_domain::identity::{ProjectMember, ProjectRole};
use svc_domain::ids::{InvalidName, OrgId, ProjectKey, UserId};
use svc_domain::name::check_given;
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, Query, Range, RowOf, StorageError, keys};

use crate::entry::{Caller, Entry, enter_org, enter_project};
use crate::error::{Error, Result};
use crate::tracker::teams;
use crate::transaction::Transaction;
use crate::wanted;
use crate::{App, is_conflict};

/// A project as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenProject {
    /// The project.
    pub project: Project,
    /// Its version.
    pub version: u64,
    /// The caller's role in it; `None` for who sees it by another role.
    pub role: Option<ProjectRole>,
    /// That it was deleted: for the list of those that can be restored.
    pub deletion: Option<Deletion>,
}

/// A project to create.
#[derive(Clone, Debug)]
pub struct NewProject {
    /// Key.
    pub key: String,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
}

/// A wanted change of a project; `None` leaves a field.
#[derive(Clone, Debug)]
pub struct UpdateProject {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New description.
    pub description: Option<String>,
    /// Archives or revives.
    pub archived: Option<bool>,
}

/// The projects that the caller can see, by key.
///
/// # Errors
/// Those of entering the organization.
pub async fn list(app: &App, caller: Caller<'_>, with_archived: bool) -> Result<Vec<SeenProject>> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let mut projects = visible(app, &entry).await?;
    projects.retain(|seen| with_archived || !seen.project.archived);
    Ok(projects)
}

/// The projects that who has entered the organization can see, by key, the archived ones too.
pub(crate) async fn visible(app: &App, entry: &Entry) -> Result<Vec<SeenProject>> {
    let org = entry.org_id();
    let range = Range::Prefix(keys::PROJECT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, 1_000)).await?;
    let mut projects = Vec::with_capacity(rows.len());
    for row in rows {
        projects.push(SeenProject { project: row.read()?, version: row.version, role: None, deletion: None });
    }
    seen_by(app, entry, projects).await
}

/// Those of these projects that who has entered the organization can see, with their role in each.
pub(super) async fn seen_by(
    app: &App,
    entry: &Entry,
    mut projects: Vec<SeenProject>,
) -> Result<Vec<SeenProject>> {
    let org = entry.org_id();
    match &entry.access.standing {
        Standing::Agent { project, .. } => projects.retain(|seen| seen.project.key == *project),
        Standing::Member(member) => {
            add_roles(app, org, member.user, &mut projects).await?;
            let all = member.role.administers();
            projects.retain(|seen| all || seen.role.is_some());
        }
    }
    Ok(projects)
}

async fn add_roles(app: &App, org: OrgId, user: UserId, projects: &mut [SeenProject]) -> Result<()> {
    let wanted: Vec<_> =
        projects.iter().map(|seen| keys::project_member(org, &seen.project.key, user)).collect();
    for (seen, row) in projects.iter_mut().zip(wanted::load(app, wanted).await?) {
        seen.role = role(row.as_ref())?;
    }
    Ok(())
}

fn role(row: Option<&RowOf<ProjectMember>>) -> Result<Option<ProjectRole>, StorageError> {
    Ok(row.map(RowOf::read).transpose()?.map(|member| member.role))
}

/// A project.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, key: &ProjectKey) -> Result<SeenProject> {
    let entry = enter_project(app, caller, key, Capability::SeeProject).await?;
    let role = role_of(&entry.access);
    let project = Arc::unwrap_or_clone(entry.project.ok_or(Refusal::NotFound)?);
    Ok(SeenProject { project, version: entry.project_version, role, deletion: None })
}

fn role_of(access: &Access) -> Option<ProjectRole> {
    access.project.as_ref().and_then(|project| project.role)
}

/// Creates a project with the workflow and the team that projects start with. Its creator becomes its Admin.
///
/// # Errors
/// [`Refusal::AlreadyExists`] when the key is taken, also by a project that was deleted; every field that is not acceptable.
pub async fn create(app: &App, caller: Caller<'_>, new: &NewProject) -> Result<SeenProject> {
    // Outside of a project, this is what Owners and Admins of the organization may do.
    let entry = enter_org(app, caller, Capability::ConfigureProject).await.map_err(say_who_creates)?;
    let org = entry.org_id();
    let key =
        new.key.parse().map_err(|InvalidName(what)| Refusal::invalid("key", format!("Give {what}.")))?;
    let project = Project {
        key,
        name: new.name.trim().to_owned(),
        description: new.description.clone(),
        archived: false,
        created_at: app.now(),
    };
    project.check()?;
    check_given("name", &project.name, None)?;
    let mut ops = vec![
        Op::create(keys::project(org, &project.key), &project),
        Op::check(keys::deleted_project(org, &project.key), Condition::Absent),
        Op::create(keys::workflow(org, &project.key), &Workflow::default()),
    ];
    ops.extend(teams::first(app, org, &project));
    if let Some(user) = entry.access.user() {
        let display_name = entry.actor().name.clone();
        let member = ProjectMember { user, display_name, role: ProjectRole::Admin };
        ops.push(Op::create(keys::project_member(org, &project.key, user), &member));
    }
    let created = ProjectEvent::Created(project.key.clone());
    match app.commit(Transaction::of(app, &entry).with(ops).telling(created)).await {
        Ok(()) => Ok(SeenProject { project, version: 1, role: Some(ProjectRole::Admin), deletion: None }),
        Err(error) if is_conflict(&error) => Err(taken(app, org, &project.key).await?.into()),
        Err(error) => Err(error),
    }
}

/// Why a key cannot be given: one that a deleted project had is never used again, because items are known by it.
async fn taken(app: &App, org: OrgId, key: &ProjectKey) -> Result<Refusal> {
    let deleted = app.table.find(&keys::deleted_project(org, key)).await?.is_some();
    Ok(Refusal::AlreadyExists(if deleted {
        "a deleted project with this key"
    } else {
        "a project with this key"
    }))
}

fn say_who_creates(error: Error) -> Error {
    match error {
        Error::Refused(Refusal::Forbidden(_)) => {
            Refusal::Forbidden("only an Owner or Admin of the organization can create projects").into()
        }
        other => other,
    }
}

/// Changes a project. While it is archived, the only change is to revive it.
///
/// # Errors
/// [`Refusal::StaleVersion`], [`Refusal::ArchivedProject`]; every field that is not acceptable.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    key: &ProjectKey,
    update: &UpdateProject,
) -> Result<SeenProject> {
    app.decide(|| async {
        let entry = enter_project(app, caller, key, Capability::ArchiveProject).await?;
        let (org, role, version) = (entry.org_id(), role_of(&entry.access), entry.project_version);
        let old = entry.project.clone().ok_or(Refusal::NotFound)?;
        if update.version != version {
            return Err(Refusal::StaleVersion { current: version }.into());
        }
        let project = changed(&old, update);
        if old.archived && project.archived && project != *old {
            return Err(Refusal::ArchivedProject.into());
        }
        project.check()?;
        check_given("name", &project.name, Some(&old.name))?;
        if project == *old {
            return Ok(SeenProject { project, version, role, deletion: None });
        }
        let row = Op::replace(keys::project(org, key), version, &project);
        let mut transaction = Transaction::of(app, &entry).with([row]);
        if project.archived != old.archived {
            transaction.tell(ProjectEvent::ArchiveSet(key.clone(), project.archived));
        }
        if (&project.name, &project.description) != (&old.name, &old.description) {
            transaction.tell(ProjectEvent::Changed(key.clone()));
        }
        app.commit(transaction).await?;
        Ok(SeenProject { project, version: version + 1, role, deletion: None })
    })
    .await
}

fn changed(old: &Project, update: &UpdateProject) -> Project {
    Project {
        name: update.name.as_deref().map_or_else(|| old.name.clone(), |name| name.trim().to_owned()),
        description: update.description.as_ref().unwrap_or(&old.description).clone(),
        archived: update.archived.unwrap_or(old.archived),
        ..old.clone()
    }
}
