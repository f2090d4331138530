//! Setting an instance up.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::call;

use crate::{roomy, router};

pub(crate) fn register_body(email: &str, slug: &str) -> Value {
    json!({
        "email": email,
        "password": "long enough",
        "displayName": "Ada",
        "organization": { "slug": slug, "name": "Demo" },
    })
}

#[tokio::test]
async fn the_first_account_owns_the_first_organization_and_is_signed_in() {
    let t = roomy();
    let router = router(&t);
    let before = call(&router, Method::GET, "/auth/setup", None, None).await;
    assert_eq!(before.json, json!({ "needed": true }));

    let body = register_body("ada@example.com", "demo");
    let reply = call(&router, Method::POST, "/auth/register", None, Some(body.clone())).await;
    insta::assert_snapshot!(reply.snapshot());

    let after = call(&router, Method::GET, "/auth/setup", None, None).await;
    assert_eq!(after.json, json!({ "needed": false }));
    let again = call(&router, Method::POST, "/auth/register", None, Some(body)).await;
    insta::assert_snapshot!("a_second_registration", again.snapshot());
}

#[tokio::test]
async fn every_field_that_is_wrong_is_named() {
    let t = roomy();
    let body = json!({
        "email": "nobody", "password": "short", "displayName": " ",
        "organization": { "slug": "No Slug", "name": "" },
    });
    let reply = call(&router(&t), Method::POST, "/auth/register", None, Some(body)).await;
    insta::assert_snapshot!(reply.snapshot());
    let still = call(&router(&t), Method::GET, "/auth/setup", None, None).await;
    assert_eq!(still.json, json!({ "needed": true }));
}
