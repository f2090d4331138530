//! The groups that a provider says a person is in, and which of what it says is used.

use serde_json::{Map, Value};

/// Groups that are read at most. A provider that knows more sends a link instead, or says too much to be checked.
const MOST: usize = 1_000;

/// The groups that a claim names: a list of texts, or one text. A person of whom it says nothing is in none. `None` where
/// it is something else, is too large, or was left out because it was: then nothing is known.
pub(super) fn named(claims: &Map<String, Value>, claim: &str) -> Option<Vec<String>> {
    let unusable = |why: &str| {
        tracing::warn!(claim, why, "the groups of a sign-in are not used, and roles stay as they are");
        None
    };
    match claims.get(claim) {
        Some(Value::Array(groups)) if groups.len() > MOST => unusable("the claim names too many groups"),
        Some(Value::Array(groups)) => {
            let texts: Option<Vec<String>> =
                groups.iter().map(|group| group.as_str().map(str::to_owned)).collect();
            texts.or_else(|| unusable("the claim is no list of texts"))
        }
        Some(Value::String(group)) => Some(vec![group.clone()]),
        Some(_) => unusable("the claim is no list of texts"),
        // OpenID Connect Core 1.0, section 5.6.2: the claim is elsewhere.
        None if elsewhere(claims, claim) => unusable("the claim is too large for the token"),
        None => Some(Vec::new()),
    }
}

/// Whether a provider says that a claim has to be asked for elsewhere.
fn elsewhere(claims: &Map<String, Value>, claim: &str) -> bool {
    claims.get("_claim_names").and_then(|names| names.get(claim)).is_some()
        || claims.get("hasgroups").is_some_and(|has| has != &Value::Bool(false))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MOST, named};

    #[test]
    fn lists_of_texts_are_groups_and_nothing_else_is() {
        let of = |claims: Value| named(claims.as_object().unwrap(), "groups");
        let some = |groups: &[&str]| Some(groups.iter().map(|group| (*group).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(json!({"groups": ["a", "b"]})), some(&["a", "b"]));
        assert_eq!(of(json!({"groups": "a"})), some(&["a"]));
        assert_eq!(of(json!({"groups": []})), some(&[]));
        assert_eq!(of(json!({})), some(&[]));
        for unusable in [json!(null), json!(1), json!({"a": 1}), json!(["a", 1]), json!(vec!["a"; MOST + 1])]
        {
            assert_eq!(of(json!({ "groups": unusable })), None);
        }
        assert_eq!(of(json!({"_claim_names": {"groups": "src1"}})), None);
        assert_eq!(of(json!({"hasgroups": true})), None);
    }
}
