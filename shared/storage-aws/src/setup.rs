//! Makes table, bucket and queue where a local engine has none yet. In AWS the template makes them, with
//! backups, lifecycle rules and alarms that this does not know.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType, TimeToLiveSpecification,
};
use aws_sdk_s3::types::{BucketLocationConstraint, CreateBucketConfiguration};
use aws_sdk_sqs::operation::create_queue::CreateQueueError;
use aws_sdk_sqs::types::QueueAttributeName;
use svc_storage::StorageError;

use crate::error::unavailable;
use crate::{AwsStore, DynamoTable, S3Blobs, SqsQueue};

impl AwsStore {
    /// Makes what is missing; leaves what is there as it is. A received message will stay hidden for
    /// `visibility`, counted in whole seconds.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    pub async fn create_missing(&self, visibility: Duration) -> Result<(), StorageError> {
        let (table, blobs, queue) = self.adapters();
        create_table(table).await?;
        create_bucket(blobs).await?;
        create_queue(queue, visibility).await
    }
}

async fn create_table(table: &DynamoTable) -> Result<(), StorageError> {
    let part = |name: &str, kind: KeyType| {
        let attribute = AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build();
        let schema = KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
        Ok::<_, StorageError>((attribute.map_err(unavailable)?, schema.map_err(unavailable)?))
    };
    let (pk, hash) = part("pk", KeyType::Hash)?;
    let (sk, range) = part("sk", KeyType::Range)?;
    let created = table
        .client
        .create_table()
        .table_name(&table.name)
        .attribute_definitions(pk)
        .attribute_definitions(sk)
        .key_schema(hash)
        .key_schema(range)
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await;
    match created {
        Err(error) if error.code() == Some("ResourceInUseException") => return Ok(()),
        Err(error) => return Err(unavailable(error)),
        Ok(_) => {}
    }
    let expiry = TimeToLiveSpecification::builder()
        .attribute_name("ttl")
        .enabled(true)
        .build()
        .map_err(unavailable)?;
    let request = table.client.update_time_to_live().table_name(&table.name);
    request.time_to_live_specification(expiry).send().await.map(drop).map_err(unavailable)
}

async fn create_bucket(blobs: &S3Blobs) -> Result<(), StorageError> {
    let region = blobs.client.config().region().map(|region| region.as_ref().to_owned());
    // The oldest region must not be named.
    let place = region.filter(|region| region != "us-east-1").map(|region| {
        let place = BucketLocationConstraint::from(region.as_str());
        CreateBucketConfiguration::builder().location_constraint(place).build()
    });
    let created = blobs
        .client
        .create_bucket()
        .bucket(&blobs.bucket)
        .set_create_bucket_configuration(place)
        .send()
        .await;
    match created {
        Err(error) if error.code() != Some("BucketAlreadyOwnedByYou") => Err(unavailable(error)),
        Ok(_) | Err(_) => Ok(()),
    }
}

async fn create_queue(queue: &SqsQueue, visibility: Duration) -> Result<(), StorageError> {
    let name = queue.url.rsplit('/').next().unwrap_or_default();
    let attributes =
        HashMap::from([(QueueAttributeName::VisibilityTimeout, visibility.as_secs().to_string())]);
    let created = queue.client.create_queue().queue_name(name).set_attributes(Some(attributes)).send().await;
    match created {
        // There is one, with other attributes.
        Err(error) if !error.as_service_error().is_some_and(CreateQueueError::is_queue_name_exists) => {
            Err(unavailable(error))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}
