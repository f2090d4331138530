//! The queue port on SQS. The visibility time-out is the queue's own setting.
//!
//! SQS delays a message by 15 minutes at most. A longer delay travels in stages: the message carries the
//! moment at which it is due in an attribute, and a receiver that gets it earlier sends it on with the rest of
//! the delay and then deletes what it got. A crash between the two delivers it twice, which a queue may. Delays
//! are counted in whole seconds, rounded up.

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::operation::delete_message::DeleteMessageError;
use aws_sdk_sqs::types::{Message as SqsMessage, MessageAttributeValue, MessageSystemAttributeName};
use svc_storage::{MAX_MESSAGE_BYTES, Message, Queue, StorageError};
use tokio::time::Instant;

use crate::clock::Clock;
use crate::error::unavailable;

/// The longest wait that SQS takes.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Attribute of a message with a long delay: the millisecond of the Unix epoch at which it is due.
pub(crate) const DUE: &str = "due";

/// A message is not sent on for less than this: clocks differ.
const SLACK: Duration = Duration::from_secs(1);

/// The queue port on an SQS queue. [`AwsStore::queue`](crate::AwsStore::queue) makes one.
pub struct SqsQueue {
    pub(crate) client: Client,
    pub(crate) url: String,
    pub(crate) longest_delay: Duration,
    pub(crate) clock: Clock,
}

#[async_trait::async_trait]
impl Queue for SqsQueue {
    async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError> {
        if body.len() > MAX_MESSAGE_BYTES {
            return Err(StorageError::TooLarge {
                what: "message",
                size: body.len(),
                limit: MAX_MESSAGE_BYTES,
            });
        }
        let due = (delay > self.longest_delay).then(|| {
            let delay = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
            self.now().saturating_add(delay)
        });
        self.post(body, delay, due).await
    }

    /// SQS waits for whole seconds: `wait` is rounded up.
    async fn receive(&self, max: usize, wait: Duration) -> Result<Vec<Message>, StorageError> {
        let patience = Instant::now() + wait;
        loop {
            let left = patience.saturating_duration_since(Instant::now());
            let mut messages = Vec::new();
            for message in self.poll(max, left.min(MAX_WAIT)).await? {
                messages.extend(self.take(message).await?);
            }
            if !messages.is_empty() || Instant::now() >= patience {
                return Ok(messages);
            }
        }
    }

    async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError> {
        let request = self
            .client
            .change_message_visibility()
            .queue_url(&self.url)
            .receipt_handle(receipt)
            .visibility_timeout(seconds(time));
        match request.send().await {
            // Nobody works on a message that was removed, or is visible again.
            Err(error)
                if !error.as_service_error().is_some_and(|error| {
                    error.is_message_not_inflight() || error.is_receipt_handle_is_invalid()
                }) =>
            {
                Err(unavailable(error))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn ack(&self, receipt: &str) -> Result<(), StorageError> {
        let request = self.client.delete_message().queue_url(&self.url).receipt_handle(receipt);
        match request.send().await {
            Err(error)
                if !error
                    .as_service_error()
                    .is_some_and(DeleteMessageError::is_receipt_handle_is_invalid) =>
            {
                Err(unavailable(error))
            }
            // An invalid receipt is that of a message which was removed.
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

impl SqsQueue {
    fn now(&self) -> i64 {
        (self.clock)().as_millisecond()
    }

    async fn post(&self, body: &str, delay: Duration, due: Option<i64>) -> Result<(), StorageError> {
        let mut request = self
            .client
            .send_message()
            .queue_url(&self.url)
            .message_body(body)
            .delay_seconds(seconds(delay.min(self.longest_delay)));
        if let Some(due) = due {
            let value = MessageAttributeValue::builder().data_type("Number").string_value(due.to_string());
            request = request.message_attributes(DUE, value.build().map_err(unavailable)?);
        }
        request.send().await.map(drop).map_err(unavailable)
    }

    async fn poll(&self, max: usize, wait: Duration) -> Result<Vec<SqsMessage>, StorageError> {
        let answer = self
            .client
            .receive_message()
            .queue_url(&self.url)
            .max_number_of_messages(i32::try_from(max).map_or(10, |max| max.clamp(1, 10)))
            .wait_time_seconds(seconds(wait))
            .message_system_attribute_names(MessageSystemAttributeName::ApproximateReceiveCount)
            .message_attribute_names(DUE)
            .send()
            .await
            .map_err(unavailable)?;
        Ok(answer.messages.unwrap_or_default())
    }

    /// The message, unless it is not due yet and was sent on.
    async fn take(&self, message: SqsMessage) -> Result<Option<Message>, StorageError> {
        let missing = |what| StorageError::Corrupt(format!("a message has no {what}"));
        let attribute = message.message_attributes.as_ref().and_then(|all| all.get(DUE)?.string_value());
        let due = attribute
            .map(|due| due.parse::<i64>().map_err(|_| StorageError::Corrupt(format!("due: {due}"))))
            .transpose()?;
        let attempts = message
            .attributes
            .as_ref()
            .and_then(|all| all.get(&MessageSystemAttributeName::ApproximateReceiveCount)?.parse().ok())
            .ok_or_else(|| missing("count"))?;
        let receipt = message.receipt_handle.ok_or_else(|| missing("receipt"))?;
        let body = message.body.ok_or_else(|| missing("body"))?;
        if let Some(rest) = due.and_then(|due| rest(due, self.now())) {
            self.post(&body, rest, due).await?;
            self.ack(&receipt).await?;
            return Ok(None);
        }
        Ok(Some(Message { receipt, body, attempts }))
    }
}

/// What is left of a delay, when it is worth another stage.
pub(crate) fn rest(due: i64, now: i64) -> Option<Duration> {
    let left = due.saturating_sub(now);
    let left = Duration::from_millis(u64::try_from(left).ok()?);
    (left > SLACK).then_some(left)
}

/// Whole seconds, rounded up.
fn seconds(duration: Duration) -> i32 {
    let up = duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0));
    i32::try_from(up).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_delay_ends_when_it_is_due_by_any_clock() {
        let week = 7 * 24 * 3_600_000;
        assert_eq!(rest(week, 0), Some(Duration::from_millis(week.unsigned_abs())));
        assert_eq!(rest(week, week - 1_001), Some(Duration::from_millis(1_001)));
        for now in [week - 1_000, week, week + 1, i64::MAX] {
            assert_eq!(rest(week, now), None, "{now}");
        }
        assert!(rest(i64::MAX, i64::MIN + 1).is_some());
    }

    #[test]
    fn seconds_are_rounded_up() {
        assert_eq!(seconds(Duration::ZERO), 0);
        assert_eq!(seconds(Duration::from_millis(1)), 1);
        assert_eq!(seconds(Duration::from_millis(2_001)), 3);
        assert_eq!(seconds(Duration::MAX), i32::MAX);
    }
}
