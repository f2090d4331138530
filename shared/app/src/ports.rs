//! Ports that are not storage: time and chance. `boot` has the real ones, tests have ones they move.

use jiff::Timestamp;
use uuid::Uuid;

/// The wall clock.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// Where fresh ids and secrets come from.
pub trait Ids: Send + Sync + 'static {
    /// A new UUIDv7.
    fn uuid(&self) -> Uuid;

    /// 32 bytes that nobody can guess.
    fn secret(&self) -> [u8; 32];
}
