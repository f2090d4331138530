//! `svc inbox preferences`.

use clap::ValueEnum;
use svc_api::notifications::{
    ModeInForce, NotificationInForce, NotificationMode, NotificationPreference, NotificationSource,
};

use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::session::Session;

/// Show what you are told where and when, or change it for one kind
///
/// Modes are off, immediate and digest; in brackets stands who says so unless you did. A chat without a mode follows your
/// organization's default, and then mail. What is not in your inbox is sent nowhere.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox preferences
  svc inbox preferences mentioned
  svc inbox preferences mentioned --email immediate --slack digest
  svc inbox preferences claimed --in-app no")]
pub(crate) struct Args {
    /// The kind to show or to change, such as mentioned or runFailed
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    #[command(flatten)]
    changes: Option<Changes>,
}

#[derive(clap::Args)]
#[group(id = "changes", multiple = true)]
struct Changes {
    /// Whether it is in your inbox
    #[arg(long, value_name = "YES|NO", requires = "kind")]
    in_app: Option<Answer>,
    /// When it is mailed
    #[arg(long, value_name = "MODE", requires = "kind")]
    email: Option<Mode>,
    /// When Telegram tells you; default follows your organization and mail
    #[arg(long, alias = "chat-1", value_name = "MODE", requires = "kind")]
    telegram: Option<ChatMode>,
    /// When Slack tells you
    #[arg(long, alias = "chat-2", value_name = "MODE", requires = "kind")]
    slack: Option<ChatMode>,
    /// When Discord tells you
    #[arg(long, alias = "chat-3", value_name = "MODE", requires = "kind")]
    discord: Option<ChatMode>,
    /// When the browsers tell you in which you turned it on; default follows mail
    #[arg(long, value_name = "MODE", requires = "kind")]
    push: Option<ChatMode>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Answer {
    Yes,
    No,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Off,
    Immediate,
    Digest,
}

#[derive(Clone, Copy, ValueEnum)]
enum ChatMode {
    Off,
    Immediate,
    Digest,
    Default,
}

impl Mode {
    const fn sent(self) -> NotificationMode {
        match self {
            Self::Off => NotificationMode::Off,
            Self::Immediate => NotificationMode::Immediate,
            Self::Digest => NotificationMode::Digest,
        }
    }
}

impl ChatMode {
    const fn sent(self) -> Option<NotificationMode> {
        match self {
            Self::Off => Some(NotificationMode::Off),
            Self::Immediate => Some(NotificationMode::Immediate),
            Self::Digest => Some(NotificationMode::Digest),
            Self::Default => None,
        }
    }
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let mut all = session.client.notification_preferences().await?;
    if let Some(name) = &args.kind {
        all.retain(|one| kind(one).eq_ignore_ascii_case(name));
        if all.is_empty() {
            let why = format!("There is no kind {name:?}. List them with: svc inbox preferences");
            return Err(Failure::rejected(why));
        }
    }
    let Some(changes) = args.changes else { return show(&all, session).await };
    let [mut one] = all[..] else {
        return Err(Failure::rejected("Name one kind to change."));
    };
    let Changes { in_app, email, telegram, slack, discord, push } = changes;
    one.in_app = in_app.map_or(one.in_app, |answer| matches!(answer, Answer::Yes));
    one.email = email.map_or(one.email, Mode::sent);
    one.chat_1 = telegram.map_or(one.chat_1, ChatMode::sent);
    one.chat_2 = slack.map_or(one.chat_2, ChatMode::sent);
    one.chat_3 = discord.map_or(one.chat_3, ChatMode::sent);
    one.push = push.map_or(one.push, ChatMode::sent);
    session.client.set_notification_preferences(&[one]).await?;
    session.output.say(&format!("{} is changed", kind(&one)));
    Ok(())
}

async fn show(preferences: &[NotificationPreference], session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(&preferences);
    }
    let settings = session.client.notification_settings().await?;
    session.output.table(&table(preferences, &settings.in_force))?;
    if let Some(problem) = settings.mail_problem {
        session.output.say(&problem);
    }
    Ok(())
}

/// What is in force everywhere, and what organizations suggest of single kinds.
fn table(preferences: &[NotificationPreference], in_force: &[NotificationInForce]) -> Table {
    let mut table = Table::new([
        Column::id("KIND"),
        Column::fixed("INBOX"),
        Column::fixed("MAIL"),
        Column::fixed("TELEGRAM"),
        Column::fixed("SLACK"),
        Column::fixed("DISCORD"),
        Column::fixed("BROWSER"),
    ]);
    for one in preferences {
        let inbox = if one.in_app { "yes" } else { "no" };
        for known in in_force.iter().filter(|known| known.kind == one.kind) {
            let kind = match &known.organization {
                Some(org) => format!("{} in {org}", kind(one)),
                None => kind(one),
            };
            table.row([
                kind.into(),
                inbox.into(),
                told(known.email).into(),
                told(known.chat_1).into(),
                told(known.chat_2).into(),
                told(known.chat_3).into(),
                told(known.push).into(),
            ]);
        }
    }
    table
}

/// A mode, and who says so unless it is the person.
fn told(ModeInForce { mode, from, .. }: ModeInForce) -> String {
    let mode = written(&mode);
    match from {
        NotificationSource::You | NotificationSource::Unknown => mode,
        NotificationSource::Organization => format!("{mode} (its default)"),
        NotificationSource::Mail => format!("{mode} (as mail)"),
        NotificationSource::Usual => format!("{mode} (usual)"),
    }
}

fn kind(one: &NotificationPreference) -> String {
    written(&one.kind)
}

/// A word as the API writes it.
pub(in crate::commands) fn written(word: &impl serde::Serialize) -> String {
    serde_json::to_value(word).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
