//! What a request through API Gateway has instead of a socket.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use lambda_http::request::RequestContext;

/// Gives the request the address that API Gateway was asked by: clients do not share one budget, and cannot choose theirs.
pub async fn client_of(mut request: Request) -> Request {
    let context = request.extensions().get::<RequestContext>();
    let address = match context {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.as_deref(),
        _ => None,
    };
    if let Some(address) = address.and_then(|address| address.parse::<IpAddr>().ok()) {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, 0)));
    }
    request
}
