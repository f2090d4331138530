//! Holds a router to its OpenAPI document: an answer whose status, or whose type of problem, the operation does
//! not document, or that lacks a header of which the document says that it is there, is a panic in the test that
//! asked.

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::{HeaderMap, Method, StatusCode};
use serde_json::Value;
use svc_contract::inlined;

/// What each operation of a document may answer.
#[derive(Clone, Debug)]
pub struct Contract(Arc<[Operation]>);

#[derive(Debug)]
struct Operation {
    method: Method,
    /// Segments of the path; those with `{` stand for any.
    path: Vec<String>,
    /// The responses by status.
    responses: Value,
}

impl Contract {
    /// The contract that a document states.
    ///
    /// # Panics
    /// When it is no document.
    pub fn of(document: &OpenApi) -> Self {
        let document = inlined(serde_json::to_value(document).expect("a document is JSON"));
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for method in [Method::GET, Method::PUT, Method::POST, Method::PATCH, Method::DELETE] {
                if let Some(operation) = methods.get(method.as_str().to_lowercase()) {
                    let path = path.split('/').map(str::to_owned).collect();
                    operations.push(Operation { method, path, responses: operation["responses"].clone() });
                }
            }
        }
        Self(operations.into())
    }

    /// The router, held to the contract.
    pub fn hold(self, router: Router) -> Router {
        router.layer(from_fn_with_state(self, held))
    }

    fn operation(&self, method: &Method, path: &str) -> Option<&Operation> {
        let fitting = self.0.iter().filter(|known| known.method == method && known.fits(path));
        // `/runs/export` is nearer to itself than `/runs/{id}` is.
        fitting.min_by_key(|known| known.path.iter().filter(|part| part.starts_with('{')).count())
    }
}

impl Operation {
    fn fits(&self, path: &str) -> bool {
        let mut segments = path.split('/');
        for part in &self.path {
            match segments.next() {
                // The wildcard takes the rest.
                Some(_) if part == "{path}" => return true,
                Some(segment) if part.starts_with('{') || part == segment => {}
                Some(_) | None => return false,
            }
        }
        segments.next().is_none()
    }

    /// What is wrong with an answer.
    fn violation(&self, status: StatusCode, headers: &HeaderMap, problem: Option<&str>) -> Option<String> {
        let Some(documented) = self.responses.get(status.as_str()) else {
            return Some(format!(
                "its document has no answer {status} ({})",
                problem.unwrap_or("no problem")
            ));
        };
        let promised = documented["headers"].as_object().into_iter().flatten();
        // Of the answers of one status, not all are of the kind that has the header.
        let mut missing = promised.filter(|(name, header)| {
            status.is_success() && header["required"] == true && !headers.contains_key(name.as_str())
        });
        if let Some((name, _)) = missing.next() {
            return Some(format!("its document says that {status} has the header {name}"));
        }
        let kinds = &documented["content"]["application/problem+json"]["examples"];
        let problem = problem.filter(|kind| kinds.get(kind).is_none())?;
        Some(format!("its document has no {problem:?} among the problems of {status}"))
    }
}

async fn held(contract: axum::extract::State<Contract>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let Some(operation) = contract.operation(&method, &path) else { return response };
    let (head, body) = response.into_parts();
    if head.status.is_server_error() {
        return Response::from_parts(head, body);
    }
    // Only problems are read: what is sent piece by piece may have no end.
    let (json, body) = if head.status.is_client_error() {
        let bytes = to_bytes(body, usize::MAX).await.expect("the reply's body is at hand");
        let json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        (json, Body::from(bytes))
    } else {
        (Value::Null, body)
    };
    if let Some(violation) = operation.violation(head.status, &head.headers, json["type"].as_str()) {
        panic!(
            "{method} {}: {violation}. Add it in the route's documentation with `svc_http::doc::refuses`, or \
             answer what is documented.",
            operation.path.join("/")
        );
    }
    Response::from_parts(head, body)
}
