//! Checks the index of texts: entries against the texts, segments against the entries. A text that waits to be
//! indexed has a row that says so; until it goes, the index may be behind.

use svc_domain::comment::Comment;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::search::segment::{Block, FIRST, LIST, Listed, Postings, Segments, Text};
use svc_domain::search::{Document, Source, TextId};
use svc_domain::wiki::{Page, PageText};
use svc_storage::{Key, keys};

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::kind::Kind;
use super::projects::{is_gone, there_or_deleted};
use crate::search::{Entry, Merge, Waiting, is_of_factory, of_comment, of_item, of_page, read_segment};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("INDEX#<org>#<KEY>", "SEGMENTS", segments),
    Kind::new("INDEX#<org>#<KEY>", "MERGE", merge),
    Kind::new("INDEX#<org>#<KEY>", "SEGMENT#<segment>#TEXTS#<number>", texts_of_segment),
    Kind::new("INDEX#<org>#<KEY>", "SEGMENT#<segment>#WORDS#<word>", words_of_segment),
    Kind::new("TERM#<org>#<letter>", "<term> <place> <text>", earlier),
    Kind::new("TERM#<org>#<KEY>#<letter>", "<term> <place> <text>", earlier),
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
        (Some(entry), Some(document)) => entry.document == *document && entry.in_segment,
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
    let problem = match now {
        None => Some("there is no such text"),
        Some(now) if now != entry.document => Some("the text has changed"),
        Some(now) if !entry.in_segment || !has_terms(context, org, &id, &now)? => {
            Some("no segment of the index has its words; run `svc-server reindex`")
        }
        Some(_) => None,
    };
    if let Some(problem) = problem
        && !waits(context, org, &id)?
    {
        context.broken(problem);
    }
    Ok(())
}

/// Whether the last segment that lists a text has as many terms of it as it has.
fn has_terms(context: &CheckContext<'_>, org: OrgId, id: &TextId, document: &Document) -> Result<bool, Stop> {
    let segments: Option<Segments> = context.read(&keys::index(org, &id.project))?;
    for listed in segments.iter().flat_map(|segments| segments.list.iter().rev()) {
        let pk = keys::index_pk(org, &id.project);
        let lists: Vec<Vec<Text>> = context.all(pk, &keys::segment_texts_prefix(&listed.id))?;
        if let Some(text) = lists.iter().flatten().find(|text| text.target == id.target) {
            let created = Some(document.created_at.as_millisecond());
            return Ok(text.created == created && text.terms == document.terms().count());
        }
    }
    Ok(false)
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

/// That every segment of the list is there, whole.
fn segments(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project): (OrgId, ProjectKey) = (subject.part("org", context)?, subject.part("KEY", context)?);
    let segments: Segments = subject.read(context)?;
    for listed in &segments.list {
        let rows = context.rows(keys::index_pk(org, &project), &keys::segment_prefix(&listed.id))?;
        let Ok(segment) = read_segment(rows) else { continue };
        let first = keys::segment_words_sk(&listed.id, FIRST);
        let whole = segment.texts().len() == listed.texts as usize && segment.lacking().is_none();
        if !whole || rows.iter().all(|row| row.key.sk != first) {
            context
                .broken(format!("rows of the segment {} are missing; run `svc-server reindex`", listed.id));
        }
    }
    Ok(())
}

fn merge(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.read::<Merge>(context).map(drop)
}

fn texts_of_segment(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.read::<Vec<Text>>(context)?;
    let number: usize = subject.part("number", context)?;
    if let Some(listed) = segment_of(subject, context)? {
        let lists = (listed.texts as usize).div_ceil(LIST);
        let name = keys::segment_texts_sk(&listed.id, number);
        if number >= lists || name != subject.row.key.sk {
            context.broken("the segment has no such list");
        }
    }
    Ok(())
}

fn words_of_segment(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let block: Block = subject.read(context)?;
    let name: String = subject.part("word", context)?;
    if name != FIRST && block.postings.first().map(Postings::name).as_ref() != Some(&name) {
        context.broken("it is not named by its first word");
    }
    let listed = segment_of(subject, context)?;
    if let (Some(listed), Some(next)) = (listed, &block.next) {
        let next = Key::new(subject.row.key.pk.clone(), keys::segment_words_sk(&listed.id, next));
        context.demand(&next, "block of words behind it")?;
    }
    Ok(())
}

/// The segment of a row, where the list names it. Tells if neither the list does nor who merges.
fn segment_of(subject: &Subject<'_>, context: &CheckContext<'_>) -> Result<Option<Listed>, Stop> {
    let (org, project): (OrgId, ProjectKey) = (subject.part("org", context)?, subject.part("KEY", context)?);
    let segment: String = subject.part("segment", context)?;
    let segments: Option<Segments> = context.read(&keys::index(org, &project))?;
    let merge: Option<Merge> = context.read(&keys::index_merge(org, &project))?;
    let listed = segments.into_iter().flat_map(|segments| segments.list).find(|listed| listed.id == segment);
    let merged = merge.iter().flat_map(|merge| &merge.unlisted).any(|unlisted| *unlisted == segment);
    if listed.is_none() && !merged {
        context.broken("no list of segments names its segment");
    }
    Ok(listed)
}

fn earlier(_: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    context.broken("an earlier server wrote it; run `svc-server reindex`");
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
