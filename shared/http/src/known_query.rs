//! Refuses unknown query parameters and suggests the nearest known one: a typo such as `?filtre=` would otherwise
//! list everything. The known ones come from the API's document.
//!
//! An operation to which other sites send browsers, with their own parameters, opts out with [`any_query`].

use std::collections::BTreeMap;
use std::sync::Arc;

use aide::openapi::{OpenApi, Operation, Parameter, ReferenceOr};
use aide::transform::TransformOperation;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::Method;
use serde_json::Value;
use svc_api::Problem;
use svc_domain::filter::nearest;

use crate::deprecation::{operations, unwild};
use crate::error::ApiError;
use crate::problems::BAD_QUERY;

/// Marks an operation that takes any parameter, until the document is complete.
const ANY: &str = "x-any-query";

/// Documents that an operation takes parameters that it does not know.
pub fn any_query(mut op: TransformOperation<'_>) -> TransformOperation<'_> {
    op.inner_mut().extensions.insert(ANY.to_owned(), Value::Bool(true));
    op
}

/// Whether an operation takes any parameter.
pub(crate) fn takes_any(operation: &Operation) -> bool {
    operation.extensions.contains_key(ANY)
}

/// The query parameters of every operation that knows all of its own, by method and path.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownQueries(Arc<BTreeMap<(String, String), Vec<String>>>);

impl KnownQueries {
    /// Reads them, and takes the marks out of the document.
    pub(crate) fn complete(document: &mut OpenApi) -> Self {
        let mut known = BTreeMap::new();
        let paths = document.paths.iter_mut().flat_map(|paths| paths.paths.iter_mut());
        for (path, item) in paths {
            let ReferenceOr::Item(item) = item else { continue };
            for (method, operation) in operations(item) {
                if operation.extensions.shift_remove(ANY).is_none() {
                    known.insert((method.to_string(), unwild(path)), names(operation));
                }
            }
        }
        Self(Arc::new(known))
    }

    /// The problem of a request that sends what its operation does not have.
    fn refuse(&self, request: &Request) -> Option<Problem> {
        let query = request.uri().query()?;
        let path = request.extensions().get::<MatchedPath>()?;
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        let known = self.0.get(&(method.to_string(), unwild(path.as_str())))?;
        let mut problem = BAD_QUERY.problem();
        for (name, _) in url::form_urlencoded::parse(query.as_bytes()) {
            if !known.iter().any(|known| *known == name) {
                let name: String = name.chars().take(MAX_NAME).collect();
                problem.errors.insert(name.clone(), vec![unknown(&name, known)]);
            }
        }
        (!problem.errors.is_empty()).then_some(problem)
    }
}

/// Most characters of an unknown name that are told back.
const MAX_NAME: usize = 50;

fn unknown(name: &str, known: &[String]) -> String {
    match (nearest(name, known.iter().map(String::as_str)), known) {
        (_, []) => "there is no such parameter; this address takes none".to_owned(),
        (Some(meant), _) => format!("there is no such parameter; did you mean {meant}?"),
        (None, known) => format!("there is no such parameter; there are {}", known.join(", ")),
    }
}

fn names(operation: &Operation) -> Vec<String> {
    let query = |parameter: &ReferenceOr<Parameter>| match parameter {
        ReferenceOr::Item(Parameter::Query { parameter_data, .. }) => Some(parameter_data.name.clone()),
        ReferenceOr::Item(_) | ReferenceOr::Reference { .. } => None,
    };
    operation.parameters.iter().filter_map(query).collect()
}

/// Refuses unknown parameters before the operation is asked.
pub(crate) async fn known_only(State(known): State<KnownQueries>, request: Request, next: Next) -> Response {
    match known.refuse(&request) {
        Some(problem) => ApiError::from(problem).into_response(),
        None => next.run(request).await,
    }
}
