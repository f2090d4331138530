//! The versions of a page: listing them, viewing one, comparing two, and bringing one back.

use svc_domain::access::Capability;
use svc_domain::event::WikiEvent;
use svc_domain::ids::ProjectKey;
use svc_domain::mention::may_mention;
use svc_domain::refusal::Refusal;
use svc_domain::wiki::{PageChange, PageText};
use svc_storage::{Query, Range, Row, keys};

use super::find::SeenPage;
use super::find::{find_page, require_version};
use super::store::{self, named, next_version, version_ops};
use crate::App;
use crate::entry::Caller;
use crate::error::{Error, Result};
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// Versions that one answer has at most.
const PAGE: usize = 100;

/// The version to restore.
#[derive(Clone, Copy, Debug)]
pub struct Restore {
    /// The version last read.
    pub version: u64,
    /// The version to bring back.
    pub restore: u64,
}

/// The newest versions of a page, newest first: at most 100, and fewer when their texts exceed about 1 MB.
/// `before` asks for those older than that version.
///
/// # Errors
/// [`Refusal::NotFound`] for a page that does not exist or is not for the caller.
pub async fn versions(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    before: Option<u64>,
) -> Result<Vec<PageText>> {
    let (found, current) = find_page(app, caller, project, path, Capability::SeeProject).await?;
    let (org, page) = (found.entry.org_id(), current.page.id);
    let newest = before.map_or(current.page.version, |before| before.saturating_sub(1));
    if newest == 0 {
        return Ok(Vec::new());
    }
    let place = |version| keys::page_version(org, page, version).sk.clone();
    let range = Range::Between(place(0), place(newest));
    let query = Query::new(keys::page_versions_pk(org, page), range, PAGE).descending();
    let rows = app.table.query(&query).await?.rows;
    let mut versions: Vec<PageText> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    bring_up_to_date(app, org, versions.iter_mut().map(|version| &mut version.author)).await?;
    Ok(versions)
}

/// One version of a page.
///
/// # Errors
/// [`Refusal::NotFound`] for a page or a version that does not exist.
pub async fn version(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    number: u64,
) -> Result<PageText> {
    let (found, current) = find_page(app, caller, project, path, Capability::SeeProject).await?;
    let org = found.entry.org_id();
    let mut version = store::text(app, org, current.page.id, number).await?;
    bring_up_to_date(app, org, [&mut version.author]).await?;
    Ok(version)
}

/// Two versions of a page, to compare: the current one and the one before it where none are named. There is
/// nothing before the first (`None`).
///
/// # Errors
/// As [`version`].
pub async fn compare(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    from: Option<u64>,
    to: Option<u64>,
) -> Result<(Option<PageText>, PageText)> {
    let (found, current) = find_page(app, caller, project, path, Capability::SeeProject).await?;
    let (org, page) = (found.entry.org_id(), current.page.id);
    let to = to.unwrap_or(current.page.version);
    let from = from.unwrap_or_else(|| to.saturating_sub(1));
    let older = async {
        match from {
            0 => Ok(None),
            from => store::text(app, org, page, from).await.map(Some),
        }
    };
    let (mut older, mut newer) = futures::try_join!(older, store::text(app, org, page, to))?;
    let both = older.iter_mut().chain([&mut newer]).map(|version| &mut version.author);
    bring_up_to_date(app, org, both).await?;
    Ok((older, newer))
}

/// Makes the text of an earlier version the page's next one. Nothing changes when it says that already.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for a version that there is not; [`Refusal::Forbidden`].
pub async fn restore(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: Restore,
) -> Result<SeenPage> {
    app.decide(|| restore_once(app, caller, project, path, wanted)).await
}

async fn restore_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: Restore,
) -> Result<SeenPage> {
    let (found, current) = find_page(app, caller, project, path, Capability::EditWiki).await?;
    found.require_edit()?;
    require_version(&current, wanted.version)?;
    let (org, page) = (found.entry.org_id(), &current.page);
    let old = store::text(app, org, page.id, wanted.restore).await.map_err(|error| match error {
        Error::Refused(Refusal::NotFound) => {
            Refusal::invalid("restore", format!("The page has no version {}.", wanted.restore)).into()
        }
        other => other,
    })?;
    if store::text(app, org, page.id, page.version).await?.body == old.body {
        return Ok(found.seen(page.clone(), old.body));
    }
    let next = next_version(app, page, found.entry.actor());
    let change = PageChange::Restored { version: wanted.restore };
    let version = may_mention(&old.body).then_some(next.version);
    let transaction = Transaction::of(app, &found.entry)
        .with(version_ops(org, project, Some(current.row_version), &next, &old.body, change))
        .telling(WikiEvent::Written(named(project, &next), version));
    app.commit(transaction).await?;
    Ok(found.seen(next, old.body))
}
