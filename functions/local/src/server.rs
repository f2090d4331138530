//! Starting, serving and stopping.
//!
//! Stopping. The first SIGINT or SIGTERM ends the waiting of runners for work, stops accepting connections and
//! gives requests and workers at most ten seconds to finish; then the store is closed. A second signal cuts them
//! off at once. That is safe: every acknowledged write is on disk already, and an interrupted message comes
//! again. Signals are caught before anything else happens; a signal that comes before the server serves ends the
//! start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_app::App;
use svc_boot::{Config, Opened, Storage, Store, init_telemetry, open};
use svc_http::Limits;
use svc_storage::keys;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::args::Args;
use crate::demo;
use crate::failure::Failure;
use crate::metrics;
use crate::resident;
use crate::routes::router;
use crate::served;

/// How long requests in flight and workers may take to finish when the process stops.
const GRACE: Duration = Duration::from_secs(10);

/// How often expired rows are removed from the embedded store.
const SWEEP: Duration = Duration::from_secs(60);

/// Says how the first account is created, while there is none.
async fn tell_how_to_begin(app: &App) {
    // A store that cannot be read says so itself.
    if svc_app::identity::setup_needed(app).await.unwrap_or(false) {
        let url = &app.settings.service.base_url;
        tracing::info!(
            "no account yet: open {url} in a browser, or run `svc auth setup --url {url}` (see its --help)"
        );
    }
}

/// Serves until a signal says stop.
///
/// # Errors
/// What keeps the server from starting: configuration, storage or the address.
pub async fn serve(args: Args) -> Result<(), Failure> {
    let mut signals = StopSignals::caught()?;
    let config = args.config()?;
    init_telemetry(&config.logging);
    let place = config.storage.clone();
    let Started { listener, for_metrics, opened } = tokio::select! {
        started = start(&args, config) => started?,
        () = signals.next() => {
            tracing::info!("stopped during startup");
            return Ok(());
        }
    };
    let app = Arc::clone(&opened.app);
    let router = router(Arc::clone(&app));
    let address = listener.local_addr()?;
    tell_start(&opened, address, &place, args.demo);
    tell_lost_key(&opened).await;
    tell_how_to_begin(&app).await;
    resident::let_go_of_code();

    let limits = Limits::within(most_files(), app.settings.service.trusted_proxies);
    let (stop, stopping) = watch::channel(false);
    if let Some(listener) = for_metrics {
        let directory = (place.engine == Store::Embedded).then(|| place.directory.clone());
        tracing::info!(address = %listener.local_addr()?, "serving metrics");
        let router = metrics::router(Arc::clone(&app), directory);
        tokio::spawn(svc_http::serve_socket(listener, router, limits, told(stopping.clone())));
    }
    let workers = tokio::spawn(svc_workers::run(Arc::clone(&app), stopping.clone()));
    let serving = tokio::spawn(svc_http::serve_socket(listener, router, limits, told(stopping.clone())));
    let sweeping = tokio::spawn(sweep(Arc::clone(&opened), stopping));

    signals.next().await;
    tracing::info!("stopping: requests in flight may finish");
    app.notifier.close();
    stop.send_replace(true);
    let tasks = [serving.abort_handle(), workers.abort_handle(), sweeping.abort_handle()];
    let finished = tokio::select! {
        finished = finish(serving, workers, sweeping) => finished,
        () = signals.next() => {
            tracing::warn!("second signal: stopping without waiting");
            Ok(())
        }
    };
    for task in tasks {
        task.abort();
    }
    opened.close().await;
    tracing::info!("stopped");
    finished
}

/// Waits until everything has finished that was told to stop, for as long as that may take.
async fn finish(
    serving: JoinHandle<std::io::Result<()>>,
    workers: JoinHandle<()>,
    sweeping: JoinHandle<()>,
) -> Result<(), Failure> {
    let until = Instant::now() + GRACE;
    match timeout_at(until, serving).await {
        Ok(served) => served??,
        Err(_) => tracing::warn!("some requests did not finish in time and were cut off"),
    }
    match timeout_at(until, async { tokio::try_join!(workers, sweeping) }).await {
        Ok(worked) => {
            worked?;
        }
        Err(_) => {
            tracing::warn!("some background work did not finish in time: it continues after the next start")
        }
    }
    Ok(())
}

