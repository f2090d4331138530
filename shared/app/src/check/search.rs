//! Judges the index of texts: entries against the texts, postings against the entries. A text that waits to be
//! indexed has a row that says so; until it goes, the index may be behind.

use svc_domain::comment::Comment;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::search::{Document, Source, TextId};
use svc_domain::wiki::{Page, PageText};
use svc_storage::{Key, keys};

use super::comments;
use super::kinds::Kind;
use super::look::{Look, Stop, Subject, Verdict};
use crate::search::{Entry, Waiting, of_item, of_page};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("TERM#<org>#<letter>", "<term> <place> <text>", posting_of_org),
    Kind::new("TERM#<org>#<KEY>#<letter>", "<term> <place> <text>", posting_of_project),
    Kind::new("TEXT#<org>#<text>", "TEXT", text),
    Kind::new("TOINDEX#<shard>", "<org>#<text>", waiting),
];

/// That the index has a text as it is, or will have: `None` for a text that is gone.
pub(super) fn is_indexed(
    look: &Look<'_>,
    org: OrgId,
    source: &Source,
    document: Option<&Document>,
) -> Verdict {
    let id = source.id();
    let name = keys::text(org, &id);
    let indexed: Option<Entry> = look.read(&name)?;
    let same = match (&indexed, document) {
        (Some(entry), Some(document)) => entry.document == *document && entry.is_settled(),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !same && !waits(look, org, &id)? {
        look.broken(match (indexed, document) {
            (None, _) => "search does not know it, and nobody is told to index it; `svc-server reindex` does",
            (Some(_), None) => "it is gone, and search still knows it",
            (Some(_), Some(_)) => "search knows it as it was, and nobody is told to index it",
        });
    }
    Ok(())
}

/// Whether a text waits to be indexed.
fn waits(look: &Look<'_>, org: OrgId, id: &TextId) -> Result<bool, Stop> {
    look.has(&keys::to_index(org, id))
}

/// Where the index, or who waits to be indexed, has a text.
pub(super) fn source_of(look: &Look<'_>, org: OrgId, id: &TextId) -> Result<Option<Source>, Stop> {
    let waiting: Option<Waiting> = look.read(&keys::to_index(org, id))?;
    if let Some(waiting) = waiting {
        return Ok(Some(waiting.source));
    }
    Ok(look.read::<Entry>(&keys::text(org, id))?.map(|entry| entry.document.source))
}

fn text(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, id): (OrgId, TextId) = (subject.part("org", look)?, subject.part("text", look)?);
    let entry: Entry = subject.read(look)?;
    if entry.document.source.id() != id {
        look.broken("it is of another text");
    }
    let now = current(look, org, &entry.document.source)?;
    let stale = now.as_ref() != Some(&entry.document) || !entry.is_settled();
    let missing = if stale { None } else { first_missing(look, org, &id, &entry.document)? };
    if (stale || missing.is_some()) && !waits(look, org, &id)? {
        match (missing, now) {
            (Some(key), _) => look.broken(format!("there is no posting of it ({} {})", key.pk, key.sk)),
            (None, None) => look.broken("there is no such text"),
            (None, Some(_)) => look.broken("the text is another by now"),
        };
    }
    Ok(())
}

/// The text that an entry is of, as the index should have it.
fn current(look: &Look<'_>, org: OrgId, source: &Source) -> Result<Option<Document>, Stop> {
    match source {
        Source::Item(key) => {
            let item: Option<Item> = look.read(&keys::item(org, key))?;
            Ok(item.as_ref().map(of_item))
        }
        Source::Comment { item, id } => match look.read::<Comment>(&keys::comment(org, item, *id))? {
            Some(comment) => comments::document(look, org, item, &comment),
            None => Ok(None),
        },
        Source::Page { project, id, path } => {
            let page: Option<Page> = look.read(&keys::wiki_page(org, project, path.as_str()))?;
            let Some(page) = page.filter(|page| page.id == *id) else { return Ok(None) };
            let text: Option<PageText> = look.read(&keys::page_version(org, page.id, page.version))?;
            Ok(text.map(|text| of_page(project, &page, &text)))
        }
    }
}

/// A posting that a text should have and has not. All are asked for at once.
fn first_missing(look: &Look<'_>, org: OrgId, id: &TextId, document: &Document) -> Result<Option<Key>, Stop> {
    let created = document.created_at.as_millisecond();
    let names = document.terms().flat_map(|(term, in_title)| {
        let sk = keys::term_sk(term, in_title, created, id);
        [Some(&id.project), None].map(|project| Key::new(keys::term_pk(org, project, term), sk.clone()))
    });
    let (mut missing, mut unread) = (None, false);
    for name in names {
        match look.has(&name) {
            Ok(true) => {}
            Ok(false) => missing = missing.or(Some(name)),
            Err(Stop) => unread = true,
        }
    }
    if unread { Err(Stop) } else { Ok(missing) }
}

fn posting_of_org(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    posting(subject, look, None)
}

fn posting_of_project(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    posting(subject, look, Some(subject.part("KEY", look)?))
}

fn posting(subject: &Subject<'_>, look: &Look<'_>, project: Option<ProjectKey>) -> Verdict {
    let org: OrgId = subject.part("org", look)?;
    let sk = &subject.row.key.sk;
    let term = sk.rsplitn(3, ' ').nth(2);
    let read = keys::read_term_sk(sk).zip(term);
    let Some(((in_title, created, id), term)) = read else {
        return Err(look.stop("its name is not that of a posting"));
    };
    let entry: Option<Entry> = look.read(&keys::text(org, &id))?;
    let meant = |entry: &Entry| {
        let document = &entry.document;
        created == document.created_at.as_millisecond()
            && document.terms().any(|posted| posted == (term, in_title))
            && project.as_ref().is_none_or(|project| *project == id.project)
    };
    if !entry.as_ref().is_some_and(meant) && !waits(look, org, &id)? {
        look.broken(match entry {
            Some(_) => "the text has no such word",
            None => "the index has no such text",
        });
    }
    Ok(())
}

fn waiting(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let waiting: Waiting = subject.read(look)?;
    subject.is_named(look, &keys::to_index(waiting.org, &waiting.source.id()));
    look.demand(&keys::project(waiting.org, &waiting.source.id().project), "project of it").map(drop)
}
