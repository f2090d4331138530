//! Fires the rules of a project when an item has entered a state.
//!
//! Protocol.
//! 1. The commit that moves the item sends a message with an id of its own. Nothing else fires rules.
//! 2. For each matching rule, in their order, the worker makes one commit: the record of the firing, named by the
//!    message and the rule, which must be absent, and with it either the run or the reason why none starts.
//! 3. So a message that comes twice, or to two workers, leaves one record and one run for each rule.
//!
//! Moving an item is no right to start AI work: where a person without it did, a rule fires only if it says so.
//!
//! A rule acts with the rights that the person who saved it has at that moment. One right is not needed: reading
//! the playbook's page, which only people who start a run by hand must be able to do.

use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::event::Via;
use svc_domain::ids::{ActorId, ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_domain::rule::{Firing, Outcome, Rule, reason};
use svc_domain::run::Run;
use svc_storage::{Op, RowOf, keys};

use super::super::dispatch::{Order, commit_planned, plan, rows_of};
use super::super::draft::RunSelection;
use crate::App;
use crate::entry::{enter_as, enter_as_with};
use crate::error::{Error, Result};
use crate::messages::FireRules;
use crate::transaction::Transaction;
use crate::wanted;

/// For how long firings are recorded.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);

/// Fires the rules of an item that entered a state.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn fire(app: &App, message: &FireRules) -> Result<()> {
    let FireRules { org, item: key, state, run, .. } = message;
    let wanted = (keys::rules(*org, &key.project), keys::item(*org, key));
    let (rules, item) = wanted::load(app, wanted).await?;
    let Some(item) = item.map(|row| row.read()).transpose()? else { return Ok(()) };
    let rules = RowOf::or_default(rules.as_ref())?;
    let labels: Vec<String> = item.labels.iter().cloned().collect();
    let mover = match run {
        Some(run) => app.table.find(&keys::run(*org, *run)).await?.map(|row| row.read()).transpose()?,
        None => None,
    };
    for rule in rules.firing(state, &labels) {
        app.decide(|| fire_one(app, message, rule, mover.as_ref())).await?;
    }
    Ok(())
}

async fn fire_one(app: &App, message: &FireRules, rule: &Rule, mover: Option<&Run>) -> Result<()> {
    let key =
        keys::firing(message.org, &message.item.project, message.at.as_millisecond(), message.id, rule.id);
    if app.table.get(&key).await?.is_some() {
        return Ok(());
    }
    let record = |outcome| {
        let firing = Firing {
            rule: rule.id,
            name: rule.name.clone(),
            item: message.item.clone(),
            state: message.state.clone(),
            at: message.at,
            outcome,
        };
        Op::create(key.clone(), &firing).expiring((message.at + KEPT).as_second())
    };
    match start(app, message, rule, mover, &record).await {
        Err(Error::Refused(refusal)) => skip(app, message.org, record, reason(&refusal)).await,
        Ok(Err(why)) => skip(app, message.org, record, why).await,
        Ok(Ok(())) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn skip(app: &App, org: OrgId, record: impl Fn(Outcome) -> Op, reason: String) -> Result<()> {
    app.commit(Transaction::by_itself(app, org).with([record(Outcome::Skipped { reason })])).await
}

/// Starts the run of a firing and records it; answers why not.
async fn start(
    app: &App,
    message: &FireRules,
    rule: &Rule,
    mover: Option<&Run>,
    record: &impl Fn(Outcome) -> Op,
) -> Result<Result<(), String>> {
    let chain = match rule.chain_after(mover) {
        Ok(chain) => chain,
        Err(why) => return Ok(Err(why)),
    };
    if rule.only_ai_starters && !may_start(app, message).await? {
        let why =
            "The person who moved the item may not start AI work, and the rule is only for people who may.";
        return Ok(Err(why.to_owned()));
    }
    let ActorId::User(user) = rule.by.id else { return Err(Refusal::FactoryNotPermitted.into()) };
    let key: &ItemKey = &message.item;
    let (entry, rows) = enter_as_with(app, message.org, user, &key.project, |org| rows_of(org, key)).await?;
    entry.access.require(Capability::OperateFactory)?;
    let (playbook, agent) = (rule.playbook.to_string(), rule.agent.map(|agent| agent.to_string()));
    let selection =
        RunSelection { playbook: Some(&playbook), agent: agent.as_deref(), ..RunSelection::default() };
    let order = Order { item: key, selection, scheduled_for: None, asked: None, mends: None };
    let mut planned = plan(app, &entry, rows, &order).await?;
    if planned.item.item.state != message.state {
        return Ok(Err("The item left the state before the rule could start a run.".to_owned()));
    }
    planned.run.rule = Some(rule.id);
    planned.run.rule_chain = chain;
    planned.via = Some(Via::itself(format!("rule {}", rule.name)));
    let recorded = record(Outcome::Started { run: planned.run.id });
    let prompt = planned.prompt(app, message.org).await?;
    commit_planned(app, &entry, planned, &prompt, [recorded]).await?;
    Ok(Ok(()))
}

/// Whether the item was moved by the service, by an agent, or by a person who may start AI work.
async fn may_start(app: &App, message: &FireRules) -> Result<bool> {
    let Some(ActorId::User(user)) = message.by else { return Ok(true) };
    match enter_as(app, message.org, user, &message.item.project).await {
        Ok(entry) => Ok(entry.access.may(Capability::OperateFactory)),
        Err(Error::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
