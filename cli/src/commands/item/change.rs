//! What `svc item update` and `svc item edit` change.

use std::path::PathBuf;

use svc_api::tracker::{Item, MoveItem, UpdateItem};
use svc_domain::ids::ItemKey;

use super::each::each;
use super::fields::Fields;
use super::labels::warn_of_undefined;
use super::names::named;
use super::repeated;
use super::shared::text;
use crate::commands::files::{check_not_emptied, given};
use crate::commands::sprint;
use crate::failure::Failure;
use crate::keeping::{self, Kept};
use crate::keys::item_key;
use crate::output::More;
use crate::reading::{Overwrite, Text, admit, guard_version, is_read, remember_written, taken_up};
use crate::session::Session;
use crate::values::OrNone;

/// Names of the arguments, of which a change needs one.
pub(super) const ARGS: [&str; 4] = ["title", "body", "body_file", "sprint"];

/// An item and its new fields.
#[derive(clap::Args)]
pub(crate) struct Change {
    /// Key of the item; several get the same fields
    #[arg(value_name = "ITEM_KEY", required = true, value_parser = item_key)]
    keys: Vec<ItemKey>,
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

    /// The key of the only item.
    ///
    /// # Errors
    /// There are several, which have no text in common.
    pub(super) fn only(&self) -> Result<&ItemKey, Failure> {
        match &self.keys[..] {
            [only] => Ok(only),
            _ => Err(Failure::rejected("several items cannot get the same text")
                .hint("give one item, or fields such as --labels and --priority")),
        }
    }

    /// Checks that a text may take the place of the item's title and description. Answers the description, with what
    /// others changed of it since the person read it.
    ///
    /// # Errors
    /// They changed the same lines, or the title (exit code 3).
    pub(super) async fn admit(
        &self,
        item: &Item,
        (title, body): (&str, String),
        org: &str,
        session: &Session<'_>,
    ) -> Result<String, Failure> {
        let text = text(org, item);
        let (_, body) = admit(&text, body, None, &self.overwrite, session).await?;
        if title != item.title {
            guard_version(&text, &self.overwrite, session)?;
        }
        Ok(body)
    }

    /// A text that was kept, with what others changed of the item's title and description since it was begun.
    ///
    /// # Errors
    /// They changed the same lines (exit code 3).
    pub(super) async fn take_up(
        &self,
        item: &Item,
        shown: &Text<'_>,
        new: String,
        kept: &Kept,
        org: &str,
        session: &Session<'_>,
    ) -> Result<String, Failure> {
        if self.overwrite.is_forced() {
            return Ok(new);
        }
        taken_up(shown, new, kept, is_read(&text(org, item), session), session).await
    }

    /// Reads each item, then sends the change under its version.
    pub(super) async fn send(self, session: &Session<'_>) -> Result<(), Failure> {
        let path = self.body_file.clone();
        let body = given(self.body.clone(), self.body_file.clone())?;
        if self.title.is_some() || body.is_some() {
            self.only()?;
        }
        let org = session.org_slug().await?;
        let mut columns = self.fields.columns();
        columns.extend(self.sprint.is_some().then_some(More::Sprint));
        let with_fields = !self.fields.is_empty();
        let fields = self.fields.resolve(&org, session).await?;
        let given: Vec<String> = fields.labels.iter().flatten().chain(&fields.add_labels).cloned().collect();
        let demanded = self.overwrite.version();
        each(&self.keys, &columns, session, async |key| {
            let item = session.org(&org).item(&key.to_string()).await?;
            let changed = if let Some(sprint) = self.sprint.clone() {
                let change = with_fields.then(|| fields.clone());
                let sprint = sprint::patch(sprint, &key.project, &org, session).await?;
                let moved = MoveItem { sprint, change, ..MoveItem::default() };
                planned(&moved, &item, demanded, &org, session).await?
            } else {
                let mut update = UpdateItem { title: self.title.clone(), ..fields.clone().into() };
                if let Some(new) = body.clone() {
                    check_not_emptied(&item.body, &new, path.is_some())?;
                    update.body =
                        Some(admit(&text(&org, &item), new, None, &self.overwrite, session).await?.1);
                }
                updated(&update, &item, demanded, &org, session).await?
            };
            if body.is_some() {
                remember_written(&text(&org, &changed), session);
                keeping::used_up(path.as_deref(), None, session.output);
            }
            warn_of_undefined(&given, key.project.as_str(), &org, session).await;
            Ok(named(&columns, changed, &org, session).await)
        })
        .await
    }
}

async fn updated(
    update: &UpdateItem,
    item: &Item,
    demanded: Option<u64>,
    org: &str,
    session: &Session<'_>,
) -> Result<Item, Failure> {
    repeated::send(update, item, demanded, org, session, async |version| {
        session.org(org).update_item(&item.key, &UpdateItem { version, ..update.clone() }).await
    })
    .await
}

/// Moves an item into a sprint, or out of one, and changes its fields with it.
async fn planned(
    moved: &MoveItem,
    item: &Item,
    demanded: Option<u64>,
    org: &str,
    session: &Session<'_>,
) -> Result<Item, Failure> {
    repeated::send(moved, item, demanded, org, session, async |version| {
        session.org(org).move_item(&item.key, &MoveItem { version, ..moved.clone() }).await
    })
    .await
}
