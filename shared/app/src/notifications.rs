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
//! 5. The commit of step 3 also adds the news to what waits to be sent to each place where the person wants them
//!    (`enqueue`): a row for each place and thing, which gathers news as the entry does, and a row that says when the place
//!    is due. Channels of an organization wait in the same way, for news that every member may see.
//! 6. A worker takes what is due at one place under a lease (`deliver`). What it takes is written before anything is sent,
//!    so that nobody else sends at the same place, and the order stays.
//! 7. The message is written of what its reader may see and wants at that moment (`compose`), which may be nothing.
//! 8. What came of it is written together with what is left. A worker that dies between sending and writing sends the same
//!    batch once more, under the same id, when its lease is over.

mod answering;
mod asking;
mod bot;
mod bot_webhook;
mod broken;
mod channels;
mod chat;
mod chat_links;
mod compose;
mod connecting;
mod deliver;
mod enqueue;
mod fan_out;
mod holds;
mod in_force;
mod inbox;
mod org_channels;
mod owner;
mod preferences;
mod probe;
mod push;
mod readers;
mod seen;
mod stored_channel;
mod target;
mod told;
mod unsubscribe;

pub(crate) use asking::{Ask, Awaiting};
pub(crate) use bot::BotReader;
pub use bot::read_bot;
pub(crate) use bot_webhook::ToldBot;
pub use bot_webhook::{admit_delivery, hear, tell_bot_where};
pub use broken::tell_broken;
pub use channels::{CreatedChannel, channels, create_channel, delete_channel, test_channel};
pub(crate) use chat::name as platform_name;
pub(crate) use chat_links::ChatLink;
pub(crate) use connecting::Connecting;
pub use connecting::{ConnectCode, NewChannel};
pub use deliver::{deliver, deliver_due};
pub use fan_out::fan_out;
pub(crate) use fan_out::tell;
pub use holds::SeenChannel;
pub use in_force::{InForce, in_force, in_force_after};
pub use inbox::{Counts, Filter, Mark, counts, list, mark, mark_all};
pub use org_channels::{
    CreatedOrgChannel, OrgChannelEdit, change_org_channel, create_org_channel, delete_org_channel,
    org_channels, test_org_channel,
};
pub use preferences::{SettingsChange, defaults, set_defaults, set_preferences, set_settings};
pub(crate) use push::PushKey;
pub use push::{Browsers, NewBrowser, browsers, test_browser, turn_off, turn_on};
pub use seen::InboxEntry;
pub(crate) use seen::{entry_id, entry_key};
pub(crate) use told::{admins, id_of, of_item};
pub use unsubscribe::{mail_settings, unsubscribe};
