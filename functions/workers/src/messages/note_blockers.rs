//! Notes in items whether others block them.

use svc_app::messages::NoteBlockers;
use svc_app::tracker::item_links;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for NoteBlockers {
    fn subject(&self) -> String {
        let first = self.items.first().map(ToString::to_string).unwrap_or_default();
        format!("blocked {} {first}", self.org)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        item_links::note_blockers(app, self).await?;
        Ok(Done::Finished)
    }
}
