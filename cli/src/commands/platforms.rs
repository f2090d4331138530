//! The chat platforms, by the names that people type and read. What the API calls them is understood as well.

use clap::ValueEnum;
use jiff::Timestamp;
use serde::Serialize;
use svc_api::notifications::ChannelType;

use crate::commands::inbox::preferences::written;
use crate::output::when;

/// A chat platform.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Platform {
    #[value(alias = "chat_1")]
    Telegram,
    #[value(alias = "chat_2")]
    Slack,
    #[value(alias = "chat_3")]
    Discord,
    #[value(alias = "chat_4")]
    Teams,
}

impl Platform {
    /// As the API calls it.
    pub(in crate::commands) const fn sent(self) -> ChannelType {
        match self {
            Self::Telegram => ChannelType::Chat1,
            Self::Slack => ChannelType::Chat2,
            Self::Discord => ChannelType::Chat3,
            Self::Teams => ChannelType::Chat4,
        }
    }
}

/// What people call a platform.
pub(in crate::commands) const fn platform_name(platform: ChannelType) -> &'static str {
    match platform {
        ChannelType::Chat1 => "telegram",
        ChannelType::Chat2 => "slack",
        ChannelType::Chat3 => "discord",
        ChannelType::Chat4 => "teams",
        ChannelType::Unknown => "unknown",
    }
}

/// Whether a channel works, and until when its platform asked to wait.
pub(in crate::commands) fn channel_status(status: &impl Serialize, held_until: Option<Timestamp>) -> String {
    match held_until {
        Some(until) => format!("held until {}", until.strftime("%Y-%m-%d %H:%M UTC")),
        None => written(status),
    }
}

/// Why the last message did not arrive, and since when none has.
pub(in crate::commands) fn last_error(why: Option<&str>, since: Option<Timestamp>) -> String {
    match (why, since) {
        (Some(why), Some(since)) => format!("since {}: {why}", when(since)),
        (why, _) => why.unwrap_or_default().to_owned(),
    }
}
