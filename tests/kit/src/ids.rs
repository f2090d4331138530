//! Ids that are the same in every execution of a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use svc_app::ports::{Clock, Ids};
use uuid::{Builder, Uuid};

use crate::TestClock;

/// Counts: ids are UUIDv7 of the test clock's time and the count, so that they sort as they were made.
/// Instances of different numbers never make the same id.
pub struct CountingIds {
    clock: Arc<TestClock>,
    instance: u16,
    made: AtomicU32,
}

impl CountingIds {
    /// A source of ids for one of several applications on the same store.
    pub const fn new(clock: Arc<TestClock>, instance: u16) -> Self {
        Self { clock, instance, made: AtomicU32::new(0) }
    }

    fn next(&self) -> u32 {
        self.made.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl Ids for CountingIds {
    fn uuid(&self) -> Uuid {
        let millis = u64::try_from(self.clock.now().as_millisecond()).unwrap_or(0);
        let mut tail = [0; 10];
        tail[4..6].copy_from_slice(&self.instance.to_be_bytes());
        tail[6..].copy_from_slice(&self.next().to_be_bytes());
        Builder::from_unix_timestamp_millis(millis, &tail).into_uuid()
    }

    fn trace_id(&self) -> u128 {
        self.uuid().as_u128()
    }

    fn secret(&self) -> [u8; 32] {
        let mut secret = [0x5a; 32];
        secret[..2].copy_from_slice(&self.instance.to_be_bytes());
        secret[2..6].copy_from_slice(&self.next().to_be_bytes());
        secret
    }
}
