//! What the wire shows of people, organizations and what lets them in.

use jiff::Timestamp;
use svc_api::identity as wire;
use svc_app::identity::{
    AuditLines, Invited, ListedToken, Me, SeenProjectMember, VersionedMember, VisibleOrg, Who,
};
use svc_domain::audit::AuditEntry;
use svc_domain::identity::TokenRecord;
use svc_domain::ids::UserId;

use crate::actor::{actor, deletion};
use crate::words::Word;

mod groups;
mod invitations;

pub use groups::{created_scim_token, group_roles, scim_token};
pub use invitations::{invited, received, session};

/// Lines of the audit log.
pub fn audit(found: AuditLines) -> wire::AuditPage {
    let addresses = found.addresses;
    let email = |user: Option<UserId>| user.and_then(|user| addresses.get(&user).cloned());
    let line = |(id, line): (String, AuditEntry)| wire::AuditEntry {
        id,
        by_email: email(line.actor()),
        email: email(line.person()),
        at: line.at,
        by: line.by.as_ref().map(actor),
        via: line.via,
        action: line.action.to_string(),
        subject: line.subject,
        name: line.name,
        project: line.project.map(|key| key.to_string()),
        from: line.from,
        to: line.to,
    };
    wire::AuditPage { entries: found.lines.into_iter().map(line).collect(), next: found.next }
}

/// Who the caller is.
pub fn me(me: Me) -> wire::Me {
    let connected = matches!(&me.who, Who::Person(user, _) if user.connection.is_some());
    let avatar_key = match &me.who {
        Who::Person(user, _) => user.avatar.map(|avatar| avatar.to_string()),
        Who::Agent { .. } => None,
    };
    let (id, email, new_email, display_name, version) = match me.who {
        Who::Person(user, version) => {
            (user.id.to_string(), Some(user.email), user.new_email, user.display_name, Some(version))
        }
        Who::Agent { id, name } => (id.to_string(), None, None, name, None),
    };
    wire::Me {
        id,
        email,
        new_email,
        display_name,
        agent: version.is_none(),
        scopes: me.scopes.iter().map(ToString::to_string).collect(),
        organizations: me.orgs.into_iter().map(org).collect(),
        version,
        connected,
        avatar_key,
        instance_admin: me.is_instance_admin,
        can_create_organizations: me.creates_orgs,
    }
}

/// An organization as its member sees it.
pub fn org(seen: VisibleOrg) -> wire::Organization {
    wire::Organization {
        id: seen.org.id.to_string(),
        slug: seen.org.slug.to_string(),
        name: seen.org.name,
        role: seen.role.sent(),
        can_operate_factory: seen.can_operate_factory,
        read_only: seen.org.read_only,
        version: seen.version,
        deletion: seen.deletion.as_ref().map(deletion),
    }
}

/// A member of an organization.
pub fn member(VersionedMember { member, version }: VersionedMember) -> wire::Member {
    wire::Member {
        user_id: member.user.to_string(),
        email: member.email,
        display_name: member.display_name,
        role: member.role.sent(),
        can_start_ai_work: member.can_start_ai_work,
        avatar_key: member.avatar.map(|avatar| avatar.to_string()),
        version,
        invitation: None,
    }
}

/// Somebody who was added and is a member when they have joined.
pub fn invited_member(invited: Invited, role: wire::OrgRole, now: Timestamp) -> wire::Member {
    let invitation = self::invited(invited, now);
    wire::Member {
        user_id: String::new(),
        email: invitation.email.clone(),
        display_name: invitation.email.clone(),
        role,
        can_start_ai_work: invitation.can_start_ai_work,
        avatar_key: None,
        version: 0,
        invitation: Some(invitation),
    }
}

/// A member of a project.
pub fn project_member(seen: SeenProjectMember) -> wire::ProjectMember {
    let SeenProjectMember { member, version } = seen;
    wire::ProjectMember {
        user_id: member.user.to_string(),
        display_name: member.display_name,
        role: member.role.sent(),
        version,
    }
}

/// A token with its last use.
pub fn listed_token(listed: ListedToken) -> wire::Token {
    wire::Token { last_used_at: listed.last_used_at, current: listed.current, ..token(listed.token) }
}

/// A token, without its secret.
pub fn token(token: TokenRecord) -> wire::Token {
    wire::Token {
        id: token.id.to_string(),
        name: token.name,
        scopes: token.scopes.into_iter().map(Word::sent).collect(),
        organization: token.org.map(|(_, slug)| slug.to_string()),
        created_at: token.created_at,
        expires_at: token.expires_at,
        last_used_at: None,
        current: false,
    }
}
