//! A loopback instance that speaks the runner API, and remembers what it heard.

#![expect(clippy::result_large_err, reason = "an answer is an answer, good or bad")]

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde_json::json;
use svc_api::factory::RunChanges;
use svc_api::runner::{
    AppendLog, AppendLogReply, Assignment, Fenced, Finish, GiveBack, Heartbeat, HeartbeatReply, Hello,
    HelloReply, NewLogEntry, ReportChanges, Started, Take,
};
use tokio::sync::Notify;

/// What was heard of one run.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) started: Option<Started>,
    pub(crate) log: Vec<NewLogEntry>,
    pub(crate) given_back: Option<GiveBack>,
    /// The end of a log that was capped, and the number that it begins with.
    pub(crate) tail: Option<(u64, Vec<NewLogEntry>)>,
    pub(crate) changes: Option<RunChanges>,
    /// Files that its agent left, by name.
    pub(crate) artifacts: HashMap<String, Vec<u8>>,
    pub(crate) finish: Option<Finish>,
}

impl Heard {
    pub(crate) fn text(&self) -> String {
        self.log.iter().map(|entry| format!("{}\n", entry.text)).collect()
    }
}

#[derive(Default)]
pub(crate) struct World {
    /// Organizations by runner secret.
    pub(crate) secrets: HashMap<String, String>,
    pub(crate) hellos: Vec<Hello>,
    queues: HashMap<String, VecDeque<Assignment>>,
    handed_out: HashMap<String, Assignment>,
    pub(crate) runs: HashMap<String, Heard>,
    pub(crate) cancelled: HashSet<String>,
    /// Organizations whose request for a run waits.
    pub(crate) waiting: HashSet<String>,
    /// Whether log, heartbeat and finish calls fail.
    pub(crate) cut: bool,
    /// Whether the next batch is kept but its answer is lost.
    pub(crate) lose_answer: bool,
    pub(crate) truncate: bool,
    /// Attachments of every item: what is said of each, and its bytes.
    pub(crate) attached: Vec<(serde_json::Value, Vec<u8>)>,
    /// Whether the next request for a run gets one and no answer.
    pub(crate) silent_take: bool,
    /// Whether attachments are hidden; and whether they were asked for.
    pub(crate) silent_attachments: bool,
    pub(crate) asked_for_attachments: bool,
    /// Whether runs that are given back are handed out again before that is answered.
    pub(crate) requeues: bool,
    /// Whether the ends of runs are heard and not answered.
    pub(crate) silent_finish: bool,
    /// What the MCP server was shown as a token.
    pub(crate) mcp_bearers: Vec<String>,
}

