//! Texts that are written in the person's editor: none is saved by mistake, and none is lost.

use std::fs::DirEntry;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use svc_api::factory::Playbook;
use svc_api::identity::Actor;
use svc_api::tracker::{HistoryEntry, Item};
use svc_api::wiki::WikiPage;

use crate::fixtures::{ada, body_changed, comment, item, page as page_of, playbook, problem, project};
use crate::stub::{Ran, Stub, Svc};
use crate::wiki::{PAGE, page};

const ITEM: &str = "/orgs/demo/items/PRJ-12";

fn stub() -> Stub {
    let stub = Stub::new();
    let item = Item { body: "It *does*.\n".into(), ..item("PRJ-12", "Search forgets") };
    stub.on(&format!("GET {ITEM}"), &item).on(&format!("PATCH {ITEM}"), &item);
    let none = problem(404, "not-found", "There is no such page.", None);
    stub.on(&format!("GET {PAGE}"), &page(3)).refuse("GET /orgs/demo/projects/PRJ/wiki/pages/New", &none);
    stub.on("GET /orgs/demo/projects/PRJ", &project("PRJ", "Search", false));
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
            let ran = edited(&stub, args, editor).run().exits(0);
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
    edited(&stub, &["item", "edit", "PRJ-12"], editor).run().exits(0);
    assert_eq!(stub.last_body()["body"], "It *does*.\nMore\n");
}

/// Comments and playbooks were opened empty, and what was saved replaced them.
#[test]
fn a_comment_and_a_playbook_are_opened_with_their_text() {
    let stub = stub();
    let comments = "/orgs/demo/items/PRJ-12/comments/comment-1";
    let comment = comment("comment-1", ada(), "First text.\n");
    stub.on(&format!("GET {comments}"), &comment).on(&format!("PATCH {comments}"), &comment);
    edited(&stub, &["comment", "edit", "PRJ-12", "comment-1"], "echo More >>").run().exits(0);
    assert_eq!(stub.last_body()["body"], "First text.\nMore\n");
    let playbooks = "/orgs/demo/projects/PRJ/playbooks";
    let playbook = Playbook { instructions: Some("Do it.\n".into()), ..playbook("playbook-1", "Fix") };
    let one = format!("{playbooks}/{}", playbook.id);
    stub.on(&format!("GET {playbooks}"), &[&playbook]);
    stub.on(&format!("GET {one}"), &playbook).on(&format!("PATCH {one}"), &playbook);
    edited(&stub, &["playbook", "edit", "Fix", "-p", "PRJ"], "echo More >>").run().exits(0);
    assert_eq!(stub.last_body()["instructions"], "Do it.\nMore\n");
    let same = edited(&stub, &["playbook", "edit", "Fix", "-p", "PRJ"], "true").run();
    assert!(same.code == 0 && same.stderr.contains("Nothing was changed"), "{same}");
}

#[test]
fn a_description_does_not_become_the_title() {
    let stub = stub();
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "printf '\\n\\nIt does.\\n' >").run();
    assert!(ran.code == 2 && ran.stderr.contains("the first line is the title, and it is empty"), "{ran}");
    assert!(kept(&ran, &stub).ends_with(b"It does.\n"), "{ran}");
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
}

#[test]
fn the_version_that_is_demanded_counts_for_every_field() {
    let stub = stub();
    stub.svc(&["item", "update", "PRJ-12", "--title", "New", "--if-version", "1"]).run().exits(0);
    assert_eq!(stub.last_body()["version"], 1);
}

fn with_text(version: u64, title: &str, body: &str) -> Item {
    Item { version, body: body.into(), ..item("PRJ-12", title) }
}

/// An item that somebody else changed while its text was edited: the first save finds another version.
fn changed_meanwhile(now: &Item) -> Stub {
    let stub = Stub::new();
    let before = with_text(7, "Search forgets", "It *does*.\n\nAlways.\n");
    let stale = problem(409, "stale-version", "Somebody else saved first.", None);
    stub.on(&format!("GET {ITEM}"), &before).on(&format!("GET {ITEM}"), now);
    stub.refuse(&format!("PATCH {ITEM}"), &stale).on(&format!("PATCH {ITEM}"), now);
    stub
}

