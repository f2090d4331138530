//! The caller: the credential of a request, the organization that it names, and what is known about a caller who was
//! admitted. Only values; [`entry`](crate::entry) admits callers.

use std::sync::Arc;

use svc_domain::access::{Access, Standing};
use svc_domain::identity::{Org, OrgRole, Subject};
use svc_domain::ids::{Actor, OrgId, OrgSlug};
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;

use crate::idempotency::Reservation;
use crate::secrets;

/// A credential as a request presents it; nothing about it has been checked.
#[derive(Clone, Debug)]
pub struct BearerCredential {
    /// Hex SHA-256 of the secret.
    pub secret_hash: String,
    /// A key that only who knows the secret can make.
    pub(crate) derivation_key: secrets::DerivationKey,
    /// The idempotency key of the request: the transaction of its work writes the key's row.
    pub(crate) reservation: Option<Arc<Reservation>>,
    /// The account that the client believes is signed in, as it wrote its id.
    expected_account: Option<String>,
}

impl BearerCredential {
    /// The credential of this secret.
    pub fn new(secret: &str) -> Self {
        let derivation_key = secrets::DerivationKey::of(secret);
        Self { secret_hash: secrets::hash(secret), derivation_key, reservation: None, expected_account: None }
    }

    /// The same, in a request with an idempotency key.
    #[must_use]
    pub fn keyed(self, reservation: Arc<Reservation>) -> Self {
        Self { reservation: Some(reservation), ..self }
    }

    /// The same, in a request that a page made for this account. It is refused in the session of another.
    #[must_use]
    pub fn expecting(self, account: &str) -> Self {
        Self { expected_account: Some(account.to_owned()), ..self }
    }

    /// Refuses the session of another account than the page made its request for.
    ///
    /// # Errors
    /// [`Refusal::OtherAccount`].
    pub(crate) fn check_account(&self, subject: &Subject) -> std::result::Result<(), Refusal> {
        match (&self.expected_account, subject) {
            (Some(expected), Subject::Session { user, .. })
                if !expected.eq_ignore_ascii_case(&user.to_string()) =>
            {
                Err(Refusal::OtherAccount)
            }
            _ => Ok(()),
        }
    }

    /// The same, for one of several transactions of a request that is harmless to repeat by itself.
    #[must_use]
    pub fn unkeyed(&self) -> Self {
        Self { reservation: None, ..self.clone() }
    }
}

/// Who asks, and which organization they name.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// The credential of the request, unchecked; `None` without one.
    pub credential: Option<&'a BearerCredential>,
    /// The organization.
    pub org: &'a OrgSlug,
}

/// A caller inside an organization.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What the caller may do.
    pub access: Access,
    /// The organization.
    pub org: Arc<Org>,
    /// Version of the organization's row.
    pub org_version: u64,
    /// The project, where one was asked for.
    pub project: Option<Arc<Project>>,
    /// Version of the project's row; 0 without one.
    pub project_version: u64,
    /// The idempotency key of the request.
    pub(crate) reservation: Option<Arc<Reservation>>,
}

impl Entry {
    /// Id of the organization.
    pub const fn org_id(&self) -> OrgId {
        self.access.org
    }

    /// Who asks.
    pub const fn actor(&self) -> &Actor {
        &self.access.actor
    }

    /// The caller's role in the organization. Agents have none, and count as guests.
    pub(crate) const fn org_role(&self) -> OrgRole {
        match &self.access.standing {
            Standing::Member(member) => member.role,
            Standing::Agent { .. } => OrgRole::Guest,
        }
    }
}
