//! The run that a person means: by its id, or by its item, whose newest run it is.

use svc_api::page::PageQuery;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// A run, by its id or its item.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Which {
    /// Id of a run, or key of an item to use its newest run
    #[arg(value_name = "RUN")]
    run: String,
}

impl Which {
    /// Id of the run.
    ///
    /// # Errors
    /// The item has no run (exit code 4).
    pub(super) async fn id(&self, session: &Session<'_>) -> Result<String, Failure> {
        let Ok(key) = item_key(&self.run) else { return Ok(self.run.clone()) };
        let (org, key) = (session.org_slug().await?, key.to_string());
        let newest = PageQuery { page: None, page_size: Some(1) };
        let runs = session.org(&org).item_runs(&key, &newest).await?;
        let none = || {
            Failure::not_found(format!("{key} has no runs that you can see"))
                .hint(format!("start one with `svc run start {key}`"))
        };
        runs.items.into_iter().next().map(|run| run.id).ok_or_else(none)
    }
}
