//! Webhooks and chats that nothing gets to, for the operator.

use std::collections::HashMap;

use svc_domain::identity::{Org, User};
use svc_domain::ids::{OrgId, UserId};
use svc_domain::notification::channel::{Channel, ChannelStatus, OrgChannel};
use svc_domain::webhook::Webhooks;
use svc_storage::{Row, keys};

use crate::App;
use crate::error::Result;
use crate::notifications::platform_name;
use crate::webhooks;

/// Rows read at once.
const PAGE: usize = 1_000;

const CONNECT: &str = "A chat goes on once a test arrives there (`svc org channel test NAME`, `svc inbox channel test \
                       PLATFORM`), or once it is connected again.";

/// A webhook or chat that nothing gets to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silent {
    /// Which, and whose.
    pub what: String,
    /// Why.
    pub why: String,
    /// What to do.
    pub mend: &'static str,
}

/// Whose something is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Whose {
    Org(OrgId),
    Person(UserId),
}

/// The webhooks and chats of everybody that nothing gets to. It reads the whole store.
///
/// # Errors
/// Those of storage.
pub async fn silent(app: &App) -> Result<Vec<Silent>> {
    let (mut found, mut names, mut cursor) = (Vec::new(), HashMap::new(), None);
    loop {
        let page = app.table.scan(PAGE, cursor.as_ref()).await?;
        for row in &page.rows {
            let Some(whose) = whose(row) else { continue };
            match row.key.sk.as_str() {
                "PROFILE" => drop(names.insert(whose, name(whose, row)?)),
                _ => found.extend(of_row(app, whose, row)?.into_iter().map(|silent| (whose, silent))),
            }
        }
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    let named = |(whose, silent): (Whose, Silent)| {
        let of = names.get(&whose).cloned().unwrap_or_else(|| "that is gone".to_owned());
        Silent { what: format!("{} of {of}", silent.what), ..silent }
    };
    Ok(found.into_iter().map(named).collect())
}

/// Whether something in the store can be read only with its key. It reads the whole store.
///
/// # Errors
/// Those of storage.
pub async fn has_sealed(app: &App) -> Result<bool> {
    let mut cursor = None;
    loop {
        let page = app.table.scan(PAGE, cursor.as_ref()).await?;
        for row in &page.rows {
            let Some(whose) = whose(row) else { continue };
            let is_channel = row.key.sk.starts_with(keys::CHANNEL_PREFIX);
            let is_sealed = match whose {
                Whose::Org(org) if row.key == keys::webhooks(org) => {
                    !row.read::<Webhooks>()?.webhooks.is_empty()
                }
                Whose::Org(_) if is_channel => row.read::<OrgChannel>()?.channel.address.is_some(),
                Whose::Person(_) if is_channel => row.read::<Channel>()?.address.is_some(),
                Whose::Org(_) | Whose::Person(_) => false,
            };
            if is_sealed {
                return Ok(true);
            }
        }
        cursor = page.cursor;
        if cursor.is_none() {
            return Ok(false);
        }
    }
}

fn whose(row: &Row) -> Option<Whose> {
    let (kind, id) = row.key.pk.split_once('#')?;
    match kind {
        "ORG" => id.parse().ok().map(Whose::Org),
        "USER" => id.parse().ok().map(Whose::Person),
        _ => None,
    }
}

fn name(whose: Whose, row: &Row) -> Result<String> {
    Ok(match whose {
        Whose::Org(_) => format!("the organization {}", row.read::<Org>()?.slug),
        Whose::Person(_) => row.read::<User>()?.email,
    })
}

fn of_row(app: &App, whose: Whose, row: &Row) -> Result<Vec<Silent>> {
    let of_channel = |channel: &Channel, name: String| {
        let error = channel.last_error.as_deref();
        let why = match (channel.status, error) {
            (ChannelStatus::Broken, why) => format!("it is broken: {}", why.unwrap_or("it does not answer")),
            (ChannelStatus::Active, Some(why)) => match channel.failing_since {
                Some(since) => format!("nothing has arrived there since {since}: {why}"),
                None => format!("the last message was given up: {why}"),
            },
            (ChannelStatus::Active | ChannelStatus::Pending, _) => return None,
        };
        Some(Silent { what: format!("the chat {name:?}"), why, mend: CONNECT })
    };
    let is_channel = row.key.sk.starts_with(keys::CHANNEL_PREFIX);
    Ok(match whose {
        Whose::Org(org) if row.key == keys::webhooks(org) => {
            let webhooks = row.read::<Webhooks>()?.webhooks.into_iter();
            let of_webhook = |webhook: svc_domain::webhook::Webhook| {
                let (why, mend) = webhooks::silent(app, &webhook)?;
                Some(Silent { what: format!("the webhook {:?}", webhook.name), why, mend })
            };
            webhooks.filter_map(of_webhook).collect()
        }
        Whose::Org(_) if is_channel => {
            let OrgChannel { channel, name, .. } = row.read()?;
            of_channel(&channel, name).into_iter().collect()
        }
        Whose::Person(_) if is_channel => {
            let channel: Channel = row.read()?;
            of_channel(&channel, platform_name(channel.platform).to_owned()).into_iter().collect()
        }
        Whose::Org(_) | Whose::Person(_) => Vec::new(),
    })
}
