//! The journal of an organization: what changed, and where to read it again. Live pages follow it.
//!
//! A line says no more than that something changed: a reader who may see the thing reads it at its own address. Who
//! learns of a line at all is decided here, but for wiki pages, whose readers their places in the wiki tell.
//!
//! | what changed                                        | who learns of it                            |
//! |-----------------------------------------------------|---------------------------------------------|
//! | the organization, its members, its agents           | everyone in the organization                |
//! | views that are shared in the organization           | its people but Guests                       |
//! | invitations                                         | Owners and Admins                           |
//! | runners, connections with code hosts                | factory operators                           |
//! | what a person may do, their inbox                   | that person                                 |
//! | a project, its settings, sprints, items, runs       | who sees the project                        |
//! | comments                                            | the same, who sees such comments            |
//! | playbooks, rules, factory settings, refining        | factory operators who see the project       |
//! | a wiki page                                         | who sees the project and reads the page     |

mod cursor;

pub use cursor::{JournalCursor, LinePlace};

use serde::{Deserialize, Serialize};

use crate::access::{Access, Capability};
use crate::ids::{CommentId, ItemKey, PageId, ProjectKey, RunId, SprintId, UserId};
use crate::saved_view::sees_shared;
use crate::visibility::Viewer;
use crate::wiki::PagePath;

/// A line of the journal: what one commit changed.
///
/// A stored row. Kinds may be added: older readers pass over those that they do not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What changed, each once.
    pub changed: Vec<Changed>,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Changed {
    /// Name or settings of the organization.
    Organization,
    /// Its members.
    Members,
    /// Its invitations.
    Invitations,
    /// Its agents.
    Agents,
    /// Its runners.
    Runners,
    /// Its connections with code hosts.
    CodeHosts,
    /// The saved views that its people share.
    OrgViews,
    /// What a person may do: their roles.
    Access {
        /// The person.
        user: UserId,
    },
    /// What a person is told, or what they have read of it.
    Inbox {
        /// The person.
        user: UserId,
    },
    /// Name, description or state of a project.
    Project {
        /// The project.
        project: ProjectKey,
    },
    /// Its members.
    ProjectMembers {
        /// The project.
        project: ProjectKey,
    },
    /// Its workflow.
    Workflow {
        /// The project.
        project: ProjectKey,
    },
    /// Its labels.
    Labels {
        /// The project.
        project: ProjectKey,
    },
    /// Its milestones.
    Milestones {
        /// The project.
        project: ProjectKey,
    },
    /// Its ticket templates.
    Templates {
        /// The project.
        project: ProjectKey,
    },
    /// The saved views that everyone in it sees.
    Views {
        /// The project.
        project: ProjectKey,
    },
    /// Its teams.
    Teams {
        /// The project.
        project: ProjectKey,
    },
    /// Its playbooks.
    Playbooks {
        /// The project.
        project: ProjectKey,
    },
    /// The rules that hand its items to agents.
    Rules {
        /// The project.
        project: ProjectKey,
    },
    /// Its factory settings.
    FactorySettings {
        /// The project.
        project: ProjectKey,
    },
    /// Its refinement settings.
    RefinementSettings {
        /// The project.
        project: ProjectKey,
    },
    /// A sprint.
    Sprint {
        /// The project.
        project: ProjectKey,
        /// The sprint.
        id: SprintId,
    },
    /// Items.
    Items {
        /// The project.
        project: ProjectKey,
        /// Their numbers.
        numbers: Vec<u64>,
    },
    /// A comment or the reactions to it.
    Comment {
        /// Its item.
        item: ItemKey,
        /// The comment.
        id: CommentId,
        /// Whether it is hidden from viewers who do not see what agents say.
        #[serde(default)]
        agents_work: bool,
    },
    /// The files of an item.
    Attachments {
        /// The item.
        item: ItemKey,
    },
    /// The watchers of an item.
    Watchers {
        /// The item.
        item: ItemKey,
    },
    /// A run.
    Run {
        /// Its item.
        item: ItemKey,
        /// The run.
        id: RunId,
    },
    /// The refinement of an item.
    Refinement {
        /// The item.
        item: ItemKey,
    },
    /// A wiki page: its text, place, readers, or whether it is there.
    Page {
        /// The project.
        project: ProjectKey,
        /// The page.
        id: PageId,
        /// Its path after the change.
        path: PagePath,
    },
    /// A value that this program does not know.
    #[serde(other)]
    Unknown,
}

