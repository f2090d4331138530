//! Checks items, their rows in the project's feed, their history, watchers and pointers to runs.

use svc_domain::comment::Comment;
use svc_domain::deleted_item::DeletedItem;
use svc_domain::discussion;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, RunId, UserId};
use svc_domain::item::{Counts, Item, Writer};
use svc_domain::project::HistoryEntry;
use svc_domain::pull_request::RequestState;
use svc_domain::refinement::Refinement;
use svc_domain::refinement::machine::State;
use svc_domain::run::Run;
use svc_domain::search::Source;
use svc_domain::text_change::TextChange;
use svc_domain::transfer::Transfer;
use svc_storage::{Key, keys};

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::kind::Kind;
use super::{links, projects, search, sprints};
use crate::secrets;
use crate::tracker::counts::in_public;
use crate::tracker::items::NUMBER;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("FEED#<org>#<KEY>", "<changed>#<number>", feed),
    Kind::new("ITEM#<org>#<PRJ-12>", "ITEM", item),
    Kind::new("ITEM#<org>#<PRJ-12>", "CHILDREN", |subject, context| item_of(subject, context).map(drop)),
    Kind::new("ITEM#<org>#<PRJ-12>", "HISTORY#<time>#<n>", history),
    Kind::new("ITEM#<org>#<PRJ-12>", "TEXT#<time>#<n>", history_text),
    Kind::new("ITEM#<org>#<PRJ-12>", "RUN#<run>", run_pointer),
    Kind::new("ITEM#<org>#<PRJ-12>", "REFINEMENT", refinement),
    Kind::new("ITEM#<org>#<PRJ-12>", "WATCH#<user>", watcher),
    Kind::new("ITEM#<org>#<PRJ-12>", "TRANSFER", transferred),
    Kind::new("PROJ#<org>#<KEY>", "DELETED#<number>", deleted),
    Kind::new("WATCHING#<org>#<user>", "<PRJ-12>", watching),
    Kind::new("PULL#<org>#<sha256>", "<PRJ-12>", linked),
];

/// The item that a row hangs on; tells when there is none.
pub(super) fn item_of(subject: &Subject<'_>, context: &CheckContext<'_>) -> Result<(OrgId, ItemKey), Stop> {
    let (org, key) = (subject.part("org", context)?, subject.part("PRJ-12", context)?);
    let name = keys::item(org, &key);
    // Only whether it is there: what it says is for its own row.
    if !context.has(&name)? && !context.has(&keys::deleted_item(org, &key))? {
        if context.has(&keys::transfer(org, &key))? {
            context.waiting("it has not followed its item to the project that the item moved to");
            return Err(Stop);
        }
        context.demand(&name, "such item")?;
    }
    Ok((org, key))
}

fn feed(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project): (OrgId, ProjectKey) = (subject.part("org", context)?, subject.part("KEY", context)?);
    let entry: FeedEntry = subject.read(context)?;
    let name = keys::item(org, &entry.key(&project));
    if entry.deleted {
        if context.has(&name)? {
            context.broken("it says that the item is deleted, but the item exists");
        }
        if context.has(&keys::transfer(org, &entry.key(&project)))? {
            return Ok(());
        }
        return context.demand(&keys::deleted_item(org, &entry.key(&project)), "such deleted item").map(drop);
    }
    let Some(item) = context.need::<Item>(&name, "such item")? else { return Ok(()) };
    if item.feed_sk != subject.row.key.sk {
        context.broken(format!("the item has another row in the feed, {}", item.feed_sk));
    } else if !is_of(&entry, &item) {
        context.broken("it does not match the item");
    }
    Ok(())
}

/// Whether a row of the feed tells of an item as it is. Rows of earlier servers tell nothing of pull requests
/// and of links with other items.
fn is_of(entry: &FeedEntry, item: &Item) -> bool {
    let mut now = FeedEntry::of(item, item.revision);
    if entry.standings.is_empty() {
        now.standings.clear();
    }
    now.linked_items &= entry.linked_items;
    now == *entry
}

fn item(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let item: Item = subject.read(context)?;
    let project = &item.key.project;
    subject.is_named(context, &keys::item(org, &item.key));
    projects::there_or_deleted(context, org, project)?;
    context.demand(&keys::feed(org, project, &item.feed_sk), "row of it in the project's feed")?;
    counted(context, org, &item.key)?;
    if let Some(parent) = &item.parent {
        let found = item_or_mark(context, org, parent, "parent of it")?;
        if found.is_none()
            && let Some(transfer) = context.read::<Transfer>(&keys::transfer(org, parent))?
        {
            if transfer.complete {
                context.broken(
                    "its parent has moved to another project, and it has not: take it out of the parent",
                );
            } else {
                context.waiting("its parent has moved to another project, and it has not followed");
            }
        }
    }
    if let Some(former) = &item.former_key {
        context.demand(&keys::transfer(org, former), "note at the key that it had before")?;
    }
    pull_requests(context, org, &item)?;
    links::linked(context, org, &item)?;
    sprints::remembered(context, org, &item)?;
    projects::has_milestone(context, org, &item)?;
    worked_on(context, org, &item)?;
    discussed(context, org, &item)?;
    let document = crate::search::of_item(&item);
    search::is_indexed(context, org, &Source::Item(item.key.clone()), Some(&document))
}

