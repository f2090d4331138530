//! What people want to be told of, and what organizations suggest to them (specification sections 2.7 and 4.1).

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::Capability;
use svc_domain::identity::Scope;
use svc_domain::ids::UserId;
use svc_domain::notification::NotificationKind;
use svc_domain::notification::preferences::{
    DefaultModes, Defaults, DigestTime, MAX_MUTES, Mute, Preference, Preferences,
};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::owner::account_owner;
use crate::App;
use crate::entry::{BearerCredential, Caller, enter_org_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// A wanted change of when digests are sent and of what is muted; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub struct SettingsChange {
    /// Hour of the day.
    pub digest_hour: Option<u8>,
    /// IANA name of the time zone.
    pub time_zone: Option<String>,
    /// All that is muted.
    pub mutes: Option<Vec<Mute>>,
}

/// Writes what the caller wants of these kinds; the others stay.
///
/// # Errors
/// As [`super::in_force`]; [`Refusal::Forbidden`] also for a token that is bound to an organization: preferences are of the
/// account.
pub async fn set_preferences(
    app: &App,
    caller: Option<&BearerCredential>,
    kinds: &BTreeMap<NotificationKind, Preference>,
) -> Result<Preferences> {
    change(app, caller, |preferences| {
        preferences.kinds.extend(kinds);
        Ok(())
    })
    .await
}

/// Changes when the caller's digests are sent and what is muted.
///
/// # Errors
/// As [`set_preferences`]; [`Refusal::Invalid`].
pub async fn set_settings(
    app: &App,
    caller: Option<&BearerCredential>,
    wanted: &SettingsChange,
) -> Result<Preferences> {
    change(app, caller, |preferences| {
        let hour = wanted.digest_hour.unwrap_or(preferences.digest.hour);
        let zone = wanted.time_zone.as_deref().unwrap_or(&preferences.digest.time_zone);
        preferences.digest = DigestTime::checked(hour, zone)?;
        if let Some(mutes) = &wanted.mutes {
            if mutes.len() > MAX_MUTES {
                return Err(Refusal::invalid("mutes", format!("Mute at most {MAX_MUTES} things.")));
            }
            preferences.mutes = mutes.iter().cloned().collect::<BTreeSet<_>>();
        }
        Ok(())
    })
    .await
}

async fn change(
    app: &App,
    caller: Option<&BearerCredential>,
    change: impl Fn(&mut Preferences) -> std::result::Result<(), Refusal>,
) -> Result<Preferences> {
    let change = &change;
    app.decide(|| async move {
        let user = account_owner(app, caller, Scope::Write).await?;
        let (mut preferences, condition) = preferences_of(app, user).await?;
        change(&mut preferences)?;
        let op = Op::put(keys::preferences(user), condition, &preferences);
        app.commit(Transaction::of_account(app, caller).with([op])).await?;
        Ok(preferences)
    })
    .await
}

/// What a person wants to be told of, and what must hold of its row when it is written.
pub(super) async fn preferences_of(app: &App, user: UserId) -> Result<(Preferences, Condition)> {
    let row = app.table.find(&keys::preferences(user)).await?;
    let condition = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
    Ok((row.map(|row| row.read()).transpose()?.unwrap_or_default(), condition))
}

/// What an organization suggests to its people.
///
/// # Errors
/// What [`Capability::SeeOrg`] refuses.
pub async fn defaults(app: &App, caller: Caller<'_>) -> Result<Defaults> {
    let (_, row) = enter_org_with(app, caller, Capability::SeeOrg, keys::notification_defaults).await?;
    Ok(RowOf::or_default(row.as_ref())?)
}

/// Replaces what an organization suggests. Kinds that are left out, or say nothing, have no default.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses.
pub async fn set_defaults(
    app: &App,
    caller: Caller<'_>,
    kinds: &BTreeMap<NotificationKind, DefaultModes>,
) -> Result<Defaults> {
    app.decide(|| async {
        let (entry, row) =
            enter_org_with(app, caller, Capability::AdministerOrg, keys::notification_defaults).await?;
        let said = kinds.iter().filter(|(_, modes)| !modes.is_empty());
        let defaults = Defaults(said.map(|(kind, modes)| (*kind, *modes)).collect());
        let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let op = Op::put(keys::notification_defaults(entry.org_id()), condition, &defaults);
        app.commit(Transaction::of(app, &entry).with([op])).await?;
        Ok(defaults)
    })
    .await
}
