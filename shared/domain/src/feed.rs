//! The project feed: what lists, boards and autocomplete need of a project's items, kept in memory and
//! asked without a scan.
//!
//! Owns no storage: a caller reads the feed's rows and applies them. Decides nothing about who may see what.
//!
//! How a list is answered. Every item has a *slot*, a small number; for every value of every field that a
//! filter can ask about there is a bitmap of the slots that have it (`facets`), and for words a bitmap per
//! three letters (`text`). A filter is a handful of bitmap operations (`sets`). For every sort there is the
//! order of all slots (`orders`): a page is read along it where hits are dense, and by sorting the hits where
//! they are few. What was found is remembered, and after a change only what changed is judged anew (`cache`).
//!
//! A large feed is not read row by row whenever a process starts: `snapshot` packs it into bytes, and `at_once`
//! makes all of the above of what is in them.

mod at_once;
mod autocomplete;
mod cache;
mod counts;
mod cursor;
mod entry;
mod evaluate;
mod facets;
mod flow;
mod index;
mod order;
mod orders;
mod packed;
mod request;
mod sets;
mod snapshot;
#[cfg(test)]
mod tests;
mod text;
mod throughput;

pub use counts::{Group, GroupBy};
pub use cursor::{BACK_MILLIS, FeedCursor, NoCursor, SeenRow, read_part};
pub use entry::FeedEntry;
pub use flow::Standing;
pub use index::FeedIndex;
pub use request::{FilterContext, ListRequest, ListResult, Sort, SortKey, UnknownSort};
pub use snapshot::{Packer, Unreadable, unpack};
pub use throughput::Throughput;
