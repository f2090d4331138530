//! Search of texts: keeping the index (a worker), and asking it.
//!
//! Protocol of the index.
//! 1. Whoever writes a text adds [`changed`] to the commit: a row that says which text to look at. Many
//!    changes of one text leave one row, whose version tells that there was another.
//! 2. The indexer ([`index_waiting`]) reads that row and the text's entry in the index, *then* the text as it
//!    is now: so what it writes is never older than the entry that it replaces.
//! 3. It writes the entry under the version that it read, with the postings that come and go. A text of more
//!    than one commit's postings is first marked as unsettled, with all postings that may be left over; every
//!    further commit demands that entry, so that of two indexers the slower stops. Who finds an unsettled
//!    entry writes all of it again.
//! 4. The last commit removes the row of step 1 in the version read: a change meanwhile keeps it there.
//! 5. A posting is a hint. Whoever searches reads the entries, and of the answers the texts themselves, so
//!    that a posting left over by a crash shows nothing.

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
