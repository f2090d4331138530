//! Names that a person gives to commands.

use serde_json::json;

use crate::stub::Stub;

#[test]
fn a_command_has_a_name_of_ones_own_until_it_is_deleted() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/WEB", &json!({ "key": "WEB" }));
    stub.write_config(&json!({ "url": stub.url, "token": "t", "org": "demo", "later": 1 }));
    stub.bare(&["alias", "set", "say", "svc api GET /orgs/demo/projects/$1 --jq .key"]).run().exits(0);
    assert_eq!(stub.bare(&["say", "WEB"]).run().stdout, "WEB\n");

    let list = stub.bare(&["alias", "list"]).run();
    assert!(list.stdout.contains("say") && list.stdout.contains("svc api GET"), "{list}");
    let few = stub.bare(&["say"]).run();
    assert_eq!(few.code, 2);
    assert!(few.stderr.contains("the alias say needs"), "{few}");
    let again = stub.bare(&["alias", "set", "say", "auth list"]).run();
    assert!(again.stderr.contains("previously svc api GET"), "{again}");
    assert_eq!(stub.config()["later"], 1, "what others keep in the file stays");

    let near = stub.bare(&["alias", "delete", "sai"]).run().exits(4);
    assert!(near.stderr.contains("did you mean \"say\"?"), "{near}");
    assert_eq!(stub.bare(&["alias", "delete", "say"]).run().code, 0);
    assert_eq!(stub.bare(&["say", "WEB"]).run().code, 2, "it is no command any more");
}

#[test]
fn a_command_keeps_its_meaning() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "aliases": { "completions": "auth list" } }));
    for taken in ["item", "help", "completions"] {
        let refused = stub.bare(&["alias", "set", taken, "auth list"]).run().exits(2);
        assert!(refused.stderr.contains(&format!("svc {taken} is a command already")), "{refused}");
    }
    assert!(stub.bare(&["completions", "bash"]).run().stdout.contains("complete"), "one of a later version");
}

#[test]
fn an_agents_run_neither_uses_nor_changes_the_aliases_of_a_person() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "aliases": { "mine": "auth list" } }));
    let before = stub.config();
    let verbs: [&[&str]; 4] = [
        &["alias", "set", "mine", "completions bash"],
        &["alias", "delete", "mine"],
        &["alias", "list"],
        &["mine"],
    ];
    for args in verbs {
        let ran = stub.bare(args).env("SVC_ITEM", "PRJ-12").run();
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
    }
    assert_eq!(stub.config(), before);
}
