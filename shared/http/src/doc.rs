//! How extractors and replies describe themselves in the OpenAPI document, so that documentation cannot
//! drift from code. What follows from an operation's shape, its problems ([`answers`]) and examples
//! ([`examples`]), is added for all of them in one place.

mod answers;
mod examples;
mod head;
mod sent;
mod shared;
mod steady;
mod tags;
mod unused;
mod written;

pub use head::describe;
pub(crate) use shared::share;
pub use written::written;

use aide::generate::GenContext;
use aide::openapi::{
    HeaderStyle, MediaType, OpenApi, Operation, Parameter, ParameterData, ParameterSchemaOrContent,
    ReferenceOr, Response, Responses, SchemaObject, StatusCode,
};
use aide::operation::{OperationInput, OperationOutput};
use aide::transform::TransformOperation;
use http::Method;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::json;
use svc_api::Problem;
use svc_api::problem::MEDIA_TYPE;
use svc_domain::identity::Scope;

use crate::body::Body;
use crate::error::ApiError;
use crate::events::{EventRequest, Events};
use crate::extract::{Caller, Path, Query};
use crate::held::Held;
use crate::problems::ProblemKind;
use crate::respond::{Created, CreatedAt, CreatedOnce, Json, JsonOrNothing, NoContent, Reply, SeeOther};

/// Documents an operation: its id, its tag of [`tags`], a title, and what a caller has to know.
pub fn operation<'t>(
    op: TransformOperation<'t>,
    id: &str,
    tag: &str,
    summary: &str,
    description: &str,
) -> TransformOperation<'t> {
    op.id(id).tag(tag).summary(summary).description(description)
}

/// Where an operation's own problems wait for [`complete`].
const REFUSES: &str = "x-refuses";

/// Where an operation's scope waits for [`complete`].
const SCOPE: &str = "x-scope";

/// Documents problems that do not follow from what the operation takes, such as `item-claimed`.
pub fn refuses<'t>(mut op: TransformOperation<'t>, kinds: &[ProblemKind]) -> TransformOperation<'t> {
    let slugs: Vec<&str> = kinds.iter().map(|kind| kind.slug).collect();
    op.inner_mut().extensions.insert(REFUSES.to_owned(), json!(slugs));
    op
}

/// Documents the scope where it is not `read` for what only reads, and `write` for all else; `None` where
/// none is needed.
pub fn scope<'t>(mut op: TransformOperation<'t>, scope: Option<Scope>) -> TransformOperation<'t> {
    op.inner_mut().extensions.insert(SCOPE.to_owned(), json!(scope.map(Scope::as_str)));
    op
}

/// Adds what follows from what each operation is: problems, scopes, examples, and the `Idempotency-Key` of a
/// POST with a credential.
pub(crate) fn complete(document: &mut OpenApi) {
    let mut components = document.components.take().unwrap_or_default();
    components.examples.extend(answers::examples());
    sent::complete(&mut components);
    for (method, path, operation) in operations(document) {
        let (changes, is_post) = (method != Method::GET, method == Method::POST);
        if is_post && !operation.security.is_empty() {
            operation.parameters.push(ReferenceOr::Item(idempotency_key()));
        }
        if !changes {
            rereadable(operation);
        }
        answers::complete(answers::Place { path, changes, is_post }, operation, &components);
        examples::of_parameters(path, operation);
    }
    examples::of_schemas(&mut components);
    document.components = Some(components);
    unused::drop(document);
}

/// Every operation, with its method and path.
fn operations(document: &mut OpenApi) -> impl Iterator<Item = (Method, &str, &mut Operation)> {
    let paths = document.paths.iter_mut().flat_map(|paths| paths.paths.iter_mut());
    paths.flat_map(|(path, item)| {
        let methods = match item {
            ReferenceOr::Item(item) => vec![
                (Method::GET, &mut item.get),
                (Method::PUT, &mut item.put),
                (Method::POST, &mut item.post),
                (Method::PATCH, &mut item.patch),
                (Method::DELETE, &mut item.delete),
            ],
            ReferenceOr::Reference { .. } => vec![],
        };
        let known = methods.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)));
        known.map(|(method, operation)| (method, path.as_str(), operation)).collect::<Vec<_>>()
    })
}

fn idempotency_key() -> Parameter {
    let description = "A text of your choice, such as a UUID. Requests with one key are carried out once within a day; a repeated one \
         gets the first answer again, or 409 if what it made is gone.";
    let schema = json_schema!({
        "type": "string", "minLength": 1, "maxLength": 200, "examples": ["5f0c6c2e-create-item-1"],
    });
    header_parameter("Idempotency-Key", description, schema)
}

/// A header that a request may have. It has no `example`, which the reference would fill in everywhere.
fn header_parameter(name: &str, description: &str, json_schema: Schema) -> Parameter {
    Parameter::Header {
        parameter_data: ParameterData {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: false,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(SchemaObject {
                json_schema,
                external_docs: None,
                example: None,
            }),
            example: None,
            examples: indexmap_empty(),
            explode: None,
            extensions: indexmap_empty(),
        },
        style: HeaderStyle::Simple,
    }
}

