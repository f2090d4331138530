//! The port to a code host: repositories that an app of this service is let into by installing it (specification
//! section 2.4).

use std::fmt;

use jiff::Timestamp;
use svc_domain::code_host::{InstallationId, RepositoryName};

/// An installation of the service's app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// Its number.
    pub id: InstallationId,
    /// Name of the account that installed it.
    pub account: String,
}

/// A repository as the host knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedRepository {
    /// Its name, as the host writes it.
    pub name: RepositoryName,
    /// Its default branch.
    pub default_branch: String,
}

/// What opens one repository for a while, to clone, to push and to open pull requests. Nobody stores it.
#[derive(Clone, PartialEq, Eq)]
pub struct RepositoryCredential {
    /// User name for git over HTTP.
    pub username: String,
    /// Password for git over HTTP, and token for the host's command line.
    pub secret: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl fmt::Debug for RepositoryCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RepositoryCredential(until {})", self.expires_at)
    }
}

/// Why a code host did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum CodeHostError {
    /// The installation is gone, or does not cover the repository.
    #[error("the installation does not cover the repository")]
    NotCovered,
    /// The host says no to this service, or to the person. Carries why, for the log.
    #[error("the code host refused: {0}")]
    Refused(String),
    /// The host cannot be reached, answers nonsense, or asks to try later.
    #[error("the code host does not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A code host with apps that accounts install. Nothing that it hands out is kept here.
#[async_trait::async_trait]
pub trait CodeHost: Send + Sync + 'static {
    /// Its address, for people; without a final slash.
    fn address(&self) -> &str;

    /// Where a browser goes to install the app. The host sends it back with this state.
    fn install_address(&self, state: &str) -> String;

    /// The address that git clones a repository from; carries no credential.
    fn clone_address(&self, repository: &RepositoryName) -> String;

    /// The installation, if the person whom the code stands for governs its account; what the browser says of
    /// an installation is not to be believed by itself.
    ///
    /// # Errors
    /// [`CodeHostError`].
    async fn governed(
        &self,
        code: &str,
        installation: InstallationId,
    ) -> Result<Option<Installation>, CodeHostError>;

    /// A repository that the installation covers.
    ///
    /// # Errors
    /// [`CodeHostError`].
    async fn repository(
        &self,
        installation: InstallationId,
        repository: &RepositoryName,
        now: Timestamp,
    ) -> Result<HostedRepository, CodeHostError>;

    /// A new credential for this repository and no other.
    ///
    /// # Errors
    /// [`CodeHostError`].
    async fn credential(
        &self,
        installation: InstallationId,
        repository: &RepositoryName,
        now: Timestamp,
    ) -> Result<RepositoryCredential, CodeHostError>;
}