/// That the project has counted to the number of an item, so that no other gets it.
fn counted(context: &CheckContext<'_>, org: OrgId, key: &ItemKey) -> Verdict {
    let last = context.row(&keys::item_number(org, &key.project))?.map_or(0, |row| row.counter(NUMBER));
    if u64::try_from(last).is_ok_and(|last| last < key.number) {
        context.broken(format!("the project has counted to {last} only: the next item would be this one"));
    }
    Ok(())
}

fn deleted(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let deleted: DeletedItem = subject.read(context)?;
    subject.is_named(context, &keys::deleted_item(org, &deleted.key));
    projects::there_or_deleted(context, org, &deleted.key.project)?;
    counted(context, org, &deleted.key)?;
    if context.has(&keys::item(org, &deleted.key))? {
        context.broken("the item is there as well");
    }
    if deleted.item.as_ref().is_some_and(|item| item.key != deleted.key) {
        context.broken("it keeps another item");
    }
    if deleted.item.is_some() && context.is_past(deleted.until()) {
        context.waiting("the item can be brought back no more, and is not taken away");
    }
    search::is_indexed(context, org, &Source::Item(deleted.key), None)
}

/// What is left at the old key of an item: that the item has the new one, and nothing else is left.
fn transferred(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let transfer: Transfer = subject.read(context)?;
    subject.is_named(context, &keys::transfer(org, &transfer.from));
    // Of a project that was taken away, the old keys lead on.
    if !projects::is_gone(context, org, &transfer.from.project)? {
        counted(context, org, &transfer.from)?;
    }
    item_or_mark(context, org, &transfer.to, "item under its new key")?;
    let gone: [Key; 2] =
        [keys::item(org, &transfer.from).into(), keys::deleted_item(org, &transfer.from).into()];
    for name in &gone {
        if context.has(name)? {
            context.broken("the item is at its old key as well");
        }
    }
    if !transfer.complete {
        context.waiting("what hung on the item is not all at its new key");
    } else if context.rows(subject.row.key.pk.clone(), "")?.len() > 1 {
        context.broken("it is complete, and something is left at the old key");
    }
    search::is_indexed(context, org, &Source::Item(transfer.from), None)
}

/// That an item counts what is said on it. Of one that counts nothing, what is said tells ([`is_counted`]).
fn discussed(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    let Some(counts) = item.counts.filter(|counts| counts.comments > 0 || counts.attachments > 0) else {
        return Ok(());
    };
    if is_on_its_way(context, org, item)? {
        return Ok(());
    }
    let pk = keys::item_pk(org, &item.key);
    let comments: Vec<Comment> = context.all(pk.clone(), keys::COMMENT_PREFIX)?;
    let commenters = in_public(discussion::commenters(&comments));
    if !item.commenters.is_empty() && !item.commenters.agree_with(&commenters) {
        context.broken("it does not say who commented on it");
    }
    let found = discussion::count(comments, &context.all(pk, keys::FILE_PREFIX)?);
    if !found.agrees_with(counts) {
        let Counts { comments, attachments, .. } = counts;
        context.broken(format!(
            "it counts {comments} comments and {attachments} attachments, and there are {} and {}",
            found.comments, found.attachments
        ));
    }
    Ok(())
}

