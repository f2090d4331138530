//! The OpenAPI document and the interactive reference: what people and programs read about the API.
//!
//! Serves what the other areas say of themselves. Every byte is part of the program: the pages work offline,
//! and ask nothing of any other host.

mod contract;
mod docs;

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::routing::get;
use svc_app::App;

/// `/openapi/v1.json` and `/docs` for an API of this document.
///
/// # Panics
/// When the document cannot be written as JSON, which no document of ours does.
pub fn router(document: OpenApi) -> Router<Arc<App>> {
    let contract = contract::Contract::of(&document);
    Router::new()
        .route("/openapi/v1.json", get(move |headers| contract::serve(contract.clone(), headers)))
        .merge(docs::router())
}
