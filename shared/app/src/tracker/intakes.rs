//! The intakes of a project: their management by its Admins, and the reports that arrive at them ([`receive`]).
//!
//! All intakes of a project are one row, as its ticket templates are. The secret part of an address is shown once; stored
//! is its SHA-256, by which a row of its own ([`keys::intake_address`]) leads to the intake.

mod receive;

use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::ids::{IntakeId, OrgId, ProjectKey, TemplateId};
use svc_domain::intake::{Intake, Intakes, Mapping};
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::template::Templates;
use svc_storage::{Condition, Op, RowOf, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

pub use receive::{Receipt, admit, receive};

/// What the address of an intake leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The organization.
    pub org: OrgId,
    /// The project.
    pub project: ProjectKey,
    /// The intake.
    pub intake: IntakeId,
}

/// A wanted intake, or a wanted change of one; `None` leaves a field, or takes what is usual.
#[derive(Clone, Debug, Default)]
pub struct IntakeEdit {
    /// Name.
    pub name: Option<String>,
    /// Id or name of a ticket template; `Some(None)` for none.
    pub template: Option<Option<String>>,
    /// Which fields are what.
    pub mapping: Option<Mapping>,
    /// Whether a repeated report is a comment; usually not.
    pub comments_repeats: Option<bool>,
    /// Whether a report that something is resolved is a comment; usually so.
    pub comments_resolved: Option<bool>,
    /// Whether such a report closes the item; usually not.
    pub closes_resolved: Option<bool>,
    /// Whether it takes nothing.
    pub disabled: Option<bool>,
}

/// An intake with its address, which is shown once.
#[derive(Clone, Debug)]
pub struct WithAddress {
    /// The intake.
    pub intake: Intake,
    /// Where to send reports.
    pub url: String,
}

/// The intakes of a project.
///
/// # Errors
/// What [`Capability::ConfigureProject`] refuses.
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<Intake>> {
    let wanted = |org| keys::intakes(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    if !entry.access.configures() {
        return Err(Refusal::Forbidden("only Admins of the project see its intakes").into());
    }
    let mut intakes = RowOf::or_default(row.as_ref())?.0;
    bring_up_to_date(app, entry.org_id(), intakes.iter_mut().map(|intake| &mut intake.by)).await?;
    Ok(intakes)
}

/// Makes an intake.
///
/// # Errors
/// What [`Intakes::put`] and [`Capability::ConfigureProject`] refuse; a template that there is not.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &IntakeEdit,
) -> Result<WithAddress> {
    app.decide(|| async {
        let mut loaded = Loaded::enter(app, caller, project).await?;
        let (address, address_hash) = fresh(app);
        let made = Intake {
            id: IntakeId(app.uuid()),
            version: 1,
            name: String::new(),
            address_hash,
            template: None,
            mapping: Mapping::default(),
            comments_repeats: false,
            comments_resolved: true,
            closes_resolved: false,
            disabled: false,
            by: loaded.entry.actor().clone(),
            rotated_at: app.now(),
        };
        let intake = loaded.edited(&made, new)?;
        check_given("name", &intake.name, None)?;
        let ops = vec![loaded.pointer(&intake)];
        let told = ProjectEvent::IntakeCreated(project.clone(), intake.id, intake.name.clone());
        loaded.intakes.put(intake.clone())?;
        loaded.save(app, ops, told).await?;
        Ok(WithAddress { intake, url: url(app, &address) })
    })
    .await
}

/// Changes an intake, which from then on acts for the caller.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`]; as [`create`].
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: IntakeId,
    version: u64,
    edit: &IntakeEdit,
) -> Result<Intake> {
    app.decide(|| async {
        let mut loaded = Loaded::enter(app, caller, project).await?;
        let old = loaded.intakes.find(id).ok_or(Refusal::NotFound)?.clone();
        if old.version != version {
            return Err(Refusal::StaleVersion { current: old.version }.into());
        }
        let mut new = loaded.edited(&old, edit)?;
        check_given("name", &new.name, Some(&old.name))?;
        new.by = loaded.entry.actor().clone();
        if new == old {
            return Ok(old);
        }
        new.version += 1;
        let told = ProjectEvent::IntakeChanged(project.clone(), id, new.name.clone());
        loaded.intakes.put(new.clone())?;
        loaded.save(app, vec![], told).await?;
        Ok(new)
    })
    .await
}

