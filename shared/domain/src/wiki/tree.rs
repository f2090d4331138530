//! The pages of a wiki as one caller sees them, in the order of a tree: each page before those below it,
//! siblings by position and then by name, in natural order.
//!
//! Reads no store: it is given every page of the project.

use std::collections::HashMap;

use super::access::may_read;
use super::{Page, PagePath};
use crate::access::Access;
use crate::natural::natural_key;

/// The pages that the caller may read, in order. A page below one that the caller may not read is not there
/// either.
pub fn seen_by(caller: &Access, pages: Vec<Page>) -> Vec<Page> {
    let by_path: HashMap<String, &Page> = pages.iter().map(|page| (page.path.folded(), page)).collect();
    let mut seen: Vec<(Vec<Place>, Page)> = Vec::with_capacity(pages.len());
    for page in &pages {
        let chain = page.path.chain();
        let found: Vec<Option<&Page>> =
            chain.iter().map(|path| by_path.get(&path.folded()).copied()).collect();
        let rules = found.iter().flatten().map(|page| &page.access);
        if may_read(caller, &page.path, rules) {
            let places = chain.iter().zip(found).map(|(path, found)| Place::of(path, found)).collect();
            seen.push((places, page.clone()));
        }
    }
    seen.sort_by(|(one, _), (other, _)| one.cmp(other));
    seen.into_iter().map(|(_, page)| page).collect()
}

/// Where a page is among its siblings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    position: i32,
    name: String,
}

impl Place {
    /// A name on the way to a page that is no page itself is placed as one that nobody moved.
    fn of(path: &PagePath, page: Option<&Page>) -> Self {
        Self { position: page.map_or(0, |page| page.position), name: natural_key(path.title()) }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::seen_by;
    use crate::access::{Access, ProjectStanding, Standing};
    use crate::identity::{Member, OrgRole, ProjectRole, Scope};
    use crate::ids::{Actor, ActorId, OrgId, PageId, UserId};
    use crate::wiki::Page;
    use crate::wiki::audience::{Audience, PageAccess};

    fn member() -> Access {
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
                role: OrgRole::Member,
                can_start_ai_work: false,
                avatar: None,
                given: None,
            }),
            project: Some(ProjectStanding {
                key: "PRJ".parse().unwrap(),
                archived: false,
                role: Some(ProjectRole::Member),
            }),
        }
    }

    fn page(path: &str, position: i32, read: Option<Audience>) -> Page {
        Page {
            id: PageId(Uuid::from_u128(3)),
            path: path.parse().unwrap(),
            version: 1,
            updated_by: member().actor,
            updated_at: "2026-01-01T00:00:00Z".parse().unwrap(),
            position,
            access: PageAccess { read, edit: None },
        }
    }

    fn paths(pages: Vec<Page>) -> Vec<String> {
        seen_by(&member(), pages).into_iter().map(|page| page.path.into()).collect()
    }

    #[test]
    fn what_is_below_a_page_follows_it_at_once() {
        let pages = ["b", "Guides", "guides a", "guides/z", "a/x", "Guides/Z/1", "guides-b", "GUIDES/a"];
        let seen = paths(pages.map(|path| page(path, 0, None)).into());
        assert_eq!(
            seen,
            ["a/x", "b", "Guides", "GUIDES/a", "guides/z", "Guides/Z/1", "guides a", "guides-b"]
        );
    }

    #[test]
    fn names_are_in_the_order_in_which_people_count() {
        let pages = ["v10", "v2", "v2/10", "v2/9", "Ärger", "b"];
        assert_eq!(
            paths(pages.map(|path| page(path, 0, None)).into()),
            ["Ärger", "b", "v2", "v2/9", "v2/10", "v10"]
        );
    }

    #[test]
    fn positions_come_before_names() {
        let pages = vec![page("a", 2, None), page("a/x", 0, None), page("b", -1, None), page("c", 0, None)];
        assert_eq!(paths(pages), ["b", "c", "a", "a/x"]);
    }

    #[test]
    fn nothing_below_a_hidden_page_is_seen() {
        let pages = vec![
            page("a", 0, None),
            page("Secret", 0, Some(Audience::Admins)),
            page("secret/x", 0, Some(Audience::Everyone)),
            page("Factory/y", 0, None),
        ];
        assert_eq!(paths(pages), ["a"]);
    }
}
