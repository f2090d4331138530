//! The files of attachments: those that are there are uploaded, once; of the others the address becomes a link.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use svc_api::page::PageQuery;
use svc_api::records::AttachmentRecord;
use svc_api::tracker::Attachment;
use svc_client::Org;
use svc_domain::attachment::name::file_name;
use svc_import::{Gathered, Report};

use crate::failure::Failure;
use crate::output::Output;
use crate::uploading::attach;

/// The file of an attachment, where it is in the folder.
pub(crate) fn path_of(attachment: &AttachmentRecord, folder: Option<&Path>) -> Option<PathBuf> {
    let path = Path::new(attachment.file.as_deref()?);
    // An export writes names that are none of a file in another way.
    let written = file_name(&attachment.name).map(|name| Path::new("files").join(&attachment.id).join(name));
    [Some(path.to_owned()), written].into_iter().flatten().find_map(|path| {
        // Nothing outside of the folder is read.
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder?.join(path);
        let leads_there = || {
            let real = folder?.canonicalize().ok()?;
            (path.canonicalize().ok()?.starts_with(real) && !path.is_symlink()).then_some(())
        };
        (is_below && path.is_file() && leads_there().is_some()).then_some(path)
    })
}

/// Whether the file of an attachment is in the folder of what was found.
pub(crate) fn has_file(gathered: &Gathered) -> impl Fn(&AttachmentRecord) -> bool + use<> {
    let folder = gathered.folder().map(Path::to_owned);
    move |attachment| path_of(attachment, folder.as_deref()).is_some()
}

/// Uploads files to items.
pub(crate) struct Uploads<'a> {
    org: Org<'a>,
    output: &'a Output,
    /// The attachments that each item has.
    known: HashMap<String, Vec<Attachment>>,
    /// Files that were uploaded.
    pub(crate) uploaded: u64,
    /// Files that were there.
    pub(crate) unchanged: u64,
}

impl<'a> Uploads<'a> {
    /// Nothing is uploaded yet.
    pub(crate) fn new(org: Org<'a>, output: &'a Output) -> Self {
        Self { org, output, known: HashMap::new(), uploaded: 0, unchanged: 0 }
    }

    /// Uploads a file to an item, unless the item has one of its name and size.
    ///
    /// # Errors
    /// The instance stays away; what it refuses is in the report.
    pub(crate) async fn upload(
        &mut self,
        attachment: &AttachmentRecord,
        path: &Path,
        item: &str,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if !self.known.contains_key(item) {
            let known = self.attachments(item).await?;
            self.known.insert(item.to_owned(), known);
        }
        let size = std::fs::metadata(path).map(|file| file.len()).unwrap_or_default();
        let known = self.known.get(item).into_iter().flatten();
        if known.clone().any(|known| known.name == attachment.name && known.size == size) {
            self.unchanged += 1;
            return Ok(());
        }
        let (name, kind) = (Some(attachment.name.clone()), attachment.media_type.clone());
        match attach(self.org, item, path, name, kind, self.output).await {
            Ok(attached) => {
                self.uploaded += 1;
                self.known.entry(item.to_owned()).or_default().push(attached);
                Ok(())
            }
            Err(failure) if failure.is_refusal() => {
                Ok(report.miss("attachment", &attachment.id, &failure.said())?)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn attachments(&self, item: &str) -> Result<Vec<Attachment>, Failure> {
        let mut attachments = Vec::new();
        for page in 1.. {
            let query = PageQuery { page: Some(page), page_size: Some(100) };
            let found = self.org.attachments(item, &query).await?;
            let count = found.items.len();
            attachments.extend(found.items);
            if count < 100 {
                break;
            }
        }
        Ok(attachments)
    }
}

#[cfg(test)]
mod tests {
    use svc_api::records::AttachmentRecord;

    use super::path_of;

    #[test]
    fn only_files_in_the_folder_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("export");
        std::fs::create_dir_all(inside.join("files")).unwrap();
        std::fs::write(inside.join("files/a.txt"), "a").unwrap();
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), inside.join("files/link")).unwrap();
        std::os::unix::fs::symlink(folder.path(), inside.join("up")).unwrap();
        let path = |file: Option<&str>| {
            let attachment = AttachmentRecord {
                id: "1".into(),
                item: "1".into(),
                comment: None,
                name: "a".into(),
                media_type: None,
                size: None,
                file: file.map(str::to_owned),
                url: None,
            };
            path_of(&attachment, Some(&inside))
        };
        assert_eq!(path(Some("files/a.txt")), Some(inside.join("files/a.txt")));
        let absolute = folder.path().join("secret").display().to_string();
        for file in [
            None,
            Some("../secret"),
            Some("up/secret"),
            Some("files/link"),
            Some("files"),
            Some("nowhere"),
            Some(&absolute),
        ] {
            assert_eq!(path(file), None, "{file:?}");
        }
    }
}
