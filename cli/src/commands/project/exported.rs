//! Where the files of an exported project are.

use std::path::{Path, PathBuf};

use svc_api::records::AttachmentRecord;
use svc_domain::attachment::name::file_name;

/// Where a file is in an export, by names that come from the instance and must be names here.
pub(super) fn place(attachment: &AttachmentRecord) -> Option<PathBuf> {
    let own = |name: &str| file_name(name).filter(|name| !name.starts_with('.'));
    Some(Path::new("files").join(own(&attachment.id)?).join(file_name(&attachment.name)?))
}
