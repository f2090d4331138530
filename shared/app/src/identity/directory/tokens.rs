//! Tokens of the directory: made and revoked by Owners, seen by who sees the administration.

use std::collections::BTreeSet;

use svc_domain::access::Capability;
use svc_domain::account;
use svc_domain::directory::DirectoryToken;
use svc_domain::event::OrgEvent;
use svc_domain::identity::{Credential, Member, OrgRole, Subject};
use svc_domain::ids::TokenId;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::all;
use crate::App;
use crate::entry::{Caller, enter_org, enter_org_with};
use crate::error::Result;
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// Tokens of a directory at most.
const MOST: usize = 10;

/// A token as its organization lists it.
#[derive(Clone, Debug)]
pub struct ListedDirectoryToken {
    /// The token.
    pub token: DirectoryToken,
    /// Name of who made it; `None` when they left.
    pub by: Option<String>,
    /// Whether it works: who made it is still an Owner.
    pub works: bool,
}

/// A token and its secret, which is stored nowhere.
#[derive(Clone, Debug)]
pub struct CreatedDirectoryToken {
    /// The token.
    pub listed: ListedDirectoryToken,
    /// The secret.
    pub secret: String,
    /// The address to enter at the provider.
    pub address: String,
}

/// The tokens of the directory, oldest first.
///
/// # Errors
/// As [`enter_org`].
pub async fn tokens(app: &App, caller: Caller<'_>) -> Result<Vec<ListedDirectoryToken>> {
    let org = enter_org(app, caller, Capability::SeeAdministration).await?.org_id();
    let mut tokens: Vec<DirectoryToken> =
        all(app, org, keys::DIRECTORY_TOKEN_PREFIX).await?.into_iter().map(|(token, _)| token).collect();
    tokens.sort_by_key(|token| (token.created_at, token.id));
    let makers: Vec<_> = tokens.iter().map(|token| keys::member(org, token.by)).collect();
    let makers = wanted::load(app, makers).await?;
    let listed = |(token, maker): (DirectoryToken, Option<RowOf<Member>>)| {
        let maker = maker.as_ref().map(RowOf::read).transpose()?;
        let works = maker.as_ref().is_some_and(|maker| maker.role == OrgRole::Owner);
        Ok(ListedDirectoryToken { token, works, by: maker.map(|maker| maker.display_name) })
    };
    tokens.into_iter().zip(makers).map(listed).collect()
}

/// Makes a token of the directory.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::Invalid`]; [`Refusal::Conflict`] where there are as many as there may be;
/// [`Refusal::ReadOnlyOrganization`].
pub async fn create_token(app: &App, caller: Caller<'_>, name: &str) -> Result<CreatedDirectoryToken> {
    let name = account::name(name).map_err(|why| Refusal::invalid("name", why))?;
    app.decide(|| create_once(app, caller, &name)).await
}

async fn create_once(app: &App, caller: Caller<'_>, name: &str) -> Result<CreatedDirectoryToken> {
    let entry = enter_org(app, caller, Capability::GovernOrg).await?;
    if entry.org.read_only {
        return Err(Refusal::ReadOnlyOrganization.into());
    }
    let (org, by) = (entry.org_id(), entry.access.user().ok_or(Refusal::NotFound)?);
    if MOST <= all::<DirectoryToken>(app, org, keys::DIRECTORY_TOKEN_PREFIX).await?.len() {
        return Err(Refusal::Conflict("there are ten SCIM tokens; revoke one first").into());
    }
    let secret = secrets::mint(app, SecretKind::Directory);
    let token = DirectoryToken {
        id: TokenId(app.uuid()),
        name: name.to_owned(),
        by,
        secret_hash: secrets::hash(&secret),
        created_at: app.now(),
    };
    let subject = Subject::Directory { token: token.id, by };
    let credential = Credential { subject, scopes: BTreeSet::new(), org: Some(org), expires_at: None };
    let ops = [
        Op::create(keys::directory_token(org, token.id), &token),
        Op::create(keys::credential(&token.secret_hash), &credential),
    ];
    let told = OrgEvent::DirectoryTokenCreated(token.id, token.name.clone());
    app.commit(Transaction::of(app, &entry).with(ops).telling(told)).await?;
    let address = super::address(app, &entry.org.slug);
    let by = Some(entry.actor().name.clone());
    Ok(CreatedDirectoryToken { listed: ListedDirectoryToken { token, by, works: true }, secret, address })
}

/// Revokes a token of the directory: it works no more. What it wrote stays.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::NotFound`].
pub async fn revoke_token(app: &App, caller: Caller<'_>, id: TokenId) -> Result<()> {
    app.decide(|| async {
        let wanted = |org| keys::directory_token(org, id);
        let (entry, row) = enter_org_with(app, caller, Capability::GovernOrg, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let token = row.read()?;
        let ops = [row.deleted(), Op::delete(keys::credential(&token.secret_hash), Condition::None)];
        let told = OrgEvent::DirectoryTokenRevoked(id, token.name);
        app.commit(Transaction::of(app, &entry).with(ops).telling(told)).await
    })
    .await
}
