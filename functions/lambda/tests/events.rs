//! Events as API Gateway sends them (version 2.0, the form that its documentation shows).

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use lambda_http::request::from_str;

/// Every visitor was 127.0.0.1 and shared one budget for sign-ins.
#[tokio::test]
async fn a_client_has_the_address_that_the_gateway_saw_and_chooses_none() {
    let request = from_str(include_str!("events/http-api.json")).expect("an event");
    let request = svc_lambda::client_of(request.map(Body::new)).await;
    let ConnectInfo(client) = request.extensions().get::<ConnectInfo<SocketAddr>>().expect("an address");
    assert_eq!(client.ip().to_string(), "198.51.100.7");
    let cookies: Vec<_> = request.headers().get_all("cookie").iter().collect();
    assert_eq!(cookies, ["svc_session=abc; theme=dark"], "a session is found among other cookies");
}
