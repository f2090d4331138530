//! Remembers the ids behind credentials and slugs, so that one read finds all rows of a request.
//!
//! Protocol.
//! 1. A request names a credential by its hash and an organization by its slug. The ids behind the two do not
//!    change while their rows exist; a process that has read the rows remembers the ids.
//! 2. A request whose ids are remembered reads the two rows together with the rows that the ids name.
//! 3. It then continues as if nothing were remembered: the credential is judged by its row, and the ids are those
//!    of the rows just read. If they differ from the remembered ids, everything else is ignored and read again.
//! 4. So remembered ids never permit anything: they may be wrong, or forgotten at any moment.

use std::collections::HashMap;

use parking_lot::RwLock;
use svc_domain::ids::{OrgId, OrgSlug, UserId};

/// Credentials, and slugs, that are remembered at most. Who comes after that makes all be forgotten.
const MOST: usize = 10_000;

/// The ids that the rows of a caller in an organization are named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) org: OrgId,
    /// `None` for agents, which are no members.
    pub(crate) user: Option<UserId>,
}

/// How a request names its organization.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    Slug(&'a OrgSlug),
    Id(OrgId),
}

/// What this process remembers.
#[derive(Default)]
pub struct IdCache {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    users: HashMap<String, Option<UserId>>,
    orgs: HashMap<OrgSlug, OrgId>,
}

impl IdCache {
    /// The ids of a credential at a place, if both are remembered.
    pub(crate) fn of(&self, secret_hash: &str, place: Place<'_>) -> Option<Ids> {
        let known = self.known.read();
        let org = match place {
            Place::Slug(slug) => *known.orgs.get(slug)?,
            Place::Id(org) => org,
        };
        Some(Ids { org, user: *known.users.get(secret_hash)? })
    }

    /// Remembers ids that were just read.
    pub(crate) fn learn(&self, secret_hash: &str, place: Place<'_>, ids: Ids) {
        let mut known = self.known.write();
        if known.users.len().max(known.orgs.len()) >= MOST {
            *known = Known::default();
        }
        known.users.insert(secret_hash.to_owned(), ids.user);
        if let Place::Slug(slug) = place {
            known.orgs.insert(slug.clone(), ids.org);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IdCache, Ids, MOST, Place};
    use svc_domain::ids::{OrgId, OrgSlug, UserId};
    use uuid::Uuid;

    fn ids(number: u128) -> Ids {
        Ids { org: OrgId(Uuid::from_u128(1)), user: Some(UserId(Uuid::from_u128(number))) }
    }

    #[test]
    fn what_was_learned_last_is_remembered_of_both_or_not_at_all() {
        let hints = IdCache::default();
        let (slug, other): (OrgSlug, OrgSlug) = ("demo".parse().unwrap(), "other".parse().unwrap());
        assert_eq!(hints.of("a", Place::Slug(&slug)), None);
        hints.learn("a", Place::Slug(&slug), ids(2));
        hints.learn("a", Place::Slug(&slug), ids(3));
        assert_eq!(hints.of("a", Place::Slug(&slug)), Some(ids(3)));
        assert_eq!(hints.of("a", Place::Id(ids(3).org)), Some(ids(3)));
        assert_eq!(hints.of("a", Place::Slug(&other)), None);
        assert_eq!(hints.of("b", Place::Slug(&slug)), None);
    }

    #[test]
    fn memory_is_bounded() {
        let hints = IdCache::default();
        for number in 0..=MOST {
            hints.learn(&number.to_string(), Place::Id(ids(0).org), ids(number as u128));
        }
        assert_eq!(hints.known.read().users.len(), 1);
    }
}