/// Gives an intake another address. The one before works no more.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::ConfigureProject`] refuses.
pub async fn rotate(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: IntakeId,
) -> Result<WithAddress> {
    app.decide(|| async {
        let mut loaded = Loaded::enter(app, caller, project).await?;
        let mut intake = loaded.intakes.find(id).ok_or(Refusal::NotFound)?.clone();
        let (address, address_hash) = fresh(app);
        let former = std::mem::replace(&mut intake.address_hash, address_hash);
        intake.version += 1;
        intake.rotated_at = app.now();
        intake.by = loaded.entry.actor().clone();
        let gone = Op::delete(keys::intake_address(&former), Condition::None);
        let ops = vec![loaded.pointer(&intake), gone];
        let told = ProjectEvent::IntakeRotated(project.clone(), id, intake.name.clone());
        loaded.intakes.put(intake.clone())?;
        loaded.save(app, ops, told).await?;
        Ok(WithAddress { intake, url: url(app, &address) })
    })
    .await
}

/// Deletes an intake. Its items stay.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::ConfigureProject`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: IntakeId) -> Result<()> {
    app.decide(|| async {
        let mut loaded = Loaded::enter(app, caller, project).await?;
        let gone = loaded.intakes.remove(id)?;
        let ops = vec![Op::delete(keys::intake_address(&gone.address_hash), Condition::None)];
        let told = ProjectEvent::IntakeDeleted(project.clone(), id, gone.name);
        loaded.save(app, ops, told).await
    })
    .await
}

/// The secret part of a new address, and its hash.
fn fresh(app: &App) -> (String, String) {
    let address = secrets::mint(app, SecretKind::IntakeAddress);
    let hash = secrets::hash(&address);
    (address, hash)
}

fn url(app: &App, address: &str) -> String {
    format!("{}/api/v1/intake/{address}", app.settings.service.base_url)
}

/// The intakes of a project that is open for changes.
struct Loaded {
    entry: Entry,
    project: ProjectKey,
    row: Option<RowOf<Intakes>>,
    intakes: Intakes,
    templates: Templates,
}

impl Loaded {
    async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Self> {
        let wanted = |org| (keys::intakes(org, project), keys::templates(org, project));
        let (entry, (row, templates)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let intakes = RowOf::or_default(row.as_ref())?;
        let templates = RowOf::or_default(templates.as_ref())?;
        Ok(Self { entry, project: project.clone(), row, intakes, templates })
    }

    fn edited(&self, old: &Intake, edit: &IntakeEdit) -> Result<Intake> {
        let mut new = old.clone();
        if let Some(name) = &edit.name {
            name.trim().clone_into(&mut new.name);
        }
        if let Some(template) = &edit.template {
            new.template = template.as_deref().map(|wanted| self.template(wanted)).transpose()?;
        }
        if let Some(mapping) = &edit.mapping {
            new.mapping.clone_from(mapping);
        }
        new.comments_repeats = edit.comments_repeats.unwrap_or(old.comments_repeats);
        new.comments_resolved = edit.comments_resolved.unwrap_or(old.comments_resolved);
        new.closes_resolved = edit.closes_resolved.unwrap_or(old.closes_resolved);
        new.disabled = edit.disabled.unwrap_or(old.disabled);
        Ok(new)
    }

    fn template(&self, wanted: &str) -> Result<TemplateId, Refusal> {
        let found = self.templates.find(wanted).map(|template| template.id);
        found.ok_or_else(|| Refusal::invalid("template", "There is no such template."))
    }

    /// Creates what the address of an intake leads by.
    fn pointer(&self, intake: &Intake) -> Op {
        let place = Place { org: self.entry.org_id(), project: self.project.clone(), intake: intake.id };
        Op::create(keys::intake_address(&intake.address_hash), &place)
    }

    async fn save(self, app: &App, ops: Vec<Op>, told: ProjectEvent) -> Result<()> {
        let condition = self.row.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let key = keys::intakes(self.entry.org_id(), &self.project);
        let transaction = Transaction::of(app, &self.entry).with([Op::put(key, condition, &self.intakes)]);
        app.commit(transaction.with(ops).telling(told)).await
    }
}
