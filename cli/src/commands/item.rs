//! `svc item`.

mod bulk;
mod change;
mod close;
mod comment;
mod comment_id;
mod comments;
mod create;
mod delete;
mod each;
mod edit;
mod fields;
mod history;
mod labels;
mod link;
mod links;
mod list;
mod mentions;
mod move_to;
mod names;
mod naming;
mod repeated;
mod shared;
mod terms;
mod through;
mod transfer;
mod unmatched;
mod view;
pub(super) mod watch;

pub(super) use comment::{Args as CommentArgs, Text, run as comment_on, show_written};
pub(super) use comment_id::comment_id;
pub(super) use comments::{read_comments, show_comments};
pub(super) use naming::with_ids;
pub(super) use unmatched::{check_saved, warn_of};

use clap::{ArgGroup, Subcommand};
use serde_json::json;
use svc_api::page::PageQuery;
use svc_api::tracker::{ClaimItem, Item, ItemType, LinkQuery, NewItem};
use svc_domain::branch;
use svc_domain::ids::ItemKey;

use crate::commands::confirm::Confirm;
use crate::commands::new_name::NewTitle;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{More, item_table};
use crate::session::Session;
use crate::values::number;
use change::Change;
use each::each;
use fields::Fields;
use links::{Target, lines, show};
use shared::{held, of_another};

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    #[command(visible_alias = "add")]
    Create(Box<create::Args>),
    /// Change the fields of an item, or of several.
    ///
    /// Other fields stay as they are. If someone else changes the same fields in the meantime, nothing is changed (exit
    /// code 3). If they changed other lines of the description since you read it with `svc item view`, svc merges both
    /// changes.
    #[command(
    group = ArgGroup::new("change").args(Fields::ARGS).args(change::ARGS).required(true).multiple(true),
    override_usage = "svc item update [OPTIONS] <ITEM_KEY>...",
    after_help = "\
Examples:
  svc item update PRJ-12 --priority high --labels bug,search
  svc item update PRJ-12 PRJ-13 --labels +urgent,-wontfix
  svc item update PRJ-12 --assignee none
  svc item update PRJ-12 --body-file description.md"
)]
    Update(Change),
    Edit(edit::Args),
    Move(move_to::Args),
    Transfer(transfer::Args),
    Close(close::Args),
    Reopen(close::ReopenArgs),
    Claim(ClaimArgs),
    Release(ReleaseArgs),
    Heartbeat(HeartbeatArgs),
    Comment(comment::Args),
    Mentions(mentions::Args),
    Subtask(SubtaskArgs),
    Link(link::Args),
    Unlink(UnlinkArgs),
    Links(LinksOfArgs),
    Branch(BranchArgs),
    Subtasks(SubtasksArgs),
    History(history::Args),
    Bulk(bulk::Args),
    Delete(delete::Args),
    Restore(delete::RestoreArgs),
    Deleted(delete::ListArgs),
    /// Watch an item
    #[command(after_help = "Example:\n  svc item watch PRJ-12")]
    Watch(watch::Args),
    /// Stop watching an item
    #[command(after_help = "Example:\n  svc item unwatch PRJ-12")]
    Unwatch(watch::Args),
    /// List who watches an item
    #[command(after_help = "Example:\n  svc item watchers PRJ-12")]
    Watchers(watch::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(*args, session).await,
        Command::Update(change) => update(change, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
        Command::Transfer(args) => transfer::run(args, session).await,
        Command::Close(args) => close::run(args, session).await,
        Command::Reopen(args) => close::reopen(args, session).await,
        Command::Claim(args) => claim(args, session).await,
        Command::Release(args) => release(args, session).await,
        Command::Heartbeat(args) => heartbeat(args, session).await,
        Command::Comment(args) => comment::run(args, session).await,
        Command::Mentions(args) => mentions::run(args, session).await,
        Command::Subtask(args) => subtask(args, session).await,
        Command::Link(args) => link::run(args, session).await,
        Command::Unlink(args) => unlink(args, session).await,
        Command::Links(args) => links_of(args, session).await,
        Command::Branch(args) => branch(args, session).await,
        Command::Subtasks(args) => subtasks(args, session).await,
        Command::History(args) => history::run(args, session).await,
        Command::Bulk(args) => bulk::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Restore(args) => delete::restore(args, session).await,
        Command::Deleted(args) => delete::list(args, session).await,
        Command::Watch(args) => watch::set(args, true, session).await,
        Command::Unwatch(args) => watch::set(args, false, session).await,
        Command::Watchers(args) => watch::list(args, session).await,
    }
}

async fn update(change: Change, session: &Session<'_>) -> Result<(), Failure> {
    change.send(session).await
}

/// Claim an item or several, so that nobody else works on them.
///
/// Keep the claim fresh with `svc item heartbeat`; others can take over a claim without a heartbeat for several
/// minutes. If someone else holds the claim, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item claim PRJ-12
  svc item claim PRJ-12 PRJ-13 --yes")]
pub(crate) struct ClaimArgs {
    /// Key of the item; several are claimed one by one
    #[arg(value_name = "ITEM_KEY", required = true, value_parser = item_key)]
    keys: Vec<ItemKey>,
    #[command(flatten)]
    confirm: Confirm,
}

