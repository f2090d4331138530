//! What a reader may see of entries now, by the rights that they have and by what became of the things since.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use svc_domain::comment::Comment;
use svc_domain::event::OrgEvent;
use svc_domain::identity::{Credential, Org};
use svc_domain::ids::{CommentId, NotificationId, OrgId, OrgSlug, UserId};
use svc_domain::invitation::Invitation;
use svc_domain::item::Item;
use svc_domain::notification::{Entry, Gathered, KEPT, Subject};
use svc_domain::refinement::Refinement;
use svc_domain::refusal::Refusal;
use svc_domain::sprint::Sprint;
use svc_domain::visibility::Viewer;
use svc_storage::{Key, Limits, Op, Row, keys};

use super::readers::{places, reads_page, standing, viewer};
use super::told::id_of;
use crate::App;
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::tracker::gone::key_now;
use crate::transaction::Transaction;
use crate::wiki::path_now;

/// An entry as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxEntry {
    /// Id.
    pub id: NotificationId,
    /// Version of its row.
    pub version: u64,
    /// The organization.
    pub org: OrgId,
    /// Its slug.
    pub slug: OrgSlug,
    /// What it is about, as it is named now.
    pub subject: Subject,
    /// Title, name or path of that.
    pub title: String,
    /// When the last news came.
    pub at: Timestamp,
    /// Whether the person is done with it.
    pub done: bool,
    /// What is new.
    pub gathered: Gathered,
    /// As what its reader looks at it.
    pub viewer: Viewer,
}

/// The row of what a person is told of a subject.
pub(crate) fn entry_key(user: UserId, org: OrgId, subject: &Subject) -> Key {
    keys::inbox(user, entry_id(org, subject))
}

/// The name of what anybody is told of a subject.
pub(crate) fn entry_id(org: OrgId, subject: &Subject) -> NotificationId {
    NotificationId(id_of(&format!("{org} {}", subject.name())))
}

/// An entry as it was read.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) id: NotificationId,
    pub(super) version: u64,
    pub(super) entry: Entry,
}

impl Stored {
    fn new(entry: Entry) -> Self {
        Self { id: entry_id(entry.org, &entry.subject), version: 0, entry }
    }

    pub(super) fn of(row: &Row) -> Result<Self> {
        let id = row.key.sk.parse().map_err(|_| Refusal::NotFound)?;
        Ok(Self { id, version: row.version, entry: row.read()? })
    }

    /// Where it is in the list if its owner may see all of it, and otherwise no earlier.
    pub(super) fn place(&self) -> (Reverse<Timestamp>, NotificationId) {
        (Reverse(self.entry.at()), self.id)
    }

    pub(super) fn is_for(&self, credential: &Credential) -> bool {
        credential.org.is_none_or(|bound| bound == self.entry.org)
    }

    /// Writes it as it was marked.
    pub(super) fn marked(&self, transaction: Transaction, app: &App, user: UserId) -> Transaction {
        let expires = (app.now() + KEPT).as_second();
        let row = Op::replace(keys::inbox(user, self.id), self.version, &self.entry).expiring(expires);
        transaction.within(self.entry.org).with([row]).telling(OrgEvent::InboxChanged(user))
    }
}

/// Who looks at entries.
#[derive(Clone, Copy)]
enum Reader {
    /// A person, with the rights that they have now.
    Person(UserId),
    /// Any member of the organization: what the least of them may see.
    Anybody,
}

/// What a person may see now of entries that are not stored as such, newest first.
pub(super) async fn seen_now(app: &App, user: UserId, entries: Vec<Entry>) -> Result<Vec<InboxEntry>> {
    seen_by(app, Reader::Person(user), entries.into_iter().map(Stored::new).collect()).await
}

/// What any member of the organizations may see of these, newest first.
pub(super) async fn for_anybody(app: &App, entries: Vec<Entry>) -> Result<Vec<InboxEntry>> {
    seen_by(app, Reader::Anybody, entries.into_iter().map(Stored::new).collect()).await
}

