//! What a Lambda function of the workers is called with: messages of the queue, or the time by a schedule.
//!
//! A message that SQS could not delay long enough comes early, as the protocol of [the queue](crate::SqsQueue) says: it
//! is to be sent again with the rest of its delay.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use svc_storage::{Message, StorageError};

use crate::queue::{DUE, rest};

/// What a function was called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Messages of the queue. The answer names those that failed ([`failures`]); SQS deletes the others.
    Messages(Vec<Delivered>),
    /// A schedule's call, for this time.
    Scheduled(Timestamp),
}

/// A message that SQS has delivered to a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The message. Its receipt is its id, which is what [`failures`] takes.
    pub message: Message,
    /// How much is left of its delay, if it came early.
    pub early: Option<Duration>,
}

#[derive(Deserialize)]
struct ScheduledEvent {
    time: Timestamp,
}

/// What is read of an SQS event source's event.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SqsEvent {
    records: Vec<SqsRecord>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SqsRecord {
    message_id: String,
    body: String,
    attributes: HashMap<String, String>,
    #[serde(default)]
    message_attributes: HashMap<String, SqsAttribute>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SqsAttribute {
    string_value: Option<String>,
}

impl Call {
    /// Reads an event: one of an SQS event source, or any with a `time`, as those of EventBridge rules are.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] for any other.
    pub fn read(event: Value, now: Timestamp) -> Result<Self, StorageError> {
        let corrupt = |error| StorageError::Corrupt(format!("an event for the workers: {error}"));
        if event.get("Records").is_some() {
            let event: SqsEvent = serde_json::from_value(event).map_err(corrupt)?;
            let delivered = event.records.into_iter().map(|record| delivered(record, now));
            return delivered.collect::<Result<_, _>>().map(Self::Messages);
        }
        let event: ScheduledEvent = serde_json::from_value(event).map_err(corrupt)?;
        Ok(Self::Scheduled(event.time))
    }
}

/// The answer that has SQS deliver these messages again, by id, and delete the others of the batch. The event source
/// must say `ReportBatchItemFailures`.
pub fn failures(ids: &[String]) -> Value {
    let failed = ids.iter().map(|id| json!({"itemIdentifier": id}));
    json!({"batchItemFailures": failed.collect::<Vec<_>>()})
}

fn delivered(record: SqsRecord, now: Timestamp) -> Result<Delivered, StorageError> {
    let due = record.message_attributes.get(DUE).and_then(|due| due.string_value.as_deref());
    let due = due.map(|due| due.parse::<i64>().map_err(|_| StorageError::Corrupt(format!("due: {due}"))));
    let received = record.attributes.get("ApproximateReceiveCount").and_then(|count| count.parse().ok());
    let message = Message {
        receipt: record.message_id,
        body: record.body,
        attempts: received
            .ok_or_else(|| StorageError::Corrupt("a delivered message has no count".to_owned()))?,
    };
    let early = due.transpose()?.and_then(|due| rest(due, now.as_millisecond()));
    Ok(Delivered { message, early })
}

#[cfg(test)]
mod tests {
    use super::{Call, Delivered, failures};
    use jiff::Timestamp;
    use serde_json::json;
    use std::time::Duration;
    use svc_storage::Message;

    /// A record as the event source writes it.
    fn record(id: &str, due: Option<i64>) -> serde_json::Value {
        let attributes = due.map_or_else(
            || json!({}),
            |due| {
                json!({"due": {"stringValue": due.to_string(), "stringListValues": [], "binaryListValues": [],
                "dataType": "Number"}})
            },
        );
        json!({
            "messageId": id, "receiptHandle": "AQEB", "body": "{\"kind\":\"x\"}",
            "attributes": {"ApproximateReceiveCount": "2", "SentTimestamp": "1545082649183",
                "SenderId": "AIDA", "ApproximateFirstReceiveTimestamp": "1545082649185"},
            "messageAttributes": attributes, "md5OfBody": "e4e6", "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:svc", "awsRegion": "eu-central-1"
        })
    }

    #[test]
    fn messages_are_read_and_those_that_came_early_are_known() {
        let now = Timestamp::from_second(1_000).unwrap();
        let event =
            json!({"Records": [record("a", None), record("b", Some(1_060_000)), record("c", Some(9))]});
        let message = |id: &str| Message { receipt: id.into(), body: r#"{"kind":"x"}"#.into(), attempts: 2 };
        let of = |id: &str, early| Delivered { message: message(id), early };
        let minute = Some(Duration::from_mins(1));
        let expected = vec![of("a", None), of("b", minute), of("c", None)];
        assert_eq!(Call::read(event, now).unwrap(), Call::Messages(expected));
    }

    #[test]
    fn a_schedule_says_for_when_it_calls() {
        let event = json!({"version": "0", "id": "53dc4d37", "detail-type": "Scheduled Event",
            "source": "aws.events", "account": "123456789012", "time": "2026-10-08T16:53:00Z",
            "region": "eu-central-1", "resources": [], "detail": {}});
        let at = "2026-10-08T16:53:00Z".parse().unwrap();
        assert_eq!(Call::read(event, at).unwrap(), Call::Scheduled(at));
        let error = Call::read(json!({"hello": 1}), at).unwrap_err().to_string();
        assert!(error.contains("an event for the workers"), "{error}");
    }

    #[test]
    fn what_failed_is_named() {
        assert_eq!(failures(&["a".into()]), json!({"batchItemFailures": [{"itemIdentifier": "a"}]}));
        assert_eq!(failures(&[]), json!({"batchItemFailures": []}));
    }
}
