//! Wiki pages, their versions and who reads them.

pub mod read;
pub mod view;
