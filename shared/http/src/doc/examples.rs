//! Examples for the document: one for each parameter and object, derived from schemas and field names. A type's own
//! example wins.

use aide::openapi::{Components, Operation, Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr};
use schemars::Schema;
use serde_json::{Map, Value, json};

const UUID: &str = "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d";

/// Characters of an example at most. What is longer holds things with examples of their own, as a page of items does:
/// a reader would see the same item a hundred times.
const LONGEST: usize = 900;

/// How deep an example goes into objects inside of objects.
const DEPTH: u8 = 4;

/// Gives each parameter of an operation an example.
pub(super) fn of_parameters(path: &str, operation: &mut Operation) {
    for parameter in &mut operation.parameters {
        let ReferenceOr::Item(parameter) = parameter else { continue };
        // The reference fills in what has an example: a key of every request must not be the same.
        if matches!(parameter, Parameter::Header { .. }) {
            continue;
        }
        let data: &mut ParameterData = parameter.parameter_data_mut();
        let ParameterSchemaOrContent::Schema(schema) = &data.format else { continue };
        let own = data.example.is_some() || schema.example.is_some();
        if !own && let Some(example) = parameter_example(path, &data.name, &schema.json_schema) {
            data.example = Some(example);
        }
    }
}

fn parameter_example(path: &str, name: &str, schema: &Schema) -> Option<Value> {
    if let Some(own) = schema.get("examples").and_then(|examples| examples.get(0)) {
        return Some(own.clone());
    }
    let parent = path.split('/').zip(path.split('/').skip(1)).find(|(_, own)| *own == format!("{{{name}}}"));
    let text = match (parent.map(|(parent, _)| parent), name) {
        (Some("projects"), "key") => "PRJ",
        (Some("items"), "key") => "PRJ-12",
        (_, "slug") => "demo",
        (Some("labels"), "name") => "accessibility",
        (Some(_), "path") => "Guides/Setup",
        (Some(_), _) if kind(schema.as_value()) == "integer" => return Some(json!(1)),
        (Some(_), _) => UUID,
        (None, "filter") => "state:active priority:>=high",
        (None, "q") => "greeting",
        (None, "sort") => "-priority",
        (None, "project") => "PRJ",
        (None, "item") => "PRJ-12",
        (None, "status") => "running",
        (None, "agent") => UUID,
        (None, "page") => return Some(json!(1)),
        (None, "pageSize") => return Some(json!(50)),
        (None, _) => return scalar(name, schema.as_value()),
    };
    Some(json!(text))
}

/// Gives each object among the components an example. What it shows of its fields is not repeated at them.
pub(super) fn of_schemas(components: &mut Components) {
    let names: Vec<String> = components.schemas.keys().cloned().collect();
    for name in &names {
        let Some(schema) = components.schemas.get(name).map(|found| &found.json_schema) else { continue };
        let is_object = schema.get("properties").is_some();
        if !is_object || schema.get("examples").is_some() {
            continue;
        }
        let example = compose(name, "", schema.as_value(), components, DEPTH)
            .filter(|example| example.to_string().len() <= LONGEST);
        if let (Some(example), Some(found)) = (example, components.schemas.get_mut(name)) {
            found.json_schema.insert("examples".to_owned(), json!([example]));
        }
    }
    for schema in components.schemas.values_mut() {
        let Some(shown) = schema.json_schema.get("examples").and_then(|own| own.get(0)).cloned() else {
            continue;
        };
        let fields = schema.json_schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, field) in fields.into_iter().flatten() {
            if let Some(field) = field.as_object_mut().filter(|_| shown.get(name).is_some()) {
                field.remove("examples");
            }
        }
    }
}

fn compose(parent: &str, field: &str, schema: &Value, components: &Components, depth: u8) -> Option<Value> {
    if let Some(own) = schema.get("examples").and_then(|own| own.get(0)).or_else(|| schema.get("const")) {
        return Some(own.clone());
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let found = components.schemas.get(name)?.json_schema.as_value();
        return compose(name, field, found, components, depth);
    }
    let choices = ["oneOf", "anyOf", "allOf"].iter().find_map(|kind| schema.get(*kind)?.as_array());
    if let Some(choices) = choices {
        let choice = choices.iter().find(|choice| choice["type"] != "null")?;
        return compose(parent, field, choice, components, depth);
    }
    if let Some(first) = schema["enum"].get(0) {
        return Some(first.clone());
    }
    match kind(schema) {
        "object" => object(parent, schema, components, depth),
        "array" if depth == 0 => Some(json!([])),
        "array" => {
            let one = compose(parent, field, &schema["items"], components, depth - 1);
            Some(Value::Array(one.into_iter().collect()))
        }
        _ => scalar_in(parent, field, schema),
    }
}

