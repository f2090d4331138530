//! Redirects requests with an item's old key, from another project, to the same address with its current key.
//!
//! The handler's refusal attaches the key to its response ([`NewKey`]); the layer around all routes, which knows the
//! whole address, writes the header `Location` from it.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Uri, header};
use svc_domain::refusal::Refusal;

use crate::error::ApiError;
use crate::new_key::NewKey;
use crate::paths::item_key_in;

/// The answer, with the address to ask instead where there is one. Where the old key is not in the address, as in those
/// of its runs, what was asked for is on its way to the new key.
pub(crate) fn lead(mut response: Response, asked: &Uri) -> Response {
    let Some(moved) = response.extensions_mut().remove::<NewKey>() else { return response };
    let Some(location) = address(asked, &moved).and_then(|address| HeaderValue::try_from(address).ok())
    else {
        let why = "the item is being moved to another project: try again in a moment";
        return ApiError::from(Refusal::Conflict(why)).into_response();
    };
    response.headers_mut().insert(header::LOCATION, location);
    // Who asks next may see other projects.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Where a request is led to that asked for an item by its old key.
pub(crate) fn new_address(response: &Response, asked: &Uri) -> Option<String> {
    address(asked, response.extensions().get::<NewKey>()?)
}

/// The same address with the new key; `None` where the old one is not in it.
fn address(asked: &Uri, moved: &NewKey) -> Option<String> {
    let mut found = false;
    let parts = asked.path().split('/').map(|part| {
        if item_key_in(part).is_some_and(|key| key == moved.from) {
            found = true;
            return moved.to.to_string();
        }
        part.to_owned()
    });
    let path = parts.collect::<Vec<_>>().join("/");
    let query = asked.query().map(|query| format!("?{query}")).unwrap_or_default();
    found.then(|| path + &query)
}

#[cfg(test)]
mod tests {
    use super::{NewKey, address};

    #[test]
    fn the_key_is_replaced_where_it_is_a_part_of_the_path() {
        let moved = NewKey { from: "PRJ-1".parse().unwrap(), to: "WEB-7".parse().unwrap() };
        let at = |uri: &str| address(&uri.parse().unwrap(), &moved);
        assert_eq!(
            at("/api/v1/orgs/o/items/PRJ-1/comments?page=2").unwrap(),
            "/api/v1/orgs/o/items/WEB-7/comments?page=2"
        );
        for written in ["prj-1", "Prj-1", "PRJ%2D1", "%70rj%2d1"] {
            let led = at(&format!("/api/v1/orgs/o/items/{written}/history"));
            assert_eq!(led.as_deref(), Some("/api/v1/orgs/o/items/WEB-7/history"), "{written}");
        }
        assert_eq!(at("/api/v1/orgs/o/items/PRJ-12"), None);
        assert_eq!(at("/api/v1/orgs/o/runs/PRJ?item=PRJ-1"), None);
    }
}
