//! Who a page says that it is for. What follows from it is decided by [`super::access`].

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::ids::UserId;
use crate::refusal::FieldErrors;

/// Most people in an audience.
pub const MAX_PEOPLE: usize = 200;

/// Who is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "who", content = "people")]
pub enum Audience {
    /// Everyone who sees the project.
    Everyone,
    /// Everyone but Guests; agents at work in the project too.
    Members,
    /// Admins of the project, and Owners and Admins of the organization.
    Admins,
    /// These people, and those of [`Audience::Admins`].
    People(BTreeSet<UserId>),
}

/// What a page says of its readers and editors; `None` inherits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageAccess {
    /// Who reads it.
    #[serde(default)]
    pub read: Option<Audience>,
    /// Who edits it, of those who read it.
    #[serde(default)]
    pub edit: Option<Audience>,
}

impl Audience {
    pub(super) fn admits(&self, caller: &Access) -> bool {
        caller.configures()
            || match self {
                Self::Everyone => true,
                Self::Members => caller.works(),
                Self::Admins => false,
                Self::People(people) => caller.user().is_some_and(|user| people.contains(&user)),
            }
    }
}

impl PageAccess {
    /// Whether it can be kept: lists of people have a length.
    ///
    /// # Errors
    /// The fields that are too long or empty.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        for (field, audience) in [("read", &self.read), ("edit", &self.edit)] {
            if let Some(Audience::People(people)) = audience
                && !(1..=MAX_PEOPLE).contains(&people.len())
            {
                errors.add(field, format!("Name 1 to {MAX_PEOPLE} people."));
            }
        }
        errors.into_result()
    }

    /// The people that it names.
    pub fn people(&self) -> impl Iterator<Item = UserId> {
        let named = [&self.read, &self.edit].into_iter().flatten();
        named.flat_map(|audience| match audience {
            Audience::People(people) => people.iter().copied().collect::<Vec<_>>(),
            Audience::Everyone | Audience::Members | Audience::Admins => Vec::new(),
        })
    }
}
