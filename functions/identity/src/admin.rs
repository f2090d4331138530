//! The administration of the instance.

pub(crate) mod accounts;
pub(crate) mod audit;
pub(crate) mod dead_letters;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod instance;
pub(crate) mod mail_test;
pub(crate) mod orgs;
pub(crate) mod password_link;
pub(crate) mod plan;
pub(crate) mod replay;
pub(crate) mod sign_out;

use aide::transform::TransformOperation;
use svc_app::administration::AdminCaller;
use svc_domain::identity::Scope;
use svc_http::Caller;
use svc_http::doc::{operation, scope};

/// The caller of a route for admins of the instance.
fn by(caller: &Caller) -> AdminCaller<'_> {
    AdminCaller::Request(caller.credential())
}

/// The documentation of a route for admins of the instance.
fn administers<'a>(
    op: TransformOperation<'a>,
    id: &str,
    summary: &str,
    description: &str,
) -> TransformOperation<'a> {
    let whole = format!(
        "{description} For admins of the instance (`instanceAdmin` of `GET /me`), with the scope `admin`."
    );
    operation(scope(op, Some(Scope::Admin)), id, "Instance", summary, &whole)
}
