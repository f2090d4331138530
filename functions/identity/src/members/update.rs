//! `PATCH /orgs/{slug}/members/{userId}`: role and flag of a member.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Member, UpdateMember};
use svc_app::App;
use svc_app::identity::{self, MemberChange};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::identity::view;
use svc_present::words;

use crate::paths::MemberPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<MemberPath>,
    Body(body): Body<UpdateMember>,
) -> ApiResult<Json<Member>> {
    let change = MemberChange {
        version: body.version,
        role: body.role.map(|role| words::read("role", role)).transpose()?,
        can_start_ai_work: body.can_start_ai_work,
    };
    let member = identity::update_member(&app, caller.at(&path.slug), path.user_id, change).await?;
    Ok(Json(view::member(member)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Needs an Owner or Admin and the scope `admin`. Only Owners make or change Owners, and the last Owner stays \
         an Owner (409).";
    operation(op, "updateMember", "Members", "Change a member", description)
}
