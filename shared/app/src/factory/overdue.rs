//! Tells people of what does not happen in the factory: a run that waits for long, a runner that is away though there is
//! work, a budget that is nearly used.
//!
//! Nothing commits when nothing happens, so a job looks. Each such thing has an id of its own, by which nobody is told of
//! it twice, however often it is found. What is older than [`FORGOTTEN`] is not looked at again.

use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use svc_domain::budget::{Budgets, Scope};
use svc_domain::identity::Member;
use svc_domain::ids::{ActorId, OrgId, UserId};
use svc_domain::item::Item;
use svc_domain::notification::{News, NotificationKind, Subject};
use svc_domain::run::Run;
use svc_domain::run::spending::day_of;
use svc_storage::{Limits, Query, Range, Row, RowOf, keys};

use super::change::QueueEntry;
use super::runners::{self, RunnerView};
use super::{budgets, waiting};
use crate::App;
use crate::error::Result;
use crate::notifications::{admins, id_of, of_item, tell};
use crate::wanted;

/// A run that waits longer than this is told of.
const LONG: SignedDuration = SignedDuration::from_mins(15);
/// A runner that was not heard of for longer than this, while there is work for it, is told of.
const AWAY: SignedDuration = SignedDuration::from_mins(5);
/// What is older is not looked at again: it has been told of.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(1);
/// Organizations that are looked at at the same time.
const AT_ONCE: usize = 50;
/// Queued runs of an organization that are looked at.
const MOST: usize = 200;

/// Tells of what is overdue in every organization.
///
/// # Errors
/// The first failure, after all organizations were looked at: the next call goes on.
pub async fn tell_of_overdue(app: &App) -> Result<()> {
    let orgs = app.table.query_all(Query::new(keys::ORGS_PK, Range::All, 1_000)).await?;
    // The sort key is the organization's id, written by us.
    let orgs: Vec<OrgId> = orgs.iter().filter_map(|row| row.key.sk.parse().ok()).collect();
    let mut first = Ok(());
    let mut waits = Vec::new();
    for together in orgs.chunks(AT_ONCE) {
        let wanted: Vec<_> = together.iter().map(|org| keys::budgets(*org)).collect();
        let (queues, budgets) =
            futures::join!(join_all(together.iter().map(|org| due(app, *org))), wanted::load(app, wanted));
        for ((org, queue), budget) in together.iter().zip(queues).zip(budgets?) {
            waits.extend(queue.iter().flatten().map(|(since, _)| app.now().duration_since(*since)));
            first = first.and(of_org(app, *org, queue, budget).await);
        }
    }
    app.metrics.ready(waits.into_iter());
    first
}

async fn of_org(
    app: &App,
    org: OrgId,
    queue: Result<Vec<(Timestamp, QueueEntry)>>,
    budget: Option<RowOf<Budgets>>,
) -> Result<()> {
    let queue = queue?;
    if !queue.is_empty() {
        of_runs(app, org, &queue).await?;
        of_runners(app, org, &queue).await?;
    }
    match budget {
        Some(row) => of_budgets(app, org, &row).await,
        None => Ok(()),
    }
}

/// Runs that could have begun, and since when.
async fn due(app: &App, org: OrgId) -> Result<Vec<(Timestamp, QueueEntry)>> {
    let until = keys::sortable(app.now().as_millisecond() + 1);
    let query = Query::new(keys::queue_pk(org), Range::Between("0".to_owned(), until), MOST);
    let since = |row: &Row| {
        let time = keys::time_of(&row.key.sk);
        time.and_then(|millis| Timestamp::from_millisecond(millis).ok()).unwrap_or_default()
    };
    let entry = |row: &Row| Ok((since(row), row.read()?));
    app.table.query(&query).await?.rows.iter().map(entry).collect()
}

