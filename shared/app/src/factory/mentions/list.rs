//! The mentions of an item that asked for runs, for factory operators.

use svc_domain::access::Capability;
use svc_domain::ids::ItemKey;
use svc_domain::item::Item;
use svc_domain::mention::request::{MentionRequest, State, reason};
use svc_domain::run::settle;
use svc_storage::keys;

use super::rows;
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::identity::{Called, bring_up_to_date};
use crate::tracker::gone::item_row;

/// A mention on its way to a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionView {
    /// The mention.
    pub request: MentionRequest,
    /// What one that waits waits for, in a sentence.
    pub waiting: Option<String>,
}

/// What mentions of agents on an item asked for, as they were written.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`] for an item that the caller may not see,
/// [`svc_domain::refusal::Refusal::FactoryNotPermitted`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<Vec<MentionView>> {
    let wanted = |org| keys::item(org, key);
    let (entry, row) = enter_project_with(app, caller, &key.project, Capability::SeeFactory, wanted).await?;
    let item: Item = item_row(app, &entry, row, key).await?.read()?;
    let mut first = true;
    let mut views = Vec::new();
    for row in rows(app, entry.org_id(), key).await? {
        let request: MentionRequest = row.read()?;
        let waits = request.state == State::Waiting;
        let waiting =
            waits.then(|| match settle::admit(&item, app.now(), app.settings.claims.stale_after()) {
                _ if !first => "Earlier mentions come first.".to_owned(),
                Err(refusal) => reason(&refusal),
                Ok(()) if entry.access.read_only => "The organization is read-only.".to_owned(),
                Ok(()) => "It starts in a moment.".to_owned(),
            });
        first &= !waits;
        views.push(MentionView { request, waiting });
    }
    let named = views.iter_mut().flat_map(|view| {
        let MentionRequest { by, agent, .. } = &mut view.request;
        [Called::from(by), Called::from(agent)]
    });
    bring_up_to_date(app, entry.org_id(), named).await?;
    Ok(views)
}
