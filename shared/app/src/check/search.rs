//! Checks the index of texts: entries against the texts, postings against the entries. A text that waits to be
//! indexed has a row that says so; until it goes, the index may be behind.

use svc_domain::comment::Comment;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::search::{Document, Source, TextId};
use svc_domain::wiki::{Page, PageText};
use svc_storage::{Key, keys};

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::kind::Kind;
use super::projects::{is_gone, there_or_deleted};
use crate::search::{Entry, Waiting, is_of_factory, of_comment, of_item, of_page};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("TERM#<org>#<letter>", "<term> <place> <text>", posting_of_org),
    Kind::new("TERM#<org>#<KEY>#<letter>", "<term> <place> <text>", posting_of_project),
    Kind::new("TEXT#<org>#<text>", "TEXT", text),
    Kind::new("TOINDEX#<shard>", "<org>#<text>", waiting),
];

/// That the index has a text as it is, or will have: `None` for a text that is gone.
pub(super) fn is_indexed(
    context: &CheckContext<'_>,
    org: OrgId,
    source: &Source,
    document: Option<&Document>,
) -> Verdict {
    let id = source.id();
    let name = keys::text(org, &id);
    let indexed: Option<Entry> = context.read(&name)?;
    let same = match (&indexed, document) {
        (Some(entry), Some(document)) => entry.document == *document && entry.is_settled(),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !same && !waits(context, org, &id)? {
        context.broken(match (indexed, document) {
            (None, _) => "search does not know it, and no message asks to index it; run `svc-server reindex`",
            (Some(_), None) => "it is gone, but search still knows it",
            (Some(_), Some(_)) => "search knows an older text of it, and no message asks to index it",
        });
    }
    Ok(())
}

/// Whether a text waits to be indexed.
fn waits(context: &CheckContext<'_>, org: OrgId, id: &TextId) -> Result<bool, Stop> {
    context.has(&keys::to_index(org, id))
}

/// Where the index, or who waits to be indexed, has a text.
pub(super) fn source_of(context: &CheckContext<'_>, org: OrgId, id: &TextId) -> Result<Option<Source>, Stop> {
    let waiting: Option<Waiting> = context.read(&keys::to_index(org, id))?;
    if let Some(waiting) = waiting {
        return Ok(Some(waiting.source));
    }
    Ok(context.read::<Entry>(&keys::text(org, id))?.map(|entry| entry.document.source))
}

fn text(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, id): (OrgId, TextId) = (subject.part("org", context)?, subject.part("text", context)?);
    let entry: Entry = subject.read(context)?;
    if entry.document.source.id() != id {
        context.broken("it belongs to another text");
    }
    let now = current(context, org, &entry.document.source)?;
    let stale = now.as_ref() != Some(&entry.document) || !entry.is_settled();
    let missing = if stale { None } else { first_missing(context, org, &id, &entry.document)? };
    if (stale || missing.is_some()) && !waits(context, org, &id)? {
        match (missing, now) {
            (Some(key), _) => context.broken(format!("there is no posting of it ({} {})", key.pk, key.sk)),
            (None, None) => context.broken("there is no such text"),
            (None, Some(_)) => context.broken("the text has changed"),
        };
    }
    Ok(())
}

/// The text that an entry is of, as the index should have it.
fn current(context: &CheckContext<'_>, org: OrgId, source: &Source) -> Result<Option<Document>, Stop> {
    match source {
        Source::Item(key) => {
            let item: Option<Item> = context.read(&keys::item(org, key))?;
            Ok(item.as_ref().map(of_item))
        }
        Source::Comment { item, id } => match context.read::<Comment>(&keys::comment(org, item, *id))? {
            Some(comment) => comment_document(context, org, item, &comment),
            None => Ok(None),
        },
        Source::Page { project, id, path } => {
            let page: Option<Page> = context.read(&keys::wiki_page(org, project, path.as_str()))?;
            let Some(page) = page.filter(|page| page.id == *id) else { return Ok(None) };
            let text: Option<PageText> = context.read(&keys::page_version(org, page.id, page.version))?;
            Ok(text.map(|text| of_page(project, &page, &text)))
        }
    }
}

/// A posting that a text should have and has not. All are asked for at once.
fn first_missing(
    context: &CheckContext<'_>,
    org: OrgId,
    id: &TextId,
    document: &Document,
) -> Result<Option<Key>, Stop> {
    let created = document.created_at.as_millisecond();
    let names = document.terms().flat_map(|(term, in_title)| {
        let sk = keys::term_sk(term, in_title, created, id);
        [Some(&id.project), None].map(|project| Key::new(keys::term_pk(org, project, term), sk.clone()))
    });
    let (mut missing, mut unread) = (None, false);
    for name in names {
        match context.has(&name) {
            Ok(true) => {}
            Ok(false) => missing = missing.or(Some(name)),
            Err(Stop) => unread = true,
        }
    }
    if unread { Err(Stop) } else { Ok(missing) }
}

fn posting_of_org(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    posting(subject, context, None)
}

fn posting_of_project(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    posting(subject, context, Some(subject.part("KEY", context)?))
}

fn posting(subject: &Subject<'_>, context: &CheckContext<'_>, project: Option<ProjectKey>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let sk = &subject.row.key.sk;
    let term = sk.rsplitn(3, ' ').nth(2);
    let read = keys::read_term_sk(sk).zip(term);
    let Some(((in_title, created, id), term)) = read else {
        return Err(context.stop("its name is not that of a posting"));
    };
    let entry: Option<Entry> = context.read(&keys::text(org, &id))?;
    let meant = |entry: &Entry| {
        let document = &entry.document;
        created == document.created_at.as_millisecond()
            && document.terms().any(|posted| posted == (term, in_title))
            && project.as_ref().is_none_or(|project| *project == id.project)
    };
    if !entry.as_ref().is_some_and(meant) && !waits(context, org, &id)? {
        context.broken(match entry {
            Some(_) => "the text has no such word",
            None => "the index has no such text",
        });
    }
    Ok(())
}

fn waiting(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let waiting: Waiting = subject.read(context)?;
    subject.is_named(context, &keys::to_index(waiting.org, &waiting.source.id()));
    let project = waiting.source.id().project;
    // What it takes out of the index may outlive the project for a moment.
    if is_gone(context, waiting.org, &project)? {
        return Ok(());
    }
    there_or_deleted(context, waiting.org, &project)
}

/// A comment as the index should have it; nothing of a deleted one.
pub(super) fn comment_document(
    context: &CheckContext<'_>,
    org: OrgId,
    item: &ItemKey,
    comment: &Comment,
) -> Result<Option<Document>, Stop> {
    if comment.deleted {
        return Ok(None);
    }
    let mut factory = is_of_factory(comment);
    let mut above = comment.reply_to;
    while let Some(id) = above.filter(|_| !factory) {
        let Some(answered) = context.read::<Comment>(&keys::comment(org, item, id))? else { break };
        factory = answered.is_in_thread_of_agent();
        above = answered.reply_to.filter(|next| *next < id);
    }
    let source = Source::Comment { item: item.clone(), id: comment.id };
    Ok(Some(of_comment(source, comment, factory)))
}
