//! Creating, viewing and editing items.

use std::borrow::Cow;

use jiff::civil::Date;
use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::hierarchy;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey, SprintId};
use svc_domain::item::{FieldChange, Item, ItemEdit, ItemType, LabelEdit, Priority};
use svc_domain::milestone::Milestones;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::template::Templates;
use svc_domain::workflow::{State, Workflow};
use svc_storage::{KeyOf, Op, RowOf, StorageError, keys};

use super::label_room;
use super::load::{ItemDetails, Loaded, load, load_with};
use super::relations::{Assignee, AssigneeKeys, AssigneeRows, parent_checks, wanted_parent};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::tracker::{ItemChange, milestones, sprints};
use crate::transaction::Transaction;

/// Counter of the row that item numbers come from.
pub(crate) const NUMBER: &str = "last";

/// An item to create.
#[derive(Clone, Debug)]
pub struct NewItem {
    /// Kind of work.
    pub item_type: ItemType,
    /// Title.
    pub title: String,
    /// Description.
    pub body: String,
    /// Medium when absent.
    pub priority: Option<Priority>,
    /// Labels.
    pub labels: Vec<String>,
    /// Estimated effort.
    pub estimate: Option<f64>,
    /// Effort left.
    pub remaining: Option<f64>,
    /// Whether something else must happen first.
    pub blocked: bool,
    /// The day by which it should be done.
    pub due: Option<Date>,
    /// A sprint that is not completed. Without one, a subtask is planned where its item is.
    pub sprint: Option<SprintId>,
    /// Id or name of an open milestone.
    pub milestone: Option<String>,
    /// Id of a person who sees the project, or `@me`.
    pub assignee: Option<String>,
    /// Key of an item of the project.
    pub parent: Option<String>,
    /// Name of a state; the workflow's first when absent.
    pub state: Option<String>,
    /// Id or name of a ticket template.
    pub template: Option<String>,
}

impl NewItem {
    /// The same, with what a template gives where it says nothing itself.
    fn filled(&self, templates: &Templates, errors: &mut FieldErrors) -> Cow<'_, Self> {
        let Some(wanted) = &self.template else { return Cow::Borrowed(self) };
        let Some(template) = templates.find(wanted) else {
            let known = templates.0.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
            errors.add("template", format!("There is no template {wanted:?}. The templates are: {known}."));
            return Cow::Borrowed(self);
        };
        if template.item_type != self.item_type {
            errors.add("template", format!("{:?} is for the type {}.", template.name, template.item_type));
        }
        let mut filled = self.clone();
        if filled.body.is_empty() {
            filled.body.clone_from(&template.body);
        }
        if filled.labels.is_empty() {
            filled.labels = template.labels.iter().cloned().collect();
        }
        filled.priority = filled.priority.or(template.priority);
        Cow::Owned(filled)
    }

    /// What needs no looking up.
    fn plain_fields(&self) -> ItemEdit {
        ItemEdit {
            title: Some(self.title.clone()),
            body: Some(self.body.clone()),
            priority: self.priority,
            labels: LabelEdit::Replace(self.labels.clone()),
            estimate: Some(self.estimate),
            remaining: Some(self.remaining),
            blocked: Some(self.blocked),
            due: Some(self.due),
            ..ItemEdit::default()
        }
    }
}

/// A wanted change of an item.
#[derive(Clone, Debug)]
pub struct UpdateItem {
    /// The version last read.
    pub version: u64,
    /// The plain fields; assignee and parent of it are set by what follows.
    pub edit: ItemEdit,
    /// Id of a person who sees the project, or `@me`; `Some(None)` clears it.
    pub assignee: Option<Option<String>>,
    /// Key of an item of the project; `Some(None)` clears it.
    pub parent: Option<Option<String>>,
    /// Id or name of an open milestone of the project; `Some(None)` clears it.
    pub milestone: Option<Option<String>>,
}

/// An item.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    Ok(load(app, caller, key, Capability::SeeProject).await?.unchanged(app))
}

/// Changes the description of an item by a rule, which answers `None` where the text has nothing for it.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`] for such a text; those of [`update`].
pub async fn rewrite<F: Future<Output = Result<Option<String>>>>(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    version: u64,
    rule: impl FnOnce(String) -> F,
) -> Result<ItemDetails> {
    let found = load(app, caller, key, Capability::Work).await?;
    let current = found.item.revision;
    if current != version {
        return Err(Refusal::StaleVersion { current }.into());
    }
    let body = rule(found.item.body).await?.ok_or(Refusal::NotFound)?;
    let edit = ItemEdit { body: Some(body), ..ItemEdit::default() };
    let update = UpdateItem { version, edit, assignee: None, parent: None, milestone: None };
    app.decide(|| update_once(app, caller, key, Fields::of_the_same_text(&update))).await
}

/// Creates an item.
///
/// # Errors
/// Every field that is not acceptable.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewItem,
) -> Result<ItemDetails> {
    app.decide(|| create_once(app, caller, project, new)).await
}

