//! What requests ask of the tracker, in the domain's words. Refuses words that the domain does not have and
//! fields that contradict each other; everything else is for the use cases to judge.

mod activity;
mod milestones;
mod sprints;

pub use activity::activity;
pub use milestones::{new_milestone, update_milestone};
pub use sprints::{list_sprints, move_item, unfinished_to, update_sprint};

use svc_api::tracker as wire;
use svc_app::tracker::bulk::Bulk;
use svc_app::tracker::items::{NewItem, UpdateItem};
use svc_app::tracker::templates::{NewTemplate, UpdateTemplate};
use svc_app::tracker::views::{NewView, UpdateView};
use svc_app::tracker::workflow::SetWorkflow;
use svc_domain::ids::{ItemKey, MilestoneId, ProjectKey};
use svc_domain::item::{ItemEdit, ItemType, LabelEdit};
use svc_domain::item_link::LinkKind;
use svc_domain::label::{DEFAULT_COLOR, Label};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::workflow::{Move, State, Workflow};

use crate::words::{WireWord as _, all, check, one_of, read};

/// Which milestone's items statistics are asked for.
///
/// # Errors
/// [`Refusal::InvalidQuery`] for what is no id.
pub fn milestone_of_stats(query: &wire::ProjectStatsQuery) -> Result<Option<MilestoneId>, Refusal> {
    let wrong = |_| FieldErrors::one("milestone", "Give the id of a milestone of the project.");
    query.milestone.as_deref().map(str::parse).transpose().map_err(wrong).map_err(Refusal::InvalidQuery)
}

/// An item to make.
///
/// # Errors
/// Every field that is not acceptable.
pub fn new_item(new: wire::NewItem) -> Result<NewItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let item_type = check("type", new.item_type, &mut errors);
    let priority = new.priority.and_then(|wanted| check("priority", wanted, &mut errors));
    let sprint = new.sprint.and_then(|id| {
        let sprint = id.parse().ok();
        if sprint.is_none() {
            errors.add("sprint", "Give the id of a sprint of the project.");
        }
        sprint
    });
    errors.into_result()?;
    Ok(NewItem {
        // Without a type there are errors.
        item_type: item_type.unwrap_or(ItemType::Task),
        title: new.title,
        body: new.body,
        priority,
        labels: new.labels,
        estimate: new.estimate,
        remaining: new.remaining,
        blocked: new.blocked,
        due: new.due,
        sprint,
        milestone: new.milestone,
        assignee: new.assignee,
        parent: new.parent,
        state: new.state,
        template: new.template,
    })
}

/// The project to move an item to.
///
/// # Errors
/// What is no key of a project.
pub fn target_project(key: &str) -> Result<ProjectKey, FieldErrors> {
    let mut errors = FieldErrors::default();
    let parsed = key.parse().map_err(|_| errors.add("project", "Give the key of a project, such as WEB."));
    parsed.map_err(|()| errors)
}

/// A subtask to make.
///
/// # Errors
/// Every field that is not acceptable.
pub fn new_subtask(new: wire::NewSubtask) -> Result<NewItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let priority = new.priority.and_then(|wanted| check("priority", wanted, &mut errors));
    errors.into_result()?;
    Ok(NewItem {
        item_type: ItemType::Subtask,
        title: new.title,
        body: new.body,
        priority,
        labels: new.labels,
        estimate: Some(new.estimate),
        remaining: None,
        blocked: false,
        due: None,
        sprint: None,
        milestone: None,
        assignee: new.assignee,
        parent: None,
        state: None,
        template: None,
    })
}

