//! A message of the protocol, as far as a bridge must understand it: its id, its method, and which headers go with it.

use serde_json::{Value, json};
use svc_client::Error;

/// What helps a token that lacks the scope, such as that of a sign-in. A token that is unbound is told by the instance.
const MAKE_TOKEN: &str = "Make a token with `svc token create my-agent --scope read,write,mcp --bound-to <organization>`, and \
    set SVC_TOKEN to it.";
/// Where a client of the newer generation says which protocol a message is of.
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// A message from the client.
pub(super) struct Message {
    json: Value,
}

impl Message {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let json: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if json.is_object() { Ok(Self { json }) } else { Err("a message is an object".to_owned()) }
    }

    fn method(&self) -> &str {
        self.json["method"].as_str().unwrap_or_default()
    }

    /// The id, if an answer is expected.
    pub(super) fn id(&self) -> Option<&Value> {
        self.json.get("id").filter(|_| !self.method().is_empty())
    }

    /// The id of the request that this message takes back.
    pub(super) fn takes_back(&self) -> Option<&Value> {
        (self.method() == "notifications/cancelled").then(|| &self.json["params"]["requestId"])
    }

    /// Whether the answer says which protocol is spoken from now on.
    pub(super) fn greets(&self) -> bool {
        self.method() == "initialize"
    }

    /// The headers that go with it; `negotiated` is what the greeting agreed on.
    pub(super) fn headers(&self, negotiated: Option<&str>) -> Vec<(&'static str, String)> {
        let Some(version) = self.json.pointer(VERSION).and_then(Value::as_str) else {
            let version = negotiated.filter(|_| !self.greets());
            return version.map(|version| ("mcp-protocol-version", version.to_owned())).into_iter().collect();
        };
        let mut headers = vec![("mcp-protocol-version", version.to_owned())];
        if !self.method().is_empty() {
            headers.push(("mcp-method", self.method().to_owned()));
        }
        let name = match self.method() {
            "tools/call" | "prompts/get" => self.json.pointer("/params/name"),
            "resources/read" => self.json.pointer("/params/uri"),
            _ => None,
        };
        headers.extend(name.and_then(Value::as_str).map(|name| ("mcp-name", name.to_owned())));
        headers
    }

    /// The message on one line.
    pub(super) fn line(&self) -> String {
        self.json.to_string()
    }
}

/// The protocol that an answer to a greeting agrees on.
pub(super) fn negotiated(answer: &Value) -> Option<String> {
    Some(answer.pointer("/result/protocolVersion")?.as_str()?.to_owned())
}

/// The answer to a request that failed on its way.
pub(super) fn failure(id: &Value, said: &str, data: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": said, "data": data}})
}

/// What is said of a line that is no message.
pub(super) fn unreadable(why: &str) -> Value {
    let said = format!("The line is not a message: {why}");
    json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": said}})
}

/// What is said of a refusal over HTTP: title and detail of its problem document.
pub(super) fn refusal(status: u16, media_type: &str, body: &[u8]) -> (String, Value) {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(title) = problem["title"].as_str() else {
        let kind = if media_type.is_empty() { "nothing" } else { media_type };
        let said = format!(
            "The instance answered {status} with {kind}, which is not an MCP response. Check SVC_URL, and any proxy \
            in between."
        );
        return (said, json!({"status": status}));
    };
    let detail = problem["detail"].as_str().unwrap_or_default();
    let unscoped = problem["type"].as_str().is_some_and(|kind| kind.ends_with("missing-scope"));
    let next = if unscoped { MAKE_TOKEN } else { "" };
    (format!("{status} {title} {detail} {next}").trim_end().to_owned(), problem)
}

/// What is said when there was no answer.
pub(super) fn unreachable(error: &Error) -> String {
    format!("The instance did not answer: {error}. Try again in a moment.")
}

#[cfg(test)]
mod tests {
    use super::{Message, refusal};
    use serde_json::json;

    fn headers(message: serde_json::Value, negotiated: Option<&str>) -> Vec<(&'static str, String)> {
        Message::read(&message.to_string()).unwrap().headers(negotiated)
    }

    #[test]
    fn both_generations_get_their_headers() {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        let call = json!({"id": 1, "method": "tools/call", "params": {"name": "get_item", "_meta": meta}});
        let expected =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "get_item")];
        assert_eq!(headers(call, None), expected.map(|(name, value)| (name, value.to_owned())));
        let old = json!({"id": 1, "method": "tools/call", "params": {"name": "get_item"}});
        assert_eq!(
            headers(old.clone(), Some("2025-06-18")),
            [("mcp-protocol-version", "2025-06-18".to_owned())]
        );
        assert_eq!(headers(old, None), []);
        assert_eq!(headers(json!({"id": 1, "method": "initialize"}), Some("2025-06-18")), []);
    }

    #[test]
    fn a_page_of_a_proxy_is_told_from_a_refusal() {
        let (said, _) = refusal(502, "text/html", b"<html>");
        assert!(said.starts_with("The instance answered 502 with text/html"), "{said}");
        let problem = json!({"type": "missing-scope", "title": "The token lacks a scope.", "detail": "Use a token with the scope \"mcp\"."});
        let (said, _) = refusal(403, "application/problem+json", problem.to_string().as_bytes());
        assert!(
            said.starts_with("403 The token lacks a scope. Use a token with the scope \"mcp\". Make a"),
            "{said}"
        );
        assert!(said.contains("svc token create my-agent --scope read,write,mcp --bound-to"), "{said}");
    }
}
