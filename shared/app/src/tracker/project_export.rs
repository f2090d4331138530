//! A project as records, part by part: what the caller may see of it, and no more than a few texts in memory.
//!
//! The list of items is that of the project's feed when the export begins; what is deleted or leaves meanwhile is left
//! out. Items that others belong to come before those, so that a reader of the records in order knows each parent.
//! Links lead from one item of the project to another: those with items of other projects are left out.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures::future::try_join_all;
use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::attachment::Attachment;
use svc_domain::comment::Comment;
use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::identity::User;
use svc_domain::ids::{Actor, ActorId, ItemKey, ProjectKey};
use svc_domain::item::Item;
use svc_domain::item_link::{ItemLink, LinkKind};
use svc_domain::label::Label;
use svc_domain::milestone::Milestone;
use svc_domain::project::Project;
use svc_domain::sprint::Sprint;
use svc_domain::visibility::Viewer;
use svc_domain::workflow::Workflow;
use svc_storage::{Row, RowOf, keys};

use super::{attachments, comments, labels, milestones, sprints};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::identity::Names;
use crate::wanted;

/// Items whose texts are read at once: at most 10 MB.
const ITEMS: usize = 25;
/// Discussions that are read at once, and comments of each: at most 10 MB.
const DISCUSSIONS: usize = 4;
const COMMENTS: usize = 12;

/// A part of an exported project.
#[derive(Clone, Debug)]
pub enum Part {
    /// The project, its states, and where it is exported from, at which time.
    Project(Arc<Project>, Arc<Workflow>, String, Timestamp),
    /// A person or agent that other parts name; with the address where the caller may see it.
    Person(Actor, Option<String>),
    /// A defined label.
    Label(Label),
    /// A milestone.
    Milestone(Milestone),
    /// A sprint.
    Sprint(Sprint),
    /// An item.
    Item(Box<Item>),
    /// A comment on an item.
    Comment(ItemKey, Comment),
    /// A link of an item with another.
    Link(ItemKey, ItemLink),
    /// A file of an item.
    Attachment(Attachment),
}

impl Part {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let text = match self {
            Self::Project(project, ..) => project.description.len(),
            Self::Milestone(milestone) => milestone.description.len(),
            Self::Sprint(sprint) => sprint.goal.len(),
            Self::Item(item) => item.body.len(),
            Self::Comment(_, comment) => comment.body.len(),
            Self::Person(..) | Self::Label(_) | Self::Link(..) | Self::Attachment(_) => 0,
        };
        text + 500
    }
}

/// An export that is under way.
pub struct Export {
    app: Arc<App>,
    entry: Entry,
    workflow: Arc<Workflow>,
    project: ProjectKey,
    stage: Stage,
    /// The items in their order, and whether something is said on each.
    items: Vec<(u64, bool)>,
    next: usize,
    links: Vec<(ItemKey, ItemLink)>,
    named: BTreeSet<ActorId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Head,
    Items,
    Comments,
    Links,
    Attachments,
}

impl Stage {
    const fn next(self) -> Option<Self> {
        match self {
            Self::Head => Some(Self::Items),
            Self::Items => Some(Self::Comments),
            Self::Comments => Some(Self::Links),
            Self::Links => Some(Self::Attachments),
            Self::Attachments => None,
        }
    }
}

/// Begins the export of a project.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn begin(app: &Arc<App>, caller: Caller<'_>, project: &ProjectKey) -> Result<Export> {
    let wanted = |org| keys::workflow(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    Ok(Export {
        app: Arc::clone(app),
        entry,
        workflow: app.parse_cache.workflow(row)?,
        project: project.clone(),
        stage: Stage::Head,
        items: Vec::new(),
        next: 0,
        links: Vec::new(),
        named: BTreeSet::new(),
    })
}