/// A change of an item.
///
/// # Errors
/// Every field that is not acceptable.
pub fn update_item(update: wire::UpdateItem) -> Result<UpdateItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let edit = ItemEdit {
        title: update.title,
        body: update.body,
        item_type: update.item_type.and_then(|wanted| check("type", wanted, &mut errors)),
        priority: update.priority.and_then(|wanted| check("priority", wanted, &mut errors)),
        labels: labels(update.labels, update.add_labels, update.remove_labels, &mut errors),
        estimate: update.estimate.into_option(),
        remaining: update.remaining.into_option(),
        assignee: None,
        parent: None,
        blocked: update.blocked,
        due: update.due.into_option(),
        milestone: None,
    };
    errors.into_result()?;
    Ok(UpdateItem {
        version: update.version,
        edit,
        assignee: update.assignee.into_option(),
        parent: update.parent.into_option(),
        milestone: update.milestone.into_option(),
    })
}

/// A change of many items: their keys and versions, and the change.
///
/// # Errors
/// Every field that is not acceptable.
pub fn bulk(wanted: wire::BulkChange) -> Result<(Vec<(String, u64)>, Bulk), FieldErrors> {
    let items = wanted.items.into_iter().map(|item| (item.key, item.version)).collect();
    let change = match (wanted.change, wanted.state) {
        (Some(fields), None) => Bulk::Edit(Box::new(update_item(fields.into())?)),
        (None, Some(state)) => Bulk::Move(state),
        (Some(_), Some(_)) | (None, None) => {
            return Err(FieldErrors::one("change", "Give either a change or a state."));
        }
    };
    Ok((items, change))
}

fn labels(
    replace: Option<Vec<String>>,
    add: Vec<String>,
    remove: Vec<String>,
    errors: &mut FieldErrors,
) -> LabelEdit {
    match replace {
        Some(labels) if add.is_empty() && remove.is_empty() => LabelEdit::Replace(labels),
        Some(_) => {
            errors.add("labels", "Either replace all labels, or add and remove some, not both.");
            LabelEdit::Keep
        }
        None if add.is_empty() && remove.is_empty() => LabelEdit::Keep,
        None => LabelEdit::Change { add, remove },
    }
}

/// A template to make.
///
/// # Errors
/// Every field that is not acceptable.
pub fn new_template(new: wire::NewTemplate) -> Result<NewTemplate, FieldErrors> {
    let mut errors = FieldErrors::default();
    let item_type = check("type", new.item_type, &mut errors);
    let priority = new.priority.and_then(|wanted| check("priority", wanted, &mut errors));
    errors.into_result()?;
    // Without a type there are errors.
    let item_type = item_type.unwrap_or(ItemType::Task);
    Ok(NewTemplate { name: new.name, item_type, body: new.body, priority, labels: new.labels })
}

/// A change of a template.
///
/// # Errors
/// Every field that is not acceptable.
pub fn update_template(update: wire::UpdateTemplate) -> Result<UpdateTemplate, FieldErrors> {
    let mut errors = FieldErrors::default();
    let wanted = update.priority.into_option();
    let update = UpdateTemplate {
        version: update.version,
        name: update.name,
        item_type: update.item_type.and_then(|wanted| check("type", wanted, &mut errors)),
        body: update.body,
        priority: wanted.map(|wanted| wanted.and_then(|wanted| check("priority", wanted, &mut errors))),
        labels: update.labels,
    };
    errors.into_result().map(|()| update)
}

/// A view to save.
///
/// # Errors
/// A layout that this program does not know.
pub fn new_view(new: wire::NewView) -> Result<NewView, Refusal> {
    let wire::NewView { name, shared, filter, q, sort, group, layout } = new;
    let layout = layout.map(|layout| read("layout", layout)).transpose()?;
    Ok(NewView { name, shared, filter, q, sort, group, layout })
}

/// A change of a saved view.
///
/// # Errors
/// A layout that this program does not know.
pub fn update_view(update: wire::UpdateView) -> Result<UpdateView, Refusal> {
    let wire::UpdateView { version, name, shared, filter, q, sort, group, layout } = update;
    let (q, sort, group) = (q.into_option(), sort.into_option(), group.into_option());
    let layout = match layout.into_option() {
        Some(Some(layout)) => Some(Some(read("layout", layout)?)),
        Some(None) => Some(None),
        None => None,
    };
    Ok(UpdateView { version, name, shared, filter, q, sort, group, layout })
}

