//! `POST /admin/mail-test`: a mail to the admin who asks.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::MailTest;
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<MailTest>> {
    Ok(Json(view::mail_test(administration::test_mail(&app, by(&caller)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "Sends one mail to the address of the admin who asks, and answers what the mail server said.";
    administers(op, "testMail", "Test mail", description)
}
