//! A machine of its own: home, configuration, a bare origin, a clone, and the built programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use svc_api::factory::{DeliveryMode, Harness, RepositorySource, RunKind};
use svc_api::runner::{AssignedAgent, AssignedItem, Assignment, Repository};
use svc_api::tracker::ItemType;

pub(crate) const TOKEN: &str = "jrt_the-runs-own-token-0123456789";

/// Speaks as Claude Code does, and does what the rest of the script says in between.
const AGENT: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo '2.0.0 (Claude Code)'; exit 0; }
say() { printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$1"; }
session=$(printf '%s\n' "$@" | sed -n '/^--session-id$/{n;p;q;}')
cat >/dev/null
printf '{"type":"system","subtype":"init","session_id":"%s","model":"none",' "$session"
printf '"claude_code_version":"2.0.0","mcp_servers":[]}\n'
WORK
printf '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"num_turns":1,'
printf '"result":"Done.","total_cost_usd":0.01,"usage":{"input_tokens":3,"output_tokens":5}}\n'
"#;

pub(crate) struct Machine {
    directory: tempfile::TempDir,
    pub(crate) url: String,
    /// Variables that programs are started with besides.
    pub(crate) environment: Vec<(String, String)>,
}

/// A started runner; killed when dropped.
pub(crate) struct Runner {
    child: std::process::Child,
}

impl Machine {
    pub(crate) fn new(url: &str) -> Self {
        Self::below(&std::env::temp_dir(), url)
    }

    /// One whose files lie below a directory.
    pub(crate) fn below(directory: &Path, url: &str) -> Self {
        let directory = tempfile::tempdir_in(directory).unwrap();
        let machine = Self { directory, url: url.to_owned(), environment: Vec::new() };
        std::fs::create_dir(machine.path("home")).unwrap();
        machine.git(".", &["init", "-q", "--bare", "-b", "main", "origin.git"]);
        machine.git(".", &["clone", "-q", "origin.git", "clone"]);
        std::fs::write(machine.path("clone/README.md"), "# Greeter\n").unwrap();
        machine.git("clone", &["add", "README.md"]);
        machine.git("clone", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Begin"]);
        machine.git("clone", &["push", "-q", "origin", "HEAD:refs/heads/main"]);
        machine
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(relative)
    }

    pub(crate) fn run_directory(&self, run: &str) -> PathBuf {
        self.path("share/svc/runner").join(run)
    }

    /// What the runner wrote down about a run.
    pub(crate) fn record(&self, run: &str, name: &str) -> PathBuf {
        self.path("share/svc/runner/records").join(run).join(name)
    }

    pub(crate) fn git(&self, directory: &str, args: &[&str]) -> String {
        let output = Command::new("git").args(args).current_dir(self.path(directory)).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// The file of a branch of origin.
    pub(crate) fn at_origin(&self, branch: &str, file: &str) -> Option<String> {
        let name = format!("{branch}:{file}");
        let mut git = Command::new("git");
        let output = git.args(["show", &name]).current_dir(self.path("origin.git")).output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    }

    /// Lets origin refuse every push.
    pub(crate) fn refuse_pushes(&self) {
        use std::os::unix::fs::PermissionsExt;
        let hook = self.path("origin.git/hooks/pre-receive");
        std::fs::write(&hook, "#!/bin/sh\nexit 1\n").unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-runner"));
        command
            .args(args)
            .current_dir(self.directory.path())
            .env("HOME", self.path("home"))
            .env("SVC_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("share"))
            .env("SVC_RUNNER_HARNESS_1", env!("CARGO_BIN_EXE_demo-agent"))
            .env("SVC_TOKEN", "the-owners-own-token")
            .env("SVC_RUNNER_SECRET_GRACE", "2")
            // A registry that is away: no test asks the public one.
            .env("npm_config_registry", "http://127.0.0.1:9")
            .env_remove("RUST_LOG")
            .env("PWD", self.directory.path())
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command of the runner to its end.
    pub(crate) fn tell(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    /// Registers with a secret.
    pub(crate) fn register(&self, secret: &str) -> Output {
        self.tell(&["register", "--url", &self.url, "--token", secret, "--name", "box"])
    }

    /// Registers with a secret that no argument shows.
    pub(crate) fn register_on_stdin(&self, secret: &str) -> Output {
        use std::io::Write;
        let mut command = self.command(&["register", "--url", &self.url]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        writeln!(child.stdin.take().unwrap(), "{secret}").unwrap();
        child.wait_with_output().unwrap()
    }

    /// Registers, maps, and starts.
    pub(crate) fn start(&self, args: &[&str]) -> Runner {
        for told in [self.register("jrn_one"), self.tell(&["map", "PRJ", "clone"])] {
            assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        }
        self.go(args)
    }

    /// Starts.
    pub(crate) fn go(&self, args: &[&str]) -> Runner {
        let log = std::fs::File::create(self.path("runner.log")).unwrap();
        let mut command = self.command(&["start"]);
        Runner { child: command.args(args).stdin(Stdio::null()).stderr(log).spawn().unwrap() }
    }

    pub(crate) fn told(&self) -> String {
        std::fs::read_to_string(self.path("runner.log")).unwrap_or_default()
    }

    /// Writes a program.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Has a harness that does this in a shell.
    pub(crate) fn harness(&mut self, work: &str) {
        let path = self.script("agent", &AGENT.replace("WORK", work));
        self.environment.push(("SVC_RUNNER_HARNESS_1".into(), path.display().to_string()));
    }
}

impl Runner {
    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self) {
        self.send("-TERM");
    }

    pub(crate) fn send(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Waits for its end; answers its exit code.
    pub(crate) async fn end(mut self) -> i32 {
        for _ in 0..15_000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the runner does not end");
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn succeeded(output: &Output) -> &Output {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A run on PRJ-7 with these lines of directives.
pub(crate) fn assignment(run: &str, directives: &str) -> Assignment {
    let prompt = format!(
        "# Work on PRJ-7\n\nItem key: PRJ-7\nItem title: Greet in Welsh\n\n\
         ----- BEGIN description x -----\nSay bore da.\n{directives}\n----- END description x -----\n"
    );
    Assignment {
        run_id: run.into(),
        fence: 3,
        organization: "demo".into(),
        project: "PRJ".into(),
        item: AssignedItem { key: "PRJ-7".into(), item_type: ItemType::Task, title: "Greet in Welsh".into() },
        kind: RunKind::Implement,
        harness: Harness::Harness1,
        model: None,
        time_limit_seconds: 60,
        agent: AssignedAgent { id: "a".into(), name: "Ada Agent".into(), email: "ada@agents.example".into() },
        token: TOKEN.into(),
        prompt,
        repository: Repository {
            source: RepositorySource::RunnerLocal,
            path_hint: None,
            default_branch: "main".into(),
            clone_url: None,
            credential: None,
        },
        branch: "prj-7-greet-in-welsh".into(),
        delivery_mode: DeliveryMode::BranchAndPullRequest,
        delivers: Default::default(),
        direct_target: None,
        resume_session: None,
        earlier_run_id: None,
        follow_up: None,
    }
}

/// Whether a process still runs.
pub(crate) fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
