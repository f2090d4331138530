//! What happens by itself: the tick, and messages that timers send. Each looks at the rows again and decides,
//! so that doing it twice, or late, is harmless.

use svc_domain::ids::OrgId;
use svc_storage::{Query, Range, Row, keys};

use super::change::LiveEntry;
use super::{follow, leftovers, log, progress};
use crate::App;
use crate::error::Result;
use crate::identity;
use crate::outbox::{self, Message};
use crate::tracker::attachments;
use crate::tracker::comments;
use crate::tracker::{feed_snapshots, moves, sprints};
use crate::wiki;

/// Handles a message from the queue.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn handle(app: &App, message: &Message) -> Result<()> {
    match message {
        Message::WatchRun { org, run } => {
            if let Some(again) = progress::watch(app, *org, *run).await? {
                outbox::send_hint(app, message, again).await;
            }
            Ok(())
        }
        Message::ClearReactions { org, item, comment } => {
            comments::clear_reactions(app, *org, item, *comment).await?;
            attachments::clear(app, *org, item, *comment).await
        }
        Message::ReplaceInItems { org, project, id } => {
            crate::tracker::replacements::resume(app, *org, project, *id).await
        }
        Message::ReleaseLeftovers { org, run } => leftovers::release(app, *org, *run).await,
        Message::ContinueRun { org, run } => follow::continue_automatically(app, *org, *run).await,
        Message::SettleSprint(leaving) => sprints::settle(app, leaving).await,
        Message::FollowItem(following) => moves::follow(app, following).await,
        Message::FinishPageMove { org, project } => wiki::finish(app, *org, project).await.map(drop),
        Message::MailInvitation { org, invitation, generation } => {
            identity::mail_invitation(app, *org, *invitation, *generation).await
        }
        Message::MailPasswordReset { email } => identity::mail_reset(app, email).await,
        Message::MailNewAddress { user, email } => identity::mail_new_address(app, *user, email).await,
        Message::PackFeed { org, project } => feed_snapshots::write(app, *org, project).await,
        Message::SpreadProfile { user } => identity::spread(app, *user).await,
    }
}

/// What the minute tick does: fails runs whose runner is lost, and sends what crashes left unsent.
///
/// # Errors
/// Those of storage.
pub async fn tick(app: &App) -> Result<()> {
    let unsent = outbox::sweep(app).await?;
    if unsent > 0 {
        tracing::info!(unsent, "messages sent that a crash had left");
    }
    for row in app.table.query_all(Query::new(keys::ORGS_PK, Range::All, 1_000)).await? {
        // The sort key is the organization's id, written by us.
        let Ok(org) = row.key.sk.parse::<OrgId>() else { continue };
        watch_all(app, org).await?;
    }
    Ok(())
}

async fn watch_all(app: &App, org: OrgId) -> Result<()> {
    let live = app.table.query_all(Query::new(keys::live_pk(org), Range::All, 1_000)).await?;
    for entry in live.iter().map(Row::read::<LiveEntry>) {
        let entry = entry?;
        let silent = app.now().duration_since(entry.heartbeat_at);
        if silent >= super::change::lost_after(app) {
            progress::watch(app, org, entry.run).await?;
        }
    }
    Ok(())
}

/// Deletes what has been kept long enough; answers how many batches of logs.
///
/// # Errors
/// Those of storage.
pub async fn sweep(app: &App) -> Result<usize> {
    log::sweep(app).await
}
