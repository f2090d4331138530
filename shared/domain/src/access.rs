//! The one policy: what a caller may do (specification sections 1.6, 2.9 and 5).
//!
//! Every permission of the service is a line of [`Access::require`]. Use cases ask it and nothing else;
//! nothing here reads a store.
//!
//! | capability      | scope | who                                                                    |
//! |-----------------|-------|------------------------------------------------------------------------|
//! | SeeOrg          | read  | members, agents of the organization                                    |
//! | AdministerOrg   | admin | Owner, Admin                                                           |
//! | SeeAdministration | read | Owner, Admin                                                         |
//! | GovernOrg       | admin | Owner                                                                  |
//! | LeaveOrg        | write | members                                                                |
//! | SeeProject      | read  | project members, the agent of a run in it                              |
//! | Comment         | write | everyone who sees the project                                          |
//! | Work            | write | project members but Guests, the agent of a run in it                   |
//! | EditWiki        | write | project members but Guests                                             |
//! | ConfigureProject| write | project Admins but Guests                                              |
//! | ArchiveProject  | write | the same, in an archived project too                                   |
//! | OperateFactory  | write | factory operators who are project members                              |
//! | StopRuns        | write | the same, in an archived project and a read-only organization too      |
//! | SeeFactory      | read  | factory operators who are project members                              |
//!
//! **Project members** are those who were added to the project, and the Owners and Admins of its organization:
//! they are members of every project, with the role Admin, without being listed. So they start runs, are
//! assigned items and are mentioned like everybody who was added.
//!
//! **Run tokens.** The agent of a run reads its project. Work and Comment mean its run's own item and the
//! subtasks of that; [`Access::require_reach`] refuses it every other item, and new items but such subtasks.
//!
//! **Frozen places.** Changes are refused in a read-only organization, but for GovernOrg, which ends that, and, but
//! for ArchiveProject, in an archived project. StopRuns is refused in neither: what runs can always be stopped.
//! A caller who does not see a project is told that it does not exist.

use std::collections::BTreeSet;

use crate::identity::{Member, OrgRole, ProjectRole, Scope};
use crate::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, RunId};
use crate::refusal::Refusal;

/// What a caller wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// Read the organization's own data: members, agents, runners' names.
    SeeOrg,
    /// Change members, agents, runners and the organization.
    AdministerOrg,
    /// Read what only administrators see: invitations.
    SeeAdministration,
    /// Make the organization read-only and writable again.
    GovernOrg,
    /// Leave the organization.
    LeaveOrg,
    /// Read a project and what is in it.
    SeeProject,
    /// Comment and react.
    Comment,
    /// Create and change items, claim, transition.
    Work,
    /// Write, move and delete wiki pages.
    EditWiki,
    /// Change workflow, members, playbooks and settings of a project.
    ConfigureProject,
    /// Change the project itself: archive it, and revive it while everything else in it is refused.
    ArchiveProject,
    /// Start runs.
    OperateFactory,
    /// Cancel runs.
    StopRuns,
    /// Read prompts, failure reasons and logs.
    SeeFactory,
}

/// Every capability, in the order of the table.
pub const CAPABILITIES: [Capability; 14] = [
    Capability::SeeOrg,
    Capability::AdministerOrg,
    Capability::SeeAdministration,
    Capability::GovernOrg,
    Capability::LeaveOrg,
    Capability::SeeProject,
    Capability::Comment,
    Capability::Work,
    Capability::EditWiki,
    Capability::ConfigureProject,
    Capability::ArchiveProject,
    Capability::OperateFactory,
    Capability::StopRuns,
    Capability::SeeFactory,
];

impl Capability {
    /// The scope that a credential needs for it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::SeeOrg | Self::SeeAdministration | Self::SeeProject | Self::SeeFactory => Scope::Read,
            Self::LeaveOrg
            | Self::Comment
            | Self::Work
            | Self::EditWiki
            | Self::ConfigureProject
            | Self::ArchiveProject
            | Self::OperateFactory
            | Self::StopRuns => Scope::Write,
            Self::AdministerOrg | Self::GovernOrg => Scope::Admin,
        }
    }

    /// Whether it changes something.
    pub const fn changes(self) -> bool {
        match self {
            Self::SeeOrg | Self::SeeAdministration | Self::SeeProject | Self::SeeFactory => false,
            Self::AdministerOrg
            | Self::GovernOrg
            | Self::LeaveOrg
            | Self::Comment
            | Self::Work
            | Self::EditWiki
            | Self::ConfigureProject
            | Self::ArchiveProject
            | Self::OperateFactory
            | Self::StopRuns => true,
        }
    }

    /// Whether a read-only organization refuses it.
    const fn is_refused_in_read_only_org(self) -> bool {
        self.changes() && !matches!(self, Self::GovernOrg | Self::StopRuns)
    }

    /// Whether an archived project refuses it.
    const fn is_refused_in_archived_project(self) -> bool {
        self.changes() && !matches!(self, Self::ArchiveProject | Self::StopRuns)
    }
}

