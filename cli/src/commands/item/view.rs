//! `svc item view`.

use serde::Serialize;
use svc_api::tracker::{Claim, Comment, Item, ItemLink, Links};
use svc_domain::ids::ItemKey;

use super::comments::{read_comments, show_comments};
use super::links::lines;
use super::names::{milestone_name, sprint_name};
use super::shared::text;
use crate::commands::browse;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Pairs, joined, name, priority, state, when};
use crate::reading::remember;
use crate::session::Session;

/// Show an item.
///
/// svc remembers the description that you read, so that `svc item update --body-file` does not overwrite later
/// changes by others. With --jq or --format, this counts only if the output has the description.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item view PRJ-12
  svc item view PRJ-12 --comments --links")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Show its comments
    #[arg(long)]
    comments: bool,
    /// Show its links to pull requests and other items
    #[arg(long)]
    links: bool,
    /// Open the item in a browser instead
    #[arg(short, long, conflicts_with_all = ["comments", "links"])]
    web: bool,
}

/// The item, and what else was asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    #[serde(flatten)]
    item: &'a Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<&'a [Comment]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_links: Option<&'a [ItemLink]>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if args.web {
        return browse::item(&args.key, session).await;
    }
    let org = session.org_slug().await?;
    let item = session.org(&org).item(&args.key.to_string()).await?;
    if !item.key.eq_ignore_ascii_case(&args.key.to_string()) {
        session.output.say(&format!("{} moved to another project and is now {}", args.key, item.key));
    }
    if session.output.shows(&item, &item.body) {
        remember(&text(&org, &item), session);
    }
    let comments = if args.comments { Some(read_comments(&args.key, &org, session).await?) } else { None };
    let links = if args.links { Some(session.org(&org).links(&item.key).await?) } else { None };
    let output = session.output;
    if output.json {
        let item_links = links.as_ref().map(|links| &links.items[..]);
        return output.json(&Shown { item: &item, comments: comments.as_deref(), item_links });
    }
    let names = (sprint_name(&item, &org, session).await, milestone_name(&item, &org, session).await);
    output.paged(|| show(&item, names, links.as_ref(), comments.as_deref(), output)).await
}

/// Prints the item, with the names of its sprint and milestone, and what else was asked for.
fn show(
    item: &Item,
    names: (Option<String>, Option<String>),
    links: Option<&Links>,
    comments: Option<&[Comment]>,
    output: &Output,
) -> Result<(), Failure> {
    output.pairs(&pairs(item, names))?;
    if !item.body.trim().is_empty() {
        output.text("\n")?;
        output.theirs(&format!("description of {}", item.key), item.body.trim_end(), "")?;
    }
    if let Some(links) = links {
        output.text("\nLinks")?;
        if links.items.is_empty() && links.pull_requests.is_empty() {
            output.text("  none")?;
        }
        lines(links).into_iter().try_for_each(|line| output.text(&format!("  {line}")))?;
    }
    match comments {
        Some(comments) => {
            output.text("\nComments")?;
            if comments.is_empty() { output.text("  none") } else { show_comments(comments, output) }
        }
        None => Ok(()),
    }
}

fn pairs(item: &Item, (sprint, milestone): (Option<String>, Option<String>)) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("key", item.key.as_str());
    pairs.add("title", item.title.as_str());
    pairs.add("type", name(&item.item_type));
    pairs.add("state", state(item));
    pairs.add("priority", priority(item.priority));
    pairs.add("labels", joined(&item.labels));
    pairs.maybe("estimate", item.estimate.map(|number| number.to_string()));
    pairs.maybe("remaining", item.remaining.map(|number| number.to_string()));
    pairs.maybe("assignee", item.assignee.as_ref().map(|actor| actor.name.as_str()));
    pairs.maybe("parent", item.parent.as_deref());
    pairs.maybe("sprint", sprint.or_else(|| item.sprint.clone()));
    pairs.maybe("milestone", milestone.or_else(|| item.milestone.clone()));
    pairs.maybe("due", item.due.map(|day| day.to_string()));
    pairs.maybe("resolved", item.resolved_at.map(when));
    pairs.maybe("blocked", item.blocked.then_some("yes"));
    pairs.maybe("claim", item.claim.as_ref().map(claim));
    pairs.maybe("run", item.live_run.as_deref());
    pairs.add("created", format!("{} by {}", when(item.created_at), item.created_by.name));
    pairs.add("updated", when(item.updated_at));
    pairs.add("version", item.version.to_string());
    pairs
}

fn claim(claim: &Claim) -> String {
    let agent = if claim.agent { " (agent)" } else { "" };
    let stale = if claim.stale { ", stale: anyone may claim the item" } else { "" };
    format!("{}{agent} since {}{stale}", claim.holder_name, when(claim.since))
}
