//! The web app and its documents as a Lambda function.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    svc_lambda::lambda_pages(svc_portal::pages_router(), svc_portal::pages).await
}