/// Documents that a client which has a copy may ask whether it is still good.
fn rereadable(operation: &mut Operation) {
    let responses = operation.responses.get_or_insert_with(Responses::default);
    let ok = responses.responses.get(&StatusCode::Code(200));
    if matches!(ok, Some(ReferenceOr::Item(ok)) if ok.content.contains_key("application/json")) {
        let description = "The client's copy is still current.".to_owned();
        let response = Response { description, ..Response::default() };
        responses.responses.insert(StatusCode::Code(304), ReferenceOr::Item(response));
        let description = "The `ETag` of your copy. While it is current, the answer is 304.";
        let schema = json_schema!({ "type": "string", "examples": ["W/\"6f1c2b9a0d3e4f58\""] });
        operation.parameters.push(ReferenceOr::Item(header_parameter("If-None-Match", description, schema)));
    }
}

fn indexmap_empty<K, V, M: FromIterator<(K, V)>>() -> M {
    M::from_iter(std::iter::empty())
}

impl OperationInput for Caller {
    fn operation_input(_ctx: &mut GenContext, operation: &mut Operation) {
        for scheme in ["token", "session"] {
            operation.security.push([(scheme.to_owned(), Vec::new())].into_iter().collect());
        }
    }
}

impl<T: JsonSchema> OperationInput for Path<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        axum::extract::Path::<T>::operation_input(ctx, operation);
    }
}

impl<T: JsonSchema> OperationInput for Query<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        axum::extract::Query::<T>::operation_input(ctx, operation);
    }
}

impl<T: JsonSchema> OperationInput for Body<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        axum::Json::<T>::operation_input(ctx, operation);
    }
}

fn problem_response(description: &str) -> Response {
    Response {
        description: description.to_owned(),
        content: [(
            MEDIA_TYPE.to_owned(),
            MediaType {
                schema: Some(SchemaObject {
                    json_schema: sent::schema::<Problem>(),
                    example: None,
                    external_docs: None,
                }),
                ..MediaType::default()
            },
        )]
        .into_iter()
        .collect(),
        ..Response::default()
    }
}

impl OperationOutput for ApiError {
    type Inner = Problem;

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(problem_response("Every other outcome is a problem document."))
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        Self::operation_response(ctx, operation).map(|response| vec![(None, response)]).unwrap_or_default()
    }
}

impl<T: JsonSchema> OperationOutput for Json<T> {
    type Inner = T;

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(json_response::<T>())
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 200)
    }
}

impl<T: JsonSchema> OperationOutput for Created<T> {
    type Inner = T;

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(json_response::<T>())
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 201)
    }
}

impl<T: JsonSchema> OperationOutput for CreatedAt<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        let mut response = Created::<T>::operation_response(ctx, operation)?;
        response.headers.insert("Location".to_owned(), ReferenceOr::Item(answers::location()));
        Some(response)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 201)
    }
}

impl<T: JsonSchema> OperationOutput for CreatedOnce<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        CreatedAt::<T>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        CreatedAt::<T>::inferred_responses(ctx, operation)
    }
}

impl OperationInput for EventRequest {}

impl OperationInput for Held {}

impl OperationOutput for Events {
    type Inner = String;

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        let schema = json_schema!({ "type": "string", "description": "Server-sent events." });
        let media = MediaType {
            schema: Some(SchemaObject { json_schema: schema, example: None, external_docs: None }),
            ..MediaType::default()
        };
        Some(Response {
            description: "Events, for as long as the connection lasts.".to_owned(),
            content: [("text/event-stream".to_owned(), media)].into_iter().collect(),
            ..Response::default()
        })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 200)
    }
}

impl OperationOutput for SeeOther {
    type Inner = ();

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(Response {
            description: "Go on at the address of `Location`.".to_owned(),
            ..Response::default()
        })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 303)
    }
}

impl OperationOutput for NoContent {
    type Inner = ();

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(Response { description: "Done.".to_owned(), ..Response::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        answers::<Self>(ctx, operation, 204)
    }
}

impl<T: JsonSchema> OperationOutput for JsonOrNothing<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        Json::<T>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        let mut responses = Json::<T>::inferred_responses(ctx, operation);
        responses.extend(NoContent::inferred_responses(ctx, operation));
        responses
    }
}

impl<T: OperationOutput> OperationOutput for Reply<T> {
    type Inner = T::Inner;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        T::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        T::inferred_responses(ctx, operation)
    }
}

fn answers<T: OperationOutput>(
    ctx: &mut GenContext,
    operation: &mut Operation,
    status: u16,
) -> Vec<(Option<StatusCode>, Response)> {
    T::operation_response(ctx, operation)
        .map(|response| vec![(Some(StatusCode::Code(status)), response)])
        .unwrap_or_default()
}

fn json_response<T: JsonSchema>() -> Response {
    let json_schema = sent::schema::<T>();
    // A response needs a description to be valid; types without a doc comment have none.
    let description = sent::description(&json_schema).unwrap_or_else(|| "Done.".to_owned());
    let schema = SchemaObject { json_schema, example: None, external_docs: None };
    let media = MediaType { schema: Some(schema), ..MediaType::default() };
    let content = [("application/json".to_owned(), media)].into_iter().collect();
    Response { description, content, ..Response::default() }
}