fn patches(stub: &Stub) -> Vec<serde_json::Value> {
    stub.seen().into_iter().filter(|seen| seen.call.starts_with("PATCH")).map(|seen| seen.body).collect()
}

/// A state or a label that somebody changed meanwhile made the text a conflict.
#[test]
fn a_text_that_nobody_else_touched_is_saved() {
    let moved = Item { state: "Closed".into(), ..with_text(8, "Search forgets", "It *does*.\n\nAlways.\n") };
    let stub = changed_meanwhile(&moved);
    edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run().exits(0);
    let sent = patches(&stub);
    let versions: Vec<_> = sent.iter().map(|body| body["version"].as_u64()).collect();
    assert_eq!(versions, [Some(7), Some(8)]);
    assert_eq!(sent[1]["body"], "It *does*.\n\nAlways.\nMore\n");
    assert_eq!(drafts(&stub), 0, "no file is left behind");
}

#[test]
fn the_mark_that_an_editor_writes_is_no_part_of_the_title() {
    let now = with_text(7, "Search forgets", "It *does*.\n");
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-12", &now).on("PATCH /orgs/demo/items/PRJ-12", &now);
    edited(&stub, &["item", "edit", "PRJ-12"], "printf '\\357\\273\\277Search forgets\\n\\nMore\\n' >")
        .run()
        .exits(0);
    let sent = patches(&stub);
    assert_eq!((sent[0].get("title"), &sent[0]["body"]), (None, &"More\n".into()));
}

/// The command that goes on with a kept text, as the error names it.
fn going_on(ran: &Ran, stub: &Stub) -> String {
    let command = ran.stderr.split("to continue: svc ").nth(1).unwrap().lines().next().unwrap();
    command.replace("HOME", stub.home.path().to_str().unwrap())
}

/// Where the text stays that the command could not save.
fn kept_path(ran: &Ran, stub: &Stub) -> PathBuf {
    PathBuf::from(going_on(ran, stub).rsplit(' ').next().unwrap())
}

/// How many files say what a kept text was begun from.
fn records(stub: &Stub) -> usize {
    let directory = stub.home.path().join(".local/state/svc/kept");
    std::fs::read_dir(directory).into_iter().flatten().flatten().inspect(only_of_the_user).count()
}

fn only_of_the_user(entry: &DirEntry) {
    assert_eq!(entry.metadata().unwrap().mode() & 0o077, 0, "{entry:?}");
}

/// Going on with the text dropped what the other one wrote, also where the person had read that.
#[test]
fn a_text_that_somebody_else_changed_is_kept_and_taken_up_again() {
    let stub = changed_meanwhile(&with_text(8, "Search forgets", "It does not.\n"));
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run();
    assert_eq!((ran.code, patches(&stub).len()), (3, 1), "{ran}");
    assert!(ran.stderr.contains("svc item view PRJ-12"), "{ran}");
    assert!(kept(&ran, &stub).ends_with(b"Always.\nMore\n"), "{ran}");
    assert_eq!(std::fs::metadata(kept_path(&ran, &stub)).unwrap().mode() & 0o077, 0);
    assert_eq!(records(&stub), 1);
    let command = going_on(&ran, &stub);
    let args: Vec<&str> = command.split(' ').collect();
    assert_eq!(args[..4], ["item", "edit", "PRJ-12", "--from"], "{ran}");
    let early = edited(&stub, &args, "true").run();
    assert!(early.code == 3 && early.stderr.contains("svc item view PRJ-12"), "theirs was not read: {early}");
    assert_eq!(edited(&stub, &["item", "view", "PRJ-12"], "true").run().code, 0);
    let lacking = edited(&stub, &args, "true").run();
    assert!(
        lacking.code == 3 && lacking.stderr.contains("in the same lines"),
        "theirs is not in it: {lacking}"
    );
    assert_eq!(patches(&stub).len(), 1);
    std::fs::write(kept_path(&ran, &stub), "Search forgets\n\nIt does not, does it?\nMore\n").unwrap();
    let again = edited(&stub, &args, "true").run().exits(0);
    let sent = stub.last_body();
    assert_eq!((&sent["version"], &sent["body"]), (&8.into(), &"It does not, does it?\nMore\n".into()));
    assert_eq!((drafts(&stub), records(&stub)), (0, 0), "nothing is left behind: {again}");
}

