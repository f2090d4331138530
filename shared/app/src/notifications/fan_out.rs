//! Adds what a commit was about to the inboxes of those whom it concerns: steps 2 and 3 of the protocol in
//! [`super`].

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::event::OrgEvent;
use svc_domain::ids::{Actor, ActorId, OrgId, UserId};
use svc_domain::item::Item;
use svc_domain::notification::{Entry, KEPT, News, Subject, strongest};
use svc_storage::{Condition, Limits, Op, keys};

use super::inbox::entry_key;
use super::readers::readers;
use super::told::{self, Telling};
use crate::App;
use crate::error::Result;
use crate::messages::{Notify, Told};
use crate::tracker::watchers;
use crate::transaction::Transaction;

/// People whose inboxes one commit writes.
const AT_ONCE: usize = Limits::OPS / 2;

/// Tells people what a commit was about. Repeating it tells nobody twice.
///
/// # Errors
/// Those of storage: it has to be tried again.
pub async fn fan_out(app: &App, notify: &Notify) -> Result<()> {
    begin_to_watch(app, notify).await?;
    let mut tellings: BTreeMap<Subject, Vec<(UserId, News)>> = BTreeMap::new();
    for happened in &notify.happened {
        if let Some(Telling { subject, told }) = told::of(app, notify.org, notify.id, happened).await? {
            tellings.entry(subject).or_default().extend(told);
        }
    }
    for (subject, told) in tellings {
        tell(app, notify.org, &subject, told).await?;
    }
    Ok(())
}

async fn tell(app: &App, org: OrgId, subject: &Subject, mut told: Vec<(UserId, News)>) -> Result<()> {
    let people: BTreeSet<UserId> = told.iter().map(|(user, _)| *user).collect();
    let readers = readers(app, org, subject, people).await?;
    told.retain(|(user, news)| {
        readers.get(user).is_some_and(|viewer| viewer.sees_agents_work() || !news.agents_work)
    });
    let told: Vec<(UserId, News)> = strongest(told).into_iter().collect();
    for told in told.chunks(AT_ONCE) {
        app.decide(|| deliver(app, org, subject, told)).await?;
    }
    Ok(())
}

async fn deliver(app: &App, org: OrgId, subject: &Subject, told: &[(UserId, News)]) -> Result<()> {
    let wanted: Vec<_> = told.iter().map(|(user, _)| entry_key(*user, org, subject)).collect();
    let rows = app.table.get_many(&wanted).await?;
    let expires = (app.now() + KEPT).as_second();
    let mut transaction = Transaction::by_itself(app, org);
    for ((key, row), (user, news)) in wanted.into_iter().zip(rows).zip(told) {
        let (condition, mut entry): (_, Entry) = match row {
            Some(row) => (Condition::Version(row.version), row.read()?),
            None => (Condition::Absent, Entry::new(org, subject.clone())),
        };
        // A page may have moved.
        entry.subject = subject.clone();
        if entry.tell(news.clone()) {
            transaction.write([Op::put(key, condition, &entry).expiring(expires)]);
            transaction.tell(OrgEvent::InboxChanged(*user));
        }
    }
    if transaction.is_empty() { Ok(()) } else { app.commit(transaction).await }
}

/// Whoever comments on an item or gets it assigned watches it from then on, unless they stopped.
async fn begin_to_watch(app: &App, notify: &Notify) -> Result<()> {
    for happened in &notify.happened {
        let by = happened.by.clone();
        let (item, who) = match &happened.told {
            Told::Assigned { item } => (item, assignee(app, notify.org, item).await?),
            Told::Commented { item, .. } => (item, by),
            Told::Moved { .. }
            | Told::Claimed { .. }
            | Told::CommentEdited { .. }
            | Told::Reacted { .. }
            | Told::RunEnded { .. }
            | Told::NeedsInput { .. }
            | Told::SprintStarted { .. }
            | Told::SprintCompleted { .. }
            | Told::PageWritten { .. }
            | Told::InvitationAccepted { .. } => continue,
        };
        if let Some(who) = who.filter(|who| matches!(who.id, ActorId::User(_))) {
            watchers::begin(app, notify.org, item, who).await?;
        }
    }
    Ok(())
}

async fn assignee(app: &App, org: OrgId, key: &svc_domain::ids::ItemKey) -> Result<Option<Actor>> {
    let Some(row) = app.table.get(&keys::item(org, key)).await? else { return Ok(None) };
    Ok(row.read::<Item>()?.assignee)
}
