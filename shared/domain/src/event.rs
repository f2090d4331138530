//! Domain events: everything that happens to an organization's data, as plain values.
//!
//! A use case tells what happened; it does not write history entries, search rows or messages itself. Each of those is
//! derived from the event in one place (`shared/app/src/derive/`). Events stand in families, a file each. A consumer
//! takes one arm for a family that it ignores and a match without a catch-all over a family that it cares about, so the
//! compiler asks about each new family and each new event that may matter.
//!
//! Events are not stored and may change freely. Each consumer decides what is stored of them.

mod account;
mod comment;
mod factory;
mod instance;
mod item;
mod org;
mod project;
mod run;
mod runner;
mod sprint;
mod wiki;

pub use self::account::{AccountEvent, TokenReach};
pub use self::comment::{CommentEvent, CommentRef};
pub use self::factory::{FactoryEvent, PlaybookRef};
pub use self::instance::InstanceEvent;
pub use self::item::{ItemEvent, SavedItem};
pub use self::org::{ChannelChange, MAY_START, OrgEvent, Standing, WebhookChange};
pub use self::project::ProjectEvent;
pub use self::run::{RunEvent, Via};
pub use self::runner::RunnerEvent;
pub use self::sprint::{SprintEvent, SprintRef};
pub use self::wiki::{PageRef, WikiEvent};

use jiff::Timestamp;

use crate::ids::{Actor, OrgId};

/// An event, where and when it happened, and who did it.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// The organization; `None` for what concerns an account only.
    pub org: Option<OrgId>,
    /// Who did it; `None` where nobody signed in did.
    pub by: Option<Actor>,
    /// What did it in their name, or by itself, such as `identity provider`.
    pub via: Option<String>,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub event: Event,
}

/// What happened, by what it happened to. A consumer that does not care about a family decides so in one arm.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An organization, its members and invitations.
    Org(OrgEvent),
    /// An account, which belongs to no organization.
    Account(AccountEvent),
    /// What an admin of the instance did.
    Instance(InstanceEvent),
    /// A project, its people and what its Admins set.
    Project(ProjectEvent),
    /// The row of an item was written.
    ItemSaved(Box<SavedItem>),
    /// An item, its links and its files: what people call a change, beside the row that was written.
    Item(ItemEvent),
    /// A comment on an item.
    Comment(CommentEvent),
    /// A sprint.
    Sprint(SprintEvent),
    /// A page of a wiki.
    Wiki(WikiEvent),
    /// Agents, playbooks, rules, schedules and the settings of the factory.
    Factory(FactoryEvent),
    /// A runner.
    Runner(RunnerEvent),
    /// A run of an item.
    Run(RunEvent),
}

/// Makes each family an [`Event`], so that a use case tells the family's own.
macro_rules! families {
    ($($family:ident($event:ident)),* $(,)?) => {$(
        impl From<$event> for Event {
            fn from(event: $event) -> Self {
                Self::$family(event)
            }
        }
    )*};
}

families! {
    Org(OrgEvent),
    Account(AccountEvent),
    Instance(InstanceEvent),
    Project(ProjectEvent),
    Item(ItemEvent),
    Comment(CommentEvent),
    Sprint(SprintEvent),
    Wiki(WikiEvent),
    Factory(FactoryEvent),
    Runner(RunnerEvent),
    Run(RunEvent),
}
