//! One change of many items. Each is changed or refused by itself, as if it were asked for alone.

use std::collections::HashSet;

use futures::{StreamExt as _, stream};
use svc_domain::access::Capability;
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::refusal::Refusal;

use super::items::{self, UpdateItem};
use super::{ItemDetails, claims};
use crate::App;
use crate::entry::{BearerCredential, Caller, enter_project};
use crate::error::Result;

/// Most items of one request.
const MAX_ITEMS: usize = 100;

/// Items changed at the same time.
const WIDTH: usize = 8;

/// What happens to each item.
#[derive(Clone, Debug)]
pub enum Bulk {
    /// Its fields change; the version in it does not count.
    Edit(Box<UpdateItem>),
    /// It moves to the state of this name.
    Move(String),
}

/// Changes many items of a project, each given by its key and the version last read. The outcomes are in the
/// order of the items.
///
/// # Errors
/// [`Refusal::Invalid`] for none, too many or an item twice; what keeps the caller from working in the
/// project. What keeps an item from being changed is its own outcome.
pub async fn change(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    items: Vec<(String, u64)>,
    bulk: &Bulk,
) -> Result<Vec<(String, Result<ItemDetails>)>> {
    enter_project(app, caller, project, Capability::Work).await?;
    let distinct: HashSet<&str> = items.iter().map(|(key, _)| key.as_str()).collect();
    if items.is_empty() || items.len() > MAX_ITEMS || distinct.len() < items.len() {
        let why = format!("Give 1 to {MAX_ITEMS} items, each only once; this request has {}.", items.len());
        return Err(Refusal::invalid("items", why).into());
    }
    // Each item is a transaction of its own, and harmless to repeat by its version: none is that of the request.
    let credential = caller.credential.map(BearerCredential::unkeyed);
    let caller = Caller { credential: credential.as_ref(), ..caller };
    let change = |(key, version): (String, u64)| async move {
        let outcome = one(app, caller, project, &key, version, bulk).await;
        (key, outcome)
    };
    Ok(stream::iter(items.into_iter().map(change)).buffered(WIDTH).collect().await)
}

async fn one(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    key: &str,
    version: u64,
    bulk: &Bulk,
) -> Result<ItemDetails> {
    let key: Option<ItemKey> = key.parse().ok().filter(|key: &ItemKey| key.project == *project);
    let key = key.ok_or(Refusal::NotFound)?;
    match bulk {
        Bulk::Edit(edit) => {
            let edit = UpdateItem { version, ..(**edit).clone() };
            items::update(app, caller, &key, &edit).await
        }
        Bulk::Move(state) => claims::transition(app, caller, &key, version, state).await,
    }
}