impl Export {
    /// The next parts; none at the end.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn next(&mut self) -> Result<Option<Vec<Part>>> {
        loop {
            let parts = match self.stage {
                Stage::Head => Some(self.head().await?),
                Stage::Items => self.some_items().await?,
                Stage::Comments => self.some_comments().await?,
                Stage::Links => Some(std::mem::take(&mut self.links))
                    .filter(|links| !links.is_empty())
                    .map(|links| links.into_iter().map(|(item, link)| Part::Link(item, link)).collect()),
                Stage::Attachments => self.some_attachments().await?,
            };
            let is_whole = matches!(self.stage, Stage::Head | Stage::Links);
            if is_whole || parts.is_none() {
                let Some(next) = self.stage.next() else { return Ok(parts) };
                (self.stage, self.next) = (next, 0);
            }
            if let Some(parts) = parts.filter(|parts| !parts.is_empty()) {
                return Ok(Some(parts));
            }
        }
    }

    /// Everything that items name.
    async fn head(&mut self) -> Result<Vec<Part>> {
        let app = Arc::clone(&self.app);
        let (org, project) = (self.entry.org_id(), self.project.clone());
        let mut parts = Vec::new();
        if let Some(whole) = &self.entry.project {
            parts.push(Part::Project(
                Arc::clone(whole),
                Arc::clone(&self.workflow),
                self.source(),
                app.now(),
            ));
        }
        let feed = app.feeds.fresh(&app, org, &project).await?;
        let people = {
            let index = feed.read();
            let sees = Viewer::of(&self.entry.access).sees_agents_work();
            self.items = in_order(&index, sees);
            named_in(&index, sees)
        };
        parts.extend(self.people(people).await?);
        let labels = labels::defined(&app, org, &project).await?;
        let labels: Vec<Label> = labels.iter().map(Row::read).collect::<Result<_, _>>()?;
        parts.extend(labels.into_iter().map(Part::Label));
        let milestones = milestones::of_project(&app, org, &project).await?;
        parts.extend(milestones.0.into_iter().map(Part::Milestone));
        let mut sprints: Vec<Sprint> =
            sprints::all(&app, org, &project).await?.into_iter().map(|(sprint, _)| sprint).collect();
        sprints.sort_by_key(|sprint| (sprint.created_at, sprint.id));
        parts.extend(sprints.into_iter().map(Part::Sprint));
        Ok(parts)
    }

    /// Where the records come from.
    fn source(&self) -> String {
        let host = self.app.settings.service.base_url.split("://").last().unwrap_or_default();
        let slug = self.entry.org.slug.as_str();
        [host.trim_end_matches('/'), slug, self.project.as_str()].iter().filter(|part| !part.is_empty()).fold(
            "svc:".to_owned(),
            |source, part| {
                let slash = if source.ends_with(':') { "" } else { "/" };
                format!("{source}{slash}{part}")
            },
        )
    }

    /// Those of these people and agents that were not told yet, under the names that they have now.
    async fn people(&mut self, people: impl IntoIterator<Item = Actor>) -> Result<Vec<Part>> {
        let (app, org) = (&self.app, self.entry.org_id());
        let mut new: Vec<Actor> = people.into_iter().filter(|actor| self.named.insert(actor.id)).collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let names = Names::of(app, org, new.iter().map(|actor| actor.id)).await?;
        names.give(new.iter_mut());
        // Where an address may be seen is the same as in the list of members.
        let sees_all = self.entry.access.require(Capability::SeeAdministration).is_ok();
        let me = self.entry.actor().id;
        let seen = new.iter().filter_map(|actor| match actor.id {
            ActorId::User(user) if sees_all || actor.id == me => Some(keys::user(user)),
            ActorId::User(_) | ActorId::Agent(_) => None,
        });
        let seen: Vec<_> = seen.collect();
        let mut addresses = HashMap::new();
        for row in wanted::load(app, seen).await?.into_iter().flatten() {
            let user: User = row.read()?;
            addresses.insert(ActorId::User(user.id), user.email);
        }
        Ok(new
            .into_iter()
            .map(|actor| {
                let address = addresses.remove(&actor.id);
                Part::Person(actor, address)
            })
            .collect())
    }

    /// The keys of the next items; with `said`, of those only on which something is said.
    fn keys(&mut self, many: usize, said: bool) -> Option<Vec<ItemKey>> {
        let mut keys = Vec::new();
        while let Some((number, has)) = self.items.get(self.next).filter(|_| keys.len() < many) {
            self.next += 1;
            if *has || !said {
                keys.push(ItemKey { project: self.project.clone(), number: *number });
            }
        }
        (!keys.is_empty()).then_some(keys)
    }

    async fn some_items(&mut self) -> Result<Option<Vec<Part>>> {
        let Some(wanted) = self.keys(ITEMS, false) else { return Ok(None) };
        let org = self.entry.org_id();
        let rows: Vec<_> = wanted.iter().map(|key| keys::item(org, key)).collect();
        let mut items = Vec::new();
        for row in wanted::load(&self.app, rows).await?.into_iter().flatten() {
            let item = row.read()?;
            // Each link is told from one of its ends.
            let told = item.item_links.iter().filter(|link| {
                link.item.project == self.project
                    && match link.kind {
                        LinkKind::Blocks | LinkKind::Duplicates => true,
                        LinkKind::Relates => item.key < link.item,
                        LinkKind::BlockedBy | LinkKind::DuplicatedBy => false,
                    }
            });
            self.links.extend(told.map(|link| (item.key.clone(), link.clone())));
            items.push(item);
        }
        let named = items.iter().flat_map(|item| item.assignee.iter().chain([&item.created_by])).cloned();
        let mut parts = self.people(named.collect::<Vec<_>>()).await?;
        parts.extend(items.into_iter().map(|item| Part::Item(Box::new(item))));
        Ok(Some(parts))
    }

    async fn some_comments(&mut self) -> Result<Option<Vec<Part>>> {
        let Some(wanted) = self.keys(DISCUSSIONS, true) else { return Ok(None) };
        let rows: Vec<_> = wanted.iter().map(|key| keys::item(self.entry.org_id(), key)).collect();
        let rows = wanted::load(&self.app, rows).await?;
        let items = rows.iter().flatten().map(RowOf::read).collect::<Result<Vec<Item>, _>>()?;
        let found = try_join_all(items.iter().map(|item| self.discussion(item))).await?;
        let said = items.into_iter().zip(found);
        let said: Vec<(ItemKey, Comment)> =
            said.flat_map(|(item, all)| all.into_iter().map(move |one| (item.key.clone(), one))).collect();
        let mut parts = self.people(said.iter().map(|(_, comment)| comment.author.clone())).await?;
        parts.extend(said.into_iter().map(|(key, comment)| Part::Comment(key, comment)));
        Ok(Some(parts))
    }

    /// The comments on an item that the caller sees, oldest first.
    async fn discussion(&self, item: &Item) -> Result<Vec<Comment>> {
        let mut all = Vec::new();
        let mut read = 0;
        loop {
            let outline = match read {
                0 => None,
                _ => self.app.table.find(&keys::outline(self.entry.org_id(), &item.key)).await?,
            };
            let (page, total) =
                comments::of_item(&self.app, &self.entry, item, outline, (read, COMMENTS)).await?;
            read += page.len();
            let is_last = page.is_empty() || read as u64 >= total;
            all.extend(page.into_iter().map(|seen| seen.comment).filter(|comment| !comment.deleted));
            if is_last {
                return Ok(all);
            }
        }
    }

    async fn some_attachments(&mut self) -> Result<Option<Vec<Part>>> {
        let Some(wanted) = self.keys(DISCUSSIONS, true) else { return Ok(None) };
        let found =
            try_join_all(wanted.iter().map(|key| attachments::seen_of(&self.app, &self.entry, key))).await?;
        Ok(Some(found.into_iter().flatten().map(Part::Attachment).collect()))
    }
}

