//! `POST /me/notification-channels`: a new channel of the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{CreatedNotificationChannel, NewNotificationChannel};
use svc_app::{App, notifications};
use svc_http::doc::{operation, refuses};
use svc_http::problems::{CHANNEL_REFUSED, CONFLICT};
use svc_http::{ApiResult, Body, Caller, Created};
use svc_present::notifications::channels::{created, new_channel};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<NewNotificationChannel>,
) -> ApiResult<Created<CreatedNotificationChannel>> {
    let new = new_channel(body)?;
    Ok(Created(created(notifications::create_channel(&app, caller.credential(), &new).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Replaces the caller's channel on that platform. `chat_2` and `chat_3` need the address of an \
         incoming webhook, and work at once. `chat_1` waits until its code is sent to the bot; code and link are shown \
         only once.";
    let op = refuses(op, &[CHANNEL_REFUSED, CONFLICT]);
    operation(op, "createNotificationChannel", "Notifications", "Create a channel", description)
}
