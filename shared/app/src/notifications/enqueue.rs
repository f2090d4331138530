//! Puts news into what waits to be sent, in the commit that puts them into the inbox: steps 4 and 5 of the protocol in
//! [`super`].

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use svc_domain::ids::{OrgId, UserId};
use svc_domain::notification::channel::{Mode, OrgChannel, Platform};
use svc_domain::notification::delivery::{Lane, Pending, due_by_mail};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::{Defaults, DigestTime, Place, Preferences};
use svc_domain::notification::{Entry, News, NotificationKind, Subject};
use svc_storage::{Condition, Key, Limits, Op, Row, RowOf, keys};

use super::seen::entry_id;
use super::stored_channel::channels_of_org;
use crate::App;
use crate::error::Result;
use crate::messages::Deliver;
use crate::outbox::send_hint;
use crate::transaction::Transaction;
use crate::wanted;

/// Rows that say what one person wants.
const ROWS: usize = 1 + Platform::OF_PEOPLE.len();
/// What is not sent by then is of no use.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 7);
/// What is due later than this is left to the tick.
const SOON: SignedDuration = SignedDuration::from_mins(2);

/// What a person wants to be told, and where that is possible.
pub(super) struct Wishes {
    pub(super) preferences: Preferences,
    places: Vec<Place>,
}

/// A place that news are sent to.
#[derive(Clone, Debug)]
pub(super) struct Sending {
    destination: Destination,
    lane: Lane,
    due: Timestamp,
    key: Key,
}

/// What these people want.
pub(super) async fn wishes(app: &App, people: &[UserId]) -> Result<BTreeMap<UserId, Wishes>> {
    let mut wishes = BTreeMap::new();
    for people in people.chunks(Limits::KEYS / ROWS) {
        let rows = |user: &UserId| {
            let channels = Platform::OF_PEOPLE.map(|platform| keys::channel(*user, platform.as_str()));
            (keys::preferences(*user), channels)
        };
        let rows = wanted::load(app, people.iter().map(rows).collect::<Vec<_>>()).await?;
        for (user, (preferences, channels)) in people.iter().zip(rows) {
            let preferences = RowOf::or_default(preferences.as_ref())?;
            let mut places: Vec<Place> = app.mail.is_some().then_some(Place::Mail).into_iter().collect();
            for row in channels.iter().flatten() {
                let channel = row.read()?;
                places.extend(channel.works().then_some(Place::Chat(channel.platform)));
            }
            places.extend(preferences.browsers.iter().copied().map(Place::Browser));
            wishes.insert(*user, Wishes { preferences, places });
        }
    }
    Ok(wishes)
}

/// What an organization suggests.
pub(super) async fn defaults_of(app: &App, org: OrgId) -> Result<Defaults> {
    let row = app.table.find(&keys::notification_defaults(org)).await?;
    Ok(row.map(|row| row.read()).transpose()?.unwrap_or_default())
}

impl Wishes {
    /// Where and when a person is told news.
    pub(super) fn sendings(
        &self,
        (user, org): (UserId, OrgId),
        subject: &Subject,
        kind: NotificationKind,
        defaults: &Defaults,
        now: Timestamp,
    ) -> Vec<Sending> {
        let sending = |place: &Place| {
            let (lane, due) = match self.preferences.mode(kind, *place, defaults) {
                Mode::Off => return None,
                Mode::Immediate if *place == Place::Mail => (Lane::Now, due_by_mail(kind, now)),
                Mode::Immediate => (Lane::Now, now),
                Mode::Digest => (Lane::Digest, self.preferences.digest.next_after(now)),
            };
            Some(Sending::new(Destination::Person(user, *place), lane, due, org, subject))
        };
        self.places.iter().filter_map(sending).collect()
    }
}

impl Sending {
    fn new(destination: Destination, lane: Lane, due: Timestamp, org: OrgId, subject: &Subject) -> Self {
        let key = keys::pending(destination, lane.as_str(), entry_id(org, subject));
        Self { destination, lane, due, key }
    }

    /// The row of what waits there.
    pub(super) const fn key(&self) -> &Key {
        &self.key
    }

    /// Writes the news; whether a worker has to be told of it.
    pub(super) fn write(
        &self,
        row: Option<&Row>,
        (org, subject): (OrgId, &Subject),
        news: &News,
        transaction: &mut Transaction,
    ) -> Result<bool> {
        let now = transaction.at();
        let (condition, mut pending) = match row {
            Some(row) => (Condition::Version(row.version), row.read::<Pending>()?),
            None => (Condition::Absent, Pending::new(Entry::new(org, subject.clone()), now, self.due)),
        };
        let was_due = row.is_some().then_some(pending.due).filter(|_| !pending.is_sent());
        if was_due.is_none() {
            pending.due = self.due;
            pending.since = now;
        }
        // A page may have moved.
        pending.entry.subject = subject.clone();
        if !pending.add(news.clone(), self.due) {
            return Ok(false);
        }
        let expires = (pending.due + KEPT).as_second();
        transaction.write([Op::put(self.key.clone(), condition, &pending).expiring(expires)]);
        if was_due == Some(pending.due) {
            return Ok(false);
        }
        transaction.write([due(self.destination, pending.due)]);
        Ok(true)
    }

    /// Tells a worker, after the commit, of what is due soon. The tick knows of it as well.
    pub(super) async fn hint(&self, app: &App) {
        let delay = self.due.duration_since(app.now());
        if self.lane == Lane::Now && delay <= SOON {
            send_hint(app, Deliver { destination: self.destination }, delay).await;
        }
    }
}

/// The row that says that something is due to be sent then.
pub(super) fn due(destination: Destination, at: Timestamp) -> Op {
    Op::put(keys::to_send(at.as_millisecond(), destination), Condition::None, &destination)
}

/// Tells the channels of an organization what any of its members may see.
pub(super) async fn tell_channels(app: &App, org: OrgId, subject: &Subject, news: &News) -> Result<()> {
    let asks = news.kind == NotificationKind::RunNeedsInput;
    // That an agent asks is no secret; what agents do and say is.
    if news.agents_work && !asks {
        return Ok(());
    }
    let news = News { agents_work: false, ..news.clone() };
    for OrgChannel { channel, modes, .. } in channels_of_org(app, org).await? {
        let now = app.now();
        let (lane, at) = match modes.get(&news.kind) {
            Some(Mode::Immediate) => (Lane::Now, now),
            Some(Mode::Digest) => (Lane::Digest, DigestTime::default().next_after(now)),
            Some(Mode::Off) | None => continue,
        };
        if !channel.works() {
            continue;
        }
        let sending = Sending::new(Destination::Channel(org, channel.id), lane, at, org, subject);
        let wake = app
            .decide(|| async {
                let row = app.table.get(&sending.key).await?;
                let mut transaction = Transaction::by_itself(app, org);
                let wake = sending.write(row.as_ref(), (org, subject), &news, &mut transaction)?;
                if !transaction.is_empty() {
                    app.commit(transaction).await?;
                }
                Ok(wake)
            })
            .await?;
        if wake {
            sending.hint(app).await;
        }
    }
    Ok(())
}
