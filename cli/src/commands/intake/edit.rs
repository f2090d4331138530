//! `svc intake edit`: reads the intake's version, then sends the change under it.

use svc_api::Patch;
use svc_api::tracker::UpdateIntake;

use super::shared::{Which, mapping, table};
use crate::failure::Failure;
use crate::session::Session;

/// Change, disable or enable an intake. It then makes items for you.
#[derive(clap::Args)]
#[command(
    override_usage = "svc intake edit [OPTIONS] --project <PROJECT_KEY> <INTAKE>",
    after_help = "\
Examples:
  svc intake edit Alertmanager -p OPS --comment-repeats true
  svc intake edit 'Contact form' -p PRJ --disabled true"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name, on one line
    #[arg(long)]
    name: Option<String>,
    /// Name or id of another template of its items, or none
    #[arg(long)]
    template: Option<String>,
    /// Path of the field with the title, such as alert.name
    #[arg(long, value_name = "PATH")]
    title_field: Option<String>,
    /// Path of the field with the description
    #[arg(long, value_name = "PATH")]
    body_field: Option<String>,
    /// Path of the field with labels; only those count that the project has
    #[arg(long, value_name = "PATH")]
    labels_field: Option<String>,
    /// Path of the field that is the same for reports of the same thing
    #[arg(long, value_name = "PATH")]
    key_field: Option<String>,
    /// Whether to write a comment for each repeated report
    #[arg(long, value_name = "BOOL")]
    comment_repeats: Option<bool>,
    /// Whether to write a comment when something is reported as resolved
    #[arg(long, value_name = "BOOL")]
    comment_resolved: Option<bool>,
    /// Whether to move the item to the first resolved state then
    #[arg(long, value_name = "BOOL")]
    close_resolved: Option<bool>,
    /// Whether the intake takes nothing
    #[arg(long, value_name = "BOOL")]
    disabled: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let intake = args.which.find(&org, session).await?;
    let Change {
        name,
        template,
        title_field,
        body_field,
        labels_field,
        key_field,
        comment_repeats,
        comment_resolved,
        close_resolved,
        disabled,
    } = args.change;
    let change = UpdateIntake {
        version: intake.version,
        name,
        template: match template.as_deref() {
            None => Patch::Keep,
            Some("none") => Patch::Clear,
            Some(template) => Patch::Set(template.to_owned()),
        },
        mapping: mapping(title_field, body_field, labels_field, key_field),
        comments_repeats: comment_repeats,
        comments_resolved: comment_resolved,
        closes_resolved: close_resolved,
        disabled,
    };
    let intake = session.org(&org).update_intake(project.as_str(), &intake.id, &change).await?;
    session.output.one(&intake, table)
}
