//! Settings of branches (`branch.*`), as far as they say where a person's later `git push` and `git pull` go. Pure.

/// Settings of a branch that say where `git push` and `git pull` go, and how what comes is merged.
const DIRECTIONS: [&str; 4] = ["remote", "pushremote", "merge", "mergeoptions"];

/// Whether a setting is one of those that `git push -u` writes for a branch that had none.
pub(super) fn is_usual(setting: &str, known: &[String]) -> bool {
    let (name, value) = setting.split_once('\n').unwrap_or((setting, ""));
    let Some((branch, key)) = name.strip_prefix("branch.").and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    let of_branch = |one: &&String| {
        let known = name_of(one).strip_prefix("branch.").and_then(|known| known.rsplit_once('.'));
        known.is_some_and(|(known, _)| known == branch)
    };
    let new = !known.iter().any(|one| of_branch(&one));
    new && (key == "merge" || (key == "remote" && ["origin", "."].contains(&value)))
}

/// Whether a setting counts for whoever guards a repository.
pub(super) fn counts(setting: &str) -> bool {
    let key = name_of(setting).rsplit_once('.').map_or("", |(_, key)| key);
    !setting.starts_with("branch.") || DIRECTIONS.contains(&key)
}

/// The name of a setting, given as `name\nvalue`.
pub(super) fn name_of(setting: &str) -> &str {
    setting.split_once('\n').map_or(setting, |(name, _)| name)
}
