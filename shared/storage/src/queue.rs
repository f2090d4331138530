//! The queue port: messages delivered at least once, in no promised order.

use std::time::Duration;

use crate::StorageError;

/// Bytes of a message at most.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// A received message. It comes back after the visibility time-out unless acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What to acknowledge it with.
    pub receipt: String,
    /// What was sent.
    pub body: String,
    /// How often it was received, this time included.
    pub attempts: u32,
}

/// Messages to workers.
#[async_trait::async_trait]
pub trait Queue: Send + Sync + 'static {
    /// Sends a message that becomes visible after a delay of any length. Durable when it returns.
    ///
    /// # Errors
    /// [`StorageError::TooLarge`], [`StorageError::Unavailable`].
    async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError>;

    /// Up to `max` (1 to 10) visible messages; waits up to `wait` for the first.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn receive(&self, max: usize, wait: Duration) -> Result<Vec<Message>, StorageError>;

    /// Hides a received message from everybody for so long from now on, in place of the visibility time-out: whoever
    /// still works on it says so again and again. No error when it was removed or received again since.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError>;

    /// Removes a received message. No error when it was removed or received again since.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn ack(&self, receipt: &str) -> Result<(), StorageError>;
}