async fn of_runs(app: &App, org: OrgId, queue: &[(Timestamp, QueueEntry)]) -> Result<()> {
    let now = app.now();
    let long = |since: Timestamp| (LONG..FORGOTTEN).contains(&now.duration_since(since));
    let long: Vec<_> = queue.iter().filter(|(since, _)| long(*since)).collect();
    for long in long.chunks(Limits::KEYS) {
        let wanted: Vec<_> = long.iter().map(|(_, entry)| keys::run(org, entry.run)).collect();
        let rows = wanted::load(app, wanted).await?;
        let runs: Vec<Run> = rows.iter().flatten().map(RowOf::read).collect::<Result<_, _>>()?;
        let reasons = waiting::reasons(app, org, &runs).await?;
        for run in runs {
            let since = long.iter().find(|(_, entry)| entry.run == run.id).map(|(since, _)| *since);
            let (Some(since), Some(why)) = (since, reasons.get(&run.id)) else { continue };
            let Some(row) = app.table.find(&keys::item(org, &run.item)).await? else { continue };
            let item: Item = row.read()?;
            let id = id_of(&format!("waits {} {since}", run.id));
            let news = News {
                run: Some(run.id),
                agents_work: true,
                ..News::by_itself(id, NotificationKind::RunWaiting, now, why.clone())
            };
            let people = [Some(&run.requested_by), item.assignee.as_ref()].into_iter().flatten();
            let told = people.filter_map(|actor| match actor.id {
                ActorId::User(user) => Some((user, news.clone())),
                ActorId::Agent(_) => None,
            });
            tell(app, org, &of_item(&item), told.collect()).await?;
        }
    }
    Ok(())
}

async fn of_runners(app: &App, org: OrgId, queue: &[(Timestamp, QueueEntry)]) -> Result<()> {
    let now = app.now();
    for RunnerView { runner, status, last_heard, online, .. } in runners::all(app, org).await? {
        let (Some(status), Some(heard)) = (status, last_heard) else { continue };
        let away = (AWAY..FORGOTTEN).contains(&now.duration_since(heard));
        // One that said that it stops was stopped by somebody.
        if online || runner.disabled || status.left || !away {
            continue;
        }
        let could = queue.iter().any(|(_, entry)| match entry.chosen_runner {
            Some(chosen) => chosen == runner.id,
            None => status.harnesses.contains(&entry.harness),
        });
        if !could {
            continue;
        }
        let id = id_of(&format!("offline {} {heard}", runner.id));
        let news = News::by_itself(id, NotificationKind::RunnerOffline, now, String::new());
        let whose: Vec<UserId> = match runner.created_by {
            Some(user) => vec![user],
            None => users(admins(app, org).await?),
        };
        let told = whose.into_iter().map(|user| (user, news.clone())).collect();
        tell(app, org, &Subject::Runner { id: runner.id, name: runner.name }, told).await?;
    }
    Ok(())
}

async fn of_budgets(app: &App, org: OrgId, row: &RowOf<Budgets>) -> Result<()> {
    let (now, nearly) = (app.now(), budgets::nearly_used(app, org, row).await?);
    if nearly.is_empty() {
        return Ok(());
    }
    let admins = users(admins(app, org).await?);
    for budgets::NearlyUsed { scope, whose, what, percent } in nearly {
        let name = match scope {
            Scope::Organization => "organization".to_owned(),
            Scope::Project(project) => format!("project {project}"),
            Scope::Agent(agent) => format!("agent {agent}"),
        };
        let id = id_of(&format!("budget {org} {name} {what} {}", day_of(now)));
        let said = format!("{percent} % of {what}.");
        let news = News::by_itself(id, NotificationKind::BudgetNearlyUsed, now, said);
        let told = admins.iter().map(|user| (*user, news.clone())).collect();
        tell(app, org, &Subject::Budget { id: name, name: whose }, told).await?;
    }
    Ok(())
}

fn users(members: Vec<Member>) -> Vec<UserId> {
    members.into_iter().map(|member| member.user).collect()
}
