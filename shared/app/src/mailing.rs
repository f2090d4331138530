//! Hands mails over, and remembers whether the mail server takes them.
//!
//! An instance whose mail server is away, or refuses its password, looks well otherwise. So what came of the last mails is
//! a row that Admins and `svc-server doctor` are told of. It changes only when mail begins to fail or to work again.

use jiff::Timestamp;
use svc_domain::mail::MailHealth;
use svc_storage::{Condition, Op, keys};

use crate::App;
use crate::error::{Result, is_conflict};
use crate::ports::{Envelope, MailError};
use crate::transaction::Transaction;

/// What people are told of the mail of this instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailStatus {
    /// Whether it sends any.
    pub available: bool,
    /// Since when that fails, and why.
    pub failing: Option<(Timestamp, String)>,
}

/// Whether mail works.
///
/// # Errors
/// Those of storage.
pub async fn status(app: &App) -> Result<MailStatus> {
    if app.mail.is_none() {
        return Ok(MailStatus { available: false, failing: None });
    }
    let health = health(app).await?;
    let why = health.failure().map(str::to_owned);
    Ok(MailStatus { available: true, failing: health.failing_since.zip(why) })
}

/// What is known of the mail server, whether or not this process sends mail.
///
/// # Errors
/// Those of storage.
pub async fn health(app: &App) -> Result<MailHealth> {
    let row = app.table.get(&keys::mail_health()).await?;
    Ok(row.map(|row| row.read()).transpose()?.unwrap_or_default())
}

/// Hands a mail over.
///
/// # Errors
/// [`MailError`].
pub(crate) async fn send(app: &App, envelope: &Envelope) -> std::result::Result<(), MailError> {
    let Some(mail) = &app.mail else {
        return Err(MailError::Refused("this instance sends no mail".to_owned()));
    };
    let sent = mail.send(envelope).await;
    // A mail that was taken must not be sent again because of what is noted of it.
    match note(app, &sent).await {
        Err(error) if is_conflict(&error) => {}
        Err(error) => tracing::warn!(%error, "what came of a mail could not be noted"),
        Ok(()) => {}
    }
    sent
}

async fn note(app: &App, sent: &std::result::Result<(), MailError>) -> Result<()> {
    let row = app.table.get(&keys::mail_health()).await?;
    let condition = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
    let before: MailHealth = row.map(|row| row.read()).transpose()?.unwrap_or_default();
    let mut after = before.clone();
    match sent {
        Ok(()) => after.worked(),
        Err(MailError::Refused(why)) => after.refused(why, app.now()),
        Err(MailError::Unavailable(why)) => after.failed(&why.to_string(), app.now()),
    }
    if after == before {
        return Ok(());
    }
    let op = Op::put(keys::mail_health(), condition, &after);
    app.commit(Transaction::bookkeeping(app).with([op])).await
}
