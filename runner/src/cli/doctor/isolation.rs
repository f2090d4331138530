//! Whether the isolation that the operator asks for works on this machine.

use std::path::Path;
use std::time::Duration;

use tokio::process::Command;

use super::{Finding, bad, good, warning};
use crate::isolation::{Isolation, Places, sandbox_words};
use crate::process::{Account, find_executable};
use crate::runner_file::Profile;
use crate::workspace::git::output_of;

/// A sandbox may have to fetch its image first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Looks at the default of a profile, and at each project that says otherwise.
pub(super) async fn isolation(profile: &Profile, root: &Path) -> Vec<Finding> {
    let projects = profile.projects.keys().map(|key| (key.clone(), profile.isolation(key)));
    let mut all: Vec<(String, Isolation)> = vec![("(default)".to_owned(), profile.isolation.clone())];
    all.extend(projects.filter(|(_, isolation)| isolation.run_as != profile.isolation.run_as));
    let mut findings = Vec::new();
    for (project, isolation) in all {
        let name = format!("{project} of {}", profile.organization);
        if let Some(user) = isolation.user() {
            findings.push(user_works(&name, user, root).await);
        }
        if let Some(command) = isolation.sandbox() {
            findings.push(sandbox_works(&name, command).await);
        }
    }
    findings
}

async fn user_works(name: &str, user: &str, root: &Path) -> Finding {
    let account = match Account::find(user).await {
        Ok(account) => account,
        Err(why) => {
            let mend = "create the user, start the runner as root, or choose another isolation with `svc runner map`";
            return bad(format!("{name}: {why}"), mend);
        }
    };
    account_works(name, &account, root).await
}

async fn account_works(name: &str, account: &Account, root: &Path) -> Finding {
    let user = &account.name;
    let parent = root.parent().unwrap_or(root);
    if !account.may_enter(parent).await {
        let mend = "start the runner with --workspace-root in a directory that everyone may enter, such as /var/lib/svc";
        return bad(format!("{name}: {user} cannot enter {}", parent.display()), mend);
    }
    if !account.may_enter(&account.home).await {
        let home = account.home.display();
        if account.home.is_dir() {
            let what = format!(
                "{name}: {user} cannot enter its home {home}, where git and harnesses look for settings"
            );
            return bad(
                what,
                format!("let it: `chown {user} {home}`, or give it another with `usermod --home`"),
            );
        }
        let what = format!("{name}: {user} has no home at {home}");
        return warning(what, "create it: harnesses keep their credentials there");
    }
    good(format!("{name}: harnesses run as {user}; sign them in as that user"))
}

async fn sandbox_works(name: &str, template: &str) -> Finding {
    let mend = "correct it with `svc runner map --sandbox`, and try it by hand as the runner's user";
    match try_sandbox(template).await {
        Ok(()) => good(format!("{name}: harnesses run through `{template}`")),
        Err(why) => bad(format!("{name}: the sandbox command `{template}` does not work: {why}"), mend),
    }
}

/// Lets the command run `true`, in an empty directory.
async fn try_sandbox(template: &str) -> Result<(), String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (workspace, env_file) = (place.path().join("repo"), place.path().join("environment"));
    let made = std::fs::create_dir(&workspace).and_then(|()| std::fs::write(&env_file, ""));
    made.map_err(|error| error.to_string())?;
    let places =
        Places { workspace: &workspace, run_dir: place.path(), env_file: &env_file, run_id: "doctor" };
    let mut words = sandbox_words(template, &places)?.into_iter();
    let first = words.next().unwrap_or_default();
    let path = std::env::var_os("PATH");
    let program = find_executable(Path::new(&first), path.as_deref())
        .ok_or_else(|| format!("{} is not on the PATH", first.to_string_lossy()))?;
    let mut command = Command::new(program);
    command.args(words).arg("true").current_dir(&workspace);
    let output = tokio::time::timeout(PATIENCE, output_of(command))
        .await
        .map_err(|_| "it does not end".to_owned())?
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// The run failed in git, which looked for settings there.
    #[tokio::test]
    async fn a_home_that_its_user_cannot_enter_is_told_before_a_run_fails() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root may run a harness as another user");
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        let account = Account { home: home.clone(), ..Account::find("nobody").await.unwrap() };
        let root = place.path().join("runs");
        let told = async || {
            let finding = account_works("PRJ of demo", &account, &root).await;
            format!("{} {:?}", finding.what, finding.mend)
        };
        let open = |path: &Path, mode| {
            std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        };
        open(place.path(), 0o700);
        assert!(told().await.contains("start the runner with --workspace-root"));
        open(place.path(), 0o755);
        assert!(told().await.contains("nobody has no home at"));
        std::fs::create_dir(&home).unwrap();
        open(&home, 0o700);
        assert!(told().await.contains("nobody cannot enter its home"));
        open(&home, 0o755);
        assert!(told().await.contains("harnesses run as nobody"));
    }
}
