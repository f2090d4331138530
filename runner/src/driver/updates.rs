//! Looks for newer versions and installs them, when the supervisor says so.

use std::sync::{Arc, Mutex};

use semver::Version;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::options::Options;
use crate::locking::lock;
use crate::runner_file::RunnerFile;
use crate::supervisor::Message;
use crate::update::{Installation, Registry, RegistryError, UpdateError, running};

/// The latest version that was seen, if it is newer. Cloning is cheap.
#[derive(Clone, Default)]
pub(super) struct Updates {
    newer: Arc<Mutex<Option<(Installation, Version, Registry)>>>,
}

/// Why a newer version that is there is not installed.
const NOT_GLOBAL: &str =
    "this program was not installed with `npm install -g @svc/cli`, so it is not updated";

/// Turns the look for newer versions off, where it has a value.
const OFF: &str = "SVC_NO_UPDATE_CHECK";

impl Updates {
    /// Looks at once and then now and again, as long as the process lives.
    pub(super) fn watch(
        &self,
        options: &Options,
        file: &Arc<Mutex<RunnerFile>>,
        messages: &mpsc::UnboundedSender<Message>,
    ) {
        if std::env::var_os(OFF).is_some_and(|value| !value.is_empty()) {
            tracing::debug!("no newer version is looked for: {OFF} is set");
            return;
        }
        let (updates, options) = (self.clone(), options.clone());
        let (file, messages) = (Arc::clone(file), messages.clone());
        tokio::spawn(async move {
            let mut due = interval(options.update_every);
            due.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                due.tick().await;
                let allowed = options.auto_update && lock(&file).auto_update;
                if updates.look(options.installation.as_ref(), allowed).await
                    && messages.send(Message::NewerVersion).is_err()
                {
                    return;
                }
            }
        });
    }

    /// Whether there is a newer version that may be installed; tells the result.
    async fn look(&self, installation: Option<&Installation>, allowed: bool) -> bool {
        let (registry, latest) = match latest().await {
            Ok(found) => found,
            Err(error @ RegistryError::Unpublished(_)) => {
                tracing::debug!("no newer version is looked for: {error}");
                return false;
            }
            Err(error) => {
                tracing::warn!("cannot check for a newer version: {error}");
                return false;
            }
        };
        let running = running();
        if latest <= running {
            tracing::info!("svc {running} is up to date; the latest version is {latest}");
            return false;
        }
        if !allowed {
            tracing::info!("svc {latest} is out, this is {running}; automatic updates are off");
            return false;
        }
        let Some(installation) = installation else {
            tracing::warn!("svc {latest} is out, this is {running}; {NOT_GLOBAL}");
            return false;
        };
        if let Err(error) = installation.writable() {
            tracing::warn!("svc {latest} is out, this is {running}; it is not installed: {error}");
            return false;
        }
        tracing::info!("svc {latest} is out, this is {running}");
        *lock(&self.newer) = Some((installation.clone(), latest, registry));
        true
    }

    /// Installs what was seen; tells the result.
    pub(super) fn install(&self, messages: mpsc::UnboundedSender<Message>) {
        let newer = lock(&self.newer).take();
        tokio::spawn(async move {
            let installed = match newer {
                Some((installation, version, registry)) => {
                    let result = installation.install(&version, &registry).await;
                    told(&version, &result);
                    result.is_ok()
                }
                None => false,
            };
            // The receiver is gone only when the process ends.
            let _ = messages.send(Message::UpdateEnded { installed });
        });
    }
}

/// The registry, and its latest version.
async fn latest() -> Result<(Registry, Version), RegistryError> {
    let registry = Registry::of_environment(|name| std::env::var(name).ok())?;
    let latest = registry.latest().await?;
    Ok((registry, latest))
}

fn told(version: &Version, result: &Result<(), UpdateError>) {
    match result {
        Ok(()) => tracing::info!("svc {version} is installed; starting again"),
        Err(error) => {
            tracing::warn!("svc {version} could not be installed; continuing with {}: {error}", running())
        }
    }
}
