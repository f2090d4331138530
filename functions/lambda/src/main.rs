//! The program of every Lambda function.

#[tokio::main]
async fn main() -> Result<(), svc_lambda::Failure> {
    svc_lambda::run().await
}
