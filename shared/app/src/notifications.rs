//! What people are told, and their inboxes (specification sections 2.7, 4.1 and 6).
//!
//! Protocol.
//! 1. A commit whose events may concern somebody sends one message ([`crate::derive`]), which a worker hands to
//!    [`fan_out`].
//! 2. [`fan_out`] looks at what the events are about as it is now, and collects who may be told
//!    ([`told`]). Who may not see it is left out ([`readers`]), by the rights that they have now.
//! 3. It adds the news to one entry for each person and subject, under the version that it read. The entry knows the
//!    commits that it was told of, so that a message that comes twice changes nothing.
//! 4. Reading an inbox ([`inbox`]) asks again what its owner may see, of everything in it. Marking an entry demands the
//!    version that was read: what came since is not marked with it.

mod bot;
mod channels;
mod chat;
mod connecting;
mod destination;
mod fan_out;
mod inbox;
mod org_channels;
mod owner;
mod preferences;
mod probe;
mod readers;
mod told;

pub(crate) use bot::BotReader;
pub use bot::read_bot;
pub use channels::{CreatedChannel, channels, create_channel, delete_channel, test_channel};
pub(crate) use connecting::Connecting;
pub use connecting::{ConnectCode, NewChannel};
pub use destination::Destination;
pub use fan_out::fan_out;
pub(crate) use inbox::entry_key;
pub use inbox::{Counts, Filter, InboxEntry, Mark, counts, list, mark, mark_all};
pub use org_channels::{
    CreatedOrgChannel, OrgChannelEdit, change_org_channel, create_org_channel, delete_org_channel,
    org_channels, test_org_channel,
};
pub use preferences::{SettingsChange, defaults, preferences, set_defaults, set_preferences, set_settings};
