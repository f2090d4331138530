//! DynamoDB, S3 and SQS adapters of the storage ports. [`AwsStore`] connects all three.
//!
//! A row is one item of one table, keyed by `pk` and `sk`; its other attributes are listed in `item`. The
//! cost of each call is written where it is made: a unit is one read of 4 KB or one write of 1 KB.

mod blobs;
mod calls;
mod clock;
mod commit;
mod error;
mod expression;
mod item;
mod lambda;
mod look;
mod queue;
mod setup;
mod store;
mod table;

pub use blobs::S3Blobs;
pub use calls::Calls;
pub use clock::Clock;
pub use lambda::{Call, Delivered, failures};
pub use queue::SqsQueue;
pub use store::{AccessKey, AwsConfig, AwsStore};
pub use table::DynamoTable;
