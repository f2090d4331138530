//! `svc intake`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::tracker::{Intake, IntakeMapping, IntakeWithAddress};

use crate::fixtures::{ada, at};
use crate::stub::Stub;

fn intake() -> Intake {
    Intake {
        id: "i1".into(),
        version: 3,
        name: "Alertmanager".into(),
        template: None,
        mapping: IntakeMapping::default(),
        comments_repeats: false,
        comments_resolved: true,
        closes_resolved: true,
        disabled: false,
        saved_by: ada(),
        rotated_at: at("10:00:00"),
    }
}

fn stub() -> Stub {
    let stub = Stub::new();
    let made =
        IntakeWithAddress { url: "https://svc.example.com/api/v1/intake/svx_hush".into(), intake: intake() };
    stub.on("GET /orgs/demo/projects/OPS/intakes", &[intake()]);
    stub.on("POST /orgs/demo/projects/OPS/intakes", &made);
    stub.on("POST /orgs/demo/projects/OPS/intakes/i1/rotate", &made);
    stub.on("PATCH /orgs/demo/projects/OPS/intakes/i1", &intake());
    stub
}

#[test]
fn an_intake_is_created_and_its_address_is_alone_on_stdout() {
    let stub = stub();
    let args = ["intake", "create", "Alertmanager", "-p", "OPS", "--template", "Bug report"];
    let more = ["--close-resolved", "true", "--key-field", "alert.id"];
    let ran = stub.svc(&[&args[..], &more].concat()).run();
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "https://svc.example.com/api/v1/intake/svx_hush\n"),
        "{ran}"
    );
    let sent = json!({
        "name": "Alertmanager", "template": "Bug report", "closesResolved": true, "mapping": {"key": "alert.id"},
    });
    assert_eq!(stub.last_body(), sent);
    let rotated = stub.svc(&["intake", "rotate", "alertMANAGER", "-p", "OPS"]).run();
    assert_eq!(rotated.stdout, "https://svc.example.com/api/v1/intake/svx_hush\n", "{rotated}");
    let listed = stub.svc(&["intake", "list", "-p", "OPS"]).run();
    assert!(listed.stdout.contains("Alertmanager") && !listed.stdout.contains("svx_"), "{listed}");
}

#[test]
fn edit_sends_only_what_was_asked_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (["--disabled", "true"], json!({ "version": 3, "disabled": true })),
        (["--template", "none"], json!({ "version": 3, "template": null })),
        (["--title-field", "a.b"], json!({ "version": 3, "mapping": { "title": "a.b" } })),
    ] {
        let ran = stub.svc(&[&["intake", "edit", "Alertmanager", "-p", "OPS"], &args[..]].concat()).run();
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["intake", "edit", "i1", "-p", "OPS"]).run().code, 2, "nothing to change");
}

#[test]
fn deleting_asks_first() {
    let stub = stub();
    stub.answer("DELETE /orgs/demo/projects/OPS/intakes/i1", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["intake", "delete", "i1", "-p", "OPS"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["intake", "delete", "i1", "-p", "OPS", "--yes"]).run().code, 0);
}
