//! The time of day, which adapters are opened with.

use std::sync::Arc;

use jiff::Timestamp;

/// Tells the time. Delays longer than SQS takes are judged by it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
