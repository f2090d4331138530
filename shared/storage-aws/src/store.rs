//! Connects the three adapters to their engines: AWS, or a local engine at an endpoint.

use std::sync::Arc;
use std::time::Duration;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::RequestChecksumCalculation;
use svc_storage::{Blobs, Queue, Table};

use crate::calls::{Calls, Counter};
use crate::clock::Clock;
use crate::{DynamoTable, S3Blobs, SqsQueue};

/// How long one attempt may take. A receiving queue waits up to 20 seconds for its first message.
const TABLE_TIMEOUT: Duration = Duration::from_secs(5);
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);
const BLOBS_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Where the engines are.
#[derive(Clone, Debug)]
pub struct AwsConfig {
    /// Name of the DynamoDB table.
    pub table: String,
    /// Name of the S3 bucket.
    pub bucket: String,
    /// Address of the SQS queue.
    pub queue_url: String,
    /// Address of a local engine; `None` for AWS itself, or what `AWS_ENDPOINT_URL` says.
    pub endpoint: Option<String>,
    /// Region of all three; `None` for what the environment says.
    pub region: Option<String>,
    /// A key for a local engine; `None` for what the environment gives (a role, a profile, variables).
    pub access_key: Option<AccessKey>,
    /// The longest delay that the queue is given at once; a longer one travels in stages.
    pub longest_delay: Duration,
}

impl AwsConfig {
    /// The longest delay that SQS takes.
    pub const LONGEST_DELAY: Duration = Duration::from_secs(15 * 60);
}

/// A key for a local engine.
#[derive(Clone, Debug)]
pub struct AccessKey {
    /// Its name; local engines tell accounts apart by it.
    pub id: String,
    /// Its secret.
    pub secret: String,
}

/// The three adapters. Connections are made when they are first needed.
#[derive(Clone)]
pub struct AwsStore {
    table: Arc<DynamoTable>,
    blobs: Arc<S3Blobs>,
    queue: Arc<SqsQueue>,
    calls: [Counter; 3],
}

impl AwsStore {
    /// Reads the environment where the configuration leaves it to it, and makes the clients. Reaches no
    /// engine.
    pub async fn connect(config: AwsConfig, clock: Clock) -> Self {
        let sdk = environment(&config).await;
        let calls: [Counter; 3] = Default::default();
        let [for_table, for_blobs, for_queue] = calls.clone();

        let table = aws_sdk_dynamodb::config::Builder::from(&sdk)
            .timeout_config(timeouts(TABLE_TIMEOUT))
            .interceptor(for_table);
        let blobs = aws_sdk_s3::config::Builder::from(&sdk)
            .timeout_config(timeouts(BLOBS_TIMEOUT))
            // A local engine has no address per bucket.
            .force_path_style(config.endpoint.is_some())
            // A presigned address would otherwise demand the checksum of an empty body.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .interceptor(for_blobs);
        let queue = aws_sdk_sqs::config::Builder::from(&sdk)
            .timeout_config(timeouts(QUEUE_TIMEOUT))
            .interceptor(for_queue);

        Self {
            table: Arc::new(DynamoTable {
                client: aws_sdk_dynamodb::Client::from_conf(table.build()),
                name: config.table,
            }),
            blobs: Arc::new(S3Blobs {
                client: aws_sdk_s3::Client::from_conf(blobs.build()),
                bucket: config.bucket,
            }),
            queue: Arc::new(SqsQueue {
                client: aws_sdk_sqs::Client::from_conf(queue.build()),
                url: config.queue_url,
                longest_delay: config.longest_delay,
                clock,
            }),
            calls,
        }
    }

    /// The table.
    pub fn table(&self) -> Arc<dyn Table> {
        self.table.clone()
    }

    /// The blobs.
    pub fn blobs(&self) -> Arc<dyn Blobs> {
        self.blobs.clone()
    }

    /// The queue.
    pub fn queue(&self) -> Arc<dyn Queue> {
        self.queue.clone()
    }

    /// What was sent so far by this store and its clones.
    pub fn calls(&self) -> Calls {
        let [table, blobs, queue] = &self.calls;
        Calls { table: table.count(), blobs: blobs.count(), queue: queue.count() }
    }

    /// The adapters themselves, for what is no business of a port.
    pub(crate) fn adapters(&self) -> (&DynamoTable, &S3Blobs, &SqsQueue) {
        (&self.table, &self.blobs, &self.queue)
    }
}

async fn environment(config: &AwsConfig) -> SdkConfig {
    let mut loader = aws_config::defaults(BehaviorVersion::latest());
    if let Some(region) = &config.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(endpoint) = &config.endpoint {
        loader = loader.endpoint_url(endpoint);
    }
    if let Some(key) = &config.access_key {
        loader = loader.credentials_provider(Credentials::new(&key.id, &key.secret, None, None, "settings"));
    }
    loader.load().await
}

fn timeouts(attempt: Duration) -> TimeoutConfig {
    TimeoutConfig::builder().connect_timeout(CONNECT_TIMEOUT).operation_attempt_timeout(attempt).build()
}
