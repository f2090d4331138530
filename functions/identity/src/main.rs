//! The identity area as a Lambda function.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    svc_boot::lambda(svc_identity::router()).await
}
