//! What was found, as batches of records for a project: what others name first, items after their parents, and with each
//! batch the people that it names.

use std::collections::BTreeMap;

use crate::exports::Miss;
use svc_api::records::{AttachmentRecord, MAX_RECORDS, PersonRecord, ProjectRecord, Record};

use super::gathered::Gathered;
use super::mapping::Proposed;
use super::report::Report;
use super::turn::Turn;
use crate::failure::Failure;

/// Bytes of a batch at most, below the service's limit of two mebibytes.
const MOST_BYTES: usize = 1_500_000;

/// Says of an attachment whether its file is there, to be uploaded.
pub type HasFile<'a> = &'a dyn Fn(&AttachmentRecord) -> bool;

/// Records that are sent together.
#[derive(Debug, Default)]
pub struct Batch {
    /// The people that they name, and they.
    pub records: Vec<Record>,
    /// How many there are without the people.
    pub count: u64,
    /// What of them does not come.
    pub misses: Vec<Miss>,
    bytes: usize,
    people: BTreeMap<String, PersonRecord>,
}

impl Batch {
    fn whole(mut self) -> Self {
        self.count = self.records.len() as u64;
        let people = std::mem::take(&mut self.people).into_values().map(Record::Person);
        self.records = people.chain(self.records).collect();
        self
    }
}

/// A record, and what of it does not come.
type Turned = Result<(Option<Record>, Vec<Miss>), Failure>;

/// How many records the batches have, without the people.
pub fn count(gathered: &Gathered) -> u64 {
    let small = 1 + gathered.labels.len() + gathered.milestones.len() + gathered.sprints.len();
    let large =
        gathered.items.len() + gathered.comments.len() + gathered.links.len() + gathered.attachments.len();
    (small + large) as u64
}

/// All that was found, in batches, without the attachments whose files are there. The same files and mapping make the
/// same batches.
///
/// # Errors
/// The temporary files cannot be read.
pub fn batches<'a>(
    gathered: &'a mut Gathered,
    proposed: &'a Proposed,
    has_file: HasFile<'a>,
) -> Result<impl Iterator<Item = Result<Batch, Failure>> + 'a, Failure> {
    let (order, circles) = gathered.order();
    let (items, comments) = (gathered.items.read_in(order.clone())?, gathered.comments.read()?);
    let (links, attachments) = (gathered.links.read()?, gathered.attachments.read()?);
    let gathered = &*gathered;
    let turn = Turn::new(proposed, gathered, circles);
    let items = order.into_iter().zip(items).map(move |(number, found)| {
        let mut misses = Vec::new();
        let item = turn.item(number, found?, gathered, &mut misses);
        Ok((Some(Record::Item(Box::new(item))), misses))
    });
    let comments = comments.map(|comment| {
        let mut comment = comment?;
        comment.item = gathered.id_of(&comment.item).to_owned();
        record(Record::Comment(comment))
    });
    let links = links.map(|link| {
        let mut link = link?;
        (link.from, link.to) = (gathered.id_of(&link.from).to_owned(), gathered.id_of(&link.to).to_owned());
        record(Record::Link(link))
    });
    let attachments = attachments.map(move |attachment| Ok(attached(attachment?, gathered, has_file)));
    let turned = small(gathered).map(record).chain(items).chain(comments).chain(links).chain(attachments);
    Ok(batched(turned, gathered))
}

fn record(record: Record) -> Turned {
    Ok((Some(record), Vec::new()))
}

/// The source, and what items name.
fn small(gathered: &Gathered) -> impl Iterator<Item = Record> {
    let project = ProjectRecord {
        name: gathered.source.clone(),
        description: None,
        source: gathered.source.clone(),
        exported_at: None,
        states: Vec::new(),
    };
    let labels = gathered.labels.values().cloned().map(Record::Label);
    let milestones = gathered.milestones.values().cloned().map(Record::Milestone);
    let sprints = gathered.sprints.values().cloned().map(Record::Sprint);
    std::iter::once(Record::Project(project)).chain(labels).chain(milestones).chain(sprints)
}

fn attached(
    mut attachment: AttachmentRecord,
    gathered: &Gathered,
    has_file: HasFile<'_>,
) -> (Option<Record>, Vec<Miss>) {
    if has_file(&attachment) {
        return (None, Vec::new());
    }
    if attachment.url.is_none() {
        return (None, vec![without_file(&attachment)]);
    }
    attachment.item = gathered.id_of(&attachment.item).to_owned();
    attachment.file = None;
    (Some(Record::Attachment(attachment)), Vec::new())
}

fn without_file(attachment: &AttachmentRecord) -> Miss {
    let reason = "its file is not there, and it has no address".to_owned();
    Miss { kind: "attachment".to_owned(), id: attachment.id.clone(), reason, text: None }
}

