//! The adapters on a local engine, each test with names of its own.

use svc_conformance::engine::{Engine, SECRET};
use svc_conformance::queue::VISIBILITY;
use svc_storage_aws::{AccessKey, AwsConfig, AwsStore};

use crate::wall_clock;

/// A running engine and the names that one test uses in it.
pub(crate) struct Ministack {
    config: AwsConfig,
    _engine: Engine,
}

impl Ministack {
    /// Starts the engine, and makes the test's table, bucket and queue in it.
    pub(crate) async fn start(test: &str) -> Self {
        let engine = Engine::start();
        let endpoint = engine.endpoint().to_owned();
        // An access key of 12 digits is an account of its own; the names tell runs apart elsewhere.
        let account = format!("{:012}", std::process::id());
        let name = format!("svc-{test}-{account}");
        let config = AwsConfig {
            table: name.clone(),
            bucket: name.clone(),
            queue_url: format!("{endpoint}/{account}/{name}"),
            endpoint: Some(endpoint),
            region: Some("us-east-1".into()),
            longest_delay: AwsConfig::LONGEST_DELAY,
            access_key: Some(AccessKey { id: account, secret: SECRET.into() }),
        };
        let engine = Self { config, _engine: engine };
        engine.open().await.create_missing(VISIBILITY).await.unwrap();
        engine
    }

    /// A store with clients of its own.
    pub(crate) async fn open(&self) -> AwsStore {
        self.open_with(|_| ()).await
    }

    /// The same with other settings.
    pub(crate) async fn open_with(&self, change: impl FnOnce(&mut AwsConfig)) -> AwsStore {
        let mut config = self.config.clone();
        change(&mut config);
        AwsStore::connect(config, wall_clock()).await
    }
}
