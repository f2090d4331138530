//! A project as records, on their way out and back in.

use svc_api::records::{
    AttachmentRecord, CommentRecord, ImportRecords, Imported, ImportedItem, ItemRecord, LabelRecord,
    LinkRecord, MilestoneRecord, PersonRecord, ProjectRecord, Record, RecordKind, SkippedRecord,
    SprintRecord, StateRecord,
};
use svc_app::tracker::project_export::Part;
use svc_app::tracker::project_import::{Import, Outcome};
use svc_domain::attachment::Attachment;
use svc_domain::import as domain;
use svc_domain::item::Item;
use svc_domain::refusal::FieldErrors;

use crate::words::{Word as _, check, one_of};

/// The records of these parts of an exported project, one JSON object a line.
pub fn lines(parts: Vec<Part>) -> Vec<u8> {
    let mut lines = Vec::new();
    for part in parts {
        // Writing to memory never fails.
        if serde_json::to_writer(&mut lines, &record(part)).is_ok() {
            lines.push(b'\n');
        }
    }
    lines
}

/// The record of a part of an exported project.
pub fn record(part: Part) -> Record {
    match part {
        Part::Project(project, workflow, source, at) => Record::Project(ProjectRecord {
            name: project.name.clone(),
            description: some(project.description.clone()),
            source,
            exported_at: Some(at),
            states: workflow
                .states
                .iter()
                .map(|state| StateRecord { name: state.name.clone(), group: state.group.sent() })
                .collect(),
        }),
        Part::Person(actor, address) => Record::Person(PersonRecord {
            id: actor.id.to_string(),
            agent: actor.id.is_agent(),
            name: actor.name,
            address,
        }),
        Part::Label(label) => Record::Label(LabelRecord { name: label.name, color: Some(label.color) }),
        Part::Milestone(milestone) => Record::Milestone(MilestoneRecord {
            id: milestone.id.to_string(),
            name: milestone.name,
            description: some(milestone.description),
            due: milestone.due,
            closed: milestone.closed_at.is_some(),
        }),
        Part::Sprint(sprint) => Record::Sprint(SprintRecord {
            id: sprint.id.to_string(),
            name: sprint.name,
            goal: some(sprint.goal),
            start: sprint.start,
            end: sprint.end,
            state: Some(sprint.state.sent()),
        }),
        Part::Item(item) => Record::Item(Box::new(self::item(*item))),
        Part::Comment(item, comment) => Record::Comment(CommentRecord {
            id: comment.id.to_string(),
            item: item.to_string(),
            author: Some(comment.author.id.to_string()),
            body: comment.body,
            created_at: comment.created_at,
            edited_at: comment.edited_at,
        }),
        Part::Link(item, link) => Record::Link(LinkRecord {
            from: item.to_string(),
            to: link.item.to_string(),
            relation: link.kind.sent(),
        }),
        Part::Attachment(attachment) => Record::Attachment(self::attachment(attachment)),
    }
}

/// A text, if there is one.
fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn item(item: Item) -> ItemRecord {
    ItemRecord {
        id: item.key.to_string(),
        key: Some(item.key.to_string()),
        url: None,
        title: item.title,
        body: some(item.body),
        state: item.state,
        item_type: Some(item.item_type.sent()),
        priority: Some(item.priority.sent()),
        labels: item.labels.into_iter().collect(),
        assignee: item.assignee.map(|actor| actor.id.to_string()),
        author: Some(item.created_by.id.to_string()),
        estimate: item.estimate,
        due: item.due,
        milestone: item.milestone.map(|id| id.to_string()),
        sprint: item.sprint,
        parent: item.parent.map(|key| key.to_string()),
        created_at: item.created_at,
        updated_at: Some(item.updated_at),
        closed_at: item.resolved_at,
    }
}

fn attachment(attachment: Attachment) -> AttachmentRecord {
    AttachmentRecord {
        id: attachment.id.to_string(),
        item: attachment.item.to_string(),
        comment: attachment.comment().map(|id| id.to_string()),
        media_type: Some(
            attachment
                .content
                .as_ref()
                .map_or_else(|| attachment.declared_type.clone(), |content| content.content_type.clone()),
        ),
        size: Some(attachment.size),
        file: Some(format!("files/{}/{}", attachment.id, attachment.name)),
        name: attachment.name,
        url: None,
    }
}

