//! Playbooks of a project: list, view, create, change; deleting and restoring: [`deletion`]. The instructions are the
//! page of the playbook's name in the wiki's Factory section, written in the same commit (specification section 2.5).

mod deletion;

pub use deletion::{delete, restore};

use svc_domain::access::Capability;
use svc_domain::deletion::restorable;
use svc_domain::event::{FactoryEvent, PlaybookRef};
use svc_domain::harness::Harness;
use svc_domain::ids::{OrgId, PlaybookId, ProjectKey};
use svc_domain::name::check_given;
use svc_domain::playbook::{Delivers, DeliveryMode, FactorySettings, Playbook};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::wiki::{PagePath, check_text};
use svc_storage::{KeyOf, Op, Query, Range, Row, RowOf, keys};

use super::naming;
use super::settings_row::{settings_of, settings_op};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;
use crate::{tracker, wiki};

/// A playbook on its way to a caller.
#[derive(Clone, Debug)]
pub struct PlaybookView {
    /// The playbook.
    pub playbook: Playbook,
    /// Its version.
    pub version: u64,
    /// Whether it is the project's default.
    pub project_default: bool,
    /// Its instructions, where the caller may read the page and asked for this one.
    pub instructions: Option<String>,
}

/// A wanted playbook.
#[derive(Clone, Debug)]
pub struct NewPlaybook {
    /// Name.
    pub name: String,
    /// Instructions, Markdown.
    pub instructions: String,
    /// Harness.
    pub harness: Harness,
    /// Minutes; the setting when absent.
    pub time_limit_minutes: Option<u32>,
    /// State on success.
    pub success_state: Option<String>,
    /// State on failure.
    pub failure_state: Option<String>,
    /// Where results go.
    pub delivery_mode: DeliveryMode,
    /// What its runs must leave.
    pub delivers: Delivers,
    /// Whether its pull requests ask for follow-ups.
    pub pull_request_follow_ups: bool,
    /// Whether it becomes the project's default.
    pub project_default: bool,
}

/// A wanted change of a playbook; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct PlaybookEdit {
    /// The version last read.
    pub version: u64,
    /// New instructions.
    pub instructions: Option<String>,
    /// New harness.
    pub harness: Option<Harness>,
    /// New time limit.
    pub time_limit_minutes: Option<u32>,
    /// New success state; `Some(None)` clears it.
    pub success_state: Option<Option<String>>,
    /// New failure state; `Some(None)` clears it.
    pub failure_state: Option<Option<String>>,
    /// New delivery mode.
    pub delivery_mode: Option<DeliveryMode>,
    /// What its runs must leave from now on.
    pub delivers: Option<Delivers>,
    /// Whether its pull requests ask for follow-ups from now on.
    pub pull_request_follow_ups: Option<bool>,
    /// Makes it the project's default, or no longer.
    pub project_default: Option<bool>,
}

/// The project's playbooks, oldest first, without their instructions; or the latest of those that were deleted and can be
/// restored.
///
/// # Errors
/// Those of entering the project; [`Refusal::FactoryNotPermitted`] for who neither operates nor configures
/// it.
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    deleted: bool,
) -> Result<Vec<PlaybookView>> {
    let wanted = |org| keys::factory_settings(org, project);
    let (entry, settings) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    require_factory_area(&entry)?;
    let settings = settings_of(settings.as_ref())?;
    let listed = match deleted {
        false => there(app, entry.org_id(), project).await?,
        true => {
            let all = all(app, entry.org_id(), project).await?;
            restorable(all, |(playbook, _)| playbook.deleted.as_ref(), app.now())
        }
    };
    Ok(listed.into_iter().map(|(playbook, version)| view_of(playbook, version, &settings)).collect())
}

/// The Factory area is closed to stakeholders (specification section 2.9): operators use playbooks, Admins of
/// the project configure them.
pub(super) fn require_factory_area(entry: &Entry) -> Result<(), Refusal> {
    let permitted = entry.access.configures() || entry.access.is_factory_operator();
    if permitted { Ok(()) } else { Err(Refusal::FactoryNotPermitted) }
}

/// The playbooks of a project that were not deleted, with versions.
pub(super) async fn there(app: &App, org: OrgId, project: &ProjectKey) -> Result<Vec<(Playbook, u64)>> {
    let mut all = all(app, org, project).await?;
    all.retain(|(playbook, _)| playbook.is_there());
    Ok(all)
}

/// Every playbook of a project with versions, those too that were deleted: they are named.
pub(super) async fn all(app: &App, org: OrgId, project: &ProjectKey) -> Result<Vec<(Playbook, u64)>> {
    let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    rows.iter().map(|row| Ok((row.read()?, row.version))).collect()
}

