//! `POST /auth/register`: the first account and its organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Me, Register};
use svc_app::identity::{self, FirstAccount, NewOrg};
use svc_app::{App, BearerCredential};
use svc_http::doc::{operation, refuses};
use svc_http::problems::{ALREADY_EXISTS, CONFLICT, FORBIDDEN};
use svc_http::{ApiResult, Body, CreatedAt, Reply, SessionCookie, Visitor};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    Visitor(visitor): Visitor,
    Body(body): Body<Register>,
) -> ApiResult<Reply<CreatedAt<Me>>> {
    let first = FirstAccount {
        email: body.email,
        password: body.password,
        display_name: body.display_name,
        org: NewOrg { slug: body.organization.slug, name: body.organization.name },
    };
    let session = identity::register(&app, first, &visitor).await?;
    let me = identity::me(&app, Some(&BearerCredential::new(&session.secret))).await?;
    let headers = vec![cookie.open(&session.secret, session.lasts.as_secs())];
    Ok(Reply { body: CreatedAt("/me".to_owned(), view::me(me)), headers })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FORBIDDEN, ALREADY_EXISTS, CONFLICT]);
    let description = "Creates the first account, which owns the first organization, and signs it in. Answers 403 \
    once an account exists. Counted against the sign-in budget.";
    operation(op, "register", "Sign-in", "Set up the instance", description)
}
