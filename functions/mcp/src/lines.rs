//! Records in few words: one line an entry, words as the API has them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_api::factory::Run;
use svc_api::tracker::Item;
use svc_domain::untrusted::quoted;

use crate::reply::clean;

/// A word of a closed set, as the API writes it.
pub(crate) fn word(word: &impl Serialize) -> String {
    match serde_json::to_value(word) {
        Ok(Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// What a line of a list can say beside key, type, state, priority, assignee and title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Field {
    Version,
    Labels,
    Estimate,
    Parent,
    Sprint,
    Claim,
    Updated,
}

/// An item in a list.
pub(crate) fn item(item: &Item, fields: &[Field]) -> String {
    let mut line =
        format!("{} {} {} {}", item.key, word(&item.item_type), clean(&item.state), word(&item.priority));
    if item.blocked {
        line.push_str(" blocked");
    }
    if let Some(assignee) = &item.assignee {
        line.extend([" @", &quoted(&assignee.name)]);
    }
    for field in fields {
        if let Some(said) = said(item, *field) {
            line.extend([" ", &said]);
        }
    }
    line.extend([": ", &clean(&item.title)]);
    line
}

fn said(item: &Item, field: Field) -> Option<String> {
    match field {
        Field::Version => Some(format!("v{}", item.version)),
        Field::Labels => (!item.labels.is_empty()).then(|| format!("[{}]", clean(&item.labels.join(",")))),
        Field::Estimate => item.estimate.map(|estimate| format!("est {estimate}")),
        Field::Parent => item.parent.as_ref().map(|parent| format!("of {parent}")),
        Field::Sprint => item.sprint.as_ref().map(|sprint| format!("sprint {sprint}")),
        Field::Claim => item.claim.as_ref().map(|claim| format!("claimed by {}", quoted(&claim.holder_name))),
        Field::Updated => Some(item.updated_at.strftime("%Y-%m-%dT%H:%MZ").to_string()),
    }
}

/// A run in a list.
pub(crate) fn run(run: &Run) -> String {
    let mut line = format!(
        "{} {} {} {} by {}, queued {}",
        run.id,
        run.item,
        word(&run.kind),
        word(&run.status),
        clean(&run.agent.name),
        run.queued_at.strftime("%Y-%m-%dT%H:%MZ"),
    );
    if let Some(url) = &run.pull_request {
        line.extend([" ", &clean(url)]);
    }
    line
}