/// The numbers of all items, those that others belong to before these, and whether something may be said on each.
/// What agents say is counted nowhere, so a viewer of that has every item looked at.
fn in_order(index: &FeedIndex, sees_agents_work: bool) -> Vec<(u64, bool)> {
    let depth = |entry: &FeedEntry| {
        let above = |entry: &FeedEntry| entry.parent.as_ref().and_then(|key| index.get(key.number)).cloned();
        std::iter::successors(above(entry), above).take(MOST_DEPTH).count()
    };
    let is_quiet = |entry: &FeedEntry| {
        !sees_agents_work
            && entry.counts.is_some_and(|counts| counts.comments == 0 && counts.attachments == 0)
    };
    let mut items: Vec<(usize, u64, bool)> =
        index.iter().map(|entry| (depth(entry), entry.number, !is_quiet(entry))).collect();
    items.sort_unstable();
    items.into_iter().map(|(_, number, said)| (number, said)).collect()
}

/// More levels than an item has above it.
const MOST_DEPTH: usize = 32;

/// The people and agents that the items of a list name, in the order of their ids.
fn named_in(index: &FeedIndex, sees_agents_work: bool) -> Vec<Actor> {
    let mut named = HashMap::new();
    for entry in index.iter() {
        for actor in entry.assignee.iter().chain([&entry.created_by]) {
            named.entry(actor.id).or_insert_with(|| actor.clone());
        }
        let factory = entry.commenters.in_factory().filter(|_| sees_agents_work);
        for id in entry.commenters.in_public().chain(factory) {
            named.entry(id).or_insert_with(|| Actor { id, name: String::new() });
        }
    }
    let mut named: Vec<Actor> = named.into_values().collect();
    named.sort_unstable_by_key(|actor| actor.id);
    named
}
