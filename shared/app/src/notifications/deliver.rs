//! Sends what waits to be sent: steps 6 to 8 of the protocol in [`super`]. What becomes of an attempt:
//! [`svc_domain::notification::delivery`].

use std::collections::{BTreeMap, BTreeSet};

use futures::stream::{self, StreamExt as _};
use jiff::{SignedDuration, Timestamp};
use svc_domain::notification::delivery::{Batch, Head, Lane, MANY, Outcome, Pending, Verdict, lease};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use super::compose::compose;
use super::enqueue::due;
use super::target::Target;
use crate::App;
use crate::error::{Result, is_conflict};
use crate::messages::{Deliver, TellBroken};
use crate::outbox::{Outgoing, send_now};
use crate::transaction::Transaction;

/// Batches that one call sends to a destination.
const AT_MOST: usize = 50;
/// Things of one batch that is sent at once, and those of any that one commit takes away.
const MOST_TOGETHER: usize = 60;
/// Things of one digest. What a storm brings on top of them comes with the next.
const MOST_OF_A_DAY: usize = 2_000;
/// Destinations that the tick looks after at the same time.
const AT_ONCE: usize = 8;
/// Chats take one message a second.
const BETWEEN: SignedDuration = SignedDuration::from_secs(1);
/// How long the record of a destination is kept that nothing is sent to.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24 * 30);
/// For how long a channel of an organization remembers what it was sent: for a message that comes again.
const SENT_KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Sends what is due at a destination. Answers after which time it may be asked again, where this call has to wait.
///
/// # Errors
/// Those of storage: the tick goes on.
pub async fn deliver(app: &App, destination: Destination) -> Result<Option<SignedDuration>> {
    for _ in 0..AT_MOST {
        match step(app, destination).await? {
            Step::Sent => {}
            Step::Wait(until) => return Ok(Some(until.duration_since(app.now()))),
            Step::Nothing => return Ok(None),
        }
    }
    Ok(Some(SignedDuration::ZERO))
}

/// Has workers send everything that is due, within the shares that they have for it. What says that something is due goes
/// once the queue has the message.
///
/// # Errors
/// The first failure, after all destinations were tried: the next call goes on.
pub async fn deliver_due(app: &App) -> Result<()> {
    let until = keys::sortable(app.now().as_millisecond() + 1);
    let mut rows: BTreeMap<Destination, Vec<Row>> = BTreeMap::new();
    for shard in 0..keys::TO_SEND_SHARDS {
        let range = Range::Between("0".to_owned(), until.clone());
        for row in app.table.query_all(Query::new(keys::to_send_pk(shard), range, 1_000)).await? {
            rows.entry(row.read()?).or_default().push(row);
        }
    }
    let sent = stream::iter(rows).map(|(destination, rows)| async move {
        send_now(app, Deliver { destination }).await?;
        // What became due meanwhile wrote its row again.
        for row in rows {
            let gone = row.deleted();
            match app.commit(Transaction::bookkeeping(app).with([gone])).await {
                Err(error) if is_conflict(&error) => {}
                committed => committed?,
            }
        }
        Ok(())
    });
    let sent: Vec<Result<()>> = sent.buffer_unordered(AT_ONCE).collect().await;
    sent.into_iter().fold(Ok(()), Result::and)
}

enum Step {
    Sent,
    Wait(Timestamp),
    Nothing,
}

/// What waits at a destination, as it was read.
struct Waiting {
    head: Head,
    condition: Condition,
    pending: BTreeMap<String, (u64, Pending)>,
}

impl Waiting {
    async fn read(app: &App, destination: Destination) -> Result<Self> {
        let mut waiting =
            Self { head: Head::default(), condition: Condition::Absent, pending: BTreeMap::new() };
        let query = Query::new(keys::sending_pk(destination), Range::All, 1_000);
        for row in app.table.query_all(query).await? {
            if row.key.sk == "HEAD" {
                waiting.condition = Condition::Version(row.version);
                waiting.head = row.read()?;
            } else {
                waiting.pending.insert(row.key.sk.clone(), (row.version, row.read()?));
            }
        }
        Ok(waiting)
    }

