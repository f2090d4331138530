//! When a person is told of what, as things are: with what their organizations suggest, and whether mail gets to them.

use svc_domain::identity::{Scope, User};
use svc_domain::notification::NotificationKind;
use svc_domain::notification::preferences::{Defaults, Medium, Preference, Preferences};
use svc_domain::refusal::Refusal;
use svc_storage::keys;

use super::enqueue::defaults_of;
use super::owner::owner;
use super::preferences::preferences_of;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::{Error, Result};
use crate::identity::visible_to;
use crate::mailing;

/// What is in force for a person.
#[derive(Clone, Debug)]
pub struct InForce {
    /// What they said.
    pub preferences: Preferences,
    /// What each of their organizations suggests, by slug.
    pub suggested: Vec<(String, Defaults)>,
    /// Why mail does not get to them, and what to do.
    pub mail: Option<String>,
}

impl InForce {
    /// Where what is in force differs: each kind of which some organization says nothing, or there is none, and what
    /// organizations say.
    pub fn kinds(&self) -> impl Iterator<Item = (Option<&str>, NotificationKind, &Defaults)> {
        const NOTHING: &Defaults = &Defaults(std::collections::BTreeMap::new());
        let all_speak = |kind| {
            !self.suggested.is_empty()
                && self.suggested.iter().all(|(_, defaults)| defaults.0.contains_key(kind))
        };
        let usual = NotificationKind::ALL.iter().filter(move |kind| !all_speak(kind));
        usual.map(|kind| (None, *kind, NOTHING)).chain(self.suggested.iter().flat_map(|(org, defaults)| {
            defaults.0.keys().map(move |kind| (Some(org.as_str()), *kind, defaults))
        }))
    }

    /// What the person wants of a kind: of mail of which they said nothing, what all their organizations suggest alike.
    pub fn of_kind(&self, kind: NotificationKind) -> Preference {
        let mut preference = self.preferences.of_kind(kind);
        if !self.preferences.kinds.contains_key(&kind) {
            let mut modes = self
                .kinds()
                .filter(|(_, of, _)| *of == kind)
                .map(|(_, _, defaults)| self.preferences.in_force(kind, Medium::Mail, defaults).mode);
            if let Some(first) = modes.next().filter(|first| modes.all(|mode| mode == *first)) {
                preference.email = first;
            }
        }
        preference
    }
}

/// What is in force for the caller, in the organizations that the credential sees.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for agents and runners.
pub async fn in_force(app: &App, caller: Option<&BearerCredential>) -> Result<InForce> {
    let (credential, user) = owner(app, caller, Scope::Read).await?;
    let (preferences, _) = preferences_of(app, user).await?;
    let mut suggested = Vec::new();
    for seen in visible_to(app, &credential).await? {
        suggested.push((seen.org.slug.to_string(), defaults_of(app, seen.org.id).await?));
    }
    let account: Option<User> = app.table.find(&keys::user(user)).await?.map(|row| row.read()).transpose()?;
    let mail = match account {
        Some(account) => hindrance(app, &account).await?,
        None => None,
    };
    Ok(InForce { preferences, suggested, mail })
}

/// What is in force once the caller has written what they want. A token that may not read is told of what it wrote alone.
///
/// # Errors
/// As [`in_force`].
pub async fn in_force_after(
    app: &App,
    caller: Option<&BearerCredential>,
    written: Preferences,
) -> Result<InForce> {
    match in_force(app, caller).await {
        Err(Error::Refused(Refusal::MissingScope(_))) => {
            Ok(InForce { preferences: written, suggested: Vec::new(), mail: None })
        }
        seen => seen,
    }
}

async fn hindrance(app: &App, account: &User) -> Result<Option<String>> {
    let status = mailing::status(app).await?;
    if !status.available {
        let why = "This instance sends no mail. Its operator can turn it on with the `Mail` settings.";
        return Ok(Some(why.to_owned()));
    }
    if let Some((since, _)) = status.failing {
        let why =
            format!("Mail has failed since {since:.0}. Its operator sees why with `svc-server doctor`.");
        return Ok(Some(why));
    }
    Ok(match &account.new_email {
        Some(new) => Some(format!(
            "Mail goes to {} until you open the link that was sent to {new}, your new address.",
            account.email
        )),
        None if !account.email_verified => Some(format!(
            "Mail goes to {}, which is not confirmed to be yours. Ask for a new password and open the link that is \
             mailed: that confirms it.",
            account.email
        )),
        None => None,
    })
}
