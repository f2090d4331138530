//! The suite on every adapter.

#![expect(clippy::unwrap_used, reason = "a test panics where a promise is broken")]

mod aws;
mod durability;
mod ministack;
mod sqlite;

use std::sync::Arc;

use jiff::Timestamp;

/// The real time, which delays and visibility time-outs are waited for in.
#[expect(
    clippy::disallowed_methods,
    reason = "no engine outside the process follows a clock that a test moves"
)]
fn wall_clock() -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
    Arc::new(Timestamp::now)
}