/// What is to be brought into a project.
///
/// # Errors
/// Every word that this program does not know.
pub fn import(wanted: ImportRecords) -> Result<Import, FieldErrors> {
    let ImportRecords { source, dry_run, records } = wanted;
    let mut errors = FieldErrors::default();
    let read = |(at, record)| domain_record(at, record, &mut errors);
    let records = records.into_iter().enumerate().filter_map(read).collect();
    errors.into_result()?;
    Ok(Import { source, dry_run, records })
}

/// The record in the domain; `None` where a word of it is told in the errors, or there is nothing to do about it.
fn domain_record(at: usize, record: Record, errors: &mut FieldErrors) -> Option<domain::Record> {
    let field = |name: &str| format!("records.{at}.{name}");
    Some(match record {
        Record::Project(_) => return None,
        Record::Unknown => {
            let known = domain::Kind::ALL.iter().map(|kind| kind.as_str());
            let known: Vec<&str> = ["project"].into_iter().chain(known).collect();
            errors.add(&field("kind"), one_of(&known));
            return None;
        }
        Record::Person(PersonRecord { id, name, address, agent }) => {
            domain::Record::Person(domain::Person { id, name, address, agent })
        }
        Record::Label(LabelRecord { name, color }) => domain::Record::Label(domain::Label { name, color }),
        Record::Milestone(MilestoneRecord { id, name, description, due, closed }) => {
            let description = description.unwrap_or_default();
            domain::Record::Milestone(domain::Milestone { id, name, description, due, closed })
        }
        Record::Sprint(SprintRecord { id, name, goal, start, end, state }) => {
            let state = match state {
                Some(state) => Some(check(&field("state"), state, errors)?),
                None => None,
            };
            let goal = goal.unwrap_or_default();
            domain::Record::Sprint(domain::Sprint { id, name, goal, start, end, state })
        }
        Record::Item(item) => {
            let item_type = match item.item_type {
                Some(word) => Some(check(&field("type"), word, errors)?),
                None => None,
            };
            let priority = match item.priority {
                Some(word) => Some(check(&field("priority"), word, errors)?),
                None => None,
            };
            domain::Record::Item(Box::new(domain::Item {
                id: item.id,
                key: item.key,
                url: item.url,
                title: item.title,
                body: item.body.unwrap_or_default(),
                state: item.state,
                item_type,
                priority,
                labels: item.labels,
                assignee: item.assignee,
                author: item.author,
                estimate: item.estimate,
                due: item.due,
                milestone: item.milestone,
                sprint: item.sprint,
                parent: item.parent,
                created_at: item.created_at,
                updated_at: item.updated_at,
                closed_at: item.closed_at,
            }))
        }
        Record::Comment(CommentRecord { id, item, author, body, created_at, edited_at }) => {
            domain::Record::Comment(domain::Comment { id, item, author, body, created_at, edited_at })
        }
        Record::Link(LinkRecord { from, to, relation }) => {
            let relation = check(&field("relation"), relation, errors)?;
            domain::Record::Link(domain::Link { from, to, relation })
        }
        Record::Attachment(AttachmentRecord { id, item, comment, name, url, .. }) => {
            domain::Record::Attachment(domain::Attachment { id, item, comment, name, url })
        }
    })
}

/// What an import did.
pub fn imported(outcome: Outcome) -> Imported {
    let skipped = |skipped: domain::Skipped| SkippedRecord {
        kind: kind(skipped.kind),
        id: skipped.id,
        reason: skipped.reason,
    };
    Imported {
        created: outcome.created,
        unchanged: outcome.unchanged,
        changed: outcome.changed,
        skipped: outcome.skipped.into_iter().map(skipped).collect(),
        items: outcome.items.into_iter().map(|(id, key)| ImportedItem { id, key: key.to_string() }).collect(),
    }
}

const fn kind(kind: domain::Kind) -> RecordKind {
    match kind {
        domain::Kind::Person => RecordKind::Person,
        domain::Kind::Label => RecordKind::Label,
        domain::Kind::Milestone => RecordKind::Milestone,
        domain::Kind::Sprint => RecordKind::Sprint,
        domain::Kind::Item => RecordKind::Item,
        domain::Kind::Comment => RecordKind::Comment,
        domain::Kind::Link => RecordKind::Link,
        domain::Kind::Attachment => RecordKind::Attachment,
    }
}