/// Puts records together, as many as a request takes.
fn batched<'a>(
    turned: impl Iterator<Item = Turned> + 'a,
    gathered: &'a Gathered,
) -> impl Iterator<Item = Result<Batch, Failure>> + 'a {
    let (mut turned, mut batch, mut is_over) = (turned, Batch::default(), false);
    std::iter::from_fn(move || {
        while !is_over {
            let (record, misses) = match turned.next() {
                Some(Ok(turned)) => turned,
                Some(Err(failure)) => return Some(Err(failure)),
                None => {
                    is_over = true;
                    break;
                }
            };
            batch.misses.extend(misses);
            let Some(record) = record else { continue };
            let named: Vec<PersonRecord> =
                named(&record).filter_map(|id| gathered.people.get(id).cloned()).collect();
            let bytes = serde_json::to_vec(&record).map_or(0, |record| record.len()) + 200 * named.len();
            let count = batch.records.len() + batch.people.len() + named.len() + 1;
            let is_full = count > MAX_RECORDS || batch.bytes + bytes > MOST_BYTES;
            let full = if is_full { std::mem::take(&mut batch) } else { Batch::default() };
            batch.people.extend(named.into_iter().map(|person| (person.id.clone(), person)));
            batch.records.push(record);
            batch.bytes += bytes;
            if is_full {
                return Some(Ok(full.whole()));
            }
        }
        let last = std::mem::take(&mut batch);
        (!last.records.is_empty() || !last.misses.is_empty()).then(|| Ok(last.whole()))
    })
}

/// The ids of the people that a record names.
fn named(record: &Record) -> impl Iterator<Item = &String> {
    let named = match record {
        Record::Item(item) => [item.assignee.as_ref(), item.author.as_ref()],
        Record::Comment(comment) => [comment.author.as_ref(), None],
        _ => [None, None],
    };
    named.into_iter().flatten()
}

/// Puts into the report what of the records cannot come, as far as that is known without the instance.
///
/// # Errors
/// There is no place for the report.
pub fn foresee(gathered: &mut Gathered, proposed: &Proposed, has_file: HasFile<'_>) -> Result<(), Failure> {
    let mut report = std::mem::replace(&mut gathered.report, Report::new()?);
    let (order, circles) = gathered.order();
    let turn = Turn::new(proposed, gathered, circles);
    for (number, found) in order.clone().into_iter().zip(gathered.items.read_in(order)?) {
        let mut misses = Vec::new();
        let item = turn.item(number, found?, gathered, &mut misses);
        misses.into_iter().try_for_each(|miss| report.add(miss))?;
        if let Some(parent) = item.parent.filter(|parent| !gathered.has_item(parent)) {
            let why = "these files do not have it: it comes only if it came before";
            report.miss("parent", &format!("{} {parent}", item.id), why)?;
        }
    }
    for comment in gathered.comments.read()? {
        let comment = comment?;
        if !gathered.has_item(&comment.item) {
            report.miss("comment", &comment.id, "these files do not have its item")?;
        }
    }
    for link in gathered.links.read()? {
        let link = link?;
        if let Some(other) = [&link.from, &link.to].into_iter().find(|id| !gathered.has_item(id)) {
            let why = "these files do not have the item: it comes only if that came before";
            report.miss("link", &format!("{} {} ({other})", link.from, link.to), why)?;
        }
    }
    for attachment in gathered.attachments.read()? {
        let attachment = attachment?;
        if attachment.url.is_none() && !has_file(&attachment) {
            report.add(without_file(&attachment))?;
        }
    }
    gathered.report = report;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::exports::ImportMapping;
    use jiff::Timestamp;
    use svc_api::records::Record;
    use svc_api::tracker::{StateGroup, WorkflowState};

    use super::{batches, count};
    use crate::found::FoundItem;
    use crate::gathered::Gathered;
    use crate::mapping::propose;

    #[test]
    fn batches_are_bounded_and_have_the_people_that_they_name() {
        let mut gathered = Gathered::new("csv:x").unwrap();
        for number in 0..500 {
            let mut found = FoundItem::new(number.to_string(), "t", "Open", Timestamp::UNIX_EPOCH);
            found.item.author = gathered.person("ada", None, None);
            found.item.body = (number == 0).then(|| "b".repeat(90_000));
            gathered.item(found, None).unwrap();
        }
        let states = [WorkflowState::new("Open", StateGroup::Backlog)];
        let proposed = propose(&mut gathered, &states, &ImportMapping::default()).unwrap();
        let all = count(&gathered);
        let found: Vec<_> =
            batches(&mut gathered, &proposed, &|_| false).unwrap().map(Result::unwrap).collect();
        assert_eq!(found.iter().map(|batch| batch.count).sum::<u64>(), all);
        assert!(found.iter().all(|batch| batch.records.len() <= 200));
        let has_person =
            |records: &[Record]| records.iter().any(|record| matches!(record, Record::Person(_)));
        assert!(found.len() == 3 && found.iter().all(|batch| has_person(&batch.records)));
    }
}
