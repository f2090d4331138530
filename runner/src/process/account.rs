//! Another user of this machine, as whom a harness can be run.

use std::path::{Path, PathBuf};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::process::Command;

use crate::workspace::git::output_of;

/// Processes and threads that a user may have at once while a harness runs as them: all runs of the user count, and
/// whatever else they run. One that forks without end thus leaves room for everybody else on the machine.
pub(super) const MOST_PROCESSES: u64 = 4_096;

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Their name.
    pub name: String,
    /// Their number.
    pub uid: u32,
    /// The number of their own group. A harness is in no other.
    pub gid: u32,
    /// Their home directory.
    pub home: PathBuf,
    /// Their shell.
    pub shell: String,
}

impl Account {
    /// The user of this name, wherever the system knows users from.
    ///
    /// # Errors
    /// There is none, or this process may not run anything as them; says so.
    pub async fn find(name: &str) -> Result<Self, String> {
        let known = !name.is_empty() && !name.starts_with('-');
        let line = if known { Self::line(name).await } else { None };
        let account =
            line.as_deref().and_then(parse).ok_or_else(|| format!("this machine has no user {name:?}"))?;
        if !rustix::process::geteuid().is_root() {
            return Err(format!("only a runner started by root can run a harness as {name}"));
        }
        if account.uid == 0 {
            return Err(format!("{name} is root, which cannot be isolated; choose another user"));
        }
        Ok(account)
    }

    /// The line of a password file about a user.
    async fn line(name: &str) -> Option<String> {
        let mut command = if cfg!(target_os = "macos") {
            let mut command = Command::new("id");
            command.arg("-P");
            command
        } else {
            let mut command = Command::new("getent");
            command.arg("passwd");
            command
        };
        let output = output_of({
            command.arg(name);
            command
        });
        let output = output.await.ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Lets a harness run as this user, with no groups but their own, and [`MOST_PROCESSES`] at most.
    #[expect(unsafe_code, reason = "a limit can be set between fork and exec in no other way")]
    pub(super) fn confine(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
        let most = getrlimit(Resource::Nproc).maximum.map_or(MOST_PROCESSES, |own| own.min(MOST_PROCESSES));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        let set = move || setrlimit(Resource::Nproc, limit).map_err(std::io::Error::from);
        // SAFETY: between fork and exec it makes one system call, and neither allocates nor takes a lock.
        unsafe { command.pre_exec(set) };
    }

    /// Whether the user may write in a directory.
    pub async fn may_write(&self, directory: &Path) -> bool {
        self.does("cd \"$1\" && test -w .", directory).await
    }

    /// Whether the user may enter a directory.
    pub async fn may_enter(&self, directory: &Path) -> bool {
        self.does("cd \"$1\"", directory).await
    }

    async fn does(&self, script: &str, directory: &Path) -> bool {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script, "sh"]).arg(directory).current_dir("/");
        command.uid(self.uid).gid(self.gid);
        output_of(command).await.is_ok_and(|output| output.status.success())
    }
}

/// Reads `name:password:uid:gid:…:home:shell`.
fn parse(line: &str) -> Option<Account> {
    let fields: Vec<&str> = line.lines().next()?.split(':').collect();
    let [name, _, uid, gid, .., home, shell] = fields.as_slice() else { return None };
    Some(Account {
        name: (*name).to_owned(),
        uid: uid.parse().ok()?,
        gid: gid.parse().ok()?,
        home: PathBuf::from(home),
        shell: (*shell).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn users_are_read_as_either_system_writes_them() {
        for line in ["ada:x:1001:1002:Ada:/home/ada:/bin/sh", "ada:*:1001:1002::0:0:Ada:/home/ada:/bin/sh\n"]
        {
            let ada = parse(line).unwrap();
            assert_eq!((ada.uid, ada.gid, ada.shell.as_str()), (1001, 1002, "/bin/sh"));
            assert_eq!(ada.home.to_str(), Some("/home/ada"));
        }
        assert_eq!(parse("nobody"), None);
    }
}
