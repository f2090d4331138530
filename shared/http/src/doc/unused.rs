//! Removes unreferenced components from the OpenAPI document.

use std::collections::{BTreeMap, BTreeSet};

use aide::openapi::OpenApi;
use serde_json::Value;

/// Removes schemas that nothing refers to, such as those of whole queries, whose parameters are named one by
/// one; what only they referred to goes with them.
pub(super) fn drop(document: &mut OpenApi) {
    // Written once: each process that serves, and each test, makes the document.
    let mut written = serde_json::to_value(&*document).unwrap_or_default();
    let mut removable = BTreeMap::new();
    for kind in KINDS {
        let taken = written.pointer_mut(&format!("/components/{kind}")).map(Value::take);
        let Some(Value::Object(components)) = taken else { continue };
        removable.extend(components.into_iter().map(|(name, value)| (address(kind, &name), value)));
    }
    let (mut used, mut waiting) = (BTreeSet::new(), Vec::new());
    references(&written, &mut waiting);
    while let Some(address) = waiting.pop() {
        if let Some(component) = removable.get(&address)
            && used.insert(address)
        {
            references(component, &mut waiting);
        }
    }
    let Some(components) = &mut document.components else { return };
    components.schemas.retain(|name, _| used.contains(&address(SCHEMAS, name)));
    components.examples.retain(|name, _| used.contains(&address(EXAMPLES, name)));
}

const SCHEMAS: &str = "schemas";
const EXAMPLES: &str = "examples";
const KINDS: [&str; 2] = [SCHEMAS, EXAMPLES];

fn address(kind: &str, name: &str) -> String {
    format!("#/components/{kind}/{name}")
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| references(entry, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
