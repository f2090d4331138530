//! Removes unreferenced components from the OpenAPI document.

use std::collections::BTreeSet;

use aide::openapi::OpenApi;
use serde_json::Value;

/// Removes schemas that nothing refers to, such as those of whole queries, whose parameters are named one by
/// one; what only they referred to goes with them.
pub(super) fn drop(document: &mut OpenApi) {
    loop {
        let mut used = BTreeSet::new();
        references(&serde_json::to_value(&*document).unwrap_or_default(), &mut used);
        let Some(components) = &mut document.components else { return };
        let before = components.schemas.len() + components.examples.len();
        components.schemas.retain(|name, _| used.contains(&format!("#/components/schemas/{name}")));
        components.examples.retain(|name, _| used.contains(&format!("#/components/examples/{name}")));
        if components.schemas.len() + components.examples.len() == before {
            return;
        }
    }
}

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| references(entry, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
