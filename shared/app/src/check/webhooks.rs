//! Checks outbound webhooks and what they sent.

use svc_domain::identity::Org;
use svc_domain::ids::OrgId;
use svc_domain::webhook::{Delivery, DeliveryState, MOST, Webhooks};
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::org_or_mark;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ORG#<org>", "WEBHOOKS", webhooks),
    Kind::new("SENT#<org>", "<webhook>#<delivery>", delivery),
];

fn webhooks(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let webhooks: Webhooks = subject.read(context)?;
    org_or_mark(context, org)?;
    let there: Option<Org> = context.read(&keys::org(org))?;
    if there.is_some_and(|there| there.has_webhooks == webhooks.webhooks.is_empty()) {
        context.broken("the organization says otherwise of whether it has webhooks");
    }
    if webhooks.webhooks.len() > MOST {
        context.broken(format!("there are more than {MOST}"));
    }
    Ok(())
}

/// Its webhook may have been deleted since.
fn delivery(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let delivery: Delivery = subject.read(context)?;
    subject.is_named(context, &keys::delivery(org, delivery.webhook, delivery.id));
    org_or_mark(context, org)?;
    if delivery.state != DeliveryState::Waiting && delivery.next.is_some() {
        context.broken("an attempt is due that is not made any more");
    }
    Ok(())
}
