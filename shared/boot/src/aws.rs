//! Connects the engines on AWS.

use std::sync::Arc;
use std::time::Duration;

use svc_app::ports::Clock as _;
use svc_storage::{Blobs, Queue, Table};
use svc_storage_aws::{AwsConfig, AwsStore};

use crate::clock::SystemClock;
use crate::config::Storage;
use crate::open_error::OpenError;

/// How long a received message stays hidden, in a queue that is made here.
const VISIBILITY: Duration = Duration::from_secs(60);

/// The ports on the engines that these settings name. Where a deployment made them with this program, they are not
/// looked for.
pub(crate) async fn connect(
    storage: &Storage,
    deployed: bool,
) -> Result<(Arc<dyn Table>, Arc<dyn Blobs>, Arc<dyn Queue>), OpenError> {
    let Storage { table, bucket, queue_url, endpoint, region, create, .. } = storage.clone();
    let longest_delay = AwsConfig::LONGEST_DELAY;
    let aws = AwsConfig { table, bucket, queue_url, endpoint, region, access_key: None, longest_delay };
    let store = AwsStore::connect(aws, Arc::new(|| SystemClock.now())).await;
    if create {
        store.create_missing(VISIBILITY).await.map_err(|source| OpenError::Storage {
            engine: "AWS",
            hint: "; check endpoint, region and credentials".into(),
            source,
        })?;
    }
    if !deployed {
        store.look().await.map_err(|source| OpenError::Storage {
            engine: "AWS",
            hint: String::new(),
            source,
        })?;
    }
    Ok((store.table(), store.blobs(), store.queue()))
}