/// Creates an item that belongs to another. Whatever parent `new` names, it is that one.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`] for the other; every field that is not acceptable.
pub async fn create_under(
    app: &App,
    caller: Caller<'_>,
    parent: &ItemKey,
    new: &NewItem,
) -> Result<ItemDetails> {
    load(app, caller, parent, Capability::Work).await?;
    let new = NewItem { parent: Some(parent.to_string()), ..new.clone() };
    create(app, caller, &parent.project, &new).await
}

async fn create_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewItem,
) -> Result<ItemDetails> {
    let assignee = new.assignee.as_deref().map(Assignee::parse);
    let wanted = |org| {
        (
            keys::workflow(org, project),
            keys::templates(org, project),
            new.sprint.map(|sprint| keys::sprint(org, project, sprint)),
            new.milestone.is_some().then(|| keys::milestones(org, project)),
            assignee.as_ref().map(|assignee| assignee.keys(org, project)).unwrap_or_default(),
        )
    };
    let (entry, (workflow, templates, sprint, milestones, of_assignee)) =
        enter_project_with(app, caller, project, Capability::Work, wanted).await?;
    let org = entry.org_id();
    let workflow = app.parse_cache.workflow(workflow)?;
    let templates = RowOf::or_default(templates.as_ref())?;
    let mut errors = FieldErrors::default();
    let new = new.filled(&templates, &mut errors);
    let by_agent = entry.access.is_agent();
    let state = starting_state(&workflow, new.state.as_deref(), by_agent, &mut errors);
    let mut edit = new.plain_fields();
    let milestone = milestones::chosen(milestones.as_ref(), new.milestone.as_deref(), None, &mut errors)?;
    edit.milestone = Some(milestone.as_ref().map(|(id, _)| *id));
    let planned = if new.sprint.is_some() { sprints::chosen(sprint.as_ref(), &mut errors)? } else { None };
    if let Some(assignee) = &assignee {
        edit.assignee = Some(assignee.find(&entry, &of_assignee, &mut errors)?);
    }
    hierarchy::check_new(new.item_type, new.parent.is_some(), &mut errors);
    let parent = wanted_parent(app, org, new.parent.as_deref(), project, &mut errors).await?;
    edit.parent = new.parent.is_some().then_some(parent);
    // The number is drawn last, so that what is refused uses none.
    let undrawn = ItemKey { project: project.clone(), number: 0 };
    let (by, now) = (entry.actor().clone(), app.now());
    let mut item = Item::new(undrawn, new.item_type, String::new(), state.name.clone(), by, now);
    item.enter(&state.name, state.group, now);
    let mut checks = edit_item(app, &entry, &mut item, edit, errors).await?.1;
    entry.access.require_reach(&item.key, item.parent.as_ref())?;
    entry.access.require_changing()?;
    checks.extend(milestone.map(|(_, check)| check));
    checks.extend(sprints::plan_new(app, org, planned, &mut item).await?);
    item.key.number = next_number(app, org, project).await?;
    let item = commit_new(app, &entry, item, &workflow, checks).await?;
    Ok(ItemDetails::of(app, item, &workflow))
}

async fn commit_new(
    app: &App,
    entry: &Entry,
    item: Item,
    workflow: &Workflow,
    checks: Vec<Op>,
) -> Result<Item> {
    let mut change = ItemChange::create(entry.org_id(), item);
    // What an agent makes starts no work: it would start itself again without end.
    if workflow.rules && !entry.access.is_agent() {
        let (item, state) = (change.item.key.clone(), change.item.state.clone());
        change.tell(ItemEvent::StateEntered { item, state, run: None });
    }
    change.tell(ItemEvent::Created(change.item.key.clone()));
    let mut transaction = Transaction::of(app, entry);
    let item = transaction.save(change);
    app.commit(transaction.with(checks)).await?;
    Ok(item)
}

/// The state that an item begins in. Agents move no items, and so begin theirs where every item begins.
fn starting_state<'a>(
    workflow: &'a Workflow,
    wanted: Option<&str>,
    by_agent: bool,
    errors: &mut FieldErrors,
) -> &'a State {
    let first = workflow.first();
    let Some(name) = wanted else { return first };
    let found = workflow.find(name);
    match found {
        None => errors.add("state", format!("There is no state {name:?} in the workflow.")),
        Some(found) if by_agent && found.name != first.name => {
            errors.add("state", format!("Items created by agents start in {:?}.", first.name));
        }
        Some(_) => {}
    }
    found.unwrap_or(first)
}

/// Draws the number of an item, which no other item gets.
pub(crate) async fn next_number(app: &App, org: OrgId, project: &ProjectKey) -> Result<u64> {
    last_number(app, org, project, 1).await
}

/// Draws the numbers of so many items; the last of them.
pub(super) async fn last_number(app: &App, org: OrgId, project: &ProjectKey, many: i64) -> Result<u64> {
    let key = keys::item_number(org, project);
    let number = app.table.increment(&key, NUMBER, many, None).await?;
    Ok(u64::try_from(number).map_err(|_| StorageError::Corrupt(format!("{}: below zero", key.pk)))?)
}

