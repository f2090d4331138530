//! The channels of an organization, which its Owners and Admins manage (specification sections 2.7 and 4.1).

use std::collections::BTreeMap;

use svc_domain::access::Capability;
use svc_domain::event::{ChannelChange, OrgEvent};
use svc_domain::ids::ChannelId;
use svc_domain::name::check_given;
use svc_domain::notification::NotificationKind;
use svc_domain::notification::channel::{Mode, ORG_WIDE, OrgChannel, channel_name};
use svc_domain::notification::destination::Destination;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Op, RowOf, keys};

use super::connecting::{ConnectCode, Made, NewChannel, Owner, forget_code, make};
use super::holds::{self, SeenChannel};
use super::probe;
use super::stored_channel::{MOST, channels_of_org};
use crate::App;
use crate::entry::{Caller, Entry, enter_org, enter_org_with};
use crate::error::Result;
use crate::mailing::{self, MailStatus};
use crate::transaction::Transaction;

/// A wanted change of a channel; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct OrgChannelEdit {
    /// New name.
    pub name: Option<String>,
    /// All its modes; a kind that is missing is off.
    pub modes: Option<BTreeMap<NotificationKind, Mode>>,
}

/// A channel that was created.
#[derive(Clone, Debug)]
pub struct CreatedOrgChannel {
    /// The channel.
    pub channel: OrgChannel,
    /// The code that connects it, which is shown once.
    pub code: Option<ConnectCode>,
}

/// The channels of an organization, oldest first, and whether mail works.
///
/// # Errors
/// What [`Capability::SeeAdministration`] refuses.
pub async fn org_channels(
    app: &App,
    caller: Caller<'_>,
) -> Result<(Vec<SeenChannel<OrgChannel>>, MailStatus)> {
    let entry = enter_org(app, caller, Capability::SeeAdministration).await?;
    let channels = channels_of_org(app, entry.org_id()).await?;
    Ok((holds::seen_of_org(app, entry.org_id(), channels).await?, mailing::status(app).await?))
}

/// Creates a channel, which is told of nothing yet.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses; [`Refusal::Invalid`]; those of [`make`]; [`Refusal::Conflict`] where there
/// are too many, or another one has the name.
pub async fn create_org_channel(
    app: &App,
    caller: Caller<'_>,
    name: &str,
    new: &NewChannel,
) -> Result<CreatedOrgChannel> {
    let entry = administer(app, caller).await?;
    let name = channel_name(name).map_err(|why| Refusal::invalid("name", why))?;
    check_given("name", &name, None)?;
    let others = channels_of_org(app, entry.org_id()).await?;
    if others.len() >= MOST {
        return Err(Refusal::Conflict("an organization has at most 50 channels; delete one first").into());
    }
    let Made { channel, code, mut ops } = make(app, new, Owner::Org(entry.org_id()))?;
    demand_name(&others, None, &name)?;
    let channel = OrgChannel { channel, name, modes: BTreeMap::new() };
    ops.push(Op::create(keys::org_channel(entry.org_id(), channel.channel.id), &channel));
    app.commit(Transaction::of(app, &entry).with(ops).telling(told(&channel, ChannelChange::Created)))
        .await?;
    Ok(CreatedOrgChannel { channel, code })
}

/// Changes the name and the modes of a channel.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses; [`Refusal::NotFound`]; [`Refusal::Invalid`] also for kinds that
/// organizations are not told of.
pub async fn change_org_channel(
    app: &App,
    caller: Caller<'_>,
    id: ChannelId,
    edit: &OrgChannelEdit,
) -> Result<SeenChannel<OrgChannel>> {
    app.decide(|| async {
        let (entry, row, mut channel) = find(app, caller, id).await?;
        let mut errors = FieldErrors::default();
        if let Some(name) = &edit.name
            && let Some(name) = errors.check("name", channel_name(name))
        {
            if channel.name != name {
                check_given("name", &name, None)?;
                demand_name(&channels_of_org(app, entry.org_id()).await?, Some(id), &name)?;
            }
            channel.name = name;
        }
        if let Some(modes) = &edit.modes {
            if modes.keys().any(|kind| !ORG_WIDE.contains(kind)) {
                let known = ORG_WIDE.map(|kind| kind.as_str()).join(", ");
                errors.add("modes", format!("An organization's channel is told only of {known}."));
            }
            channel.modes.clone_from(modes);
        }
        errors.into_result()?;
        let op = row.replaced_by(&channel);
        let told = told(&channel, ChannelChange::Changed);
        app.commit(Transaction::of(app, &entry).with([op]).telling(told)).await?;
        let mut seen = holds::seen_of_org(app, entry.org_id(), vec![channel]).await?;
        Ok(seen.pop().ok_or(Refusal::NotFound)?)
    })
    .await
}

/// Deletes a channel. What waits to be sent there is not sent.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses; [`Refusal::NotFound`].
pub async fn delete_org_channel(app: &App, caller: Caller<'_>, id: ChannelId) -> Result<()> {
    app.decide(|| async {
        let (entry, row, channel) = find(app, caller, id).await?;
        let mut ops = vec![row.deleted()];
        ops.extend(forget_code(&channel.channel));
        let told = told(&channel, ChannelChange::Deleted);
        app.commit(Transaction::of(app, &entry).with(ops).telling(told)).await
    })
    .await
}

/// Sends a test message to a channel. One that arrives makes a broken channel work again, and sends on what waits because
/// the platform asked to wait.
///
/// # Errors
/// As [`delete_org_channel`]; [`Refusal::ChannelTestFailed`] with what the platform said.
pub async fn test_org_channel(app: &App, caller: Caller<'_>, id: ChannelId) -> Result<()> {
    let (entry, row, channel) = find(app, caller, id).await?;
    let probed = probe::send(app, &channel.channel).await;
    let mut transaction = Transaction::of(app, &entry);
    if let Some(row) = app.table.get(&row.key).await? {
        let mut channel: OrgChannel = row.read()?;
        if probed.note(&mut channel.channel, app.now()) {
            transaction.write([row.replaced_by(&channel)]);
        }
    }
    app.commit(transaction).await?;
    if probed.arrived() {
        holds::release(app, Destination::Channel(entry.org_id(), id)).await?;
    }
    probed.into_result()
}

/// Refuses the name of another channel: commands name channels by it, in any case.
fn demand_name(all: &[OrgChannel], id: Option<ChannelId>, name: &str) -> Result<(), Refusal> {
    let name = name.to_lowercase();
    let other = |other: &OrgChannel| Some(other.channel.id) != id && other.name.to_lowercase() == name;
    if all.iter().any(other) {
        return Err(Refusal::Conflict(
            "another channel of this organization has that name: give this one a name of its own",
        ));
    }
    Ok(())
}

fn told(channel: &OrgChannel, change: ChannelChange) -> OrgEvent {
    OrgEvent::Channel(channel.channel.id, channel.name.clone(), change)
}

async fn administer(app: &App, caller: Caller<'_>) -> Result<Entry> {
    enter_org(app, caller, Capability::AdministerOrg).await
}

async fn find(
    app: &App,
    caller: Caller<'_>,
    id: ChannelId,
) -> Result<(Entry, RowOf<OrgChannel>, OrgChannel)> {
    let wanted = |org| keys::org_channel(org, id);
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let channel = row.read()?;
    Ok((entry, row, channel))
}
