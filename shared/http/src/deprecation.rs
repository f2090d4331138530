//! Deprecations (specification section 9.5), declared once, in the documentation of an operation or a field. The
//! contract shows them; and when a client uses a deprecated operation, query parameter or body field, the response
//! headers and the log say so.
//!
//! Mark an operation with [`deprecated`]. Mark a field or a query parameter with `#[schemars(extend("deprecated" =
//! true, "x-sunset" = "2027-05-01", "x-migration" = "/docs#…"))]`.

mod fields;
mod notice;

use std::collections::BTreeMap;
use std::sync::Arc;

use aide::openapi::{
    Header, HeaderStyle, OpenApi, Operation, ParameterSchemaOrContent, PathItem, ReferenceOr, SchemaObject,
};
use aide::transform::TransformOperation;
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{Method, header};
use jiff::civil::Date;
use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use self::fields::Fields;
use self::notice::{Notice, X_MIGRATION, X_SUNSET};
use crate::body::whole;
use crate::error::ApiError;

/// The end of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// The day from which it may be gone, where that is settled.
    pub sunset: Option<Date>,
    /// Where it is told what to use instead: an address, or one relative to the instance's.
    pub migration: Option<&'static str>,
}

/// Documents that an operation will be dropped, which its answers then say too.
pub fn deprecated<'t>(mut op: TransformOperation<'t>, deprecation: Deprecation) -> TransformOperation<'t> {
    let operation = op.inner_mut();
    operation.deprecated = true;
    if let Some(sunset) = deprecation.sunset {
        operation.extensions.insert(X_SUNSET.to_owned(), json!(sunset));
    }
    if let Some(migration) = deprecation.migration {
        operation.extensions.insert(X_MIGRATION.to_owned(), json!(migration));
    }
    op
}

/// Everything in a document that will be dropped and that a request can be seen to use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deprecations(Arc<BTreeMap<(String, String), Used>>);

#[derive(Clone, Debug, Default)]
struct Used {
    operation: Option<Notice>,
    parameters: BTreeMap<String, Notice>,
    fields: Fields,
}

impl Used {
    fn is_nothing(&self) -> bool {
        self.operation.is_none() && self.parameters.is_empty() && self.fields.is_empty()
    }

    /// What of it the head of a request uses.
    fn in_head(&self, request: &Request) -> Vec<Notice> {
        let query = request.uri().query().unwrap_or_default();
        let names: Vec<&str> = query
            .split('&')
            .filter_map(|pair| pair.split('=').next())
            .filter(|name| !name.is_empty())
            .collect();
        let named = self.parameters.iter().filter(|(name, _)| names.contains(&name.as_str()));
        self.operation.iter().chain(named.map(|(_, notice)| notice)).cloned().collect()
    }

    /// Adds what of it the body uses; the request is the same again.
    async fn in_body(&self, request: Request, notices: &mut Vec<Notice>) -> Result<Request, ApiError> {
        if self.fields.is_empty() {
            return Ok(request);
        }
        let (parts, body) = request.into_parts();
        let bytes = whole(Request::from_parts(parts.clone(), body)).await?;
        // Whatever is no JSON is refused by who takes it.
        if let Ok(body) = serde_json::from_slice(&bytes) {
            self.fields.sent(&body, notices);
        }
        Ok(Request::from_parts(parts, Body::from(bytes)))
    }
}

impl Deprecations {
    /// Reads them, and documents the headers and parameters that follow from them.
    pub(crate) fn complete(document: &mut OpenApi) -> Self {
        let mut found = BTreeMap::new();
        let components = document.components.as_ref();
        let paths = document.paths.iter_mut().flat_map(|paths| paths.paths.iter_mut());
        for (path, item) in paths {
            let ReferenceOr::Item(item) = item else { continue };
            for (method, operation) in operations(item) {
                let used = Used {
                    operation: of_operation(operation),
                    parameters: of_parameters(operation),
                    fields: Fields::of(operation, components),
                };
                if !used.is_nothing() {
                    document_headers(operation);
                    found.insert((method.to_string(), unwild(path)), used);
                }
            }
        }
        Self(Arc::new(found))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What of it the operation of a request has.
    fn of(&self, request: &Request) -> Option<&Used> {
        let path = request.extensions().get::<MatchedPath>()?;
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        self.0.get(&(method.to_string(), unwild(path.as_str())))
    }
}

/// Adds the headers of what a request used to its answer.
pub(crate) async fn told(State(all): State<Deprecations>, request: Request, next: Next) -> Response {
    let Some(used) = all.of(&request) else { return next.run(request).await };
    let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let agent = agent.unwrap_or("-").to_owned();
    let mut notices = used.in_head(&request);
    let mut response = match used.in_body(request, &mut notices).await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if !notices.is_empty() {
        tracing::info!(agent, "a caller uses what will be dropped");
    }
    // The earliest end is the one to act on.
    let first = notices.iter().min_by_key(|notice| notice.sunset.unwrap_or(Date::MAX));
    if let Some(notice) = first {
        notice.add_to(response.headers_mut());
    }
    response
}

pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let all = [
        (Method::GET, item.get.as_mut()),
        (Method::PUT, item.put.as_mut()),
        (Method::POST, item.post.as_mut()),
        (Method::PATCH, item.patch.as_mut()),
        (Method::DELETE, item.delete.as_mut()),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation?)))
}

fn of_operation(operation: &Operation) -> Option<Notice> {
    operation.deprecated.then(|| Notice::read(|name| operation.extensions.get(name).cloned()))
}

fn of_parameters(operation: &mut Operation) -> BTreeMap<String, Notice> {
    let mut found = BTreeMap::new();
    for parameter in &mut operation.parameters {
        let ReferenceOr::Item(parameter) = parameter else { continue };
        let data = parameter.parameter_data_mut();
        let ParameterSchemaOrContent::Schema(schema) = &data.format else { continue };
        let schema: &Schema = &schema.json_schema;
        if schema.get("deprecated") == Some(&Value::Bool(true)) {
            data.deprecated = Some(true);
            found.insert(data.name.clone(), Notice::read(|name| schema.get(name).cloned()));
        }
    }
    found
}

fn document_headers(operation: &mut Operation) {
    let Some(responses) = &mut operation.responses else { return };
    for response in responses.responses.values_mut() {
        let ReferenceOr::Item(response) = response else { continue };
        for (name, description, example) in [
            ("Deprecation", "What the request used will be dropped.", "true"),
            ("Sunset", "When it may be gone.", "Sat, 01 May 2027 00:00:00 GMT"),
            ("Link", "What to use instead.", "</docs#instead>; rel=\"deprecation\""),
        ] {
            response.headers.insert(name.to_owned(), ReferenceOr::Item(text_header(description, example)));
        }
    }
}

fn text_header(description: &str, example: &str) -> Header {
    Header {
        description: Some(description.to_owned()),
        style: HeaderStyle::Simple,
        required: false,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(SchemaObject {
            json_schema: json_schema!({ "type": "string" }),
            external_docs: None,
            example: None,
        }),
        example: Some(json!(example)),
        examples: [].into_iter().collect(),
        extensions: [].into_iter().collect(),
    }
}

/// The address as the document names it: a parameter that takes slashes is one like others.
pub(crate) fn unwild(path: &str) -> String {
    path.replace("{*", "{")
}
