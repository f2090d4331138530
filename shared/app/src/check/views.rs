//! Checks the saved views of projects and organizations.

use svc_domain::ids::{ActorId, OrgId, UserId};
use svc_domain::saved_view::Views;
use svc_storage::keys;

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::org_or_mark;
use super::projects::project_of;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ORG#<org>", "VIEWS", shared_in_org),
    Kind::new("ORG#<org>", "VIEWS#<user>", personal_in_org),
    Kind::new("PROJ#<org>#<KEY>", "VIEWS", shared_in_project),
    Kind::new("PROJ#<org>#<KEY>", "VIEWS#<user>", personal_in_project),
];

fn shared_in_org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    in_org(subject, context)?;
    views(subject, context).map(drop)
}

fn personal_in_org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    in_org(subject, context)?;
    personal(subject, context)
}

fn shared_in_project(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    views(subject, context).map(drop)
}

fn personal_in_project(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    personal(subject, context)
}

fn in_org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    org_or_mark(context, org).map(drop)
}

fn views(subject: &Subject<'_>, context: &CheckContext<'_>) -> Result<Views, Stop> {
    let views: Views = subject.read(context)?;
    for problem in views.problems() {
        context.broken(problem);
    }
    Ok(views)
}

fn personal(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let views = views(subject, context)?;
    let user: UserId = subject.part("user", context)?;
    if views.0.iter().any(|view| view.created_by.id != ActorId::User(user)) {
        context.broken("a view in it was made by somebody else");
    }
    context.demand(&keys::user(user), "such account").map(drop)
}
