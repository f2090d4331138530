//! What the program says about itself.

use crate::stub::Stub;

#[test]
fn help_is_worth_reading() {
    let stub = Stub::new();
    for (name, args) in [
        ("help", &["--help"][..]),
        ("help_short", &["-h"]),
        ("help_item", &["item", "--help"]),
        ("help_item_list", &["item", "list", "--help"]),
        ("help_item_update", &["item", "update", "--help"]),
        ("help_attachment_get", &["attachment", "get", "--help"]),
        ("help_item_move", &["item", "move", "--help"]),
        ("help_sprint", &["sprint", "--help"]),
        ("help_run", &["run", "--help"]),
        ("help_run_start", &["run", "start", "--help"]),
        ("help_run_logs", &["run", "logs", "--help"]),
        ("help_import", &["import", "--help"]),
        ("help_auth_login", &["auth", "login", "--help"]),
    ] {
        let ran = stub.bare(args).run().exits(0);
        insta::assert_snapshot!(name, ran);
    }
}

#[test]
fn the_version_is_told() {
    let ran = Stub::new().bare(&["--version"]).run();
    assert_eq!(ran.stdout, format!("svc {}\n", env!("CARGO_PKG_VERSION")));
}
