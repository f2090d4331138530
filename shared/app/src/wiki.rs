//! Use cases of a project's wiki: pages by path, with every version kept.
//!
//! Who may read and edit a page is decided by `svc_domain::wiki::access` and nowhere else; what a caller may
//! not read does not exist. Who manages playbooks writes their pages through [`page_ops`], in the commit of
//! the playbook.

mod find;
mod page;
mod rights;
mod store;
mod versions;
mod visible;

pub use find::reads;
pub use page::{PutPage, SeenPage, get, put, tree};
pub use rights::{SeenAccess, SetAccess, access, set_access};
pub use store::{CurrentPage, current, page_ops, text};
pub use versions::{Restore, compare, restore, version, versions};
pub use visible::{VisiblePages, visible};
