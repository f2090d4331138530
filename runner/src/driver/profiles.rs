//! Profiles between the runner's file and the supervisor.

use crate::clock;
use crate::runner_file::{FileError, Profile, RunnerFile, RunnerFileStore};
use crate::supervisor::ProfileSpec;

/// Rewrites a file of the older shape, and gives the machine its id.
pub(super) fn prepare_file(store: &RunnerFileStore) -> Result<RunnerFile, FileError> {
    let result = store.update(|file| {
        if file.machine_id.is_empty() {
            file.machine_id = clock::fresh_id().to_string();
        }
        Ok::<_, std::convert::Infallible>(file.clone())
    })?;
    Ok(result.unwrap_or_else(|never| match never {}))
}

/// Writes down which organization a profile of the older shape belongs to.
pub(super) fn remember_organization(store: &RunnerFileStore, spec: &ProfileSpec, organization: &str) {
    let needed = store.load().is_ok_and(|file| {
        let renamed = |known: &Profile| spec_of(known).is_same_as(spec) && known.organization != organization;
        file.profiles.iter().any(renamed)
    });
    if !needed {
        return;
    }
    let written = store.update(|file| {
        for profile in file.profiles.iter_mut().filter(|profile| spec_of(profile).is_same_as(spec)) {
            organization.clone_into(&mut profile.organization);
        }
        Ok::<_, std::convert::Infallible>(())
    });
    if let Err(error) = written {
        tracing::warn!("{error}");
    }
}

/// What the supervisor knows of a profile.
pub(super) fn spec_of(profile: &Profile) -> ProfileSpec {
    ProfileSpec {
        url: profile.url.clone(),
        organization: profile.organization.clone(),
        token: profile.token.clone(),
    }
}
