//! Profiles between the runner's file and the supervisor.

use crate::runner_file::{Profile, RunnerFileStore};
use crate::supervisor::ProfileSpec;

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
