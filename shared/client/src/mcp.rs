//! The instance's MCP endpoint: one message there, and what comes back, as it is.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Response;
use reqwest::header::{ACCEPT, CONTENT_TYPE};

use crate::client::Client;
use crate::error::Error;
use crate::send::network;

/// Longest time that an answer may take.
const TIMEOUT: Duration = Duration::from_secs(120);

/// An answer, to be read piece by piece.
#[derive(Debug)]
pub struct McpAnswer {
    /// HTTP status code.
    pub status: u16,
    /// Media type without its parameters; empty where there is none.
    pub media_type: String,
    client: Client,
    response: Response,
}

impl Client {
    /// Sends one message of the protocol. Headers that are not visible ASCII are sent in the protocol's coding.
    /// Nothing is tried again here: a call may have done its work.
    ///
    /// # Errors
    /// `Network` when the instance cannot be reached, or answers no more.
    pub async fn mcp(&self, message: String, headers: &[(&'static str, String)]) -> Result<McpAnswer, Error> {
        let mut request = self
            .http()
            .post(format!("{}/mcp", self.base_url()))
            .headers(self.credential())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .timeout(TIMEOUT);
        for (name, value) in headers {
            request = request.header(*name, coded(value));
        }
        let response = request.body(message).send().await.map_err(|error| network(self, error))?;
        let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media_type = media_type.and_then(|value| value.split(';').next()).unwrap_or_default();
        Ok(McpAnswer {
            status: response.status().as_u16(),
            media_type: media_type.trim().to_ascii_lowercase(),
            client: self.clone(),
            response,
        })
    }
}

impl McpAnswer {
    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// `Network` when the connection breaks.
    pub async fn piece(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let piece = self.response.chunk().await.map_err(|error| network(&self.client, error))?;
        Ok(piece.map(Into::into))
    }
}

/// A value of a header: as it is, or in Base64 where a header could not carry it.
fn coded(value: &str) -> String {
    let plain = value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && value.trim() == value;
    if plain && !value.starts_with("=?base64?") {
        return value.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(value))
}

#[cfg(test)]
mod tests {
    use super::coded;

    #[test]
    fn what_a_header_cannot_carry_is_coded() {
        assert_eq!(coded("svc://items/WEB-1"), "svc://items/WEB-1");
        assert_eq!(coded("größe"), "=?base64?Z3LDtsOfZQ==?=");
        assert_eq!(coded(" x"), "=?base64?IHg=?=");
    }
}
