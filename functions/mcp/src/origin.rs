//! Which hosts and origins a request may name: a page of another site must not reach the server through the
//! browser of somebody in whose network it is.

use http::uri::Authority;
use http::{HeaderMap, Uri, header};

/// Names under which a machine reaches itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What is wrong with where a request says that it is going or comes from.
pub(crate) fn refusal(headers: &HeaderMap, uri: &Uri, base_url: &str) -> Option<String> {
    let own: Option<Authority> = base_url.parse::<Uri>().ok().and_then(|url| url.authority().cloned());
    let own = own.as_ref();
    let text = |name| headers.get(name).map(|value: &http::HeaderValue| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).or_else(|| uri.authority().map(Authority::as_str));
    if let Some(host) = host.filter(|host| !is_ours(host, own)) {
        return Some(format!("The Host {host} is not this service's. Ask at {base_url}/mcp."));
    }
    let origin = text(header::ORIGIN)?;
    let authority = origin.split_once("://").map_or(origin, |(_, authority)| authority);
    (!is_ours(authority, own)).then(|| format!("The Origin {origin} is not this service's."))
}

fn is_ours(authority: &str, own: Option<&Authority>) -> bool {
    let Ok(authority) = authority.parse::<Authority>() else { return false };
    LOOPBACK.iter().any(|name| authority.host().eq_ignore_ascii_case(name))
        || own.is_some_and(|own| authority.host().eq_ignore_ascii_case(own.host()))
}

#[cfg(test)]
mod tests {
    use super::refusal;
    use http::{HeaderMap, HeaderName, HeaderValue, Uri};

    #[test]
    fn only_the_service_and_the_machine_itself_are_named() {
        for (host, origin, taken) in [
            (Some("svc.example.com"), None, true),
            (Some("SVC.example.com:443"), Some("https://svc.example.com"), true),
            (Some("localhost:8080"), Some("http://localhost:5173"), true),
            (Some("[::1]:8080"), Some("http://127.0.0.1:1"), true),
            (None, None, true),
            (Some("evil.example"), None, false),
            (Some("localhost.evil.example"), None, false),
            (Some("svc.example.com.evil.example"), None, false),
            (Some("svc.example.com"), Some("https://evil.example"), false),
            (Some("svc.example.com"), Some("null"), false),
            (Some("svc.example.com"), Some("https://svc.example.com@evil.example"), false),
            (Some("a b"), None, false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [("host", host), ("origin", origin)] {
                if let Some(value) = value {
                    headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
                }
            }
            let refused = refusal(&headers, &Uri::from_static("/mcp"), "https://svc.example.com");
            assert_eq!(refused.is_none(), taken, "{host:?} {origin:?}: {refused:?}");
        }
    }
}
