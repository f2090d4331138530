//! Admins make, change and delete the webhooks of their organization.

use std::collections::BTreeSet;

use svc_domain::access::Capability;
use svc_domain::account;
use svc_domain::event::{OrgEvent, WebhookChange};
use svc_domain::identity::Org;
use svc_domain::ids::{ProjectKey, WebhookId};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::webhook::{Disabled, MOST, Webhook, WebhookEvent};
use svc_storage::{Op, keys};

use super::{Loaded, sign};
use crate::App;
use crate::entry::{Caller, Entry, enter_org_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// A webhook as people see it.
#[derive(Clone, Debug)]
pub struct SeenWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// Whether its secret can be read. It sends nothing unsigned.
    pub signs: bool,
}

impl SeenWebhook {
    fn of(app: &App, webhook: Webhook) -> Self {
        Self { signs: sign::opened(app, &webhook).is_some(), webhook }
    }
}

/// A webhook with its secret, which is shown once.
#[derive(Clone, Debug)]
pub struct WithSecret {
    /// The webhook.
    pub webhook: SeenWebhook,
    /// The secret.
    pub secret: String,
}

/// A wanted webhook.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Name for people.
    pub name: String,
    /// Where it sends to.
    pub url: String,
    /// What it tells.
    pub events: BTreeSet<WebhookEvent>,
    /// Of which projects; of all where there are none.
    pub projects: BTreeSet<ProjectKey>,
    /// Whether it also tells what only factory operators see.
    pub agents_work: bool,
}

/// A wanted change. What is absent stays.
#[derive(Clone, Debug, Default)]
pub struct WebhookEdit {
    /// The version last read.
    pub version: u64,
    /// Name for people.
    pub name: Option<String>,
    /// Where it sends to.
    pub url: Option<String>,
    /// What it tells.
    pub events: Option<BTreeSet<WebhookEvent>>,
    /// Of which projects.
    pub projects: Option<BTreeSet<ProjectKey>>,
    /// Whether it also tells what only factory operators see.
    pub agents_work: Option<bool>,
    /// Whether it sends nothing.
    pub disabled: Option<bool>,
}

/// The webhooks of the organization.
///
/// # Errors
/// What [`Capability::SeeAdministration`] refuses.
pub async fn list(app: &App, caller: Caller<'_>) -> Result<Vec<SeenWebhook>> {
    let webhooks = look(app, caller).await?.1.webhooks.webhooks;
    Ok(webhooks.into_iter().map(|webhook| SeenWebhook::of(app, webhook)).collect())
}

/// One webhook.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::SeeAdministration`] refuses.
pub async fn get(app: &App, caller: Caller<'_>, id: WebhookId) -> Result<SeenWebhook> {
    Ok(SeenWebhook::of(app, look(app, caller).await?.1.find(id)?.clone()))
}

/// Makes a webhook.
///
/// # Errors
/// [`Refusal::Invalid`]; [`Refusal::Conflict`] for too many, or a name that another one has; what [`Capability::AdministerOrg`] refuses.
pub async fn create(app: &App, caller: Caller<'_>, new: &NewWebhook) -> Result<WithSecret> {
    app.decide(|| async {
        let (entry, mut loaded) = enter(app, caller).await?;
        if loaded.webhooks.webhooks.len() >= MOST {
            return Err(Refusal::Conflict("an organization has at most 20 webhooks: delete one first").into());
        }
        let secret = sign::secret(&app.ids.secret());
        let id = WebhookId(app.uuid());
        let mut webhook = Webhook {
            id,
            version: 1,
            name: new.name.clone(),
            url: new.url.clone(),
            events: new.events.clone(),
            projects: new.projects.clone(),
            agents_work: new.agents_work,
            secret: sign::sealed(app, id, &secret)?,
            former: None,
            saved_by: entry.actor().clone(),
            created_at: app.now(),
            failing_since: None,
            disabled: None,
        };
        check(app, &entry, &mut webhook, None).await?;
        loaded.demand_name(id, &webhook.name)?;
        loaded.webhooks.webhooks.push(webhook.clone());
        let event = OrgEvent::Webhook(webhook.id, webhook.name.clone(), WebhookChange::Created);
        let mut transaction = Transaction::of(app, &entry).with([loaded.saved()]).telling(event);
        transaction.write(flagged(&entry, true));
        app.commit(transaction).await?;
        Ok(WithSecret { webhook: SeenWebhook::of(app, webhook), secret })
    })
    .await
}

