//! The project that a command works in.

use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::keys::project_key;
use crate::session::Session;

/// The project that a command works in.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct InProject {
    /// Key of the project; not needed after `svc project use`, in a mapped clone, or if there is only one [env: SVC_PROJECT]
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
}

impl InProject {
    /// Whether the command line names it.
    pub(crate) const fn is_named(&self) -> bool {
        self.project.is_some()
    }

    /// The project that is named, else the default one.
    pub(crate) async fn key(&self, session: &Session<'_>) -> Result<ProjectKey, Failure> {
        session.project(self.project.clone()).await
    }
}

/// The project that a command is about, as its argument or after -p.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ThisProject {
    /// Key of the project; not needed after `svc project use`
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: Option<ProjectKey>,
    /// The same [env: SVC_PROJECT]
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key, conflicts_with = "key")]
    project: Option<ProjectKey>,
}

impl ThisProject {
    /// The project that is named, else the default one.
    pub(crate) async fn key(&self, session: &Session<'_>) -> Result<ProjectKey, Failure> {
        session.project(self.key.clone().or_else(|| self.project.clone())).await
    }
}

/// The project, which is named by the first word or by -p, and the other words, of which there must be `count`.
pub(crate) async fn with_project<'a>(
    words: &'a [String],
    count: usize,
    project: &InProject,
    session: &Session<'_>,
) -> Result<(String, &'a [String]), Failure> {
    match words {
        [key, rest @ ..] if rest.len() == count => {
            let key = project_key(key)
                .map_err(|wrong| Failure::rejected(format!("{key:?} is not a project key: {wrong}")))?;
            Ok((key.to_string(), rest))
        }
        rest if rest.len() == count => Ok((project.key(session).await?.to_string(), rest)),
        _ => Err(Failure::rejected("an argument is missing").hint("see --help for the arguments")),
    }
}
