//! Where url, token and organization come from.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::json;

use crate::fixtures::{me, org, project};
use crate::stub::Stub;

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let (file, environment, flag) = (Stub::new(), Stub::new(), Stub::new());
    for (stub, slug) in [(&file, "from-file"), (&environment, "from-env"), (&flag, "from-flag")] {
        stub.on(&format!("GET /orgs/{slug}/projects"), &json!([]));
    }
    file.write_config(&json!({ "url": file.url, "token": "file-token", "org": "from-file" }));

    assert_eq!(file.bare(&["project", "list"]).run().code, 0);
    assert_eq!(file.seen()[0].token.as_deref(), Some("file-token"));

    let list = file.bare(&["project", "list"]);
    let list = list.env("SVC_URL", &environment.url).env("SVC_TOKEN", "env-token").env("SVC_ORG", "from-env");
    assert_eq!(list.run().code, 0);
    assert_eq!(environment.seen()[0].token.as_deref(), Some("env-token"));

    let flags = ["project", "list", "--url", &flag.url, "--token", "flag-token", "--org", "from-flag"];
    let list = file.bare(&flags);
    let list = list.env("SVC_URL", &environment.url).env("SVC_TOKEN", "env-token").env("SVC_ORG", "from-env");
    assert_eq!(list.run().code, 0);
    assert_eq!(flag.seen()[0].token.as_deref(), Some("flag-token"));
    assert_eq!((file.seen().len(), environment.seen().len()), (1, 1));
}

#[test]
fn each_setting_is_looked_up_on_its_own_and_an_empty_variable_is_none() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &json!([]));
    stub.write_config(&json!({ "url": stub.url, "token": "file-token", "org": "other" }));
    stub.bare(&["project", "list", "--org", "demo"]).env("SVC_TOKEN", "").run().exits(0);
    assert_eq!(stub.seen()[0].token.as_deref(), Some("file-token"));
}

#[test]
fn the_file_is_found_under_each_base_directory() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    let login = ["auth", "login", "--url", &stub.url];
    let home = stub.home.path();
    let (xdg, plain) = (home.join("xdg"), home.join("plain"));
    let ran = stub.bare(&login).without("SVC_CONFIG_HOME").env("XDG_CONFIG_HOME", xdg.to_str().unwrap());
    assert_eq!(ran.stdin("s3cret").run().code, 0);
    assert!(xdg.join("svc/config.json").exists());
    let ran = stub.bare(&login).without("SVC_CONFIG_HOME").env("HOME", plain.to_str().unwrap());
    assert_eq!(ran.stdin("s3cret").run().code, 0);
    assert!(plain.join(".config/svc/config.json").exists());
}

#[test]
fn a_variable_that_is_no_text_is_not_taken_for_an_absent_one() {
    for name in ["SVC_URL", "SVC_TOKEN", "SVC_ORG"] {
        let stub = Stub::new();
        stub.write_config(&json!({ "url": stub.url, "token": "file-token", "org": "demo" }));
        let ran = stub.bare(&["project", "list"]).env(name, OsStr::from_bytes(b"\xff")).run().exits(2);
        assert!(ran.stderr.contains(name) && stub.seen().is_empty(), "{ran}");
    }
}

#[test]
fn a_token_with_a_line_break_is_refused_for_what_it_is() {
    let stub = Stub::new();
    let ran = stub.svc(&["project", "list"]).env("SVC_TOKEN", "a\nb").run().exits(2);
    assert!(ran.stderr.contains("characters") && !ran.stderr.contains("PLAIN_HTTP"), "{ran}");
}

#[test]
fn a_broken_file_is_named() {
    let stub = Stub::new();
    stub.write_config(&json!("x"));
    let ran = stub.bare(&["project", "list"]).run().exits(2);
    assert!(ran.stderr.contains("HOME/svc/config.json"), "{ran}");
}

#[test]
fn the_only_organization_needs_no_naming() {
    let stub = Stub::new();
    stub.on("GET /orgs", &[org("demo", "Demo")]);
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Project", false)]);
    stub.svc(&["project", "list"]).without("SVC_ORG").run().exits(0);
    assert_eq!(stub.calls(), ["GET /orgs", "GET /orgs/demo/projects"]);
}

#[test]
fn of_several_organizations_a_script_must_name_one() {
    let stub = Stub::new();
    stub.on("GET /orgs", &me().organizations);
    let ran = stub.svc(&["project", "list"]).without("SVC_ORG").run().exits(2);
    insta::assert_snapshot!("several_organizations", ran);
}

#[test]
fn without_any_organization_there_is_nothing_to_work_in() {
    let stub = Stub::new();
    stub.on("GET /orgs", &json!([]));
    stub.svc(&["project", "list"]).without("SVC_ORG").run().exits(4);
}

#[test]
fn a_token_does_not_cross_a_network_in_the_clear() {
    let stub = Stub::new();
    let ran = stub.svc(&["project", "list", "--url", "http://tracker.invalid"]).run().exits(2);
    insta::assert_snapshot!("plain_http", ran);
}

#[test]
fn a_file_that_others_can_read_is_closed_to_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &json!([]));
    stub.write_config(&json!({ "url": stub.url, "token": "file-token", "org": "demo" }));
    let mode = || std::fs::metadata(stub.config_path()).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(stub.config_path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(stub.bare(&["project", "list"]).run().code, 0);
    assert_eq!(mode(), 0o600);
}

#[test]
fn an_address_is_taken_as_people_paste_it_or_the_right_form_is_told() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &json!([]));
    for end in ["", "/", "/api/v1", "/api/v1/"] {
        stub.svc(&["project", "list", "--url", &format!("{}{end}", stub.url)]).run().exits(0);
    }
    let ran = stub.svc(&["project", "list", "--url", "tracker.example:8443"]).run().exits(2);
    assert!(ran.stderr.contains("write it as https://tracker.example:8443"), "{ran}");
    let https = stub.url.replace("http:", "https:");
    let ran = stub.svc(&["project", "list", "--url", &https]).run().exits(1);
    assert!(ran.stderr.contains("http://"), "{ran}");
}
