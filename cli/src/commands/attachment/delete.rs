//! `svc attachment delete`.

use crate::failure::Failure;
use crate::session::Session;

/// Remove an attachment that is yours, or of a project that you administer.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of the attachment
    #[arg(value_name = "ATTACHMENT_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    session.org(&org).delete_attachment(&args.id).await?;
    session.output.say(&format!("removed {}", args.id));
    Ok(())
}
