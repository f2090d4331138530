//! Rows of wiki pages, their versions, and the tree that they make.

use svc_domain::ids::{OrgId, PageId, ProjectKey};
use svc_domain::wiki::moves::Tree;
use svc_domain::wiki::{Page, PageText};

use crate::{Key, KeyOf};

/// Partition of a project's wiki pages.
pub fn wiki_pk(org: OrgId, key: &ProjectKey) -> String {
    format!("WIKI#{org}#{key}")
}

/// Sort keys of wiki pages begin with this.
pub const PAGE_PREFIX: &str = "PAGE#";

/// A wiki page by its path; paths are unique whatever their case.
pub fn wiki_page(org: OrgId, key: &ProjectKey, path: &str) -> KeyOf<Page> {
    KeyOf::new(wiki_pk(org, key), format!("{PAGE_PREFIX}{}", path.to_lowercase()))
}

/// Sort keys of deleted wiki pages begin with this.
pub const DELETED_PAGE_PREFIX: &str = "DELETED#";

/// A deleted wiki page.
pub fn wiki_deleted(org: OrgId, key: &ProjectKey, page: PageId) -> KeyOf<Page> {
    KeyOf::new(wiki_pk(org, key), format!("{DELETED_PAGE_PREFIX}{page}"))
}

/// Where the page at a path, and those below it, were moved to.
pub fn wiki_moved(org: OrgId, key: &ProjectKey, path: &str) -> Key {
    Key::new(wiki_pk(org, key), format!("MOVED#{}", path.to_lowercase()))
}

/// Sort key of the state of a wiki's tree. It sorts behind every page, so that a query that ends with it tells
/// whether something moved while it read.
pub const TREE_SK: &str = "TREE";

/// The state of a wiki's tree, whose version every move raises.
pub fn wiki_tree(org: OrgId, key: &ProjectKey) -> KeyOf<Tree> {
    KeyOf::new(wiki_pk(org, key), TREE_SK)
}

/// Partition of the versions of a page.
pub fn page_versions_pk(org: OrgId, page: PageId) -> String {
    format!("PAGE#{org}#{page}")
}

/// A version of a page.
pub fn page_version(org: OrgId, page: PageId, version: u64) -> KeyOf<PageText> {
    KeyOf::new(page_versions_pk(org, page), format!("VERSION#{version:010}"))
}