/// How a caller belongs to an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A person with a membership.
    Member(Member),
    /// The agent of a run, which reaches one project.
    Agent {
        /// The only project that it reaches.
        project: ProjectKey,
        /// The run.
        run: RunId,
        /// The item that the run works on.
        item: ItemKey,
        /// Whether the run refines the item.
        refines: bool,
    },
}

/// The part of a project that the policy looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectStanding {
    /// The project.
    pub key: ProjectKey,
    /// Whether it is archived.
    pub archived: bool,
    /// The caller's role in it.
    pub role: Option<ProjectRole>,
}

/// A caller in one organization and, where the question is about one, a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The caller.
    pub actor: Actor,
    /// What the credential may do.
    pub scopes: BTreeSet<Scope>,
    /// The organization.
    pub org: OrgId,
    /// Whether the organization accepts no changes.
    pub read_only: bool,
    /// How the caller belongs to it.
    pub standing: Standing,
    /// The project, where there is one.
    pub project: Option<ProjectStanding>,
}

impl Access {
    /// Whether the caller may do it.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for what the caller must not know of, [`Refusal::MissingScope`],
    /// [`Refusal::FactoryNotPermitted`], [`Refusal::Forbidden`], [`Refusal::ReadOnlyOrganization`],
    /// [`Refusal::ArchivedProject`].
    pub fn require(&self, capability: Capability) -> Result<(), Refusal> {
        if self.project.is_some() && !self.sees_project() {
            return Err(Refusal::NotFound);
        }
        let scope = capability.scope();
        if !self.scopes.contains(&scope) {
            return Err(Refusal::MissingScope(scope.as_str()));
        }
        self.require_role(capability)?;
        if self.read_only && capability.is_refused_in_read_only_org() {
            return Err(Refusal::ReadOnlyOrganization);
        }
        let archived = self.project.as_ref().is_some_and(|project| project.archived);
        if archived && capability.is_refused_in_archived_project() {
            return Err(Refusal::ArchivedProject);
        }
        Ok(())
    }

    /// The run that the calling agent works on.
    pub const fn run(&self) -> Option<RunId> {
        match &self.standing {
            Standing::Agent { run, .. } => Some(*run),
            Standing::Member(_) => None,
        }
    }

    /// Whether the caller may do it.
    pub fn may(&self, capability: Capability) -> bool {
        self.require(capability).is_ok()
    }

    /// Whether the caller is a factory operator: an Owner, an Admin, or a Member with the flag.
    pub fn is_factory_operator(&self) -> bool {
        match &self.standing {
            Standing::Member(member) => is_factory_operator(member),
            Standing::Agent { .. } => false,
        }
    }

    /// Whether the caller's role is that of an Admin of the project, or of the organization. Says nothing of
    /// scopes, nor whether anything can be changed now.
    pub fn configures(&self) -> bool {
        self.administers() || (!self.is_guest() && self.project_role() == Some(ProjectRole::Admin))
    }

    fn require_role(&self, capability: Capability) -> Result<(), Refusal> {
        let permitted = match capability {
            Capability::SeeOrg | Capability::SeeProject | Capability::Comment => true,
            Capability::AdministerOrg | Capability::SeeAdministration => self.administers(),
            Capability::GovernOrg => self.role() == Some(OrgRole::Owner),
            Capability::LeaveOrg => self.role().is_some(),
            Capability::Work => self.works(),
            Capability::EditWiki => self.works() && self.role().is_some(),
            Capability::ConfigureProject | Capability::ArchiveProject => self.configures(),
            Capability::OperateFactory | Capability::StopRuns | Capability::SeeFactory => {
                return if self.is_factory_operator() { Ok(()) } else { Err(Refusal::FactoryNotPermitted) };
            }
        };
        if permitted { Ok(()) } else { Err(Refusal::Forbidden(self.needed_role(capability))) }
    }

