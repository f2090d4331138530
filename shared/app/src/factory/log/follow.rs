//! Following a log as it is written. Each part is read with what the reader may see at that moment.

use std::sync::Arc;

use futures::{Stream, stream};
use svc_domain::ids::{OrgSlug, RunId};
use tokio::time::{Instant, sleep};

use super::{Page, Window, read};
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::following::{POLL, QUIET, Told};

/// Who follows the log of which run.
#[derive(Clone)]
pub struct Follower {
    /// The application.
    pub app: Arc<App>,
    /// Their credential.
    pub credential: Option<BearerCredential>,
    /// Slug of the organization.
    pub slug: Option<OrgSlug>,
    /// The run.
    pub run: RunId,
}

struct Watch {
    follower: Follower,
    after: u64,
    first: Option<Page>,
    told: Instant,
    over: bool,
}

/// The entries after a number, and those that come, until the run is over and all of them are told, the reader may
/// no longer see them, or the process stops. The first part has perhaps no entry yet, and the last perhaps says only
/// that the run is over.
///
/// # Errors
/// As [`read`], for who may not follow at all.
pub async fn follow(
    follower: Follower,
    window: Window,
) -> Result<impl Stream<Item = Told<Page>> + Send + use<>> {
    let Follower { app, credential, slug, run } = &follower;
    let first = read(app, credential.as_ref(), slug.as_ref(), *run, window).await?;
    let watch =
        Watch { after: first.next_after, first: Some(first), told: Instant::now(), over: false, follower };
    Ok(stream::unfold(watch, |mut watch| async move { watch.next().await.map(|told| (told, watch)) }))
}

impl Watch {
    /// What to tell next; `None` ends the stream.
    async fn next(&mut self) -> Option<Told<Page>> {
        if self.over {
            return None;
        }
        loop {
            // A new follower is told at once that they follow.
            let is_first = self.first.is_some();
            let page = match self.first.take() {
                Some(first) => first,
                None => self.read().await?,
            };
            // Where nothing is left to read, the rest was deleted.
            let over = page.over && (page.lines.is_empty() || page.next_after >= page.last_seq);
            if !page.lines.is_empty() || over || is_first {
                (self.after, self.over, self.told) = (page.next_after, over, Instant::now());
                return Some(Told::News(page));
            }
            if self.told.elapsed() >= QUIET {
                self.told = Instant::now();
                return Some(Told::Quiet);
            }
            sleep(POLL).await;
        }
    }

    async fn read(&self) -> Option<Page> {
        let Follower { app, credential, slug, run } = &self.follower;
        if app.notifier.is_closing() {
            return None;
        }
        read(app, credential.as_ref(), slug.as_ref(), *run, Window::after(self.after)).await.ok()
    }
}
