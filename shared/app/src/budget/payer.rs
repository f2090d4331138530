//! Decides whose budget a request counts against: its credential's or its network's.
//!
//! Protocol.
//! 1. A request without a credential is charged to its network.
//! 2. A request with a credential that this process knows is charged to what the credential stands for: a session
//!    (under any of its secrets), a token, or a runner.
//! 3. A request with any other credential is charged to its network first. Only then is the credential looked up;
//!    if it exists, the network gets its permit back. So a caller who invents secrets runs out of budget like
//!    everyone else, and an invalid credential causes no write. Once the budget is spent, a limited number of further
//!    credentials is looked up, so that one neighbour's wrong ones do not lock out those that work.
//! 4. What a person's credential is charged, the person is charged, too, who has the budgets of a few credentials.
//!
//! A delivery of a code host has no credential: its network pays first, and gets its permit back if the delivery is
//! signed, which is charged to the organization ([`admit_delivery`]). A host delivers from few addresses.
//!
//! This module does not check whether a credential still works: one that has ended is still charged to itself.

use std::net::IpAddr;
use std::sync::Arc;

use svc_domain::identity::Subject;
use svc_domain::ids::OrgId;
use svc_domain::refusal::Refusal;
use svc_storage::keys;

use super::{Account, Payer, network, spend};
use crate::App;
use crate::error::{Error, Result};
use crate::secrets;

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To prove who somebody is, with a password or a link: counted for each network.
    Authentication,
    /// To report what a runner does, as it happens.
    Runner,
    /// All else.
    Requests,
}

/// Lets a request in if whoever is charged for it has the budget. Answers whose credential it presents, if anybody's.
///
/// # Errors
/// [`Refusal::RateLimited`](svc_domain::refusal::Refusal::RateLimited) when it is spent; those of storage.
pub async fn admit(
    app: &App,
    purpose: Purpose,
    address: IpAddr,
    secret: Option<&str>,
) -> Result<Option<Account>> {
    let limits = &app.settings.rate_limits;
    let network = network(address);
    if purpose == Purpose::Authentication {
        spend(app, &format!("auth:{network}"), limits.authentication_per_minute).await?;
        return Ok(None);
    }
    let known = match secret {
        Some(secret) => known(app, &network, &secrets::hash(secret)).await?,
        None => None,
    };
    match (&known, purpose) {
        (Some(payer), Purpose::Runner) => {
            spend(app, &format!("runner:{}", payer.charged), limits.runner_per_minute).await?;
        }
        (Some(payer), _) => {
            spend(app, &payer.charged, limits.requests_per_minute).await?;
            if payer.account.is_person() {
                spend(app, payer.account.name(), limits.account_per_minute()).await?;
            }
        }
        // Of a credential that is none, the network has paid.
        (None, _) if secret.is_some() => {}
        (None, _) => spend(app, &format!("ip:{network}"), limits.requests_per_minute).await?,
    }
    Ok(known.map(|payer| payer.account.clone()))
}

/// Credentials that are looked up for a network whose budget is spent, for each request of that budget.
const LOOKUPS: u32 = 5;

/// Deliveries of an organization's code host for each request that a person may make.
const DELIVERIES_PER_REQUEST: u32 = 20;

/// Lets a delivery in that an organization's code host signed, if the organization has the budget for it.
///
/// # Errors
/// [`Refusal::RateLimited`](svc_domain::refusal::Refusal::RateLimited) when it is spent; those of storage.
pub async fn admit_delivery(app: &App, org: OrgId, address: IpAddr) -> Result<()> {
    let minute = app.now().as_second().div_euclid(60);
    app.budgets.give_back(&format!("ip:{}", network(address)), minute);
    let limit = app.settings.rate_limits.requests_per_minute.saturating_mul(DELIVERIES_PER_REQUEST);
    spend(app, &format!("deliveries:{org}"), limit).await
}

/// Who pays for a credential; nobody where there is none, which the network has paid for then.
async fn known(app: &App, network: &str, secret_hash: &str) -> Result<Option<Arc<Payer>>> {
    if let Some(payer) = app.payers.of(secret_hash) {
        return Ok(Some(payer));
    }
    let network = format!("ip:{network}");
    let minute = app.now().as_second().div_euclid(60);
    let limit = app.settings.rate_limits.requests_per_minute;
    let spent = match spend(app, &network, limit).await {
        Err(Error::Refused(refusal @ Refusal::RateLimited { .. })) => Some(refusal),
        paid => paid.map(|()| None)?,
    };
    if spent.is_some() {
        spend(app, &format!("lookups:{network}"), limit.saturating_mul(LOOKUPS)).await?;
    }
    let Some(row) = app.table.find(&keys::credential(secret_hash)).await? else {
        return spent.map_or(Ok(None), |refusal| Err(refusal.into()));
    };
    let credential = app.parse_cache.credentials.read(&row)?;
    let charged = match &credential.subject {
        Subject::Session { session: Some(id), .. } => format!("session:{id}"),
        Subject::Session { session: None, .. }
        | Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => format!("token:{secret_hash}"),
    };
    let payer = Arc::new(Payer { charged, account: Account::of(&credential.subject) });
    app.payers.learn(secret_hash, &payer);
    if spent.is_none() {
        app.budgets.give_back(&network, minute);
    }
    Ok(Some(payer))
}
