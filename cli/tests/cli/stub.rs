//! The stub instance, and how a test runs `svc` against it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fmt;
use std::future::IntoFuture as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde_json::Value;
use svc_api::Problem;
use tempfile::TempDir;

type Headers = &'static [(&'static str, &'static str)];
const JSON: Headers = &[("content-type", "application/json")];
const PROBLEM: Headers = &[("content-type", "application/problem+json")];

/// Longer than any step here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A request as the stub saw it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Method, path and query, such as `GET /orgs/demo`.
    pub(crate) call: String,
    pub(crate) token: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    /// The body as it came.
    pub(crate) bytes: Bytes,
}

#[derive(Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

#[derive(Default)]
struct Script {
    answers: HashMap<String, VecDeque<Answer>>,
    /// Calls that get no answer.
    held: HashSet<String>,
    seen: Vec<Seen>,
}

/// An instance that answers what a test told it to.
pub(crate) struct Stub {
    pub(crate) url: String,
    /// Becomes `SVC_CONFIG_HOME`.
    pub(crate) home: TempDir,
    script: Arc<Mutex<Script>>,
    _server: tokio::runtime::Runtime,
}

impl Stub {
    pub(crate) fn new() -> Self {
        let server =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = server.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::<Mutex<Script>>::default();
        let app = Router::new().fallback(answer).with_state(Arc::clone(&script));
        server.spawn(axum::serve(listener, app).into_future());
        Self { url, home: TempDir::new().unwrap(), script, _server: server }
    }

    /// Answers a call (`GET /orgs/demo/items/PRJ-1`, under `/api/v1`, whatever its query is unless an
    /// answer names that too). Of several answers to one call each is given once, and the last for ever.
    pub(crate) fn on(&self, call: &str, body: &impl Serialize) -> &Self {
        self.answer(call, StatusCode::OK, JSON, serde_json::to_string(body).unwrap())
    }

    /// Answers a call with this from now on.
    pub(crate) fn now(&self, call: &str, body: &impl Serialize) -> &Self {
        self.forget(call).on(call, body)
    }

    /// Forgets what a call was answered with.
    pub(crate) fn forget(&self, call: &str) -> &Self {
        self.script.lock().unwrap().answers.remove(call);
        self
    }

    /// Lets a call wait for ever.
    pub(crate) fn hold(&self, call: &str) {
        self.script.lock().unwrap().held.insert(call.to_owned());
    }

    /// Waits until the call was made.
    pub(crate) fn until_called(&self, call: &str) {
        self.until_called_after(0, call);
    }

    /// Waits until the call was made after so many others.
    pub(crate) fn until_called_after(&self, others: usize, call: &str) {
        let started = Instant::now();
        while !self.calls().iter().skip(others).any(|made| made == call) {
            assert!(started.elapsed() < PATIENCE, "no {call}: {:?}", self.calls());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Refuses a call.
    pub(crate) fn refuse(&self, call: &str, problem: &Problem) -> &Self {
        let status = StatusCode::from_u16(problem.status).unwrap();
        self.answer(call, status, PROBLEM, serde_json::to_string(problem).unwrap())
    }

    /// Answers a call with these headers and this body.
    pub(crate) fn answer(&self, call: &str, status: StatusCode, headers: Headers, body: String) -> &Self {
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let answer = Answer { status, headers: headers.iter().map(header).collect(), body };
        self.script.lock().unwrap().answers.entry(call.to_owned()).or_default().push_back(answer);
        self
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.script.lock().unwrap().seen.clone()
    }

    /// The requests so far, by method, path and query.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.call).collect()
    }

    /// What the last request carried that was to change something.
    pub(crate) fn last_body(&self) -> Value {
        self.seen().into_iter().rfind(|seen| !seen.call.starts_with("GET ")).unwrap().body
    }

    /// `svc` signed in to this instance by its environment, working in the organization `demo`.
    pub(crate) fn svc(&self, args: &[&str]) -> Svc<'_> {
        self.bare(args).env("SVC_URL", &self.url).env("SVC_TOKEN", "s3cret").env("SVC_ORG", "demo")
    }

