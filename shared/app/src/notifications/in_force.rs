//! When a person is told of what, as things are: with what their organizations suggest, and whether mail gets to them.

use svc_domain::identity::{Scope, User};
use svc_domain::notification::NotificationKind;
use svc_domain::notification::preferences::{Defaults, Preferences};
use svc_storage::keys;

use super::enqueue::defaults_of;
use super::owner::owner;
use super::preferences::preferences_of;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::identity::visible_to;
use crate::mailing;

/// What is in force for a person.
#[derive(Clone, Debug)]
pub struct InForce {
    /// What they said.
    pub preferences: Preferences,
    /// What their organizations suggest, by slug, of these kinds.
    pub suggested: Vec<(String, Defaults)>,
    /// Why mail does not get to them, and what to do.
    pub mail: Option<String>,
}

impl InForce {
    /// Where what is in force differs: each kind where no organization says anything, and what organizations say.
    pub fn kinds(&self) -> impl Iterator<Item = (Option<&str>, NotificationKind, &Defaults)> {
        const NOTHING: &Defaults = &Defaults(std::collections::BTreeMap::new());
        let usual = NotificationKind::ALL.iter().map(|kind| (None, *kind, NOTHING));
        usual.chain(self.suggested.iter().flat_map(|(org, defaults)| {
            defaults.0.keys().map(move |kind| (Some(org.as_str()), *kind, defaults))
        }))
    }
}

/// What is in force for the caller, in the organizations that the credential sees.
///
/// # Errors
/// As [`super::preferences`].
pub async fn in_force(app: &App, caller: Option<&BearerCredential>) -> Result<InForce> {
    let (credential, user) = owner(app, caller, Scope::Read).await?;
    let (preferences, _) = preferences_of(app, user).await?;
    let mut suggested = Vec::new();
    for seen in visible_to(app, &credential).await? {
        let defaults = defaults_of(app, seen.org.id).await?;
        if !defaults.0.is_empty() {
            suggested.push((seen.org.slug.to_string(), defaults));
        }
    }
    let account: Option<User> = app.table.find(&keys::user(user)).await?.map(|row| row.read()).transpose()?;
    let mail = match account {
        Some(account) => hindrance(app, &account).await?,
        None => None,
    };
    Ok(InForce { preferences, suggested, mail })
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
