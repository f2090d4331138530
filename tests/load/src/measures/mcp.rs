//! MCP: a call of a tool against the same question to the REST API, and what the bridge `svc mcp` adds to it.

use std::process::Stdio;
use std::time::Duration;

use svc_api::identity::{NewToken, Scope};
use svc_end_to_end::{Stage, program};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;
use tokio::time::Instant;

use super::resident_megabytes;
use super::side::{Side, in_turn, ratio};
use crate::driver::{Connection, Target as Server};
use crate::report::{Report, Target, Unit, median};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1500);
/// Calls, one after the other, with and without the bridge.
const CALLS: usize = 400;
/// Calls before those, which find connections open and memory at hand.
const WARM: usize = 50;

pub(crate) async fn mcp(report: &mut Report) {
    let stage = Stage::set(&[]).await;
    let token = NewToken {
        name: "bench".into(),
        scopes: vec![Scope::Read, Scope::Write, Scope::Mcp],
        organization: Some(stage.org().to_owned()),
        expires_at: None,
    };
    let token = stage.client().create_token(&token).await.expect("a token can be made").secret;
    let server = Server { address: stage.server.address(), token };
    let key = format!("{}-1", stage.project());
    let item = server.get(&format!("/api/v1/orgs/{}/items/{key}", stage.org()));
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_item","arguments":{{"key":"{key}"}}}}}}"#
    );
    against_rest(report, &stage, item, server.post("/mcp", &call)).await;
    over_the_bridge(report, &stage, &server, &call).await;
}

async fn against_rest(report: &mut Report, stage: &Stage, item: Vec<u8>, call: Vec<u8>) {
    let pid = stage.server.process().pid();
    let mut rest = Side::new(stage.server.address(), pid, item);
    let mut tool = Side::new(stage.server.address(), pid, call);
    in_turn(&mut [&mut rest, &mut tool], 1, ROUND).await;
    let before = resident_megabytes(pid);
    in_turn(&mut [&mut rest, &mut tool], ROUNDS, ROUND).await;
    let grown = resident_megabytes(pid) - before;
    let times = ratio(&rest.rates, &tool.rates);
    report.budget("tools/call get_item, of GET item's time", Target::AtMost(1.5), times, Unit::Times);
    report.budget("tools/call get_item", Target::AtLeast(1000.0), median(&tool.rates), Unit::PerSecond);
    report.detail("GET item", median(&rest.rates), Unit::PerSecond);
    report.detail("processor time of tools/call", median(&tool.micros), Unit::Micros);
    report.detail("processor time of GET", median(&rest.micros), Unit::Micros);
    report.budget("memory grown over these calls", Target::AtMost(8.0), grown, Unit::Megabytes);
}

async fn over_the_bridge(report: &mut Report, stage: &Stage, server: &Server, call: &str) {
    let request = server.post("/mcp", call);
    let mut connection = Connection::open(server.address).await.expect("a connection can be opened");
    let mut bridge = Command::new(program("svc"))
        .arg("mcp")
        .env("SVC_URL", stage.server.url())
        .env("SVC_TOKEN", &server.token)
        .env("SVC_CONFIG_HOME", stage.directory())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("svc can be started");
    let mut input = bridge.stdin.take().expect("its input");
    let mut lines = BufReader::new(bridge.stdout.take().expect("its output")).lines();
    let (mut straight, mut bridged) = (Vec::new(), Vec::new());
    for number in 0..WARM + CALLS {
        let began = Instant::now();
        let answer = connection.send(&request).await.expect("an answer comes");
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
        let direct = began.elapsed();
        let began = Instant::now();
        input.write_all(format!("{call}\n").as_bytes()).await.expect("the bridge reads");
        let line = lines.next_line().await.expect("the bridge writes").expect("a line");
        assert!(line.contains("\"result\""), "{line}");
        if number >= WARM {
            straight.push(direct.as_secs_f64() * 1e6);
            bridged.push(began.elapsed().as_secs_f64() * 1e6);
        }
    }
    let added = median(&bridged) - median(&straight);
    report.budget("added to a call by svc mcp", Target::AtMost(5000.0), added, Unit::Micros);
    report.detail("a call over HTTP, median", median(&straight), Unit::Micros);
    report.detail("a call over svc mcp, median", median(&bridged), Unit::Micros);
}