    const fn needed_role(&self, capability: Capability) -> &'static str {
        match (capability, &self.standing) {
            (Capability::EditWiki, Standing::Agent { .. }) => {
                "agents can read the wiki, but only people can write it"
            }
            _ => needed_role(capability),
        }
    }

    /// Refuses the agent of a run to change an item that is neither its run's own nor a subtask of that, or to
    /// make one. People reach every item of their projects.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub fn require_reach(&self, item: &ItemKey, parent: Option<&ItemKey>) -> Result<(), Refusal> {
        match &self.standing {
            Standing::Agent { item: own, .. } if own != item && parent != Some(own) => {
                Err(Refusal::Forbidden(
                    "the agent of a run can change only its item and that item's subtasks; it can read everything \
                    else",
                ))
            }
            Standing::Agent { .. } | Standing::Member(_) => Ok(()),
        }
    }

    /// Refuses the agent of a run to change where an item belongs: its type or its parent. The agent reaches its run's
    /// item and what belongs to that, and would move its own bounds.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub const fn require_rearranging(&self) -> Result<(), Refusal> {
        if self.is_agent() {
            return Err(Refusal::Forbidden("the agent of a run cannot change an item's type or parent"));
        }
        Ok(())
    }

    /// Refuses the agent of a refine run to change items: people confirm what it hands in.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub const fn require_changing(&self) -> Result<(), Refusal> {
        if let Standing::Agent { refines: true, .. } = self.standing {
            return Err(Refusal::Forbidden(
                "the agent of a refine run cannot change items: submit the refined ticket, or ask in a comment",
            ));
        }
        Ok(())
    }

    /// Whether the caller is the agent of a run.
    pub const fn is_agent(&self) -> bool {
        matches!(self.standing, Standing::Agent { .. })
    }

    /// Whether the caller may know of the project, whatever the credential's scopes.
    pub fn sees_project(&self) -> bool {
        let Some(project) = &self.project else { return false };
        match &self.standing {
            Standing::Member(member) => sees(member, project.role.is_some()),
            Standing::Agent { project: own, .. } => *own == project.key,
        }
    }

    /// Whether the caller is more than a Guest: a Member or the agent of a run.
    pub fn works(&self) -> bool {
        match &self.standing {
            Standing::Member(member) => member.role != OrgRole::Guest,
            Standing::Agent { .. } => true,
        }
    }

    fn administers(&self) -> bool {
        matches!(&self.standing, Standing::Member(member) if member.role.administers())
    }

    fn is_guest(&self) -> bool {
        self.role() == Some(OrgRole::Guest)
    }

    const fn role(&self) -> Option<OrgRole> {
        match &self.standing {
            Standing::Member(member) => Some(member.role),
            Standing::Agent { .. } => None,
        }
    }

    fn project_role(&self) -> Option<ProjectRole> {
        self.project.as_ref().and_then(|project| project.role)
    }

    /// Id of the person who asks; `None` for agents.
    pub const fn user(&self) -> Option<crate::ids::UserId> {
        match self.actor.id {
            ActorId::User(user) => Some(user),
            ActorId::Agent(_) => None,
        }
    }
}

/// Whether a member is a factory operator: an Owner, an Admin, or a Member with the flag.
pub fn is_factory_operator(member: &Member) -> bool {
    match member.role {
        OrgRole::Owner | OrgRole::Admin => true,
        OrgRole::Member => member.can_start_ai_work,
        OrgRole::Guest => false,
    }
}

/// Whether a member may start AI work in a project, whether or not they are in it: a factory operator who sees it.
pub fn may_start_ai_work(member: &Member, in_project: bool) -> bool {
    is_factory_operator(member) && sees(member, in_project)
}

/// Whether a member sees a project, whether or not they are in it.
const fn sees(member: &Member, in_project: bool) -> bool {
    in_project || member.role.administers()
}

