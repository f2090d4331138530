//! What `svc item update` and `svc item edit` change.

use std::path::PathBuf;

use svc_api::Patch;
use svc_api::tracker::{BulkFields, Item, MoveItem, UpdateItem};
use svc_domain::ids::{ItemKey, ProjectKey};

use super::fields::Fields;
use super::shared::{show_with, text};
use crate::commands::files::{check_not_emptied, given};
use crate::commands::sprint;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::More;
use crate::reading::{Overwrite, guard, remember};
use crate::session::Session;
use crate::values::OrNone;

/// Names of the arguments, of which a change needs one.
pub(super) const ARGS: [&str; 4] = ["title", "body", "body_file", "sprint"];

/// An item and its new fields.
#[derive(clap::Args)]
pub(super) struct Change {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    pub(super) key: ItemKey,
    #[command(flatten)]
    pub(super) fields: Fields,
    /// New title, on one line
    #[arg(long)]
    title: Option<String>,
    /// New description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the new description in Markdown; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Sprint to move it into: its name, its id, current, or none for the backlog
    #[arg(long, value_name = "SPRINT", conflicts_with_all = ["title", "body", "body_file"])]
    sprint: Option<OrNone<String>>,
    #[command(flatten)]
    overwrite: Overwrite,
}

impl Change {
    /// Whether nothing is to be changed.
    pub(super) fn is_empty(&self) -> bool {
        let Self { fields, title, body, body_file, sprint, .. } = self;
        title.is_none() && body.is_none() && body_file.is_none() && sprint.is_none() && fields.is_empty()
    }

    /// Reads the item, then sends the change under its version.
    pub(super) async fn send(self, session: &Session<'_>) -> Result<(), Failure> {
        let from_file = self.body_file.is_some();
        let body = given(self.body, self.body_file)?;
        let slug = session.org_slug().await?;
        let columns = self.fields.columns();
        let with_fields = !self.fields.is_empty();
        let fields = self.fields.resolve(&slug, session).await?;
        let item = session.org(&slug).item(&self.key.to_string()).await?;
        let version = self.overwrite.version().unwrap_or(item.version);
        if let Some(sprint) = self.sprint {
            let change = with_fields.then_some(fields);
            let place = (item.key.as_str(), version);
            return planned(sprint, change, place, &self.key.project, &slug, session).await;
        }
        let fields = update(fields);
        let version = match &body {
            Some(body) => {
                check_not_emptied(&item.body, body, from_file)?;
                guard(&text(&slug, &item), body, &self.overwrite, session)?
            }
            None => version,
        };
        let update = UpdateItem { version, title: self.title, body, ..fields };
        save(&item, &update, &columns, &slug, session).await
    }
}

/// Moves an item into a sprint, or out of one, and changes its fields with it.
async fn planned(
    sprint: OrNone<String>,
    change: Option<BulkFields>,
    (key, version): (&str, u64),
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let sprint = match sprint {
        OrNone::None => Patch::Clear,
        OrNone::Some(wanted) => Patch::Set(sprint::find(&wanted, project, org, session).await?),
    };
    let moved = MoveItem { version, sprint, change, ..MoveItem::default() };
    show_with(&[], &session.org(org).move_item(key, &moved).await?, session)
}

/// Sends a change, and shows the item as it left it.
pub(super) async fn save(
    item: &Item,
    update: &UpdateItem,
    columns: &[More],
    org: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let changed = session.org(org).update_item(&item.key, update).await?;
    if update.body.is_some() {
        remember(&text(org, &changed), session);
    }
    show_with(columns, &changed, session)
}

/// The change of one item that gives it these fields.
fn update(fields: BulkFields) -> UpdateItem {
    UpdateItem {
        item_type: fields.item_type,
        priority: fields.priority,
        labels: fields.labels,
        add_labels: fields.add_labels,
        remove_labels: fields.remove_labels,
        estimate: fields.estimate,
        remaining: fields.remaining,
        assignee: fields.assignee,
        parent: fields.parent,
        blocked: fields.blocked,
        due: fields.due,
        milestone: fields.milestone,
        ..UpdateItem::default()
    }
}
