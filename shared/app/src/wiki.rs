//! Use cases of a project's wiki: pages by path, with every version kept.
//!
//! Who may read and edit a page is decided by `svc_domain::wiki::access` and nowhere else; what a caller may
//! not read does not exist. Who manages playbooks writes their pages through [`write_page`], in the commit of
//! the playbook.

mod deleted;
mod find;
mod moves;
mod page;
mod place;
mod rights;
mod rows;
mod settle;
mod store;
mod versions;
mod visible;

pub use deleted::{delete, delete_page, deleted, undelete, undelete_page};
pub(crate) use find::learns_of;
pub use find::{SeenPage, reads, reads_page};
pub use moves::{MovePage, move_page};
pub use page::{PutPage, get, put, tree, write_page};
pub use place::{Place, path_now, place};
pub use rights::{SeenAccess, SetAccess, access, set_access};
pub use rows::CurrentPage;
pub use settle::finish;
pub use store::{current, text};
pub use versions::{Restore, compare, restore, version, versions};
pub use visible::{VisiblePages, visible};
