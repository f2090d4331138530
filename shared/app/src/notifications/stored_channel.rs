//! A channel as it is stored: a person's alone, an organization's with its name and modes.

use svc_domain::notification::channel::{Channel, OrgChannel};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Row, StorageError};

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
