//! `POST /code-host/deliveries/{address}`: a code host tells what became of a pull request.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use http::HeaderMap;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::factory::CodeHostDelivery;
use svc_app::App;
use svc_app::factory::deliveries::{self, Delivery};
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{DELETED, NOT_FOUND, UNAUTHENTICATED};
use svc_http::{ApiResult, Exact, NoContent, Path, Visitor};
use svc_present::factory::deliveries::news;

/// `/code-host/deliveries/{address}`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DeliveryPath {
    /// Secret part of the webhook's address.
    address: String,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Visitor(visitor): Visitor,
    Path(path): Path<DeliveryPath>,
    headers: HeaderMap,
    body: Exact<CodeHostDelivery>,
) -> ApiResult<NoContent> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signature = header("x-hub-signature-256");
    let delivery = Delivery { address: &path.address, from: visitor.address, signature, body: body.bytes() };
    // What is wrong with a body is only for who signed it.
    let org = deliveries::admit(&app, delivery).await?;
    let news = news(header("x-github-event").unwrap_or_default(), &body.read()?, app.now());
    deliveries::receive(&app, org, &news).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For code hosts, which sign the body with the webhook's secret (`X-Hub-Signature-256`, HMAC with \
         SHA-256) and name the event (`X-GitHub-Event`). Only events about pull requests that an item links have an \
         effect. A branch is matched to a run only in the pull request's own repository (`head.repo.id`), so that \
         forks cannot claim it. Deliveries may be repeated and may come in any order. Answers 404 for an unknown \
         address, and 401 for a missing or wrong signature.";
    let op = scope(op, None);
    let op = refuses(op, &[NOT_FOUND, UNAUTHENTICATED, DELETED]);
    operation(op, "deliverFromCodeHost", "Code host", "Deliver pull request events", description)
}