/// What the owner may see of these now, newest first.
pub(super) async fn seen(app: &App, user: UserId, stored: Vec<Stored>) -> Result<Vec<InboxEntry>> {
    seen_by(app, Reader::Person(user), stored).await
}

async fn seen_by(app: &App, reader: Reader, mut stored: Vec<Stored>) -> Result<Vec<InboxEntry>> {
    let mut rows = Rows::default();
    rows.load(app, stored.iter().flat_map(|stored| wanted(reader, &stored.entry))).await?;
    let mut followed = Vec::new();
    for stored in &mut stored {
        let org = stored.entry.org;
        if let Subject::Item { key, .. } = &mut stored.entry.subject
            && rows.get(&keys::item(org, key)).is_none()
            && let Some(now) = key_now(app, org, key).await?
        {
            *key = now;
            followed.extend(wanted(reader, &stored.entry));
        }
        if let Subject::Page { project, id, path } = &mut stored.entry.subject
            && let Some(now) = path_now(app, org, project, *id, path).await?
        {
            *path = now;
        }
    }
    rows.load(app, followed).await?;
    let mut seen = Vec::new();
    for stored in stored {
        if let Some(entry) = show(app, reader, stored, &rows).await? {
            seen.push(entry);
        }
    }
    seen.sort_by_key(place);
    Ok(seen)
}

/// Where an entry is in the list.
pub(super) const fn place(entry: &InboxEntry) -> (Reverse<Timestamp>, NotificationId) {
    (Reverse(entry.at), entry.id)
}

/// The rows that decide what a person sees of an entry.
fn wanted(reader: Reader, entry: &Entry) -> Vec<Key> {
    let Entry { org, subject, .. } = entry;
    let mut wanted = places(*org, subject);
    if let Reader::Person(user) = reader {
        wanted.extend(standing(*org, subject, user));
    }
    wanted.extend(thing(*org, subject));
    if let Subject::Item { key, .. } = subject {
        wanted.extend(entry.comments().map(|comment| keys::comment(*org, key, comment).into()));
        wanted.extend(entry.asks().then(|| keys::refinement(*org, key).into()));
    }
    wanted
}

/// The comments of an entry that have been deleted since.
fn deleted_comments(entry: &Entry, rows: &Rows) -> Result<BTreeSet<CommentId>> {
    let Subject::Item { key, .. } = &entry.subject else { return Ok(BTreeSet::new()) };
    let mut deleted = BTreeSet::new();
    for comment in entry.comments() {
        let row = rows.get(&keys::comment(entry.org, key, comment));
        let there = row.map(Row::read::<Comment>).transpose()?.is_some_and(|comment| !comment.deleted);
        deleted.extend((!there).then_some(comment));
    }
    Ok(deleted)
}

/// Takes back that a run waits for the person, where somebody has seen to it.
fn settle(gathered: &mut Gathered, org: OrgId, subject: &Subject, rows: &Rows) -> Result<()> {
    let Subject::Item { key, .. } = subject else { return Ok(()) };
    let Some(item) = rows.get(&keys::item(org, key)) else { return Ok(()) };
    let refinement = rows.get(&keys::refinement(org, key)).map(Row::read::<Refinement>).transpose()?;
    gathered.settle(&item.read()?, refinement.map(|refinement| refinement.status()));
    Ok(())
}

/// The row of what an entry is about, where it has one that says so.
fn thing(org: OrgId, subject: &Subject) -> Option<Key> {
    match subject {
        Subject::Item { key, .. } => Some(keys::item(org, key).into()),
        Subject::Sprint { project, id } => Some(keys::sprint(org, project, *id).into()),
        Subject::Invitation { id } => Some(keys::invitation(org, *id).into()),
        Subject::Page { .. }
        | Subject::Webhook { .. }
        | Subject::Channel { .. }
        | Subject::Runner { .. }
        | Subject::Budget { .. }
        | Subject::Schedule { .. } => None,
    }
}

