//! The problems that an operation may answer, by status (specification section 7): those that follow from its inputs,
//! and those that its documentation adds with [`super::refuses`]. Each has an example.
//!
//! The tests of every area check each response against this list (`svc-testkit`).

use std::collections::BTreeMap;

use aide::openapi::{
    Components, Example, Header, HeaderStyle, MediaType, Operation, ParameterSchemaOrContent, ReferenceOr,
    Response, Responses, SchemaObject, StatusCode,
};
use schemars::{Schema, json_schema};
use serde_json::{Value, json};
use svc_api::problem::MEDIA_TYPE;

use super::{REFUSES, SCOPE, indexmap_empty};
use crate::known_query::takes_any;
use crate::problems::{
    ARCHIVED, BAD_QUERY, CONFLICT, DELETED, FORBIDDEN, IN_PROGRESS, INTERNAL, ITEM_DELETED, ITEM_TRANSFERRED,
    KEY_REUSED, MALFORMED, MEDIA_TYPE as WRONG_MEDIA_TYPE, METHOD, MISSING_REQUEST_HEADER, MISSING_SCOPE,
    NOT_FOUND, OTHER_ACCOUNT, PROBLEMS, ProblemKind, RATE_LIMITED, READ_ONLY, STALE_VERSION, TOO_LARGE,
    UNAUTHENTICATED, UNAVAILABLE, VALIDATION,
};

/// Where an operation is.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) path: &'a str,
    /// Whether it may change something.
    pub(super) changes: bool,
    pub(super) is_post: bool,
}

impl Place<'_> {
    fn in_org(self) -> bool {
        self.path.starts_with("/api/v1/orgs/{slug}") || self.path.starts_with("/api/v1/runs/")
    }

    fn in_project(self) -> bool {
        const INSIDE: [&str; 5] =
            ["/projects/{key}", "/items/{key}", "/runs/{id}", "/sprints/{id}", "/attachments/{id}"];
        INSIDE.iter().any(|part| self.path.contains(part)) && self.in_org()
    }

    fn of_runners(self) -> bool {
        self.path.starts_with("/api/v1/runner/")
    }
}

/// Writes the problems of an operation into its responses, and its scope into its security.
pub(super) fn complete(place: Place<'_>, operation: &mut Operation, components: &Components) {
    let scope = scope(place, operation);
    let mut kinds = expected(place, operation, scope.is_some(), components);
    kinds.extend(declared(operation));
    secure(place, operation, scope.as_deref());
    let mut by_status: BTreeMap<u16, Vec<ProblemKind>> = BTreeMap::new();
    for kind in kinds {
        let known = by_status.entry(kind.status.as_u16()).or_default();
        if !known.contains(&kind) {
            known.push(kind);
        }
    }
    let responses = operation.responses.get_or_insert_with(Responses::default);
    responses.responses.retain(|status, _| matches!(status, StatusCode::Code(code) if *code < 400));
    for (status, mut kinds) in by_status {
        kinds.sort_by_key(|kind| kind.slug);
        responses.responses.insert(StatusCode::Code(status), ReferenceOr::Item(response(&kinds)));
    }
    let description = "All other outcomes are problem documents too.".to_owned();
    let other = Response { description, ..response(&[METHOD, INTERNAL, UNAVAILABLE]) };
    responses.default = Some(ReferenceOr::Item(other));
}

/// The scope that the credential needs: as documented, else `read` for what only reads and `write` otherwise.
fn scope(place: Place<'_>, operation: &mut Operation) -> Option<String> {
    let declared = operation.extensions.shift_remove(SCOPE);
    if operation.security.is_empty() || place.of_runners() {
        return None;
    }
    match declared {
        Some(Value::String(scope)) => Some(scope),
        Some(_) => None,
        None => Some(if place.changes { "write" } else { "read" }.to_owned()),
    }
}

fn secure(place: Place<'_>, operation: &mut Operation, scope: Option<&str>) {
    if operation.security.is_empty() {
        return;
    }
    let schemes: &[&str] = if place.of_runners() { &["runner"] } else { &["token", "session"] };
    let scopes: Vec<String> = scope.map(str::to_owned).into_iter().collect();
    let optional = operation.security.iter().find(|needed| needed.is_empty()).cloned();
    operation.security = schemes
        .iter()
        .map(|scheme| {
            // A session is the person, and has every scope.
            let needed = if *scheme == "token" { scopes.clone() } else { Vec::new() };
            [((*scheme).to_owned(), needed)].into_iter().collect()
        })
        .chain(optional)
        .collect();
}

fn declared(operation: &mut Operation) -> Vec<ProblemKind> {
    let Some(Value::Array(slugs)) = operation.extensions.shift_remove(REFUSES) else { return Vec::new() };
    let known = |slug: &Value| PROBLEMS.iter().find(|kind| Some(kind.slug) == slug.as_str()).copied();
    slugs.iter().filter_map(known).collect()
}

