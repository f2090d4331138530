//! Ports other than storage: time, randomness, mail, the identity provider, the code host, and requests to addresses
//! that users give. `boot` has the real ones; tests have their own.

mod code_host;
mod outbound;

use std::time::Duration;

use jiff::Timestamp;
use svc_domain::email::Email;
use uuid::Uuid;

pub use code_host::{CodeHost, CodeHostError, HostedRepository, Installation, RepositoryCredential};
pub(crate) use outbound::NoOutbound;
pub use outbound::{AddressRefusal, Answer, MOST_OF_AN_ANSWER, Outbound, OutboundError, Post};

/// The wall clock.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;

    /// For how long this process has run, whatever somebody sets the clock to. The sleep of a machine does not count.
    fn uptime(&self) -> Duration;
}

/// Where fresh ids and secrets come from.
pub trait Ids: Send + Sync + 'static {
    /// A new UUIDv7.
    fn uuid(&self) -> Uuid;

    /// Names one request in the logs, and nothing that is stored.
    fn trace_id(&self) -> u128;

    /// 32 bytes that nobody can guess.
    fn secret(&self) -> [u8; 32];
}

/// A mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Address.
    pub to: String,
    /// The email.
    pub email: Email,
    /// The same for every attempt at the same mail, so that what comes twice is known for one: letters,
    /// digits, dots and hyphens.
    pub id: String,
    /// What its reader gets more of; `None` for a mail that they asked for.
    pub list: Option<MailList>,
}

/// What a mail says about itself where its reader gets more of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailList {
    /// Name of what it belongs to: letters and hyphens.
    pub name: String,
    /// The address that stops it by one POST (RFC 8058).
    pub unsubscribe: Option<String>,
    /// What it is about, so that mails about the same stand together: letters, digits, dots and hyphens.
    pub thread: Option<String>,
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// It will never be taken: the address or the mail is wrong. Carries what the mail server said.
    #[error("the mail was refused: {0}")]
    Refused(String),
    /// The mail server cannot be reached, or asks to try later.
    #[error("the mail server does not take mail at the moment")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Emails to people.
#[async_trait::async_trait]
pub trait Mail: Send + Sync + 'static {
    /// Hands a mail over. What is not acknowledged may have been taken all the same.
    ///
    /// # Errors
    /// [`MailError`].
    async fn send(&self, mail: &Envelope) -> Result<(), MailError>;
}

/// One attempt to sign in with an identity provider. All of it but `redirect` is made from a secret that only
/// the browser has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Where the provider sends the browser back to.
    pub redirect: String,
    /// What it must bring back.
    pub state: String,
    /// What the provider must sign.
    pub nonce: String,
    /// What proves that the code comes back to who began (PKCE).
    pub verifier: String,
}

/// A person, as an identity provider knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignPerson {
    /// The provider.
    pub issuer: String,
    /// What the provider calls the person, for ever.
    pub subject: String,
    /// Address.
    pub email: Option<String>,
    /// Whether the provider has seen that mail to the address reaches the person.
    pub email_verified: bool,
    /// Name.
    pub name: Option<String>,
    /// The groups that they are in; `None` where they were not asked for, or what was said of them is not to be used.
    pub groups: Option<Vec<String>>,
}

/// Why a provider did not say who somebody is.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// What came back is not to be believed, or the provider says no. Carries why, for the log.
    #[error("the provider's answer was refused: {0}")]
    Refused(String),
    /// The provider cannot be reached, or answers nonsense.
    #[error("the provider does not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// An identity provider: it says who somebody is.
#[async_trait::async_trait]
pub trait SignInProvider: Send + Sync + 'static {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// Where a browser goes to begin an attempt.
    ///
    /// # Errors
    /// [`ProviderError`].
    async fn address(&self, attempt: &Attempt) -> Result<String, ProviderError>;

    /// Whom the code stands for that an attempt brought back: signed by the provider, for this service and
    /// this attempt, and in time.
    ///
    /// # Errors
    /// [`ProviderError`].
    async fn person(
        &self,
        attempt: &Attempt,
        code: &str,
        now: Timestamp,
    ) -> Result<ForeignPerson, ProviderError>;
}
