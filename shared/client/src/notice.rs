//! What a caller should tell people besides the answer: that something is deprecated, that a call waits.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;

/// Something that people should know besides the answer. New kinds may come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The instance will drop an endpoint (specification section 9). Told once for each path.
    Deprecated(Deprecation),
    /// The call failed in a way that may pass and is tried again after the pause.
    Retrying {
        /// Why, in a sentence.
        reason: String,
        /// Until the next attempt.
        pause: Duration,
    },
}

/// An endpoint that the instance will drop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// Method and path, with `{}` for each argument.
    pub endpoint: String,
    /// When it stops working (an HTTP date), where that is known.
    pub sunset: Option<String>,
    /// Where the way out is described.
    pub link: Option<String>,
}

impl Deprecation {
    /// Reads the headers `Deprecation`, `Sunset` and `Link` of an answer.
    pub(crate) fn read(headers: &HeaderMap, url: &Url, endpoint: &str) -> Option<Self> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let marked = text("deprecation").is_some_and(|value| !value.eq_ignore_ascii_case("false"));
        let sunset = text("sunset");
        if !marked && sunset.is_none() {
            return None;
        }
        let links = headers.get_all("link").iter().filter_map(|value| value.to_str().ok());
        let link = links.filter_map(guidance).next().map(|link| match url.join(link) {
            Ok(address) => address.into(),
            Err(_) => link.to_owned(),
        });
        Some(Self { endpoint: endpoint.to_owned(), sunset, link })
    }
}

/// The address in `<address>; rel="deprecation"`, which other links may surround.
fn guidance(links: &str) -> Option<&str> {
    let mut rest = links;
    while let Some((_, after)) = rest.split_once('<') {
        let (address, after) = after.split_once('>')?;
        let parameters = after.split_once('<').map_or(after, |(parameters, _)| parameters);
        if ["deprecation", "sunset", "successor-version"].iter().any(|relation| parameters.contains(relation))
        {
            return Some(address);
        }
        rest = after;
    }
    None
}
