//! Keeps `svc` from overwriting a text that changed since the caller read or wrote it.
//!
//! A command that prints a text for editing remembers it ([`remember`]), by instance and account. A command that replaces
//! the text asks [`admit`] first. A text that others changed meanwhile is brought together with the new one where both
//! changed other lines. If nothing can be remembered, replacing needs `--force` or `--if-version`.

use crate::failure::Failure;
use crate::joining::{Joined, join};
use crate::keeping::{Kept, Origin};
use crate::remembering::{Known, earlier, known, learn, learn_written};
use crate::session::{Session, fingerprint};
use svc_text::merge::changed_lines;

/// A text as the instance has it.
pub(crate) struct Text<'a> {
    /// What it is, to a person: `the page Guides/Testing`.
    pub(crate) what: String,
    /// Where it is, in the instance: `demo/wiki/PRJ/Guides/Testing`.
    pub(crate) place: String,
    /// Version of the thing that holds it.
    pub(crate) version: u64,
    /// The text.
    pub(crate) body: &'a str,
    /// The author of its last change.
    pub(crate) by: Author<'a>,
    /// The command that prints it.
    pub(crate) read_with: String,
}

/// The author of the last change of a text.
#[derive(Clone, Copy)]
pub(crate) enum Author<'a> {
    /// This person or agent.
    Named(&'a str),
    /// The one that the history of this item names.
    InHistory(&'a str, &'a str),
    /// Unknown.
    Unknown,
}

impl Author<'_> {
    /// Their name, if it can be had.
    pub(crate) async fn name(self, session: &Session<'_>) -> Option<String> {
        match self {
            Self::Named(name) => Some(name.to_owned()),
            Self::Unknown => None,
            Self::InHistory(org, key) => {
                let page = svc_api::page::PageQuery { page: Some(1), page_size: Some(20) };
                let entries = session.org(org).history(key, &page).await.ok()?.items;
                let of_text = |field: &str| matches!(field, "body" | "title");
                let last = entries.into_iter().find(|entry| entry.field.as_deref().is_some_and(of_text));
                last.map(|entry| entry.actor.name)
            }
        }
    }
}

/// Whether another author's text may be replaced.
#[derive(clap::Args)]
pub(crate) struct Overwrite {
    /// Replace the text even if someone else changed it, or you never read it
    #[arg(long)]
    force: bool,
    /// Change something only if this is still the version
    #[arg(long, value_name = "N", conflicts_with = "force")]
    if_version: Option<u64>,
}

impl Overwrite {
    /// Whether the text is replaced whatever others wrote.
    pub(crate) const fn is_forced(&self) -> bool {
        self.force || self.if_version.is_some()
    }

    /// The version that the caller demands.
    pub(crate) const fn version(&self) -> Option<u64> {
        self.if_version
    }
}

/// Remembers that the caller read a text.
pub(crate) fn remember(text: &Text<'_>, session: &Session<'_>) {
    learn(&key(text, session), text.version, text.body);
}

/// Remembers that the caller wrote a text.
pub(crate) fn remember_written(text: &Text<'_>, session: &Session<'_>) {
    learn_written(&key(text, session), text.version, text.body);
}

/// What a draft of a text is begun from.
pub(crate) fn origin(text: &Text<'_>, session: &Session<'_>) -> Origin {
    Origin { place: place(&text.place, session), version: Some(text.version), text: text.body.to_owned() }
}

/// Names a place of an instance among all.
pub(crate) fn place(place: &str, session: &Session<'_>) -> String {
    format!("{} {place}", session.client.base_url())
}

