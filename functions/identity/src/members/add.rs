//! `POST /orgs/{slug}/members`: a new member.

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
        display_name: body.display_name,
        password: body.password,
        role: words::read("role", body.role)?,
        can_start_ai_work: body.can_start_ai_work,
    };
    let member = identity::add_member(&app, caller.at(&path.slug), new).await?;
    Ok(Created(view::member(member)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Makes the account, with a first password, where the address is new. Needs an Owner or Admin and the \
                       scope `admin`; only an Owner makes Owners.";
    operation(op, "addMember", "Members", "Add a member", description)
}
