//! The budget of mails to addresses whose owners have not asked for them: invitations, and links to a new address.
//!
//! Anybody who signs in may make an organization and invite. So an account and an organization send only so many an hour
//! and a day, and organizations that are no longer new send more. Only mail counts: links that are passed on by hand do
//! not.

use jiff::SignedDuration;
use svc_domain::identity::Org;
use svc_domain::ids::ActorId;

use super::spend_one;
use crate::App;
use crate::error::Result;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;
/// How long an organization is new.
const NEW: SignedDuration = SignedDuration::from_hours(24 * 30);
/// How many times as much others may send.
const MORE: u32 = 5;

/// Spends one mail to a stranger, of an account and of the organization that it invites to.
///
/// # Errors
/// [`RateLimited`](svc_domain::refusal::Refusal::RateLimited) until the hour or the day is over; those of storage.
pub(crate) async fn spend_mail(app: &App, by: ActorId, org: Option<&Org>) -> Result<()> {
    let known = org.is_some_and(|org| app.now().duration_since(org.created_at) >= NEW);
    let limits = &app.settings.rate_limits;
    let (of_hour, of_day) = (limits.invitations_per_hour, limits.invitations_per_day);
    let subjects = [Some(format!("strangers:{by}")), org.map(|org| format!("strangers:{}", org.id))];
    for subject in subjects.iter().flatten() {
        for (seconds, limit) in [(HOUR, of_hour), (DAY, of_day)] {
            let limit = if known { limit.saturating_mul(MORE) } else { limit };
            spend_one(app, &format!("{subject}:{seconds}"), seconds, limit).await?;
        }
    }
    Ok(())
}
