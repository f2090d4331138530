//! Refining a ticket with an agent (specification sections 2.4 and 3.5).
//!
//! [`machine`] decides what becomes of the refinement of an item, [`submission`] what an agent may hand in, and the
//! settings of a project say what its agents go by.

pub mod machine;
mod settings;
pub mod submission;

pub use machine::{Refinement, RefinementStatus, Round};
pub use settings::{MAX_TEXT, RefinementEdit, RefinementSettings};
pub use submission::{Answer, Proposal, Submission};
