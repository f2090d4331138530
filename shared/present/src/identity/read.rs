//! What requests ask of people and organizations, in the words of the use cases.

use std::collections::BTreeSet;

use svc_api::identity as wire;
use svc_app::identity::{AuditFilter, Joining, JoiningAccount, NewInvitation, Visitor};
use svc_domain::audit::{AuditAction, AuditKind};
use svc_domain::groups::GroupRoles;
use svc_domain::identity::{OrgRole, Scope};
use svc_domain::invitation::Terms;
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::words::read;

/// The scopes of a token to make.
///
/// # Errors
/// A scope that this program does not know.
pub fn scopes(scopes: &[wire::Scope]) -> Result<BTreeSet<Scope>, Refusal> {
    scopes.iter().map(|scope| read("scopes", *scope)).collect()
}

/// The roles that groups are to give.
///
/// # Errors
/// What is wrong with the groups.
pub fn group_roles(groups: Vec<wire::GroupRole>) -> Result<GroupRoles, Refusal> {
    let pairs: Result<Vec<(String, OrgRole)>, Refusal> =
        groups.into_iter().map(|one| Ok((one.group, read("groups", one.role)?))).collect();
    Ok(GroupRoles::of(pairs?)?)
}

/// An invitation to make.
///
/// # Errors
/// What is no preset, or no key of a project.
pub fn new_invitation(new: wire::NewInvitation) -> Result<NewInvitation, Refusal> {
    let preset = read("preset", new.preset)?;
    let key = |key: String| {
        key.parse().map_err(|_| Refusal::invalid("project", "There is no project with this key."))
    };
    let project = new.project.map(key).transpose()?;
    let terms = Terms { preset, project, can_start_ai_work: new.can_start_ai_work };
    Ok(NewInvitation { email: new.email, terms })
}

/// Who joins.
///
/// # Errors
/// A name without a password, or a password without a name.
pub fn joining(accept: wire::AcceptInvitation, visitor: Visitor) -> Result<Joining, Refusal> {
    let account = match (accept.display_name, accept.password) {
        (Some(display_name), Some(password)) => Some(JoiningAccount { display_name, password }),
        (None, None) => None,
        (Some(_), None) => {
            return Err(FieldErrors::one("password", "Give a password with displayName.").into());
        }
        (None, Some(_)) => {
            return Err(FieldErrors::one("displayName", "Give a displayName with password.").into());
        }
    };
    Ok(Joining { secret: accept.secret, account, visitor })
}

/// Lines of the audit log that are asked for at once, at most.
const MOST_AUDIT_LINES: usize = 200;

/// Lines of the audit log that are answered when no number is asked for.
const AUDIT_LINES: usize = 50;

/// Which lines of the audit log are asked for, and how many at once.
///
/// # Errors
/// [`Refusal::Invalid`]: an action that there is not, or what is no key of a project.
pub fn audit(query: wire::AuditQuery) -> Result<(AuditFilter, usize), Refusal> {
    let wire::AuditQuery { action, kind, by, subject, project, since, until, before, limit } = query;
    let mut errors = FieldErrors::default();
    let words = |list: &Option<String>| -> Vec<String> {
        let words = list.iter().flat_map(|words| words.split(',')).map(str::trim);
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let actions = words(&action)
        .iter()
        .filter_map(|word| errors.check("action", word.parse::<AuditAction>()))
        .collect();
    let kinds =
        words(&kind).iter().filter_map(|word| errors.check("kind", word.parse::<AuditKind>())).collect();
    let project = project.and_then(|key| errors.check("project", key.to_ascii_uppercase().parse()));
    errors.into_result()?;
    let limit = limit.map_or(AUDIT_LINES, |limit| (limit as usize).clamp(1, MOST_AUDIT_LINES));
    Ok((AuditFilter { actions, kinds, by, subject, project, since, until, before }, limit))
}
