//! Completes what is being typed: item keys, projects, states, labels, templates, teams, pages, members and who was
//! invited, organizations and tokens, as the instance knows them now.
//!
//! A shell asks by running `svc` with `SVC_COMPLETE` set to its name and the words typed so far as arguments.
//! Nothing is kept, and failures are silent: Tab gives a word or nothing. It never
//! asks for anything and takes [`PATIENCE`] at most.

use std::ffi::OsStr;
use std::time::Duration;

use clap::{Arg, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use svc_api::identity::{Invitation, InvitationState, Member};
use svc_api::tracker::{ItemQuery, ProjectQuery, SprintQuery, SprintState};
use svc_client::{Client, Error, Org, SecretString};

use crate::aliasing;
use crate::settings::Settings;
use crate::typed::{globals, project};
use crate::{offering, placing};

/// Variable by which a shell asks.
pub(crate) const VARIABLE: &str = "SVC_COMPLETE";
/// Id of arguments of which the first word may be the key of a project.
const WORDS: &str = "words";
/// How long the instance may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most items offered.
const ITEMS: u32 = 50;

/// Answers a shell that asks for words, and ends the process then. Otherwise does nothing.
pub(crate) fn answer_shell() {
    CompleteEnv::with_factory(command).var(VARIABLE).bin("svc").complete();
}

/// The command line with what completes its values.
fn command() -> Command {
    let own = aliasing::known().unwrap_or_default().into_iter();
    // They live as long as the program, which answers once.
    let own = own.map(|(name, meant)| Command::new(&*name.leak()).about(format!("svc {meant}")));
    completed(placing::command().subcommands(own))
}

fn completed(command: Command) -> Command {
    command.mut_args(completed_value).mut_subcommands(completed)
}

fn completed_value(arg: Arg) -> Arg {
    let long = arg.get_long().unwrap_or_default().to_owned();
    // What has names of its own, such as a sprint's state, is completed from them.
    if !arg.get_possible_values().is_empty() {
        return arg;
    }
    // An argument of several words has a name for each: whatever fits of them is offered.
    let names = arg.get_value_names().unwrap_or_default();
    let project = (arg.get_id() == WORDS).then_some(Kind::Project);
    if names.first().is_some_and(|name| name == "TERMS") {
        return arg.add(ArgValueCompleter::new(terms));
    }
    if let Some(words) = names.first().and_then(|name| offering::words(name, &long)) {
        let all = move |typed: &OsStr| {
            let words = words(typed.to_str().unwrap_or_default());
            words.into_iter().map(CompletionCandidate::new).collect::<Vec<_>>()
        };
        return arg.add(ArgValueCompleter::new(all));
    }
    let kinds: Vec<Kind> = names.iter().filter_map(|name| kind(name, &long)).chain(project).collect();
    if kinds.is_empty() {
        return arg;
    }
    let all = move |typed: &OsStr| kinds.iter().flat_map(|kind| found(typed, *kind)).collect::<Vec<_>>();
    arg.add(ArgValueCompleter::new(all))
}

/// The field of the last term of a filter, or its last value, after what is typed before.
fn terms(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let Some((before, field, begun)) = offering::value_of_term(typed) else {
        return offering::terms(typed).into_iter().map(CompletionCandidate::new).collect();
    };
    let kind = match field {
        "state" => Kind::State,
        "label" => Kind::Label,
        "sprint" => Kind::Sprint,
        "milestone" => Kind::Milestone,
        "assignee" | "claimed" | "creator" | "watching" | "commented" => Kind::Member,
        "parent" => Kind::Item,
        "project" => Kind::Project,
        _ => {
            let words = offering::values(field, begun).into_iter();
            return words.map(|word| CompletionCandidate::new(format!("{before}{word}"))).collect();
        }
    };
    let offered = |(word, help): Word| {
        CompletionCandidate::new(format!("{before}{}", offering::as_value(&word))).help(help.map(Into::into))
    };
    words(begun.trim_matches('"'), kind).into_iter().map(offered).collect()
}

/// What an argument takes, by the name of its value or by its own.
fn kind(value: &str, long: &str) -> Option<Kind> {
    Some(match (value, long) {
        ("FILE", _) => return None,
        ("ITEM_KEY" | "RUN", _) => Kind::Item,
        ("PROJECT_KEY", _) => Kind::Project,
        ("LABEL", _) | (_, "labels") => Kind::Label,
        ("USER" | "MEMBER", _) | (_, "members" | "people") => Kind::Member,
        ("INVITED", _) => Kind::Invited,
        ("PAGE_PATH", _) => Kind::Page,
        ("SPRINT", _) | (_, "sprint") => Kind::Sprint,
        ("MILESTONE", _) | (_, "milestone") => Kind::Milestone,
        ("TEMPLATE", _) | (_, "template") => Kind::Template,
        ("VIEW", _) | (_, "view") => Kind::View,
        ("TEAM", _) => Kind::Team,
        ("AGENT", _) | (_, "agent") => Kind::Agent,
        ("PLAYBOOK", _) | (_, "playbook") => Kind::Playbook,
        ("RUNNER", _) => Kind::Runner,
        ("SLUG", _) => Kind::Org,
        ("TOKEN_NAME", _) => Kind::Token,
        ("STATE", _) | (_, "state") => Kind::State,
        _ => return None,
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Item,
    Project,
    State,
    Label,
    Member,
    /// An invited person who has not joined.
    Invited,
    Milestone,
    Template,
    View,
    Team,
    Agent,
    Playbook,
    Runner,
    Sprint,
    /// A page of the wiki.
    Page,
    Org,
    Token,
}

/// A word and what it stands for.
type Word = (String, Option<String>);

/// Candidates for a word, or none when anything at all goes wrong.
fn found(typed: &OsStr, kind: Kind) -> Vec<CompletionCandidate> {
    let found = typed.to_str().map(|typed| words(typed, kind)).unwrap_or_default();
    let candidate = |(word, help): Word| CompletionCandidate::new(word).help(help.map(Into::into));
    found.into_iter().map(candidate).collect()
}

/// The words of a kind that begin so, or none when anything at all goes wrong.
fn words(typed: &str, kind: Kind) -> Vec<Word> {
    let words: Vec<String> = std::env::args().skip_while(|word| word != "--").skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return Vec::new() };
    let asked = async { tokio::time::timeout(PATIENCE, ask(typed, kind, &words)).await };
    runtime.block_on(asked).ok().flatten().unwrap_or_default()
}

async fn ask(typed: &str, kind: Kind, words: &[String]) -> Option<Vec<Word>> {
    let settings = Settings::load(&globals(words)).ok()?;
    let client = client(&settings)?;
    let found = match kind {
        Kind::Org => orgs(&client, typed).await,
        Kind::Token => tokens(&client, typed).await,
        _ => {
            let slug = match &settings.org {
                Some(org) => org.value.clone(),
                None => only(client.orgs().await.ok()?)?.slug,
            };
            in_org(client.org(&slug), typed, kind, words).await?
        }
    };
    found.ok()
}

async fn in_org(org: Org<'_>, typed: &str, kind: Kind, words: &[String]) -> Option<Result<Vec<Word>, Error>> {
    Some(match kind {
        Kind::Project => projects(org, typed).await,
        Kind::Item => items(org, typed).await,
        Kind::State => states(org, typed, &project_in(org, words).await?).await,
        Kind::Label => labels(org, typed, &project_in(org, words).await?).await,
        Kind::Member => members(org, typed).await,
        Kind::Invited => invited(org, typed).await,
        Kind::Milestone => milestones(org, typed, &project_in(org, words).await?).await,
        Kind::Template => templates(org, typed, &project_in(org, words).await?).await,
        Kind::View => fitted(typed, org.views(&project_in(org, words).await?).await, |view| view.name),
        Kind::Team => teams(org, typed, &project_in(org, words).await?).await,
        Kind::Agent => fitted(typed, org.agents().await, |agent| agent.name),
        Kind::Playbook => {
            fitted(typed, org.playbooks(&project_in(org, words).await?).await, |playbook| playbook.name)
        }
        Kind::Runner => fitted(typed, org.runners().await, |runner| runner.name),
        Kind::Sprint => sprints(org, typed, &project_in(org, words).await?).await,
        Kind::Page => fitted(typed, org.wiki_tree(&project_in(org, words).await?).await, |page| page.path),
        Kind::Org | Kind::Token => return None,
    })
}

/// The project that the words are about, else the only one.
async fn project_in(org: Org<'_>, words: &[String]) -> Option<String> {
    match project(words) {
        Some(key) => Some(key),
        None => Some(only(org.projects(&ProjectQuery::default()).await.ok()?)?.key),
    }
}

fn client(settings: &Settings) -> Option<Client> {
    let (url, token) = (settings.url.as_ref()?, settings.token.as_ref()?);
    Client::builder(&url.value, concat!("svc/", env!("CARGO_PKG_VERSION")))
        .token(SecretString::from(token.value.as_str()))
        .allow_plain_http(settings.allow_plain_http)
        .build()
        .ok()
}

fn only<T>(mut all: Vec<T>) -> Option<T> {
    all.pop().filter(|_| all.is_empty())
}

async fn projects(org: Org<'_>, typed: &str) -> Result<Vec<Word>, Error> {
    let typed = typed.to_ascii_uppercase();
    let known = org.projects(&ProjectQuery::default()).await?;
    let fitting = known.into_iter().filter(|project| project.key.starts_with(&typed));
    Ok(fitting.map(|project| (project.key, Some(project.name))).collect())
}

/// The items of the project whose key is typed; of the only project that it can become; else projects.
async fn items(org: Org<'_>, typed: &str) -> Result<Vec<Word>, Error> {
    let typed = typed.to_ascii_uppercase();
    let project = match typed.rsplit_once('-') {
        Some((project, _)) => project.to_owned(),
        None => {
            let mut known = projects(org, &typed).await?;
            match known.len() {
                1 => known.remove(0).0,
                _ => return Ok(known.into_iter().map(|(key, name)| (format!("{key}-"), name)).collect()),
            }
        }
    };
    let q = typed.contains('-').then(|| typed.clone());
    let query = ItemQuery { q, page_size: Some(ITEMS), ..ItemQuery::default() };
    let items = org.items(&project, &query).await?.items;
    let fitting = items.into_iter().filter(|item| item.key.starts_with(&typed));
    Ok(fitting.map(|item| (item.key, Some(item.title))).collect())
}

async fn states(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    Ok(fitting(typed, org.workflow(project).await?.states.into_iter().map(|state| (state.name, None))))
}

/// The last label of a list, after what is typed before it and its sign.
async fn labels(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    let start = typed.rfind(',').map_or(0, |comma| comma + 1);
    let start = start + usize::from(typed[start..].starts_with(['+', '-']));
    let (before, begun) = typed.split_at(start);
    let labels = org.labels(project).await?;
    let fitting =
        labels.into_iter().filter(|label| label.name.to_lowercase().starts_with(&begun.to_lowercase()));
    let word = |name: &str| format!("{before}{name}");
    Ok(fitting
        .map(|label| (word(&label.name), Some(label.description).filter(|text| !text.is_empty())))
        .collect())
}

/// The last member of a list, by address, or by name where addresses are hidden.
async fn members(org: Org<'_>, typed: &str) -> Result<Vec<Word>, Error> {
    let (before, begun) = typed.split_at(typed.rfind(',').map_or(0, |comma| comma + 1));
    let begun = begun.to_lowercase();
    let fits = |member: &Member| {
        let Member { email, display_name, .. } = member;
        [email, display_name].iter().any(|text| text.to_lowercase().starts_with(&begun))
    };
    let word = |member: Member| match member.email.is_empty() {
        true => (format!("{before}{}", member.display_name), None),
        false => (format!("{before}{}", member.email), Some(member.display_name)),
    };
    Ok(org.members().await?.into_iter().filter(fits).map(word).collect())
}

/// Invited people who have not joined, by address.
async fn invited(org: Org<'_>, typed: &str) -> Result<Vec<Word>, Error> {
    let open = |invitation: &Invitation| {
        matches!(invitation.state, InvitationState::Pending | InvitationState::Expired)
    };
    let open = org.invitations().await?.into_iter().filter(open);
    Ok(fitting(typed, open.map(|invitation| (invitation.email, None))))
}

/// What was found, by its names.
fn fitted<T>(typed: &str, found: Result<Vec<T>, Error>, name: fn(T) -> String) -> Result<Vec<Word>, Error> {
    Ok(fitting(typed, found?.into_iter().map(|one| (name(one), None))))
}

async fn milestones(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    let milestones = org.milestones(project).await?.into_iter();
    Ok(fitting(typed, milestones.map(|milestone| (milestone.name, milestone.due.map(|day| day.to_string())))))
}

async fn templates(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    let templates = org.templates(project).await?.into_iter();
    Ok(fitting(typed, templates.map(|template| (template.name, None))))
}

async fn teams(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    Ok(fitting(typed, org.teams(project).await?.into_iter().map(|team| (team.key, Some(team.name)))))
}

/// Sprints that have not been completed, and `current`.
async fn sprints(org: Org<'_>, typed: &str, project: &str) -> Result<Vec<Word>, Error> {
    let query = SprintQuery { page_size: Some(ITEMS), ..SprintQuery::default() };
    let sprints = org.sprints(project, &query).await?.items.into_iter();
    let open = sprints.filter(|sprint| sprint.state != SprintState::Completed);
    let current = ("current".to_owned(), Some("the active sprint".to_owned()));
    Ok(fitting(typed, [current].into_iter().chain(open.map(|sprint| (sprint.name, Some(sprint.team.key))))))
}

async fn orgs(client: &Client, typed: &str) -> Result<Vec<Word>, Error> {
    Ok(fitting(typed, client.orgs().await?.into_iter().map(|org| (org.slug, Some(org.name)))))
}

async fn tokens(client: &Client, typed: &str) -> Result<Vec<Word>, Error> {
    Ok(fitting(typed, client.tokens().await?.into_iter().map(|token| (token.name, None))))
}

/// The words that begin as it is typed, in any case.
fn fitting(typed: &str, words: impl Iterator<Item = Word>) -> Vec<Word> {
    let typed = typed.to_lowercase();
    words.filter(|(word, _)| word.to_lowercase().starts_with(&typed)).collect()
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn the_completed_commands_are_well_formed() {
        command().debug_assert();
    }
}
