//! `svc inbox mute` and `svc inbox unmute`.

use svc_api::notifications::{ChangeNotificationSettings, Mute, MutedThing};
use svc_domain::ids::{ItemKey, ProjectKey};

use super::preferences::written;
use crate::commands::named::{Named, pick};
use crate::failure::Failure;
use crate::output::Table;
use crate::session::Session;

/// Stop hearing of an item, a project or an agent, or list what you do not hear of
///
/// Of a muted agent you still hear when it needs you, fails or mentions you.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox mute
  svc inbox mute PRJ-12
  svc inbox mute PRJ
  svc inbox mute --agent Builder")]
pub(crate) struct Args {
    #[command(flatten)]
    what: What,
}

/// Hear again of what you muted
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox unmute PRJ-12
  svc inbox unmute --agent Builder")]
pub(crate) struct UnmuteArgs {
    #[command(flatten)]
    what: What,
}

#[derive(clap::Args)]
struct What {
    /// Key of an item or of a project
    #[arg(value_name = "ITEM_OR_PROJECT_KEY", conflicts_with = "agent")]
    key: Option<String>,
    /// Name or id of an agent
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let mutes = session.client.notification_settings().await?.mutes;
    let Some((mute, name)) = args.what.find(session).await? else {
        let agents = agents(&mutes, session).await?;
        return session.output.all(&mutes, "You hear of everything.", |mutes| table(mutes, &agents));
    };
    if mutes.contains(&mute) {
        session.output.say(&format!("{name} is muted already"));
        return Ok(());
    }
    demand(&mute, session).await?;
    save(mutes.into_iter().chain([mute]).collect(), session).await?;
    session.output.say(&format!("{name} is muted; `svc inbox unmute` takes it back"));
    Ok(())
}

pub(super) async fn unmute(args: UnmuteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Some((mute, name)) = args.what.find(session).await? else {
        return Err(Failure::rejected(
            "Say what you want to hear of again. List it with: svc inbox mute".to_owned(),
        ));
    };
    let mut mutes = session.client.notification_settings().await?.mutes;
    let before = mutes.len();
    mutes.retain(|known| *known != mute);
    if mutes.len() == before {
        return Err(Failure::rejected(format!("{name} is not muted. List what is with: svc inbox mute")));
    }
    save(mutes, session).await?;
    session.output.say(&format!("you hear of {name} again"));
    Ok(())
}

/// Refuses what does not exist, or what the person may not see. An agent was found by its name.
async fn demand(mute: &Mute, session: &Session<'_>) -> Result<(), Failure> {
    let Some(key) = &mute.key else { return Ok(()) };
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    match mute.what {
        MutedThing::Item => drop(org.item(key).await?),
        MutedThing::Project => drop(org.project(key).await?),
        _ => {}
    }
    Ok(())
}

async fn save(mutes: Vec<Mute>, session: &Session<'_>) -> Result<(), Failure> {
    let mutes = Some(mutes.into_iter().map(Into::into).collect());
    let change = ChangeNotificationSettings { mutes, ..ChangeNotificationSettings::default() };
    session.client.change_notification_settings(&change).await?;
    Ok(())
}

impl What {
    /// What is meant, and what people call it; `None` where nothing was said.
    async fn find(&self, session: &Session<'_>) -> Result<Option<(Mute, String)>, Failure> {
        if let Some(name) = &self.agent {
            let slug = session.org_slug().await?;
            let agents = session.org(&slug).agents().await?;
            let found =
                pick("agent", name, agents, true, |agent| Named { id: &agent.id, name: &agent.name })?;
            let agent_id = Some(found.id);
            let agent = Mute { what: MutedThing::Agent, organization_id: None, key: None, agent_id };
            return Ok(Some((agent, name.clone())));
        }
        let Some(key) = &self.key else { return Ok(None) };
        let key = key.to_ascii_uppercase();
        let what = match (key.parse::<ItemKey>(), key.parse::<ProjectKey>()) {
            (Ok(_), _) => MutedThing::Item,
            (_, Ok(_)) => MutedThing::Project,
            _ => return Err(Failure::rejected(format!("{key:?} is no key of an item or a project."))),
        };
        let slug = session.org_slug().await?;
        let orgs = session.client.orgs().await?;
        let org = orgs.into_iter().find(|org| org.slug == slug).map(|org| org.id);
        let mute = Mute { what, organization_id: org, key: Some(key.clone()), agent_id: None };
        Ok(Some((mute, key)))
    }
}

/// The names of muted agents, as far as they are known here.
async fn agents(mutes: &[Mute], session: &Session<'_>) -> Result<Vec<(String, String)>, Failure> {
    if !mutes.iter().any(|mute| mute.what == MutedThing::Agent) {
        return Ok(Vec::new());
    }
    let slug = session.org_slug().await?;
    let agents = session.org(&slug).agents().await?;
    Ok(agents.into_iter().map(|agent| (agent.id, agent.name)).collect())
}

fn table(mutes: &[Mute], agents: &[(String, String)]) -> Table {
    Table::of(mutes)
        .fixed("WHAT", |mute| written(&mute.what))
        .flexible("NAME", |mute| {
            let id = mute.agent_id.as_deref().or(mute.key.as_deref()).unwrap_or_default();
            agents.iter().find(|(agent, _)| agent == id).map_or(id, |(_, name)| name)
        })
        .end()
}
