//! Search of texts: keeping the index (in a worker), and querying it.
//!
//! Protocol of the index.
//! 1. Each commit that writes a text includes [`changed`]: a row that says which text to look at. Many changes
//!    of one text leave one row; its version shows that there was another change.
//! 2. The indexer ([`index_waiting`]) takes some texts of a project. It reads those rows, the texts' entries in the
//!    index and the list of the index's segments, *then* the texts as they are now. So what it writes is never older
//!    than the entries that it replaces.
//! 3. In one commit, it writes the entries, a [segment](svc_domain::search::segment) with the terms of these texts, and
//!    the list, and removes the rows of step 1, all under the versions that were read: of two indexers one begins anew,
//!    and a change in between keeps its row.
//! 4. Segments that became many are [merged](merge).
//! 5. A posting is a hint. A search reads the entries, and the texts that it returns, so a posting of an earlier text
//!    shows nothing.

mod answer;
mod cache;
mod candidates;
mod described;
mod find;
mod forgiving;
mod index;
mod merge;
mod names;
mod question;
mod reindex;
mod source;
mod totals;

pub use answer::{Answer, Answered};
pub use cache::Cache;
pub(crate) use described::described;
pub use find::{in_org, in_project};
pub(crate) use index::{Entry, Waiting};
pub use index::{changed, index_waiting};
pub(crate) use merge::{Merge, read as read_segment};
pub use question::{Find, Kind};
pub use reindex::{reindex, reindex_all};
pub(crate) use source::{is_of_factory, of_comment, of_item, of_page};
pub use totals::{Found, Total};
