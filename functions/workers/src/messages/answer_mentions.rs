//! Starts what mentions of agents and pull requests ask for, and looks again for as long as one waits for a claim.

use svc_app::factory::{mending, mentions};
use svc_app::messages::AnswerMentions;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for AnswerMentions {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let mention = mentions::answer(app, self.org, &self.item).await?;
        let follow_up = mending::mend(app, self.org, &self.item).await?;
        let again = mention.into_iter().chain(follow_up).min();
        Ok(Done::again_after(again))
    }
}
