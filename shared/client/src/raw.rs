//! Any call of the API, as it is typed: for what this client has no method for.

use reqwest::Method;
use serde_json::Value;

use crate::client::Client;
use crate::error::Error;
use crate::send::Call;

/// What the API answered.
#[derive(Clone, Debug)]
pub enum RawAnswer {
    /// JSON.
    Json(Value),
    /// Something else, such as the bytes of an attachment; empty where there is nothing.
    Bytes(Vec<u8>),
}

impl Client {
    /// Sends a request to a path of this instance. Where it does not begin with `/api/` or `/openapi`, it is
    /// under `/api/v1`.
    ///
    /// # Errors
    /// As every call; `Unsendable` when it is not a method, or not a path.
    pub async fn raw(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
        body: Option<&Value>,
    ) -> Result<RawAnswer, Error> {
        let method = method.to_ascii_uppercase();
        let known = ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str());
        let method = Method::from_bytes(method.as_bytes()).ok().filter(|_| known);
        let method = method
            .ok_or_else(|| Error::Unsendable("the method is GET, POST, PUT, PATCH or DELETE".to_owned()))?;
        if !path.starts_with('/') || path.starts_with("//") {
            return Err(Error::Unsendable(format!("{path:?} is not a path of the API, such as /orgs")));
        }
        let whole = ["/api/", "/openapi", "/healthz"].iter().any(|start| path.starts_with(start));
        let path = if whole { path.to_owned() } else { format!("/api/v1{path}") };
        let call = Call::at(self, method, &path);
        let call = if query.is_empty() { call } else { call.query(&query) };
        let call = match body {
            Some(body) => call.json(body),
            None => call,
        };
        let bytes = call.bytes().await?;
        Ok(serde_json::from_slice(&bytes).map_or_else(|_| RawAnswer::Bytes(bytes), RawAnswer::Json))
    }
}
