//! Ports that are not storage: time, chance and mail. `boot` has the real ones, tests have ones they move.

use jiff::Timestamp;
use svc_domain::letter::Letter;
use uuid::Uuid;

/// The wall clock.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// Where fresh ids and secrets come from.
pub trait Ids: Send + Sync + 'static {
    /// A new UUIDv7.
    fn uuid(&self) -> Uuid;

    /// 32 bytes that nobody can guess.
    fn secret(&self) -> [u8; 32];
}

/// A mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Address.
    pub to: String,
    /// The letter.
    pub letter: Letter,
    /// The same for every attempt at the same mail, so that what comes twice is known for one: letters,
    /// digits, dots and hyphens.
    pub id: String,
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

/// Letters to people.
#[async_trait::async_trait]
pub trait Mail: Send + Sync + 'static {
    /// Hands a mail over. What is not acknowledged may have been taken all the same.
    ///
    /// # Errors
    /// [`MailError`].
    async fn send(&self, mail: &Envelope) -> Result<(), MailError>;
}
