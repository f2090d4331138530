//! `svc intake create`.

use svc_api::tracker::NewIntake;

use super::shared::{mapping, show_address};
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;

/// Create an intake, and print its address. Whoever has the address can make items in the project.
///
/// Webhooks of Alertmanager and Grafana are understood as they are; forms and other programs by the names of their
/// fields, or by paths that you give.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc intake create Alertmanager -p OPS --template 'Bug report' --close-resolved true > address.txt
  svc intake create 'Contact form' -p PRJ --title-field subject --body-field message")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Name, in any case, or id of the template of its items
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
    /// Write a comment for each repeated report [default: false]
    #[arg(long, value_name = "BOOL")]
    comment_repeats: Option<bool>,
    /// Write a comment when something is reported as resolved [default: true]
    #[arg(long, value_name = "BOOL")]
    comment_resolved: Option<bool>,
    /// Move the item to the first resolved state then [default: false]
    #[arg(long, value_name = "BOOL")]
    close_resolved: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args {
        name,
        project,
        template,
        title_field,
        body_field,
        labels_field,
        key_field,
        comment_repeats,
        comment_resolved,
        close_resolved,
    } = args;
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let new = NewIntake {
        name: name.into_text(),
        template,
        mapping: mapping(title_field, body_field, labels_field, key_field),
        comments_repeats: comment_repeats,
        comments_resolved: comment_resolved,
        closes_resolved: close_resolved,
    };
    let created = session.org(&org).create_intake(project.as_str(), &new).await;
    let next = format!("choose another name, or change that intake with `svc intake edit -p {project}`");
    show_address("created", &created.map_err(|error| taken(error, "an intake", &new.name, &next))?, session)
}
