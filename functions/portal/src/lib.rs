//! The web app, the OpenAPI document and the interactive reference.
//!
//! Serves what the other areas say of themselves. Every byte is part of the program: the pages work offline,
//! and ask nothing of any other host.

mod contract;
mod docs;
mod web;

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, Method, Uri};
use svc_app::App;

/// `/openapi/v1.json` and `/docs` for an API of this document.
///
/// # Panics
/// When the document cannot be written as JSON, which no document of ours does.
pub fn router(document: OpenApi) -> Router<Arc<App>> {
    documents(contract::Contract::of(&document))
}

/// The same where no area is at hand to describe itself: with the document as the last build of all areas wrote it.
pub fn pages_router() -> Router<Arc<App>> {
    documents(contract::Contract::written())
}

fn documents(contract: contract::Contract) -> Router<Arc<App>> {
    Router::new()
        .route("/openapi/v1.json", get(move |headers| contract::serve(contract.clone(), headers)))
        .merge(docs::router())
}

/// What answers where no route does: the web app's page and assets, or a problem document.
pub async fn pages(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    web::serve(method, uri, headers).await
}
