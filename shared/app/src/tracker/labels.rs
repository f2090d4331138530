//! The labels of a project: those that are defined, and those that items merely carry.
//!
//! Renaming, merging and deleting a label changes every item that carries it: [`super::replacements`].

use std::collections::BTreeMap;

use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::label::{DEFAULT_COLOR, Label, MAX_DEFINED, composed, folded, same};
use svc_domain::natural::natural_key;
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::rule::Rules;
use svc_domain::schedule::Schedules;
use svc_domain::template::Templates;
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::replacements::Begun;
use crate::App;
use crate::entry::{Caller, Entry, enter_project, enter_project_with};
use crate::error::{Result, is_conflict};
use crate::transaction::Transaction;

/// A label as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenLabel {
    /// The label.
    pub label: Label,
    /// Its version; 0 for one that nobody has defined.
    pub version: u64,
    /// How many items carry it.
    pub items: u64,
}

/// A wanted change of a label; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct UpdateLabel {
    /// The version last read; 0 for one that nobody has defined.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New colour.
    pub color: Option<String>,
    /// New description.
    pub description: Option<String>,
    /// Whether the new name may be a label that there is.
    pub merge: bool,
}

/// The labels of a project by name, whatever its case.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<SeenLabel>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let mut carried = carried(app, entry.org_id(), project).await?;
    let mut labels = BTreeMap::new();
    for row in defined(app, entry.org_id(), project).await? {
        let label: Label = row.read()?;
        let folded = folded(&label.name);
        let items = carried.remove(&folded).map_or(0, |(_, items)| items);
        labels.insert(folded, SeenLabel { label, version: row.version, items });
    }
    for (folded, (name, items)) in carried {
        labels.insert(folded, SeenLabel { label: undefined(&name), version: 0, items });
    }
    let mut labels: Vec<SeenLabel> = labels.into_values().collect();
    labels.sort_by_cached_key(|seen| natural_key(&seen.label.name));
    Ok(labels)
}

pub(super) async fn defined(app: &App, org: OrgId, project: &ProjectKey) -> Result<Vec<Row>> {
    let range = Range::Prefix(keys::LABEL_PREFIX.to_owned());
    Ok(app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?)
}

/// The labels that items carry, by folded name: how one of them writes it, and how many carry it.
async fn carried(app: &App, org: OrgId, project: &ProjectKey) -> Result<BTreeMap<String, (String, u64)>> {
    let feed = app.feeds.fresh(app, org, project).await?;
    let counts = feed.read().label_counts();
    Ok(counts.into_iter().map(|(name, items)| (folded(&name), (name, items))).collect())
}

/// Whether items carry a label, defined or not.
async fn is_carried(app: &App, org: OrgId, project: &ProjectKey, name: &str) -> Result<bool> {
    Ok(carried(app, org, project).await?.contains_key(&folded(name)))
}

fn undefined(name: &str) -> Label {
    Label { name: name.to_owned(), color: DEFAULT_COLOR.to_owned(), description: String::new() }
}

/// Defines a label.
///
/// # Errors
/// [`Refusal::AlreadyExists`]; every field that is not acceptable.
pub async fn create(app: &App, caller: Caller<'_>, project: &ProjectKey, label: &Label) -> Result<SeenLabel> {
    let label = &Label { name: composed(&label.name), ..label.clone() };
    let (entry, rows) = enter(app, caller, project, &label.name).await?;
    label.check()?;
    if rows.label.is_some() {
        return Err(Refusal::AlreadyExists("a label with this name").into());
    }
    let org = entry.org_id();
    if defined(app, org, project).await?.len() >= MAX_DEFINED {
        let why = format!("A project defines at most {MAX_DEFINED} labels.");
        return Err(Refusal::invalid("name", why).into());
    }
    let transaction = Transaction::of(app, &entry)
        .with([Op::create(keys::label(org, project, &label.name), label)])
        .telling(ProjectEvent::LabelCreated(project.clone(), label.name.clone()));
    app.commit(transaction).await.map_err(|error| {
        if is_conflict(&error) { Refusal::AlreadyExists("a label with this name").into() } else { error }
    })?;
    let items = carried(app, org, project).await?.remove(&folded(&label.name));
    Ok(SeenLabel { label: label.clone(), version: 1, items: items.map_or(0, |(_, items)| items) })
}

