//! `GET /avatars/{id}`: a picture of a person.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use svc_app::{App, identity};
use svc_domain::ids::AvatarId;
use svc_http::content::{Download, File};
use svc_http::doc::{operation, refuses};
use svc_http::paths::IdPath;
use svc_http::problems::RANGE;
use svc_http::{ApiResult, Caller, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<AvatarId>>,
    headers: HeaderMap,
) -> ApiResult<Download> {
    let picture = identity::avatar(&app, caller.credential(), path.id).await?;
    let file = File {
        content_type: picture.content_type,
        disposition: "inline".to_owned(),
        size: picture.bytes.len() as u64,
        tag: path.id.to_string(),
        kept: true,
    };
    Download::of_bytes(&headers, &file, picture.bytes).await
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[RANGE]);
    let description = "The picture of an `avatarKey`: PNG or JPEG, 256 by 256 pixels. It never changes, so it may be cached \
         forever. 404 for a picture that was replaced or removed.";
    operation(op, "getAvatar", "Account", "View a person's picture", description)
}
