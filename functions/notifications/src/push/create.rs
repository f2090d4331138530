//! `POST /me/push-subscriptions`: has the caller's browser be told.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{NewPushSubscription, PushSubscription};
use svc_app::{App, notifications};
use svc_http::doc::{operation, refuses};
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, Created};
use svc_present::notifications::push::{new_browser, turned_on};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<NewPushSubscription>,
) -> ApiResult<Created<PushSubscription>> {
    Ok(Created(turned_on(notifications::turn_on(&app, caller.credential(), &new_browser(body)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Only for a browser that is signed in: access tokens are refused. A browser that is told already is \
        told at the new address. It is told nothing any more once its session ends, or once its push service says that it \
        is gone.";
    let op = refuses(op, &[CONFLICT]);
    operation(op, "createPushSubscription", "Notifications", "Have this browser be told", description)
}
