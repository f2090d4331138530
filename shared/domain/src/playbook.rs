//! Playbooks and a project's factory settings as stored, and the checks on their fields (specification
//! sections 2.4 and 2.5).
//!
//! A playbook's instructions are not here: they are the page of its name in the wiki's Factory section.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::code_host::RepositoryName;
use crate::deletion::Deletion;
use crate::harness::Harness;
use crate::ids::{AgentId, PageId, PlaybookId};
use crate::refusal::{FieldErrors, Refusal};
use crate::workflow::{Move, Naming, Workflow};

/// Where a run's result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryMode {
    /// A branch and a pull request.
    BranchAndPullRequest,
    /// A push to the project's default branch.
    PushToDefaultBranch,
}

/// What a run must leave to have succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Delivers {
    /// A commit.
    #[default]
    Commit,
    /// Nothing: its words, and what it does with items, are the result.
    Nothing,
}

impl Delivers {
    /// Whether it is a commit, as in rows that do not say it.
    pub fn is_commit(&self) -> bool {
        *self == Self::Commit
    }
}

/// Where runs find a project's repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RepositorySource {
    /// A clone on the runner's machine.
    RunnerLocal,
    /// A code-hosting binding.
    CodeHost,
}

/// Reusable settings of runs. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Playbook {
    /// Id.
    pub id: PlaybookId,
    /// Name, unique in the project whatever its case.
    pub name: String,
    /// Page that holds the instructions.
    pub page: PageId,
    /// Path of that page.
    pub page_path: String,
    /// Pages that held the instructions before: left as they were, and still only for who may read
    /// instructions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_pages: Vec<PageId>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Minutes after which a run is stopped.
    pub time_limit_minutes: u32,
    /// State that an item moves to when a run succeeds.
    pub success_state: Option<String>,
    /// State that an item moves to when a run fails.
    pub failure_state: Option<String>,
    /// Where the result goes.
    pub delivery_mode: DeliveryMode,
    /// What its runs must leave. Absent in rows from before one could choose.
    #[serde(default, skip_serializing_if = "Delivers::is_commit")]
    pub delivers: Delivers,
    /// Whether a failed check or a requested change of a pull request that its runs opened starts a follow-up.
    #[serde(default)]
    pub pull_request_follow_ups: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// That it was deleted. Absent in rows from before playbooks could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<Deletion>,
}

/// Section of the wiki that playbooks' pages are in.
pub const SECTION: &str = "Factory";
/// Longest name of a playbook, in characters.
pub const MAX_NAME: usize = 80;
/// Longest time limit, in minutes.
pub const MAX_TIME_LIMIT: u32 = 1440;

/// Path of the page of a playbook of this name.
pub fn page_path(name: &str) -> String {
    format!("{SECTION}/{name}")
}

impl Playbook {
    /// Whether its fields are acceptable in a project with this workflow. State names come out as the
    /// workflow writes them.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&mut self, workflow: &Workflow) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        check_name(&self.name, &mut errors);
        if !(1..=MAX_TIME_LIMIT).contains(&self.time_limit_minutes) {
            errors.add("timeLimitMinutes", format!("Give 1 to {MAX_TIME_LIMIT} minutes."));
        }
        for (field, state) in
            [("successState", &mut self.success_state), ("failureState", &mut self.failure_state)]
        {
            let Some(name) = state else { continue };
            if let Some(known) = errors.check(field, workflow.known(name)) {
                name.clone_from(&known.name);
            }
        }
        errors.into_result()
    }

    /// Whether it can be named for new work.
    pub const fn is_there(&self) -> bool {
        self.deleted.is_none()
    }

    /// Whether its page is kept for it: while it is there, and while it can be restored.
    pub fn keeps_page(&self, now: Timestamp) -> bool {
        self.deleted.as_ref().is_none_or(|deletion| deletion.can_be_undone(now))
    }

    /// Refuses what is done with one that was deleted.
    ///
    /// # Errors
    /// [`Refusal::Deleted`].
    pub fn require_there(&self, now: Timestamp) -> Result<(), Refusal> {
        match &self.deleted {
            Some(deletion) => Err(deletion.refusal("playbook", "an Admin of the project", now)),
            None => Ok(()),
        }
    }

    /// The playbook as it is restored into a workflow that may have changed meanwhile: it names only states that
    /// there are.
    #[must_use]
    pub fn restored(self, workflow: &Workflow) -> Self {
        let known = |state: Option<String>| state.filter(|name| workflow.find(name).is_some());
        let (success_state, failure_state) = (known(self.success_state), known(self.failure_state));
        Self { success_state, failure_state, deleted: None, ..self }
    }

    /// The states that it names. One that was deleted keeps none from being renamed or removed.
    pub fn namings(&self) -> impl Iterator<Item = Naming> {
        let states = [("success", &self.success_state), ("failure", &self.failure_state)];
        states.into_iter().filter(|_| self.is_there()).filter_map(|(what, state)| {
            let by = format!("the {what} state of the playbook {:?}", self.name);
            state.clone().map(|state| Naming { state, by })
        })
    }

    /// Names the states that came for those that went, as the new workflow writes them.
    pub fn follow(&mut self, workflow: &Workflow, moves: &[Move]) {
        for state in [&mut self.success_state, &mut self.failure_state] {
            workflow.follow(state, moves);
        }
    }
}