/// The version under which `text` may be replaced, and the text to replace it by: `new`, with what others changed since
/// the caller read it, or since they began the text that was `kept`.
///
/// # Errors
/// Others changed the same lines, or the caller never read it (exit code 3).
pub(crate) async fn admit(
    text: &Text<'_>,
    new: String,
    kept: Option<&Kept>,
    overwrite: &Overwrite,
    session: &Session<'_>,
) -> Result<(u64, String), Failure> {
    if let Some(version) = overwrite.if_version {
        return Ok((version, new));
    }
    if overwrite.force || text.body.trim().is_empty() || text.body == new {
        return Ok((text.version, new));
    }
    let read = read(text, session);
    let knows = read.as_ref().is_some_and(|read| read.is(text.body));
    if let Some(kept) = kept {
        return Ok((text.version, taken_up(text, new, kept, knows, session).await?));
    }
    let read = match read {
        Some(read) if !knows => read,
        Some(_) => match begun_earlier(text, &new, session) {
            Some(earlier) => earlier,
            None => return Ok((text.version, new)),
        },
        None => {
            let title = format!("{} already has a text, and you have not read it on this machine", text.what);
            let hint = format!("read it first with `{}`, or overwrite it with --force", text.read_with);
            return Err(Failure::conflict(title).hint(hint));
        }
    };
    let conflict = |how: &str| {
        let (what, then, now) = (&text.what, read.version, text.version);
        let title = format!("{what} changed since you read it{how}: version {then} then, {now} now");
        let again = &text.read_with;
        Failure::conflict(title)
            .hint(format!("read it again with `{again}` and add your change, or overwrite it with --force"))
    };
    let Some(before) = &read.text else { return Err(conflict("")) };
    if before.trim_end() == new.trim_end() {
        return Err(conflict(", and yours is still the one that you read"));
    }
    let by = async || text.by.name(session).await;
    match join(before, &new, (text.body, text.version), by, session.output).await? {
        Joined::Both(both) => Ok((text.version, both)),
        Joined::Disputed => Err(conflict(", in the same lines as you")),
        Joined::Unwanted => Err(conflict("")),
    }
}

/// A text that was kept, with what others changed since it was begun. Where they changed the same lines, the person has
/// to bring both together in the file; `knows` tells whether they read what the others wrote.
///
/// # Errors
/// They did not, or they do not want both (exit code 3).
pub(crate) async fn taken_up(
    text: &Text<'_>,
    new: String,
    kept: &Kept,
    knows: bool,
    session: &Session<'_>,
) -> Result<String, Failure> {
    let begun = &kept.origin;
    if begun.text.trim_end() == text.body.trim_end() {
        return Ok(new);
    }
    let by = async || text.by.name(session).await;
    let how = match join(&begun.text, &new, (text.body, text.version), by, session.output).await? {
        Joined::Both(both) => return Ok(both),
        Joined::Disputed if knows && kept.changed => return Ok(new),
        Joined::Disputed => ", in the same lines as you",
        Joined::Unwanted => "",
    };
    let then =
        begun.version.map_or_else(|| "there was none".to_owned(), |version| format!("version {version}"));
    let (what, now, read_with) = (&text.what, text.version, &text.read_with);
    Err(Failure::conflict(format!(
        "{what} changed since you started your text{how}: {then} then, version {now} now"
    ))
    .hint(format!(
        "read it with `{read_with}`, copy what you want to keep into {}, then repeat the command",
        kept.path.display()
    )))
}

/// Lets what is beside a text, such as a title, be replaced once the thing was read as it is now.
///
/// # Errors
/// They did not (exit code 3).
pub(crate) fn guard_version(
    text: &Text<'_>,
    overwrite: &Overwrite,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let (now, read_with) = (text.version, &text.read_with);
    if overwrite.is_forced() || is_read(text, session) {
        return Ok(());
    }
    Err(Failure::conflict(format!("the title has changed, and you have not read version {now}")).hint(
        format!(
            "read it with `{read_with}`, copy what you want to keep into the file, or overwrite it with --force"
        ),
    ))
}

/// Whether the caller read the thing that holds the text as it is now.
pub(crate) fn is_read(text: &Text<'_>, session: &Session<'_>) -> bool {
    read(text, session).is_some_and(|read| read.version == text.version)
}

/// The earlier reading that `new` was begun from, if it is more like that than like the text as it is now: a caller that only
/// looked at another's change in another terminal does not have it in their file.
fn begun_earlier(text: &Text<'_>, new: &str, session: &Session<'_>) -> Option<Known> {
    let unlike = |known: Known| Some((changed_lines(known.text.as_ref()?, new), known));
    let readings = earlier(&key(text, session)).into_iter().filter_map(unlike);
    let (unlike, nearest) = readings.min_by_key(|(unlike, _)| *unlike)?;
    (unlike < changed_lines(text.body, new)).then_some(nearest)
}

fn read(text: &Text<'_>, session: &Session<'_>) -> Option<Known> {
    known(&key(text, session))
}

/// Names a text of an instance for one account: what an agent reads, its person has not read.
fn key(text: &Text<'_>, session: &Session<'_>) -> String {
    format!("{}{}", keys_of(session.client.base_url(), session.whose()), text.place)
}

/// How the names of what an account read begin; its id where it is known.
pub(crate) fn read_by(url: &str, account_id: Option<&str>, token: &str) -> String {
    keys_of(url, &account_id.map_or_else(|| fingerprint(token), str::to_owned))
}

fn keys_of(url: &str, whose: &str) -> String {
    format!("{url} {whose} ")
}
