//! `/notifications/unsubscribe/{token}`: the link in mails. A POST turns mail of their kinds off, as mail programs do when
//! their user asks for it (RFC 8058). A GET changes nothing: programs that look links up send one.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_app::{App, notifications};
use svc_http::NoContent;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Path, SeeOther};

/// `/notifications/unsubscribe/{token}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct TokenPath {
    /// The token of the mail.
    token: String,
}

pub(crate) async fn stop(State(app): State<Arc<App>>, Path(path): Path<TokenPath>) -> ApiResult<NoContent> {
    notifications::unsubscribe(&app, &path.token).await?;
    Ok(NoContent)
}

pub(crate) fn stop_docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For mail programs (`List-Unsubscribe-Post`), without a credential. Turns mail of the kinds in that \
         mail off. Repeating this is harmless.";
    operation(scope(op, None), "unsubscribeFromMail", "Notifications", "Stop mail of some kinds", description)
}

pub(crate) async fn look(State(app): State<Arc<App>>, Path(path): Path<TokenPath>) -> ApiResult<SeeOther> {
    Ok(SeeOther(notifications::mail_settings(&app, &path.token)?))
}

pub(crate) fn look_docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "Changes nothing and leads to the settings, where people choose what is mailed to them.";
    operation(scope(op, None), "openMailSettings", "Notifications", "Open the settings of mail", description)
}
