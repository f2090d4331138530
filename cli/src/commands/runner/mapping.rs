//! Before `svc runner map`: whether the project exists, where the caller may ask.

use svc_runner::directories::config_home;
use svc_runner::runner_file::RunnerFileStore;

use crate::explaining::explained;
use crate::failure::Failure;
use crate::globals::Globals;
use crate::output::Output;
use crate::session::Session;
use crate::settings::{Settings, same_instance};

/// Refuses a key that no project of the registered organization has. Who is offline, or not signed in where the
/// machine is registered, is not asked.
///
/// # Errors
/// There is no such project (exit code 4).
pub(crate) async fn check_project(
    key: &str,
    org: Option<&str>,
    globals: &Globals,
    output: &Output,
) -> Result<(), Failure> {
    let Ok(settings) = Settings::load(globals) else { return Ok(()) };
    let Ok(session) = Session::open(&settings, output) else { return Ok(()) };
    let Some(slug) = registered(org, session.client.base_url()) else { return Ok(()) };
    match session.org(&slug).project(key).await {
        Err(error) if error.status() == Some(404) => Err(explained(error.into(), &session).await),
        _ => Ok(()),
    }
}

/// The organization that the machine is registered with at an instance: the named one, or the only one.
fn registered(org: Option<&str>, url: &str) -> Option<String> {
    let file = RunnerFileStore::in_directory(&config_home().ok()?).load().ok()?;
    let named = |slug: &str| org.is_none_or(|org| org == slug);
    let mut here = file
        .profiles
        .into_iter()
        .filter(|profile| named(&profile.organization) && same_instance(&profile.url, url));
    let only = here.next()?;
    here.next().is_none().then_some(only.organization)
}