/// Changes a label. A new name goes to every item that carries it.
///
/// # Errors
/// [`Refusal::NotFound`] for one that is neither defined nor carried; [`Refusal::StaleVersion`];
/// [`Refusal::AlreadyExists`] for a name that is taken, unless a merge is wanted; every field that is not
/// acceptable.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    name: &str,
    update: &UpdateLabel,
) -> Result<SeenLabel> {
    let name = &*composed(name);
    let (begun, new) = app.decide(|| update_once(app, caller, project, name, update)).await?;
    let org = begun.org();
    begun.carry_out(app).await;
    let items = carried(app, org, project).await?.remove(&folded(&new.name));
    let row = app.table.get(&keys::label(org, project, &new.name)).await?;
    let version = row.map_or(0, |row| row.version);
    Ok(SeenLabel { label: new, version, items: items.map_or(0, |(_, items)| items) })
}

async fn update_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    name: &str,
    update: &UpdateLabel,
) -> Result<(Begun, Label)> {
    let (entry, rows) = enter(app, caller, project, name).await?;
    let org = entry.org_id();
    let (old, version) = found(app, org, project, name, rows.label.as_ref()).await?;
    if update.version != version {
        return Err(Refusal::StaleVersion { current: version }.into());
    }
    let mut new = Label {
        name: update.name.as_ref().map_or_else(|| old.name.clone(), |name| composed(name)),
        color: update.color.clone().unwrap_or_else(|| old.color.clone()),
        description: update.description.clone().unwrap_or_else(|| old.description.clone()),
    };
    new.check()?;
    let (old_key, new_key) = (keys::label(org, project, name), keys::label(org, project, &new.name));
    let mut ops = Vec::new();
    if same(&new.name, name) {
        let condition = if version == 0 { Condition::Absent } else { Condition::Version(version) };
        ops.push(Op::put(old_key, condition, &new));
    } else {
        match app.table.get(&new_key).await? {
            Some(_) if !update.merge => return Err(Refusal::AlreadyExists("a label with this name").into()),
            // The other one stays as it is.
            Some(row) => {
                new = row.read()?;
                ops.push(Op::check(new_key, Condition::Version(row.version)));
            }
            None if !update.merge && is_carried(app, org, project, &new.name).await? => {
                return Err(Refusal::AlreadyExists("a label with this name").into());
            }
            None => ops.push(Op::create(new_key, &new)),
        }
        ops.push(gone(old_key, version));
    }
    ops.push(in_templates(org, project, rows.templates.as_ref(), (name, Some(&new.name)))?);
    ops.push(in_rules(org, project, rows.rules.as_ref(), (name, &new.name))?);
    ops.push(in_schedules(org, project, rows.schedules.as_ref(), (name, &new.name))?);
    let what = (new.name != old.name || version == 0)
        .then(|| What::Label { from: name.to_owned(), to: Some(new.name.clone()) });
    let begun = Begun::new(app, &entry, project, what.into_iter().collect());
    let changed = ProjectEvent::LabelChanged(project.clone(), old.name.clone(), new.name.clone());
    let mut transaction = Transaction::of(app, &entry).with(ops).telling(changed);
    begun.begin(&mut transaction);
    app.commit(transaction).await?;
    Ok((begun, new))
}

fn gone(key: svc_storage::Key, version: u64) -> Op {
    match version {
        0 => Op::check(key, Condition::Absent),
        version => Op::delete(key, Condition::Version(version)),
    }
}

