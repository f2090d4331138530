//! `GET /runs/{id}/artifacts/{file}`: a file that the agent of a run left.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use svc_app::App;
use svc_app::factory::artifacts;
use svc_domain::attachment::name::disposition;
use svc_http::content::{Download, File};
use svc_http::doc::{operation, refuses};
use svc_http::paths::ArtifactPath;
use svc_http::problems::{FACTORY_NOT_PERMITTED, RANGE};
use svc_http::{ApiResult, Caller, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ArtifactPath>,
    headers: HeaderMap,
) -> ApiResult<Download> {
    let opened = artifacts::open(&app, caller.credential(), None, path.id, &path.file).await?;
    let file = File {
        disposition: disposition(opened.artifact.name.as_str(), opened.content.is_image),
        content_type: opened.content.content_type.clone(),
        size: opened.artifact.size,
        tag: opened.tag.clone(),
        kept: false,
    };
    Download::of(&headers, &file, async |part| opened.read(&app, part).await).await
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, RANGE]);
    operation(
        op,
        "downloadRunArtifact",
        "Runs",
        "Download an artifact of a run",
        "The bytes, or a part of them with `Range`. Browsers show images and save everything else; they never run \
         anything in a file.",
    )
}