    /// `svc` that knows nothing but its config directory.
    pub(crate) fn bare(&self, args: &[&str]) -> Svc<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command.env_clear().env("SVC_CONFIG_HOME", self.home.path()).env("HOME", self.home.path()).args(args);
        let line = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ");
        Svc { stub: self, command, input: String::new(), line: format!("svc {line}") }
    }

    pub(crate) fn config_path(&self) -> PathBuf {
        self.home.path().join("svc").join("config.json")
    }

    /// What the config file holds.
    pub(crate) fn config(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.config_path()).unwrap()).unwrap()
    }

    pub(crate) fn write_config(&self, config: &Value) {
        std::fs::create_dir_all(self.config_path().parent().unwrap()).unwrap();
        std::fs::write(self.config_path(), config.to_string()).unwrap();
    }

    /// A text without what differs from one test run to the next.
    pub(crate) fn steady(&self, text: &str) -> String {
        text.replace(&self.url, "http://INSTANCE").replace(self.home.path().to_str().unwrap(), "HOME")
    }
}

fn quoted(arg: &str) -> String {
    if arg.is_empty() || arg.contains(' ') { format!("'{arg}'") } else { arg.to_owned() }
}

async fn answer(
    State(script): State<Arc<Mutex<Script>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().strip_prefix("/api/v1").unwrap_or(uri.path());
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let sent = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let token = sent("authorization").and_then(|value| value.strip_prefix("Bearer "));
    // The cookie of a session counts with the header of whoever means it.
    let session = sent("cookie").filter(|_| sent("x-svc-request") == Some("1"));
    let session = session.and_then(|pair| pair.strip_prefix("svc.at="));
    let seen = Seen {
        call: format!("{method} {path}{query}"),
        token: token.or(session).map(str::to_owned),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        bytes: body,
        headers: headers.clone(),
    };
    let call = format!("{method} {path}");
    let held = {
        let mut script = script.lock().unwrap();
        script.seen.push(seen);
        script.held.contains(&call)
    };
    if held {
        return std::future::pending().await;
    }
    let mut script = script.lock().unwrap();
    let exact = format!("{call}{query}");
    let call = if script.answers.contains_key(&exact) { exact } else { call };
    let Some(answers) = script.answers.get_mut(&call) else {
        return (StatusCode::NOT_IMPLEMENTED, format!("the test has no answer to {call}")).into_response();
    };
    let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }.unwrap();
    (answer.status, answer.headers, answer.body).into_response()
}

/// A command about to be run.
pub(crate) struct Svc<'a> {
    stub: &'a Stub,
    command: Command,
    /// What it reads from stdin.
    input: String,
    line: String,
}

/// A command that runs.
pub(crate) struct Running<'a> {
    stub: &'a Stub,
    child: Child,
    line: String,
}

impl Running<'_> {
    /// Presses Ctrl-C, and waits for the end.
    pub(crate) fn interrupt(self) -> Ran {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        Ran::of(&self.line, self.child.wait_with_output().unwrap(), self.stub)
    }
}

impl<'a> Svc<'a> {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    pub(crate) fn run(mut self) -> Ran {
        let piped = self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = std::mem::take(&mut self.input);
        // A command that reads nothing closes the pipe early. One that prints much while it reads needs both ends served.
        let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let _ = writing.join().unwrap();
        Ran::of(&self.line, output, self.stub)
    }

    /// Starts it without waiting for its end.
    pub(crate) fn start(mut self) -> Running<'a> {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running { stub: self.stub, child: self.command.spawn().unwrap(), line: self.line }
    }
}

/// A command that ran, shown as a person would see it.
#[derive(Debug)]
pub(crate) struct Ran {
    line: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn of(line: &str, output: Output, stub: &Stub) -> Self {
        let text = |bytes| stub.steady(&String::from_utf8(bytes).unwrap());
        let code = output.status.code();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Self { line: stub.steady(line), code: code.expect("it ended by itself"), stdout, stderr }
    }

    /// Fails the test unless it ended with this exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// What it printed, as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}", self.line)?;
        writeln!(f, "exit code {}", self.code)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "--- {name}\n{text}")?;
            }
        }
        Ok(())
    }
}
