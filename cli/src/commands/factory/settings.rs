//! `svc factory settings`: shows a project's factory settings, or changes them under the version that was read.

use svc_api::Patch;
use svc_api::factory::{FactorySettings, RepositorySource, UpdateFactorySettings};

use crate::commands::in_project::InProject;
use crate::commands::{agent, playbook};
use crate::failure::Failure;
use crate::output::{Pairs, name};
use crate::session::Session;
use crate::values::{OrNone, repository_source};

/// Show or change a project's factory settings: its repository, default branch, agent and playbook.
///
/// Without options, it shows the settings.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc factory settings -p PRJ
  svc factory settings -p PRJ --default-branch main --default-agent Robin
  svc factory settings -p PRJ --repository-source code-host --repository team/product")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
struct Change {
    /// Where runs find the repository
    #[arg(long, value_name = "SOURCE", value_parser = repository_source(), ignore_case = true)]
    repository_source: Option<RepositorySource>,
    /// Repository at the code host
    #[arg(long, value_name = "OWNER/NAME")]
    repository: Option<String>,
    /// Directory on the runner's machine where the clone may be, or none
    #[arg(long, value_name = "PATH")]
    path_hint: Option<OrNone<String>>,
    /// Branch that work starts from
    #[arg(long, value_name = "BRANCH")]
    default_branch: Option<String>,
    /// Display name or id of the default agent, or none
    #[arg(long, value_name = "AGENT")]
    default_agent: Option<OrNone<String>>,
    /// Name or id of the default playbook, or none
    #[arg(long, value_name = "PLAYBOOK")]
    default_playbook: Option<OrNone<String>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let mut settings = session.org(&org).factory_settings(project.as_str()).await?;
    if let Some(mut change) = args.change.into_update() {
        if let Patch::Set(word) = &mut change.default_agent {
            *word = agent::find(word, &org, session).await?.id;
        }
        if let Patch::Set(word) = &mut change.default_playbook {
            *word = playbook::find(word, project.as_str(), &org, session).await?.id;
        }
        change.version = settings.version;
        settings = session.org(&org).update_factory_settings(project.as_str(), &change).await?;
    }
    if session.output.json {
        return session.output.json(&settings);
    }
    session.output.pairs(&pairs(&settings))
}

impl Change {
    /// The change, without the version that it is made under; `None` where nothing is to change.
    fn into_update(self) -> Option<UpdateFactorySettings> {
        let Self {
            repository_source,
            repository,
            path_hint,
            default_branch,
            default_agent,
            default_playbook,
        } = self;
        let any = repository_source.is_some()
            || repository.is_some()
            || path_hint.is_some()
            || default_branch.is_some()
            || default_agent.is_some()
            || default_playbook.is_some();
        any.then(|| UpdateFactorySettings {
            version: 0,
            repository_source,
            repository,
            path_hint: path_hint.map_or(Patch::Keep, Patch::from),
            default_branch,
            default_agent: default_agent.map_or(Patch::Keep, Patch::from),
            default_playbook: default_playbook.map_or(Patch::Keep, Patch::from),
        })
    }
}

fn pairs(settings: &FactorySettings) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("repository source", name(&settings.repository_source));
    pairs.maybe("repository", settings.repository.as_deref());
    pairs.maybe("path hint", settings.path_hint.as_deref());
    pairs.add("default branch", settings.default_branch.as_str());
    pairs.maybe("default agent", settings.default_agent.as_ref().map(|agent| agent.name.as_str()));
    pairs
        .maybe("default playbook", settings.default_playbook.as_ref().map(|playbook| playbook.name.as_str()));
    pairs
}
