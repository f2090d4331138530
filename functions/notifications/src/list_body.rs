//! A body that is a list, where every other body is an object.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::extract::{FromRequest, Request};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_http::problems::MALFORMED;
use svc_http::{ApiError, json_bytes};

/// A JSON list of objects; what is wrong with one is named by its place.
pub(crate) struct ListBody<T>(pub(crate) Vec<T>);

impl<T, S> FromRequest<S> for ListBody<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let bytes = json_bytes(request).await?;
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|error| MALFORMED.because(error.to_string()))?;
        // A list in place of an object would be read as its fields in order.
        let objects: Vec<Map<String, Value>> = serde_json::from_value(value)
            .map_err(|_| Refusal::invalid("body", "must be a list of objects"))?;
        let mut errors = FieldErrors::default();
        let read = |(at, object): (usize, Map<String, Value>)| {
            let read = serde_json::from_value(Value::Object(object));
            errors.check(&at.to_string(), read)
        };
        let read: Vec<T> = objects.into_iter().enumerate().filter_map(read).collect();
        errors.into_result().map_err(Refusal::from)?;
        Ok(Self(read))
    }
}

impl<T: JsonSchema> OperationInput for ListBody<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        axum::Json::<Vec<T>>::operation_input(ctx, operation);
    }
}
