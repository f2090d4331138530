//! `svc wiki`.

mod access;
mod edit;
mod put;
mod shared;
mod versions;

use clap::Subcommand;
use svc_api::wiki::{DiffQuery, MovePage, RestorePage};

use crate::commands::confirm::Confirm;
use crate::commands::deleted::not_restored;
use crate::commands::in_project::{InProject, ThisProject};
use crate::failure::Failure;
use crate::output::{Output, Table, when};
use crate::reading::remember;
use crate::session::Session;
use shared::{At, located, show, text};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the pages of a project's wiki.
    #[command(visible_alias = "list")]
    #[command(after_help = "\
Example:
  svc wiki tree -p PRJ")]
    Tree(ThisProject),
    #[command(visible_alias = "view")]
    Get(GetArgs),
    #[command(visible_alias = "create")]
    Put(put::Args),
    Edit(edit::Args),
    Move(MoveToArgs),
    #[command(visible_alias = "history")]
    Versions(versions::Args),
    Diff(DiffArgs),
    Restore(RestoreArgs),
    Access(access::Args),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    /// List deleted pages that `svc wiki restore` can restore.
    #[command(after_help = "\
Example:
  svc wiki deleted -p PRJ")]
    Deleted(InProject),
    /// Restore a deleted page, as `svc wiki restore` does.
    #[command(
        override_usage = "svc wiki undelete [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
        hide = true,
        after_help = "\
Example:
  svc wiki undelete -p PRJ Guides/Old"
    )]
    Undelete(At),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Tree(project) => tree(project, session).await,
        Command::Get(args) => get(args, session).await,
        Command::Put(args) => put::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Move(args) => move_to(args, session).await,
        Command::Versions(args) => versions::run(args, session).await,
        Command::Diff(args) => diff(args, session).await,
        Command::Restore(args) => restore(args, session).await,
        Command::Access(args) => access::run(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Deleted(project) => deleted(project, session).await,
        Command::Undelete(at) => undelete(at, session).await,
    }
}

async fn tree(project: ThisProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let pages = session.org(&org).wiki_tree(project.as_str()).await?;
    session.output.all(&pages, "The wiki has no pages that you can see.", |pages| {
        Table::of(pages)
            .fixed("VERSION", |page| page.version.to_string())
            .fixed("UPDATED", |page| when(page.updated_at))
            .flexible("PATH", |page| page.path.as_str())
            .end()
    })
}

/// Print a page's Markdown. On a terminal it is rendered; --raw prints the source.
///
/// svc remembers the version that you read, so that `svc wiki put` does not overwrite later changes by others.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki get [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki get -p PRJ 'Factory/Fix a bug' > playbook.md
  svc wiki get -p PRJ Guides/Testing --version 3"
)]
pub(crate) struct GetArgs {
    #[command(flatten)]
    at: At,
    /// Print this earlier version
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Print the Markdown source, even on a terminal
    #[arg(long)]
    raw: bool,
}

async fn get(args: GetArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let (org, output) = (session.org(&slug), session.output);
    if let Some(number) = args.version {
        let version = org.wiki_version(project, path, number).await?;
        return if output.json {
            output.json(&version)
        } else {
            show_body(&version.body, args.raw, output).await
        };
    }
    let page = org.wiki_page(project, path).await?;
    if output.shows(&page, &page.body) {
        remember(&text(&slug, project, &page), session);
    }
    if output.json { output.json(&page) } else { show_body(&page.body, args.raw, output).await }
}

async fn show_body(body: &str, raw: bool, output: &Output) -> Result<(), Failure> {
    output.paged(|| if raw { output.exact(body) } else { output.markdown(body, "") }).await
}

/// Move or rename a page, with all pages below it.
///
/// There must be no page at the new path. Old paths redirect to the new ones. If someone else saves in between,
/// nothing is moved (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki move [OPTIONS] [PROJECT_KEY] <PAGE_PATH> <NEW_PATH>",
    after_help = "\
Example:
  svc wiki move -p PRJ Guides/Testing Team/Handbook/Testing"
)]
pub(crate) struct MoveToArgs {
    /// Path of the page and its new path; the project's key may come first
    #[arg(value_names = ["PAGE_PATH", "NEW_PATH"], num_args = 2..=3, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

async fn move_to(args: MoveToArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (project, [path, to]) = located(&args.words, &args.project, session).await?;
    let org = session.org_slug().await?;
    let version = session.org(&org).wiki_page(&project, &path).await?.version;
    let wanted = MovePage { version, to: Some(to), position: None };
    show(&session.org(&org).move_wiki_page(&project, &path, &wanted).await?, session)
}

/// Show the difference between two versions of a page, as a unified diff.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki diff [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki diff -p PRJ Guides/Testing
  svc wiki diff -p PRJ Guides/Testing --from 3 --to 7"
)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    at: At,
    /// Older version [default: the one before the newer]
    #[arg(long, value_name = "N")]
    from: Option<u64>,
    /// Newer version [default: the current one]
    #[arg(long, value_name = "N")]
    to: Option<u64>,
}

