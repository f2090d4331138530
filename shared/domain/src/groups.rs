//! What groups of an identity provider give a person in an organization.
//!
//! Owners map groups to roles. Two sources say which groups somebody is in: the provider at each sign-in, and the
//! organization's directory (SCIM). Each source gives one role at most, the highest that its groups are mapped to. A
//! member has the highest of what the sources and people gave.
//!
//! | membership now | the source gives        | what happens                                                  |
//! |----------------|-------------------------|---------------------------------------------------------------|
//! | none           | nothing                 | nothing                                                       |
//! | none           | a role                  | they join with it                                             |
//! | by hand        | nothing, or not more    | nothing                                                       |
//! | by hand        | a higher role           | they have it; what they had by hand is kept beside it         |
//! | by groups      | another role            | they have the highest of what is given                        |
//! | by groups      | nothing                 | they have what else is given; without that, they leave        |
//!
//! A role that somebody changes by hand is one by hand. That an organization needs an Owner is a condition on rows, for who
//! carries it out.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::identity::{GivenRoles, Member, OrgRole};
use crate::refusal::FieldErrors;

/// Groups that an organization maps at most.
pub const MOST_MAPPED: usize = 100;

/// Characters of a group's name at most.
pub const LONGEST_NAME: usize = 256;

/// The groups of an organization that give a role, by their names as the provider writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRoles {
    /// The role of each group.
    pub roles: BTreeMap<String, OrgRole>,
}

impl GroupRoles {
    /// The mapping of these pairs.
    ///
    /// # Errors
    /// What is wrong with `groups`.
    pub fn of(pairs: impl IntoIterator<Item = (String, OrgRole)>) -> Result<Self, FieldErrors> {
        let mut roles = BTreeMap::new();
        for (group, role) in pairs {
            let group = name(&group).map_err(|why| FieldErrors::one("groups", why))?;
            if roles.insert(group, role).is_some() {
                return Err(FieldErrors::one("groups", "names a group twice"));
            }
        }
        if roles.len() > MOST_MAPPED {
            return Err(FieldErrors::one("groups", format!("has at most {MOST_MAPPED} groups")));
        }
        Ok(Self { roles })
    }

    /// The highest role that these groups give.
    pub fn role_of<'a>(&self, groups: impl IntoIterator<Item = &'a str>) -> Option<OrgRole> {
        groups.into_iter().filter_map(|group| self.roles.get(group)).min().copied()
    }
}

/// As the audit log says it: `leads is admin, staff is member`.
impl fmt::Display for GroupRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (group, role)) in self.roles.iter().enumerate() {
            write!(f, "{}{group} is {role}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The name of a group, without spaces around it.
///
/// # Errors
/// What is wrong with it.
pub fn name(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the name of a group must not be empty");
    }
    if text.chars().count() > LONGEST_NAME {
        return Err("the name of a group has at most 256 characters");
    }
    if text.chars().any(char::is_control) {
        return Err("the name of a group must not contain control characters");
    }
    Ok(text.to_owned())
}

/// Which groups are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Those that the identity provider names at a sign-in.
    SignIn,
    /// Those of the organization's directory.
    Directory,
}

/// What a source makes of a membership.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All stays as it is.
    Stays,
    /// The person joins with this role.
    Joins(OrgRole, GivenRoles),
    /// The membership becomes this one.
    Becomes(Box<Member>),
    /// The membership ends.
    Leaves,
}