/// A playbook, with its instructions for who may read their page.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::FactoryNotPermitted`] as [`list`].
pub async fn view(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: PlaybookId,
) -> Result<PlaybookView> {
    view_as(app, caller, project, id, Capability::SeeProject).await
}

/// A playbook as those who may do this see it: a change shows its result to who may write but not read.
async fn view_as(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: PlaybookId,
    capability: Capability,
) -> Result<PlaybookView> {
    let wanted = |org| (keys::playbook(org, project, id), keys::factory_settings(org, project));
    let (entry, (row, settings)) = enter_project_with(app, caller, project, capability, wanted).await?;
    require_factory_area(&entry)?;
    let row = row.ok_or(Refusal::NotFound)?;
    let settings = settings_of(settings.as_ref())?;
    let mut view = view_of(row.read()?, row.version, &settings);
    view.playbook.require_there(app.now())?;
    let path = path_of(&view.playbook)?;
    if entry.access.may(Capability::SeeFactory)
        && wiki::reads(app, &entry.access, project, &path).await?
        && let Some(page) = wiki::current(app, entry.org_id(), project, &path).await?
    {
        let text = wiki::text(app, entry.org_id(), page.page.id, page.page.version).await?;
        view.instructions = Some(text.body);
    }
    Ok(view)
}

/// Creates a playbook and its page.
///
/// # Errors
/// [`Refusal::AlreadyExists`] for a taken name or page; [`Refusal::Invalid`]; what
/// [`Capability::ConfigureProject`] refuses.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewPlaybook,
) -> Result<PlaybookView> {
    app.decide(|| create_once(app, caller, project, new)).await
}

async fn create_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewPlaybook,
) -> Result<PlaybookView> {
    let wanted = |org| (keys::workflow(org, project), keys::factory_settings(org, project));
    let (entry, (workflow, settings_row)) =
        enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    let org = entry.org_id();
    check_text("instructions", &new.instructions)?;
    let path = PagePath::in_factory_section(&new.name)
        .map_err(|error| Refusal::Invalid(FieldErrors::one("name", error.to_string())))?;
    let place = wiki::place(app, org, project, &path).await?;
    if place.current.is_some() {
        return Err(Refusal::AlreadyExists("a page of this name in the Factory section").into());
    }
    let mut transaction = Transaction::of(app, &entry);
    let page =
        wiki::write_page(app, &mut transaction, org, project, &place, &new.instructions, entry.actor());
    let mut playbook = Playbook {
        id: PlaybookId(app.uuid()),
        name: new.name.clone(),
        page: page.id,
        page_path: page.path.as_str().to_owned(),
        former_pages: Vec::new(),
        harness: new.harness,
        time_limit_minutes: new
            .time_limit_minutes
            .unwrap_or(app.settings.automation.default_time_limit_minutes),
        success_state: new.success_state.clone(),
        failure_state: new.failure_state.clone(),
        delivery_mode: new.delivery_mode,
        delivers: new.delivers,
        pull_request_follow_ups: new.pull_request_follow_ups,
        created_at: app.now(),
        deleted: None,
    };
    playbook.check(&RowOf::or_default(workflow.as_ref())?)?;
    check_given("name", &playbook.name, None)?;
    let unique = keys::project_name(org, project, "playbook", &playbook.name);
    transaction.write([Op::create(keys::playbook(org, project, playbook.id), &playbook)]);
    transaction.write(naming_states(org, project, workflow.as_deref()));
    transaction.write([Op::create(unique.clone(), &playbook.id)]);
    let mut settings = settings_of(settings_row.as_ref())?;
    let (key, row) = (keys::factory_settings(org, project), settings_row.as_ref());
    transaction.write(default_op(key, row, &mut settings, playbook.id, Some(new.project_default)));
    transaction.tell(FactoryEvent::PlaybookCreated(named(project, &playbook)));
    app.commit(transaction)
        .await
        .map_err(|error| naming::taken(error, &unique, "a playbook of this name"))?;
    let mut view = view_of(playbook, 1, &settings);
    view.instructions = Some(new.instructions.clone());
    Ok(view)
}

/// Changes a playbook; new instructions are a new version of its page.
///
/// # Errors
/// As [`create`]; [`Refusal::NotFound`], [`Refusal::Deleted`], [`Refusal::StaleVersion`].
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: PlaybookId,
    edit: &PlaybookEdit,
) -> Result<PlaybookView> {
    app.decide(|| update_once(app, caller, project, id, edit)).await?;
    view_as(app, caller, project, id, Capability::ConfigureProject).await
}

