//! `svc runner`: that the runner's own commands are reached, with settings of their own.

use serde_json::Value;
use svc_api::runner::HelloReply;

use crate::stub::Stub;

#[test]
fn a_runner_secret_is_verified_and_kept_out_of_the_config_file() {
    let stub = Stub::new();
    let reply = HelloReply {
        runner_id: "runner-1".into(),
        name: "build-1".into(),
        organization: "demo".into(),
        heartbeat_seconds: 15,
        take_wait_seconds: 20,
    };
    stub.on("POST /runner/hello", &reply);
    let register = ["runner", "register", "--url", &stub.url, "--token", "jrn_abc", "--name", "laptop"];
    let ran = stub.bare(&register).env("SVC_TOKEN", "a-persons").run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.seen()[0].token.as_deref(), Some("jrn_abc"), "not the token of the person");
    let runner_file = stub.home.path().join("svc").join("runner.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(runner_file).unwrap()).unwrap();
    assert_eq!(file["profiles"][0]["organization"], "demo");
    assert!(!stub.config_path().exists());

    assert_eq!(stub.bare(&["runner", "remove", "nobody"]).run().code, 4);
    assert_eq!(stub.bare(&["runner", "remove", "demo"]).run().code, 0);
}
