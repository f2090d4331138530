//! What the wire shows admins of the instance.

use serde::Deserialize;
use svc_api::administration as wire;
use svc_app::administration::{ListedAccount, ListedOrg, MadeLink, MailTested, Overview};
use svc_app::dead_letters::DeadLetter;
use svc_app::health::Condition;
use svc_app::metrics::VERSION;
use svc_domain::mail::said;

use crate::words::Word as _;

/// How the instance does.
pub fn instance(overview: Overview) -> wire::Instance {
    let (mail_failing_since, mail_error) = overview.mail.failing.unzip();
    let runners = overview.runners.into_iter().map(|of| wire::RunnerVersion {
        version: of.version,
        runners: of.runners as u64,
        online: of.online as u64,
    });
    wire::Instance {
        version: VERSION.to_owned(),
        store: match overview.condition {
            Condition::Well => "well",
            Condition::Full => "full",
            Condition::ReadsOnly => "readsOnly",
            Condition::Away => "away",
            Condition::Lost => "lost",
            Condition::BlobsLost => "attachmentsLost",
        }
        .to_owned(),
        mail: overview.mail.available,
        mail_failing_since,
        mail_error,
        dead_letters: overview.dead_letters as u64,
        organizations: overview.orgs as u64,
        stored_bytes: overview.stored_bytes,
        runners: runners.collect(),
    }
}

/// An account.
pub fn account(listed: ListedAccount) -> wire::Account {
    let membership = |(slug, role): (svc_domain::ids::OrgSlug, svc_domain::identity::OrgRole)| {
        wire::AccountMembership { slug: slug.to_string(), role: role.sent() }
    };
    wire::Account {
        id: listed.user.id.to_string(),
        email: listed.user.email,
        email_verified: listed.user.email_verified,
        display_name: listed.user.display_name,
        created_at: listed.user.created_at,
        disabled_at: listed.disabled_at,
        last_sign_in_at: listed.last_sign_in,
        instance_admin: listed.is_instance_admin,
        organizations: listed.orgs.into_iter().map(membership).collect(),
    }
}

/// A link to a new password.
pub fn password_link(made: MadeLink) -> wire::PasswordLink {
    match made {
        MadeLink::Mailed => wire::PasswordLink { mailed: true, link: None },
        MadeLink::Link(link) => wire::PasswordLink { mailed: false, link: Some(link.address) },
    }
}

/// An organization.
pub fn org(listed: ListedOrg) -> wire::InstanceOrganization {
    wire::InstanceOrganization {
        slug: listed.org.slug.to_string(),
        name: listed.org.name,
        created_at: listed.org.created_at,
        owners: listed.owners,
        members: listed.members as u64,
        items: listed.items,
        stored_bytes: listed.stored_bytes,
        plan: listed.org.plan.map(|plan| plan.sent()),
        read_only: listed.org.read_only,
    }
}

/// What came of a test of mail.
pub fn mail_test(tested: MailTested) -> wire::MailTest {
    wire::MailTest { to: tested.to, taken: tested.failure.is_none(), error: tested.failure }
}

/// A message that workers gave up on. Of its body, only what it asks for is shown: the rest may name people.
pub fn dead_letter(letter: DeadLetter) -> wire::DeadLetter {
    #[derive(Deserialize)]
    struct Named {
        kind: String,
    }
    let named = serde_json::from_str::<Named>(&letter.body);
    wire::DeadLetter {
        at: letter.at,
        kind: named.map_or_else(|_| "unknown".to_owned(), |named| named.kind),
        attempts: letter.attempts,
        error: said(&letter.why),
    }
}
