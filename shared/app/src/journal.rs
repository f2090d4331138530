//! The changes in an organization, since a client last asked and as they happen.
//!
//! Protocol.
//! 1. Each commit that changes something that a page may show writes one line into the journal of its organization
//!    (`derive/journal.rs`), in a place that is never before one that this process wrote ([`crate::feed_clock`]).
//! 2. A client's cursor is the place of the newest line that it was told of. The next read looks back a little
//!    further, because writers' clocks differ and commits last, and leaves out the lines that the cursor names: so
//!    nothing is missed, whichever process wrote it. A line may come twice, and is harmless then.
//! 3. A line says what changed, not how. What a client learns of it is decided when it is told, with what the
//!    caller may see at that moment; items come as they are then.
//! 4. A cursor that was read more than [`KEPT`] ago, or that is behind more than [`MAX_LINES`] lines, is answered
//!    with `reload`.
//! 5. Streams of one organization share what is read of its journal ([`Tails`]): they are woken by the commits of
//!    this process, and one of them looks every second for those of others.

mod follow;
mod lines;
mod since;
mod tail;
mod told;

pub use follow::follow;
pub(crate) use lines::KEPT;
pub use since::since;
pub use tail::Tails;
pub use told::OrgChanges;
