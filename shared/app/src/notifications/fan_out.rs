//! Adds what a commit was about to the inboxes of those whom it concerns: steps 2 and 3 of the protocol in
//! [`super`].

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::event::OrgEvent;
use svc_domain::ids::{Actor, ActorId, OrgId, UserId};
use svc_domain::notification::{Entry, KEPT, News, Subject, strongest};
use svc_storage::{Condition, Key, Limits, Op, keys};

use super::enqueue::{Sending, defaults_of, tell_channels, wishes};
use super::readers::readers;
use super::seen::entry_key;
use super::told::{self, Telling};
use crate::App;
use crate::error::Result;
use crate::messages::{Notify, Told};
use crate::tracker::watchers;
use crate::transaction::Transaction;

/// Tells people what a commit was about. Repeating it tells nobody twice.
///
/// # Errors
/// Those of storage: it has to be tried again.
pub async fn fan_out(app: &App, notify: &Notify) -> Result<()> {
    begin_to_watch(app, notify).await?;
    let mut tellings: BTreeMap<Subject, Vec<(UserId, News)>> = BTreeMap::new();
    for happened in &notify.happened {
        let telling = told::of(app, notify.org, notify.id, happened).await?;
        let Some(Telling { subject, told, org_wide }) = telling else { continue };
        if let Some(news) = org_wide {
            tell_channels(app, notify.org, &subject, &news).await?;
        }
        tellings.entry(subject).or_default().extend(told);
    }
    for (subject, told) in tellings {
        tell(app, notify.org, &subject, told).await?;
    }
    Ok(())
}

/// Tells these people news of a subject, as far as they may see it and want to hear of it. Repeating it tells nobody twice.
///
/// # Errors
/// Those of storage: it has to be tried again.
pub(crate) async fn tell(
    app: &App,
    org: OrgId,
    subject: &Subject,
    mut told: Vec<(UserId, News)>,
) -> Result<()> {
    let people: BTreeSet<UserId> = told.iter().map(|(user, _)| *user).collect();
    let readers = readers(app, org, subject, people).await?;
    told.retain(|(user, news)| {
        readers.get(user).is_some_and(|viewer| viewer.sees_agents_work() || !news.agents_work)
    });
    let told = strongest(told);
    if told.is_empty() {
        return Ok(());
    }
    let people: Vec<UserId> = told.keys().copied().collect();
    let (wishes, defaults) = (wishes(app, &people).await?, defaults_of(app, org).await?);
    let now = app.now();
    let mut tellings = Vec::new();
    for (user, news) in told {
        let Some(wishes) = wishes.get(&user).filter(|wishes| wishes.preferences.wants(org, subject, &news))
        else {
            continue;
        };
        let sendings = wishes.sendings((user, org), subject, news.kind, &defaults, now);
        tellings.push(ToTell { user, news, sendings });
    }
    for told in in_commits(&tellings) {
        let wake = app.decide(|| deliver(app, org, subject, told)).await?;
        for sending in wake {
            sending.hint(app).await;
        }
    }
    Ok(())
}

/// A person who is told news, and where besides their inbox.
struct ToTell {
    user: UserId,
    news: News,
    sendings: Vec<Sending>,
}

impl ToTell {
    /// How many operations it takes at most: its entry, and two for each place.
    fn operations(&self) -> usize {
        1 + 2 * self.sendings.len()
    }
}

/// Operations of a commit that are left for those who are told: the line of the journal is one.
const OPERATIONS: usize = Limits::OPS - 1;

/// Those who are told together: as many as fit into a commit.
fn in_commits(tellings: &[ToTell]) -> Vec<&[ToTell]> {
    let (mut commits, mut from, mut operations) = (Vec::new(), 0, 0);
    for (at, telling) in tellings.iter().enumerate() {
        if operations + telling.operations() > OPERATIONS {
            commits.push(&tellings[from..at]);
            (from, operations) = (at, 0);
        }
        operations += telling.operations();
    }
    commits.push(&tellings[from..]);
    commits.retain(|told| !told.is_empty());
    commits
}

/// Writes what they are told; answers the places that a worker has to be told of.
async fn deliver<'a>(
    app: &App,
    org: OrgId,
    subject: &Subject,
    told: &'a [ToTell],
) -> Result<Vec<&'a Sending>> {
    let wanted: Vec<Key> = told.iter().map(|telling| entry_key(telling.user, org, subject)).collect();
    let waiting =
        told.iter().flat_map(|telling| telling.sendings.iter().map(|sending| sending.key().clone()));
    let mut rows = app.table.get_many(&[wanted.clone(), waiting.collect()].concat()).await?;
    let mut waiting = rows.split_off(wanted.len()).into_iter();
    let mut wake = Vec::new();
    let expires = (app.now() + KEPT).as_second();
    let mut transaction = Transaction::by_itself(app, org);
    for ((key, row), ToTell { user, news, sendings }) in wanted.into_iter().zip(rows).zip(told) {
        let waiting: Vec<_> = waiting.by_ref().take(sendings.len()).collect();
        let (condition, mut entry): (_, Entry) = match row {
            Some(row) => (Condition::Version(row.version), row.read()?),
            None => (Condition::Absent, Entry::new(org, subject.clone())),
        };
        // A page may have moved.
        entry.subject = subject.clone();
        if entry.tell(news.clone()) {
            transaction.write([Op::put(key, condition, &entry).expiring(expires)]);
            transaction.tell(OrgEvent::InboxChanged(*user));
            for (sending, row) in sendings.iter().zip(waiting) {
                if sending.write(row.as_ref(), (org, subject), news, &mut transaction)? {
                    wake.push(sending);
                }
            }
        }
    }
    if !transaction.is_empty() {
        app.commit(transaction).await?;
    }
    Ok(wake)
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
            | Told::InvitationAccepted { .. }
            | Told::WebhookDisabled { .. }
            | Told::SchedulePaused { .. } => continue,
        };
        if let Some(who) = who.filter(|who| matches!(who.id, ActorId::User(_))) {
            watchers::begin(app, notify.org, item, who).await?;
        }
    }
    Ok(())
}

async fn assignee(app: &App, org: OrgId, key: &svc_domain::ids::ItemKey) -> Result<Option<Actor>> {
    let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(None) };
    Ok(row.read()?.assignee)
}