async fn show(app: &App, reader: Reader, stored: Stored, rows: &Rows) -> Result<Option<InboxEntry>> {
    let Stored { id, version, entry } = stored;
    let Entry { org, subject, .. } = &entry;
    if places(*org, subject).iter().any(|place| rows.get(place).is_none()) {
        return Ok(None);
    }
    let (Some(slug), Some(title)) = (rows.get(&keys::org(*org)), title(*org, subject, rows)?) else {
        return Ok(None);
    };
    let viewer = match reader {
        Reader::Person(user) => {
            let standing = standing(*org, subject, user);
            let rows: Vec<Option<Row>> = standing.iter().map(|key| rows.get(key).cloned()).collect();
            viewer(subject, &rows)?
        }
        Reader::Anybody => Some(Viewer::Stakeholder),
    };
    let Some(viewer) = viewer else { return Ok(None) };
    let deleted = deleted_comments(&entry, rows)?;
    let Some(mut gathered) = entry.seen_by(viewer, &deleted) else { return Ok(None) };
    settle(&mut gathered, *org, subject, rows)?;
    let Some(at) = gathered.news.last().map(|news| news.at) else { return Ok(None) };
    if let Reader::Person(user) = reader
        && !reads_page(app, *org, subject, user).await?
    {
        return Ok(None);
    }
    let (slug, done) = (slug.read::<Org>()?.slug, entry.is_done());
    Ok(Some(InboxEntry {
        id,
        version,
        org: entry.org,
        slug,
        subject: entry.subject,
        title,
        at,
        done,
        gathered,
        viewer,
    }))
}

/// What the subject is called now; `None` where it is not there.
fn title(org: OrgId, subject: &Subject, rows: &Rows) -> Result<Option<String>> {
    let row = thing(org, subject).and_then(|key| rows.get(&key));
    Ok(match subject {
        Subject::Item { .. } => row.map(Row::read::<Item>).transpose()?.map(|item| item.title),
        Subject::Sprint { .. } => row.map(Row::read::<Sprint>).transpose()?.map(|sprint| sprint.name),
        Subject::Invitation { .. } => row.map(Row::read::<Invitation>).transpose()?.map(|it| it.email),
        Subject::Page { path, .. } => Some(path.as_str().to_owned()),
        Subject::Webhook { name, .. }
        | Subject::Channel { name, .. }
        | Subject::Runner { name, .. }
        | Subject::Budget { name, .. }
        | Subject::Schedule { name, .. } => Some(name.clone()),
    })
}

/// Gives everybody in these the name that they have now.
pub(super) async fn named(app: &App, entries: &mut [InboxEntry]) -> Result<()> {
    let orgs: BTreeSet<OrgId> = entries.iter().map(|entry| entry.org).collect();
    for org in orgs {
        let of_org = entries.iter_mut().filter(|entry| entry.org == org);
        let news = of_org.flat_map(|entry| entry.gathered.news.iter_mut());
        bring_up_to_date(app, org, news.filter_map(|news| news.by.as_mut())).await?;
    }
    Ok(())
}

/// Rows that were read together, by their names.
#[derive(Default)]
struct Rows(HashMap<Key, Row>);

impl Rows {
    async fn load(&mut self, app: &App, wanted: impl IntoIterator<Item = Key>) -> Result<()> {
        let wanted: Vec<Key> = wanted.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        for wanted in wanted.chunks(Limits::KEYS) {
            let rows = app.table.get_many(wanted).await?;
            self.0.extend(rows.into_iter().flatten().map(|row| (row.key.clone(), row)));
        }
        Ok(())
    }

    fn get(&self, key: &Key) -> Option<&Row> {
        self.0.get(key)
    }
}
