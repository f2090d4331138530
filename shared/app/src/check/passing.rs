//! Checks temporary rows: messages to send, unfinished sign-ins and connections, request budgets, idempotency keys,
//! the audit log, the journal.

use jiff::SignedDuration;
use svc_domain::audit::AuditEntry;
use svc_domain::ids::OrgId;
use svc_domain::journal::Line;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::org_or_mark;
use crate::dead_letters::DeadLetter;
use crate::outbox::Unsent;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("IMPORT", "STORE", |_, context| {
        context.broken("an import into this store has not finished; run `svc-server import` again");
        Ok(())
    }),
    Kind::new("OUTBOX#<shard>", "<time>#<id>", message),
    Kind::new("DEADLETTERS", "<time>#<id>", dead_letter),
    Kind::new("SIGNIN#<sha256>", "ATTEMPT", expires),
    Kind::new("CONNECT#<sha256>", "ATTEMPT", expires),
    Kind::new("RATE#<subject>", "<minute>", expires),
    Kind::new("IDEM#<subject>", "<key>", expires),
    Kind::new("AUDIT#<org>", "<time>#<id>", audited),
    Kind::new("INSTANCEAUDIT", "<time>#<id>", audited_of_instance),
    Kind::new("JOURNAL#<org>", "<time>#<id>", journaled),
];

/// After this long the tick should have sent a message twice over.
const UNSENT: SignedDuration = SignedDuration::from_mins(5);

fn message(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.read::<Unsent>(context)?;
    let time: i64 = subject.part("time", context)?;
    if time < (context.now() - UNSENT).as_millisecond() {
        context.waiting("the message was not sent");
    }
    Ok(())
}

fn dead_letter(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let letter: DeadLetter = subject.read(context)?;
    context.waiting(format!(
        "workers gave a message up after {} ({}); fix the cause, then run `svc-server replay`",
        letter.tried(),
        letter.why
    ));
    Ok(())
}

fn audited(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    audited_of_instance(subject, context)?;
    org_or_mark(context, subject.part("org", context)?)
}

fn audited_of_instance(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let entry: AuditEntry = subject.read(context)?;
    let time: i64 = subject.part("time", context)?;
    if time != entry.at.as_millisecond() {
        context.broken("its key has another time");
    }
    expires(subject, context)
}

fn journaled(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let line: Line = subject.read(context)?;
    let (org, _): (OrgId, i64) = (subject.part("org", context)?, subject.part("time", context)?);
    if line.changed.is_empty() {
        context.broken("it tells nothing");
    }
    org_or_mark(context, org)?;
    expires(subject, context)
}

fn expires(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    if subject.row.ttl.is_none() {
        context.broken("it never expires");
    }
    Ok(())
}
