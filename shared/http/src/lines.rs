//! Records that are sent as they are made: one JSON object a line, as a file to save.

use aide::generate::GenContext;
use aide::openapi::{MediaType, Operation, Response as Documented, SchemaObject, StatusCode as Code};
use aide::operation::OperationOutput;
use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures::stream::BoxStream;
use http::header;
use schemars::json_schema;

/// Lines of JSON. Where making them fails, the connection breaks off: a part is never taken for the whole.
pub struct Lines {
    name: String,
    pieces: BoxStream<'static, Result<Bytes, svc_app::Error>>,
}

impl Lines {
    /// The lines as a file of this name, which is of letters, digits, hyphens and points.
    pub fn named(name: &str, pieces: BoxStream<'static, Result<Bytes, svc_app::Error>>) -> Self {
        Self { name: name.to_owned(), pieces }
    }
}

const NDJSON: &str = "application/x-ndjson";

impl IntoResponse for Lines {
    fn into_response(self) -> Response {
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        let headers = [(header::CONTENT_TYPE, NDJSON.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
        (headers, Body::from_stream(self.pieces)).into_response()
    }
}

impl OperationOutput for Lines {
    type Inner = ();

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Documented> {
        let json_schema = json_schema!({ "type": "string" });
        let text = MediaType {
            schema: Some(SchemaObject { json_schema, example: None, external_docs: None }),
            ..MediaType::default()
        };
        let content = [(NDJSON.to_owned(), text)].into_iter().collect();
        Some(Documented {
            description: "The records, one JSON object a line.".to_owned(),
            content,
            ..Documented::default()
        })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<Code>, Documented)> {
        vec![(Some(Code::Code(200)), Self::operation_response(ctx, operation).unwrap_or_default())]
    }
}