fn by_ben(stub: &Stub) {
    let entry = HistoryEntry { actor: Actor { name: "Ben".into(), ..ada() }, ..body_changed() };
    stub.on(&format!("GET {ITEM}/history"), &page_of(vec![entry]));
}

const THEIRS: &str = "It *did*.\n\nAlways.\n";

#[test]
fn a_text_that_is_taken_up_brings_along_what_others_wrote_elsewhere_in_it() {
    let stub = Stub::new();
    stub.on(&format!("GET {ITEM}"), &with_text(7, "Search forgets", "It *does*.\n\nAlways.\n"));
    by_ben(&stub);
    let away = problem(403, "forbidden", "You may not.", None);
    stub.refuse(&format!("PATCH {ITEM}"), &away);
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run().exits(5);
    let now = with_text(8, "Their title", THEIRS);
    stub.now(&format!("GET {ITEM}"), &now).now(&format!("PATCH {ITEM}"), &now);
    let command = going_on(&ran, &stub);
    let args: Vec<&str> = command.split(' ').collect();
    let again = edited(&stub, &args, "sed -i s/More/Most/").run().exits(0);
    assert!(again.stderr.contains("merging 2 lines of version 8 by Ben into your text"), "{again}");
    let sent = stub.last_body();
    assert_eq!((&sent["version"], &sent["body"]), (&8.into(), &format!("{THEIRS}Most\n").into()));
    assert!(sent.get("title").is_none(), "their title stays: {sent}");
    assert_eq!((drafts(&stub), records(&stub)), (0, 0), "nothing is left behind: {again}");
}

#[test]
fn changes_of_other_lines_are_saved_together_where_nobody_can_be_asked() {
    let stub = changed_meanwhile(&with_text(8, "Search forgets", THEIRS));
    by_ben(&stub);
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run();
    assert!(ran.code == 0 && ran.stderr.contains("merging 1 line of version 8 by Ben"), "{ran}");
    let sent = stub.last_body();
    assert_eq!((&sent["version"], &sent["body"]), (&8.into(), &format!("{THEIRS}More\n").into()));
}

/// Whoever followed the advice put the old title back, which they had never touched.
#[test]
fn a_title_that_somebody_else_changed_is_not_put_back_unseen() {
    let stub = changed_meanwhile(&with_text(8, "Their title", "It *does*.\n\nAlways.\n"));
    by_ben(&stub);
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run();
    assert_eq!((ran.code, patches(&stub).len()), (0, 2), "{ran}");
    let sent = stub.last_body();
    assert!(sent.get("title").is_none() && sent["body"] == "It *does*.\n\nAlways.\nMore\n", "{sent}");
    // A file that nobody knows what it was begun from.
    let file = stub.home.path().join("mine.md");
    std::fs::write(&file, "Search forgets\n\nIt *does*.\n\nAlways.\nMore\n").unwrap();
    let from = ["item", "edit", "PRJ-12", "--from", file.to_str().unwrap()];
    stub.now(&format!("GET {ITEM}"), &with_text(9, "Their next title", "It *does*.\n\nAlways.\nMore\n"));
    let early = edited(&stub, &from, "true").run();
    assert!(early.code == 3 && early.stderr.contains("you have not read version 9"), "{early}");
    assert_eq!(patches(&stub).len(), 2);
    assert!(file.exists(), "it is the person's own");
}

