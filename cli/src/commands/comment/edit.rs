//! `svc comment edit`: reads the comment, then sends the new text under its version; without one it opens the text in the
//! person's editor.

use svc_api::tracker::EditComment;

use super::which::Which;
use crate::commands::item::{Text, show_written};
use crate::editor::{self, Purpose};
use crate::failure::Failure;
use crate::keeping;
use crate::reading::{self, Author, origin, place, taken_up};
use crate::session::Session;

/// How the text is given without an editor.
const BY_OPTION: &str = "give the text with --message or --body-file";

/// Edit your comment, in your editor if you give no text.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. If you leave the file unchanged or empty, nothing is saved.
#[derive(clap::Args)]
#[command(
    override_usage = "svc comment edit <ITEM_KEY> <COMMENT_ID> [--message <TEXT>|--body-file <PATH>]",
    after_help = "\
Examples:
  svc comment edit PRJ-12 0193a6e5-...
  svc comment edit PRJ-12 last -m 'Reproduced on the release branch.'"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    text: Text,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (path, body) = (args.text.path(), args.text.given()?);
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.which.key.to_string());
    let before = args.which.find(&slug, session).await?;
    let now = reading::Text {
        what: format!("the comment {}", before.id),
        place: format!("{slug}/items/{key}/comments/{}", before.id),
        version: before.version,
        body: &before.body,
        by: Author::Named(&before.author.name),
        read_with: format!("svc comment list {key}"),
    };
    let send = async |body: String| {
        let edit = EditComment { version: before.version, body };
        Ok(org.edit_comment(key, &before.id, &edit).await?)
    };
    let comment = match body {
        Some(body) => {
            let kept =
                path.as_deref().and_then(|path| keeping::kept(path, &body, &place(&now.place, session)));
            let body = match kept {
                Some(kept) => taken_up(&now, body, &kept, true, session).await?,
                None => body,
            };
            send(body).await?
        }
        None => {
            let again = Some(format!("svc comment edit {key} {} --body-file", before.id));
            let purpose = Purpose {
                name: key,
                instead: BY_OPTION,
                again,
                begin: None,
                origin: Some(origin(&now, session)),
            };
            let draft = editor::edit(&before.body, purpose, session.output).await?;
            let Some(draft) = draft else { return Ok(()) };
            let body = draft.text.clone();
            draft.saved(send(body)).await?
        }
    };
    keeping::used_up(path.as_deref(), Some(&place(&now.place, session)), session.output);
    show_written(&comment, session)
}
