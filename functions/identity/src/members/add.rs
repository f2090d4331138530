//! `POST /orgs/{slug}/members`: invites a new member.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{AddMember, Member};
use svc_app::App;
use svc_app::identity::{self, NewMember};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::identity::view;
use svc_present::words;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<AddMember>,
) -> ApiResult<Created<Member>> {
    let new = NewMember {
        email: body.email,
        has_password: body.password.is_some(),
        role: words::read("role", body.role)?,
        can_start_ai_work: body.can_start_ai_work,
    };
    let role = body.role;
    let invited = identity::add_member(&app, caller.at(&path.slug), new).await?;
    Ok(Created(view::invited_member(invited, role, app.now())))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Invites the address, as `POST /orgs/{slug}/invitations` does, and answers the future \
         member with the `invitation`. The person joins from the link, with an existing account or a new \
         one. Nobody can set another person's password (422). Needs an Owner or Admin and the scope `admin`. \
         409 if the address is a member or invited already.";
    operation(op, "addMember", "Members", "Invite a member", description)
}
