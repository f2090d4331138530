//! Lines of stdin become requests to the instance, their answers lines of stdout (specification section 4.2).
//!
//! 1. Knows no tool and keeps no state but the protocol that the greeting agreed on: what is listed and done, the
//!    instance says. Both generations of the protocol pass.
//! 2. Each request is on its way by itself, so that a slow one holds up no other. `notifications/cancelled` ends
//!    its request here.
//! 3. A request that got no answer of the protocol gets an error with its id, so that no client waits for ever.
//!    A connection that could not be made is tried again for a short while: nothing was sent.
//! 4. At the end of stdin the answers that are still on their way are waited for. Stdout carries messages only. Where the
//!    instance did not take the token, the program fails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use svc_client::{Client, Error, McpAnswer};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, stdin, stdout};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, JoinSet};

use super::message::{Message, failure, negotiated, refusal, unreachable, unreadable};
use crate::failure::Failure;

/// Pauses before a connection is tried again.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(100), Duration::from_millis(300), Duration::from_secs(1), Duration::from_secs(2)];
/// Asks for nothing.
const PING: &str = r#"{"jsonrpc":"2.0","id":"svc","method":"ping"}"#;
/// Bytes of a refusal that are read.
const REFUSAL: usize = 64 * 1024;

#[derive(Clone)]
struct Bridge {
    client: Client,
    out: UnboundedSender<Value>,
    negotiated: Arc<Mutex<Option<String>>>,
    /// What the instance said of a token that it does not take.
    unfit: Arc<Mutex<Option<String>>>,
}

/// Passes messages on until stdin ends.
pub(super) async fn run(client: &Client) -> Result<(), Failure> {
    let (out, lines) = unbounded_channel();
    let writing = tokio::spawn(write(lines));
    let bridge = Bridge { client: client.clone(), out, negotiated: Arc::default(), unfit: Arc::default() };
    let (mut at_work, mut by_id) = (JoinSet::new(), HashMap::<String, AbortHandle>::new());
    let mut input = BufReader::new(stdin()).lines();
    let mut asked = false;
    let read = loop {
        match input.next_line().await {
            Ok(Some(line)) if line.trim().is_empty() => {}
            Ok(Some(line)) => match Message::read(&line) {
                Ok(message) => {
                    asked = true;
                    bridge.take(message, &mut at_work, &mut by_id);
                }
                Err(why) => bridge.say(unreadable(&why)),
            },
            end => break end,
        }
        while at_work.try_join_next().is_some() {}
        by_id.retain(|_, task| !task.is_finished());
    };
    while at_work.join_next().await.is_some() {}
    if !asked {
        bridge.try_token().await;
    }
    let unfit = Arc::clone(&bridge.unfit);
    drop(bridge);
    let written = writing.await.unwrap_or(Ok(()));
    read.map_err(|error| Failure::io("cannot read messages from stdin", &error))?;
    written.map_err(|error| Failure::io("cannot write messages to stdout", &error))?;
    let unfit = unfit.lock().ok().and_then(|mut unfit| unfit.take());
    unfit.map_or(Ok(()), |said| Err(Failure::not_authenticated(said)))
}

/// The body of an answer, and as JSON where it is that. Of anything else no more is read than a refusal has.
async fn read(answer: &mut McpAnswer) -> Result<(Vec<u8>, Option<Value>), Error> {
    let mut body = Vec::new();
    while let Some(piece) = answer.piece().await? {
        body.extend(piece);
        if answer.media_type != "application/json" && body.len() > REFUSAL {
            break;
        }
    }
    let json = serde_json::from_slice(&body).ok();
    Ok((body, json))
}

async fn write(mut lines: UnboundedReceiver<Value>) -> std::io::Result<()> {
    let mut out = stdout();
    while let Some(message) = lines.recv().await {
        out.write_all(format!("{message}\n").as_bytes()).await?;
        out.flush().await?;
    }
    Ok(())
}

impl Bridge {
    fn say(&self, message: Value) {
        // The reader is gone, and stdin ends too.
        let _ = self.out.send(message);
    }