const fn needed_role(capability: Capability) -> &'static str {
    match capability {
        Capability::AdministerOrg | Capability::SeeAdministration => {
            "this needs an Owner or Admin of the organization"
        }
        Capability::GovernOrg => "this needs an Owner of the organization",
        Capability::LeaveOrg => "only people can leave an organization",
        Capability::ConfigureProject | Capability::ArchiveProject => "this needs an Admin of the project",
        Capability::Work | Capability::EditWiki => "Guests can read, comment and react; this needs a Member",
        Capability::SeeOrg
        | Capability::SeeProject
        | Capability::Comment
        | Capability::OperateFactory
        | Capability::StopRuns
        | Capability::SeeFactory => "this needs another role",
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, CAPABILITIES, ProjectStanding, Standing};
    use crate::identity::{Member, OrgRole, ProjectRole, Scope};
    use crate::ids::{Actor, ActorId, AgentId, OrgId, RunId, UserId};
    use uuid::Uuid;

    fn member(role: OrgRole, flag: bool, project_role: Option<ProjectRole>) -> Access {
        let user = UserId(Uuid::from_u128(1));
        Access {
            actor: Actor { id: ActorId::User(user), name: "Ada".into() },
            scopes: Scope::ALL.iter().copied().collect(),
            org: OrgId(Uuid::from_u128(2)),
            read_only: false,
            standing: Standing::Member(Member {
                user,
                email: "ada@example.com".into(),
                display_name: "Ada".into(),
                role,
                can_start_ai_work: flag,
                avatar: None,
                given: None,
            }),
            project: Some(ProjectStanding {
                key: "PRJ".parse().unwrap(),
                archived: false,
                role: project_role,
            }),
        }
    }

    fn agent(project: &str) -> Access {
        Access {
            actor: Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(3))), name: "bot".into() },
            standing: Standing::Agent {
                project: project.parse().unwrap(),
                run: RunId(Uuid::from_u128(4)),
                item: format!("{project}-1").parse().unwrap(),
                refines: false,
            },
            ..member(OrgRole::Member, false, None)
        }
    }

    fn lines(name: &str, access: &Access) -> String {
        CAPABILITIES
            .iter()
            .map(|capability| {
                let answer = match access.require(*capability) {
                    Ok(()) => "yes".to_owned(),
                    Err(refusal) => refusal.to_string(),
                };
                format!("{name:34} {:17} {answer}\n", format!("{capability:?}"))
            })
            .collect()
    }

    #[test]
    fn an_agent_reaches_its_item_and_the_subtasks_of_that() {
        let key = |text: &str| text.parse().unwrap();
        let (agent, person) = (agent("PRJ"), member(OrgRole::Member, false, Some(ProjectRole::Member)));
        for (item, parent, reached) in [
            ("PRJ-1", None, true),
            ("PRJ-1", Some("PRJ-9"), true),
            ("PRJ-2", Some("PRJ-1"), true),
            ("PRJ-2", None, false),
            ("PRJ-2", Some("PRJ-9"), false),
        ] {
            let parent = parent.map(key);
            assert_eq!(
                agent.require_reach(&key(item), parent.as_ref()).is_ok(),
                reached,
                "{item} {parent:?}"
            );
            assert_eq!(person.require_reach(&key(item), parent.as_ref()), Ok(()));
        }
    }

    #[test]
    fn every_standing_times_every_capability() {
        let some = Some(ProjectRole::Member);
        let admin = Some(ProjectRole::Admin);
        let mut read_token = member(OrgRole::Owner, false, admin);
        read_token.scopes = [Scope::Read].into();
        let mut frozen = member(OrgRole::Owner, false, admin);
        frozen.read_only = true;
        let mut archived = member(OrgRole::Owner, false, admin);
        archived.project.as_mut().unwrap().archived = true;
        let table: String = [
            ("owner, no project role", member(OrgRole::Owner, false, None)),
            ("admin, no project role", member(OrgRole::Admin, false, None)),
            ("member, not in project", member(OrgRole::Member, true, None)),
            ("member in project, flag", member(OrgRole::Member, true, some)),
            ("member in project, no flag", member(OrgRole::Member, false, some)),
            ("member, project admin, no flag", member(OrgRole::Member, false, admin)),
            ("guest, not in project", member(OrgRole::Guest, true, None)),
            ("guest in project, flag", member(OrgRole::Guest, true, some)),
            ("guest, project admin", member(OrgRole::Guest, false, admin)),
            ("agent in its project", agent("PRJ")),
            ("agent in another project", agent("OTHER")),
            ("owner, read-only token", read_token),
            ("owner, read-only organization", frozen),
            ("owner, archived project", archived),
        ]
        .iter()
        .map(|(name, access)| lines(name, access))
        .collect();
        insta::assert_snapshot!(table);
    }
}
