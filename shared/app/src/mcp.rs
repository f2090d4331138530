//! Authorizes callers of the MCP server: it takes a token with the scope `mcp` that is bound to one organization
//! (specification section 5).

use std::sync::Arc;

use svc_domain::access::Access;
use svc_domain::identity::{Org, Scope};
use svc_domain::refusal::Refusal;

use crate::App;
use crate::entry::{BearerCredential, authenticate, enter_by_id};
use crate::error::Result;

/// Where a caller is, and what they may do there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The organization that the token is bound to.
    pub org: Org,
    /// The caller in it.
    pub access: Access,
}

/// Admits a caller.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::MissingScope`] without `mcp`; [`Refusal::Forbidden`] for a token that
/// is bound to nothing; [`Refusal::NotFound`] for who no longer belongs to the organization.
pub async fn admit(app: &App, bearer: Option<&BearerCredential>) -> Result<Place> {
    let credential = authenticate(app, bearer).await?;
    if !credential.scopes.contains(&Scope::Mcp) {
        return Err(Refusal::MissingScope(Scope::Mcp.as_str()).into());
    }
    let Some(org) = credential.org else {
        return Err(Refusal::Forbidden(UNBOUND).into());
    };
    let entry = enter_by_id(app, bearer, org, None, |_| ()).await?.0;
    Ok(Place { org: Arc::unwrap_or_clone(entry.org), access: entry.access })
}

const UNBOUND: &str =
    "the token is not bound to an organization; create one with `svc token create --bound-to`";
