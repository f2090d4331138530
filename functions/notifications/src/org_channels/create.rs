//! `POST /orgs/{slug}/notification-channels`: a new channel of the organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{CreatedNotificationChannel, NewOrgNotificationChannel, OrgNotificationChannel};
use svc_app::{App, notifications};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::{CHANNEL_REFUSED, CONFLICT};
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::notifications::channels::{created_org_channel, new_org_channel};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<NewOrgNotificationChannel>,
) -> ApiResult<Created<CreatedNotificationChannel<OrgNotificationChannel>>> {
    let (name, new) = new_org_channel(body)?;
    let made = notifications::create_org_channel(&app, caller.at(&path.slug), &name, &new).await?;
    Ok(Created(created_org_channel(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. A new channel is told of nothing until its modes are set. With `chat_1` \
         the link adds the bot to a group, which connects it; code and link are shown only once. The channel carries \
         what every member may see: no comments, reasons or prompts.";
    let op = refuses(scope(op, Some(Scope::Admin)), &[CHANNEL_REFUSED, CONFLICT]);
    operation(
        op,
        "createOrgNotificationChannel",
        "Notifications",
        "Create a channel of the organization",
        description,
    )
}