/// A label to make.
pub fn new_label(new: wire::NewLabel) -> Label {
    let color = new.color.unwrap_or_else(|| DEFAULT_COLOR.to_owned());
    Label { name: new.name, color, description: new.description }
}

/// A link to make or to take away.
#[derive(Debug)]
pub enum LinkTo {
    /// With a pull request.
    PullRequest(String),
    /// With another item.
    Item(LinkKind, ItemKey),
}

/// Which links to take away.
#[derive(Debug)]
pub enum Unlink {
    /// This one.
    One(LinkTo),
    /// Those with items that the caller does not see.
    Hidden,
}

/// The items to link an item with.
///
/// # Errors
/// Every field that is not acceptable.
pub fn new_link(new: wire::NewLink) -> Result<LinkTo, FieldErrors> {
    link_to(new.url, new.kind, new.item)
}

/// The links to remove.
///
/// # Errors
/// Every field that is not acceptable.
pub fn link_query(query: wire::LinkQuery) -> Result<Unlink, FieldErrors> {
    match query {
        // Only who may take links away is told that none is named.
        wire::LinkQuery { url, kind: None, item: None, hidden: false } => {
            Ok(Unlink::One(LinkTo::PullRequest(url)))
        }
        wire::LinkQuery { url, kind: None, item: None, hidden: true } if url.is_empty() => Ok(Unlink::Hidden),
        wire::LinkQuery { hidden: true, .. } => {
            Err(FieldErrors::one("hidden", "Give it alone, without url, type and item."))
        }
        wire::LinkQuery { url, kind, item, hidden: false } => {
            link_to(Some(url).filter(|url| !url.is_empty()), kind, item).map(Unlink::One)
        }
    }
}

fn link_to(
    url: Option<String>,
    kind: Option<wire::LinkKind>,
    item: Option<String>,
) -> Result<LinkTo, FieldErrors> {
    const EITHER: &str = "Give either the address of a pull request as `url`, or `type` and `item`.";
    let mut errors = FieldErrors::default();
    let (kind, item) = match (url, kind, item) {
        (Some(url), None, None) => return Ok(LinkTo::PullRequest(url)),
        (None, Some(kind), Some(item)) => (kind, item),
        (None, Some(_), None) => return Err(FieldErrors::one("item", "Give the key of the other item.")),
        (None, None, Some(_)) => {
            let kinds = one_of(&all::<wire::LinkKind>());
            return Err(FieldErrors::one("type", format!("Say how the items are related. {kinds}")));
        }
        (Some(_), ..) | (None, None, None) => return Err(FieldErrors::one("url", EITHER)),
    };
    let kind = check("type", kind, &mut errors);
    let key = errors.check("item", item.trim().parse::<ItemKey>());
    errors.into_result()?;
    // Without these there are errors.
    kind.zip(key).map(|(kind, key)| LinkTo::Item(kind, key)).ok_or_else(|| FieldErrors::one("url", EITHER))
}

/// A workflow to set.
///
/// # Errors
/// Every field that is not acceptable.
pub fn workflow(set: wire::SetWorkflow) -> Result<SetWorkflow, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut states = Vec::with_capacity(set.states.len());
    for state in set.states {
        match state.group.known() {
            Some(group) => states.push(State {
                id: state.id,
                name: state.name,
                group,
                wip_limit: state.wip_limit,
                color: state.color,
                description: state.description,
            }),
            None => {
                let groups = one_of(&all::<wire::StateGroup>());
                errors.add("states", format!("The group of {:?} is not known. {groups}", state.name));
            }
        }
    }
    errors.into_result()?;
    let moves = |steps: Vec<wire::SetWorkflowMove>| -> Vec<Move> {
        steps.into_iter().map(|step| Move { from: step.from, to: step.to }).collect()
    };
    let workflow = Workflow { states, moves: moves(set.moves), rules: false };
    Ok(SetWorkflow { version: set.version, workflow, move_items: moves(set.move_items) })
}
