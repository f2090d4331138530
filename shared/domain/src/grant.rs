//! What a credential may hand on to an access token made with it (specification section 5).
//!
//! A token is never worth more than what it was made with: a token's scopes, its organization and its end are
//! within those of the token that makes it. A browser session is the person: it hands on everything, and
//! tokens made in it outlive it. So is a token that may do everything everywhere, such as that of a sign-in with `svc`:
//! the token of a CI job does not end with the sign-in of the person who set the job up. A new password ends both.
//!
//! `mcp` is handed on by callers that may make tokens. It opens `/mcp` and permits nothing there: tools ask for `read`,
//! `write` and `admin` as the REST API does. A sign-in with `svc` works in every organization and so cannot have `mcp`
//! itself, but makes the bound token that an agent needs.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::identity::{Credential, Scope, Subject};
use crate::ids::OrgId;
use crate::refusal::FieldErrors;

/// What a token may do, where and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What.
    pub scopes: BTreeSet<Scope>,
    /// The only organization that it sees.
    pub org: Option<OrgId>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// The grant of a token that is made with `by`, when `asked` was asked for. What was not asked for and limits
/// `by`, organization and end, is taken over.
///
/// # Errors
/// What is wrong with `scopes`, `organization` or `expiresAt`.
pub fn grant(by: &Credential, asked: Grant, now: Timestamp) -> Result<Grant, FieldErrors> {
    let mut errors = FieldErrors::default();
    if asked.scopes.is_empty() {
        errors.add("scopes", "name at least one scope");
    }
    for scope in asked.scopes.difference(&by.scopes).filter(|scope| **scope != Scope::Mcp) {
        errors.add("scopes", format!("your token lacks the scope {scope}"));
    }
    let org = asked.org.or(by.org);
    if by.org.is_some() && org != by.org {
        errors.add("organization", "your token is bound to another organization");
    }
    if asked.scopes.contains(&Scope::Mcp) && org.is_none() {
        errors.add(
            "organization",
            "a token with the scope mcp must be bound to an organization (svc token create \
        --bound-to SLUG)",
        );
    }
    if asked.expires_at.is_some_and(|end| end <= now) {
        errors.add("expiresAt", "must be in the future");
    }
    let limit = if is_the_person(by) { None } else { by.expires_at };
    let expires_at = asked.expires_at.or(limit);
    if limit.is_some() && expires_at > limit {
        errors.add("expiresAt", "must not be later than your token's expiry");
    }
    errors.into_result()?;
    Ok(Grant { scopes: asked.scopes, org, expires_at })
}

/// Whether a credential stands for all that a person may do, in every organization.
fn is_the_person(credential: &Credential) -> bool {
    let whole =
        [Scope::Read, Scope::Write, Scope::Admin].iter().all(|scope| credential.scopes.contains(scope));
    match credential.subject {
        Subject::Session { .. } => true,
        Subject::PersonalToken { .. } => whole && credential.org.is_none(),
        Subject::Runner { .. } | Subject::Directory { .. } | Subject::AgentRun { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Grant, grant, is_the_person};
    use crate::identity::{Credential, Scope, Subject};
    use crate::ids::{OrgId, TokenId, UserId};
    use jiff::{SignedDuration, Timestamp};
    use proptest::prelude::{Strategy, any, prop_assert, proptest};
    use std::collections::BTreeSet;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::constant(1_000_000, 0);

    fn credential(session: bool, scopes: BTreeSet<Scope>, org: Option<u8>, end: Option<i64>) -> Credential {
        let user = UserId(Uuid::nil());
        let token = TokenId(Uuid::nil());
        Credential {
            subject: if session {
                Subject::Session { user, session: Some(token), replaced_at: None }
            } else {
                Subject::PersonalToken { user, token }
            },
            scopes,
            org: org.map(id),
            expires_at: end.map(after),
        }
    }

    fn id(org: u8) -> OrgId {
        OrgId(Uuid::from_u128(org.into()))
    }

    fn after(seconds: i64) -> Timestamp {
        NOW + SignedDuration::from_secs(seconds)
    }

    fn asked(scopes: &[Scope]) -> Grant {
        Grant { scopes: scopes.iter().copied().collect(), org: None, expires_at: None }
    }

    fn some_scopes() -> impl Strategy<Value = BTreeSet<Scope>> {
        proptest::collection::btree_set(proptest::sample::select(Scope::ALL), 0..=4)
    }

    proptest! {
        #[test]
        fn a_token_is_never_worth_more_than_its_maker(
            own in some_scopes(), own_org in proptest::option::of(0u8..3), own_end in proptest::option::of(1i64..9),
            scopes in some_scopes(), org in proptest::option::of(0u8..3), end in proptest::option::of(-3i64..9),
            session in any::<bool>(),
        ) {
            let by = credential(session, own, own_org, own_end);
            let asked = Grant { scopes, org: org.map(id), expires_at: end.map(after) };
            if let Ok(granted) = grant(&by, asked, NOW) {
                prop_assert!(!granted.scopes.is_empty());
                prop_assert!(granted.scopes.iter().all(|scope| *scope == Scope::Mcp || by.scopes.contains(scope)));
                prop_assert!(by.org.is_none() || granted.org == by.org);
                prop_assert!(granted.expires_at.is_none_or(|end| end > NOW));
                if !is_the_person(&by) && let Some(limit) = by.expires_at {
                    prop_assert!(granted.expires_at.is_some_and(|end| end <= limit));
                }
                prop_assert!(!granted.scopes.contains(&Scope::Mcp) || granted.org.is_some());
            }
        }
    }

    #[test]
    fn each_field_is_told_apart() {
        let all: BTreeSet<Scope> = Scope::ALL.iter().copied().collect();
        let session = credential(true, all, None, Some(60));
        let narrow = credential(false, [Scope::Read].into(), Some(1), Some(60));
        let fields = |by: &Credential, asked: Grant| {
            let errors = grant(by, asked, NOW).map_err(|errors| errors.0.into_keys().collect::<Vec<_>>());
            errors.err().unwrap_or_default()
        };
        assert_eq!(fields(&session, asked(&[Scope::Read])), [""; 0]);
        assert_eq!(fields(&session, asked(&[])), ["scopes"]);
        assert_eq!(fields(&session, asked(&[Scope::Mcp])), ["organization"]);
        let past = Grant { expires_at: Some(NOW), ..asked(&[Scope::Read]) };
        assert_eq!(fields(&session, past), ["expiresAt"]);
        assert_eq!(fields(&narrow, asked(&[Scope::Write])), ["scopes"]);
        let elsewhere = Grant { org: Some(id(2)), ..asked(&[Scope::Read]) };
        assert_eq!(fields(&narrow, elsewhere), ["organization"]);
        let later = Grant { expires_at: Some(after(61)), ..asked(&[Scope::Read]) };
        assert_eq!(fields(&narrow, later.clone()), ["expiresAt"]);
        let everything: BTreeSet<Scope> = [Scope::Read, Scope::Write, Scope::Admin].into();
        let sign_in = credential(false, everything.clone(), None, Some(60));
        assert_eq!(fields(&sign_in, later.clone()), [""; 0]);
        assert_eq!(fields(&credential(false, everything, Some(1), Some(60)), later), ["expiresAt"]);
    }
}
