//! The area as a Lambda function of its own.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    svc_lambda::lambda_pages(svc_mcp::router(), svc_mcp::nothing_else).await
}
