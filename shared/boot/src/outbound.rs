//! Requests to addresses that users give: the adapter of the port `Outbound`, and its settings.
//!
//! An address must be public, or of a network that the operator opens. What is judged is what a connection is opened to:
//! a literal address before the request, and the addresses of a name as the resolver hands them to the connection. So a
//! name cannot resolve to one address for the judgement and to another for the connection.

mod networks;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use serde::{Deserialize, Serialize};
use svc_app::ports::{AddressRefusal, Answer, MOST_OF_AN_ANSWER, Outbound, OutboundError, Post};
use url::{Host, Url};

use crate::address::invalid;
use crate::config_error::ConfigError;
use networks::{Networks, is_public};

/// How long a request and its answer may take together.
const IN_TIME: Duration = Duration::from_secs(10);

/// Where requests to addresses that users give may go (`[Outbound]`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct OutboundSettings {
    /// Private networks that they may go to, such as `10.0.0.0/8, 127.0.0.1`; there also without encryption.
    pub private_networks: String,
}

/// A client for addresses that users give.
pub struct GuardedHttp {
    opened: Networks,
    encrypted: reqwest::Client,
    /// Reaches nothing but the networks that the operator opens.
    in_the_clear: reqwest::Client,
}

impl GuardedHttp {
    /// The adapter of these settings.
    ///
    /// # Errors
    /// [`ConfigError`] that names the setting that is wrong.
    pub fn of(settings: &OutboundSettings) -> Result<Self, ConfigError> {
        let opened = Networks::parse(&settings.private_networks)
            .map_err(|why| invalid(format!("Outbound:PrivateNetworks: {why}")))?;
        let client = |public| {
            reqwest::Client::builder()
                .user_agent("svc")
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
                .timeout(IN_TIME)
                .pool_max_idle_per_host(0)
                .dns_resolver(Arc::new(Guard { opened: opened.clone(), public }))
                .build()
                .map_err(|error| invalid(format!("Outbound: no HTTP client: {error}")))
        };
        Ok(Self { encrypted: client(true)?, in_the_clear: client(false)?, opened })
    }

    fn parse(&self, address: &str) -> Result<Url, AddressRefusal> {
        let url = Url::parse(address).map_err(|_| AddressRefusal::Malformed)?;
        let literal: Option<IpAddr> = match url.host().ok_or(AddressRefusal::Malformed)? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        };
        let encrypted = url.scheme() == "https";
        if !encrypted && url.scheme() != "http" {
            return Err(AddressRefusal::Malformed);
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(AddressRefusal::Malformed);
        }
        match literal.map(|address| (is_public(address), self.opened.hold(address))) {
            Some((false, false)) => Err(AddressRefusal::Private),
            None if !encrypted && self.opened.is_empty() => Err(AddressRefusal::InTheClear),
            Some((true, false)) if !encrypted => Err(AddressRefusal::InTheClear),
            _ => Ok(url),
        }
    }
}

#[async_trait::async_trait]
impl Outbound for GuardedHttp {
    fn judge(&self, address: &str) -> Result<(), AddressRefusal> {
        self.parse(address).map(|_| ())
    }

    async fn post(&self, post: &Post) -> Result<Answer, OutboundError> {
        let url = self.parse(&post.address)?;
        let client = if url.scheme() == "https" { &self.encrypted } else { &self.in_the_clear };
        let mut request = client.post(url).body(post.body.clone());
        if !post.headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        for (name, value) in &post.headers {
            request = request.header(*name, value);
        }
        let mut response = request.send().await.map_err(failed)?;
        let status = response.status().as_u16();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let mut body = Vec::new();
        // The status tells what became of the request. A body that breaks off changes nothing about it.
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = MOST_OF_AN_ANSWER - body.len();
            body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if body.len() == MOST_OF_AN_ANSWER {
                break;
            }
        }
        Ok(Answer { status, retry_after, body })
    }
}

/// A request that the guard stopped is refused; any other failure is the network's.
fn failed(error: reqwest::Error) -> OutboundError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(this) = cause {
        if let Some(refusal) = this.downcast_ref::<AddressRefusal>() {
            return OutboundError::Refused(*refusal);
        }
        cause = this.source();
    }
    // The address may hold a secret.
    OutboundError::Unavailable(Box::new(error.without_url()))
}

/// Resolves names, and keeps what a connection may be opened to.
struct Guard {
    opened: Networks,
    /// Whether public addresses are among it.
    public: bool,
}

impl Guard {
    fn permits(&self, address: IpAddr) -> bool {
        self.opened.hold(address) || (self.public && is_public(address))
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = Self { opened: self.opened.clone(), public: self.public };
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let permitted: Vec<_> = found.iter().copied().filter(|found| guard.permits(found.ip())).collect();
            if permitted.is_empty() && !found.is_empty() {
                let clear = found.iter().any(|found| is_public(found.ip()));
                let refusal = if clear { AddressRefusal::InTheClear } else { AddressRefusal::Private };
                return Err(refusal.into());
            }
            Ok(Box::new(permitted.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
