//! The built runner with the real harness programs, against a loopback instance and a loopback model API. Not part
//! of `make test`: `make test-harnesses` installs the programs and runs this.
//!
//! Each harness does a piece of work through its own shell tool, is resumed, and is refused by its model. One that
//! is not installed is skipped, with a message.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]
#![expect(dead_code, reason = "the helpers are those of the end-to-end tests, which need more of them")]

#[path = "../end_to_end/machine.rs"]
mod machine;
mod model;
#[path = "../end_to_end/stub.rs"]
mod stub;

use std::path::{Path, PathBuf};

use svc_api::factory::{Harness, RunKind};
use svc_api::runner::{Assignment, Finish, FinishResult};

use machine::{Machine, Runner, TOKEN, assignment};
use model::{Model, WORDS};
use stub::Stub;

const COMMAND: &str = "mkdir -p docs && echo done > docs/done.txt && git add docs && git commit -qm 'PRJ-7 done' \
                       && git push -q origin HEAD:prj-7-greet-in-welsh";

/// One harness on this machine.
struct Real {
    harness: Harness,
    name: &'static str,
    model: &'static str,
    program: PathBuf,
}

struct World {
    stub: Stub,
    machine: Machine,
    model: Model,
    _runner: Runner,
}

/// The program in the folder that `SVC_HARNESSES` names, or a message.
fn installed(harness: Harness, name: &'static str, model: &'static str) -> Option<Real> {
    let folder = std::env::var_os("SVC_HARNESSES").map(PathBuf::from);
    let program = folder.map(|folder| folder.join(name)).filter(|program| program.exists());
    let Some(program) = program else {
        println!("skipped: {name} is not installed; run `make test-harnesses`");
        return None;
    };
    let version = std::process::Command::new(&program).arg("--version").output().unwrap();
    println!("{name}: {}", String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default());
    Some(Real { harness, name, model, program })
}

impl Real {
    async fn world(&self) -> World {
        let (stub, url) = Stub::serve().await;
        stub.world().secrets.insert("jrn_one".into(), "demo".into());
        let mut machine = Machine::new(&url);
        let (model, api) = Model::serve(COMMAND).await;
        self.configure(&mut machine, &api);
        let runner = machine.start(&[]);
        World { stub, machine, model, _runner: runner }
    }

