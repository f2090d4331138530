//! Writes a message of what waits: only what its reader may see now, by the rights that they have now.

use svc_domain::email::{self, Digest, Section};
use svc_domain::identity::User;
use svc_domain::ids::UserId;
use svc_domain::item::Item;
use svc_domain::notification::channel::Mode;
use svc_domain::notification::delivery::{Batch, Lane, Pending};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_domain::notification::{Entry, News, NotificationKind as Kind, Subject};
use svc_domain::refinement::{Refinement, RefinementStatus};
use svc_domain::visibility::Viewer;
use svc_storage::keys;

use super::asking::{Asked, answerable};
use super::chat::{Note, Part, Quote, shortened};
use super::enqueue::defaults_of;
use super::preferences::preferences_of;
use super::push;
use super::seen::{InboxEntry, for_anybody, named, seen_now};
use super::target::{Message, Target};
use super::unsubscribe;
use crate::App;
use crate::error::Result;
use crate::ports::{Envelope, MailList};
use crate::wanted;

/// Things that one message tells of; of the rest it says how many they are.
const SHOWN: usize = 60;
/// Quotes of one thing.
const QUOTES: usize = 5;
/// Characters of a quote.
const QUOTED: usize = 500;

/// The message of a batch; `None` where nothing is left to say.
pub(super) async fn compose(
    app: &App,
    destination: Destination,
    target: &Target,
    batch: &Batch,
    parts: Vec<Pending>,
) -> Result<Option<Message>> {
    let mut entries = match destination {
        Destination::Person(user, place) => of_person(app, user, place, parts).await?,
        Destination::Channel(..) => of_channel(app, parts).await?,
    };
    if entries.is_empty() {
        return Ok(None);
    }
    // What waits for its reader comes first; the rest is in the inbox.
    entries.sort_by_key(|entry| !entry.gathered.needs_you);
    let more = entries.len().saturating_sub(SHOWN);
    entries.truncate(SHOWN);
    let reader = match destination {
        Destination::Person(user, _) => Some(user),
        Destination::Channel(..) => None,
    };
    let mut told = Vec::new();
    for entry in &entries {
        told.push(part(app, entry, reader).await?);
    }
    Ok(Some(match target {
        Target::Chat(..) => {
            let end = (more > 0).then(|| format!("And {more} more: {}", inbox(app)));
            Message::Chat(Note { parts: told, end })
        }
        Target::Browser(..) => Message::Browser(push::notice(app, &entries, &told, batch.lane)),
        Target::Mail(user) => Message::Mail(Box::new(mail(app, user, batch, &entries, (told, more)))),
    }))
}

/// What a person may see of what waits, and still wants to hear there.
async fn of_person(app: &App, user: UserId, place: Place, parts: Vec<Pending>) -> Result<Vec<InboxEntry>> {
    let (preferences, _) = preferences_of(app, user).await?;
    let mut wanted = Vec::new();
    for Pending { entry, .. } in parts {
        let defaults = defaults_of(app, entry.org).await?;
        let (org, subject) = (entry.org, entry.subject.clone());
        let entry = unsent(entry, |news| {
            preferences.mode(news.kind, place, &defaults) != Mode::Off
                && preferences.wants(org, &subject, news)
        });
        wanted.extend(entry);
    }
    // What was read meanwhile needs no mail, and no browser says it again.
    if !matches!(place, Place::Chat(_)) {
        let mut unread = Vec::new();
        for entry in wanted {
            let inbox = app.table.get(&super::seen::entry_key(user, entry.org, &entry.subject)).await?;
            let inbox: Option<Entry> = inbox.map(|row| row.read()).transpose()?;
            if inbox.is_none_or(|inbox| inbox.read < inbox.told) {
                unread.push(entry);
            }
        }
        wanted = unread;
    }
    let mut entries = seen_now(app, user, wanted).await?;
    named(app, &mut entries).await?;
    entries.reverse();
    Ok(entries)
}

/// What anybody in the organization may see of it.
async fn of_channel(app: &App, parts: Vec<Pending>) -> Result<Vec<InboxEntry>> {
    let entries = parts.into_iter().filter_map(|pending| unsent(pending.entry, |_| true)).collect();
    let mut entries = for_anybody(app, entries).await?;
    named(app, &mut entries).await?;
    entries.reverse();
    Ok(entries)
}

/// An entry of the news that were not sent yet and are wanted.
fn unsent(entry: Entry, wanted: impl Fn(&News) -> bool) -> Option<Entry> {
    let first = entry.told.saturating_sub(entry.news.len() as u64);
    let numbered = entry.news.into_iter().zip(first + 1..);
    let news: Vec<News> = numbered
        .filter(|(news, number)| *number > entry.read && wanted(news))
        .map(|(news, _)| news)
        .collect();
    let told = news.len() as u64;
    (told > 0).then(|| Entry { news, told, read: 0, done: 0, ..Entry::new(entry.org, entry.subject) })
}

/// What is told of an entry; words of people and agents only to a person.
async fn part(app: &App, entry: &InboxEntry, reader: Option<UserId>) -> Result<Part> {
    let link = link(app, entry);
    let title = match &entry.subject {
        Subject::Item { key, .. } => format!("[{key}] {}", entry.title),
        Subject::Sprint { project, .. }
        | Subject::Page { project, .. }
        | Subject::Schedule { project, .. } => {
            format!("[{project}] {}", entry.title)
        }
        Subject::Invitation { .. } => format!("Invitation of {}", entry.title),
        Subject::Webhook { .. } => format!("Webhook {}", entry.title),
        Subject::Channel { .. } => format!("Chat {}", entry.title),
        Subject::Runner { .. } => format!("Runner {}", entry.title),
        Subject::Budget { .. } => entry.title.clone(),
    };
    let (mut quotes, mut asked) = (Vec::new(), None);
    if let Some(user) = reader {
        let waits = waiting(app, entry).await?;
        quotes = said(app, entry).await?;
        quotes.extend(waits.iter().flat_map(Waiting::quotes));
        quotes.truncate(QUOTES);
        asked = waits.and_then(|waits| waits.asked(entry, user));
    }
    let asks = entry.gathered.news.iter().any(|news| news.kind == Kind::RunNeedsInput);
    let word = if asks { "Answer" } else { "Open" };
    let actions = vec![(word, link.clone())];
    let summary = entry.gathered.summary();
    Ok(Part { title, summary, quotes, actions, link, asked, buttons: Vec::new() })
}

