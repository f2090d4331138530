//! Extractors for the head of a request: the caller's credential, path and query. Each refuses with a problem
//! document.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
use http::{Extensions, HeaderMap, Method, header};
use serde::de::DeserializeOwned;
use svc_api::Problem;
use svc_app::idempotency::Reservation;
use svc_app::secrets::SecretKind;
use svc_app::{App, BearerCredential};
use svc_domain::ids::OrgSlug;
use svc_domain::refusal::Refusal;

use crate::body::misplaced;
use crate::error::ApiError;
use crate::problems::{BAD_QUERY, MALFORMED, NOT_FOUND};

/// Name of the session cookie (specification section 5).
pub const SESSION_COOKIE: &str = "svc.at";

/// Header that a state-changing request with the session cookie must carry, with the value `1`.
pub const REQUEST_HEADER: &str = "x-svc-request";

/// Header by which a page says which account it made a change for. The session of another account refuses it, so
/// that what one person wrote is never saved as another's.
pub const ACCOUNT_HEADER: &str = "x-svc-account";

/// The credential that a request presents, unchecked: use cases check it. `None` when there is none.
#[derive(Clone, Debug)]
pub struct Caller(pub Option<BearerCredential>);

impl Caller {
    /// The caller in an organization, to hand to a use case.
    pub const fn at<'a>(&'a self, org: &'a OrgSlug) -> svc_app::Caller<'a> {
        svc_app::Caller { credential: self.0.as_ref(), org }
    }

    /// The credential, to hand to a use case that is in no organization.
    pub const fn credential(&self) -> Option<&BearerCredential> {
        self.0.as_ref()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let presented = presented(&parts.headers, &parts.method)?;
        let keyed = |credential: BearerCredential| match parts.extensions.get::<Arc<Reservation>>() {
            Some(reservation) => credential.keyed(Arc::clone(reservation)),
            None => credential,
        };
        Ok(Self(presented.map(keyed)))
    }
}

/// The credential that a request presents: its `Authorization`, or else the session cookie.
///
/// # Errors
/// [`Refusal::Unauthenticated`] for another scheme than `Bearer`; [`Refusal::MissingRequestHeader`] for a change with
/// the cookie alone.
pub(crate) fn presented(headers: &HeaderMap, method: &Method) -> Result<Option<BearerCredential>, Refusal> {
    if headers.contains_key(header::AUTHORIZATION) {
        let secret = bearer(headers).ok_or(Refusal::Unauthenticated)?;
        // The secret of a session works in its cookie only, where a change needs the request header: elsewhere it is
        // one that nobody has.
        let is_session = secret.starts_with(SecretKind::Session.prefix());
        let credential = if is_session { &format!("no token: {secret}") } else { secret };
        return Ok(Some(BearerCredential::new(credential)));
    }
    let Some(secret) = cookie(headers, SESSION_COOKIE) else { return Ok(None) };
    let reads = reads(method);
    let meant = headers.get(REQUEST_HEADER).is_some_and(|value| value == "1");
    if !reads && !meant {
        return Err(Refusal::MissingRequestHeader);
    }
    let credential = BearerCredential::new(secret);
    let expected = headers.get(ACCOUNT_HEADER).filter(|_| !reads);
    Ok(Some(match expected {
        Some(account) => credential.expecting(&String::from_utf8_lossy(account.as_bytes())),
        None => credential,
    }))
}

/// Whether requests of this method change nothing.
pub(crate) const fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// The secret of an `Authorization: Bearer` header.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    let secret = secret.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !secret.is_empty()).then_some(secret)
}

pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    cookies(headers, name).next()
}

/// All cookies of a name: a browser may have several, of different paths and domains.
pub(crate) fn cookies<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(move |(key, value)| (key == name && !value.is_empty()).then_some(value))
}

/// Path parameters. What does not even look like a name cannot exist: 404.
pub struct Path<T>(pub T);

impl<T, S> FromRequestParts<S> for Path<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(PathRejection::FailedToDeserializePathParams(_)) => Err(NOT_FOUND.problem().into()),
            Err(rejection) => Err(MALFORMED.because(rejection.body_text()).into()),
        }
    }
}

/// Query parameters. Unknown ones are refused before ([`crate::known_query`]).
pub struct Query<T>(pub T);

