//! Use cases of a project's wiki: pages by path, with every version kept.
//!
//! The Factory section holds the prompts of playbooks: to who is no factory operator its pages do not exist,
//! and only Admins of the project among the operators write them here. Who manages playbooks writes their
//! pages through [`page_ops`], in the commit of the playbook.

mod page;
mod store;
mod visible;

pub use page::{PageWithText, PutPage, get, put, tree, versions};
pub use store::{CurrentPage, current, page_ops, text};
pub use visible::{VisiblePages, visible};
