//! Who may read and edit which wiki page: the one rule of the wiki's permissions (specification sections 2.5
//! and 2.9).
//!
//! A page may name an audience that reads it and one that edits it. Each narrows what is inherited from the
//! pages above it and never widens it: who reads a page reads every page above it. Without any rule,
//! everyone in the project reads and everyone but Guests edits. Owners, Admins and Admins of the project are
//! in every audience, so that no page is lost to those who look after the project.
//!
//! The Factory section is a rule of its own, of [`crate::visibility`]: to who is no factory operator it does
//! not exist; and of the operators only Admins of the project edit it.

use super::PagePath;
use super::audience::PageAccess;
use crate::access::{Access, Capability};
use crate::refusal::Refusal;
use crate::visibility::Viewer;

/// Whether the caller may read the page at `path`. `chain` is what it and the pages above it say.
pub fn may_read<'a>(
    caller: &Access,
    path: &PagePath,
    chain: impl IntoIterator<Item = &'a PageAccess>,
) -> bool {
    Viewer::of(caller).sees_path(path)
        && chain.into_iter().filter_map(|rule| rule.read.as_ref()).all(|audience| audience.admits(caller))
}

/// Whether the caller may edit the page at `path`, or create it there. `chain` is what it and the pages above
/// it say.
///
/// # Errors
/// [`Refusal::NotFound`] for who may not read it, [`Refusal::Forbidden`]; what [`Capability::EditWiki`]
/// refuses,
/// and in the Factory section [`Capability::ConfigureProject`].
pub fn require_edit<'a>(
    caller: &Access,
    path: &PagePath,
    chain: impl IntoIterator<Item = &'a PageAccess> + Clone,
) -> Result<(), Refusal> {
    if !may_read(caller, path, chain.clone()) {
        return Err(Refusal::NotFound);
    }
    caller.require(Capability::EditWiki)?;
    if path.is_in_factory_section() {
        caller.require(Capability::ConfigureProject)?;
    }
    let admitted =
        chain.into_iter().filter_map(|rule| rule.edit.as_ref()).all(|audience| audience.admits(caller));
    if admitted {
        Ok(())
    } else {
        Err(Refusal::Forbidden("you may read this page, but its access rules do not let you edit it"))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{may_read, require_edit};
    use crate::access::{Access, ProjectStanding, Standing};
    use crate::identity::{Member, OrgRole, ProjectRole, Scope};
    use crate::ids::{Actor, ActorId, AgentId, OrgId, RunId, UserId};
    use crate::wiki::PagePath;
    use crate::wiki::audience::{Audience, PageAccess};

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

    fn answer(caller: &Access, path: &str, chain: &[PageAccess]) -> &'static str {
        let path: PagePath = path.parse().unwrap();
        match (may_read(caller, &path, chain), require_edit(caller, &path, chain).is_ok()) {
            (false, false) => "–",
            (true, false) => "reads",
            (true, true) => "edits",
            (false, true) => "edits what it cannot read",
        }
    }

    #[test]
    fn every_standing_times_every_audience() {
        let member = Some(ProjectRole::Member);
        let callers = [
            ("owner", person(10, OrgRole::Owner, false, None)),
            ("project admin", person(11, OrgRole::Member, false, Some(ProjectRole::Admin))),
            ("operator", person(12, OrgRole::Member, true, member)),
            ("member", person(13, OrgRole::Member, false, member)),
            ("listed member", person(14, OrgRole::Member, false, member)),
            ("guest", person(15, OrgRole::Guest, false, member)),
            ("listed guest", person(16, OrgRole::Guest, false, member)),
            ("agent", agent()),
        ];
        let listed = [14, 16].map(|n| UserId(Uuid::from_u128(n))).into();
        let audiences = [Audience::Everyone, Audience::Members, Audience::Admins, Audience::People(listed)];
        let mut table = String::new();
        for (name, caller) in &callers {
            table += &format!("{name}: free {}, ", answer(caller, "Home", &[]));
            for audience in &audiences {
                let read = PageAccess { read: Some(audience.clone()), edit: None };
                let edit = PageAccess { read: None, edit: Some(audience.clone()) };
                let word = match audience {
                    Audience::Everyone => "everyone",
                    Audience::Members => "members",
                    Audience::Admins => "admins",
                    Audience::People(_) => "people",
                };
                table += &format!(
                    "{word} {}/{}, ",
                    answer(caller, "Home", &[read]),
                    answer(caller, "Home", &[edit])
                );
            }
            table += &format!("factory {}\n", answer(caller, "Factory/Fix", &[]));
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_page_narrows_what_is_above_it_and_never_widens_it() {
        let member = person(13, OrgRole::Member, false, Some(ProjectRole::Member));
        let hidden = PageAccess { read: Some(Audience::Admins), edit: None };
        let open = PageAccess { read: Some(Audience::Everyone), edit: Some(Audience::Everyone) };
        assert_eq!(answer(&member, "a/b", &[hidden.clone(), open.clone()]), "–");
        assert_eq!(answer(&member, "a/b", &[open, hidden]), "–");
    }

    #[test]
    fn a_list_of_people_has_a_length() {
        let many = (0..201).map(|n| UserId(Uuid::from_u128(n))).collect();
        let access =
            PageAccess { read: Some(Audience::People(many)), edit: Some(Audience::People([].into())) };
        let errors = access.check().unwrap_err();
        assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["edit", "read"]);
        assert_eq!(access.people().count(), 201);
    }
}
