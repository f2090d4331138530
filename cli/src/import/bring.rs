//! Brings what was found into a project: what others name first, items after their parents, files at the end.

use std::collections::HashSet;

use svc_api::records::{ProjectRecord, Record};
use svc_client::Org;

use super::files::{Uploads, path_of};
use super::gathered::Gathered;
use super::mapping::Proposed;
use super::report::Report;
use super::send::{Came, Sender};
use super::turn::Turn;
use crate::failure::Failure;
use crate::output::Output;

/// What an import did.
#[derive(Debug)]
pub(crate) struct Brought {
    pub(crate) came: Came,
    pub(crate) uploaded: u64,
    pub(crate) uploaded_before: u64,
}

/// Says what of the attachments and items cannot come, as far as that is known without the instance.
///
/// # Errors
/// There is no place for the report.
pub(crate) fn foresee(gathered: &mut Gathered, proposed: &Proposed) -> Result<(), Failure> {
    let mut report = std::mem::replace(&mut gathered.report, Report::new()?);
    let (order, circles) = gathered.order();
    let turn = Turn::new(proposed, gathered, circles);
    for (number, found) in order.clone().into_iter().zip(gathered.items.read_in(order)?) {
        let item = turn.item(number, found?, gathered, &mut report)?;
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
        if attachment.url.is_none() && path_of(&attachment, gathered.folder()).is_none() {
            report.miss("attachment", &attachment.id, "its file is not there, and it has no address")?;
        }
    }
    gathered.report = report;
    Ok(())
}

/// Brings everything.
///
/// # Errors
/// The instance refuses a request, or stays away; what came by then stays, and is not brought again.
pub(crate) async fn bring(
    gathered: &mut Gathered,
    proposed: &Proposed,
    org: Org<'_>,
    project: &str,
    output: &Output,
) -> Result<Brought, Failure> {
    let mut report = std::mem::replace(&mut gathered.report, Report::new()?);
    let brought = send(gathered, proposed, org, project, output, &mut report).await;
    gathered.report = report;
    brought
}

async fn send(
    gathered: &mut Gathered,
    proposed: &Proposed,
    org: Org<'_>,
    project: &str,
    output: &Output,
    report: &mut Report,
) -> Result<Brought, Failure> {
    let uploads = attachments_with_files(gathered)?;
    let (order, circles) = gathered.order();
    let (items, comments) = (gathered.items.read_in(order.clone())?, gathered.comments.read()?);
    let (links, attachments) = (gathered.links.read()?, gathered.attachments.read()?);
    let gathered = &*gathered;
    let small = gathered.labels.len() + gathered.milestones.len() + gathered.sprints.len();
    let large =
        gathered.items.len() + gathered.comments.len() + gathered.links.len() + gathered.attachments.len();
    let mut sender =
        Sender::new(org, project, &gathered.source, &gathered.people, output, (small + large) as u64);
    sender.wanted = uploads;
    let name = gathered.source.clone();
    let first = ProjectRecord {
        name: name.clone(),
        description: None,
        source: name,
        exported_at: None,
        states: Vec::new(),
    };
    sender.push(Record::Project(first), report).await?;
    for label in gathered.labels.values() {
        sender.push(Record::Label(label.clone()), report).await?;
    }
    for milestone in gathered.milestones.values() {
        sender.push(Record::Milestone(milestone.clone()), report).await?;
    }
    for sprint in gathered.sprints.values() {
        sender.push(Record::Sprint(sprint.clone()), report).await?;
    }
    let turn = Turn::new(proposed, gathered, circles);
    for (number, found) in order.into_iter().zip(items) {
        let item = turn.item(number, found?, gathered, report)?;
        sender.push(Record::Item(Box::new(item)), report).await?;
    }
    for comment in comments {
        let mut comment = comment?;
        comment.item = gathered.id_of(&comment.item).to_owned();
        sender.push(Record::Comment(comment), report).await?;
    }
    for link in links {
        let mut link = link?;
        (link.from, link.to) = (gathered.id_of(&link.from).to_owned(), gathered.id_of(&link.to).to_owned());
        sender.push(Record::Link(link), report).await?;
    }
    let mut files = Vec::new();
    for attachment in attachments {
        let mut attachment = attachment?;
        attachment.item = gathered.id_of(&attachment.item).to_owned();
        match path_of(&attachment, gathered.folder()) {
            Some(path) => files.push((attachment, path)),
            None if attachment.url.is_some() => {
                attachment.file = None;
                sender.push(Record::Attachment(attachment), report).await?;
            }
            None => {
                report.miss("attachment", &attachment.id, "its file is not there, and it has no address")?
            }
        }
    }
    let came = sender.finish(report).await?;
    let mut uploads = Uploads::new(org, output);
    for (attachment, path) in files {
        match came.keys.get(&attachment.item) {
            Some(key) => uploads.upload(&attachment, &path, key, report).await?,
            None => report.miss("attachment", &attachment.id, "its item did not come")?,
        }
    }
    Ok(Brought { came, uploaded: uploads.uploaded, uploaded_before: uploads.unchanged })
}

/// The ids of the items that have files to upload.
fn attachments_with_files(gathered: &mut Gathered) -> Result<HashSet<String>, Failure> {
    let mut items = HashSet::new();
    for attachment in gathered.attachments.read()? {
        let attachment = attachment?;
        if path_of(&attachment, gathered.folder()).is_some() {
            items.insert(gathered.id_of(&attachment.item).to_owned());
        }
    }
    Ok(items)
}
