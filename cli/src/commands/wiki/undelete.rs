//! `svc wiki undelete`.

use svc_domain::ids::ProjectKey;

use super::show;
use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// Bring a deleted page back, with its versions.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Id of the page, from svc wiki deleted
    #[arg(value_name = "PAGE_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    show(&session.org(&org).undelete_wiki_page(args.project.as_str(), &args.id).await?, session)
}
