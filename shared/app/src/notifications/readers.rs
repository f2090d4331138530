//! Who may be told of a subject, by the rights that they have now.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::identity::Member;
use svc_domain::ids::{OrgId, PageId, ProjectKey, UserId};
use svc_domain::notification::Subject;
use svc_domain::refusal::Refusal;
use svc_domain::visibility::Viewer;
use svc_domain::wiki::PagePath;
use svc_storage::{Key, Limits, Row, keys};

use crate::App;
use crate::entry::enter_as;
use crate::error::{Error, Result};
use crate::identity::ending::is_disabled;
use crate::wiki;

/// Those of these people who may be told of the subject, and as what they look at it.
pub(super) async fn readers(
    app: &App,
    org: OrgId,
    subject: &Subject,
    people: BTreeSet<UserId>,
) -> Result<BTreeMap<UserId, Viewer>> {
    let people: Vec<UserId> = people.into_iter().collect();
    let mut readers = BTreeMap::new();
    for people in people.chunks(Limits::KEYS / ROWS - 1) {
        let place = places(org, subject);
        let mut wanted = place.clone();
        wanted.extend(people.iter().flat_map(|user| standing(org, subject, *user)));
        let rows = app.table.get_many(&wanted).await?;
        let (there, rows) = rows.split_at(place.len());
        if there.iter().any(Option::is_none) {
            return Ok(BTreeMap::new());
        }
        for (user, rows) in people.iter().zip(rows.chunks(place.len() + 1)) {
            let Some(viewer) = viewer(subject, rows)? else { continue };
            if reads_page(app, org, subject, *user).await? {
                readers.insert(*user, viewer);
            }
        }
    }
    Ok(readers)
}

/// The rows of the places that a subject is in: the organization, and the project.
pub(super) fn places(org: OrgId, subject: &Subject) -> Vec<Key> {
    let project = subject.project().map(|key| keys::project(org, key).into());
    std::iter::once(keys::org(org).into()).chain(project).collect()
}

/// Most rows of [`standing`]: one more than of [`places`], each of which has a row for each person.
const ROWS: usize = 3;

/// The rows that say whether a person's account is disabled, and what they may see there.
pub(super) fn standing(org: OrgId, subject: &Subject, user: UserId) -> Vec<Key> {
    let in_project = subject.project().map(|key| keys::project_member(org, key, user).into());
    [keys::sessions(user).into(), keys::member(org, user).into()].into_iter().chain(in_project).collect()
}

/// As what a person looks at the subject, by the rows of [`standing`]; `None` for who may not.
pub(super) fn viewer(subject: &Subject, rows: &[Option<Row>]) -> Result<Option<Viewer>> {
    let [sessions, Some(member), rows @ ..] = rows else { return Ok(None) };
    if is_disabled(sessions.as_ref())? {
        return Ok(None);
    }
    let member: Member = member.read()?;
    let sees = match (subject, subject.project()) {
        (_, Some(_)) => member.role.administers() || rows.first().is_some_and(Option::is_some),
        (Subject::Channel { of_org: false, .. }, None) => true,
        (Subject::Runner { .. }, None) => Viewer::of_member(&member) == Viewer::Operator,
        (_, None) => member.role.administers(),
    };
    Ok(sees.then(|| Viewer::of_member(&member)))
}

/// Whether the person reads the page that the subject is, if it is one.
pub(super) async fn reads_page(app: &App, org: OrgId, subject: &Subject, user: UserId) -> Result<bool> {
    match subject {
        Subject::Page { project, id, path } => reads(app, org, user, (project, *id, path)).await,
        Subject::Item { .. }
        | Subject::Sprint { .. }
        | Subject::Invitation { .. }
        | Subject::Webhook { .. }
        | Subject::Channel { .. }
        | Subject::Runner { .. }
        | Subject::Budget { .. }
        | Subject::Schedule { .. } => Ok(true),
    }
}

async fn reads(
    app: &App,
    org: OrgId,
    user: UserId,
    (project, page, path): (&ProjectKey, PageId, &PagePath),
) -> Result<bool> {
    let entry = match enter_as(app, org, user, project).await {
        Err(Error::Refused(Refusal::NotFound)) => return Ok(false),
        entry => entry?,
    };
    let visible = wiki::visible(app, &entry, project).await?;
    let current = wiki::current(app, org, project, path).await?;
    let sees = current.is_some_and(|current| current.page.id == page && visible.sees(&current.page));
    Ok(sees && wiki::reads(app, &entry.access, project, path).await?)
}
