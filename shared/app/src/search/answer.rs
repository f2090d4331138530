//! What a search answers: texts as they are at this moment, with what matched.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use svc_domain::comment::Comment;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{Actor, CommentId, ItemKey, OrgId, PageId, ProjectKey, UserId};
use svc_domain::item::{Item, ItemType};
use svc_domain::search::{Document, SearchQuery, Snippet, Source, snippet};
use svc_domain::visibility::Viewer;
use svc_domain::wiki::{Page, PagePath};
use svc_storage::{Key, Row, keys};

use super::source;
use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::heavy;
use crate::identity::bring_up_to_date;
use crate::wiki::{self, VisiblePages, visible};

/// Texts that are read at once, with two rows each at most: as long as texts may be, 16 MB.
const AT_ONCE: usize = 25;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An item.
    Item {
        /// Its key.
        key: ItemKey,
        /// Kind of work.
        item_type: ItemType,
        /// Name of its workflow state.
        state: String,
    },
    /// A comment.
    Comment {
        /// Its id.
        id: CommentId,
        /// The item that it is on, whose title is the answer's.
        item: ItemKey,
        /// Who wrote it.
        author: Actor,
    },
    /// A wiki page.
    Page {
        /// Its id.
        id: PageId,
        /// The project.
        project: ProjectKey,
        /// Where it is.
        path: PagePath,
    },
    /// A project.
    Project(ProjectKey),
    /// A member of the organization.
    Person(UserId),
}

/// One answer, with what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// What was found.
    pub answer: Answer,
    /// Its title.
    pub title: Snippet,
    /// The part of its text that matches; none where only the title was looked at.
    pub snippet: Option<Snippet>,
    /// When it last changed; none for what does not tell.
    pub updated_at: Option<Timestamp>,
}

impl Answered {
    /// An item that its project's feed knows.
    pub(super) fn of_entry(entry: &FeedEntry, project: &ProjectKey, query: &SearchQuery) -> Self {
        let answer =
            Answer::Item { key: entry.key(project), item_type: entry.item_type, state: entry.state.clone() };
        let title = snippet::whole(&entry.title, query);
        Self { answer, title, snippet: None, updated_at: Some(entry.updated_at) }
    }

    /// Whom it names.
    fn author(&mut self) -> Option<&mut Actor> {
        if let Answer::Comment { author, .. } = &mut self.answer { Some(author) } else { None }
    }

    /// Something that has a name only.
    pub(super) fn of_name(answer: Answer, name: &str, query: &SearchQuery) -> Self {
        Self { answer, title: snippet::whole(name, query), snippet: None, updated_at: None }
    }
}

/// The answer that each of these texts gives the caller now: what is gone, says something else by now or is
/// not for them gives none. The caller waits for its turn.
pub(super) async fn fresh(
    app: &App,
    entry: &Entry,
    query: &SearchQuery,
    mut found: Vec<Document>,
) -> Result<Vec<Option<Answered>>> {
    let org = entry.org_id();
    let sight = Arc::new(Sight::of(app, entry, &found).await?);
    let mut answers = Vec::with_capacity(found.len());
    while !found.is_empty() {
        let rest = found.split_off(found.len().min(AT_ONCE));
        let documents = std::mem::replace(&mut found, rest);
        let wanted: Vec<Key> = documents.iter().flat_map(|document| rows_of(org, &document.source)).collect();
        let (query, sight) = (query.clone(), Arc::clone(&sight));
        let rows = app.table.get_many(&wanted).await?;
        let bytes = rows.iter().flatten().map(|row| row.doc.len()).sum::<usize>()
            + documents.iter().map(|document| document.text.len()).sum::<usize>();
        answers
            .extend(heavy::on_texts(bytes, move || all_now(org, &documents, rows, &query, &sight)).await??);
    }
    without_unreadable(app, entry, &mut answers).await?;
    bring_up_to_date(app, org, answers.iter_mut().flatten().filter_map(Answered::author)).await?;
    Ok(answers)
}