    /// What is due now, in one batch: one thing at a time, in the order in which they came, or all where they are many or
    /// a digest.
    fn choose(&self, now: Timestamp) -> Option<(Lane, BTreeMap<String, u64>)> {
        for lane in [Lane::Now, Lane::Digest] {
            let prefix = format!("{}#", lane.as_str().to_uppercase());
            let of_lane = |(sk, (_, pending)): &(&String, &(u64, Pending))| {
                sk.starts_with(&prefix) && !pending.is_sent() && pending.due <= now
            };
            let mut due: Vec<(&String, &(u64, Pending))> = self.pending.iter().filter(of_lane).collect();
            due.sort_by_key(|(_, (_, pending))| pending.since);
            if lane == Lane::Now && due.len() <= MANY {
                due.truncate(1);
            }
            due.truncate(if lane == Lane::Now { MOST_TOGETHER } else { MOST_OF_A_DAY });
            if !due.is_empty() {
                let part = |(sk, (_, pending)): (&String, &(u64, Pending))| (sk.clone(), pending.entry.told);
                return Some((lane, due.into_iter().map(part).collect()));
            }
        }
        None
    }

    /// Takes away what a batch leaves that is over, as much as a commit does.
    fn cleared(&mut self, destination: Destination, now: Timestamp) -> Vec<Op> {
        let mut ops = Vec::new();
        for (sk, told) in self.head.clear(MOST_TOGETHER) {
            let Some((version, pending)) = self.pending.get_mut(&sk) else { continue };
            ops.extend(part_ops(destination, &sk, *version, pending, (told, now)));
        }
        ops
    }

    /// When this destination is looked at again.
    fn again_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.head.is_to_clear() {
            return Some(now);
        }
        let waits = self.head.busy_until(now).unwrap_or(now);
        self.next().map(|next| next.max(waits))
    }

    fn next(&self) -> Option<Timestamp> {
        self.pending.values().filter(|(_, pending)| !pending.is_sent()).map(|(_, pending)| pending.due).min()
    }
}

async fn step(app: &App, destination: Destination) -> Result<Step> {
    let mut waiting = Waiting::read(app, destination).await?;
    let now = app.now();
    if let Some(until) = waiting.head.leased_until(now) {
        // The worker that has it may be gone: whoever comes again then takes it over.
        return Ok(Step::Wait(until));
    }
    if let Some(until) = waiting.head.busy_until(now) {
        let held = waiting.head.held_until == Some(until) && waiting.next().is_some_and(|next| next <= until);
        return Ok(if held { Step::Wait(until) } else { Step::Nothing });
    }
    if waiting.head.is_to_clear() {
        return app.decide(|| clear(app, destination)).await;
    }
    if waiting.pending.values().all(|(_, pending)| pending.is_sent()) && waiting.head.batch.is_none() {
        return Ok(Step::Nothing);
    }
    let Some(target) = Target::find(app, destination).await? else {
        forget(app, destination, &waiting).await?;
        return Ok(Step::Nothing);
    };
    let lease = lease(matches!(destination, Destination::Person(_, Place::Mail)));
    let batch = match waiting.head.take_again(now, lease) {
        Some(batch) => batch,
        None => match waiting.choose(now) {
            Some((lane, parts)) => waiting.head.begin(app.uuid(), lane, parts, (now, now + lease)),
            None => return Ok(Step::Nothing),
        },
    };
    // Should this worker stop now, the tick finds the batch when the lease is over.
    let claim =
        [head_op(app, destination, waiting.condition, &waiting.head), due(destination, batch.free_at)];
    match app.commit(Transaction::bookkeeping(app).with(claim)).await {
        Err(error) if is_conflict(&error) => return Ok(Step::Nothing),
        claimed => claimed?,
    }
    let part = |(sk, told): (&String, &u64)| Some(waiting.pending.get(sk)?.1.clone().up_to(*told));
    let parts: Vec<Pending> = batch.parts.iter().filter_map(part).collect();
    let outcome = match compose(app, destination, &target, &batch, parts).await? {
        Some(message) => {
            let sent = target.send(app, message).await?;
            app.metrics.delivered(target.channel(), sent.0 == Outcome::Sent);
            sent
        }
        // Its reader may see nothing of it any more, or has read it.
        None => (Outcome::Sent, None),
    };
    app.decide(|| settle(app, destination, &target, &batch, outcome.clone())).await
}

