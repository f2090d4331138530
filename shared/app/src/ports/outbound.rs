//! The port for requests to addresses that users give.

/// Bytes of an answer that are read at most.
pub const MOST_OF_AN_ANSWER: usize = 64 * 1024;

/// A request to send.
#[derive(Clone, Debug)]
pub struct Post {
    /// Where to.
    pub address: String,
    /// Headers, in small letters. Without `content-type` the body is `application/json`.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status.
    pub status: u16,
    /// `Retry-After`, in seconds, where it is given so.
    pub retry_after: Option<u64>,
    /// The body as far as it came in time, at most [`MOST_OF_AN_ANSWER`].
    pub body: Vec<u8>,
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressRefusal {
    /// It is no address at all, or has a user or a fragment.
    #[error("it must be an address such as https://example.com/hook, without user and fragment")]
    Malformed,
    /// It is not encrypted.
    #[error("it must begin with https://")]
    InTheClear,
    /// It is of a network that is not open to everybody.
    #[error(
        "it is in a private network, which the operator of this instance does not allow (setting Outbound:PrivateNetworks)"
    )]
    Private,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// Nothing may be sent there.
    #[error("the address is refused: {0}")]
    Refused(#[from] AddressRefusal),
    /// Nothing answers there, or not in time. Carries why, for the log.
    #[error("no answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Sends requests to addresses that users give. It follows no redirect and uses no proxy.
#[async_trait::async_trait]
pub trait Outbound: Send + Sync + 'static {
    /// Whether requests may go to an address, as far as it says so itself. What its name resolves to is judged by each
    /// request.
    ///
    /// # Errors
    /// [`AddressRefusal`].
    fn judge(&self, address: &str) -> Result<(), AddressRefusal>;

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// [`OutboundError`]. A request without an answer may have been taken all the same.
    async fn post(&self, post: &Post) -> Result<Answer, OutboundError>;
}

/// Sends nothing: what an application has until it is given something better.
pub(crate) struct NoOutbound;

#[async_trait::async_trait]
impl Outbound for NoOutbound {
    fn judge(&self, _: &str) -> Result<(), AddressRefusal> {
        Ok(())
    }

    async fn post(&self, _: &Post) -> Result<Answer, OutboundError> {
        Err(OutboundError::Unavailable("this process sends nothing".into()))
    }
}
