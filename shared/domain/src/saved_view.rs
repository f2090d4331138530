//! Saved views: lists of items that people come back to, of a project or of an organization.
//!
//! | view                       | seen by                | made, changed and deleted by                             |
//! |----------------------------|------------------------|----------------------------------------------------------|
//! | personal                   | the person who made it | people who see the project or organization, each their own |
//! | shared in a project        | who sees the project   | people who work on its items, each their own; its Admins any |
//! | shared in an organization  | its people but Guests  | its people but Guests, each their own; its Admins any    |
//!
//! A view keeps its filter as text. Those of a project follow its labels, states, milestones and sprints that get another
//! name; those of an organization do not, because other projects may use the old name.

use serde::{Deserialize, Serialize};

use crate::access::{Access, Capability};
use crate::feed::Sort;
use crate::filter::{Filter, MAX_CHARS, Renaming};
use crate::ids::{Actor, ViewId};
use crate::label::folded;
use crate::name::{check_given, exact_name_problem};
use crate::named::{self, Named};
use crate::refusal::{FieldErrors, Refusal};
use crate::replacement::What;

/// Most views of one person in a project or an organization, and most that are shared in it.
pub const MAX_VIEWS: usize = 50;
/// Longest name of a view, in characters.
pub const MAX_NAME: usize = 80;
/// Longest name of a field that a view groups by, in characters.
pub const MAX_GROUP: usize = 40;
/// Longest words that a view looks for, in characters.
pub const MAX_WORDS: usize = 200;

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// Id.
    pub id: ViewId,
    /// Changes so far, its creation included.
    pub version: u64,
    /// Name, unique among the views that are stored with it, whatever its case.
    pub name: String,
    /// Terms that items must match; empty for all items.
    pub filter: String,
    /// Words that items contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// The order; the list's own where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// The field by which apps group the items. Nothing here reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How apps show the items; as a list where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Who made it.
    pub created_by: Actor,
}

/// How apps show the items of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Layout {
    /// In rows.
    List,
    /// In columns by state.
    Board,
}

/// Views that are stored together: one person's, or those that are shared. A stored row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Views(pub Vec<SavedView>);

/// Whether the caller may share views.
///
/// # Errors
/// [`Refusal::Forbidden`] for agents and Guests; what keeps the caller from working on items.
pub fn require_share(access: &Access) -> Result<(), Refusal> {
    require_person(access)?;
    access.require(Capability::Work)
}

/// Whether the caller sees what others share: in a project everyone who sees it, in an organization its people but
/// Guests, because filters name projects.
pub fn sees_shared(access: &Access) -> bool {
    access.project.is_some() || (access.works() && !access.is_agent())
}

/// Whether the caller is a person.
///
/// # Errors
/// [`Refusal::Forbidden`] for agents.
pub fn require_person(access: &Access) -> Result<(), Refusal> {
    if access.is_agent() {
        return Err(Refusal::Forbidden("only people can save views"));
    }
    Ok(())
}

impl SavedView {
    /// Whether the caller may change and delete it where it is shared.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`]; as [`require_share`].
    pub fn require_edit(&self, access: &Access) -> Result<(), Refusal> {
        require_share(access)?;
        if self.created_by.id == access.actor.id || access.configures() {
            return Ok(());
        }
        Err(Refusal::Forbidden("only the person who created a shared view, and Admins, can change it"))
    }

    fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        } else if let Err(unseen) = check_given("name", &self.name, None) {
            errors = unseen;
        }
        for wrong in Filter::parse(&self.filter).err().into_iter().flatten() {
            errors.add("filter", wrong.to_string());
        }
        if self.q.as_ref().is_some_and(|words| words.chars().count() > MAX_WORDS) {
            errors.add("q", format!("Give at most {MAX_WORDS} characters."));
        }
        if let Some(Err(wrong)) = self.sort.as_ref().map(|sort| sort.parse::<Sort>()) {
            errors.add("sort", wrong.to_string());
        }
        if self.group.as_ref().is_some_and(|field| !is_field(field)) {
            errors.add("group", format!("Give the name of a field: at most {MAX_GROUP} letters."));
        }
        errors.into_result()
    }

    /// Takes in a new name, and says whether the filter had the old one. A label that was deleted
    /// stays in the filter, and so does a name whose successor would make the filter too long.
    fn follow(&mut self, what: &What) -> bool {
        let renaming = match what {
            What::Label { from, to: Some(to) } => Renaming::Label { from, to },
            What::Label { to: None, .. } => return false,
            What::State { from, to, .. } => Renaming::State { from, to },
            What::MilestoneName { from, to } => Renaming::Milestone { from, to },
            What::SprintName { from, to } => Renaming::Sprint { from, to },
            What::Milestone { .. } => return false,
        };
        let renamed = Filter::parse(&self.filter).ok().and_then(|filter| filter.renamed(renaming));
        let text = renamed.map(|filter| filter.to_string()).filter(|text| text.chars().count() <= MAX_CHARS);
        let Some(text) = text else { return false };
        self.filter = text;
        self.version += 1;
        true
    }
}