/// What is received shows what is required; what is sent shows everything.
fn object(parent: &str, schema: &Value, components: &Components, depth: u8) -> Option<Value> {
    let received = schema["additionalProperties"] == false;
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut example = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let needed = required.contains(&name.as_str());
        if needed || (!received && depth > 0) {
            let value = compose(parent, name, property, components, depth.saturating_sub(1));
            example.insert(name.clone(), value?);
        }
    }
    Some(Value::Object(example))
}

fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    }
    .unwrap_or_default()
}

/// Fields that mean something else in one type than in others.
fn scalar_in(parent: &str, field: &str, schema: &Value) -> Option<Value> {
    let text = match (parent, field) {
        ("Project" | "NewProject" | "UpdateProject", "key") => "PRJ",
        (_, "name") => return Some(json!(name_of(parent))),
        _ => return scalar(field, schema),
    };
    Some(json!(text))
}

/// A name as things of this type have it.
fn name_of(parent: &str) -> &'static str {
    let noun = ["New", "Update"].iter().find_map(|verb| parent.strip_prefix(verb)).unwrap_or(parent);
    match noun {
        "Actor" => "Ada",
        "Agent" | "AssignedAgent" => "Builder",
        "Attachment" => "screenshot.png",
        "Label" => "accessibility",
        "Organization" => "Demo Ltd",
        "Playbook" => "Implement",
        "Rule" => "Ready bugs to Builder",
        "Runner" => "build-box",
        "Sprint" => "Sprint 4",
        "Team" | "TeamRef" => "Web",
        "Template" => "Bug report",
        "Token" => "laptop",
        "UploadHeader" => "content-type",
        "View" | "SavedView" => "Open bugs",
        "WorkflowState" => "In progress",
        _ => "Greeter",
    }
}

fn scalar(field: &str, schema: &Value) -> Option<Value> {
    Some(match kind(schema) {
        "boolean" => json!(false),
        "integer" => json!(schema["minimum"].as_u64().unwrap_or(1).max(1)),
        "number" => json!(2.5),
        "string" => json!(text(field, schema["format"].as_str())),
        "object" => json!({}),
        _ => return None,
    })
}

fn text(field: &str, format: Option<&str>) -> &'static str {
    match (field, format) {
        (_, Some("date-time")) => "2026-01-05T09:00:00Z",
        (_, Some("date")) => "2026-01-05",
        ("email", _) => "ada@example.com",
        ("password" | "newPassword" | "currentPassword", _) => "correct horse battery",
        ("displayName" | "holderName", _) => "Ada",
        ("slug" | "organization", _) => "demo",
        ("project", _) => "PRJ",
        ("key" | "item" | "parent", _) => "PRJ-12",
        ("title", _) => "Greet people by name",
        ("name", _) => "Greeter",
        ("body" | "description" | "text", _) => "As a visitor I want to be greeted by my name.",
        ("state" | "to" | "successState", _) => "In progress",
        ("from" | "failureState", _) => "Backlog",
        ("url" | "pullRequest", _) => "https://example.com/pull/7",
        ("path" | "pagePath", _) => "Guides/Setup",
        ("branch" | "pushedBranch", _) => "prj-12-greet-people-by-name",
        ("defaultBranch" | "directTarget", _) => "main",
        ("assignee", _) => "@me",
        ("secret" | "token", _) => "(shown once)",
        ("traceId", _) => "4bf92f3577b34da6a3ce929d0e0e4736",
        ("emoji", _) => "👍",
        ("labels" | "addLabels" | "removeLabels" | "label", _) => "greeting",
        ("scopes", _) => "read",
        ("clientVersion", _) => "0.1.0",
        ("platform", _) => "linux-x86_64",
        (name, _) if name == "id" || name.ends_with("Id") || name.ends_with("Run") => UUID,
        _ => "text",
    }
}
