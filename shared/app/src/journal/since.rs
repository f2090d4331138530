//! What changed in an organization since a client last asked.

use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::feed::{BACK_MILLIS, NoCursor};
use svc_domain::ids::ProjectKey;
use svc_domain::journal::JournalCursor;
use svc_domain::refusal::Refusal;

use super::lines::{KEPT, MAX_LINES, Placed, begin, lines_from};
use super::told::{OrgChanges, told};
use crate::App;
use crate::entry::{Caller, enter_org};
use crate::error::Result;
use crate::tracker::list::{ListedItem, Rendered};

/// A clock that is this much behind what a cursor says was set back.
const SET_BACK: SignedDuration = SignedDuration::from_millis(BACK_MILLIS);

/// What changed in an organization after a cursor; without one, where to begin. `render` makes of an item what the
/// API shows.
///
/// # Errors
/// [`Refusal::Invalid`] for what is no cursor; [`Refusal::NotFound`].
pub async fn since(
    app: &App,
    caller: Caller<'_>,
    after: Option<&str>,
    render: impl Fn(&ProjectKey, ListedItem<'_>) -> Rendered,
) -> Result<OrgChanges> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let org = entry.org_id();
    let Some(after) = after else {
        return Ok(OrgChanges::none(begin(&*app.table, org, app.now()).await?, false));
    };
    let mut cursor: JournalCursor = after.parse().map_err(|error: NoCursor| {
        Refusal::invalid("after", format!("{error} Leave it out to start again."))
    })?;
    let age = SignedDuration::from_millis(app.now().as_millisecond().saturating_sub(cursor.read_millis));
    if age > KEPT || age < -SET_BACK {
        return Ok(OrgChanges::none(begin(&*app.table, org, app.now()).await?, true));
    }
    let page = app.table.query(&lines_from(org, cursor.from_millis(), MAX_LINES)).await?;
    if page.cursor.is_some() {
        return Ok(OrgChanges::none(begin(&*app.table, org, app.now()).await?, true));
    }
    let lines = page.rows.iter().map(Placed::read).collect::<Result<Vec<_>, _>>()?;
    let news: Vec<&Placed> = lines.iter().filter(|line| !cursor.has_seen(line.place)).collect();
    let told = told(app, &entry, news.iter().map(|placed| &placed.line), &render).await?;
    cursor.advance(app.now(), lines.iter().map(|placed| placed.place));
    Ok(OrgChanges { cursor: cursor.to_string(), ..told })
}
