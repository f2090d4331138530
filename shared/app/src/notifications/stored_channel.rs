//! A channel as it is stored: a person's alone, an organization's with its name and modes.

use svc_domain::ids::OrgId;
use svc_domain::notification::channel::{Channel, OrgChannel};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Query, Range, Row, StorageError, keys};

use crate::App;

/// Most channels of an organization.
pub(super) const MOST: usize = 50;

/// A channel as stored, of a person or an organization.
pub(super) fn stored_channel(
    destination: Destination,
    row: &Row,
) -> Result<Option<(Channel, Option<OrgChannel>)>, StorageError> {
    Ok(match destination {
        Destination::Person(_, Place::Mail | Place::Browser(_)) => None,
        Destination::Person(_, Place::Chat(_)) => Some((row.read()?, None)),
        Destination::Channel(..) => {
            let channel: OrgChannel = row.read()?;
            Some((channel.channel.clone(), Some(channel)))
        }
    })
}

/// The channels of an organization, oldest first.
pub(super) async fn channels_of_org(app: &App, org: OrgId) -> crate::error::Result<Vec<OrgChannel>> {
    let range = Range::Prefix(keys::CHANNEL_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, MOST)).await?;
    let mut channels: Vec<OrgChannel> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    channels.sort_by_key(|channel| (channel.channel.created_at, channel.channel.id));
    Ok(channels)
}
