//! Brings what was found into a project: what others name first, items after their parents, files at the end.

use std::collections::HashSet;
use std::path::Path;

use svc_client::Org;
use svc_import::{Gathered, Proposed, Report, batches, count};

use super::files::{Uploads, has_file, path_of};
use super::send::{Came, Sender};
use crate::failure::Failure;
use crate::output::Output;

/// What an import did.
#[derive(Debug)]
pub(crate) struct Brought {
    pub(crate) came: Came,
    pub(crate) uploaded: u64,
    pub(crate) uploaded_before: u64,
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
    let folder = gathered.folder().map(Path::to_owned);
    let has_file = has_file(gathered);
    let (mut files, mut wanted) = (Vec::new(), HashSet::new());
    for attachment in gathered.attachments.read()? {
        let mut attachment = attachment?;
        attachment.item = gathered.id_of(&attachment.item).to_owned();
        if let Some(path) = path_of(&attachment, folder.as_deref()) {
            wanted.insert(attachment.item.clone());
            files.push((attachment, path));
        }
    }
    let all = count(gathered) - files.len() as u64;
    let mut sender = Sender::new(org, project, gathered.source.clone(), wanted, output, all);
    for batch in batches(gathered, proposed, &has_file)? {
        sender.send(batch?, report).await?;
    }
    let came = sender.came;
    let mut uploads = Uploads::new(org, output);
    for (attachment, path) in files {
        match came.keys.get(&attachment.item) {
            Some(key) => uploads.upload(&attachment, &path, key, report).await?,
            None => report.miss("attachment", &attachment.id, "its item did not come")?,
        }
    }
    Ok(Brought { came, uploaded: uploads.uploaded, uploaded_before: uploads.unchanged })
}