/// The answer that each of these texts gives by its rows.
fn all_now(
    org: OrgId,
    documents: &[Document],
    rows: Vec<Option<Row>>,
    query: &SearchQuery,
    sight: &Sight,
) -> Result<Vec<Option<Answered>>> {
    let mut rows = rows.into_iter();
    let answer = |document: &Document| {
        let own = rows.by_ref().take(rows_of(org, &document.source).len()).collect();
        now(document, own, query, sight)
    };
    documents.iter().map(answer).collect()
}

/// Takes out the pages that the caller may not read. Without a project, the caller's role in it is not known
/// and counts for nothing.
async fn without_unreadable(app: &App, entry: &Entry, answers: &mut [Option<Answered>]) -> Result<()> {
    for answer in answers {
        if let Some(Answered { answer: Answer::Page { project, path, id }, .. }) = answer
            && !wiki::reads_page(app, &entry.access, project, path, *id).await?
        {
            *answer = None;
        }
    }
    Ok(())
}

/// What the caller sees.
struct Sight {
    viewer: Viewer,
    /// Of each project that a page was found in.
    pages: HashMap<ProjectKey, VisiblePages>,
}

impl Sight {
    async fn of(app: &App, entry: &Entry, found: &[Document]) -> Result<Self> {
        let mut pages = HashMap::new();
        for document in found {
            let Source::Page { project, .. } = &document.source else { continue };
            if !pages.contains_key(project) {
                pages.insert(project.clone(), visible(app, entry, project).await?);
            }
        }
        Ok(Self { viewer: Viewer::of(&entry.access), pages })
    }
}

fn rows_of(org: OrgId, source: &Source) -> Vec<Key> {
    match source {
        Source::Item(key) => vec![keys::item(org, key).into()],
        Source::Comment { item, id } => {
            vec![keys::comment(org, item, *id).into(), keys::item(org, item).into()]
        }
        Source::Page { project, path, .. } => vec![keys::wiki_page(org, project, path.as_str()).into()],
    }
}

fn now(
    document: &Document,
    rows: Vec<Option<Row>>,
    query: &SearchQuery,
    sight: &Sight,
) -> Result<Option<Answered>> {
    let Some(rows) = rows.into_iter().collect::<Option<Vec<Row>>>() else { return Ok(None) };
    Ok(match (&document.source, rows.as_slice()) {
        (Source::Item(key), [row]) => {
            let item: Item = row.read()?;
            let same = item.title == document.title && item.body == document.text;
            let answers = same || source::of_item(&item).answer(query).is_some();
            answers.then(|| Answered {
                title: snippet::whole(&item.title, query),
                snippet: part(&item.body, query),
                updated_at: Some(item.updated_at),
                answer: Answer::Item { key: key.clone(), item_type: item.item_type, state: item.state },
            })
        }
        (Source::Comment { item: key, id }, [row, item]) => {
            let (comment, item): (Comment, Item) = (row.read()?, item.read()?);
            let text = || source::of_comment(document.source.clone(), &comment, false);
            let answers = comment.body == document.text || text().answer(query).is_some();
            let seen = !comment.deleted && sight.viewer.sees_comment(&comment);
            (answers && seen).then(|| Answered {
                title: snippet::whole(&item.title, query),
                snippet: part(&comment.body, query),
                updated_at: Some(comment.created_at),
                answer: Answer::Comment { id: *id, item: key.clone(), author: comment.author },
            })
        }
        (Source::Page { project, id, .. }, [row]) => {
            let page: Page = row.read()?;
            let seen = sight.pages.get(project).is_some_and(|pages| pages.sees(&page));
            (page.id == *id && seen).then(|| Answered {
                title: snippet::whole(page.path.title(), query),
                snippet: part(&document.text, query),
                updated_at: Some(page.updated_at),
                answer: Answer::Page { id: *id, project: project.clone(), path: page.path },
            })
        }
        _ => None,
    })
}

fn part(text: &str, query: &SearchQuery) -> Option<Snippet> {
    (!text.trim().is_empty()).then(|| snippet::around(text, query))
}
