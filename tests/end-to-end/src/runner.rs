//! The runner as a person starts it: registered, mapped to a clone, and running until it is told to stop.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use crate::home::Home;
use crate::process::Process;
use crate::programs::program;

/// A running `svc runner start`.
pub struct Runner {
    process: Process,
}

impl Runner {
    /// Registers a runner with this secret at this address, maps the project to the clone, and starts it with
    /// this program as its harness.
    pub async fn start(home: &Home, at: (&str, &str), project: (&str, &Path), harness: &Path) -> Self {
        let ((url, secret), (key, clone)) = (at, project);
        let clone = clone.to_str().expect("a temporary path is text");
        home.svc_ok(&["runner", "register", "--url", url, "--token", secret, "--name", "test"]).await;
        home.svc_ok(&["runner", "map", key, clone]).await;
        Self::start_again(home, harness)
    }

    /// Starts a runner that was registered and mapped before.
    pub fn start_again(home: &Home, harness: &Path) -> Self {
        Self::start_again_with(home, harness, &[])
    }

    /// Starts a runner that was registered and mapped before, with these options.
    pub fn start_again_with(home: &Home, harness: &Path, options: &[&str]) -> Self {
        let mut command = home.command(program("svc"));
        command.args(["runner", "start"]).args(options).env("SVC_RUNNER_HARNESS_1", harness);
        Self { process: Process::start("svc runner", &mut command, &home.directory().join("runner.log")) }
    }

    /// Its process.
    pub const fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Stops it by SIGTERM and waits: for runs in flight, too.
    ///
    /// # Panics
    /// When it takes longer than the bound.
    pub async fn stop(mut self, bound: Duration) -> ExitStatus {
        self.process.signal(Signal::TERM);
        self.process.ended(bound).await
    }
}