/// Writes what came of an attempt, unless another worker has taken the batch since.
async fn settle(
    app: &App,
    destination: Destination,
    target: &Target,
    batch: &Batch,
    (outcome, moved): (Outcome, Option<String>),
) -> Result<Step> {
    let mut waiting = Waiting::read(app, destination).await?;
    let same = |known: &Batch| known.id == batch.id && known.attempt == batch.attempt;
    if !waiting.head.batch.as_ref().is_some_and(same) {
        return Ok(Step::Nothing);
    }
    let now = app.now();
    let chance = app.uuid().as_bytes()[15];
    let arrived = outcome == Outcome::Sent;
    let away = match &outcome {
        Outcome::Away(why) => Some(why.clone()),
        Outcome::Sent | Outcome::Later(_) | Outcome::Refused(_) | Outcome::Gone(_) => None,
    };
    let verdict = waiting.head.settle(outcome, now, chance);
    let mut transaction = Transaction::bookkeeping(app);
    let mut messages = Vec::new();
    let mut times = BTreeSet::new();
    if let Verdict::Again(at) = verdict {
        times.insert(at);
    } else {
        transaction.write(waiting.cleared(destination, now));
        if arrived && target.is_chat() && waiting.next().is_some() {
            waiting.head.held_until = Some(now + BETWEEN);
        }
    }
    match &verdict {
        Verdict::Done | Verdict::Again(_) => {}
        Verdict::GivenUp(why) => tracing::error!(%destination, why, "a message is given up"),
        Verdict::Broken(why) => {
            // What else waits is forgotten by the next step, which finds no channel that works.
            tracing::warn!(%destination, why, "a channel is broken");
        }
    }
    if let Some(noted) = target.note(app, &verdict, arrived, away.as_deref(), moved).await? {
        transaction.write(noted.ops);
        if noted.broke {
            let told = TellBroken { destination, id: app.uuid() };
            messages.push(Outgoing::new(app, told, SignedDuration::ZERO));
        }
    }
    times.extend(waiting.again_at(now));
    transaction.write(times.into_iter().map(|at| due(destination, at)));
    transaction.write([head_op(app, destination, waiting.condition, &waiting.head)]);
    transaction.write(messages.iter().map(Outgoing::op));
    app.commit(transaction).await?;
    for message in messages {
        message.send(app).await;
    }
    Ok(match verdict {
        Verdict::Again(at) => Step::Wait(at),
        Verdict::Done | Verdict::GivenUp(_) | Verdict::Broken(_) => Step::Sent,
    })
}

/// Takes away some more of what a batch leaves that is over.
async fn clear(app: &App, destination: Destination) -> Result<Step> {
    let mut waiting = Waiting::read(app, destination).await?;
    if !waiting.head.is_to_clear() {
        return Ok(Step::Sent);
    }
    let now = app.now();
    let mut transaction = Transaction::bookkeeping(app).with(waiting.cleared(destination, now));
    transaction.write(waiting.again_at(now).map(|at| due(destination, at)));
    transaction.write([head_op(app, destination, waiting.condition, &waiting.head)]);
    app.commit(transaction).await?;
    Ok(Step::Sent)
}

/// What was sent is taken away; news that came meanwhile stay.
fn part_ops(
    destination: Destination,
    sk: &str,
    version: u64,
    pending: &mut Pending,
    (told, now): (u64, Timestamp),
) -> Vec<Op> {
    let key = sending(destination, sk);
    if pending.sent(told) {
        if sk.starts_with("DIGEST") {
            pending.due += SignedDuration::from_hours(24);
        }
        return vec![Op::replace(key, version, pending)];
    }
    match destination {
        Destination::Channel(..) => {
            vec![Op::replace(key, version, pending).expiring((now + SENT_KEPT).as_second())]
        }
        Destination::Person(..) => vec![Op::delete(key, Condition::Version(version))],
    }
}

fn sending(destination: Destination, sk: &str) -> svc_storage::Key {
    svc_storage::Key::new(keys::sending_pk(destination), sk)
}

pub(super) fn head_op(app: &App, destination: Destination, condition: Condition, head: &Head) -> Op {
    let expires = (app.now() + REMEMBERED).as_second();
    Op::put(keys::sending_head(destination), condition, head).expiring(expires)
}

/// Takes away what waits for a destination that is not there any more.
async fn forget(app: &App, destination: Destination, waiting: &Waiting) -> Result<()> {
    let names = waiting.pending.keys().map(String::as_str).chain(["HEAD"]);
    let ops: Vec<Op> = names.map(|sk| Op::delete(sending(destination, sk), Condition::None)).collect();
    for ops in ops.chunks(svc_storage::Limits::OPS) {
        app.commit(Transaction::bookkeeping(app).with(ops.to_vec())).await?;
    }
    Ok(())
}
