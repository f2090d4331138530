//! Use cases of sprints (specification sections 2.2 and 4.2): planning, starting, completing, and what a board
//! and a burndown show.

mod begin;
mod life;
mod list;
mod load;
mod plan;
mod settle;
mod views;

pub(super) use begin::{chosen, plan_if_open, plan_new};
pub use life::{Completed, UnfinishedTo, complete, start};
pub use list::{ListSprints, list};
pub use load::SeenSprint;
pub(crate) use load::{Place, current};
pub(super) use load::{all, name_of, open, row_of};
pub use plan::{NewSprint, UpdateSprint, create, delete, update};

pub(crate) use settle::BATCH_BYTES;
pub use settle::settle;
pub use views::{Board, BoardItem, SprintBurndown, burndown, get, taskboard};
