//! Search of texts: keeping the index (in a worker), and querying it.
//!
//! Protocol of the index.
//! 1. Whoever writes a text adds [`changed`] to the commit: a row that says which text to look at. Many changes
//!    of one text leave one row; its version shows that there was another change.
//! 2. The indexer ([`index_waiting`]) reads that row and the text's entry in the index, *then* the text as it is
//!    now. So what it writes is never older than the entry that it replaces.
//! 3. It writes the entry under the version that it read, together with the new and the removed postings. If the
//!    postings do not fit into one commit, the entry is first marked as unsettled, with all postings that may be
//!    left over. Every further commit is conditional on that entry, so of two indexers the slower one stops.
//!    Whoever finds an unsettled entry writes all of it again.
//! 4. The last commit removes the row of step 1 under the version that was read: a change in between keeps the
//!    row.
//! 5. A posting is a hint. A search reads the entries, and the texts that it returns, so a posting that a crash
//!    left over shows nothing.

mod answer;
mod candidates;
mod described;
mod find;
mod index;
mod names;
mod reindex;
mod source;

pub use answer::{Answer, Answered};
pub(crate) use described::described;
pub use find::{Find, Kind, in_org, in_project};
pub(crate) use index::{Entry, Waiting};
pub use index::{changed, index_waiting};
pub use reindex::{reindex, reindex_all};
pub(crate) use source::{is_of_factory, of_comment, of_item, of_page};
