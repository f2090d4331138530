//! Deletes the remaining data of an organization that can no longer be restored.
//!
//! Protocol. Every step looks for what is left and takes some of it away, so that the work may be cut off anywhere, and
//! done again by another worker at the same time:
//! 1. The organization is taken out of what is kept of it ([`keys::deleted_org`]). A restore that is on its way demands
//!    that row as it was, and fails; from then on there is nothing to restore.
//! 2. Projects, one after the other: each becomes a deleted one that can be restored no more, and goes as those do
//!    ([`crate::tracker::project_purge`]).
//! 3. The organization's partition but its members, each row in one commit with what it leads to: secrets of runners
//!    and of the directory,
//!    addresses of webhooks, the installation at the code host.
//! 4. Lists of runs, audit log and journal, and the bytes of what ran.
//! 5. Members, each in one commit with the pointer from their account and their tokens for this organization alone.
//! 6. The slug, the entry among all organizations and the row itself, in one commit. Then the slug is free.
//!
//! Links of invitations stay until they expire, and lead nowhere. The consistency checker tells of what it finds on the
//! way as waiting.

use svc_domain::code_host::{Connection, Webhook};
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::directory::DirectoryToken;
use svc_domain::identity::{Member, TokenRecord};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::runner::Runner;
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Retention, Row, keys};

use super::org_deletion::org_deleted_at;
use crate::App;
use crate::error::{Result, is_conflict};
use crate::messages::{PurgeOrg, PurgeProject};
use crate::project_keys::project_keys;
use crate::tracker::project_purge;
use crate::transaction::Transaction;
use crate::wanted;

/// Rows that are taken away in one commit: each may lead to another.
const BATCH: usize = 40;

/// Rows and blobs that one call takes away at most: a message is not held for hours.
const PASS: usize = 2_000;

/// Takes away what is left of an organization, or some of it; whether nothing is left to do. Doing it again, or late, is
/// harmless.
///
/// # Errors
/// [`RunState`](svc_domain::refusal::Refusal::RunState) while a run of it is at work; those of storage. Trying again goes
/// on where it was.
pub async fn purge_org(app: &App, message: &PurgeOrg) -> Result<bool> {
    let PurgeOrg { org, at } = *message;
    let Some((deleted, row)) = org_deleted_at(app, org, at).await? else { return Ok(true) };
    if deleted.kept(app.now()).is_some() {
        return Ok(true);
    }
    if deleted.org.is_some() {
        let leaving = DeletedOrg { org: None, ..deleted.clone() };
        let ops = [Op::check(keys::org(org), Condition::Absent), row.replaced_by(&leaving)];
        app.commit(Transaction::by_itself(app, org).with(ops)).await?;
    }
    let mut rest = Rest { app, org, left: PASS };
    if let Some(project) = project_keys(app, org).await?.first() {
        rest.project(project, &deleted).await?;
        return Ok(false);
    }
    if !(rest.place().await? && rest.lists().await? && rest.blobs().await? && rest.members().await?) {
        return Ok(false);
    }
    // Another worker may have been here first, and the slug may be somebody else's by now.
    let last = Op::delete(keys::deleted_org(org), Condition::Present);
    let ops = [last, gone(keys::slug(&deleted.slug)), gone(keys::org_entry(org))];
    match app.commit(Transaction::by_itself(app, org).with(ops)).await {
        Err(error) if is_conflict(&error) => return Ok(false),
        committed => committed?,
    }
    tracing::info!(%org, slug = %deleted.slug, "nothing is left of a deleted organization");
    Ok(true)
}

/// What is left of an organization.
struct Rest<'a> {
    app: &'a App,
    org: OrgId,
    /// What this call may still take away.
    left: usize,
}

