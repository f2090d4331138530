//! How the instance does: its store, its mail, its runners, and the messages that workers gave up on.

use std::collections::BTreeMap;

use svc_domain::email;
use svc_domain::event::InstanceEvent;
use svc_domain::mail::said;
use svc_domain::refusal::Refusal;

use super::orgs::{all_orgs, stored_bytes};
use crate::App;
use crate::dead_letters::{self as letters, DeadLetter};
use crate::error::Result;
use crate::factory::runners;
use crate::health::Condition;
use crate::identity::admins::{AdminCaller, enter};
use crate::mailing::{self, MailStatus};
use crate::ports::{Envelope, MailError};

/// How the instance does.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Whether the store reads and writes.
    pub condition: Condition,
    /// Whether mail works.
    pub mail: MailStatus,
    /// Messages that workers gave up on.
    pub dead_letters: usize,
    /// Organizations.
    pub orgs: usize,
    /// Bytes of the attachments of all organizations.
    pub stored_bytes: u64,
    /// The runners of all organizations, by version.
    pub runners: Vec<RunnerVersion>,
}

/// The runners of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerVersion {
    /// The version; `None` of those that never said it.
    pub version: Option<String>,
    /// How many there are.
    pub runners: usize,
    /// How many of them are online.
    pub online: usize,
}

/// What came of a mail that was sent as a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailTested {
    /// Whom it was sent to.
    pub to: String,
    /// Why the mail server did not take it; `None` where it did.
    pub failure: Option<String>,
}

/// How the instance does.
///
/// # Errors
/// As [`enter`].
pub async fn overview(app: &App, caller: AdminCaller<'_>) -> Result<Overview> {
    enter(app, caller).await?;
    let orgs = all_orgs(app).await?;
    let (mut bytes, mut by_version) = (0, BTreeMap::<Option<String>, (usize, usize)>::new());
    for org in &orgs {
        bytes += stored_bytes(app, org.id).await?;
        for runner in runners::all(app, org.id).await? {
            let version = runner.status.and_then(|status| status.client_version);
            let (all, online) = by_version.entry(version).or_default();
            *all += 1;
            *online += usize::from(runner.online);
        }
    }
    let of_version = |(version, (runners, online))| RunnerVersion { version, runners, online };
    Ok(Overview {
        condition: app.health.condition(&*app.table, &*app.blobs, app.now()).await,
        mail: mailing::status(app).await?,
        dead_letters: letters::list(app).await?.len(),
        orgs: orgs.len(),
        stored_bytes: bytes,
        runners: by_version.into_iter().map(of_version).collect(),
    })
}

/// The messages that workers gave up on, oldest first.
///
/// # Errors
/// As [`enter`].
pub async fn dead_letters(app: &App, caller: AdminCaller<'_>) -> Result<Vec<DeadLetter>> {
    enter(app, caller).await?;
    letters::list(app).await
}

/// Sends the messages again that workers gave up on; answers how many.
///
/// # Errors
/// As [`enter`].
pub async fn replay(app: &App, caller: AdminCaller<'_>) -> Result<usize> {
    let admin = enter(app, caller).await?;
    let sent = letters::replay(app).await?;
    if sent > 0 {
        app.commit(admin.transaction(app).telling(InstanceEvent::MessagesReplayed(sent))).await?;
    }
    Ok(sent)
}

/// Sends a mail to the admin who asks, and to nobody else: the route is no way to write to strangers.
///
/// # Errors
/// As [`enter`]; [`Refusal::Conflict`] where the instance sends no mail.
pub async fn test_mail(app: &App, caller: AdminCaller<'_>) -> Result<MailTested> {
    let admin = enter(app, caller).await?;
    let off = Refusal::Conflict("this instance sends no mail; its operator sets Mail:Host and Mail:From");
    let Some(to) = admin.account.as_ref().map(|own| own.email.clone()).filter(|_| app.mail.is_some()) else {
        return Err(off.into());
    };
    app.commit(admin.transaction(app).telling(InstanceEvent::MailTested(to.clone()))).await?;
    let id = format!("test.{}", app.uuid());
    let email = email::test(&app.settings.service.base_url);
    let sent = mailing::send(app, &Envelope { to: to.clone(), email, id, list: None }).await;
    let failure = match sent {
        Ok(()) => None,
        Err(MailError::Refused(why)) => Some(said(&why)),
        Err(MailError::Unavailable(why)) => Some(said(&why.to_string())),
    };
    Ok(MailTested { to, failure })
}
