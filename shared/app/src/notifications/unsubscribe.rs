//! The link in each mail that turns mail of its kinds off, for whoever follows it: nobody has to sign in for that
//! (RFC 8058). Its token is sealed, so that nobody can make one for somebody else.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_domain::ids::UserId;
use svc_domain::notification::NotificationKind;
use svc_domain::refusal::Refusal;
use svc_storage::{Op, keys};

use super::preferences::preferences_of;
use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// What the tokens are sealed for.
const PURPOSE: &str = "unsubscribe";

/// What a token stands for.
#[derive(Debug, Serialize, Deserialize)]
struct Stops {
    user: UserId,
    kinds: BTreeSet<NotificationKind>,
}

/// The link that turns mail of these kinds off; `None` where the instance has no key.
pub(super) fn link(
    app: &App,
    user: UserId,
    kinds: impl IntoIterator<Item = NotificationKind>,
) -> Option<String> {
    let stops = serde_json::to_string(&Stops { user, kinds: kinds.into_iter().collect() }).ok()?;
    let token = app.sealing.as_ref()?.seal(&*app.ids, PURPOSE, &stops);
    let base = &app.settings.service.base_url;
    // As addresses write it.
    let token = token.replace('+', "-").replace('/', "_");
    Some(format!("{base}/api/v1/notifications/unsubscribe/{token}"))
}

fn open(app: &App, token: &str) -> Result<Stops> {
    let token = token.replace('-', "+").replace('_', "/");
    let stops = app.sealing.as_ref().and_then(|sealing| sealing.open(PURPOSE, &token));
    let stops: Option<Stops> = stops.and_then(|stops| serde_json::from_str(&stops).ok());
    Ok(stops.ok_or(Refusal::NotFound)?)
}

/// Where people choose what is mailed to them, for a token of a mail.
///
/// # Errors
/// [`Refusal::NotFound`] for what is no token of this instance.
pub fn mail_settings(app: &App, token: &str) -> Result<String> {
    open(app, token)?;
    let base = &app.settings.service.base_url;
    Ok(format!("{base}/settings/notifications"))
}

/// Turns mail off as a token says. Repeating it is harmless.
///
/// # Errors
/// [`Refusal::NotFound`] for what is no token of this instance.
pub async fn unsubscribe(app: &App, token: &str) -> Result<()> {
    let Stops { user, kinds } = open(app, token)?;
    app.decide(|| async {
        if app.table.find(&keys::user(user)).await?.is_none() {
            return Err(Refusal::NotFound.into());
        }
        let (mut preferences, condition) = preferences_of(app, user).await?;
        preferences.stop_mail(kinds.iter().copied());
        let op = Op::put(keys::preferences(user), condition, &preferences);
        app.commit(Transaction::bookkeeping(app).with([op])).await
    })
    .await
}