/// Deletes a label and takes it off every item and template.
///
/// # Errors
/// [`Refusal::NotFound`] for one that is neither defined nor carried.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, name: &str) -> Result<()> {
    let name = &*composed(name);
    let begun = app
        .decide(|| async {
            let (entry, rows) = enter(app, caller, project, name).await?;
            let org = entry.org_id();
            let version = found(app, org, project, name, rows.label.as_ref()).await?.1;
            let what = What::Label { from: name.to_owned(), to: None };
            let begun = Begun::new(app, &entry, project, vec![what]);
            let label = gone(keys::label(org, project, name), version);
            let mut transaction = Transaction::of(app, &entry)
                .with([label, in_templates(org, project, rows.templates.as_ref(), (name, None))?])
                .telling(ProjectEvent::LabelDeleted(project.clone(), name.to_owned()));
            begun.begin(&mut transaction);
            app.commit(transaction).await?;
            Ok(begun)
        })
        .await?;
    begun.carry_out(app).await;
    Ok(())
}

/// The operation that puts another label in the place of one that goes in the ticket templates. Where none has
/// it, it demands that none got it in this moment.
fn in_templates(
    org: OrgId,
    project: &ProjectKey,
    row: Option<&RowOf<Templates>>,
    (from, to): (&str, Option<&str>),
) -> Result<Op> {
    let key = keys::templates(org, project);
    // The built-in templates, which have no row, carry no labels.
    let Some(row) = row else { return Ok(Op::check(key, Condition::Absent)) };
    let mut templates = row.read()?;
    if templates.replace_label(from, to) {
        return Ok(Op::replace(key, row.version, &templates));
    }
    Ok(Op::check(key, Condition::Version(row.version)))
}

/// The same in the rules, when a label is renamed. A rule whose label was deleted keeps it, and waits for it.
fn in_rules(
    org: OrgId,
    project: &ProjectKey,
    row: Option<&RowOf<Rules>>,
    (from, to): (&str, &str),
) -> Result<Op> {
    let key = keys::rules(org, project);
    let Some(row) = row else { return Ok(Op::check(key, Condition::Absent)) };
    let mut rules = row.read()?;
    if rules.rename_label(from, to) {
        return Ok(Op::replace(key, row.version, &rules));
    }
    Ok(Op::check(key, Condition::Version(row.version)))
}

/// The same in the templates of schedules.
fn in_schedules(
    org: OrgId,
    project: &ProjectKey,
    row: Option<&RowOf<Schedules>>,
    (from, to): (&str, &str),
) -> Result<Op> {
    let key = keys::schedules(org, project);
    let Some(row) = row else { return Ok(Op::check(key, Condition::Absent)) };
    let mut schedules = row.read()?;
    if schedules.rename_label(from, to) {
        return Ok(Op::replace(key, row.version, &schedules));
    }
    Ok(Op::check(key, Condition::Version(row.version)))
}

/// The row of a label, and those of what may name it.
struct Rows {
    label: Option<Row>,
    templates: Option<RowOf<Templates>>,
    rules: Option<RowOf<Rules>>,
    schedules: Option<RowOf<Schedules>>,
}

/// Enters to configure, loading the label of a name and what may name it.
async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey, name: &str) -> Result<(Entry, Rows)> {
    let wanted = |org| {
        (
            keys::label(org, project, name),
            keys::templates(org, project),
            keys::rules(org, project),
            keys::schedules(org, project),
        )
    };
    let (entry, (label, templates, rules, schedules)) =
        enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    if entry.project.as_ref().is_some_and(|project| project.archived) {
        return Err(Refusal::ArchivedProject.into());
    }
    Ok((entry, Rows { label, templates, rules, schedules }))
}

/// The label of this row and its version, or one that items carry.
async fn found(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    name: &str,
    row: Option<&Row>,
) -> Result<(Label, u64)> {
    if let Some(row) = row {
        return Ok((row.read()?, row.version));
    }
    let carried = carried(app, org, project).await?.remove(&folded(name));
    let (name, _) = carried.ok_or(Refusal::NotFound)?;
    Ok((undefined(&name), 0))
}
