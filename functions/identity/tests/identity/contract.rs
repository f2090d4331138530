//! What the OpenAPI document says of this area.

use std::collections::BTreeSet;

use svc_testkit::TestApp;

#[test]
fn every_operation_says_what_it_is_and_how_it_fails() {
    let (_, document) = TestApp::documented([svc_identity::router()]);
    let document = serde_json::to_value(&document).unwrap();
    let mut ids = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let what = format!("{method} {path}");
            assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{what}");
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{what}");
            assert_eq!(operation["tags"].as_array().unwrap().len(), 1, "{what}");
            let answers: Vec<&str> =
                operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
            assert!(answers.iter().any(|code| code.starts_with(['2', '3'])), "{what}: {answers:?}");
            assert!(answers.contains(&"429"), "{what}: {answers:?}");
            let secured = operation.get("security").is_some();
            let sign_in = path.ends_with("/login");
            assert_eq!(answers.contains(&"401"), secured || sign_in, "{what}: {answers:?}");
            assert!(
                operation.get("requestBody").is_none() || answers.contains(&"422"),
                "{what}: {answers:?}"
            );
            assert!(!path.contains('{') || answers.contains(&"404"), "{what}: {answers:?}");
        }
    }
    assert!(!ids.is_empty());
}
