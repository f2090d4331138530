//! DynamoDB, S3 and SQS adapters of the storage ports.
