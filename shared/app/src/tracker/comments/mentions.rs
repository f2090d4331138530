//! Whom a text can mention: the people who see the project, and the organization's agents; and whom the mentions of a
//! comment reach, for its writer.

use std::collections::BTreeSet;

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::identity::{Member, ProjectMember};
use svc_domain::ids::{Actor, ActorId, OrgId, ProjectKey, UserId};
use svc_domain::mention::{self, Mention};
use svc_domain::visibility::Viewer;
use svc_storage::{Query, Range, Row, StorageError, keys};

use crate::App;
use crate::active_agents::active_agents;
use crate::entry::Entry;
use crate::error::Result;
use crate::identity::Known;
use crate::identity::ending::is_disabled;
use crate::wanted;

/// Whom the mention of a comment reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The name of who is mentioned, or the word that is nobody's name, as it was written.
    pub name: String,
    /// Who is mentioned; `None` where the word means nobody whom the writer may know of.
    pub who: Option<Actor>,
    /// What comes of it.
    pub outcome: Outcome,
}

/// What comes of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The person is told, where they chose.
    Told,
    /// A run of the agent was asked for.
    Asked,
    /// It reaches nobody, and why, in a sentence.
    Nobody(String),
}

/// Those whom a text mentions. Asks storage only where there can be somebody.
pub(crate) async fn mentioned(app: &App, org: OrgId, project: &ProjectKey, body: &str) -> Result<Vec<Actor>> {
    Ok(Mentionable::by(app, org, project, body).await?.named(body))
}

/// Everybody who may be meant by a name.
#[derive(Default)]
pub(super) struct Mentionable {
    /// Members of the organization who see the project.
    people: Vec<Member>,
    /// Those who do not.
    others: Vec<Member>,
    agents: Vec<Actor>,
}

impl Mentionable {
    /// Those whom this text can mean; nobody where it mentions none.
    pub(super) async fn by(app: &App, org: OrgId, project: &ProjectKey, body: &str) -> Result<Self> {
        if !mention::may_mention(body) {
            return Ok(Self::default());
        }
        let of_org = keys::org_pk(org);
        let (members, in_project, agents) = futures::try_join!(
            all::<Member>(app, of_org, keys::MEMBER_PREFIX),
            all::<ProjectMember>(app, keys::project_pk(org, project), keys::MEMBER_PREFIX),
            active_agents(app, org),
        )?;
        let in_project: BTreeSet<UserId> = in_project.into_iter().map(|member| member.user).collect();
        let sees = |member: &Member| member.role.administers() || in_project.contains(&member.user);
        let (people, others) = members.into_iter().partition(sees);
        Ok(Self { people, others, agents: agents.iter().map(|(agent, _)| agent.actor()).collect() })
    }

    /// Those whom a text mentions.
    pub(super) fn named(&self, body: &str) -> Vec<Actor> {
        mention::mentioned(body, &self.known())
    }

    fn known(&self) -> Vec<Actor> {
        self.people.iter().map(person).chain(self.agents.iter().cloned()).collect()
    }

    /// Whom the mentions of a comment reach that it had not before, and the words that reach nobody.
    pub(super) async fn reach(
        &self,
        app: &App,
        entry: &Entry,
        project: &ProjectKey,
        comment: &Comment,
        before: &[Mention],
    ) -> Result<Vec<Reach>> {
        let anew = comment.mentions.iter().map(|mention| &mention.who);
        let anew = anew.filter(|who| before.iter().all(|known| known.who.id != who.id));
        let mut reach: Vec<Reach> = anew
            .map(|who| {
                let outcome = self.outcome(entry, project, comment, who);
                Reach { name: who.name.clone(), who: Some(who.clone()), outcome }
            })
            .collect();
        note_disabled(app, &mut reach).await?;
        let others: Vec<Actor> = self.others.iter().map(person).collect();
        let missed = mention::missed(&comment.body, &self.known(), &others);
        if missed.is_empty() {
            return Ok(reach);
        }
        // Of others the writer learns no more than from the list of members.
        let colleagues = match missed.iter().any(|missed| !missed.who.is_empty()) {
            true => Some(Known::to(app, &entry.access).await?),
            false => None,
        };
        let is_known = |who: &Actor| {
            let member = self.others.iter().find(|member| who.id == ActorId::User(member.user));
            colleagues.as_ref().zip(member).is_some_and(|(known, member)| known.includes(member))
        };
        for mut missed in missed {
            missed.who.retain(is_known);
            if missed.who.is_empty() {
                let why = format!("Nobody in {project} is called {}.", missed.word);
                reach.push(Reach { name: missed.word, who: None, outcome: Outcome::Nobody(why) });
                continue;
            }
            reach.extend(missed.who.into_iter().map(|who| {
                let why = format!("{} is not in {project} and is not told.", who.name);
                Reach { name: who.name.clone(), who: Some(who), outcome: Outcome::Nobody(why) }
            }));
        }
        Ok(reach)
    }

    /// What comes of the mention of somebody who may be meant.
    fn outcome(&self, entry: &Entry, project: &ProjectKey, comment: &Comment, who: &Actor) -> Outcome {
        let ActorId::User(user) = who.id else {
            return if entry.access.may(Capability::OperateFactory) {
                Outcome::Asked
            } else if entry.actor().id.is_agent() {
                Outcome::Nobody(format!("Agents start no work of {}.", who.name))
            } else {
                Outcome::Nobody(format!("You may not start AI work in {project}: {} does nothing.", who.name))
            };
        };
        if who.id == comment.author.id {
            return Outcome::Nobody("You are not told of your own comments.".to_owned());
        }
        let member = self.people.iter().find(|member| member.user == user);
        if comment.is_agents_work()
            && !member.is_some_and(|member| Viewer::of_member(member).sees_agents_work())
        {
            return Outcome::Nobody(format!("{} does not see agents' threads and is not told.", who.name));
        }
        Outcome::Told
    }
}

/// Notes those people who would be told if their accounts were not disabled.
async fn note_disabled(app: &App, reach: &mut [Reach]) -> Result<()> {
    let sessions = |one: &Reach| match (&one.outcome, one.who.as_ref()?.id) {
        (Outcome::Told, ActorId::User(user)) => Some(keys::sessions(user)),
        _ => None,
    };
    let wanted: Vec<_> = reach.iter().map(sessions).collect();
    for (one, row) in reach.iter_mut().zip(wanted::load(app, wanted).await?) {
        if is_disabled(row.as_deref())? {
            one.outcome =
                Outcome::Nobody(format!("The account of {0} is disabled: {0} is not told.", one.name));
        }
    }
    Ok(())
}

fn person(member: &Member) -> Actor {
    Actor { id: ActorId::User(member.user), name: member.display_name.clone() }
}

async fn all<T: serde::de::DeserializeOwned>(app: &App, pk: String, prefix: &str) -> Result<Vec<T>> {
    let rows = app.table.query_all(Query::new(pk, Range::Prefix(prefix.to_owned()), 1_000)).await?;
    Ok(rows.iter().map(Row::read).collect::<Result<_, StorageError>>()?)
}
