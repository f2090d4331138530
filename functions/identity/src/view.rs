//! Between the wire and the domain: what this area sends, and the words that it receives.

use std::collections::BTreeSet;

use svc_api::identity as wire;
use svc_app::identity::{ListedToken, Me, SeenProjectMember, VersionedMember, VisibleOrg, Who};
use svc_domain::identity::{OrgRole, ProjectRole, Scope, TokenRecord};
use svc_domain::refusal::Refusal;

mod invitations;

pub(crate) use invitations::{invitation, invited, joining, new_invitation, received, session};

pub(crate) fn me(me: Me) -> wire::Me {
    let connected = matches!(&me.who, Who::Person(user, _) if user.connection.is_some());
    let avatar_key = match &me.who {
        Who::Person(user, _) => user.avatar.map(|avatar| avatar.to_string()),
        Who::Agent { .. } => None,
    };
    let (id, email, display_name, version) = match me.who {
        Who::Person(user, version) => {
            (user.id.to_string(), Some(user.email), user.display_name, Some(version))
        }
        Who::Agent { id, name } => (id.to_string(), None, name, None),
    };
    wire::Me {
        id,
        email,
        display_name,
        agent: version.is_none(),
        scopes: me.scopes.iter().map(ToString::to_string).collect(),
        organizations: me.orgs.into_iter().map(org).collect(),
        version,
        connected,
        avatar_key,
    }
}

pub(crate) fn org(seen: VisibleOrg) -> wire::Organization {
    wire::Organization {
        id: seen.org.id.to_string(),
        slug: seen.org.slug.to_string(),
        name: seen.org.name,
        role: sent_role(seen.role),
        can_operate_factory: seen.can_operate_factory,
        read_only: seen.org.read_only,
        version: seen.version,
    }
}

pub(crate) fn member(VersionedMember { member, version }: VersionedMember) -> wire::Member {
    wire::Member {
        user_id: member.user.to_string(),
        email: member.email,
        display_name: member.display_name,
        role: sent_role(member.role),
        can_start_ai_work: member.can_start_ai_work,
        avatar_key: member.avatar.map(|avatar| avatar.to_string()),
        version,
    }
}

pub(crate) fn project_member(seen: SeenProjectMember) -> wire::ProjectMember {
    let SeenProjectMember { member, version } = seen;
    wire::ProjectMember {
        user_id: member.user.to_string(),
        display_name: member.display_name,
        role: match member.role {
            ProjectRole::Admin => wire::ProjectRole::Admin,
            ProjectRole::Member => wire::ProjectRole::Member,
        },
        version,
    }
}

pub(crate) fn listed_token(listed: ListedToken) -> wire::Token {
    wire::Token { last_used_at: listed.last_used_at, ..token(listed.token) }
}

pub(crate) fn token(token: TokenRecord) -> wire::Token {
    wire::Token {
        id: token.id.to_string(),
        name: token.name,
        scopes: token.scopes.into_iter().map(sent_scope).collect(),
        organization: token.org.map(|(_, slug)| slug.to_string()),
        created_at: token.created_at,
        expires_at: token.expires_at,
        last_used_at: None,
    }
}

const fn sent_role(role: OrgRole) -> wire::OrgRole {
    match role {
        OrgRole::Owner => wire::OrgRole::Owner,
        OrgRole::Admin => wire::OrgRole::Admin,
        OrgRole::Member => wire::OrgRole::Member,
        OrgRole::Guest => wire::OrgRole::Guest,
    }
}

const fn sent_scope(scope: Scope) -> wire::Scope {
    match scope {
        Scope::Read => wire::Scope::Read,
        Scope::Write => wire::Scope::Write,
        Scope::Admin => wire::Scope::Admin,
        Scope::Mcp => wire::Scope::Mcp,
    }
}

/// A role as received.
pub(crate) fn role(role: wire::OrgRole) -> Result<OrgRole, Refusal> {
    match role {
        wire::OrgRole::Owner => Ok(OrgRole::Owner),
        wire::OrgRole::Admin => Ok(OrgRole::Admin),
        wire::OrgRole::Member => Ok(OrgRole::Member),
        wire::OrgRole::Guest => Ok(OrgRole::Guest),
        wire::OrgRole::Unknown => Err(one_of("role", OrgRole::ALL)),
    }
}

/// A role in a project as received.
pub(crate) fn project_role(role: wire::ProjectRole) -> Result<ProjectRole, Refusal> {
    match role {
        wire::ProjectRole::Admin => Ok(ProjectRole::Admin),
        wire::ProjectRole::Member => Ok(ProjectRole::Member),
        wire::ProjectRole::Unknown => Err(one_of("role", ProjectRole::ALL)),
    }
}

/// Scopes as received.
pub(crate) fn scopes(scopes: &[wire::Scope]) -> Result<BTreeSet<Scope>, Refusal> {
    let known = |scope: &wire::Scope| match scope {
        wire::Scope::Read => Ok(Scope::Read),
        wire::Scope::Write => Ok(Scope::Write),
        wire::Scope::Admin => Ok(Scope::Admin),
        wire::Scope::Mcp => Ok(Scope::Mcp),
        wire::Scope::Unknown => Err(one_of("scopes", Scope::ALL)),
    };
    scopes.iter().map(known).collect()
}

fn one_of(field: &str, known: &[impl std::fmt::Display]) -> Refusal {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    Refusal::invalid(field, format!("must be one of {}", known.join(", ")))
}
