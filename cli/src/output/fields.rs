//! The fields that a template may name: those of the JSON, and those that it leaves out where they have no value.

use std::collections::BTreeSet;

use schemars::{JsonSchema, schema_for};
use serde_json::Value;
use svc_api::factory::{Agent, Playbook, Run, Runner, Schedule};
use svc_api::identity::{Invitation, Me, Member, Organization, ProjectMember, Token};
use svc_api::tracker::{
    Attachment, Comment, HistoryEntry, Item, Label, Milestone, Project, SavedView, Sprint, Team, Template,
    Workflow,
};
use svc_api::wiki::WikiEntry;

type Names = BTreeSet<String>;

/// Names of the fields that the entries have or may have.
pub(super) fn of(entries: &[Value]) -> Names {
    let own: Names =
        entries.iter().filter_map(Value::as_object).flat_map(|entry| entry.keys().cloned()).collect();
    let kinds = kinds();
    let fitting: Vec<&Names> = kinds.iter().filter(|fields| own.is_subset(fields)).collect();
    // What is like nothing that the API has is not judged closely.
    let may_be = if fitting.is_empty() { kinds.iter().collect() } else { fitting };
    own.iter().chain(may_be.into_iter().flatten()).cloned().collect()
}

/// The fields of each kind of thing.
fn kinds() -> Vec<Names> {
    vec![
        fields::<Item>(),
        fields::<Comment>(),
        fields::<HistoryEntry>(),
        fields::<Attachment>(),
        fields::<Sprint>(),
        fields::<Milestone>(),
        fields::<Label>(),
        fields::<Template>(),
        fields::<SavedView>(),
        fields::<Team>(),
        fields::<Project>(),
        fields::<ProjectMember>(),
        fields::<Workflow>(),
        fields::<WikiEntry>(),
        fields::<Me>(),
        fields::<Member>(),
        fields::<Organization>(),
        fields::<Invitation>(),
        fields::<Token>(),
        fields::<Run>(),
        fields::<Agent>(),
        fields::<Playbook>(),
        fields::<Runner>(),
        fields::<Schedule>(),
    ]
}

fn fields<T: JsonSchema>() -> Names {
    let schema = schema_for!(T);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{kinds, of};

    #[test]
    fn what_is_left_out_of_the_json_is_known() {
        assert!(kinds().iter().all(|fields| !fields.is_empty()), "a kind without fields");
        let item = of(&[json!({ "key": "PRJ-1", "title": "T", "stateGroup": "active", "rank": "0" })]);
        assert!(item.contains("milestone") && !item.contains("nosuch"), "{item:?}");
        assert!(!item.contains("playbook"), "that is a run's: {item:?}");
        assert!(of(&[json!({ "unheard": 1 })]).contains("unheard"));
    }
}