/// Changes a webhook. It tells what the caller may see from then on. Enabling it begins anew.
///
/// # Errors
/// [`Refusal::StaleVersion`], [`Refusal::Invalid`], [`Refusal::NotFound`]; [`Refusal::Conflict`] for a name that another
/// one has; what [`Capability::AdministerOrg`] refuses.
pub async fn update(app: &App, caller: Caller<'_>, id: WebhookId, edit: &WebhookEdit) -> Result<SeenWebhook> {
    app.decide(|| async {
        let (entry, mut loaded) = enter(app, caller).await?;
        let webhook = loaded.find(id)?;
        if webhook.version != edit.version {
            return Err(Refusal::StaleVersion { current: webhook.version }.into());
        }
        let before = webhook.clone();
        let WebhookEdit { version: _, name, url, events, projects, agents_work, disabled } = edit.clone();
        webhook.name = name.unwrap_or_else(|| before.name.clone());
        webhook.url = url.unwrap_or_else(|| before.url.clone());
        webhook.events = events.unwrap_or_else(|| before.events.clone());
        webhook.projects = projects.unwrap_or_else(|| before.projects.clone());
        webhook.agents_work = agents_work.unwrap_or(before.agents_work);
        match disabled {
            Some(true) => drop(webhook.disabled.get_or_insert(Disabled::ByPerson)),
            Some(false) if webhook.disabled.is_some() => {
                webhook.disabled = None;
                webhook.failing_since = None;
            }
            Some(false) | None => {}
        }
        if *webhook == before {
            return Ok(SeenWebhook::of(app, before));
        }
        webhook.version += 1;
        webhook.saved_by = entry.actor().clone();
        check(app, &entry, webhook, Some(&before)).await?;
        let webhook = webhook.clone();
        if webhook.name != before.name {
            loaded.demand_name(id, &webhook.name)?;
        }
        let (from, to) = svc_domain::webhook::change::in_words(&before, &webhook);
        let event = OrgEvent::WebhookChanged(id, webhook.name.clone(), from, to);
        app.commit(Transaction::of(app, &entry).with([loaded.saved()]).telling(event)).await?;
        Ok(SeenWebhook::of(app, webhook))
    })
    .await
}

/// Gives a webhook a new secret. The one before signs beside it for a day.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn rotate(app: &App, caller: Caller<'_>, id: WebhookId) -> Result<WithSecret> {
    app.decide(|| async {
        let (entry, mut loaded) = enter(app, caller).await?;
        let webhook = loaded.find(id)?;
        let secret = sign::secret(&app.ids.secret());
        webhook.rotate(sign::sealed(app, id, &secret)?, app.now());
        webhook.version += 1;
        let webhook = webhook.clone();
        let event = OrgEvent::Webhook(id, webhook.name.clone(), WebhookChange::SecretRotated);
        app.commit(Transaction::of(app, &entry).with([loaded.saved()]).telling(event)).await?;
        Ok(WithSecret { webhook: SeenWebhook::of(app, webhook), secret })
    })
    .await
}

/// Deletes a webhook. What it has not sent is not sent any more.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, id: WebhookId) -> Result<()> {
    app.decide(|| async {
        let (entry, mut loaded) = enter(app, caller).await?;
        let name = loaded.find(id)?.name.clone();
        loaded.webhooks.webhooks.retain(|webhook| webhook.id != id);
        let event = OrgEvent::Webhook(id, name, WebhookChange::Deleted);
        let mut transaction = Transaction::of(app, &entry).with([loaded.saved()]).telling(event);
        if loaded.webhooks.webhooks.is_empty() {
            transaction.write(flagged(&entry, false));
        }
        app.commit(transaction).await
    })
    .await
}

pub(super) async fn enter(app: &App, caller: Caller<'_>) -> Result<(Entry, Loaded)> {
    enter_asking(app, caller, Capability::AdministerOrg).await
}

pub(super) async fn look(app: &App, caller: Caller<'_>) -> Result<(Entry, Loaded)> {
    let (entry, mut loaded) = enter_asking(app, caller, Capability::SeeAdministration).await?;
    let savers = loaded.webhooks.webhooks.iter_mut().map(|webhook| &mut webhook.saved_by);
    bring_up_to_date(app, entry.org_id(), savers).await?;
    Ok((entry, loaded))
}

async fn enter_asking(app: &App, caller: Caller<'_>, capability: Capability) -> Result<(Entry, Loaded)> {
    let (entry, row) = enter_org_with(app, caller, capability, keys::webhooks).await?;
    let loaded = Loaded::of(entry.org_id(), row.as_ref())?;
    Ok((entry, loaded))
}

/// Notes in the organization whether it has webhooks: commits in one without send no message for them.
fn flagged(entry: &Entry, has: bool) -> Option<Op> {
    let org = Org { has_webhooks: has, ..(*entry.org).clone() };
    (entry.org.has_webhooks != has).then(|| Op::replace(keys::org(org.id), entry.org_version, &org))
}

async fn check(app: &App, entry: &Entry, webhook: &mut Webhook, before: Option<&Webhook>) -> Result<()> {
    let mut errors: FieldErrors = webhook.check();
    if let Some(name) = errors.check("name", account::name(&webhook.name)) {
        webhook.name = name;
    }
    if before.is_none_or(|before| before.url != webhook.url)
        && let Err(why) = app.outbound.judge(&webhook.url)
    {
        errors.add("url", format!("The address is refused: {why}."));
    }
    let kept = |project: &&ProjectKey| before.is_some_and(|before| before.projects.contains(*project));
    for project in webhook.projects.iter().filter(|project| !kept(project)) {
        if app.table.find(&keys::project(entry.org_id(), project)).await?.is_none() {
            errors.add("projects", format!("There is no project {project}."));
        }
    }
    errors.into_result().map_err(Refusal::from)?;
    Ok(())
}
