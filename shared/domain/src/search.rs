//! Search of texts (specification section 4.1, rule 1): how a text falls into terms, what a question asks,
//! whether a text answers it, which answer comes first, and what is shown of it. Where nothing answers, one wrong
//! letter of a word is forgiven ([`near`]).
//!
//! Owns no storage and no rows: postings are written and read by the use cases of `svc_app::search`. Decides
//! nothing about who may see what.
//!
//! Limits. Of a text, the first [`document::MAX_TEXT_BYTES`] bytes and [`document::MAX_TERMS`] different
//! terms can be found; a term counts by its first [`terms::MAX_TERM`] characters.

pub mod document;
pub mod near;
pub mod query;
pub mod rank;
pub mod segment;
pub mod snippet;
pub mod terms;

pub use document::{Document, Source, Target, TextId};
pub use query::{Clause, SearchQuery};
pub use rank::{Class, Rank};
pub use snippet::{Highlight, Snippet};
