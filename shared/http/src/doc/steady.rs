//! An answer with a steady tag is documented as the same answer without one.

use aide::generate::GenContext;
use aide::openapi::{Operation, Response, StatusCode};
use aide::operation::OperationOutput;
use schemars::JsonSchema;

use crate::respond::{Json, SteadyJson};

impl<T: JsonSchema> OperationOutput for SteadyJson<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<Response> {
        Json::<T>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCode>, Response)> {
        Json::<T>::inferred_responses(ctx, operation)
    }
}
