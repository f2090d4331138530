//! `svc comment`: what was said on an item. `svc item comment` is the same as `svc comment create`.

use clap::Subcommand;
use svc_api::page::PageQuery;
use svc_api::tracker::{AddReaction, Comment, EditComment};
use svc_domain::ids::ItemKey;

use crate::commands::confirm::Confirm;
use crate::commands::item::{
    CommentArgs, Text, comment_id, comment_on, read_comments, show_comments, show_written,
};
use crate::commands::paging::collect;
use crate::editor::{self, Purpose};
use crate::failure::Failure;
use crate::keeping;
use crate::keys::item_key;
use crate::output::when;
use crate::reading::{self, Author, origin, place, taken_up};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    #[command(visible_alias = "add")]
    Create(CommentArgs),
    Edit(EditArgs),
    History(HistoryArgs),
    React(ReactArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::Create(args) => comment_on(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::History(args) => history(args, session).await,
        Command::React(args) => react(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

/// List the comments of an item, oldest first, with their ids.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc comment list PRJ-12")]
pub(crate) struct ListArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let comments = read_comments(&args.key, &org, session).await?;
    if session.output.json {
        return session.output.json(&comments);
    }
    if comments.is_empty() {
        session.output.say(&format!("{} has no comments that you can see.", args.key));
        return Ok(());
    }
    session.output.paged(|| show_comments(&comments, session.output)).await
}

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
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    text: Text,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
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

/// Show the edits of a comment with their changes, newest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc comment history PRJ-12 0193a6e5-...")]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    which: Which,
    /// Print at most this many edits
    #[arg(short = 'L', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

async fn history(args: HistoryArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.which.key.to_string());
    let id = args.which.id(&slug, session).await?;
    let (org, output) = (session.org(&slug), session.output);
    let edits = collect(Some(args.limit as usize), async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        org.comment_edits(&key, &id, &page).await
    })
    .await?;
    if output.json {
        return output.json(&edits);
    }
    if edits.is_empty() {
        output.say("This comment has no recorded edits.");
        return Ok(());
    }
    let mut shown = Vec::new();
    for edit in &edits {
        let diff = org.comment_diff(&key, &id, edit.version).await?;
        shown.push((format!("{}  {}", when(edit.at), edit.actor.name), diff));
    }
    output
        .paged(|| {
            shown.iter().try_for_each(|(title, diff)| {
                output.line(title)?;
                output.diff(diff, "  ")
            })
        })
        .await
}

/// React to a comment with an emoji, or remove your reaction.
///
/// The instance supports six emojis. Reacting twice with the same emoji does no harm.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment react PRJ-12 0193a6e5-... 👍
  svc comment react PRJ-12 0193a6e5-... 👍 --remove")]
pub(crate) struct ReactArgs {
    #[command(flatten)]
    which: Which,
    /// The emoji
    #[arg(value_name = "EMOJI")]
    emoji: String,
    /// Remove your reaction
    #[arg(long)]
    remove: bool,
}

async fn react(args: ReactArgs, session: &Session<'_>) -> Result<(), Failure> {
    let ReactArgs { which, emoji, remove } = args;
    let (slug, key) = (session.org_slug().await?, which.key.to_string());
    let id = which.id(&slug, session).await?;
    let org = session.org(&slug);
    if remove {
        org.unreact(&key, &id, &emoji).await?;
    } else {
        org.react(&key, &id, &AddReaction { emoji: emoji.clone() }).await?;
    }
    let done = if remove { "took back" } else { "reacted with" };
    session.output.say(&format!("{done} {emoji}"));
    Ok(())
}

/// Delete a comment. Replies to it stay.
///
/// You can delete your own comments, and as a project Admin those of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment delete PRJ-12 0193a6e5-...
  svc comment delete PRJ-12 0193a6e5-... --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.which.key.to_string());
    let org = session.org(&slug);
    let comment = args.which.find(&slug, session).await?;
    let author = comment.author.name;
    args.confirm.sure(&format!("Delete the comment of {author} on {key}?"), session.output)?;
    org.delete_comment(&key, &comment.id).await?;
    session.output.say(&format!("deleted the comment of {author} on {key}"));
    Ok(())
}

/// What people write for the newest comment that they wrote.
const LAST: &str = "last";

/// Which comment: its item and its id.
#[derive(clap::Args)]
struct Which {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment as svc comment list shows it, or the start or end of the id; last for your newest
    #[arg(value_name = "COMMENT_ID")]
    id: String,
}

impl Which {
    /// The comment, read from the instance.
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Comment, Failure> {
        let id = self.id(org, session).await?;
        Ok(session.org(org).view_comment(&self.key.to_string(), &id).await?)
    }

    /// Its id. Whether a comment has it, the instance says.
    async fn id(&self, org: &str, session: &Session<'_>) -> Result<String, Failure> {
        if !self.id.eq_ignore_ascii_case(LAST) {
            return comment_id(&self.id, &self.key, org, session).await;
        }
        let comments = read_comments(&self.key, org, session).await?;
        // People change their own texts only.
        let own = comments.into_iter().rfind(|comment| comment.can_edit);
        own.map(|comment| comment.id).ok_or_else(|| {
            Failure::not_found(format!("you have not commented on {}", self.key))
                .hint(format!("`svc comment list {}` lists those that you can see", self.key))
        })
    }
}