/// Where an entry leads (specification section 4.1, rule 5).
fn link(app: &App, entry: &InboxEntry) -> String {
    let base = &app.settings.service.base_url;
    let run = entry.gathered.news.iter().rev().find_map(|news| news.run);
    let slug = &entry.slug;
    match (&entry.subject, run) {
        (Subject::Item { .. }, Some(run)) if entry.viewer == Viewer::Operator => {
            format!("{base}/o/{slug}/factory/runs/{run}")
        }
        (Subject::Item { key, .. }, _) => format!("{base}/o/{slug}/p/{}/items/{key}", key.project),
        _ => format!("{base}/inbox"),
    }
}

/// What was said, as far as the reader may see it now.
async fn said(app: &App, entry: &InboxEntry) -> Result<Vec<Quote>> {
    let Subject::Item { key, .. } = &entry.subject else { return Ok(Vec::new()) };
    let mut quotes = Vec::new();
    let said = entry.gathered.news.iter().filter(|news| news.kind != Kind::Reacted);
    let comments: Vec<_> =
        said.filter_map(|news| news.comment).map(|id| keys::comment(entry.org, key, id)).collect();
    for row in wanted::load(app, comments).await?.into_iter().flatten() {
        let comment = row.read()?;
        if !comment.deleted && entry.viewer.sees_comment(&comment) {
            quotes.push(Quote { by: comment.author.name, text: shortened(&comment.body, QUOTED) });
        }
    }
    Ok(quotes)
}

/// A refinement that waits for its reader.
struct Waiting {
    refinement: Refinement,
    version: u64,
    item_version: u64,
    /// Who asks.
    by: String,
}

/// What an agent waits for, if the reader sees what agents do.
async fn waiting(app: &App, entry: &InboxEntry) -> Result<Option<Waiting>> {
    let asks = entry.gathered.news.iter().rev().find(|news| news.kind == Kind::RunNeedsInput);
    let (Some(news), Subject::Item { key, .. }) = (asks, &entry.subject) else { return Ok(None) };
    if !entry.viewer.sees_agents_work() {
        return Ok(None);
    }
    let wanted = (keys::refinement(entry.org, key), keys::item(entry.org, key));
    let (Some(row), Some(item)) = wanted::load(app, wanted).await? else { return Ok(None) };
    let item: Item = item.read()?;
    let by = news.by.as_ref().map_or_else(|| "Agent".to_owned(), |by| by.name.clone());
    Ok(Some(Waiting { refinement: row.read()?, version: row.version, item_version: item.revision, by }))
}

impl Waiting {
    /// Its open questions, or what it proposes.
    fn quotes(&self) -> Vec<Quote> {
        let quote = |text: &str| Quote { by: self.by.clone(), text: shortened(text, QUOTED) };
        let questions = self.refinement.open_questions().iter().map(|question| quote(question));
        let proposal = self.refinement.proposal.as_ref();
        let proposal = proposal.filter(|_| self.refinement.status() == RefinementStatus::Proposed);
        let proposed =
            proposal.map(|proposal| quote(&format!("{}: {}", proposal.title, proposal.description)));
        questions.chain(proposed).collect()
    }

    /// What a person can answer where they are told.
    fn asked(self, entry: &InboxEntry, user: UserId) -> Option<Asked> {
        let proposal = answerable(&self.refinement)?;
        let (version, item_version) = (self.version, self.item_version);
        Some(Asked { org: entry.org, user, item: self.refinement.item, version, item_version, proposal })
    }
}

fn inbox(app: &App) -> String {
    format!("{}/inbox", app.settings.service.base_url)
}

fn mail(
    app: &App,
    user: &User,
    batch: &Batch,
    entries: &[InboxEntry],
    (parts, more): (Vec<Part>, usize),
) -> Envelope {
    let base = &app.settings.service.base_url;
    let kinds = entries.iter().flat_map(|entry| entry.gathered.news.iter().map(|news| news.kind));
    let unsubscribe = unsubscribe::link(app, user.id, kinds);
    let section = |(part, entry): (Part, &InboxEntry)| Section {
        group: match entry.subject.project() {
            Some(project) => format!("{} / {project}", entry.slug),
            None => entry.slug.to_string(),
        },
        title: part.title,
        link: part.link,
        summary: part.summary,
        quotes: part.quotes.into_iter().map(|quote| (quote.by, quote.text)).collect(),
        needs_you: entry.gathered.needs_you,
    };
    let digest = Digest {
        sections: parts.into_iter().zip(entries).map(section).collect(),
        daily: batch.lane == Lane::Digest,
        more: (more > 0).then(|| (more, inbox(app))),
        settings: format!("{base}/settings/notifications"),
    };
    let thread = match entries {
        [entry] if !digest.daily => Some(format!("{}.{}", entry.id, entry.org)),
        _ => None,
    };
    Envelope {
        to: user.email.clone(),
        email: email::notifications(&digest),
        id: format!("notification.{}", batch.id),
        list: Some(MailList { name: "notifications".to_owned(), unsubscribe, thread }),
    }
}