impl Line {
    /// Adds what changed, unless it is there; the items of a project come together.
    pub fn add(&mut self, changed: Changed) {
        if let Changed::Items { project, numbers } = &changed {
            let known = self.changed.iter_mut().find_map(|known| match known {
                Changed::Items { project: of, numbers } if of == project => Some(numbers),
                _ => None,
            });
            if let Some(known) = known {
                for number in numbers {
                    if !known.contains(number) {
                        known.push(*number);
                    }
                }
                return;
            }
        }
        if !self.changed.contains(&changed) {
            self.changed.push(changed);
        }
    }
}

impl Changed {
    /// The project that it is in; `None` for what is the organization's own.
    pub const fn project(&self) -> Option<&ProjectKey> {
        match self {
            Self::Organization
            | Self::Members
            | Self::Invitations
            | Self::Agents
            | Self::Runners
            | Self::CodeHosts
            | Self::OrgViews
            | Self::Access { .. }
            | Self::Inbox { .. }
            | Self::Unknown => None,
            Self::Project { project }
            | Self::ProjectMembers { project }
            | Self::Workflow { project }
            | Self::Labels { project }
            | Self::Milestones { project }
            | Self::Templates { project }
            | Self::Views { project }
            | Self::Teams { project }
            | Self::Playbooks { project }
            | Self::Rules { project }
            | Self::FactorySettings { project }
            | Self::RefinementSettings { project }
            | Self::Sprint { project, .. }
            | Self::Items { project, .. }
            | Self::Page { project, .. } => Some(project),
            Self::Comment { item, .. }
            | Self::Attachments { item }
            | Self::Watchers { item }
            | Self::Refinement { item }
            | Self::Run { item, .. } => Some(&item.project),
        }
    }

