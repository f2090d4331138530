//! The area as a Lambda function of its own.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    svc_lambda::lambda(svc_notifications::router()).await
}
