//! What requests ask of the tracker, in the domain's words. Refuses words that the domain does not have and
//! fields that contradict each other; everything else is for the use cases to judge.

mod sprints;

pub(crate) use sprints::{list_sprints, move_item, unfinished_to, update_sprint};

use svc_api::tracker as wire;
use svc_app::tracker::items::{NewItem, UpdateItem};
use svc_domain::item::{ItemEdit, ItemType, LabelEdit, Priority};
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

pub(crate) fn workflow(set: wire::SetWorkflow) -> Result<Workflow, FieldErrors> {
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
    let moves = set.moves.into_iter().map(|step| Move { from: step.from, to: step.to }).collect();
    Ok(Workflow { states, moves })
}
