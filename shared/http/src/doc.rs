//! How extractors and replies describe themselves in the OpenAPI document, so that documentation cannot
//! drift from code. What follows from an operation's shape, its problems ([`answers`]) and examples
//! ([`examples`]), is added for all of them in one place.

mod answers;
mod examples;
mod unused;

use aide::generate::GenContext;
use aide::openapi::{
    HeaderStyle, License, MediaType, OpenApi, Operation, Parameter, ParameterData, ParameterSchemaOrContent,
    ReferenceOr, Response, SchemaObject, SecurityRequirement, Server, StatusCode,
};
use aide::operation::{OperationInput, OperationOutput};
use aide::transform::{TransformOpenApi, TransformOperation};
use schemars::{JsonSchema, json_schema};
use serde_json::json;
use svc_api::Problem;
use svc_api::problem::MEDIA_TYPE;
use svc_domain::identity::Scope;

use crate::body::Body;
use crate::error::ApiError;
use crate::events::{EventRequest, Events};
use crate::extract::{Caller, Path, Query};
use crate::problems::{PROBLEMS, ProblemKind};
use crate::respond::{Created, CreatedAt, Json, JsonOrNothing, NoContent, Reply, SeeOther};

/// Documents an operation: its id, a title, and the rule of the specification that it implements.
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

/// Documents that the operation answers who presents no credential too.
pub fn optional_credential(mut op: TransformOperation<'_>) -> TransformOperation<'_> {
    op.inner_mut().security.push(SecurityRequirement::default());
    op
}

/// The head of the document: what the API is, how to authenticate, and the list of problems.
pub fn describe(api: TransformOpenApi<'_>) -> TransformOpenApi<'_> {
    let problems: String = PROBLEMS
        .iter()
        .map(|p| format!("| `{}` | {} | {} |\n", p.slug, p.status.as_u16(), p.title))
        .collect();
    api.title("Work-tracking service")
        .version("1.0")
        .description(&format!(
            "Projects, items, wiki and the factory that hands items to coding agents.\n\n\
             Every error is a problem document (RFC 9457, `application/problem+json`). Decide by its `type`.\n\n\
             <details><summary>Every type of problem</summary>\n\n\
             | type | status | title |\n|---|---|---|\n{problems}\n</details>\n\n\
             A change carries the `version` last read; a mismatch is 409 `stale-version`. A POST may carry an \
             `Idempotency-Key`: sent again with the same key and body it answers what it answered the first \
             time. Page sizes are clamped to 100."
        ))
        .license(License { name: "Apache-2.0".into(), identifier: Some("Apache-2.0".into()), ..License::default() })
        .server(Server { url: "/".into(), ..Server::default() })
        .security_scheme(
            "token",
            aide::openapi::SecurityScheme::Http {
                scheme: "bearer".into(),
                bearer_format: None,
                description: Some("Personal access token or a run's agent token, with the scopes named.".into()),
                extensions: indexmap_empty(),
            },
        )
        .security_scheme(
            "runner",
            aide::openapi::SecurityScheme::Http {
                scheme: "bearer".into(),
                bearer_format: None,
                description: Some("Secret of a runner, which begins with `jrn_`.".into()),
                extensions: indexmap_empty(),
            },
        )
        .security_scheme(
            "session",
            aide::openapi::SecurityScheme::ApiKey {
                location: aide::openapi::ApiKeyLocation::Cookie,
                name: crate::extract::SESSION_COOKIE.into(),
                description: Some(
                    "Session of the web app. Changes also need the header `X-Svc-Request: 1`.".into(),
                ),
                extensions: indexmap_empty(),
            },
        )
}

/// Adds what follows from what each operation is: problems, scopes, examples, and the `Idempotency-Key` of a
/// POST with a credential.
pub(crate) fn complete(document: &mut OpenApi) {
    let mut components = document.components.take().unwrap_or_default();
    components.examples.extend(answers::examples());
    let paths = document.paths.iter_mut().flat_map(|paths| paths.paths.iter_mut());
    for (path, item) in paths {
        let ReferenceOr::Item(item) = item else { continue };
        let methods = [
            (&mut item.get, false, false),
            (&mut item.put, true, false),
            (&mut item.post, true, true),
            (&mut item.patch, true, false),
            (&mut item.delete, true, false),
        ];
        for (operation, changes, is_post) in methods {
            let Some(operation) = operation else { continue };
            if is_post && !operation.security.is_empty() {
                operation.parameters.push(ReferenceOr::Item(idempotency_key()));
            }
            answers::complete(answers::Place { path, changes, is_post }, operation, &components);
            examples::of_parameters(path, operation);
        }
    }
    examples::of_schemas(&mut components);
    document.components = Some(components);
    unused::drop(document);
}

fn idempotency_key() -> Parameter {
    Parameter::Header {
        parameter_data: ParameterData {
            name: "Idempotency-Key".into(),
            description: Some("Makes repeating the request harmless: a text of your choice.".into()),
            required: false,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(SchemaObject {
                json_schema: json_schema!({ "type": "string", "minLength": 1, "maxLength": 200 }),
                external_docs: None,
                example: Some(json!("5f0c6c2e-create-item-1")),
            }),
            example: None,
            examples: indexmap_empty(),
            explode: None,
            extensions: indexmap_empty(),
        },
        style: HeaderStyle::Simple,
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

fn problem_response(ctx: &mut GenContext, description: &str) -> Response {
    Response {
        description: description.to_owned(),
        content: [(
            MEDIA_TYPE.to_owned(),
            MediaType {
                schema: Some(SchemaObject {
                    json_schema: ctx.schema.subschema_for::<Problem>(),
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

    fn operation_response(ctx: &mut GenContext, _operation: &mut Operation) -> Option<Response> {
        Some(problem_response(ctx, "Every other outcome is a problem document."))
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

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        axum::Json::<T>::operation_response(ctx, operation).map(described)
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

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        axum::Json::<T>::operation_response(ctx, operation).map(described)
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

impl OperationInput for EventRequest {}

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

/// A response needs a description to be valid; types without a doc comment have none.
fn described(mut response: Response) -> Response {
    if response.description.is_empty() {
        "Done.".clone_into(&mut response.description);
    }
    response
}
