//! Opens the storage that the configuration names, puts the application on it, and connects it to mail, to who
//! vouches for people, to the code host and to addresses that users give.

use std::path::Path;
use std::sync::Arc;

use svc_app::ports::Clock as _;
use svc_app::{App, SignIn};
use svc_storage::StorageError;
use svc_storage_sqlite::{Copied, SqliteOptions, SqliteStore};

use crate::clock::{OsIds, SystemClock};
use crate::code_host::AppCodeHost;
use crate::config::{Config, Store};
use crate::config_error::ConfigError;
use crate::mail::SmtpMail;
use crate::oidc::OidcProvider;
use crate::open_error::OpenError;
use crate::outbound::GuardedHttp;
use crate::sealing;
use svc_app::sealing::Sealing;

/// A running application and what has to be done for its storage besides.
pub struct Opened {
    /// The application.
    pub app: Arc<App>,
    embedded: Option<SqliteStore>,
    has_new_key: bool,
}

/// Opens storage and puts the application on it.
///
/// # Errors
/// [`OpenError`].
pub async fn open(config: &Config) -> Result<Opened, OpenError> {
    let adapters = Adapters::of(config)?;
    match config.storage.engine {
        Store::Embedded => {
            open_embedded(config, adapters, SqliteStore::open, sealing::of_directory, "; is it writable?")
        }
        Store::Aws => open_aws(config, adapters, false).await,
    }
}

/// Opens the engines on AWS that were deployed together with this program, without a look whether they are there.
///
/// # Errors
/// [`OpenError`].
pub async fn open_deployed(config: &Config) -> Result<Opened, OpenError> {
    open_aws(config, Adapters::of(config)?, true).await
}

/// Opens storage to read it, and puts the application on it. It makes no key for addresses of channels: whoever looks a
/// store over may be another user than the server's.
///
/// # Errors
/// [`OpenError`].
pub async fn open_to_read(config: &Config) -> Result<Opened, OpenError> {
    let adapters = Adapters::of(config)?;
    match config.storage.engine {
        Store::Embedded => open_embedded(config, adapters, SqliteStore::open_to_read, sealing::existing, ""),
        Store::Aws => open_aws(config, adapters, false).await,
    }
}

/// Whether a directory holds an embedded store. [`open`] makes one where there is none.
///
/// # Errors
/// What keeps it from being read.
pub fn is_store(directory: &Path) -> std::io::Result<bool> {
    SqliteStore::is_in(directory)
}

/// Copies an embedded store to a directory that is new or empty, also while servers work on it.
///
/// # Errors
/// [`StorageError`], as of [`svc_storage_sqlite::back_up`].
pub fn back_up(directory: &Path, to: &Path) -> Result<Copied, StorageError> {
    svc_storage_sqlite::back_up(directory, to)
}

fn open_embedded(
    config: &Config,
    mut adapters: Adapters,
    open: fn(&Path, SqliteOptions, svc_storage_sqlite::Clock) -> Result<SqliteStore, StorageError>,
    key: fn(&Path) -> Option<Sealing>,
    unavailable: &str,
) -> Result<Opened, OpenError> {
    let directory = &config.storage.directory;
    let clock = Arc::new(|| SystemClock.now());
    let store = open(directory, SqliteOptions::default(), clock).map_err(|source| {
        // What is wrong with the data says itself what to do.
        let hint = if matches!(source, StorageError::Corrupt(_) | StorageError::Unusable(_)) {
            ""
        } else {
            unavailable
        };
        OpenError::Storage { engine: "embedded", hint: format!(" in {}{hint}", directory.display()), source }
    })?;
    let app = App::new(
        store.table(),
        store.blobs(),
        store.queue(),
        Arc::new(SystemClock),
        Arc::new(OsIds),
        config.settings.clone(),
    )
    .serving_alone();
    if let Some(written) = store.last_written() {
        app.feed_clock.not_before(written);
    }
    let had_key = adapters.sealing.is_some() || sealing::is_in(directory);
    adapters.sealing = adapters.sealing.or_else(|| key(directory));
    let has_new_key = !had_key && adapters.sealing.is_some() && !store.is_new();
    Ok(Opened { app: Arc::new(adapters.put_on(app)), embedded: Some(store), has_new_key })
}

#[cfg(feature = "aws")]
async fn open_aws(config: &Config, adapters: Adapters, deployed: bool) -> Result<Opened, OpenError> {
    let (table, blobs, queue) = crate::aws::connect(&config.storage, deployed).await?;
    let (clock, ids) = (Arc::new(SystemClock), Arc::new(OsIds));
    let app = App::new(table, blobs, queue, clock, ids, config.settings.clone());
    let app = if deployed { app } else { app.serving_with_others() };
    Ok(Opened { app: Arc::new(adapters.put_on(app)), embedded: None, has_new_key: false })
}

#[cfg(not(feature = "aws"))]
#[expect(clippy::unused_async, reason = "with the engines, it waits for them")]
async fn open_aws(_: &Config, _: Adapters, _: bool) -> Result<Opened, OpenError> {
    Err(OpenError::NoEngines)
}

/// The adapters that are not storage. They are made first, so that wrong settings leave nothing on the disk.
struct Adapters {
    sign_in: Option<SignIn>,
    code_host: Option<AppCodeHost>,
    mail: Option<SmtpMail>,
    outbound: GuardedHttp,
    sealing: Option<Sealing>,
}

impl Adapters {
    fn of(config: &Config) -> Result<Self, ConfigError> {
        let provider = OidcProvider::of(&config.oidc, &config.settings.service.base_url)?;
        let creates_accounts = config.oidc.create_accounts;
        let group_organizations = config.oidc.group_organizations()?;
        Ok(Self {
            sign_in: provider.map(|provider| SignIn {
                provider: Arc::new(provider),
                creates_accounts,
                group_organizations,
            }),
            code_host: AppCodeHost::of(&config.code_host)?,
            mail: SmtpMail::of(&config.mail)?,
            outbound: GuardedHttp::of(&config.outbound)?,
            sealing: sealing::of_settings(&config.secrets)?,
        })
    }

    fn put_on(self, mut app: App) -> App {
        if let Some(sign_in) = self.sign_in {
            app = app.with_sign_in(sign_in);
        }
        if let Some(host) = self.code_host {
            app = app.with_code_host(Arc::new(host));
        }
        if let Some(mail) = self.mail {
            app = app.with_mail(Arc::new(mail));
        }
        if let Some(sealing) = self.sealing {
            app = app.with_sealing(sealing);
        }
        app.with_outbound(Arc::new(self.outbound))
    }
}

impl Opened {
    /// Whether opening made the store.
    pub fn is_new(&self) -> bool {
        self.embedded.as_ref().is_some_and(SqliteStore::is_new)
    }

    /// Whether opening made a key beside a store that was there before: what is sealed in it cannot be read.
    pub const fn has_new_key(&self) -> bool {
        self.has_new_key
    }

    /// What the storage wants done about once a minute: the embedded store removes expired rows itself,
    /// where AWS does it by its own rules.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn sweep(&self) -> Result<u64, StorageError> {
        match &self.embedded {
            Some(store) => store.sweep().await,
            None => Ok(0),
        }
    }

    /// Finishes what was begun and closes the storage.
    pub async fn close(&self) {
        if let Some(store) = &self.embedded {
            store.close().await;
        }
    }
}
