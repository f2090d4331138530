//! Brings lists of runs up to date: reads what may have changed, or everything of an organization that is cold, as the
//! protocol of [the module above](super) says.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::future::try_join;
use jiff::Timestamp;
use svc_domain::ids::{OrgId, RunId};
use svc_domain::run::list::RunList;
use svc_storage::{Query, Range, keys};

use super::{ColdStart, OVERLAP, OrgRuns, Reader, RunLists};
use crate::App;
use crate::error::Result;
use crate::factory::run_entries::{entries, entry, take_in};
use crate::tracker::follows;

/// Rows of one read: few milliseconds of work.
const PAGE: usize = 2_000;

/// Rows that a range has for the price of one that is read by its key.
const FOR_ONE: usize = 30;

impl RunLists {
    /// An organization's runs, with everything that was committed before this call.
    pub(in crate::factory) async fn fresh(&self, app: &App, org: OrgId) -> Result<Arc<OrgRuns>> {
        let (runs, is_new) = self.slot(org);
        let before = runs.len.load(Ordering::Relaxed);
        runs.refresh(app, org).await?;
        if is_new || runs.len.load(Ordering::Relaxed) > before {
            self.make_room();
        }
        Ok(runs)
    }
}

impl OrgRuns {
    async fn refresh(&self, app: &App, org: OrgId) -> Result<()> {
        let begun_before = self.begun.load(Ordering::SeqCst);
        let mut reader = self.reader.lock().await;
        if reader.done > begun_before {
            return Ok(());
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let now = app.now();
        let era = app.table.alone();
        // Of one that fails or is given up, the next knows nothing.
        let was_alone = reader.era.take().is_some_and(|before| Some(before) == era);
        let touched = app.run_lists.touched(org, now);
        match reader.mark.filter(|mark| follows(*mark, now)) {
            Some(_) if was_alone => self.read_again(app, org, &touched).await?,
            Some(mark) => self.follow(app, org, &mut reader, mark).await?,
            None => {
                if let Some(mark) = self.start(app, org, &mut reader, now).await? {
                    self.follow(app, org, &mut reader, mark).await?;
                }
            }
        }
        (reader.mark, reader.era, reader.done) = (Some(now), era, number);
        self.len.store(self.list.read().len(), Ordering::Relaxed);
        Ok(())
    }

    /// Reads every row. Answers since when more may have changed, where somebody else began it.
    async fn start(
        &self,
        app: &App,
        org: OrgId,
        reader: &mut Reader,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let unfinished = reader.unfinished.take().filter(|begun| follows(begun.mark, now));
        let others = unfinished.as_ref().map(|begun| begun.mark);
        let new = || ColdStart { mark: now, list: RunList::default(), cursor: None };
        // It stays where the next one finds it.
        let begun = reader.unfinished.insert(unfinished.unwrap_or_else(new));
        loop {
            let mut query = Query::new(keys::runs_pk(org), Range::All, PAGE);
            query.cursor = begun.cursor.clone();
            let page = app.table.query(&query).await?;
            for row in &page.rows {
                if let Some((id, entry)) = entry(row)? {
                    begun.list.put(id, &entry.item, entry.agent, entry.status);
                }
            }
            begun.cursor = page.cursor;
            self.len.fetch_max(begun.list.len(), Ordering::Relaxed);
            if begun.cursor.is_none() {
                break;
            }
            // A large organization keeps a thread busy for a while: let others have their turn.
            tokio::task::yield_now().await;
        }
        if let Some(ColdStart { mark, mut list, .. }) = reader.unfinished.take() {
            list.shrink();
            *self.list.write() = list;
            reader.mark = Some(mark);
            reader.met.clear();
        }
        Ok(others)
    }

    /// Reads these runs again.
    async fn read_again(&self, app: &App, org: OrgId, runs: &[RunId]) -> Result<()> {
        if runs.is_empty() {
            return Ok(());
        }
        let found = entries(app, org, runs).await?;
        let there: HashSet<RunId> = found.iter().map(|(id, _)| *id).collect();
        let mut list = self.list.write();
        runs.iter().filter(|id| !there.contains(*id)).for_each(|id| list.remove(*id));
        take_in(&mut list, found);
        Ok(())
    }

    /// Reads what may have changed.
    async fn follow(&self, app: &App, org: OrgId, reader: &mut Reader, mark: Timestamp) -> Result<()> {
        let since = RunId::first_of((mark - OVERLAP).as_millisecond());
        let (open, after) = self.list.read().changing(since, FOR_ONE);
        let beside = &open[..open.partition_point(|id| *id <= after)];
        let tail = Query::new(keys::runs_pk(org), Range::After(after.to_string()), PAGE);
        let tail = async { Ok(app.table.query_all(tail).await?) };
        let (tail, again) = try_join(tail, entries(app, org, beside)).await?;
        let (mut came, mut met, mut moved) = (Vec::new(), HashSet::new(), BTreeSet::new());
        for row in tail.into_iter().rev() {
            if let Some(run) = entry(&row)? {
                came.push(run);
                continue;
            }
            if !reader.met.contains(&row.key.sk) {
                moved.extend(row.read::<Vec<RunId>>()?);
            }
            met.insert(row.key.sk);
        }
        let moved: Vec<RunId> = moved.into_iter().collect();
        let followed = entries(app, org, &moved).await?;
        reader.met = met;
        let found = [again, came, followed];
        let there: HashSet<RunId> = found.iter().flatten().map(|(id, _)| *id).collect();
        let mut list = self.list.write();
        // What is not found any more is gone.
        open.iter().chain(&moved).filter(|id| !there.contains(*id)).for_each(|id| list.remove(*id));
        found.into_iter().for_each(|entries| take_in(&mut list, entries));
        Ok(())
    }
}
