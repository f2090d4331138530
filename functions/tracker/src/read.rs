//! What requests ask of the tracker, in the domain's words. Refuses words that the domain does not have and
//! fields that contradict each other; everything else is for the use cases to judge.

mod sprints;

pub(crate) use sprints::{list_sprints, move_item, unfinished_to, update_sprint};

use svc_api::tracker as wire;
use svc_app::tracker::bulk::Bulk;
use svc_app::tracker::items::{NewItem, UpdateItem};
use svc_app::tracker::templates::{NewTemplate, UpdateTemplate};
use svc_app::tracker::workflow::SetWorkflow;
use svc_domain::item::{ItemEdit, ItemType, LabelEdit, Priority};
use svc_domain::label::{DEFAULT_COLOR, Label};
use svc_domain::refusal::FieldErrors;
use svc_domain::workflow::{Move, State, StateGroup, Workflow};

pub(crate) fn new_item(new: wire::NewItem) -> Result<NewItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let item_type = item_type(new.item_type, &mut errors);
    let priority = new.priority.and_then(|wanted| priority(wanted, &mut errors));
    errors.into_result()?;
    Ok(NewItem {
        // Without a type there are errors.
        item_type: item_type.unwrap_or(ItemType::Task),
        title: new.title,
        body: new.body,
        priority,
        labels: new.labels,
        estimate: new.estimate,
        assignee: new.assignee,
        parent: new.parent,
        state: new.state,
        template: new.template,
    })
}

pub(crate) fn new_subtask(new: wire::NewSubtask) -> Result<NewItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let priority = new.priority.and_then(|wanted| priority(wanted, &mut errors));
    errors.into_result()?;
    Ok(NewItem {
        item_type: ItemType::Subtask,
        title: new.title,
        body: new.body,
        priority,
        labels: new.labels,
        estimate: Some(new.estimate),
        assignee: new.assignee,
        parent: None,
        state: None,
        template: None,
    })
}

pub(crate) fn update_item(update: wire::UpdateItem) -> Result<UpdateItem, FieldErrors> {
    let mut errors = FieldErrors::default();
    let edit = ItemEdit {
        title: update.title,
        body: update.body,
        item_type: update.item_type.and_then(|wanted| item_type(wanted, &mut errors)),
        priority: update.priority.and_then(|wanted| priority(wanted, &mut errors)),
        labels: labels(update.labels, update.add_labels, update.remove_labels, &mut errors),
        estimate: update.estimate.into_option(),
        remaining: update.remaining.into_option(),
        assignee: None,
        parent: None,
        blocked: update.blocked,
    };
    errors.into_result()?;
    Ok(UpdateItem {
        version: update.version,
        edit,
        assignee: update.assignee.into_option(),
        parent: update.parent.into_option(),
    })
}

pub(crate) fn bulk(wanted: wire::BulkChange) -> Result<(Vec<(String, u64)>, Bulk), FieldErrors> {
    let items = wanted.items.into_iter().map(|item| (item.key, item.version)).collect();
    let change = match (wanted.change, wanted.state) {
        (Some(fields), None) => Bulk::Edit(Box::new(update_item(of_many(fields))?)),
        (None, Some(state)) => Bulk::Move(state),
        (Some(_), Some(_)) | (None, None) => {
            return Err(FieldErrors::one("change", "Give either a change or a state."));
        }
    };
    Ok((items, change))
}

fn of_many(fields: wire::BulkFields) -> wire::UpdateItem {
    wire::UpdateItem {
        item_type: fields.item_type,
        priority: fields.priority,
        labels: fields.labels,
        add_labels: fields.add_labels,
        remove_labels: fields.remove_labels,
        estimate: fields.estimate,
        remaining: fields.remaining,
        assignee: fields.assignee,
        parent: fields.parent,
        blocked: fields.blocked,
        ..wire::UpdateItem::default()
    }
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
            errors.add("labels", "Replace all labels, or add and remove some: not both.");
            LabelEdit::Keep
        }
        None if add.is_empty() && remove.is_empty() => LabelEdit::Keep,
        None => LabelEdit::Change { add, remove },
    }
}