fn expected(
    place: Place<'_>,
    operation: &Operation,
    scoped: bool,
    components: &Components,
) -> Vec<ProblemKind> {
    let secured = !operation.security.is_empty();
    let has = |location: &str| parameters(operation, location);
    let body = operation.request_body.is_some();
    let people = secured && !place.of_runners();
    let mut kinds = vec![RATE_LIMITED];
    let mut add = |when: bool, more: &[ProblemKind]| {
        if when {
            kinds.extend_from_slice(more);
        }
    };
    add(body, &[MALFORMED, TOO_LARGE, WRONG_MEDIA_TYPE, VALIDATION]);
    add(!takes_any(operation), &[BAD_QUERY]);
    add(has("query"), &[BAD_QUERY, VALIDATION]);
    add(has("path"), &[NOT_FOUND]);
    let of_item =
        ["/items/{key}", "/attachments/{id}", "/runs/{id}"].iter().any(|part| place.path.contains(part));
    add(people && of_item, &[ITEM_DELETED]);
    // Everything in a deleted organization or project is gone with it.
    add(people && place.in_org(), &[DELETED]);
    add(people && place.path.contains("/items/{key}"), &[ITEM_TRANSFERRED]);
    add(secured, &[UNAUTHENTICATED, FORBIDDEN]);
    add(scoped, &[MISSING_SCOPE]);
    add(secured && place.changes, &[MISSING_REQUEST_HEADER, CONFLICT]);
    add(people && place.changes, &[OTHER_ACCOUNT]);
    add(secured && place.is_post, &[MALFORMED, TOO_LARGE, IN_PROGRESS, KEY_REUSED]);
    add(people && place.changes && place.in_org(), &[READ_ONLY]);
    add(people && place.changes && place.in_project(), &[ARCHIVED]);
    add(takes_version(operation, components), &[STALE_VERSION]);
    kinds
}

fn parameters(operation: &Operation, location: &str) -> bool {
    operation.parameters.iter().any(|parameter| {
        let text = serde_json::to_value(parameter).unwrap_or_default();
        text["in"] == location
    })
}

/// Whether the body carries the version last read.
fn takes_version(operation: &Operation, components: &Components) -> bool {
    let Some(ReferenceOr::Item(body)) = &operation.request_body else { return false };
    let schemas = body.content.values().filter_map(|content| content.schema.as_ref());
    schemas
        .map(|schema| resolved(&schema.json_schema, components))
        .any(|schema| schema.get("properties").and_then(|fields| fields.get("version")).is_some())
}

fn resolved<'a>(schema: &'a Schema, components: &'a Components) -> &'a Schema {
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
    named.and_then(|name| components.schemas.get(name)).map_or(schema, |found| &found.json_schema)
}

fn response(kinds: &[ProblemKind]) -> Response {
    let description = match kinds {
        [one] => one.title.to_owned(),
        several => {
            let each: Vec<_> =
                several.iter().map(|kind| format!("`{}`: {}", kind.slug, kind.title)).collect();
            each.join(" ")
        }
    };
    let examples = kinds.iter().map(|kind| {
        let reference = format!("#/components/examples/{}", kind.slug);
        (kind.slug.to_owned(), ReferenceOr::Reference { reference, summary: None, description: None })
    });
    let schema = json_schema!({ "$ref": "#/components/schemas/Problem" });
    let content = MediaType {
        schema: Some(SchemaObject { json_schema: schema, example: None, external_docs: None }),
        examples: examples.collect(),
        ..MediaType::default()
    };
    let headers = if kinds.contains(&RATE_LIMITED) {
        retry_after()
    } else if kinds.contains(&ITEM_TRANSFERRED) {
        new_address()
    } else {
        indexmap_empty()
    };
    Response {
        description,
        headers,
        content: [(MEDIA_TYPE.to_owned(), content)].into_iter().collect(),
        ..Response::default()
    }
}

fn retry_after<M: FromIterator<(String, ReferenceOr<Header>)>>() -> M {
    let seconds = json_schema!({ "type": "integer", "minimum": 1 });
    let header = header("Seconds until the next window of the budget.", seconds, json!(17));
    M::from_iter([("Retry-After".to_owned(), ReferenceOr::Item(header))])
}

fn new_address<M: FromIterator<(String, ReferenceOr<Header>)>>() -> M {
    let address = json_schema!({ "type": "string", "format": "uri-reference" });
    let example = json!("/api/v1/orgs/demo/items/WEB-7");
    let header = header("The same address with the item's new key.", address, example);
    M::from_iter([("Location".to_owned(), ReferenceOr::Item(header))])
}

/// The header with the address of the created resource.
pub(super) fn location() -> Header {
    let address = json_schema!({ "type": "string", "format": "uri-reference" });
    header("Address of the created resource.", address, json!("/api/v1/orgs/demo"))
}

fn header(description: &str, schema: Schema, example: Value) -> Header {
    Header {
        description: Some(description.to_owned()),
        style: HeaderStyle::Simple,
        required: true,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(SchemaObject {
            json_schema: schema,
            external_docs: None,
            example: None,
        }),
        example: Some(example),
        examples: indexmap_empty(),
        extensions: indexmap_empty(),
    }
}

/// One example of each kind of problem, by its slug.
pub(super) fn examples() -> impl Iterator<Item = (String, ReferenceOr<Example>)> {
    PROBLEMS.iter().map(|kind| {
        let mut problem = kind.problem();
        problem.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736".to_owned();
        if *kind == VALIDATION {
            problem.errors.insert("title".to_owned(), vec!["required".to_owned()]);
        }
        if *kind == STALE_VERSION {
            problem.current_version = Some(8);
        }
        let example = Example {
            summary: Some(kind.title.to_owned()),
            value: serde_json::to_value(problem).ok(),
            ..Example::default()
        };
        (kind.slug.to_owned(), ReferenceOr::Item(example))
    })
}
