//! Use cases of projects, items, comments and history.

mod feeds;
mod item_change;

pub use feeds::Feeds;
pub use item_change::ItemChange;