fn item_type(wanted: wire::ItemType, errors: &mut FieldErrors) -> Option<ItemType> {
    match wanted {
        wire::ItemType::Story => Some(ItemType::Story),
        wire::ItemType::Bug => Some(ItemType::Bug),
        wire::ItemType::Task => Some(ItemType::Task),
        wire::ItemType::Epic => Some(ItemType::Epic),
        wire::ItemType::Subtask => Some(ItemType::Subtask),
        wire::ItemType::Unknown => {
            errors.add("type", one_of(ItemType::ALL.iter().map(|known| known.as_str())));
            None
        }
    }
}

fn priority(wanted: wire::Priority, errors: &mut FieldErrors) -> Option<Priority> {
    match wanted {
        wire::Priority::Lowest => Some(Priority::Lowest),
        wire::Priority::Low => Some(Priority::Low),
        wire::Priority::Medium => Some(Priority::Medium),
        wire::Priority::High => Some(Priority::High),
        wire::Priority::Highest => Some(Priority::Highest),
        wire::Priority::Unknown => {
            errors.add("priority", one_of(Priority::ALL.iter().map(|known| known.as_str())));
            None
        }
    }
}

fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> String {
    format!("Give one of {}.", words.collect::<Vec<_>>().join(", "))
}

pub(crate) fn new_template(new: wire::NewTemplate) -> Result<NewTemplate, FieldErrors> {
    let mut errors = FieldErrors::default();
    let item_type = item_type(new.item_type, &mut errors);
    let priority = new.priority.and_then(|wanted| priority(wanted, &mut errors));
    errors.into_result()?;
    // Without a type there are errors.
    let item_type = item_type.unwrap_or(ItemType::Task);
    Ok(NewTemplate { name: new.name, item_type, body: new.body, priority, labels: new.labels })
}

pub(crate) fn update_template(update: wire::UpdateTemplate) -> Result<UpdateTemplate, FieldErrors> {
    let mut errors = FieldErrors::default();
    let wanted = update.priority.into_option();
    let update = UpdateTemplate {
        version: update.version,
        name: update.name,
        item_type: update.item_type.and_then(|wanted| item_type(wanted, &mut errors)),
        body: update.body,
        priority: wanted.map(|wanted| wanted.and_then(|wanted| priority(wanted, &mut errors))),
        labels: update.labels,
    };
    errors.into_result().map(|()| update)
}

pub(crate) fn new_label(new: wire::NewLabel) -> Label {
    let color = new.color.unwrap_or_else(|| DEFAULT_COLOR.to_owned());
    Label { name: new.name, color, description: new.description }
}

pub(crate) fn workflow(set: wire::SetWorkflow) -> Result<SetWorkflow, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut states = Vec::with_capacity(set.states.len());
    for state in set.states {
        let group = match state.group {
            wire::StateGroup::Backlog => StateGroup::Backlog,
            wire::StateGroup::Active => StateGroup::Active,
            wire::StateGroup::Resolved => StateGroup::Resolved,
            wire::StateGroup::Closed => StateGroup::Closed,
            wire::StateGroup::Unknown => {
                let groups = one_of(StateGroup::ALL.iter().map(|known| known.as_str()));
                errors.add("states", format!("The group of {:?} is not known. {groups}", state.name));
                continue;
            }
        };
        states.push(State { name: state.name, group });
    }
    errors.into_result()?;
    let moves = |steps: Vec<wire::WorkflowMove>| -> Vec<Move> {
        steps.into_iter().map(|step| Move { from: step.from, to: step.to }).collect()
    };
    let workflow = Workflow { states, moves: moves(set.moves) };
    Ok(SetWorkflow { version: set.version, workflow, move_items: moves(set.move_items) })
}