impl World {
    /// The run that a request gets, and whether its answer is kept back.
    fn hand_out(&mut self, organization: &str, request: &str) -> Option<(Assignment, bool)> {
        self.waiting.insert(organization.to_owned());
        let known = self.handed_out.get(request).cloned();
        let assignment = known.or_else(|| self.queues.get_mut(organization)?.pop_front())?;
        self.handed_out.insert(request.to_owned(), assignment.clone());
        self.runs.entry(assignment.run_id.clone()).or_default().given_back = None;
        Some((assignment, std::mem::take(&mut self.silent_take)))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Stub {
    world: Arc<Mutex<World>>,
    news: Arc<Notify>,
}

type Answer = Result<Response, Response>;

impl Stub {
    /// Serves on a port of its own until the test ends.
    pub(crate) async fn serve() -> (Self, String) {
        let stub = Self::default();
        let routes = Router::new()
            .route("/api/v1/runner/hello", post(hello))
            .route("/api/v1/runner/take", post(take))
            .route("/api/v1/runner/runs/{id}/start", post(start))
            .route("/api/v1/runner/runs/{id}/heartbeat", post(heartbeat))
            .route("/api/v1/runner/runs/{id}/log", post(log))
            .route("/api/v1/runner/runs/{id}/give-back", post(give_back))
            .route("/api/v1/runner/runs/{id}/changes", post(changes))
            .route("/api/v1/runner/runs/{id}/finish", post(finish))
            .route("/api/v1/runner/runs/{id}/artifacts/{name}", put(artifact))
            .route("/api/v1/orgs/{org}/items/{item}/attachments", get(attachments))
            .route("/api/v1/orgs/{org}/attachments/{id}/content", get(attachment))
            .route("/mcp", post(mcp))
            .with_state(stub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        (stub, url)
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    /// Queues a run.
    pub(crate) fn queue(&self, assignment: Assignment) {
        self.queue_all([assignment]);
    }

    /// Queues several runs in the same moment.
    pub(crate) fn queue_all(&self, assignments: impl IntoIterator<Item = Assignment>) {
        let mut world = self.world();
        for assignment in assignments {
            world.queues.entry(assignment.organization.clone()).or_default().push_back(assignment);
        }
        drop(world);
        self.news.notify_waiters();
    }

    /// Waits for something that is true of the world.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut(&World) -> Option<T>) -> T {
        for _ in 0..15_000 {
            if let Some(found) = look(&self.world()) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let logs: Vec<String> = self.world().runs.values().map(Heard::text).collect();
        panic!("waited in vain until {what}; logs: {logs:#?}");
    }

    async fn while_silent(&self, silent: impl Fn(&World) -> bool) {
        while silent(&self.world()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits for the end of a run.
    pub(crate) async fn finish_of(&self, run: &str) -> Finish {
        self.until(&format!("{run} finishes"), |world| world.runs.get(run)?.finish.clone()).await
    }

    fn organization(&self, headers: &HeaderMap) -> Result<String, Response> {
        let bearer = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let secret = bearer.strip_prefix("Bearer ").unwrap_or_default();
        self.world().secrets.get(secret).cloned().ok_or_else(|| problem(401, "unauthenticated"))
    }

    /// The world, for a call about a run that is still this runner's.
    fn fenced(&self, headers: &HeaderMap, run: &str, fence: u64) -> Result<MutexGuard<'_, World>, Response> {
        self.organization(headers)?;
        let world = self.world();
        if world.cut {
            return Err(problem(503, "unavailable"));
        }
        let known = world.handed_out.values().any(|a| a.run_id == run && a.fence == fence);
        let ended =
            world.runs.get(run).is_some_and(|heard| heard.finish.is_some() || heard.given_back.is_some());
        if !known || ended { Err(problem(409, "assignment-ended")) } else { Ok(world) }
    }
}

fn problem(status: u16, kind: &str) -> Response {
    let body = json!({"type": kind, "title": kind, "status": status, "traceId": "t"});
    let headers = [("content-type", "application/problem+json")];
    (StatusCode::from_u16(status).unwrap(), headers, body.to_string()).into_response()
}

async fn hello(State(stub): State<Stub>, headers: HeaderMap, Json(hello): Json<Hello>) -> Answer {
    let organization = stub.organization(&headers)?;
    stub.world().hellos.push(hello);
    Ok(Json(HelloReply {
        runner_id: "r".into(),
        name: "box".into(),
        organization,
        heartbeat_seconds: 1,
        take_wait_seconds: 10,
        take_every_seconds: 1,
    })
    .into_response())
}

async fn take(State(stub): State<Stub>, headers: HeaderMap, Json(take): Json<Take>) -> Answer {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(take.wait_seconds.into());
    loop {
        let organization = stub.organization(&headers)?;
        let news = stub.news.notified();
        let taken = stub.world().hand_out(&organization, &take.request_id);
        if let Some((assignment, silent)) = taken {
            if silent {
                std::future::pending::<()>().await;
            }
            return Ok(Json(assignment).into_response());
        }
        if tokio::time::timeout_at(deadline, news).await.is_err() {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
}

async fn start(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(started): Json<Started>,
) -> Answer {
    let mut world = stub.fenced(&headers, &run, started.fence)?;
    let cancel = world.cancelled.contains(&run);
    world.runs.entry(run).or_default().started = Some(started);
    Ok(Json(HeartbeatReply { cancel }).into_response())
}

async fn heartbeat(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(heartbeat): Json<Heartbeat>,
) -> Answer {
    let hold = Duration::from_secs(heartbeat.wait_seconds.unwrap_or_default().into());
    let deadline = tokio::time::Instant::now() + hold;
    loop {
        let cancel = stub.fenced(&headers, &run, heartbeat.fence)?.cancelled.contains(&run);
        if cancel || tokio::time::Instant::now() >= deadline {
            return Ok(Json(HeartbeatReply { cancel }).into_response());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn log(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(batch): Json<AppendLog>,
) -> Answer {
    let mut world = stub.fenced(&headers, &run, batch.fence)?;
    if batch.tail {
        let heard = world.runs.entry(run).or_default();
        heard.tail.get_or_insert((batch.first_seq, Vec::new())).1.extend(batch.entries);
        return Ok(Json(AppendLogReply { next_seq: 1, truncated: true, cancel: false }).into_response());
    }
    assert!(!batch.entries.is_empty() && batch.entries.len() <= 1_000, "a batch of {}", batch.entries.len());
    let (cancel, truncated) = (world.cancelled.contains(&run), world.truncate);
    let heard = world.runs.entry(run).or_default();
    let next = heard.log.len() as u64 + 1;
    assert!(batch.first_seq <= next, "a gap: {} after {next}", batch.first_seq);
    let known = usize::try_from(next - batch.first_seq).unwrap();
    heard.log.extend(batch.entries.into_iter().skip(known));
    let next_seq = heard.log.len() as u64 + 1;
    if std::mem::take(&mut world.lose_answer) {
        return Err(problem(502, "unavailable"));
    }
    Ok(Json(AppendLogReply { next_seq, truncated, cancel }).into_response())
}

async fn attachments(State(stub): State<Stub>, headers: HeaderMap) -> Answer {
    agent(&headers)?;
    stub.world().asked_for_attachments = true;
    stub.while_silent(|world| world.silent_attachments).await;
    let items: Vec<_> = stub.world().attached.iter().map(|(said, _)| said.clone()).collect();
    let page = json!({"page": 1, "pageSize": 100, "totalCount": items.len(), "items": items});
    Ok(Json(page).into_response())
}

async fn attachment(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path((_, id)): Path<(String, String)>,
) -> Answer {
    agent(&headers)?;
    let world = stub.world();
    let found = world.attached.iter().find(|(said, _)| said["id"] == id.as_str());
    let (_, bytes) = found.filter(|(_, bytes)| !bytes.is_empty()).ok_or_else(|| problem(404, "not-found"))?;
    Ok(bytes.clone().into_response())
}

/// Only the agent of the run sees the item.
fn agent(headers: &HeaderMap) -> Result<(), Response> {
    let bearer = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let own = bearer.strip_prefix("Bearer ") == Some(crate::machine::TOKEN);
    own.then_some(()).ok_or_else(|| problem(401, "unauthenticated"))
}

/// An MCP server without tools. What comes before `initialize` it does not know.
async fn mcp(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Json(request): Json<serde_json::Value>,
) -> Response {
    let bearer = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    stub.world().mcp_bearers.push(bearer.to_owned());
    let id = &request["id"];
    if id.is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let answer = match request["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"jsonrpc": "2.0", "id": id, "result": {
            "protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "svc", "version": "1"}}}),
        "tools/list" => json!({"jsonrpc": "2.0", "id": id, "result": {"tools": []}}),
        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}),
    };
    Json(answer).into_response()
}

async fn give_back(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(given_back): Json<GiveBack>,
) -> Answer {
    let again = {
        let mut world = stub.fenced(&headers, &run, given_back.fence)?;
        let again = world.handed_out.values().find(|known| known.run_id == run).cloned();
        world.runs.entry(run.clone()).or_default().given_back = Some(given_back);
        again.filter(|_| world.requeues)
    };
    if let Some(again) = again {
        let fence = again.fence + 1;
        stub.queue(Assignment { fence, ..again });
        stub.until("the run is taken again", |world| {
            world.handed_out.values().any(|one| one.run_id == run && one.fence == fence).then_some(())
        })
        .await;
        // A caller that does not wait for this answer has begun by then.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn changes(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(report): Json<ReportChanges>,
) -> Answer {
    let mut world = stub.fenced(&headers, &run, report.fence)?;
    world.runs.entry(run).or_default().changes = Some(report.changes);
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn artifact(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path((run, name)): Path<(String, String)>,
    Query(fenced): Query<Fenced>,
    bytes: Bytes,
) -> Answer {
    let mut world = stub.fenced(&headers, &run, fenced.fence)?;
    world.runs.entry(run).or_default().artifacts.insert(name, bytes.to_vec());
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn finish(
    State(stub): State<Stub>,
    headers: HeaderMap,
    Path(run): Path<String>,
    Json(finish): Json<Finish>,
) -> Answer {
    {
        let mut world = stub.fenced(&headers, &run, finish.fence)?;
        world.runs.entry(run).or_default().finish = Some(finish);
    }
    stub.while_silent(|world| world.silent_finish).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
