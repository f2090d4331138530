//! The consistency checker: reads a whole store and reports inconsistent rows. It never writes.
//!
//! Every kind of row has a *check*, a pure function of the row and of the rows that it names, in the file of its
//! family. A relation that must hold in both directions has a check on either side: the row's own check finds a
//! row that points to nothing, and the thing's check finds a thing without its row.
//!
//! Protocol.
//! 1. The table is read page by page in the engine's order. A check that needs a row that was not read yet stops
//!    there. The rows that all checks of a page need are read together, and those checks start again. So memory
//!    holds one page and the rows that it names, however large the store is.
//! 2. While the service runs, two rows that are read one after the other may differ because a commit came
//!    between. So a finding is at first a suspicion: its row and every row that it needed are read again, twice.
//!    Only what is the same in both readings was true at one moment between them. That is a contradiction,
//!    because rows that belong together are written in one commit. A row that keeps changing through five readings
//!    is counted and not reported.
//! 3. Some rows follow others by a message to a worker, and a message in the queue leaves no row. Work that only
//!    waits for its worker is reported separately; it becomes a finding if it still waits after a given patience.
//! 4. An expired row counts as gone, because engines remove such rows late.

mod comments;
mod context;
mod factory;
mod files;
mod item_or_mark;
mod items;
mod kind;
mod kinds;
mod links;
mod logs;
mod notifications;
mod org_or_mark;
mod orgs;
mod passing;
mod people;
mod projects;
mod report;
mod runs;
mod schedules;
mod search;
mod sprints;
mod views;
mod walk;
mod webhooks;
mod wiki;

pub use logs::{Logs, logs};
pub use report::{Finding, Report};
pub use walk::{kind_name, run};