fn check_name(name: &str, errors: &mut FieldErrors) {
    let malformed = name.trim() != name
        || !(1..=MAX_NAME).contains(&name.chars().count())
        || name.chars().any(|c| c.is_control() || c == '/' || c == '\\')
        || name == "."
        || name == "..";
    if malformed {
        errors.add("name", format!("Use 1 to {MAX_NAME} characters on one line, without slashes."));
    }
}

/// Factory settings of a project. Their version is the row's, 0 while nothing was ever set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FactorySettings {
    /// Where runs find the repository.
    pub repository_source: RepositorySource,
    /// The repository at the code host; there is one where that is the source, and nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<RepositoryName>,
    /// Directory that runners may find the clone in.
    pub path_hint: Option<String>,
    /// Branch that work starts from.
    pub default_branch: String,
    /// Agent used where a caller names none.
    pub default_agent: Option<AgentId>,
    /// Playbook used where a caller names none.
    pub default_playbook: Option<PlaybookId>,
}

impl Default for FactorySettings {
    fn default() -> Self {
        Self {
            repository_source: RepositorySource::RunnerLocal,
            repository: None,
            path_hint: None,
            default_branch: "main".to_owned(),
            default_agent: None,
            default_playbook: None,
        }
    }
}

impl FactorySettings {
    /// Whether its fields are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        match (self.repository_source, &self.repository) {
            (RepositorySource::CodeHost, None) => {
                errors.add("repository", "Name the repository at the code host as owner/name.");
            }
            (RepositorySource::RunnerLocal, Some(_)) => {
                errors.add(
                    "repository",
                    "A repository needs repositorySource codeHost. Set that, or leave this out.",
                );
            }
            (RepositorySource::CodeHost, Some(_)) | (RepositorySource::RunnerLocal, None) => {}
        }
        if !is_branch_name(&self.default_branch) {
            errors.add("defaultBranch", "git does not accept this branch name.");
        }
        let hint = self.path_hint.as_deref();
        if hint.is_some_and(|hint| hint.trim().is_empty() || hint.len() > 1000 || hint.contains(['\0', '\n']))
        {
            errors.add("pathHint", "Give a directory of at most 1,000 bytes on one line.");
        }
        errors.into_result()
    }
}

/// Whether git accepts it as the name of a branch, and no program takes it for an option.
pub fn is_branch_name(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    (1..=200).contains(&name.len())
        && name.split('/').all(part)
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && name != "@"
        && name != "HEAD"
        && !name.bytes().any(|b| b <= b' ' || b == 0x7f || b"~^:?*[\\".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::{FactorySettings, Playbook, is_branch_name, page_path};
    use crate::harness::Harness;
    use crate::ids::{PageId, PlaybookId};
    use crate::workflow::Workflow;
    use uuid::Uuid;

    fn playbook(name: &str) -> Playbook {
        Playbook {
            id: PlaybookId(Uuid::from_u128(1)),
            name: name.to_owned(),
            page: PageId(Uuid::from_u128(2)),
            page_path: page_path(name),
            former_pages: Vec::new(),
            harness: Harness::Harness1,
            time_limit_minutes: 60,
            success_state: Some("in REVIEW".into()),
            failure_state: None,
            delivery_mode: super::DeliveryMode::BranchAndPullRequest,
            delivers: super::Delivers::Commit,
            pull_request_follow_ups: false,
            deleted: None,
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn states_are_written_as_the_workflow_does() {
        let mut implement = playbook("Implement");
        implement.check(&Workflow::default()).unwrap();
        assert_eq!(implement.success_state.as_deref(), Some("In review"));
    }

    #[test]
    fn every_unacceptable_field_is_named() {
        let mut bad = playbook("a/b");
        bad.time_limit_minutes = 0;
        bad.failure_state = Some("Nowhere".into());
        let errors = bad.check(&Workflow::default()).unwrap_err();
        assert_eq!(
            errors.0.keys().map(String::as_str).collect::<Vec<_>>(),
            ["failureState", "name", "timeLimitMinutes"]
        );
    }

    #[test]
    fn branch_names_are_those_of_git() {
        for good in ["main", "release/1.0", "feature/PRJ-1", "ä"] {
            assert!(is_branch_name(good), "{good:?}");
        }
        for bad in [
            "",
            "-d",
            "--upload-pack=x",
            "a..b",
            "a b",
            "a~1",
            "a:b",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a/.b",
            "a.lock",
            "a.",
            "@",
            "HEAD",
            "a@{1}",
            "a\nb",
        ] {
            assert!(!is_branch_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_repository_is_named_where_the_code_host_is_the_source_and_nowhere_else() {
        let settings = |repository_source, repository: Option<&str>| FactorySettings {
            repository_source,
            repository: repository.map(|name| name.parse().unwrap()),
            ..FactorySettings::default()
        };
        let (local, hosted) = (super::RepositorySource::RunnerLocal, super::RepositorySource::CodeHost);
        for (settings, fine) in [
            (settings(local, None), true),
            (settings(hosted, Some("acme/greeter")), true),
            (settings(hosted, None), false),
            (settings(local, Some("acme/greeter")), false),
        ] {
            let errors = settings.check().err().unwrap_or_default();
            assert_eq!(errors.0.contains_key("repository"), !fine, "{settings:?}");
        }
    }

    #[test]
    fn the_settings_before_anything_was_set_are_acceptable() {
        assert!(FactorySettings::default().check().is_ok());
    }
}