/// Whether what hung on an item at its old key has not all followed.
fn is_on_its_way(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Result<bool, Stop> {
    let Some(former) = &item.former_key else { return Ok(false) };
    let transfer: Option<Transfer> = context.read(&keys::transfer(org, former))?;
    Ok(transfer.is_some_and(|transfer| !transfer.complete))
}

/// That an item of which something is said counts more than nothing; `count` is what it says of that kind.
pub(super) fn is_counted(
    context: &CheckContext<'_>,
    org: OrgId,
    key: &ItemKey,
    count: impl Fn(Counts) -> u32,
) -> Verdict {
    let Some(item) = context.read::<Item>(&keys::item(org, key))? else { return Ok(()) };
    if item.counts.is_some_and(|counts| count(counts) == 0) && !is_on_its_way(context, org, &item)? {
        context.broken("its item counts none");
    }
    Ok(())
}

/// That an item's run is one of it that has not ended, and that no agent holds it without a run.
fn worked_on(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    if let Some(last) = &item.last_run {
        let run: Option<Run> = context.need(&keys::run(org, last.id), "run that it names as its last one")?;
        // Of an item that moved, the run may be about to follow.
        let own = |run: &Run| run.item == item.key || item.former_key.as_ref() == Some(&run.item);
        if run.is_some_and(|run| !own(&run) || run.status() != last.status) {
            context.broken("the run that it names as its last one ended otherwise, or is another item's");
        }
    }
    let by_agent = item.claim.as_ref().is_some_and(|claim| claim.holder.id.is_agent());
    let Some(run) = item.live_run else {
        if by_agent {
            context.broken("an agent holds it, and it has no run");
        }
        return Ok(());
    };
    if let Some(run) = context.need::<Run>(&keys::run(org, run), "run that it names as its live one")?
        && (run.item != item.key || run.status().is_terminal())
    {
        context.broken("the run that it names as its live one has ended, or is another item's");
    }
    context.demand(&keys::item_run(org, &item.key, run), "pointer to its live run").map(drop)
}

/// That the pull requests which it links find it.
fn pull_requests(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    // Pointers are kept since rows tell who wrote a title: an older item has those of newer links only.
    let links = if item.title_by == Writer::Unknown { &[] } else { &*item.links };
    for url in links {
        context.demand(&keys::linked_item(org, &secrets::hash(url), &item.key), "pointer from its link")?;
    }
    for request in item.pull_requests.iter().flat_map(|known| &known.follow_ups) {
        if let RequestState::Started { run } = request.state {
            context.demand(&keys::run(org, run), "follow-up that a pull request started")?;
        }
    }
    Ok(())
}

fn linked(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, hash): (OrgId, String) = (subject.part("org", context)?, subject.part("sha256", context)?);
    let key: ItemKey = subject.read(context)?;
    subject.is_named(context, &keys::linked_item(org, &hash, &key));
    let item = item_or_mark(context, org, &key, "such item")?;
    if item.is_some_and(|item| item.links.iter().all(|url| secrets::hash(url) != hash)) {
        context.broken("the item does not link this pull request");
    }
    Ok(())
}

fn history(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    item_of(subject, context)?;
    let entry: HistoryEntry = subject.read(context)?;
    let time: String = subject.part("time", context)?;
    if time != keys::sortable(entry.at.as_millisecond()) {
        context.broken("its key does not match its time");
    }
    Ok(())
}

fn history_text(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    item_of(subject, context)?;
    subject.read::<TextChange>(context)?;
    let entry = subject.row.key.sk.replacen(keys::HISTORY_TEXT_PREFIX, keys::HISTORY_PREFIX, 1);
    context.demand(&Key::new(&subject.row.key.pk, entry), "history entry that tells of it").map(drop)
}

fn run_pointer(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, key) = item_of(subject, context)?;
    let run: RunId = subject.part("run", context)?;
    let found: Option<Run> = context.need(&keys::run(org, run), "such run")?;
    if found.is_some_and(|run| run.item != key) {
        context.broken("the run is another item's");
    }
    Ok(())
}

/// That a refinement is at work as long as its run is, and no longer.
fn refinement(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, key) = item_of(subject, context)?;
    let refinement: Refinement = subject.read(context)?;
    subject.is_named(context, &keys::refinement(org, &refinement.item));
    let Some(round) = refinement.last() else {
        context.broken("it has no round");
        return Ok(());
    };
    let run: Option<Run> = context.need(&keys::run(org, round.run), "run of its last round")?;
    let Some(run) = run else { return Ok(()) };
    if run.item != key || !run.is_refinement() {
        context.broken("the run of its last round refines another item, or none");
    }
    if (refinement.state == State::Running) == run.status().is_terminal() {
        context.broken(format!("it is {}, and its run is {}", refinement.status(), run.status()));
    }
    Ok(())
}

fn watcher(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    item_of(subject, context)?;
    let (user, actor): (UserId, Actor) = (subject.part("user", context)?, subject.read(context)?);
    if actor.id != ActorId::User(user) {
        context.broken("another person is the watcher");
    }
    // Who left the organization may come back; whoever is told of something is asked for then.
    context.demand(&keys::user(user), "such account").map(drop)
}

fn watching(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, key) = item_of(subject, context)?;
    let user: UserId = subject.part("user", context)?;
    if subject.read::<ItemKey>(context)? != key {
        context.broken("it names another item");
    }
    context.demand(&keys::watcher(org, &key, user), "such watcher of the item").map(drop)
}