async fn diff(args: DiffArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let query = DiffQuery { from: args.from, to: args.to };
    let diff = session.org(&slug).wiki_diff(project, path, &query).await?;
    if session.output.json {
        return session.output.json(&diff);
    }
    if diff.hunks.is_empty() {
        session.output.say(&format!("Versions {} and {} have the same text.", diff.from, diff.to));
        return Ok(());
    }
    session.output.paged(|| session.output.text(&diff.unified)).await?;
    if diff.truncated {
        session.output.say("There are more differences than these.");
    }
    Ok(())
}

/// Restore a deleted page with all its versions, or an earlier version of an existing page.
///
/// An earlier version becomes the page's next version. If several deleted pages had the path, the last deleted one is
/// restored; name another by its id.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki restore [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki deleted -p PRJ
  svc wiki restore -p PRJ Guides/Old
  svc wiki restore -p PRJ Guides/Testing --version 3"
)]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    at: At,
    /// Version to restore, for a page that was not deleted
    #[arg(long, value_name = "N")]
    version: Option<u64>,
}

async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let Some(earlier) = args.version else { return bring_back(project, path, session).await };
    let org = session.org(&slug);
    let version = org.wiki_page(project, path).await?.version;
    let restore = RestorePage { version, restore: earlier };
    show(&org.restore_wiki_page(project, path, &restore).await?, session)
}

/// Delete a page. `svc wiki restore` brings it back.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki delete [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki delete -p PRJ Guides/Old
  svc wiki delete -p PRJ Guides/Old --yes"
)]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        org.wiki_page(project, path).await?;
    }
    args.confirm.sure(&format!("Delete the page {path} of {project}?"), session.output)?;
    org.delete_wiki_page(project, path).await?;
    session
        .output
        .say(&format!("deleted the page {path:?}; `svc wiki restore -p {project} '{path}'` brings it back"));
    Ok(())
}

async fn deleted(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let pages = session.org(&org).deleted_wiki_pages(project.as_str()).await?;
    session.output.all(&pages, "There are no deleted pages that you can restore.", |pages| {
        Table::of(pages)
            .fixed("ID", |page| page.id.as_str())
            .fixed("DELETED", |page| when(page.deleted_at))
            .flexible("BY", |page| page.deleted_by.name.as_str())
            .flexible("PATH", |page| page.path.as_str())
            .end()
    })
}

async fn undelete(at: At, session: &Session<'_>) -> Result<(), Failure> {
    let (project, path) = at.names(session).await?;
    bring_back(&project, &path, session).await
}

/// Restores the deleted page of this path, or of this id.
async fn bring_back(project: &str, wanted: &str, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let pages = org.deleted_wiki_pages(project).await?;
    let by_id = pages.iter().find(|page| page.id.eq_ignore_ascii_case(wanted));
    // The last deleted is the first.
    let Some(page) = by_id.or_else(|| pages.iter().find(|page| page.path == wanted)) else {
        return Err(none(project, wanted, pages.is_empty()));
    };
    let restored = org.undelete_wiki_page(project, &page.id).await;
    let hint = format!("`svc wiki move -p {project} '{}' <NEW_PATH>` renames the other one", page.path);
    show(&restored.map_err(|error| not_restored(error, "Another page", &hint))?, session)
}

fn none(project: &str, wanted: &str, none_at_all: bool) -> Failure {
    if none_at_all {
        return Failure::not_found(format!("{project} has no deleted pages that you can restore"))
            .hint("--version restores an earlier text of a page that was not deleted");
    }
    Failure::not_found(format!("there is no deleted page {wanted:?} that you can restore")).hint(format!(
        "`svc wiki deleted -p {project}` lists them; --version restores an earlier text of a page that was not deleted"
    ))
}