    /// Points the harness at the loopback model, as its user would.
    fn configure(&self, machine: &mut Machine, api: &str) {
        let home = machine.path("home");
        let number = match self.harness {
            Harness::Harness1 => "1",
            Harness::Harness2 => "2",
            Harness::Harness3 => "3",
            _ => "5",
        };
        let mut set = |name: &str, value: &str| machine.environment.push((name.to_owned(), value.to_owned()));
        if number != "1" {
            set("SVC_RUNNER_HARNESS_1", "/nowhere");
        }
        set(&format!("SVC_RUNNER_HARNESS_{number}"), self.program.to_str().unwrap());
        set("ANTHROPIC_BASE_URL", api);
        set("ANTHROPIC_API_KEY", "sk-ant-loopback-0123456789");
        set("CLAUDE_CODE_MAX_RETRIES", "1");
        set("FAKE_API_KEY", "loopback-0123456789");
        set("COPILOT_PROVIDER_BASE_URL", &format!("{api}/v1"));
        set("COPILOT_PROVIDER_API_KEY", "loopback-0123456789");
        set("COPILOT_MODEL", self.model);
        set("COPILOT_OFFLINE", "true");
        let write = |path: &Path, text: String| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            &home.join(".codex/config.toml"),
            format!(
                "model_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\nbase_url = \"{api}/v1\"\n\
                 env_key = \"FAKE_API_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 1\n\
                 stream_max_retries = 1\n"
            ),
        );
        let provider = serde_json::json!({"provider": {"fake": {
            "npm": "@ai-sdk/openai-compatible", "name": "fake",
            "options": {"baseURL": format!("{api}/v1"), "apiKey": "loopback-0123456789"},
            "models": {"m1": {"name": "m1"}},
        }}});
        write(&home.join(".config/opencode/opencode.json"), provider.to_string());
    }

    fn assignment(&self, run: &str) -> Assignment {
        let model = Some(self.model.to_owned());
        Assignment { harness: self.harness, model, time_limit_seconds: 240, ..assignment(run, "") }
    }

    /// Works, is resumed, and is refused.
    async fn proves_itself(&self) {
        let world = self.world().await;
        let first = world.run(self.assignment("run-1")).await;
        assert_eq!(first.result, FinishResult::Succeeded, "{first:?}\n{}", world.log("run-1"));
        assert_eq!(first.pushed_branch.as_deref(), Some("prj-7-greet-in-welsh"), "{}", world.log("run-1"));
        assert_eq!(first.remote_head, first.local_head);
        assert!(first.outcome.as_deref().is_some_and(|said| said.contains(WORDS)), "{first:?}");
        assert!(first.harness_session.is_some());
        let tokens = first.tokens.unwrap();
        assert!(tokens.input > 0 && tokens.output > 0, "{tokens:?}");
        let bearer = format!("Bearer {TOKEN}");
        let shown = world.stub.world().mcp_bearers.clone();
        assert!(shown.contains(&bearer), "{shown:?}");
        let author = world.machine.git("origin.git", &["log", "-1", "--format=%an", "prj-7-greet-in-welsh"]);
        assert_eq!(author, "Ada Agent");
        assert!(!world.log("run-1").contains(TOKEN));

        let mut again = self.assignment("run-2");
        again.kind = RunKind::Continue;
        again.resume_session.clone_from(&first.harness_session);
        again.earlier_run_id = Some("run-1".into());
        let second = world.run(again).await;
        assert_eq!(second.result, FinishResult::Succeeded, "{second:?}\n{}", world.log("run-2"));
        assert_eq!(second.harness_session, first.harness_session);
        if let Some(used) = second.tokens {
            assert!(used.input <= tokens.input, "what the first call used is not counted again: {used:?}");
        }

        let mut gone = self.assignment("run-3");
        gone.kind = RunKind::Continue;
        gone.resume_session = Some(self.missing_session().to_owned());
        gone.earlier_run_id = Some("run-2".into());
        let third = world.run(gone).await;
        assert_eq!(third.failure_reason.as_deref(), Some("session-unavailable"), "{}", world.log("run-3"));

        world.model.refuse(401);
        let fourth = world.run(self.assignment("run-4")).await;
        let reason = fourth.failure_reason.as_deref();
        assert_eq!(reason, Some("harness-not-authenticated"), "{fourth:?}\n{}", world.log("run-4"));
        println!("{}: worked, was resumed, missed a session, was refused", self.name);
    }

    /// A session that there never was.
    fn missing_session(&self) -> &'static str {
        match self.harness {
            Harness::Harness3 => "ses_00000000000000000000000000",
            _ => "01a1fd64-0000-7000-8000-00000000dead",
        }
    }
}

impl World {
    async fn run(&self, assignment: Assignment) -> Finish {
        let id = assignment.run_id.clone();
        self.stub.queue(assignment);
        for _ in 0..12_000 {
            let finish = self.stub.world().runs.get(&id).and_then(|heard| heard.finish.clone());
            if let Some(finish) = finish {
                return finish;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{id} does not end: {}\n{}", self.log(&id), self.machine.told());
    }

    fn log(&self, run: &str) -> String {
        self.stub.world().runs.get(run).map_or_else(String::new, stub::Heard::text)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code() {
    if let Some(real) = installed(Harness::Harness1, "claude", "claude-sonnet-4-5") {
        real.proves_itself().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn codex() {
    if let Some(real) = installed(Harness::Harness2, "codex", "gpt-5.4") {
        real.proves_itself().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode() {
    if let Some(real) = installed(Harness::Harness3, "opencode", "fake/m1") {
        real.proves_itself().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn copilot() {
    if let Some(real) = installed(Harness::Harness5, "copilot", "gpt-5.4") {
        real.proves_itself().await;
    }
}

#[test]
fn cursor() {
    println!(
        "skipped: cursor-agent is on no registry; its adapter is tested on what its documentation shows"
    );
}
