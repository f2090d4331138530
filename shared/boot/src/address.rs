//! Addresses of settings: whether what is sent there stays between them and us.

use std::net::IpAddr;

use url::{Host, Url};

use crate::config_error::ConfigError;

/// Whether what is sent to an address stays between it and us.
pub(crate) fn trusted(address: &Url) -> bool {
    let loopback = match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback(),
        None => false,
    };
    address.scheme() == "https" || (address.scheme() == "http" && loopback)
}

/// The address of a setting.
pub(crate) fn check_address(setting: &str, address: &str) -> Result<Url, ConfigError> {
    let parsed = Url::parse(address)
        .map_err(|error| invalid(format!("{setting} must be an address such as https://…: {error}")))?;
    let plain = parsed.query().is_none() && parsed.fragment().is_none() && parsed.username().is_empty();
    if trusted(&parsed) && plain {
        return Ok(parsed);
    }
    Err(invalid(format!("{setting} must begin with https:// (http:// on loopback), without query and user")))
}

/// The address of the service itself, without a final slash: links and redirects begin with it.
pub(crate) fn service_address(setting: &str, address: &str) -> Result<String, ConfigError> {
    let wrong = |why: String| {
        invalid(format!(
            "{setting} must be an address such as https://tracker.example, not {address:?}: {why}"
        ))
    };
    let parsed = Url::parse(address).map_err(|error| wrong(error.to_string()))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(wrong("it must begin with https:// or http://".to_owned()));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() || !parsed.username().is_empty() {
        return Err(wrong("leave out query, fragment and user".to_owned()));
    }
    if parsed.path() != "/" {
        return Err(wrong(
            "leave out the path: the service needs a host name or a port of its own".to_owned(),
        ));
    }
    Ok(parsed.as_str().trim_end_matches('/').to_owned())
}

/// A setting that is wrong or missing.
pub(crate) fn invalid(message: String) -> ConfigError {
    ConfigError::Invalid { origin: "settings".to_owned(), message }
}