/// What follows from the role that a source gives now.
pub fn step(member: Option<&Member>, source: Source, role: Option<OrgRole>) -> Outcome {
    let by_hand = |member: &Member| GivenRoles { by_hand: Some(member.role), ..GivenRoles::default() };
    let before = member.map(|member| member.given.unwrap_or_else(|| by_hand(member))).unwrap_or_default();
    let mut given = match source {
        Source::SignIn => GivenRoles { sign_in: role, ..before },
        Source::Directory => GivenRoles { directory: role, ..before },
    };
    let Some(highest) = [given.by_hand, given.sign_in, given.directory].into_iter().flatten().min() else {
        return if member.is_some() { Outcome::Leaves } else { Outcome::Stays };
    };
    let Some(member) = member else { return Outcome::Joins(highest, given) };
    // What gives no more than people gave need not be known.
    let more = |role: &OrgRole| given.by_hand.is_none_or(|by_hand| *role < by_hand);
    (given.sign_in, given.directory) = (given.sign_in.filter(more), given.directory.filter(more));
    let from_groups = given.sign_in.is_some() || given.directory.is_some();
    let after = Member {
        role: highest,
        // As where a hand makes somebody a Guest.
        can_start_ai_work: member.can_start_ai_work && highest != OrgRole::Guest,
        given: from_groups.then_some(given),
        ..member.clone()
    };
    if after == *member { Outcome::Stays } else { Outcome::Becomes(Box::new(after)) }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{GroupRoles, Outcome, Source, step};
    use crate::identity::{GivenRoles, Member, OrgRole};
    use crate::ids::UserId;

    fn member(role: OrgRole, given: Option<GivenRoles>) -> Member {
        Member {
            user: UserId(Uuid::from_u128(1)),
            email: "ada@example.com".into(),
            display_name: "Ada".into(),
            role,
            can_start_ai_work: true,
            avatar: None,
            given,
        }
    }

    #[test]
    fn what_people_gave_is_never_lowered_and_what_groups_gave_follows_them() {
        let roles: Vec<Option<OrgRole>> = OrgRole::ALL.iter().copied().map(Some).chain([None]).collect();
        for by_hand in &roles {
            for directory in &roles {
                let given = GivenRoles { by_hand: *by_hand, sign_in: None, directory: *directory };
                let start = by_hand.iter().chain(directory).min().copied();
                let before = start.map(|role| member(role, Some(given)));
                for sign_in in &roles {
                    let highest = by_hand.iter().chain(directory).chain(sign_in).min().copied();
                    let case = format!("{by_hand:?} {directory:?} {sign_in:?}");
                    match step(before.as_ref(), Source::SignIn, *sign_in) {
                        Outcome::Joins(role, _) => {
                            assert_eq!((before.as_ref(), Some(role)), (None, highest), "{case}");
                        }
                        Outcome::Becomes(after) => {
                            assert_eq!(Some(after.role), highest, "{case}");
                            assert!(by_hand.is_none_or(|by_hand| after.role <= by_hand), "{case}");
                            // What groups gave goes with them, and what people gave stays.
                            let without = step(Some(&after), Source::SignIn, None);
                            match without {
                                Outcome::Becomes(last) => assert_eq!(Some(last.role), start, "{case}"),
                                Outcome::Leaves => assert_eq!(start, None, "{case}"),
                                Outcome::Stays => assert_eq!(Some(after.role), start, "{case}"),
                                Outcome::Joins(..) => panic!("{case}"),
                            }
                        }
                        Outcome::Stays => assert_eq!(start, highest, "{case}"),
                        Outcome::Leaves => panic!("{case}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_source_that_gives_nothing_more_takes_what_it_gave_and_a_guest_starts_no_ai_work() {
        let given = GivenRoles { sign_in: Some(OrgRole::Admin), ..GivenRoles::default() };
        let admin = member(OrgRole::Admin, Some(given));
        assert_eq!(step(Some(&admin), Source::SignIn, None), Outcome::Leaves);
        let Outcome::Becomes(guest) = step(Some(&admin), Source::SignIn, Some(OrgRole::Guest)) else {
            panic!("lowered")
        };
        assert_eq!((guest.role, guest.can_start_ai_work), (OrgRole::Guest, false));
        let by_hand = member(OrgRole::Member, None);
        assert_eq!(step(Some(&by_hand), Source::Directory, None), Outcome::Stays);
    }

    #[test]
    fn a_person_in_several_groups_has_the_highest_role() {
        let pairs = [("staff", OrgRole::Member), (" leads ", OrgRole::Admin)];
        let mapped = GroupRoles::of(pairs.map(|(name, role)| (name.to_owned(), role))).unwrap();
        assert_eq!(mapped.role_of(["staff", "leads", "other"]), Some(OrgRole::Admin));
        assert_eq!(mapped.role_of(["Staff"]), None);
        assert_eq!(mapped.to_string(), "leads is admin, staff is member");
        for wrong in [vec!["a", " a"], vec![""], vec!["a\nb"]] {
            let pairs = wrong.iter().map(|name| ((*name).to_owned(), OrgRole::Guest));
            assert!(GroupRoles::of(pairs).is_err(), "{wrong:?}");
        }
    }
}
