//! An application on the embedded store, and others beside it on the same one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use axum::Router;
use jiff::{SignedDuration, Timestamp};
use svc_app::messages::Message;
use svc_app::ports::{Clock, CodeHost, Mail, Outbound};
use svc_app::sealing::Sealing;
use svc_app::{App, Settings, SignIn};
use svc_http::ApiRouter;
use svc_storage_sqlite::{SqliteOptions, SqliteStore};
use tempfile::TempDir;

use crate::{Contract, CountingIds, FullDisk, Gate, Metered, TestClock};

/// An application whose store goes away with it.
pub struct TestApp {
    /// The application.
    pub app: Arc<App>,
    /// Its clock.
    pub clock: Arc<TestClock>,
    directory: Arc<TempDir>,
    instances: Arc<AtomicU16>,
    store: SqliteStore,
}

/// A closed store of a [`TestApp`], of which any number of copies can be opened.
pub struct Template {
    directory: Arc<TempDir>,
    time: Timestamp,
    instances: Arc<AtomicU16>,
    settings: Settings,
}

impl Template {
    /// An application on a copy of the store, at the time when it was closed. Copies share nothing.
    ///
    /// # Panics
    /// When the files cannot be copied.
    pub fn open(&self) -> TestApp {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        copy(self.directory.path(), directory.path()).expect("a closed store can be copied");
        let clock = Arc::new(TestClock::at(self.time));
        TestApp::open(Arc::new(directory), clock, Arc::clone(&self.instances), self.settings.clone())
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&to)?;
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

impl Default for TestApp {
    fn default() -> Self {
        Self::new()
    }
}

impl TestApp {
    /// Hands over each message that waits, and what follows from them, until the queue is empty.
    ///
    /// # Panics
    /// When the queue does not answer, or a message is none.
    pub async fn drain(&self, mut handle: impl AsyncFnMut(Message)) {
        let queue = &self.app.queue;
        loop {
            let received = queue.receive(10, Duration::ZERO).await.expect("the queue answers");
            if received.is_empty() {
                return;
            }
            for message in received {
                handle(serde_json::from_str(&message.body).expect("a message")).await;
                queue.ack(&message.receipt).await.expect("the queue answers");
            }
        }
    }

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

    /// The server after it was away: another process on the same store, the only one, which begins to serve now.
    #[must_use]
    pub fn restarted(&self) -> Self {
        let Self { app, clock, directory, instances, store } = self.beside();
        let app = Arc::into_inner(app).expect("nobody else holds the application yet");
        Self { app: Arc::new(app.serving_alone()), clock, directory, instances, store }
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
        let app = App::new(store.table(), store.blobs(), store.queue(), clock.clone(), ids, settings)
            .with_sealing(Sealing::new(&[7; 32]));
        Self { app: Arc::new(app), clock, directory, instances, store }
    }

    /// Closes the store, to open copies of it.
    pub async fn close(self) -> Template {
        self.store.close().await;
        let (time, settings) = (self.now(), self.app.settings.clone());
        Template { directory: self.directory, time, instances: self.instances, settings }
    }

    /// The same application, which sends mail this way.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn with_mail(self, mail: Arc<dyn Mail>) -> Self {
        let app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        Self { app: Arc::new(app.with_mail(mail)), ..self }
    }

    /// The same application, where people also sign in with an identity provider.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn with_sign_in(self, sign_in: SignIn) -> Self {
        let app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        Self { app: Arc::new(app.with_sign_in(sign_in)), ..self }
    }

    /// The same application, which reaches repositories at this code host.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn with_code_host(self, code_host: Arc<dyn CodeHost>) -> Self {
        let app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        Self { app: Arc::new(app.with_code_host(code_host)), ..self }
    }

    /// The same application, which sends requests to addresses that users give.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn with_outbound(self, outbound: Arc<dyn Outbound>) -> Self {
        let app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        Self { app: Arc::new(app.with_outbound(outbound)), ..self }
    }

    /// The same application on a table that is metered.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn metered(self) -> (Self, Arc<Metered>) {
        let mut app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        let meter = Arc::new(Metered::new(Arc::clone(&app.table)));
        app.table = meter.clone();
        (Self { app: Arc::new(app), ..self }, meter)
    }

    /// The same application on a table whose commits can be held.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn gated(self) -> (Self, Arc<Gate>) {
        let mut app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        let gate = Arc::new(Gate::new(Arc::clone(&app.table)));
        app.table = gate.clone();
        (Self { app: Arc::new(app), ..self }, gate)
    }

    /// The same application on a disk that can be filled.
    ///
    /// # Panics
    /// When the application is shared already.
    #[must_use]
    pub fn on_a_disk(self) -> (Self, Arc<FullDisk>) {
        let mut app = Arc::into_inner(self.app).expect("nobody else holds the application yet");
        let disk = Arc::new(FullDisk::new(Arc::clone(&app.table)));
        app.table = disk.clone();
        (Self { app: Arc::new(app), ..self }, disk)
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

    /// These areas under `/api/v1` behind the common layers, as the server serves them. An answer that their document
    /// does not know is a panic.
    pub fn router(&self, areas: &Areas) -> Router {
        let Areas { routes, contract } = areas;
        contract.clone().hold(svc_http::finish(routes.clone(), Arc::clone(&self.app)))
    }

    /// Areas before the common layers, and their OpenAPI document. Whatever goes wrong in documenting them is a panic.
    pub fn documented(
        areas: impl IntoIterator<Item = ApiRouter>,
    ) -> (Router<Arc<App>>, aide::openapi::OpenApi) {
        aide::generate::on_error(|error| panic!("the OpenAPI document: {error}"));
        svc_http::api(areas)
    }
}

/// Areas of the API and what they promise. Making their document takes longer than most tests: tests of one process
/// share it in a `LazyLock`.
pub struct Areas {
    routes: Router<Arc<App>>,
    contract: Contract,
}

impl Areas {
    /// These areas; whatever goes wrong in documenting them is a panic.
    pub fn new(areas: impl IntoIterator<Item = ApiRouter>) -> Self {
        let (routes, document) = TestApp::documented(areas);
        Self { routes, contract: Contract::of(&document) }
    }
}