fn is_field(text: &str) -> bool {
    (1..=MAX_GROUP).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

impl Named for SavedView {
    type Id = ViewId;

    fn id(&self) -> ViewId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Views {
    /// The view of an id.
    pub fn get(&self, id: ViewId) -> Option<&SavedView> {
        self.0.iter().find(|view| view.id == id)
    }

    /// Adds a view, or puts one in the place of that with its id.
    ///
    /// # Errors
    /// [`Refusal::AlreadyExists`] for a name that another has; every field that is not acceptable.
    pub fn put(&mut self, view: SavedView) -> Result<(), Refusal> {
        view.check()?;
        named::put(&mut self.0, view, "a view with this name", MAX_VIEWS, || {
            format!("There are already {MAX_VIEWS} views, which is the limit. Delete one first.")
        })
    }

    /// Takes a view away; `None` where there is none of this id.
    pub fn take(&mut self, id: ViewId) -> Option<SavedView> {
        let at = self.0.iter().position(|view| view.id == id)?;
        Some(self.0.remove(at))
    }

    /// Takes in a new name, and says whether any view had the old one.
    pub fn follow(&mut self, what: &What) -> bool {
        let mut followed = false;
        for view in &mut self.0 {
            followed |= view.follow(what);
        }
        followed
    }

    /// What is wrong with stored views.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for (at, view) in self.0.iter().enumerate() {
            if view.check().is_err() {
                problems.push(format!("the view {:?} could not be saved as it is", view.name));
            }
            let twin = |other: &SavedView| other.id == view.id || folded(&other.name) == folded(&view.name);
            if self.0[..at].iter().any(twin) {
                problems.push(format!("the view {:?} is there twice", view.name));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{MAX_VIEWS, SavedView, Views};
    use crate::ids::{Actor, ActorId, UserId, ViewId};
    use crate::refusal::Refusal;
    use crate::replacement::What;

    fn view(n: u128, name: &str, filter: &str) -> SavedView {
        SavedView {
            id: ViewId(Uuid::from_u128(n)),
            version: 1,
            name: name.into(),
            filter: filter.into(),
            q: None,
            sort: None,
            group: None,
            layout: None,
            created_by: Actor { id: ActorId::User(UserId(Uuid::from_u128(9))), name: "Ada".into() },
        }
    }

    #[test]
    fn names_are_unique_and_views_not_without_end() {
        let mut views = Views::default();
        views.put(view(0, "Mine", "")).unwrap();
        assert!(matches!(views.put(view(1, "mine", "")), Err(Refusal::AlreadyExists(_))));
        for n in 1..MAX_VIEWS {
            views.put(view(n as u128, &format!("Number {n}"), "")).unwrap();
        }
        assert!(matches!(views.put(view(99, "One more", "")), Err(Refusal::Invalid(_))));
        views.put(view(0, "Yours", "type:bug")).unwrap();
        assert_eq!((views.0.len(), views.problems().len()), (MAX_VIEWS, 0));
        assert_eq!(views.take(ViewId(Uuid::from_u128(0))).unwrap().name, "Yours");
        assert_eq!(views.take(ViewId(Uuid::from_u128(0))), None);
    }

    #[test]
    fn every_wrong_field_is_named() {
        let long = "x".repeat(201);
        for (wrong, field) in [
            (view(1, "", ""), "name"),
            (view(1, " spaced", ""), "name"),
            (view(1, "two\nlines", ""), "name"),
            (view(1, "Name", "colour:red"), "filter"),
            (SavedView { sort: Some("--key".into()), ..view(1, "Name", "") }, "sort"),
            (SavedView { q: Some(long), ..view(1, "Name", "") }, "q"),
            (SavedView { group: Some("a b".into()), ..view(1, "Name", "") }, "group"),
        ] {
            let refused = Views::default().put(wrong.clone());
            let Err(Refusal::Invalid(errors)) = refused else { panic!("{wrong:?}: {refused:?}") };
            assert_eq!(errors.0.into_keys().collect::<Vec<_>>(), [field]);
            assert_eq!(Views(vec![wrong]).problems().len(), 1);
        }
    }

    #[test]
    fn views_follow_labels_and_states_that_are_renamed() {
        let mut views = Views(vec![view(1, "Bugs", "label:bug state:Doing"), view(2, "Others", "-label:ui")]);
        let label = |to: Option<&str>| What::Label { from: "bug".into(), to: to.map(str::to_owned) };
        assert!(!views.follow(&label(None)), "a label that was deleted stays in the filter");
        assert!(views.follow(&label(Some("defect"))));
        assert!(!views.follow(&label(Some("defect"))), "the second time changes nothing");
        assert!(views.follow(&What::State { from: "doing".into(), to: "In progress".into(), group: None }));
        assert_eq!(
            (views.0[0].filter.as_str(), views.0[0].version),
            ("label:defect state:\"In progress\"", 3)
        );
        assert_eq!(views.0[1], view(2, "Others", "-label:ui"));
        let long = "a".repeat(1_980);
        let mut full = Views(vec![view(1, "Full", &format!("text:{long} label:bug"))]);
        assert!(!full.follow(&label(Some("a-much-longer-name-than-before"))));
    }
}
