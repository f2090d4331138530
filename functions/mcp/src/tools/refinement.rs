//! `submit_refinement`: the agent of a refine run hands in what it made of a ticket.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_api::factory::{SubmitRefinement, SubmittedProposal};
use svc_api::tracker::Priority;
use svc_app::factory::refinements;
use svc_app::tracker::items;
use svc_domain::ids::ItemKey;
use svc_domain::refusal::Refusal;
use svc_http::ApiResult;
use svc_present::factory::{read, view};

use super::named;
use crate::guest::Guest;
use crate::lines::word;
use crate::reply::Reply;
use crate::unseen::keep;

/// Questions, a proposal, or both.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submit {
    /// Item key
    key: String,
    /// What only a person can decide, at most 10
    #[serde(default)]
    questions: Vec<String>,
    /// Proposed title
    title: Option<String>,
    /// Proposed description, Markdown, whole
    description: Option<String>,
    priority: Option<Priority>,
    labels: Option<BTreeSet<String>>,
}

/// How the refinement stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    key: String,
    status: String,
    questions: usize,
    proposed: bool,
}

pub(crate) async fn submit(guest: Guest, arguments: Submit) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let Submit { questions, title, description, priority, labels, .. } = arguments;
    let proposal = match (title, description) {
        (Some(title), Some(written)) => {
            let item = items::get(&guest.app, guest.caller(), &key).await?;
            let description = keep(written, &item.item.body).text;
            Some(SubmittedProposal { title, description, priority, labels })
        }
        (None, None) => None,
        (None, Some(_)) => return Err(Refusal::invalid("title", "A proposal needs a title.").into()),
        (Some(_), None) => {
            return Err(Refusal::invalid("description", "A proposal needs a description.").into());
        }
    };
    let submission = read::submission(SubmitRefinement { questions, proposal })?;
    let handed_in = refinements::submit(&guest.app, guest.caller(), &key, &submission).await?;
    let shown = view::refinement(handed_in);
    let state = State {
        key: shown.item,
        status: word(&shown.status),
        questions: submission.questions.len(),
        proposed: submission.proposal.is_some(),
    };
    let proposed = if state.proposed { "a proposal" } else { "no proposal" };
    let questions = if state.questions == 1 { "question" } else { "questions" };
    let line = format!(
        "Handed in for {}: {} {questions}, {proposed}. It counts when the run ends.",
        state.key, state.questions
    );
    Ok(Reply::default().line(line).structured(json!(state)))
}
