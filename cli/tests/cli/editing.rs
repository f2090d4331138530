//! Texts that are written in the person's editor: none is saved by mistake, and none is lost.

use std::path::PathBuf;

use svc_api::factory::Playbook;
use svc_api::tracker::Item;

use crate::fixtures::{ada, comment, item, playbook, problem};
use crate::stub::{Ran, Stub, Svc};
use crate::wiki::{PAGE, page};

const ITEM: &str = "/orgs/demo/items/PRJ-12";

fn stub() -> Stub {
    let stub = Stub::new();
    let item = Item { body: "It *does*.\n".into(), ..item("PRJ-12", "Search forgets") };
    stub.on(&format!("GET {ITEM}"), &item).on(&format!("PATCH {ITEM}"), &item);
    let none = problem(404, "not-found", "There is no such page.", None);
    stub.on(&format!("GET {PAGE}"), &page(3)).refuse("GET /orgs/demo/projects/PRJ/wiki/pages/New", &none);
    stub
}

fn edited<'a>(stub: &'a Stub, args: &[&str], editor: &str) -> Svc<'a> {
    let svc = stub.svc(args).env("PATH", "/usr/bin:/bin").env("EDITOR", editor);
    svc.env("TMPDIR", stub.home.path())
}

/// The text that stayed in the file that the command named.
fn kept(ran: &Ran, stub: &Stub) -> Vec<u8> {
    let path = ran.stderr.split("kept in ").nth(1).unwrap_or_else(|| panic!("{ran}")).lines().next().unwrap();
    std::fs::read(PathBuf::from(path.replace("HOME", stub.home.path().to_str().unwrap()))).unwrap()
}

fn drafts(stub: &Stub) -> usize {
    let names = std::fs::read_dir(stub.home.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().starts_with("svc-")).count()
}

#[test]
fn an_emptied_file_changes_nothing() {
    let stub = stub();
    let wiki = |path| ["wiki", "edit", "PRJ", path];
    for (args, new) in
        [(&["item", "edit", "PRJ-12"][..], false), (&wiki("Factory/Fix a bug"), false), (&wiki("New"), true)]
    {
        for editor in ["truncate -s 0", "printf '\\n \\n' >"] {
            let ran = edited(&stub, args, editor).run();
            assert_eq!(ran.code, 0, "{ran}");
            assert!(ran.stderr.contains("othing was changed"), "{ran}");
            assert_eq!(ran.stderr.contains("The file is empty"), !new, "{ran}");
        }
    }
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
    assert_eq!(drafts(&stub), 0, "no file is left behind");
}

#[test]
fn an_empty_file_does_not_take_a_text_away() {
    let stub = stub();
    for args in [
        &["wiki", "put", "PRJ", "Factory/Fix a bug", "--force", "--file", "-"][..],
        &["item", "update", "PRJ-12", "--force", "--body-file", "-"],
    ] {
        let ran = stub.svc(args).stdin("\n").run();
        assert!(ran.code == 2 && ran.stderr.contains("-m ''"), "{ran}");
    }
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
    assert_eq!(stub.svc(&["item", "update", "PRJ-12", "--force", "-m", ""]).run().code, 0);
    assert_eq!(stub.last_body()["body"], "", "what is meant is done");
}

#[test]
fn what_an_editor_that_fails_had_written_is_kept() {
    let stub = stub();
    let args = ["item", "edit", "PRJ-12"];
    let ran = edited(&stub, &args, "sh -c 'echo More >> $0; exit 3'").run();
    assert_eq!(ran.code, 2, "{ran}");
    assert_eq!(String::from_utf8(kept(&ran, &stub)).unwrap(), "Search forgets\n\nIt *does*.\nMore\n");
    let untouched = edited(&stub, &args, "false").run();
    assert!(untouched.code == 2 && !untouched.stderr.contains("kept in"), "{untouched}");
    let bytes = edited(&stub, &args, "printf '\\377' >>").run();
    assert!(bytes.code == 2 && bytes.stderr.contains("UTF-8"), "{bytes}");
    assert!(kept(&bytes, &stub).ends_with(b"\xff"), "{bytes}");
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
    assert_eq!(drafts(&stub), 2, "those that hold something new");
}

#[test]
fn a_text_stays_when_the_person_does_not_wait_for_the_answer() {
    let stub = stub();
    stub.hold(&format!("PATCH {ITEM}"));
    let running = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").start();
    stub.until_called(&format!("PATCH {ITEM}"));
    let ran = running.interrupt();
    assert_eq!(ran.code, 130, "{ran}");
    assert!(kept(&ran, &stub).ends_with(b"More\n"), "{ran}");
}

#[test]
fn ctrl_c_is_for_the_editor_while_it_is_open() {
    let stub = stub();
    // The editor: it interrupts the program that opened it, and goes on.
    let editor = r#"sh -c 'p=$$
        while [ "$(cat /proc/$p/comm)" != svc ]; do p=$(cut -d" " -f4 /proc/$p/stat); done
        kill -INT $p; echo More >> $0'"#;
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], editor).run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.last_body()["body"], "It *does*.\nMore\n");
}

/// Comments and playbooks were opened empty, and what was saved replaced them.
#[test]
fn a_comment_and_a_playbook_are_opened_with_their_text() {
    let stub = stub();
    let comments = "/orgs/demo/items/PRJ-12/comments/comment-1";
    let comment = comment("comment-1", ada(), "First text.\n");
    stub.on(&format!("GET {comments}"), &comment).on(&format!("PATCH {comments}"), &comment);
    let ran = edited(&stub, &["comment", "edit", "PRJ-12", "comment-1"], "echo More >>").run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.last_body()["body"], "First text.\nMore\n");
    let playbooks = "/orgs/demo/projects/PRJ/playbooks";
    let playbook = Playbook { instructions: Some("Do it.\n".into()), ..playbook("playbook-1", "Fix") };
    let one = format!("{playbooks}/{}", playbook.id);
    stub.on(&format!("GET {playbooks}"), &[&playbook]);
    stub.on(&format!("GET {one}"), &playbook).on(&format!("PATCH {one}"), &playbook);
    let ran = edited(&stub, &["playbook", "edit", "Fix", "-p", "PRJ"], "echo More >>").run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.last_body()["instructions"], "Do it.\nMore\n");
    let same = edited(&stub, &["playbook", "edit", "Fix", "-p", "PRJ"], "true").run();
    assert!(same.code == 0 && same.stderr.contains("Nothing was changed"), "{same}");
}

#[test]
fn a_description_does_not_become_the_title() {
    let stub = stub();
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "printf '\\n\\nIt does.\\n' >").run();
    assert!(ran.code == 2 && ran.stderr.contains("the first line, which is the title, is empty"), "{ran}");
    assert!(kept(&ran, &stub).ends_with(b"It does.\n"), "{ran}");
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
}

#[test]
fn the_version_that_is_demanded_counts_for_every_field() {
    let stub = stub();
    let ran = stub.svc(&["item", "update", "PRJ-12", "--title", "New", "--if-version", "1"]).run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.last_body()["version"], 1);
}
