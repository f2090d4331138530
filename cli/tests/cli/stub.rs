//! The stub instance, and how a test runs `svc` against it.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsStr;
use std::fmt;
use std::future::IntoFuture as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use assert_cmd::Command;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use svc_api::Problem;
use tempfile::TempDir;

type Headers = &'static [(&'static str, &'static str)];
const JSON: Headers = &[("content-type", "application/json")];
const PROBLEM: Headers = &[("content-type", "application/problem+json")];

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

    /// Answers a call (`GET /orgs/demo/items/PRJ-1`, under `/api/v1`, the query left out). Of several answers
    /// to one call each is given once, and the last for ever.
    pub(crate) fn on(&self, call: &str, body: &impl Serialize) -> &Self {
        self.answer(call, StatusCode::OK, JSON, serde_json::to_string(body).unwrap())
    }

    /// Answers a call with this from now on.
    pub(crate) fn now(&self, call: &str, body: &impl Serialize) -> &Self {
        self.script.lock().unwrap().answers.remove(call);
        self.on(call, body)
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

    /// What the last request carried.
    pub(crate) fn last_body(&self) -> Value {
        self.seen().pop().unwrap().body
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
        Svc { stub: self, command, line: format!("svc {line}") }
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
    let token = headers.get("authorization").and_then(|value| value.to_str().ok());
    let seen = Seen {
        call: format!("{method} {path}{query}"),
        token: token.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        bytes: body,
        headers: headers.clone(),
    };
    let mut script = script.lock().unwrap();
    script.seen.push(seen);
    let Some(answers) = script.answers.get_mut(&format!("{method} {path}")) else {
        return (StatusCode::NOT_IMPLEMENTED, format!("the test has no answer to {method} {path}"))
            .into_response();
    };
    let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }.unwrap();
    (answer.status, answer.headers, answer.body).into_response()
}

/// A command about to be run.
pub(crate) struct Svc<'a> {
    stub: &'a Stub,
    command: Command,
    line: String,
}

impl Svc<'_> {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.command.write_stdin(text);
        self
    }

    pub(crate) fn run(mut self) -> Ran {
        let output = self.command.output().unwrap();
        let text = |bytes| self.stub.steady(&String::from_utf8(bytes).unwrap());
        Ran {
            line: self.stub.steady(&self.line),
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
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