/// Changes an item's fields. What is so already is no change, and nothing is written when all of it is.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::StaleVersion`]; every field that is not acceptable.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    update: &UpdateItem,
) -> Result<ItemDetails> {
    app.decide(|| update_once(app, caller, key, Fields::of(update))).await
}

async fn update_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    fields: Fields<'_>,
) -> Result<ItemDetails> {
    let wanted = |org| fields.keys(org, &key.project);
    let (loaded, rows) = load_with(app, caller, key, Capability::Work, wanted).await?;
    loaded.require_version(fields.update.version)?;
    let mut change = loaded.change();
    let checks = fields.apply(app, &loaded.entry, &rows, &mut change, FieldErrors::default()).await?;
    let Some(checks) = checks else { return Ok(loaded.unchanged(app)) };
    Loaded::commit(loaded, app, change, checks).await
}

/// What [`Fields::keys`] found: the row of the milestones, and those of the assignee.
pub(super) type FieldRows = (Option<RowOf<Milestones>>, AssigneeRows);

/// Fields of an item to change.
pub(super) struct Fields<'a> {
    update: &'a UpdateItem,
    assignee: Option<Option<Assignee>>,
    /// Whether the description keeps its author.
    same_text: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn of(update: &'a UpdateItem) -> Self {
        let assignee = update.assignee.as_ref().map(|text| text.as_deref().map(Assignee::parse));
        Self { update, assignee, same_text: false }
    }

    /// Those of a change to the description that writes no words, such as a tick.
    fn of_the_same_text(update: &'a UpdateItem) -> Self {
        Self { same_text: true, ..Self::of(update) }
    }

    /// The rows that tell what the new milestone is and who the new assignee.
    pub(super) fn keys(&self, org: OrgId, project: &ProjectKey) -> (Option<KeyOf<Milestones>>, AssigneeKeys) {
        let milestones = self.update.milestone.is_some().then(|| keys::milestones(org, project));
        let assignee = self.assignee.as_ref().and_then(Option::as_ref);
        (milestones, assignee.map(|assignee| assignee.keys(org, project)).unwrap_or_default())
    }

    /// Changes the item and its history, with what [`Self::keys`] found. Answers what the commit must demand of
    /// the items above, or nothing where all is so already.
    pub(super) async fn apply(
        &self,
        app: &App,
        entry: &Entry,
        (row, of_assignee): &FieldRows,
        change: &mut ItemChange,
        mut errors: FieldErrors,
    ) -> Result<Option<Vec<Op>>> {
        let mut edit = self.update.edit.clone();
        let milestone = self.update.milestone.as_ref().and_then(Option::as_deref);
        let milestone = milestones::chosen(row.as_ref(), milestone, change.item.milestone, &mut errors)?;
        edit.milestone = self.update.milestone.as_ref().map(|_| milestone.as_ref().map(|(id, _)| *id));
        edit.assignee = match &self.assignee {
            Some(Some(assignee)) => Some(assignee.find(entry, of_assignee, &mut errors)?),
            Some(None) => Some(None),
            None => None,
        };
        if edit.item_type.is_some() || self.update.parent.is_some() {
            entry.access.require_rearranging()?;
        }
        let project = change.item.key.project.clone();
        if let Some(text) = &self.update.parent {
            let org = entry.org_id();
            edit.parent = Some(wanted_parent(app, org, text.as_deref(), &project, &mut errors).await?);
        }
        let writer = self.same_text.then(|| change.item.body_by.clone());
        let (mut changes, mut checks) = edit_item(app, entry, &mut change.item, edit, errors).await?;
        milestones::name_in(&mut changes, row.as_ref())?;
        checks.extend(milestone.map(|(_, check)| check));
        if let Some(writer) = writer {
            change.item.body_by = writer;
        }
        if changes.is_empty() {
            return Ok(None);
        }
        for field in changes {
            change.tell(ItemEvent::Changed(change.item.key.clone(), field));
        }
        Ok(Some(checks))
    }
}

/// Applies an edit, adding what is wrong with it to the errors that there are already; returns what changed
/// and what the commit must demand of the items above.
pub(super) async fn edit_item(
    app: &App,
    entry: &Entry,
    item: &mut Item,
    edit: ItemEdit,
    mut errors: FieldErrors,
) -> Result<(Vec<FieldChange>, Vec<Op>)> {
    let new_parent = edit.parent.clone().flatten().filter(|parent| item.parent.as_ref() != Some(parent));
    let labels = item.labels.clone();
    let changes = item.edit(edit, entry.actor()).unwrap_or_else(|more| {
        errors.0.extend(more.0);
        vec![]
    });
    let checks = match new_parent.filter(|parent| *parent != item.key) {
        Some(parent) => parent_checks(app, entry.org_id(), &item.key, &parent, &mut errors).await?,
        None => vec![],
    };
    label_room::check(app, entry.org_id(), item, &labels, &mut errors).await?;
    errors.into_result()?;
    Ok((changes, checks))
}
