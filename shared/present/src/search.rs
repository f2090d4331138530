//! Search: what is asked for, and what is found.

pub mod read;
pub mod view;