    fn take(&self, message: Message, at_work: &mut JoinSet<()>, by_id: &mut HashMap<String, AbortHandle>) {
        if let Some(id) = message.takes_back() {
            if let Some(task) = by_id.remove(&id.to_string()) {
                task.abort();
            }
            return;
        }
        let id = message.id().map(Value::to_string);
        let bridge = self.clone();
        let task = at_work.spawn(async move { bridge.pass(message).await });
        if let Some(id) = id {
            by_id.insert(id, task);
        }
    }

    /// Passes one message on, and what it is answered back.
    async fn pass(self, message: Message) {
        let (said, data) = match self.send(&message).await {
            Ok(answer) => match self.answered(&message, answer).await {
                Ok(None) => return,
                Ok(Some(refused)) => refused,
                Err(error) => (unreachable(&error), Value::Null),
            },
            Err(error) => (unreachable(&error), Value::Null),
        };
        match message.id() {
            Some(id) => self.say(failure(id, &said, data)),
            None => eprintln!("svc mcp: {said}"),
        }
    }

    /// Tries the token, where nothing was asked with it.
    async fn try_token(&self) {
        let Ok(ping) = Message::read(PING) else { return };
        if let Ok(mut answer) = self.send(&ping).await
            && let Ok((body, _)) = read(&mut answer).await
        {
            self.judge(answer.status, &refusal(answer.status, &answer.media_type, &body).0);
        }
    }

    /// Keeps what the instance said of a token that it does not take.
    fn judge(&self, status: u16, said: &str) {
        if matches!(status, 401 | 403)
            && let Ok(mut unfit) = self.unfit.lock()
        {
            *unfit = Some(said.to_owned());
        }
    }

    async fn send(&self, message: &Message) -> Result<McpAnswer, Error> {
        let version = self.negotiated.lock().map(|version| version.clone()).unwrap_or_default();
        let headers = message.headers(version.as_deref());
        let mut pauses = PAUSES.into_iter();
        loop {
            match self.client.mcp(message.line(), &headers).await {
                Err(Error::Network(error)) if error.never_sent => match pauses.next() {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(Error::Network(error)),
                },
                sent => return sent,
            }
        }
    }

    /// Passes an answer on; what is no message of the protocol is told instead.
    async fn answered(
        &self,
        message: &Message,
        mut answer: McpAnswer,
    ) -> Result<Option<(String, Value)>, Error> {
        if answer.media_type == "text/event-stream" {
            self.stream(answer).await?;
            return Ok(None);
        }
        let (body, json) = read(&mut answer).await?;
        let (status, media_type) = (answer.status, answer.media_type);
        if let Some(json) = json.filter(|json| json.get("jsonrpc").is_some()) {
            self.pass_on(message, json);
            return Ok(None);
        }
        // A notification is taken without a word.
        if (200..300).contains(&status) && message.id().is_none() {
            return Ok(None);
        }
        let refused = refusal(status, &media_type, &body);
        self.judge(status, &refused.0);
        Ok(Some(refused))
    }

    fn pass_on(&self, message: &Message, json: Value) {
        if message.greets()
            && let Some(version) = negotiated(&json)
            && let Ok(mut known) = self.negotiated.lock()
        {
            *known = Some(version);
        }
        self.say(json);
    }

    /// Passes the messages of a stream of events on as they come.
    async fn stream(&self, mut answer: McpAnswer) -> Result<(), Error> {
        let (mut bytes, mut data) = (Vec::new(), String::new());
        while let Some(piece) = answer.piece().await? {
            bytes.extend(piece);
            while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = bytes.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line);
                let line = line.trim_end_matches(['\r', '\n']);
                if let Some(part) = line.strip_prefix("data:") {
                    data.push_str(part.strip_prefix(' ').unwrap_or(part));
                } else if line.is_empty()
                    && !data.is_empty()
                    && let Ok(message) = serde_json::from_str(&std::mem::take(&mut data))
                {
                    self.say(message);
                }
            }
        }
        Ok(())
    }
}