impl Rest<'_> {
    /// In one commit: what leads somewhere goes with what it leads to.
    async fn write(&self, ops: Vec<Op>) -> Result<()> {
        self.app.commit(Transaction::by_itself(self.app, self.org).with(ops)).await
    }

    /// Makes a project one that can be restored no more, and takes some of it away.
    async fn project(&self, key: &ProjectKey, of: &DeletedOrg) -> Result<()> {
        self.app.decide(|| self.mark(key, of)).await?;
        let Some(row) = self.app.table.find(&keys::deleted_project(self.org, key)).await? else {
            return Ok(());
        };
        let at = row.read()?.deletion.at;
        project_purge::purge(self.app, &PurgeProject { org: self.org, project: key.clone(), at }).await?;
        Ok(())
    }

    async fn mark(&self, key: &ProjectKey, of: &DeletedOrg) -> Result<()> {
        let wanted = (keys::project(self.org, key), keys::deleted_project(self.org, key));
        let ops = match wanted::load(self.app, wanted).await? {
            (Some(row), _) => {
                let deleted = DeletedProject {
                    key: key.clone(),
                    project: Some(row.read()?),
                    row_version: row.version,
                    deletion: of.deletion.clone(),
                };
                [row.deleted(), Op::create(keys::deleted_project(self.org, key), &deleted)]
            }
            // A clock was ahead when it was deleted, before the organization was.
            (None, Some(row)) if row.read()?.kept(self.app.now()).is_some() => {
                let deleted = DeletedProject { deletion: of.deletion.clone(), ..row.read()? };
                [Op::check(keys::project(self.org, key), Condition::Absent), row.replaced_by(&deleted)]
            }
            _ => return Ok(()),
        };
        self.write(ops.into()).await
    }

    /// The organization's partition but its members and itself; whether nothing of it is left.
    async fn place(&mut self) -> Result<bool> {
        for kind in keys::GOES_WITH_ORG {
            let range = Range::Prefix(kind.to_owned());
            let query = Query::new(keys::org_pk(self.org), range, BATCH);
            loop {
                let rows = self.app.table.query(&query).await?.rows;
                if rows.is_empty() {
                    break;
                }
                if self.left == 0 {
                    return Ok(false);
                }
                self.left = self.left.saturating_sub(rows.len());
                let mut ops = Vec::new();
                for row in rows {
                    ops.extend(led_to(&row)?.into_iter().chain([row.key]).map(gone));
                }
                self.write(ops).await?;
            }
        }
        Ok(true)
    }

    /// The lists of what happened; whether nothing of them is left.
    async fn lists(&mut self) -> Result<bool> {
        let org = self.org;
        for pk in [
            keys::runs_pk(org),
            keys::queue_pk(org),
            keys::live_pk(org),
            keys::taken_pk(org),
            keys::ended_runs_pk(org),
            keys::audit_pk(org),
            keys::journal_pk(org),
            keys::deliveries_pk(org),
        ] {
            loop {
                let rows = self.app.table.query(&Query::new(pk.clone(), Range::All, Limits::OPS)).await?.rows;
                if rows.is_empty() {
                    break;
                }
                if self.left == 0 {
                    return Ok(false);
                }
                self.left = self.left.saturating_sub(rows.len());
                self.write(rows.into_iter().map(|row| gone(row.key)).collect()).await?;
            }
        }
        Ok(true)
    }

    /// What is left of logs, results, attachments and packed feeds; whether nothing is.
    async fn blobs(&mut self) -> Result<bool> {
        let org = self.org;
        for (retention, folder) in [
            (Retention::Log, format!("{org}/")),
            (Retention::Result, format!("{org}/")),
            (Retention::Attachment, format!("{org}/")),
            (Retention::Snapshot, format!("feed/{org}/")),
        ] {
            loop {
                let blobs = self.app.blobs.list(retention, &folder, None).await?;
                if blobs.is_empty() {
                    break;
                }
                for blob in blobs {
                    if self.left == 0 {
                        return Ok(false);
                    }
                    self.left -= 1;
                    self.app.blobs.delete(&blob.key).await?;
                }
            }
        }
        Ok(true)
    }

    /// The members, with their ways in; whether none is left.
    async fn members(&mut self) -> Result<bool> {
        let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
        loop {
            let query = Query::new(keys::org_pk(self.org), range.clone(), BATCH);
            let rows = self.app.table.query(&query).await?.rows;
            if rows.is_empty() {
                return Ok(true);
            }
            for row in rows {
                if self.left == 0 {
                    return Ok(false);
                }
                self.left -= 1;
                self.member(row).await?;
            }
        }
    }

    async fn member(&self, row: Row) -> Result<()> {
        let (org, user) = (self.org, row.read::<Member>()?.user);
        let range = Range::Prefix(keys::TOKEN_PREFIX.to_owned());
        let tokens = self.app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
        for token in tokens {
            let token: TokenRecord = token.read()?;
            if token.org.as_ref().is_some_and(|(bound, _)| *bound == org) {
                let rows = [
                    keys::credential(&token.secret_hash).into(),
                    keys::token(user, token.id),
                    keys::token_use(user, token.id),
                ];
                self.write(rows.map(gone).into()).await?;
            }
        }
        self.write([keys::user_org(user, org), row.key].map(gone).into()).await
    }
}

/// The rows elsewhere that a row of the organization's partition leads to.
fn led_to(row: &Row) -> Result<Option<Key>> {
    let sk = row.key.sk.as_str();
    Ok(match sk {
        _ if sk.starts_with(keys::RUNNER_PREFIX) => {
            Some(keys::credential(&row.read::<Runner>()?.secret_hash).into())
        }
        _ if sk.starts_with(keys::DIRECTORY_TOKEN_PREFIX) => {
            Some(keys::credential(&row.read::<DirectoryToken>()?.secret_hash).into())
        }
        "CODEHOST" => Some(keys::installation(row.read::<Connection>()?.installation)),
        "WEBHOOK" => Some(keys::webhook_address(&row.read::<Webhook>()?.address_hash)),
        _ => None,
    })
}

/// Deletes a row, whether or not it is there.
fn gone(key: Key) -> Op {
    Op::delete(key, Condition::None)
}