/// What the log says of a start: which program serves which store.
fn tell_start(opened: &Opened, address: SocketAddr, storage: &Storage, demo: bool) {
    let (version, store) = (env!("CARGO_PKG_VERSION"), described(storage));
    if opened.is_new() && demo {
        tracing::info!(store, "created a new store, which the demo's account owns: see demo.json in it");
    } else if opened.is_new() {
        tracing::warn!(store, "created a new, empty store: the first person to set it up owns it");
    }
    if opened.app.mail.is_none() {
        tracing::info!("mail is off (no Mail:Host): invitation links are shown to the person who invites");
    }
    if storage.engine == Store::Embedded && opened.app.table.alone().is_none() {
        tracing::warn!(store, "another process has this store open to write: see docs/operating.md");
    }
    let base_url = &opened.app.settings.service.base_url;
    tracing::info!(%address, base_url, version, store, new_store = opened.is_new(), "serving");
}

/// Says that what was sealed cannot be read, where the key beside the store was missing.
async fn tell_lost_key(opened: &Opened) {
    // A store that cannot be read says so itself.
    if opened.has_new_key() && svc_app::silent::has_sealed(&opened.app).await.unwrap_or(false) {
        tracing::warn!(
            "secrets.key was missing and a new one was made: chats must be connected again, and secrets of webhooks \
             rotated; or stop the server and put the former secrets.key back. `svc-server doctor` names them"
        );
    }
}

/// Where data lives, for the log: the full path of a directory, or the name of a table.
fn described(storage: &Storage) -> String {
    match storage.engine {
        Store::Embedded => {
            let directory = &storage.directory;
            directory.canonicalize().as_ref().unwrap_or(directory).display().to_string()
        }
        Store::Aws => storage.table.clone(),
    }
}

/// Files that the process may open, after it asked for as many as it is allowed: systems start programs with 1,024,
/// for the sake of those that number them in a bit set.
fn most_files() -> usize {
    let files = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: files.maximum, maximum: files.maximum };
    let current = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => files.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            files.current
        }
    };
    // No number is no limit.
    current.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// A server that is ready to serve.
struct Started {
    listener: TcpListener,
    for_metrics: Option<TcpListener>,
    opened: Arc<Opened>,
}

/// Takes the addresses and opens the store, with the demo's data in it where they are asked for.
async fn start(args: &Args, mut config: Config) -> Result<Started, Failure> {
    let listener = listen(args.listen, "--listen").await?;
    let for_metrics = match args.metrics {
        Some(address) => Some(listen(address, "--metrics").await?),
        None => None,
    };
    if config.settings.service.base_url.is_empty() {
        config.settings.service.base_url = format!("http://{}", listener.local_addr()?);
    }
    demo::name_admins(&mut config, args.demo);
    let opened = Arc::new(open(&config).await?);
    if opened.app.table.get(&keys::store_import()).await?.is_some() {
        opened.close().await;
        return Err(
            "an import into this store has not finished: run svc-server import again, which goes on".into()
        );
    }
    served::keep(&config);
    if args.demo {
        demo::prepare(&opened.app, &config.storage.directory).await?;
    }
    Ok(Started { listener, for_metrics, opened })
}

/// Takes the address that an option names.
async fn listen(address: SocketAddr, option: &str) -> Result<TcpListener, Failure> {
    let taken = TcpListener::bind(address).await;
    Ok(taken.map_err(|error| format!("cannot listen on {address}: {error}; choose another with {option}"))?)
}

/// Removes expired rows from the embedded store from time to time, until told to stop.
async fn sweep(opened: Arc<Opened>, mut stopping: watch::Receiver<bool>) {
    while tokio::time::timeout(SWEEP, stopping.wait_for(|stop| *stop)).await.is_err() {
        if let Err(error) = opened.sweep().await {
            tracing::warn!(%error, "expired rows were not removed");
        }
    }
}

async fn told(mut stopping: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a reason to stop too.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// The signals that say stop. From the moment that they are caught none is lost, however late it is asked for.
struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    fn caught() -> std::io::Result<Self> {
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GRACE, finish};
    use std::future::pending;
    use tokio::time::{Instant, timeout};

    /// A mail server that said nothing held up the end of the process for ten minutes.
    #[tokio::test(start_paused = true)]
    async fn workers_that_do_not_finish_hold_up_the_end_no_longer_than_requests() {
        let begun = Instant::now();
        let serving = tokio::spawn(async { Ok(()) });
        let finished = finish(serving, tokio::spawn(pending()), tokio::spawn(async {}));
        timeout(GRACE * 2, finished).await.expect("an end").unwrap();
        assert_eq!(begun.elapsed(), GRACE);
    }
}
