//! The administration of the instance, for its admins ([`crate::identity`] says who they are): accounts, organizations,
//! and how the service does.
//!
//! It never shows what people write: no item, comment, page, or file. Each change is in the audit log of the instance, and
//! in that of every organization that it concerns ([`crate::derive`]).

mod accounts;
mod audit;
mod instance;
mod orgs;

pub use accounts::{
    ListedAccount, MadeLink, account_of_address, accounts, disable_account, enable_account,
    make_password_link, sign_out_account,
};
pub use audit::instance_audit;
pub use instance::{MailTested, Overview, RunnerVersion, dead_letters, overview, replay, test_mail};
pub use orgs::{ListedOrg, orgs, set_plan};

pub use crate::identity::admins::AdminCaller;

/// What a list answers: the part that was asked for, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
}
