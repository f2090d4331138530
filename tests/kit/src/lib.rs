//! What tests of use cases and handlers stand on: an application over the embedded store in a temporary
//! directory, with a clock that they move and ids that they can foresee, and requests without a socket.
//!
//! Fixtures write rows as use cases do, but ask for no permission. Nothing here checks anything: tests do.

mod clock;
mod contract;
mod fixtures;
mod full_disk;
mod gate;
mod ids;
mod metered;
mod priced;
mod request;
mod test_app;

pub use clock::TestClock;
pub use contract::Contract;
pub use fixtures::{PASSWORD, RED_DOT, save, scopes, write};
pub use full_disk::FullDisk;
pub use gate::Gate;
pub use ids::CountingIds;
pub use metered::{Cost, Metered};
pub use priced::{Priced, priced};
pub use request::{Reply, authenticated, call, send};
pub use test_app::{Areas, Template, TestApp};
