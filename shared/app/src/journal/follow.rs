//! Following an organization as it changes. Each change is told with what the follower may see at that moment;
//! who may no longer see the organization is told nothing more.

use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, stream};
use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::journal::JournalCursor;
use tokio::time::{Instant, timeout};

use super::lines::{Placed, begin};
use super::since::since;
use super::tail::Tail;
use super::told::{OrgChanges, told};
use crate::App;
use crate::entry::enter_org;
use crate::error::Result;
use crate::following::{Follower, POLL, QUIET, Told};
use crate::tracker::list::{ListedItem, Rendered};

/// What changes in an organization from a cursor on, as it happens. Ends when the follower may no longer see the
/// organization, or the process stops.
///
/// # Errors
/// As [`since`], for who may not follow at all.
pub async fn follow<R>(
    follower: Follower,
    after: Option<&str>,
    render: R,
) -> Result<impl Stream<Item = Told<OrgChanges>> + Send + use<R>>
where
    R: Fn(&ProjectKey, ListedItem<'_>) -> Rendered + Clone + Send + Sync + 'static,
{
    let app = Arc::clone(&follower.app);
    let entry = enter_org(&app, follower.caller(), Capability::SeeOrg).await?;
    let org = entry.org_id();
    let tail = app.tails.of(org);
    tail.look(&*app.table, org).await?;
    // Before the first answer is read: what comes after is in one of the two, or in both and known by its place.
    let place = tail.end();
    let first = since(&app, follower.caller(), after, render.clone()).await?;
    let cursor = first.cursor.parse().unwrap_or_else(|_| JournalCursor::behind(0));
    let watch =
        Watch { follower, render, org, tail, place, cursor, looked: Instant::now(), first: Some(first) };
    Ok(stream::unfold(watch, |mut watch| async move { watch.next().await.map(|told| (told, watch)) }))
}

struct Watch<R> {
    follower: Follower,
    render: R,
    org: OrgId,
    tail: Arc<Tail>,
    /// In the tail.
    place: u64,
    cursor: JournalCursor,
    looked: Instant,
    first: Option<OrgChanges>,
}

impl<R: Fn(&ProjectKey, ListedItem<'_>) -> Rendered + Clone + Send + Sync> Watch<R> {
    /// What to tell next; `None` ends the stream.
    async fn next(&mut self) -> Option<Told<OrgChanges>> {
        if let Some(first) = self.first.take() {
            return Some(Told::News(first));
        }
        let app = Arc::clone(&self.follower.app);
        let commits = app.notifier.followers_of(self.org);
        let mut woken = true;
        loop {
            let notified = commits.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if app.notifier.is_closing() {
                return None;
            }
            let within = if woken { Duration::ZERO } else { POLL };
            self.tail.look_unless(&*app.table, self.org, within).await.ok()?;
            if let Some(told) = self.look(&app).await.ok()? {
                return Some(told);
            }
            woken = timeout(POLL, notified).await.is_ok();
        }
    }

    /// What there is to tell now.
    async fn look(&mut self, app: &App) -> Result<Option<Told<OrgChanges>>> {
        let Some((lines, end)) = self.tail.from(self.place) else {
            self.enter(app).await?;
            self.place = self.tail.end();
            self.cursor = begin(&*app.table, self.org, app.now()).await?;
            return Ok(Some(Told::News(OrgChanges::none(self.cursor.clone(), true))));
        };
        let quiet = self.looked.elapsed() >= QUIET;
        if lines.is_empty() && !quiet {
            return Ok(None);
        }
        let entry = self.enter(app).await?;
        let news: Vec<&Arc<Placed>> = lines.iter().filter(|line| !self.cursor.has_seen(line.place)).collect();
        let news = news.into_iter().map(|placed| &placed.line);
        let told = told(app, &entry, news, &self.render).await?;
        self.place = end;
        self.cursor.advance(app.now(), lines.iter().map(|placed| placed.place));
        self.looked = Instant::now();
        if told.is_empty() {
            return Ok(quiet.then_some(Told::Quiet));
        }
        Ok(Some(Told::News(OrgChanges { cursor: self.cursor.to_string(), ..told })))
    }

    /// Lets the follower in again: what they may see may have changed.
    async fn enter(&self, app: &App) -> Result<crate::entry::Entry> {
        enter_org(app, self.follower.caller(), Capability::SeeOrg).await
    }
}