async fn claim(args: ClaimArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    each(&args.keys, &[], session, async |key| {
        claim_one(&key.to_string(), &args.confirm, &org, session).await
    })
    .await
}

async fn claim_one(key: &str, confirm: &Confirm, org: &str, session: &Session<'_>) -> Result<Item, Failure> {
    let item = session.org(org).item(key).await?;
    // A claim that is fresh cannot be taken over: the instance says so.
    if item.claim.as_ref().is_some_and(|claim| claim.stale)
        && confirm.asks(session.output)
        && let Some(claim) = of_another(&item, session).await?
    {
        let question = format!("{} holds a claim on {key}. Take it over?", held(claim));
        confirm.sure_on_terminal(&question, session.output)?;
    }
    Ok(session.org(org).claim(key, &ClaimItem { version: item.version }).await?)
}

/// Release an item's claim. Admins of the project can release the claims of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item release PRJ-12
  svc item release PRJ-12 --yes")]
pub(crate) struct ReleaseArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    confirm: Confirm,
}

async fn release(args: ReleaseArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    if args.confirm.asks(session.output) {
        let item = session.org(&org).item(key).await?;
        if let Some(claim) = of_another(&item, session).await? {
            let question = format!("{} holds the claim on {key}. Release it?", held(claim));
            args.confirm.sure_on_terminal(&question, session.output)?;
        }
    }
    let item = session.org(&org).release(key).await?;
    shared::show(&item, session)
}

/// Keep your claim on an item fresh.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item heartbeat PRJ-12")]
pub(crate) struct HeartbeatArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn heartbeat(args: HeartbeatArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let item = session.org(&org).heartbeat_item(&args.key.to_string()).await?;
    shared::show(&item, session)
}

/// Create a subtask of an item.
#[derive(clap::Args)]
#[command(
    override_usage = "svc item subtask [OPTIONS] --estimate <N> <ITEM_KEY> <TITLE|--title <TITLE>>",
    after_help = "\
Examples:
  svc item subtask PRJ-12 'Write the regression test' --estimate 2
  svc item create --type subtask --parent PRJ-12 'Write the regression test'

A subtask has an estimate. Where you know none yet, use `svc item create`."
)]
pub(crate) struct SubtaskArgs {
    /// Key of the item that it belongs to
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    title: NewTitle,
    /// Estimated effort
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    estimate: f64,
}

async fn subtask(args: SubtaskArgs, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewItem {
        estimate: Some(args.estimate),
        parent: Some(args.key.to_string()),
        ..NewItem::new(ItemType::Subtask, args.title.into_text())
    };
    let org = session.org_slug().await?;
    let item = session.org(&org).create_item(args.key.project.as_str(), &new).await?;
    shared::show_with(&[More::Estimate, More::Parent], &item, session)
}

/// Remove an item's link to another item or a pull request. Repeating it changes nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item unlink PRJ-12 --blocked-by WEB-3
  svc item unlink PRJ-12 --hidden
  svc item unlink PRJ-12 --pr https://code.example/team/search/pull/7")]
pub(crate) struct UnlinkArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    target: Target,
    /// Remove all links to items in projects that you cannot see
    #[arg(long, group = "Target")]
    hidden: bool,
}

async fn unlink(args: UnlinkArgs, session: &Session<'_>) -> Result<(), Failure> {
    if !args.hidden {
        return link::change(&args.key, args.target, true, session).await;
    }
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.key.to_string());
    org.unlink(key, &LinkQuery { hidden: true, ..LinkQuery::default() }).await?;
    show(&org.links(key).await?, session.output)
}

/// List an item's links to other items and pull requests.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item links PRJ-12")]
pub(crate) struct LinksOfArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn links_of(args: LinksOfArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, output) = (session.org_slug().await?, session.output);
    let links = session.org(&org).links(&args.key.to_string()).await?;
    if output.json {
        return output.json(&links);
    }
    let lines = lines(&links);
    if lines.is_empty() {
        output.say(&format!("{} has no links; add one with `svc item link`.", args.key));
        return Ok(());
    }
    output.paged(|| lines.iter().try_for_each(|line| output.line(line))).await
}

/// Print a branch name for an item: its key in lower case and its title, shortened.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  git switch -c \"$(svc item branch PRJ-12)\"")]
pub(crate) struct BranchArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn branch(args: BranchArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let item = session.org(&org).item(&args.key.to_string()).await?;
    let branch = branch::of_item(&args.key, &item.title);
    if session.output.json {
        return session.output.json(&json!({ "branch": branch }));
    }
    session.output.text(&branch)
}

/// List the subtasks of an item, or the items of an epic.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item subtasks PRJ-12")]
pub(crate) struct SubtasksArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

async fn subtasks(args: SubtasksArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let items = collect(None, async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        session.org(&org).subtasks(&key, &page).await
    })
    .await?;
    session
        .output
        .all(&items, &format!("{key} has no subtasks or other children."), |items| item_table(items.iter()))
}
