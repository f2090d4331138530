//! The ticket templates of a project, which its Admins manage and everybody else sees (specification section
//! 2.4).

use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::ids::{ProjectKey, TemplateId};
use svc_domain::item::{ItemType, Priority};
use svc_domain::label::distinct;
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::template::{Template, Templates};
use svc_storage::{Condition, Op, RowOf, keys};

use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// A template to make.
#[derive(Clone, Debug)]
pub struct NewTemplate {
    /// Name.
    pub name: String,
    /// Type of the items that it is for.
    pub item_type: ItemType,
    /// Description.
    pub body: String,
    /// Priority.
    pub priority: Option<Priority>,
    /// Labels.
    pub labels: Vec<String>,
}

/// A wanted change of a template; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct UpdateTemplate {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New type.
    pub item_type: Option<ItemType>,
    /// New description.
    pub body: Option<String>,
    /// New priority; `Some(None)` leaves it to the project's default.
    pub priority: Option<Option<Priority>>,
    /// New labels.
    pub labels: Option<Vec<String>>,
}

/// The templates of a project, in the order they were made.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<Template>> {
    let wanted = |org| keys::templates(org, project);
    let (_, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    Ok(RowOf::or_default(row.as_ref())?.0)
}

/// Makes a template.
///
/// # Errors
/// What [`Templates::put`] refuses.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewTemplate,
) -> Result<Template> {
    let made = Template {
        id: TemplateId(app.uuid()),
        version: 1,
        name: new.name.trim().to_owned(),
        item_type: new.item_type,
        body: new.body.clone(),
        priority: new.priority,
        labels: distinct(&new.labels),
    };
    change(app, caller, project, |templates| {
        check_given("name", &made.name, None)?;
        templates.put(made.clone())?;
        Ok(made.clone())
    })
    .await
}

/// Changes a template.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`]; what [`Templates::put`] refuses.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: TemplateId,
    update: &UpdateTemplate,
) -> Result<Template> {
    change(app, caller, project, |templates| {
        let old = templates.0.iter().find(|known| known.id == id).ok_or(Refusal::NotFound)?;
        if old.version != update.version {
            return Err(Refusal::StaleVersion { current: old.version });
        }
        let mut new = changed(old, update);
        if new != *old {
            new.version += 1;
        }
        check_given("name", &new.name, Some(&old.name))?;
        templates.put(new.clone())?;
        Ok(new)
    })
    .await
}

fn changed(old: &Template, update: &UpdateTemplate) -> Template {
    let mut new = old.clone();
    if let Some(name) = &update.name {
        name.trim().clone_into(&mut new.name);
    }
    if let Some(body) = &update.body {
        new.body.clone_from(body);
    }
    if let Some(labels) = &update.labels {
        new.labels = distinct(labels);
    }
    new.item_type = update.item_type.unwrap_or(new.item_type);
    new.priority = update.priority.unwrap_or(new.priority);
    new
}

/// Deletes a template.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: TemplateId) -> Result<()> {
    change(app, caller, project, |templates| templates.remove(id)).await
}

/// Loads the templates, changes them and stores them all.
async fn change<T>(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    change: impl Fn(&mut Templates) -> Result<T, Refusal>,
) -> Result<T> {
    app.decide(|| async {
        let wanted = |org| keys::templates(org, project);
        let (entry, row) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        if entry.project.as_ref().is_some_and(|project| project.archived) {
            return Err(Refusal::ArchivedProject.into());
        }
        let mut templates: Templates = RowOf::or_default(row.as_ref())?;
        let before = templates.clone();
        let answer = change(&mut templates)?;
        if templates != before {
            let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
            let key = keys::templates(entry.org_id(), project);
            let mut transaction = Transaction::of(app, &entry)
                .with([Op::put(key, condition, &templates)])
                .telling(ProjectEvent::TemplatesChanged(project.clone()));
            for gone in before.0.iter().filter(|known| templates.0.iter().all(|kept| kept.id != known.id)) {
                transaction.tell(ProjectEvent::TemplateDeleted(project.clone(), gone.id, gone.name.clone()));
            }
            app.commit(transaction).await?;
        }
        Ok(answer)
    })
    .await
}
