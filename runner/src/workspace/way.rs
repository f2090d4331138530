//! What git is told besides, so that it reaches remotes as in the clone, and asks nobody. Pure but for the environment.

/// The default ssh command.
pub(crate) const SSH: &str = "ssh -oBatchMode=yes";
/// Lists the settings that hold in a repository.
pub(super) const LIST: [&str; 5] = ["config", "--list", "--show-scope", "--includes", "-z"];

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// Whether the repository itself has it.
    pub(super) own: bool,
}

/// Variables for a remote: the clone's settings for it that do not hold here already, and an ssh that cannot prompt where
/// there is no other. Both are listed.
pub(super) fn way(theirs: &str, here: &str) -> Vec<(String, String)> {
    const WAY: [&str; 4] = ["core.sshcommand", "core.gitproxy", "http.", "credential."];
    let known = settings(here);
    let mut way = settings(theirs);
    way.retain(|one| WAY.iter().any(|name| one.name.starts_with(name)) && !known.contains(one));
    let mut variables = Vec::new();
    let set = ["GIT_SSH", "GIT_SSH_COMMAND"].iter().any(|name| std::env::var_os(name).is_some())
        || way.iter().any(|one| one.name == "core.sshcommand")
        || here.split('\0').any(|setting| setting.starts_with("core.sshcommand\n"));
    if !set {
        variables.push(("GIT_SSH_COMMAND".to_owned(), SSH.to_owned()));
    }
    let count = in_environment();
    for (number, one) in (count..).zip(&way) {
        variables.push((format!("GIT_CONFIG_KEY_{number}"), one.name.clone()));
        variables.push((format!("GIT_CONFIG_VALUE_{number}"), one.value.clone().unwrap_or_default()));
    }
    if !way.is_empty() {
        variables.push(("GIT_CONFIG_COUNT".to_owned(), (count + way.len()).to_string()));
    }
    variables
}

/// The settings of a listing, but for those of the environment.
pub(super) fn settings(listed: &str) -> Vec<Setting> {
    let mut parts = listed.split('\0');
    let mut settings = Vec::new();
    while let (Some(scope), Some(setting)) = (parts.next(), parts.next()) {
        let (name, value) = setting.split_once('\n').map_or((setting, None), |(name, v)| (name, Some(v)));
        let own = matches!(scope, "local" | "worktree");
        if own || matches!(scope, "global" | "system") {
            settings.push(Setting { name: name.to_owned(), value: value.map(str::to_owned), own });
        }
    }
    settings
}

/// How many settings the environment gives to git.
pub(super) fn in_environment() -> usize {
    std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Whether a variable is one of the settings that a person gives git in the environment.
pub(super) fn is_setting(name: &str) -> bool {
    let numbered =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok());
    name == "GIT_CONFIG_COUNT" || numbered("GIT_CONFIG_KEY_") || numbered("GIT_CONFIG_VALUE_")
}
