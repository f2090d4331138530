//! The OpenAPI document: complete, valid in what clients rely on, and the same as the committed one.
//!
//! `make snapshots` rewrites `functions/portal/openapi/v1.json` after a wanted change.

#![expect(clippy::unwrap_used, reason = "a document without the part fails its test")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use svc_contract::inlined;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    aide::generate::on_error(|error| panic!("the document cannot be written: {error}"));
    inlined(serde_json::to_value(svc_local::areas().1).unwrap())
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                found.push((format!("{method} {path}"), operation));
            }
        }
    }
    found
}

#[test]
fn the_document_is_the_committed_one() {
    aide::generate::on_error(|error| panic!("the document cannot be written: {error}"));
    let written = svc_http::doc::written(&svc_local::areas().1);
    let path =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../portal/openapi/v1.json");
    if std::env::var_os("SVC_WRITE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == written,
        "the API changed: run `make snapshots` and read what it changed in v1.json"
    );
}

#[test]
fn every_operation_is_described() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut ids = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, operation) in operations(&document) {
        match operation["operationId"].as_str() {
            Some(id) if ids.insert(id.to_owned()) => {}
            Some(id) => wrong.push(format!("{name}: the id {id} is there twice")),
            None => wrong.push(format!("{name}: no id")),
        }
        for part in ["summary", "description"] {
            if operation[part].as_str().is_none_or(str::is_empty) {
                wrong.push(format!("{name}: no {part}"));
            }
        }
        if operation["tags"].as_array().is_none_or(Vec::is_empty) {
            wrong.push(format!("{name}: no tag"));
        }
        let responses = operation["responses"].as_object().unwrap();
        let succeeds = responses.keys().any(|status| status.starts_with(['2', '3']));
        if !succeeds || !responses.contains_key("default") {
            wrong.push(format!("{name}: no success or no problem among {:?}", responses.keys()));
        }
        for (status, response) in responses {
            if response["description"].as_str().is_none_or(str::is_empty) {
                wrong.push(format!("{name}: {status} has no description"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every reference in a part of the document.
fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| references(entry, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = serde_json::to_value(svc_local::areas().1).unwrap();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.contains("#/components/schemas/Problem"), "{found:?}");
    for reference in found {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference} leads nowhere");
    }
}

/// Whether a schema has an example, or names one that has: a page is shown by an entry.
fn is_shown(document: &Value, schema: &Value) -> bool {
    let mut named = BTreeSet::new();
    references(schema, &mut named);
    let mut named = named.iter().map(|place| document.pointer(place.trim_start_matches('#')).unwrap());
    schema.get("examples").is_some() || named.any(|schema| is_shown(document, schema))
}

#[test]
fn everything_that_is_sent_or_received_has_a_schema_and_an_example() {
    let document = document();
    let mut wrong = Vec::new();
    let shown =
        |content: &Value| content.get("examples").is_some() || is_shown(&document, &content["schema"]);
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let described = parameter["description"].as_str().is_some_and(|text| !text.is_empty());
            let schema = &parameter["schema"];
            let own = schema.get("example").is_some() || schema.get("examples").is_some();
            let shown = parameter.get("example").is_some() || own;
            if !described || !shown {
                wrong.push(format!("{name}: {} wants a description and an example", parameter["name"]));
            }
        }
        let bodies = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let answers = operation["responses"].as_object().unwrap().iter();
        let answers = answers
            .filter(|(status, _)| *status != "default")
            .flat_map(|(_, answer)| answer["content"].as_object().into_iter().flatten());
        for (media_type, content) in bodies.chain(answers).filter(|(kind, _)| kind.ends_with("json")) {
            if content.get("schema").is_none() || !shown(content) {
                wrong.push(format!("{name}: {media_type} wants a schema with an example"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schema that a reference leads to, described there or not, or the schema itself.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = schema["allOf"].get(0).unwrap_or(schema);
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    }
}

/// The schema of what an operation answers when it succeeds.
fn answered<'a>(document: &'a Value, operation: &'a Value) -> Option<&'a Value> {
    let success = ["200", "201"].iter().find_map(|status| operation["responses"].get(*status))?;
    Some(resolved(document, success["content"].get("application/json")?.get("schema")?))
}

/// Whether a schema has a numeric version.
fn is_versioned(schema: &Value) -> bool {
    let version = &schema["properties"]["version"];
    version["type"] == "integer" || version["anyOf"][0]["type"] == "integer"
}

/// What reviewers of the API read: no more lines than they can, no document that readers do not have.
#[test]
fn the_document_can_be_reviewed() {
    let written = svc_http::doc::written(&svc_local::areas().1);
    let lines = written.lines().count();
    assert!(lines < 16_500, "{lines} lines: is something written out that operations could share?");
    let foreign: Vec<&str> =
        written.lines().filter(|line| line.to_lowercase().contains("specification")).collect();
    assert!(foreign.is_empty(), "say it in words that need no other document:\n{}", foreign.join("\n"));
    let tags = document()["tags"].as_array().unwrap().clone();
    for (name, operation) in operations(&document()) {
        let described = tags.iter().any(|tag| tag["name"] == operation["tags"][0]);
        assert!(described, "{name}: describe its tag in shared/http/src/doc/tags.rs");
    }
}

/// Specification section 2.1.
#[test]
fn paged_endpoints_take_a_page_and_answer_a_paged_result() {
    let document = document();
    let mut paged = 0;
    for (name, operation) in operations(&document) {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let takes: Vec<&str> = parameters
            .filter_map(|parameter| parameter["name"].as_str())
            .filter(|name| ["page", "pageSize"].contains(name))
            .collect();
        let properties = answered(&document, operation).and_then(|schema| schema["properties"].as_object());
        let answers_page = properties.is_some_and(|fields| fields.contains_key("totalCount"));
        if takes.is_empty() && !answers_page {
            continue;
        }
        paged += 1;
        assert_eq!(takes, ["page", "pageSize"], "{name}");
        let fields = properties.unwrap_or_else(|| panic!("{name} answers no object"));
        // The list of a project's items has more than its page.
        let missing = ["items", "page", "pageSize", "totalCount"]
            .into_iter()
            .find(|field| !fields.contains_key(*field));
        assert_eq!(missing, None, "{name}");
    }
    assert!(paged > 5, "only {paged} endpoints are paged");
}

/// Specification sections 2.1 and 4.1 rule 7.
#[test]
fn what_is_changed_under_a_version_tells_its_version() {
    let document = document();
    let mut wrong = Vec::new();
    for (name, operation) in operations(&document) {
        let sent = &operation["requestBody"]["content"]["application/json"]["schema"];
        if resolved(&document, sent)["properties"]["version"].is_null() {
            continue;
        }
        // What answers nothing is read again.
        let Some(answered) = answered(&document, operation) else { continue };
        let inner = answered["properties"].as_object().into_iter().flat_map(|fields| fields.values());
        let told = inner.map(|field| resolved(&document, field)).chain([answered]).any(is_versioned);
        if !told {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "no numeric version in what these answer: {wrong:?}");
}

#[test]
fn a_field_of_a_change_that_may_be_null_says_what_null_does() {
    let document = document();
    let mut silent = Vec::new();
    for (name, operation) in operations(&document).into_iter().filter(|(name, _)| name.starts_with("patch")) {
        let body = resolved(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        for (field, schema) in body["properties"].as_object().unwrap() {
            let choices = schema["anyOf"].as_array().into_iter().flatten();
            let nullable = choices.into_iter().any(|choice| choice["type"] == "null");
            let told = schema["description"].as_str().is_some_and(|text| text.contains("`null`"));
            // The password is none of the fields that are changed.
            if nullable && !told && field != "currentPassword" {
                silent.push(format!("{name}: {field}"));
            }
        }
    }
    assert!(silent.is_empty(), "these take null for absent: read them with `patch::given`: {silent:#?}");
}