impl<T, S> FromRequestParts<S> for Query<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        axum::extract::Query::<T>::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|rejection: QueryRejection| bad_query(&rejection.body_text()).into())
    }
}

/// Where a request comes from: its network, and what its client says of itself.
pub struct Visitor(pub svc_app::identity::Visitor);

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let said = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let client = said.unwrap_or_default().to_owned();
        let proxies = app.settings.service.trusted_proxies;
        let ClientIp(address) = ClientIp::of(&parts.headers, &parts.extensions, proxies);
        Ok(Self(svc_app::identity::Visitor { client, address }))
    }
}

impl aide::OperationInput for Visitor {}

/// The problem of one parameter, from what the reader of queries says: `Failed to …: name: what is wrong`.
fn bad_query(said: &str) -> Problem {
    let said = said.split_once(": ").map_or(said, |(_, said)| said);
    let (name, message) = said.split_once(": ").or_else(|| misplaced(said)).unwrap_or(("query", said));
    let message = match message {
        "invalid digit found in string" | "cannot parse integer from empty string" => "write a whole number",
        "number too large to fit in target type" => "write a smaller number",
        "provided string was not `true` or `false`" => "write true or false",
        clear => clear,
    };
    let mut problem = BAD_QUERY.problem();
    problem.errors.insert(name.to_owned(), vec![message.to_owned()]);
    problem
}

/// Address of the client, as far as the proxies in front are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientIp(pub IpAddr);

impl ClientIp {
    /// The address: of the socket, or what the last `trusted_proxies` proxies say they were asked by.
    pub fn of(headers: &HeaderMap, extensions: &Extensions, trusted_proxies: u32) -> Self {
        let peer = extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip().to_canonical());
        if trusted_proxies == 0 {
            return Self(peer);
        }
        let hops: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            .collect();
        let trusted = usize::try_from(trusted_proxies).unwrap_or(usize::MAX);
        // Every hop counts, also one that is no address: a client must not move the place that is looked at.
        let place = hops.len().checked_sub(trusted);
        Self(place.and_then(|place| hop_address(hops.get(place)?)).unwrap_or(peer))
    }
}

/// The address of a hop, which some proxies write with its port.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).unwrap_or(hop);
    let address = bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::ClientIp;
    use axum::extract::ConnectInfo;
    use http::Request;
    use std::net::SocketAddr;

    fn client(forwarded: &[&str], trusted_proxies: u32) -> String {
        let peer: SocketAddr = "10.0.0.9:4711".parse().unwrap();
        let mut request = Request::builder().extension(ConnectInfo(peer));
        for value in forwarded {
            request = request.header("x-forwarded-for", *value);
        }
        let parts = request.body(()).unwrap().into_parts().0;
        ClientIp::of(&parts.headers, &parts.extensions, trusted_proxies).0.to_string()
    }

    #[test]
    fn a_client_is_who_the_trusted_proxies_say_and_chooses_nothing() {
        for (forwarded, trusted, who) in [
            (vec!["1.1.1.1"], 0, "10.0.0.9"),
            (vec![], 1, "10.0.0.9"),
            (vec!["1.1.1.1"], 1, "1.1.1.1"),
            (vec!["6.6.6.6, 1.1.1.1"], 1, "1.1.1.1"),
            (vec!["6.6.6.6", "1.1.1.1"], 1, "1.1.1.1"),
            (vec!["6.6.6.6, 1.1.1.1, 10.0.0.1"], 2, "1.1.1.1"),
            (vec!["1.1.1.1"], 2, "10.0.0.9"),
            // With ports, as some proxies write it.
            (vec!["6.6.6.6, 1.1.1.1:4711"], 1, "1.1.1.1"),
            (vec!["6.6.6.6, [2001:db8::1]:4711"], 1, "2001:db8::1"),
            (vec!["6.6.6.6, [2001:db8::1]"], 1, "2001:db8::1"),
            (vec!["::ffff:1.1.1.1"], 1, "1.1.1.1"),
            // What is no address is nobody, and never lets the word of the client count.
            (vec!["6.6.6.6, unknown"], 1, "10.0.0.9"),
            (vec!["6.6.6.6, _hidden, 10.0.0.1"], 2, "10.0.0.9"),
            (vec!["6.6.6.6,"], 1, "10.0.0.9"),
        ] {
            assert_eq!(client(&forwarded, trusted), who, "{forwarded:?} behind {trusted}");
        }
    }
}
