//! `POST /notifications/chat-1/updates`: the platform delivers what chats say to the bot.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use svc_api::notifications::BotUpdate;
use svc_app::{App, notifications};
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{NOT_FOUND, UNAUTHENTICATED};
use svc_http::{ApiResult, Exact, NoContent};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Exact<BotUpdate>,
) -> ApiResult<NoContent> {
    let secret = headers.get("x-telegram-bot-api-secret-token").and_then(|value| value.to_str().ok());
    // What is wrong with a body is only for who knows the secret.
    notifications::admit_delivery(&app, secret)?;
    notifications::hear(&app, &serde_json::to_value(body.read()?).unwrap_or_default()).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Telegram, where `Notifications:Chat1Webhook` is set. Deliveries carry the secret that the instance \
         gave it (`X-Telegram-Bot-Api-Secret-Token`), and may be repeated. Answers 404 where the setting is not set, and 401 \
         for a missing or wrong secret.";
    let op = refuses(scope(op, None), &[NOT_FOUND, UNAUTHENTICATED]);
    operation(op, "deliverFromBot", "Notifications", "Deliver what chats say", description)
}
