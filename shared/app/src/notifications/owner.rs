//! Whose inbox, preferences and channels a caller means.

use svc_domain::identity::{Credential, Scope};
use svc_domain::ids::UserId;
use svc_domain::refusal::Refusal;

use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate, person};
use crate::error::Result;

/// The person who asks, also with a token that is bound to an organization.
pub(super) async fn owner(
    app: &App,
    caller: Option<&BearerCredential>,
    scope: Scope,
) -> Result<(Credential, UserId)> {
    let credential = authenticate(app, caller).await?;
    let user = person(&credential)?;
    if !credential.scopes.contains(&scope) {
        return Err(Refusal::MissingScope(scope.as_str()).into());
    }
    Ok((credential, user))
}

/// The person who asks about what is of the whole account: a token that is bound to one organization could otherwise
/// have news of the others sent elsewhere.
pub(super) async fn account_owner(
    app: &App,
    caller: Option<&BearerCredential>,
    scope: Scope,
) -> Result<UserId> {
    account_of(&authenticate(app, caller).await?, scope)
}
