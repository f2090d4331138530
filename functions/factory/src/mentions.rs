//! Mentions of agents: what they asked for, and what a comment would start.

pub(crate) mod list;
pub(crate) mod preview;
