//! `svc item transfer`: reads the item's version, then moves it to another project under that version.

use svc_api::tracker::{Item, TransferItem};
use svc_client::Error;
use svc_domain::ids::{ItemKey, ProjectKey};

use super::names::{milestone_name, sprint_name};
use crate::failure::Failure;
use crate::keys::{item_key, project_key};
use crate::output::one_line;
use crate::session::Session;

/// Move an item to another project.
///
/// The item gets a new key, and the old key redirects to it. Comments, attachments, history, runs, links, watchers
/// and all items that belong to it move along. The sprint, milestone and parent stay behind, and so does an assignee who
/// cannot see the other project; the history names them. To move an item to another state or sprint, use
/// `svc item move`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item transfer PRJ-12 WEB
  svc item transfer PRJ-1 WEB --without-children")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Key of the project to move it to
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Leave children that are not subtasks where they are, without a parent
    #[arg(long)]
    without_children: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), args.key.to_string());
    let before = org.item(&key).await?;
    if before.key.split('-').next() == Some(args.project.as_str()) {
        return Err(Failure::rejected(format!("{} is already in {}", before.key, args.project)));
    }
    let names = (sprint_name(&before, &slug, session).await, milestone_name(&before, &slug, session).await);
    let to = TransferItem {
        version: before.version,
        project: args.project.to_string(),
        with_children: args.without_children.then_some(false),
    };
    let item =
        org.transfer_item(&key, &to).await.map_err(|error| unseen(error, &slug, args.project.as_str()))?;
    session.output.say(&format!("{key} is now {}; the old key redirects to it", item.key));
    let left = left_behind(&before, &item, names);
    if !left.is_empty() {
        session.output.say(&format!("left behind: {}", left.join(", ")));
    }
    super::shared::show(&item, session)
}

/// The item was read a moment ago: what is not found is the project.
fn unseen(error: Error, org: &str, project: &str) -> Failure {
    let missing = error.status() == Some(404);
    let failure = Failure::from(error);
    if missing { failure.missing(["orgs", org, "projects", project]) } else { failure }
}

/// What the item had in the old project and has no more, in words.
fn left_behind(
    before: &Item,
    item: &Item,
    (sprint, milestone): (Option<String>, Option<String>),
) -> Vec<String> {
    let quoted = |name: Option<String>, id: &Option<String>| {
        let name = name.or_else(|| id.clone())?;
        Some(format!("{:?}", one_line(&name)))
    };
    let assignee = before.assignee.as_ref().map(|actor| one_line(&actor.name));
    let left = [
        ("sprint", quoted(sprint, &before.sprint).filter(|_| item.sprint.is_none())),
        ("milestone", quoted(milestone, &before.milestone).filter(|_| item.milestone.is_none())),
        ("assignee", assignee.filter(|_| item.assignee.is_none())),
        ("parent", before.parent.clone().filter(|_| item.parent.is_none())),
    ];
    left.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", name?))).collect()
}
