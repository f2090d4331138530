//! One call of a tool: its arguments read, its idempotency key honoured, its outcome in words.
//!
//! A key in the arguments works as the header `Idempotency-Key` of the REST API does
//! ([`svc_app::idempotency`]): a call sent again answers what it answered, and happens once. Changes go on when
//! their client leaves.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_app::idempotency::{Known, Remembered, Reservation, look_up, remember};
use svc_app::{What, heavy};
use svc_domain::refusal::Refusal;
use svc_http::problems::{CONFLICT, IN_PROGRESS, KEY_REUSED};
use svc_http::{ApiError, ApiResult};

use crate::catalogue::Tool;
use crate::failure::told;
use crate::guest::Guest;
use crate::reply::{Cursor, MOST, Reply};

/// What a call answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// For the model.
    pub(crate) text: String,
    /// For programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) structured: Option<Value>,
    /// Whether the tool failed.
    #[serde(default)]
    pub(crate) failed: bool,
}

/// Calls a tool.
pub(crate) async fn call(
    guest: Guest,
    account: Option<Arc<str>>,
    tool: &'static Tool,
    arguments: JsonObject,
) -> Outcome {
    let trace = guest.trace.clone();
    trace
        .outlasting(async move {
            match heavy::answering(account.as_ref(), keyed(guest, tool, arguments)).await {
                Ok(outcome) => outcome,
                Err(error) => failed(&error),
            }
        })
        .await
}

fn failed(error: &ApiError) -> Outcome {
    let mut problem = error.problem().clone();
    problem.trace_id = svc_http::current_trace_id();
    Outcome { text: told(&problem), structured: None, failed: true }
}

async fn keyed(guest: Guest, tool: &'static Tool, mut arguments: JsonObject) -> ApiResult<Outcome> {
    let takes_key = tool.schema().get("properties").is_some_and(|known| known.get(KEY).is_some());
    let key = match arguments.get(KEY) {
        Some(Value::String(key)) if takes_key => key.clone(),
        _ => return run(guest, tool, arguments).await,
    };
    if !(1..=200).contains(&key.len()) {
        return Err(Refusal::invalid(KEY, "A key has 1 to 200 characters.").into());
    }
    arguments.remove(KEY);
    let said = Value::Object(arguments.clone()).to_string();
    let request = [b"mcp", tool.name.as_bytes(), said.as_bytes()];
    let known = || look_up(&guest.app, &guest.credential, &key, &request);
    match known().await? {
        Known::Fresh(reservation) => {
            let reservation = Arc::new(reservation);
            let credential = guest.credential.clone().keyed(Arc::clone(&reservation));
            let done = run(Guest { credential, ..guest.clone() }, tool, arguments).await;
            if done.is_err() && reservation.is_open() {
                // Another call with this key may have been faster.
                let known = known().await?;
                if !matches!(known, Known::Fresh(_)) {
                    return again(&guest, known).await;
                }
            }
            if let Ok(outcome) = &done {
                keep(&guest, &reservation, outcome).await;
            }
            done
        }
        known => again(&guest, known).await,
    }
}

/// The argument that carries an idempotency key.
const KEY: &str = "idempotencyKey";

async fn run(guest: Guest, tool: &'static Tool, arguments: JsonObject) -> ApiResult<Outcome> {
    let cursor = arguments.get("cursor").and_then(Value::as_str);
    let cursor = Cursor::of(cursor)?;
    let app = Arc::clone(&guest.app);
    let reply: Reply = (tool.run)(tool, guest, arguments).await?;
    let said = reply.said(&app, cursor, MOST).await?;
    Ok(Outcome { text: said.text, structured: said.structured, failed: false })
}

/// Remembers an outcome. Without it, a repeated call is told what was made.
async fn keep(guest: &Guest, reservation: &Reservation, outcome: &Outcome) {
    let Ok(body) = serde_json::to_string(outcome) else { return };
    let reply = Remembered {
        status: 200,
        media_type: "application/json".into(),
        location: None,
        body,
        read_at: None,
    };
    if let Err(error) = remember(&guest.app, &guest.credential, reservation, &reply).await {
        tracing::debug!(%error, "the answer to an idempotency key was not remembered");
    }
}

/// What a call with a known key is answered.
async fn again(guest: &Guest, known: Known) -> ApiResult<Outcome> {
    let done = match known {
        Known::Done(done) => done,
        Known::Other => return Err(KEY_REUSED.because("Choose a new key for a new call.").into()),
        Known::Fresh(_) => return Err(IN_PROGRESS.because("Call again in a moment.").into()),
    };
    done.admit(&guest.app, &guest.credential, &guest.org, None).await?;
    match (done.reply, done.made) {
        (Some(reply), _) => serde_json::from_str(&reply.body)
            .map_err(|_| KEY_REUSED.because("It was used with the REST API.").into()),
        (None, Some(made)) => Err(CONFLICT
            .because(format!(
                "This call was carried out, and its answer was lost: it made {}.",
                name(&made.what)
            ))
            .into()),
        (None, None) => Err(CONFLICT
            .because("This call was carried out, and its answer was lost. Read what it changed.")
            .into()),
    }
}

fn name(what: &What) -> String {
    match what {
        What::Org(slug) => format!("the organization {slug}"),
        What::Project(key) => format!("the project {key}"),
        What::Item(key) => format!("the item {key}"),
        What::Comment(item, comment) => format!("the comment {comment} on {item}"),
        What::Sprint(id) => format!("the sprint {id}"),
        What::Run(id) => format!("the run {id}"),
    }
}