async fn update_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: PlaybookId,
    edit: &PlaybookEdit,
) -> Result<()> {
    let wanted = |org| {
        let playbook = keys::playbook(org, project, id);
        (keys::workflow(org, project), keys::factory_settings(org, project), playbook)
    };
    let (entry, (workflow, settings_row, row)) =
        enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    let (org, row) = (entry.org_id(), row.ok_or(Refusal::NotFound)?);
    let mut playbook: Playbook = row.read()?;
    playbook.require_there(app.now())?;
    if row.version != edit.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let mut transaction = Transaction::of(app, &entry);
    if let Some(body) = &edit.instructions {
        check_text("instructions", body)?;
        write_instructions(app, &mut transaction, &entry, project, &mut playbook, body).await?;
    }
    apply(&mut playbook, edit);
    playbook.check(&RowOf::or_default(workflow.as_ref())?)?;
    transaction.write([row.replaced_by(&playbook)]);
    transaction.write(naming_states(org, project, workflow.as_deref()));
    let mut settings = settings_of(settings_row.as_ref())?;
    let (key, settings_row) = (keys::factory_settings(org, project), settings_row.as_ref());
    transaction.write(default_op(key, settings_row, &mut settings, id, edit.project_default));
    transaction.tell(FactoryEvent::PlaybookChanged(named(project, &playbook)));
    app.commit(transaction).await
}

/// Writes instructions in the transaction. A playbook of the time before there was a Factory section gets a
/// new page there, and leaves the old one unchanged.
async fn write_instructions(
    app: &App,
    transaction: &mut Transaction,
    entry: &Entry,
    project: &ProjectKey,
    playbook: &mut Playbook,
    body: &str,
) -> Result<()> {
    let org = entry.org_id();
    let mut path = path_of(playbook)?;
    let moves = !path.is_in_factory_section();
    if moves {
        path = PagePath::in_factory_section(&playbook.name).map_err(Refusal::from)?;
    }
    let place = wiki::place(app, org, project, &path).await?;
    if moves && place.current.is_some() {
        return Err(Refusal::AlreadyExists("a page of the playbook's name in the Factory section").into());
    }
    let page = wiki::write_page(app, transaction, org, project, &place, body, entry.actor());
    if page.id != playbook.page {
        playbook.former_pages.push(playbook.page);
    }
    playbook.page = page.id;
    page.path.as_str().clone_into(&mut playbook.page_path);
    Ok(())
}

fn named(project: &ProjectKey, playbook: &Playbook) -> PlaybookRef {
    PlaybookRef { project: project.clone(), id: playbook.id, name: playbook.name.clone() }
}

fn apply(playbook: &mut Playbook, edit: &PlaybookEdit) {
    playbook.harness = edit.harness.unwrap_or(playbook.harness);
    playbook.time_limit_minutes = edit.time_limit_minutes.unwrap_or(playbook.time_limit_minutes);
    playbook.delivery_mode = edit.delivery_mode.unwrap_or(playbook.delivery_mode);
    playbook.delivers = edit.delivers.unwrap_or(playbook.delivers);
    playbook.pull_request_follow_ups =
        edit.pull_request_follow_ups.unwrap_or(playbook.pull_request_follow_ups);
    if let Some(state) = &edit.success_state {
        playbook.success_state.clone_from(state);
    }
    if let Some(state) = &edit.failure_state {
        playbook.failure_state.clone_from(state);
    }
}

/// The operation on the row of the settings that makes a playbook the default, or no longer, if that changes anything.
fn default_op(
    key: KeyOf<FactorySettings>,
    row: Option<&RowOf<FactorySettings>>,
    settings: &mut FactorySettings,
    id: PlaybookId,
    wanted: Option<bool>,
) -> Option<Op> {
    let is_default = settings.default_playbook == Some(id);
    settings.default_playbook = match wanted {
        Some(true) if !is_default => Some(id),
        Some(false) if is_default => None,
        Some(_) | None => return None,
    };
    Some(settings_op(key, row, settings))
}

/// What keeps the states that a playbook names those of the workflow of this row.
fn naming_states(org: OrgId, project: &ProjectKey, workflow: Option<&Row>) -> Vec<Op> {
    workflow.into_iter().flat_map(|row| tracker::saving_state_names(org, project, row)).collect()
}

fn path_of(playbook: &Playbook) -> Result<PagePath, Refusal> {
    PagePath::try_from(playbook.page_path.clone()).map_err(Refusal::from)
}

fn view_of(playbook: Playbook, version: u64, settings: &FactorySettings) -> PlaybookView {
    let project_default = settings.default_playbook == Some(playbook.id);
    PlaybookView { playbook, version, project_default, instructions: None }
}
