//! The ids of requests for runs, on disk before each is sent: a runner that dies between asking and hearing asks again
//! under the same id when it is started again, and gets the run that it was meant to have.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::plain;
use crate::supervisor::ProfileSpec;

/// The file in the directory of runs.
const FILE: &str = ".takes.json";

/// Bytes of the longest file, which names a thousand registrations, and of the longest id.
const LONGEST: u64 = 1024 * 1024;
const LONGEST_ID: usize = 100;

/// The last request of a registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    url: String,
    organization: String,
    request_id: String,
}

/// The last request of each registration.
#[derive(Debug)]
pub(super) struct Takes {
    path: PathBuf,
    requests: Vec<Request>,
}

impl Takes {
    /// Those of the runner that worked in this directory before. What cannot have been written here names none: agents
    /// can write to the file.
    pub(super) fn load(root: &Path) -> Self {
        let path = root.join(FILE);
        let written = plain::read(&path, LONGEST).ok();
        let mut requests: Vec<Request> =
            written.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        requests.retain(|one| (1..=LONGEST_ID).contains(&one.request_id.len()));
        Self { path, requests }
    }

    /// Address, organization and id of each.
    pub(super) fn earlier(&self) -> Vec<(String, String, String)> {
        let requests = self.requests.iter();
        requests.map(|one| (one.url.clone(), one.organization.clone(), one.request_id.clone())).collect()
    }

    /// Writes down what is asked next. Without the file, the runner works on.
    pub(super) fn note(&mut self, spec: &ProfileSpec, request_id: &str) {
        let request = Request {
            url: spec.url.clone(),
            organization: spec.organization.clone(),
            request_id: request_id.to_owned(),
        };
        if self.requests.contains(&request) {
            return;
        }
        self.requests.retain(|one| (&one.url, &one.organization) != (&request.url, &request.organization));
        self.requests.push(request);
        if let Err(error) = self.write() {
            tracing::warn!(%error, "{} cannot be written", self.path.display());
        }
    }

    fn write(&self) -> std::io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        file.write_all(&serde_json::to_vec_pretty(&self.requests)?)?;
        file.persist(&self.path).map(|_| ()).map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    fn spec(organization: &str) -> ProfileSpec {
        ProfileSpec { url: "https://one".into(), organization: organization.into(), token: Secret::new("s") }
    }

    #[test]
    fn the_last_request_of_each_registration_is_known_to_the_next_runner() {
        let root = tempfile::tempdir().unwrap();
        let mut takes = Takes::load(root.path());
        for (organization, id) in [("a", "1"), ("b", "2"), ("a", "3")] {
            takes.note(&spec(organization), id);
        }
        let known = |organization: &str, id: &str| ("https://one".into(), organization.into(), id.into());
        assert_eq!(Takes::load(root.path()).earlier(), [known("b", "2"), known("a", "3")]);
    }

    #[test]
    fn a_file_that_is_none_names_no_request() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join(FILE), "{").unwrap();
        assert!(Takes::load(root.path()).earlier().is_empty());
    }

    /// The service refused such an id, and the runner asked under it for ever.
    #[test]
    fn what_the_runner_did_not_write_names_no_request() {
        let root = tempfile::tempdir().unwrap();
        let mut takes = Takes::load(root.path());
        takes.note(&spec("a"), &"x".repeat(400));
        assert!(Takes::load(root.path()).earlier().is_empty(), "no id is as long");
        std::fs::remove_file(root.path().join(FILE)).unwrap();
        let pipe = root.path().join(FILE);
        crate::testing::pipe(&pipe);
        assert!(Takes::load(root.path()).earlier().is_empty(), "a pipe is not waited for");
    }
}
