//! Updates of this program (specification section 4.3, rule 12).
//!
//! ```text
//! 1. The latest version is asked of the package registry at the start and every 6 hours, unless SVC_NO_UPDATE_CHECK is
//!    set: of the one that
//!    `npm_config_registry` names, else of the public one. No file decides it, so no repository does.
//! 2. Only what a package manager installed for the whole user is updated, by that package manager, without asking for
//!    rights that this process does not have. Its directory is neither the current one nor a repository.
//! 3. One process of a user installs at a time. What another one has installed meanwhile is used as it is.
//! 4. What was installed is believed once the checksum of its package is that of the binary, and the binary says its
//!    version. Otherwise the version of before is installed again.
//! 5. The process ends or starts again only after all that. Whatever fails, it works on as it is.
//! ```

mod error;
mod installation;
mod package;
mod registry;

use std::path::{Path, PathBuf};
use std::time::Duration;

use semver::Version;
use tempfile::NamedTempFile;
use tokio::process::Command;

use crate::environment::without_own_variables;
use crate::workspace::git::output_of;

pub use error::UpdateError;
pub use installation::Installation;
pub use registry::{Registry, RegistryError};

/// Between two looks at the registry.
pub const CHECK_EVERY: Duration = Duration::from_secs(6 * 60 * 60);
/// How long installing may take.
const INSTALL: Duration = Duration::from_secs(10 * 60);
/// How long a program that was installed may take to say its version.
const ANSWER: Duration = Duration::from_secs(30);

/// The version of this process.
pub fn running() -> Version {
    // The version of a crate is one.
    Version::parse(crate::version()).unwrap_or(Version::new(0, 0, 0))
}

impl Installation {
    /// Installs a version and verifies it.
    ///
    /// # Errors
    /// As [`UpdateError`] says. The version of before is there again, as far as that is possible.
    pub async fn install(&self, version: &Version, registry: &Registry) -> Result<(), UpdateError> {
        let _lock =
            installation::lock(self).await.map_err(|error| UpdateError::Install(error.to_string()))?;
        if self.verified(version).await.is_ok() {
            return Ok(());
        }
        self.writable()?;
        let before = package::version_of(&self.package());
        let result = match self.fetch(version, registry).await {
            Ok(()) => self.verified(version).await,
            failed => failed,
        };
        if result.is_err()
            && let Some(before) = before
            && self.verified(&before).await.is_err()
            && let Err(error) = self.back_to(&before, registry).await
        {
            tracing::error!(
                "svc {before} could not be installed again, and svc will not start: {error}. \
                 Install @svc/cli by hand, with enough space on the disk"
            );
        }
        result
    }

    /// Installs the version of before again. A package manager may succeed without the program, which it takes for
    /// optional.
    async fn back_to(&self, before: &Version, registry: &Registry) -> Result<(), UpdateError> {
        self.fetch(before, registry).await?;
        self.verified(before).await
    }

    /// Lets the package manager install a version.
    async fn fetch(&self, version: &Version, registry: &Registry) -> Result<(), UpdateError> {
        let settings = self.settings(registry).map_err(|error| UpdateError::Install(error.to_string()))?;
        let settings_path = settings.as_ref().map(NamedTempFile::path);
        let (program, args) = self.command(version, registry, settings_path);
        let mut command = Command::new(&program);
        // Settings of a repository, or of a script that started the runner, do not count.
        command.args(&args).current_dir(self.home()).env_remove("npm_config_prefix").env_remove("INIT_CWD");
        without_own_variables(&mut command);
        let name = program.display();
        let output = tokio::time::timeout(INSTALL, output_of(command))
            .await
            .map_err(|_| UpdateError::Install(format!("{name} took too long")))?
            .map_err(|error| UpdateError::Install(format!("{name} cannot be started: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
        Err(UpdateError::Install(format!("{name} failed ({}): {}", output.status, said.join("; "))))
    }

    /// Whether this version is installed, is what was published, and works.
    async fn verified(&self, version: &Version) -> Result<(), UpdateError> {
        let package = self.package();
        let expected = version.clone();
        let checked = tokio::task::spawn_blocking(move || package::check(&package, &expected)).await;
        let binary = checked
            .map_err(|error| UpdateError::Unsound(error.to_string()))?
            .map_err(UpdateError::Unsound)?;
        let said = said_version(&binary).await;
        if said.as_deref() == Some(&version.to_string()) {
            return Ok(());
        }
        let said = said.unwrap_or_else(|| "nothing".to_owned());
        Err(UpdateError::Unsound(format!("{} says {said} instead of {version}", binary.display())))
    }

    /// The binary that is installed now.
    pub fn binary(&self) -> Option<PathBuf> {
        package::binary_of(&self.package())
    }
}

/// The version that a binary says of itself.
async fn said_version(binary: &Path) -> Option<String> {
    let mut command = Command::new(binary);
    command.arg("--version").current_dir("/");
    let output = tokio::time::timeout(ANSWER, output_of(command)).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then(|| text.rsplit(' ').next().unwrap_or_default().to_owned())
}
