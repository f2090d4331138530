//! Notes in items whether others block them, after what counts as open changed in a project.

use svc_app::messages::NoteBlockersOfStates;
use svc_app::tracker::item_links;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for NoteBlockersOfStates {
    fn subject(&self) -> String {
        format!("blocked {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        item_links::note_blockers_of_states(app, self).await?;
        Ok(Done::Finished)
    }
}
