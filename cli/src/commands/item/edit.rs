//! `svc item edit`: opens title and description in the person's editor, and saves them under the version that they
//! saw; with fields it is `svc item update`.

use clap::ArgGroup;
use svc_api::tracker::UpdateItem;

use super::change::{self, Change, save};
use super::fields::Fields;
use super::shared::text;
use crate::editor;
use crate::failure::Failure;
use crate::reading::remember;
use crate::session::Session;

/// How the text is given without an editor.
const BY_OPTION: &str = "give the text with --title, and with --body or --body-file";

/// Edit an item: its fields, or without any its title and description in your editor.
///
/// The first line is the title. It opens $SVC_EDITOR, $VISUAL or $EDITOR. If someone else saves while you write,
/// nothing is changed (exit code 3) and your text is kept in a file. If you leave the file as it was, or empty it,
/// nothing is changed either.
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("change").args(Fields::ARGS).args(change::ARGS).multiple(true),
    override_usage = "svc item edit [OPTIONS] <ITEM_KEY>",
    after_help = "\
Examples:
  svc item edit PRJ-12
  svc item edit PRJ-12 --priority high"
)]
pub(crate) struct Args {
    #[command(flatten)]
    change: Change,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if !args.change.is_empty() {
        return args.change.send(session).await;
    }
    let slug = session.org_slug().await?;
    let key = args.change.key.to_string();
    let item = session.org(&slug).item(&key).await?;
    remember(&text(&slug, &item), session);
    let before = format!("{}\n\n{}", item.title, item.body);
    let Some(draft) = editor::edit(&before, &key, BY_OPTION, session.output).await? else { return Ok(()) };
    let (title, body) = match parts(&draft.text) {
        Some(parts) => parts,
        None => {
            let why = "the first line, which is the title, is empty; nothing was changed";
            return Err(draft.unsaved(Failure::rejected(why)));
        }
    };
    let update = UpdateItem {
        version: item.version,
        title: (title != item.title).then_some(title),
        body: (body != item.body).then_some(body),
        ..UpdateItem::default()
    };
    draft.saved(save(&item, &update, &[], &slug, session)).await
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
