//! Checks organizations, their members, invitations and names.

use svc_domain::agent::Agent;
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::directory::{DirectoryGroup, DirectoryToken, DirectoryUser};
use svc_domain::groups::GroupRoles;
use svc_domain::identity::{Credential, Member, Org, User};
use svc_domain::ids::{
    AgentId, DirectoryGroupId, DirectoryUserId, InvitationId, OrgId, OrgSlug, RunnerId, UserId,
};
use svc_domain::invitation::{Invitation, State};
use svc_domain::project::Project;
use svc_domain::runner::Runner;
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::{org_or_mark, slug_of};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("SLUG#<slug>", "ORG", slug),
    Kind::new("ORGS", "<org>", org_entry),
    Kind::new("ORG#<org>", "PROFILE", org),
    Kind::new("ORG#<org>", "DELETED", deleted_org),
    Kind::new("ORG#<org>", "MEMBER#<user>", member),
    Kind::new("ORG#<org>", "PROJECT#<KEY>", project),
    Kind::new("ORG#<org>", "DELETED#<KEY>", deleted_project),
    Kind::new("ORG#<org>", "INVITE#<invitation>", invitation),
    Kind::new("ORG#<org>", "BLOCKS", counter),
    Kind::new("ORG#<org>", "STORED", counter),
    Kind::new("ORG#<org>", "GROUPS", group_roles),
    Kind::new("ORG#<org>", "SCIM#<token>", directory_token),
    Kind::new("ORG#<org>", "SCIMUSER#<id>", directory_user),
    Kind::new("ORG#<org>", "SCIMGROUP#<id>", directory_group),
    Kind::new("ORG#<org>", "NAME#<kind>#<lower name>", name),
];

fn slug(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let id: OrgId = subject.read(context)?;
    if let Some(slug) = slug_of(context, id, "organization of this slug")? {
        subject.is_named(context, &keys::slug(&slug));
    }
    Ok(())
}

fn org_entry(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (id, slug): (OrgId, OrgSlug) = (subject.part("org", context)?, subject.read(context)?);
    if slug_of(context, id, "such organization")?.is_some_and(|own| own != slug) {
        context.broken("the organization has another slug");
    }
    Ok(())
}

fn org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: Org = subject.read(context)?;
    subject.is_named(context, &keys::org(org.id));
    if org.has_webhooks {
        context.demand(&keys::webhooks(org.id), "webhooks of the organization")?;
    }
    reachable(context, org.id, &org.slug)
}

/// That its slug leads to the organization, and the list of all of them names it.
fn reachable(context: &CheckContext<'_>, org: OrgId, slug: &OrgSlug) -> Verdict {
    if context.need::<OrgId>(&keys::slug(slug), "claim of its slug")?.is_some_and(|id| id != org) {
        context.broken("another organization claims its slug");
    }
    context.demand(&keys::org_entry(org), "entry of it in the list of organizations").map(drop)
}

fn deleted_org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let deleted: DeletedOrg = subject.read(context)?;
    if context.has(&keys::org(org))? {
        context.broken("the organization is there as well");
    }
    match &deleted.org {
        Some(kept) if (kept.id, &kept.slug) != (org, &deleted.slug) => {
            context.broken("it keeps another organization");
        }
        Some(_) if !context.is_past(deleted.deletion.until()) => {}
        _ => context.waiting("the organization can be restored no more, and is not taken away"),
    }
    reachable(context, org, &deleted.slug)
}

/// A counter, which has no content.
fn counter(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    org_or_mark(context, org)
}

fn member(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let member: Member = subject.read(context)?;
    subject.is_named(context, &keys::member(org, member.user));
    context.demand(&keys::user_org(member.user, org), "pointer from the account to the organization")?;
    if let Some(user) = context.need::<User>(&keys::user(member.user), "such account")?
        && (&user.email, &user.display_name) != (&member.email, &member.display_name)
    {
        context.waiting("the account has another name or address now");
    }
    Ok(())
}

fn project(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let project: Project = subject.read(context)?;
    subject.is_named(context, &keys::project(org, &project.key));
    org_or_mark(context, org)?;
    context.demand(&keys::workflow(org, &project.key), "workflow of it").map(drop)
}