/// A script's text is made from what it read; what others wrote since was a conflict even in other lines.
#[test]
fn a_piped_description_is_merged_with_what_others_wrote_since_it_was_read() {
    let stub = Stub::new();
    let now = with_text(8, "Search forgets", THEIRS);
    stub.on(&format!("GET {ITEM}"), &with_text(7, "Search forgets", "It *does*.\n\nAlways.\n"));
    by_ben(&stub);
    stub.on(&format!("PATCH {ITEM}"), &now);
    assert_eq!(stub.svc(&["item", "view", "PRJ-12"]).run().code, 0);
    stub.now(&format!("GET {ITEM}"), &now);
    let pipe = |text: &str| stub.svc(&["item", "edit", "PRJ-12", "--body-file", "-"]).stdin(text).run();
    let same = pipe("It does *not*.\n\nAlways.\n");
    assert!(
        same.code == 3 && same.stderr.contains("in the same lines as you: version 7 then, 8 now"),
        "{same}"
    );
    assert!(patches(&stub).is_empty());
    let other = pipe("It *does*.\n\nAlways.\nMore\n");
    assert!(other.code == 0 && other.stderr.contains("merging 1 line of version 8 by Ben"), "{other}");
    let sent = stub.last_body();
    assert_eq!((&sent["version"], &sent["body"]), (&8.into(), &format!("{THEIRS}More\n").into()));
    let texts = std::fs::read_dir(stub.home.path().join(".local/state/svc/texts")).unwrap();
    assert_eq!(texts.map(Result::unwrap).inspect(only_of_the_user).count(), 1);
}

/// Looking at somebody else's change in a second terminal made the file of the first one overwrite it.
#[test]
fn a_file_that_was_begun_before_somebody_elses_change_does_not_overwrite_it_after_a_look() {
    const MINE: &str = "1\n\nTwo\n\nThree\n";
    let saved = |version, body: &str| WikiPage { body: body.into(), ..page(version) };
    let stub = Stub::new();
    let read = |version, body: &str| {
        stub.now(&format!("GET {PAGE}"), &saved(version, body));
        assert_eq!(stub.svc(&["wiki", "get", "PRJ", "Factory/Fix a bug"]).run().code, 0);
    };
    let file = stub.home.path().join("page.md");
    // Puts `text` where `now` is, of this version; `becomes` is what the page is then.
    let put = |text: &str, (version, now): (u64, &str), becomes: &str| {
        std::fs::write(&file, text).unwrap();
        stub.now(&format!("PUT {PAGE}"), &saved(version + 1, becomes));
        stub.now(&format!("GET {PAGE}"), &saved(version, now));
        stub.svc(&["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", file.to_str().unwrap()]).run()
    };
    let (first, theirs, both) = ("One\n\nTwo\n\nThree\n", "One\n\nTwo\n\n3\n", "1\n\nTwo\n\n3\n");
    read(3, first);
    read(4, theirs);
    let unchanged = put(first, (4, theirs), theirs);
    assert!(unchanged.code == 3 && unchanged.stderr.contains("version 3 then, 4 now"), "{unchanged}");
    let merged = put(MINE, (4, theirs), both);
    assert!(merged.code == 0 && merged.stderr.contains("merging 1 line of version 4 by Ada"), "{merged}");
    assert_eq!(stub.last_body(), serde_json::json!({ "version": 4, "body": both }));

    // What was begun from the text as it is now is what the person wants, also where others had changed it.
    read(6, MINE);
    read(7, both);
    let mine = put("1\n\n2\n\nthree\n", (7, both), "1\n\n2\n\nthree\n");
    assert!(mine.code == 0 && mine.stderr.is_empty(), "{mine}");
    // So is a program's own text, whatever it wrote before.
    let again = put(MINE, (8, "1\n\n2\n\nthree\n"), MINE);
    assert!(again.code == 0 && again.stderr.is_empty(), "{again}");
    assert_eq!(stub.last_body()["body"], MINE);
}

