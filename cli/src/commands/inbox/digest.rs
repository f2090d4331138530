//! `svc inbox digest`.

use svc_api::notifications::ChangeNotificationSettings;

use crate::failure::Failure;
use crate::session::Session;

/// Show at which hour your digests come, or change it
///
/// A digest is one message a day with all that you chose to be told of once a day. None comes where nothing happened.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox digest
  svc inbox digest --hour 7 --zone Europe/Berlin")]
pub(crate) struct Args {
    /// Hour of the day, 0 to 23
    #[arg(long, value_name = "HOUR", value_parser = clap::value_parser!(u8).range(0..24))]
    hour: Option<u8>,
    /// Time zone of that hour, such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
}

pub(super) async fn run(Args { hour, zone }: Args, session: &Session<'_>) -> Result<(), Failure> {
    let settings = match (hour, zone) {
        (None, None) => session.client.notification_settings().await?,
        (digest_hour, time_zone) => {
            let change = ChangeNotificationSettings { digest_hour, time_zone, mutes: None };
            session.client.change_notification_settings(&change).await?
        }
    };
    if session.output.json {
        return session.output.json(&settings);
    }
    session.output.say(&format!("Digests come at {:02}:00, {}.", settings.digest_hour, settings.time_zone));
    Ok(())
}
