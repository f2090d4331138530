//! An application on the embedded store, and others beside it on the same one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use axum::Router;
use jiff::{SignedDuration, Timestamp};
use svc_app::ports::Clock;
use svc_app::{App, Settings};
use svc_http::ApiRouter;
use svc_storage_sqlite::{SqliteOptions, SqliteStore};
use tempfile::TempDir;

use crate::{CountingIds, TestClock};

/// An application whose store goes away with it.
pub struct TestApp {
    /// The application.
    pub app: Arc<App>,
    /// Its clock.
    pub clock: Arc<TestClock>,
    directory: Arc<TempDir>,
    instances: Arc<AtomicU16>,
}

impl Default for TestApp {
    fn default() -> Self {
        Self::new()
    }
}

impl TestApp {
    /// An application of default settings.
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    /// An application of these settings.
    ///
    /// # Panics
    /// When the temporary directory cannot be used.
    pub fn with(settings: Settings) -> Self {
        let directory = Arc::new(tempfile::tempdir().expect("a temporary directory can be made"));
        Self::open(directory, Arc::default(), Arc::new(AtomicU16::new(0)), settings)
    }

    /// Another process on the same store, at the same time of day: it shares nothing in memory.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self::open(
            Arc::clone(&self.directory),
            Arc::clone(&self.clock),
            Arc::clone(&self.instances),
            self.app.settings.clone(),
        )
    }

    fn open(
        directory: Arc<TempDir>,
        clock: Arc<TestClock>,
        instances: Arc<AtomicU16>,
        settings: Settings,
    ) -> Self {
        let time = Arc::clone(&clock);
        let store =
            SqliteStore::open(directory.path(), SqliteOptions::default(), Arc::new(move || time.now()))
                .expect("a store opens in a fresh directory");
        let instance = instances.fetch_add(1, Ordering::SeqCst);
        let ids = Arc::new(CountingIds::new(Arc::clone(&clock), instance));
        let app = App::new(store.table(), store.blobs(), store.queue(), clock.clone(), ids, settings);
        Self { app: Arc::new(app), clock, directory, instances }
    }

    /// The data directory.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Moves the clock forward; the time that follows.
    pub fn advance(&self, by: SignedDuration) -> Timestamp {
        self.clock.advance(by)
    }

    /// These areas under `/api/v1` behind the common layers, as the server serves them. Whatever goes wrong
    /// in documenting them is a panic.
    pub fn router(&self, areas: impl IntoIterator<Item = ApiRouter>) -> Router {
        svc_http::finish(Self::documented(areas).0, Arc::clone(&self.app))
    }

    /// The same areas before the common layers, and their OpenAPI document.
    pub fn documented(
        areas: impl IntoIterator<Item = ApiRouter>,
    ) -> (Router<Arc<App>>, aide::openapi::OpenApi) {
        aide::generate::on_error(|error| panic!("the OpenAPI document: {error}"));
        svc_http::api(areas)
    }
}