#[test]
fn a_page_that_is_taken_up_keeps_what_others_wrote() {
    let saved = |version, body: &str| WikiPage { body: body.into(), ..page(version) };
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &saved(3, "One\n\nTwo\n\nThree\n"));
    stub.refuse(&format!("PUT {PAGE}"), &problem(403, "forbidden", "You may not.", None));
    let edit = ["wiki", "edit", "PRJ", "Factory/Fix a bug"];
    let ran = edited(&stub, &edit, "sed -i s/Three/3/").run().exits(5);
    let path = kept_path(&ran, &stub);
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", path.to_str().unwrap()];
    stub.now(&format!("GET {PAGE}"), &saved(4, "One\n\nTwo\n\nThird\n"));
    let disputed = stub.svc(&put).run();
    assert!(disputed.code == 3 && disputed.stderr.contains("version 3 then, version 4 now"), "{disputed}");
    assert!(path.exists(), "{disputed}");
    stub.now(&format!("GET {PAGE}"), &saved(5, "1\n\nTwo\n\nThree\n")).now(&format!("PUT {PAGE}"), &page(6));
    let done = stub.svc(&put).run();
    assert!(done.code == 0 && done.stderr.contains("merging 1 line of version 5 by Ada"), "{done}");
    assert_eq!(stub.last_body(), serde_json::json!({ "version": 5, "body": "1\n\nTwo\n\n3\n" }));
    assert!(!path.exists() && records(&stub) == 0, "nothing is left behind: {done}");
}

#[test]
fn a_page_that_was_deleted_meanwhile_leaves_the_text_in_its_file() {
    let stub = stub();
    stub.refuse(&format!("PUT {PAGE}"), &problem(404, "not-found", "Not found.", None));
    let ran =
        edited(&stub, &["wiki", "edit", "-p", "PRJ", "Factory/Fix a bug"], "echo More >>").run().exits(4);
    assert!(kept(&ran, &stub).ends_with(b"More\n"), "{ran}");
    assert!(ran.stderr.contains("svc wiki put -p PRJ 'Factory/Fix a bug' --file HOME/svc-"), "{ran}");
    assert!(ran.stderr.contains("svc wiki restore -p PRJ 'Factory/Fix a bug'"), "{ran}");
}

/// What explains a failure better dropped the place of the text.
#[test]
fn a_text_for_an_item_that_is_gone_stays_in_its_file() {
    let stub = Stub::new();
    stub.on(&format!("GET {ITEM}"), &with_text(7, "Search forgets", "It *does*.\n"));
    stub.refuse(&format!("PATCH {ITEM}"), &problem(404, "not-found", "Not found.", None));
    let ran = edited(&stub, &["item", "edit", "PRJ-12"], "echo More >>").run().exits(4);
    assert!(kept(&ran, &stub).ends_with(b"More\n"), "{ran}");
}

#[test]
fn no_editor_is_opened_for_a_project_that_does_not_exist() {
    let stub = Stub::new();
    let none = problem(404, "not-found", "Not found.", None);
    stub.refuse("GET /orgs/demo/projects/NOPE", &none).on("GET /orgs", &serde_json::json!([]));
    let args = ["item", "create", "-e", "-p", "NOPE", "--type", "bug", "--title", "x"];
    let ran = edited(&stub, &args, "touch \"$TMPDIR/opened\"; echo More >>").run();
    assert_eq!(ran.code, 4, "{ran}");
    assert!(!stub.home.path().join("opened").exists(), "{ran}");
    let page = "GET /orgs/demo/projects/NOPE/wiki/pages/New";
    stub.refuse(page, &none);
    let ran =
        edited(&stub, &["wiki", "edit", "-p", "NOPE", "New"], "touch \"$TMPDIR/opened\"; echo More >>").run();
    assert_eq!(ran.code, 4, "{ran}");
    assert!(!stub.home.path().join("opened").exists(), "{ran}");
}