    /// Whether a caller who entered its project, or its organization where it is in none, learns of it. Of a
    /// wiki page this is a part of the answer only.
    pub fn is_told(&self, access: &Access) -> bool {
        match self {
            Self::Organization | Self::Members | Self::Agents => access.may(Capability::SeeOrg),
            Self::OrgViews => access.may(Capability::SeeOrg) && sees_shared(access),
            Self::Invitations => access.may(Capability::SeeAdministration),
            Self::Runners | Self::CodeHosts => access.may(Capability::SeeFactory),
            Self::Access { user } | Self::Inbox { user } => access.user() == Some(*user),
            Self::Project { .. }
            | Self::ProjectMembers { .. }
            | Self::Workflow { .. }
            | Self::Labels { .. }
            | Self::Milestones { .. }
            | Self::Templates { .. }
            | Self::Views { .. }
            | Self::Teams { .. }
            | Self::Sprint { .. }
            | Self::Items { .. }
            | Self::Attachments { .. }
            | Self::Watchers { .. }
            | Self::Run { .. } => access.may(Capability::SeeProject),
            Self::Playbooks { .. }
            | Self::Rules { .. }
            | Self::FactorySettings { .. }
            | Self::RefinementSettings { .. }
            | Self::Refinement { .. } => access.may(Capability::SeeFactory),
            Self::Comment { agents_work, .. } => {
                access.may(Capability::SeeProject) && (!agents_work || Viewer::of(access).sees_agents_work())
            }
            Self::Page { path, .. } => {
                access.may(Capability::SeeProject) && Viewer::of(access).sees_path(path)
            }
            Self::Unknown => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::{Changed, Line};
    use crate::access::{Access, ProjectStanding, Standing};
    use crate::identity::{Member, OrgRole, ProjectRole, Scope};
    use crate::ids::{Actor, ActorId, AgentId, OrgId, RunId, UserId};

    fn person(n: u128, role: OrgRole, operator: bool, project: Option<ProjectRole>) -> Access {
        let user = UserId(Uuid::from_u128(n));
        let member = Member {
            user,
            email: "ada@example.com".into(),
            display_name: "Ada".into(),
            role,
            can_start_ai_work: operator,
            avatar: None,
            given: None,
        };
        Access {
            actor: Actor { id: ActorId::User(user), name: "Ada".into() },
            scopes: Scope::ALL.iter().copied().collect(),
            org: OrgId(Uuid::from_u128(2)),
            read_only: false,
            standing: Standing::Member(member),
            project: Some(ProjectStanding { key: "PRJ".parse().unwrap(), archived: false, role: project }),
        }
    }

    fn agent() -> Access {
        Access {
            actor: Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(9))), name: "bot".into() },
            standing: Standing::Agent {
                project: "PRJ".parse().unwrap(),
                run: RunId(Uuid::from_u128(8)),
                item: "PRJ-1".parse().unwrap(),
                refines: false,
            },
            ..person(1, OrgRole::Member, false, None)
        }
    }

    fn every_kind() -> Vec<Changed> {
        let id = Uuid::from_u128(7);
        let project = || "PRJ".parse().unwrap();
        let item = || "PRJ-1".parse().unwrap();
        let page = |path: &str| json!({"kind": "page", "project": "PRJ", "id": id, "path": path});
        vec![
            Changed::Organization,
            Changed::Members,
            Changed::Invitations,
            Changed::Agents,
            Changed::Runners,
            Changed::CodeHosts,
            Changed::OrgViews,
            Changed::Access { user: UserId(Uuid::from_u128(12)) },
            Changed::Inbox { user: UserId(Uuid::from_u128(12)) },
            Changed::Project { project: project() },
            Changed::ProjectMembers { project: project() },
            Changed::Workflow { project: project() },
            Changed::Labels { project: project() },
            Changed::Milestones { project: project() },
            Changed::Templates { project: project() },
            Changed::Views { project: project() },
            Changed::Teams { project: project() },
            Changed::Playbooks { project: project() },
            Changed::Rules { project: project() },
            Changed::FactorySettings { project: project() },
            Changed::RefinementSettings { project: project() },
            Changed::Items { project: project(), numbers: vec![1] },
            Changed::Attachments { item: item() },
            Changed::Watchers { item: item() },
            Changed::Run { item: item(), id: RunId(id) },
            Changed::Refinement { item: item() },
            serde_json::from_value(json!({"kind": "sprint", "project": "PRJ", "id": id})).unwrap(),
            serde_json::from_value(json!({"kind": "comment", "item": "PRJ-1", "id": id})).unwrap(),
            serde_json::from_value(json!({"kind": "comment", "item": "PRJ-1", "id": id, "agentsWork": true}))
                .unwrap(),
            serde_json::from_value(page("Guides/Release")).unwrap(),
            serde_json::from_value(page("Factory/Fix")).unwrap(),
        ]
    }

    #[test]
    fn every_kind_times_every_standing() {
        let member = Some(ProjectRole::Member);
        let callers = [
            ("owner", person(10, OrgRole::Owner, false, None)),
            ("operator", person(11, OrgRole::Member, true, member)),
            ("stakeholder", person(12, OrgRole::Member, false, member)),
            ("guest", person(13, OrgRole::Guest, false, member)),
            ("elsewhere", person(14, OrgRole::Member, true, None)),
            ("agent", agent()),
        ];
        let mut table = String::new();
        for changed in every_kind() {
            let told: Vec<&str> = callers
                .iter()
                .filter(|(_, access)| {
                    let org = Access { project: None, ..access.clone() };
                    changed.is_told(if changed.project().is_some() { access } else { &org })
                })
                .map(|(name, _)| *name)
                .collect();
            let mut name = serde_json::to_value(&changed).unwrap();
            let kind = name["kind"].take();
            let kind = kind.as_str().unwrap();
            let more = match &changed {
                Changed::Comment { agents_work: true, .. } => " of an agent",
                Changed::Page { path, .. } if path.is_in_factory_section() => " of the Factory section",
                _ => "",
            };
            table += &format!("{:32} {}\n", format!("{kind}{more}"), told.join(", "));
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_line_of_a_later_program_is_passed_over() {
        let line: Line = serde_json::from_value(
            json!({"changed": [{"kind": "weather", "sky": "blue"}, {"kind": "members"}]}),
        )
        .unwrap();
        assert_eq!(line.changed, [Changed::Unknown, Changed::Members]);
    }
}
