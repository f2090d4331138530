//! The consistency checker: reads a whole store and says which rows contradict each other. Never writes.
//!
//! Every kind of row has a *check*, a pure function of the row and of the rows that it names, in the file of
//! its family. A relation that must hold in both directions has a check on either side: a row that points to
//! nothing is found by its own check, a thing without its row by the thing's.
//!
//! Protocol.
//! 1. The table is read page by page in the order that the engine likes. A check that asks for a row that was
//!    not read yet stops there; the rows asked for by all checks of a page are read together, and those checks
//!    begin anew. So memory holds one page and what its rows name, however large the store is.
//! 2. While the service runs, two rows that are read one after the other may differ because a commit came
//!    between. What a check finds is therefore a suspicion: its row and everything that it asked for are read
//!    again, twice. Only what both readings show alike was so at one moment, between the two, and that is a
//!    contradiction: whatever belongs together is written in one commit. What changes faster than it can be
//!    read five times is counted, and not reported.
//! 3. Some rows follow others by a message to a worker, which leaves no row while it is in the queue. What only
//!    waits for its worker is told apart; it becomes a finding when it still waits after a given patience.
//! 4. A row whose time is over counts as gone: engines remove such rows late.

mod comments;
mod context;
mod factory;
mod files;
mod items;
mod kind;
mod kinds;
mod orgs;
mod passing;
mod people;
mod projects;
mod report;
mod runs;
mod search;
mod sprints;
mod walk;
mod wiki;

pub use report::{Finding, Report};
pub use walk::{kind_name, run};
