//! `svc item edit`: opens title and description in the person's editor, and saves them under the version that they
//! saw; with fields it is `svc item update`.

use std::path::PathBuf;

use clap::ArgGroup;
use svc_api::tracker::{Item, UpdateItem};

use super::change::{self, Change};
use super::fields::Fields;
use super::shared::{show, text};
use crate::commands::files::read_text;
use crate::editor::{self, Purpose};
use crate::failure::Failure;
use crate::keeping;
use crate::reading::{Author, Text, origin, place, remember, remember_written};
use crate::revising::{self, Revised};
use crate::session::Session;

/// How the text is given without an editor.
const BY_OPTION: &str = "give the text with --title, and with --body or --body-file";

/// Edit an item: the given fields, or its title and description in your editor.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. The first line is the title. If someone else changes other lines while
/// you write, svc merges both changes; at a terminal it asks first. If they change the same lines, nothing is changed
/// (exit code 3) and your text is kept in a file; continue with --from. If you leave the file unchanged or empty,
/// nothing is saved.
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("change").args(Fields::ARGS).args(change::ARGS).multiple(true),
    override_usage = "svc item edit [OPTIONS] <ITEM_KEY>...",
    after_help = "\
Examples:
  svc item edit PRJ-12
  svc item edit PRJ-12 --priority high
  svc item edit PRJ-12 --from svc-PRJ-12-draft.md"
)]
pub(crate) struct Args {
    #[command(flatten)]
    change: Change,
    /// Start from this file, such as a text that was kept; its first line is the title
    #[arg(long, value_name = "PATH", conflicts_with = "change")]
    from: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { change, from } = args;
    if !change.is_empty() {
        return change.send(session).await;
    }
    let slug = session.org_slug().await?;
    let key = change.only()?.to_string();
    let item = session.org(&slug).item(&key).await?;
    let before = whole(&item);
    let shown = Text { place: format!("{slug}/items/{key}/whole"), body: &before, ..text(&slug, &item) };
    let begun_at = place(&shown.place, session);
    let begin = match &from {
        Some(path) => {
            let text = read_text(path)?;
            let (title, body) = parts(&text).ok_or_else(untitled)?;
            match keeping::kept(path, &text, &begun_at) {
                Some(kept) => Some(change.take_up(&item, &shown, text, &kept, &slug, session).await?),
                None => {
                    let body = change.admit(&item, (&title, body), &slug, session).await?;
                    Some(format!("{title}\n\n{body}"))
                }
            }
        }
        None => {
            remember(&text(&slug, &item), session);
            None
        }
    };
    let again = Some(format!("svc item edit {key} --from"));
    let origin = Some(origin(&shown, session));
    let purpose = Purpose { name: &key, instead: BY_OPTION, again, begin, origin };
    let Some(draft) = editor::edit(&before, purpose, session.output).await? else { return Ok(()) };
    let thing = ItemText { key: &key, org: &slug, session };
    let changed = revising::save(draft, item, &thing, session.output).await?;
    remember_written(&text(&slug, &changed), session);
    keeping::used_up(from.as_deref(), Some(&begun_at), session.output);
    show(&changed, session)
}

/// Title and description of an item.
struct ItemText<'a> {
    key: &'a str,
    org: &'a str,
    session: &'a Session<'a>,
}

impl Revised for ItemText<'_> {
    type Seen = Item;
    type Saved = Item;

    async fn read(&self) -> Result<Item, Failure> {
        Ok(self.session.org(self.org).item(self.key).await?)
    }

    fn text(&self, seen: &Item) -> String {
        whole(seen)
    }

    fn version(&self, seen: &Item) -> u64 {
        seen.version
    }

    async fn author(&self, seen: &Item) -> Option<String> {
        Author::InHistory(self.org, &seen.key).name(self.session).await
    }

    async fn write(&self, seen: &Item, text: &str) -> Result<Item, Failure> {
        let (title, body) = parts(text).ok_or_else(untitled)?;
        let update = UpdateItem {
            version: seen.version,
            title: (title != seen.title).then_some(title),
            body: (body != seen.body).then_some(body),
            ..UpdateItem::default()
        };
        Ok(self.session.org(self.org).update_item(&seen.key, &update).await?)
    }

    fn read_with(&self) -> String {
        format!("svc item view {}", self.key)
    }
}

fn whole(item: &Item) -> String {
    format!("{}\n\n{}", item.title, item.body)
}

fn untitled() -> Failure {
    Failure::rejected("the first line is the title, and it is empty; nothing was changed")
}

/// The title, which is the first line, and the description; nothing without a title.
fn parts(text: &str) -> Option<(String, String)> {
    let (title, body) = text.split_once('\n').unwrap_or((text, ""));
    let title = title.trim();
    (!title.is_empty()).then(|| (title.to_owned(), body.trim_start_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn the_first_line_is_the_title() {
        let both = |title: &str, body: &str| Some((title.to_owned(), body.to_owned()));
        assert_eq!(parts("Search forgets\n\nIt *does*.\n"), both("Search forgets", "It *does*.\n"));
        assert_eq!(parts("Search forgets"), both("Search forgets", ""));
        assert_eq!(parts("\n\nIt *does*.\n"), None, "the description does not become the title");
    }
}