fn deleted_project(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let deleted: DeletedProject = subject.read(context)?;
    subject.is_named(context, &keys::deleted_project(org, &deleted.key));
    org_or_mark(context, org)?;
    if context.has(&keys::project(org, &deleted.key))? {
        context.broken("the project is there as well");
    }
    let Some(project) = deleted.project else { return Ok(()) };
    if project.key != deleted.key {
        context.broken("it keeps another project");
    }
    if context.is_past(deleted.deletion.until()) {
        context.waiting("the project can be restored no more, and is not taken away");
        return Ok(());
    }
    context.demand(&keys::workflow(org, &deleted.key), "workflow of it").map(drop)
}

fn invitation(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let invitation: Invitation = subject.read(context)?;
    subject.is_named(context, &keys::invitation(org, invitation.id));
    org_or_mark(context, org)?;
    if invitation.is_live(context.now()) {
        let name = keys::org_name(org, INVITATION, invitation.email.trim());
        let holder: Option<InvitationId> = context.need(&name, "claim of its address")?;
        if holder.is_some_and(|holder| holder != invitation.id) {
            context.broken("another invitation claims its address");
        }
    }
    Ok(())
}

fn group_roles(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.read::<GroupRoles>(context)?;
    org_or_mark(context, subject.part("org", context)?)
}

fn directory_token(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let token: DirectoryToken = subject.read(context)?;
    subject.is_named(context, &keys::directory_token(org, token.id));
    org_or_mark(context, org)?;
    context.need::<Credential>(&keys::credential(&token.secret_hash), "secret of it").map(drop)
}

fn directory_user(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let person: DirectoryUser = subject.read(context)?;
    subject.is_named(context, &keys::directory_user(org, person.id));
    org_or_mark(context, org)?;
    let holder: Option<DirectoryUserId> =
        context.need(&keys::directory_email(org, &person.email), "claim of the address")?;
    if holder.is_some_and(|holder| holder != person.id) {
        context.broken("another person of the directory claims the address");
    }
    Ok(())
}

fn directory_group(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let group: DirectoryGroup = subject.read(context)?;
    subject.is_named(context, &keys::directory_group(org, group.id));
    org_or_mark(context, org)?;
    let holder: Option<DirectoryGroupId> =
        context.need(&keys::directory_group_name(org, &group.name), "claim of its name")?;
    if holder.is_some_and(|holder| holder != group.id) {
        context.broken("another group of the directory claims its name");
    }
    Ok(())
}

/// What the addresses of invitations are unique among.
const INVITATION: &str = "invitation";

fn name(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let kind: String = subject.part("kind", context)?;
    let named = match kind.as_str() {
        "agent" => {
            let id: AgentId = subject.read(context)?;
            let agent = context.need::<Agent>(&keys::agent(org, id), "agent of this name")?;
            if agent.as_ref().is_some_and(|agent| !agent.is_there()) {
                context.broken("the agent was deleted but still claims its name");
            }
            agent.map(|agent| agent.name)
        }
        "runner" => {
            let id: RunnerId = subject.read(context)?;
            context.need::<Runner>(&keys::runner(org, id), "runner of this name")?.map(|runner| runner.name)
        }
        INVITATION => {
            let id: InvitationId = subject.read(context)?;
            let invitation: Option<Invitation> =
                context.need(&keys::invitation(org, id), "invitation of this address")?;
            if invitation.as_ref().is_some_and(|one| !matches!(one.state, State::Pending { .. })) {
                context.broken("the invitation has ended but still claims its address");
            }
            invitation.map(|invitation| invitation.email.trim().to_owned())
        }
        "scimUser" => {
            let id: DirectoryUserId = subject.read(context)?;
            let key = keys::directory_user(org, id);
            context.need::<DirectoryUser>(&key, "person of this address")?.map(|person| person.email)
        }
        "scimGroup" => {
            let id: DirectoryGroupId = subject.read(context)?;
            let key = keys::directory_group(org, id);
            context.need::<DirectoryGroup>(&key, "group of this name")?.map(|group| group.name)
        }
        other => {
            context.broken(format!("nothing in an organization has a unique name as {other:?}"));
            None
        }
    };
    if let Some(named) = named {
        subject.is_named(context, &keys::org_name(org, &kind, &named));
    }
    Ok(())
}

/// Tells when a copy of a person's name is not the name of the person. A worker spreads new names.
pub(super) fn copied_name(context: &CheckContext<'_>, org: OrgId, user: UserId, name: &str) -> Verdict {
    let member: Option<Member> = context.need(&keys::member(org, user), "such member of the organization")?;
    if member.is_some_and(|member| member.display_name != name) {
        context.waiting("the person has another name now");
    }
    Ok(())
}
