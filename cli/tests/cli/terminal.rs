//! `svc` at a terminal: questions, secrets, colour and width.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::json;
use svc_api::identity::OrgRole;
use svc_api::tracker::{Can, Claim, Item};

use crate::auth::stub_signing_in;
use crate::fixtures::{
    ada, at, attachment, comment, fresh_item, me, member, page, problem, project, workflow,
};
use crate::stub::Stub;

/// Longer than any step here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command whose stdin, stdout and stderr are one terminal.
struct Session {
    terminal: File,
    child: Child,
    shown: String,
}

impl Session {
    fn start(stub: &Stub, args: &[&str], environment: &[(&str, &str)], columns: u16) -> Self {
        let terminal: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        tcsetwinsize(&terminal, Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let user_side = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_svc"))
            .args(args)
            .env_clear()
            .envs([("SVC_URL", stub.url.as_str()), ("TERM", "xterm-256color")])
            .env("SVC_CONFIG_HOME", stub.home.path())
            .envs(environment.iter().copied())
            .stdin(user_side.try_clone().unwrap())
            .stdout(user_side.try_clone().unwrap())
            .stderr(user_side)
            .spawn()
            .unwrap();
        Self { terminal: terminal.into(), child, shown: String::new() }
    }

    /// Reads until the text is on the screen.
    fn until(&mut self, text: &str) {
        let mut buffer = [0; 1024];
        while !self.shown.contains(text) {
            let count = self.terminal.read(&mut buffer).unwrap();
            self.shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }

    /// Waits until what is typed is no longer shown.
    fn until_hidden(&self) {
        let started = Instant::now();
        while tcgetattr(&self.terminal).unwrap().local_modes.contains(LocalModes::ECHO) {
            assert!(started.elapsed() < PATIENCE, "the terminal still shows what is typed");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn type_line(&mut self, text: &str) {
        self.terminal.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    /// Waits for the end, and answers the exit code and everything that was on the screen.
    fn end(mut self) -> (i32, String) {
        let mut buffer = [0; 1024];
        // When the last user of the terminal is gone, reading fails or ends.
        while let Ok(count @ 1..) = self.terminal.read(&mut buffer) {
            self.shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        (self.child.wait().unwrap().code().unwrap(), self.shown)
    }
}

const SIGNED_IN: (&str, &str) = ("SVC_TOKEN", "s3cret");

#[test]
fn a_token_that_is_typed_is_not_shown() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    let mut session = Session::start(&stub, &["auth", "login"], &[], 80);
    session.until("Access token, or Enter to sign in with your address and password: ");
    session.until_hidden();
    session.type_line("s3cret");
    let (code, shown) = session.end();
    assert_eq!(code, 0, "{shown}");
    assert!(!shown.contains("s3cret"), "{shown}");
    assert_eq!(stub.config()["token"], "s3cret");
}

#[test]
fn who_has_no_token_yet_signs_in_with_address_and_password() {
    let stub = stub_signing_in("POST /auth/login");
    let mut session = Session::start(&stub, &["auth", "login"], &[], 80);
    session.until("Access token, or Enter to sign in with your address and password: ");
    session.until_hidden();
    session.type_line("");
    session.until("Your e-mail address: ");
    session.type_line("ada@example.org");
    session.until("Password: ");
    session.until_hidden();
    session.type_line("open sesame");
    let (code, shown) = session.end();
    assert_eq!(code, 0, "{shown}");
    let sent = stub.seen().into_iter().find(|seen| seen.call == "POST /auth/login").unwrap().body;
    assert_eq!(sent, json!({ "email": "ada@example.org", "password": "open sesame" }));
    assert_eq!(stub.config()["token"], "t0ken");
}

#[test]
fn who_gives_up_at_a_secret_sees_again_what_is_typed() {
    let stub = Stub::new();
    let mut session = Session::start(&stub, &["auth", "login"], &[], 80);
    session.until("Access token, or Enter to sign in with your address and password: ");
    session.until_hidden();
    // The program is not in the session of this terminal, so the terminal cannot tell it of Ctrl-C.
    kill_process(Pid::from_child(&session.child), Signal::INT).unwrap();
    let code = session.child.wait().unwrap().code();
    assert_eq!(code, Some(130), "as after Ctrl-C");
    assert!(tcgetattr(&session.terminal).unwrap().local_modes.contains(LocalModes::ECHO));
    assert!(!stub.config_path().exists());
}

#[test]
fn of_several_organizations_a_person_is_asked_for_one() {
    for (typed, slug) in [("2", "other"), ("demo", "demo")] {
        let stub = Stub::new();
        stub.on("GET /orgs", &me().organizations);
        stub.on(&format!("GET /orgs/{slug}/projects"), &[project("PRJ", "Search", false)]);
        let mut session = Session::start(&stub, &["project", "list"], &[SIGNED_IN], 80);
        session.until("Organization (number or slug): ");
        session.type_line(typed);
        let (code, shown) = session.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("PRJ"), "{shown}");
    }
}

#[test]
fn before_what_cannot_be_undone_a_person_is_asked() {
    for (typed, code, calls) in [("y", 0, 2), ("Yes", 0, 2), ("", 2, 1), ("no", 2, 1)] {
        let stub = Stub::new();
        stub.on("GET /orgs/demo/members", &[member("Ada", OrgRole::Member)]);
        let gone = axum::http::StatusCode::NO_CONTENT;
        stub.answer("DELETE /orgs/demo/members/user-ada", gone, &[], String::new());
        let environment = [SIGNED_IN, ("SVC_ORG", "demo")];
        let mut session = Session::start(&stub, &["member", "remove", "Ada"], &environment, 80);
        session.until("Remove Ada <ada@example.org> from demo and all its projects? [y/N] ");
        session.type_line(typed);
        let (ended, shown) = session.end();
        assert_eq!((ended, stub.calls().len()), (code, calls), "{typed:?}: {shown}");
    }
}

#[test]
fn whose_claim_is_ended_by_somebody_else_is_asked_about() {
    let held = |stale| Item {
        claim: Some(Claim {
            holder: "agent-robin".into(),
            holder_name: "Robin".into(),
            agent: true,
            since: at("09:00:00"),
            heartbeat_at: at("09:30:00"),
            stale,
        }),
        ..fresh_item("PRJ-12", "Search")
    };
    for (verb, stale, question) in [
        ("release", false, "holds the claim on PRJ-12. Release it?"),
        ("claim", true, "holds a claim on PRJ-12. Take it over?"),
    ] {
        for (typed, ended) in [("y", 0), ("", 2)] {
            let stub = Stub::new();
            stub.on("GET /me", &me()).on("GET /orgs/demo/items/PRJ-12", &held(stale));
            let call = format!("POST /orgs/demo/items/PRJ-12/{verb}");
            stub.on(&call, &fresh_item("PRJ-12", "Search"));
            let environment = [SIGNED_IN, ("SVC_ORG", "demo")];
            let mut session = Session::start(&stub, &["item", verb, "PRJ-12"], &environment, 200);
            session.until("Robin (agent), last seen");
            session.until(question);
            session.until("[y/N] ");
            session.type_line(typed);
            let (code, shown) = session.end();
            assert_eq!(code, ended, "{shown}");
            assert_eq!(stub.calls().contains(&call), ended == 0, "{shown}");
        }
    }
}

#[test]
fn an_answer_that_names_none_of_them_is_refused() {
    let stub = Stub::new();
    stub.on("GET /orgs", &me().organizations);
    let mut session = Session::start(&stub, &["project", "list"], &[SIGNED_IN], 80);
    session.until("Organization (number or slug): ");
    session.type_line("3");
    let (code, shown) = session.end();
    assert_eq!(code, 2, "{shown}");
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search", false)]);
    let list = |environment: &[(&str, &str)]| {
        let environment = [&[SIGNED_IN, ("SVC_ORG", "demo")], environment].concat();
        Session::start(&stub, &["project", "list"], &environment, 80).end().1
    };
    assert!(list(&[]).contains("\u{1b}["), "colour on a terminal");
    assert!(!list(&[("NO_COLOR", "1")]).contains('\u{1b}'));
    assert!(!list(&[("TERM", "dumb")]).contains('\u{1b}'));
}

#[test]
fn a_title_cannot_steer_the_terminal() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Sea\u{1b}[2Jrch", false)]);
    let environment = [SIGNED_IN, ("SVC_ORG", "demo"), ("NO_COLOR", "1")];
    let (_, shown) = Session::start(&stub, &["project", "list"], &environment, 80).end();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn bytes_that_are_no_text_stay_off_the_terminal() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/attachments/a1", &attachment("a1", "shot.png", "image/png", 4));
    stub.on("GET /orgs/demo/attachments/a2", &attachment("a2", "log.txt", "text/plain", 8));
    let plain = &[("content-type", "text/plain")];
    let body = "a\u{1b}[2Jb".to_owned();
    stub.answer("GET /orgs/demo/attachments/a2/content", axum::http::StatusCode::OK, plain, body);
    let environment = [SIGNED_IN, ("SVC_ORG", "demo"), ("NO_COLOR", "1")];
    let (code, shown) = Session::start(&stub, &["attachment", "get", "a1"], &environment, 80).end();
    assert_eq!(code, 2, "{shown}");
    assert!(shown.contains("-o"), "{shown}");
    let (code, shown) = Session::start(&stub, &["attachment", "get", "a2"], &environment, 80).end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("[2Jb") && !shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn json_cannot_steer_the_terminal_either() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Sea\u{9b}2Jrch\u{202e}", false)]);
    let environment = [SIGNED_IN, ("SVC_ORG", "demo")];
    let (code, shown) = Session::start(&stub, &["project", "list", "--json"], &environment, 80).end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains(r"Sea\u009b2Jrch\u202e") && !shown.contains(['\u{9b}', '\u{202e}']), "{shown:?}");
}

/// The environment of somebody who is signed in, without colour.
const PLAIN: [(&str, &str); 4] =
    [SIGNED_IN, ("SVC_ORG", "demo"), ("NO_COLOR", "1"), ("PATH", "/usr/local/bin:/usr/bin:/bin")];

#[test]
fn markdown_is_shown_as_it_looks() {
    let stub = Stub::new();
    let evil = "# Steps\n\n- [x] open\u{1b}[2J the [cart](https://x.example)\n- [ ] tap &#27;[31mpay";
    stub.on("GET /orgs/demo/items/PRJ-12", &Item { body: evil.into(), ..fresh_item("PRJ-12", "Search") });
    let (code, shown) = Session::start(&stub, &["item", "view", "PRJ-12"], &PLAIN, 30).end();
    assert_eq!(code, 0, "{shown}");
    let expected = "# Steps\r\n\r\n• [x] open[2J the cart\r\n  (https://x.example)\r\n• [ ] tap [31mpay\r\n";
    assert!(shown.ends_with(expected), "{shown:?}");
    let piped = stub.svc(&["item", "view", "PRJ-12"]).run();
    assert!(piped.stdout.contains("- [ ] tap &#27;[31mpay"), "as it was written: {piped}");
}

#[test]
fn what_is_longer_than_the_screen_is_shown_in_a_pager() {
    let stub = Stub::new();
    let projects: Vec<_> = (0..100).map(|n| fresh_item(&format!("PRJ-{}", n + 1), "Search")).collect();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(projects));
    let list = |more: &[&str], pager: &str| {
        let args = [&["item", "list", "-p", "PRJ"], more].concat();
        Session::start(&stub, &args, &[&PLAIN[..], &[("SVC_PAGER", pager)]].concat(), 80).end()
    };
    let (code, shown) = list(&[], "sed 's/^/paged: /'");
    assert!(code == 0 && shown.contains("paged: KEY") && shown.contains("paged: PRJ-100"), "{shown}");
    let (code, shown) = list(&[], "head -n 2");
    assert_eq!((code, shown.lines().count()), (0, 2), "a person has seen enough: {shown}");
    for (more, pager) in [
        (&["--no-pager"][..], "sed 's/^/paged: /'"),
        (&["--json"], "sed 's/^/paged: /'"),
        (&["--format", "{{ key }}"], "sed 's/^/paged: /'"),
        (&["--limit", "3"], "sed 's/^/paged: /'"),
        (&[], ""),
        (&[], "cat"),
    ] {
        let (code, shown) = list(more, pager);
        assert!(code == 0 && shown.contains("PRJ-3") && !shown.contains("paged: "), "{more:?}: {shown}");
    }
    let (code, shown) = list(&[], "no-such-pager");
    assert!(code == 0 && shown.contains("PRJ-100"), "a pager that does not exist: {shown}");
}

#[test]
fn long_help_is_shown_in_a_pager() {
    let stub = Stub::new();
    let environment = [("NO_COLOR", "1"), ("PAGER", "sed 's/^/paged: /'")];
    let (code, shown) = Session::start(&stub, &["item", "list", "--help"], &environment, 80).end();
    assert!(code == 0 && shown.contains("paged: Usage:"), "{shown}");
    let (_, shown) = Session::start(&stub, &["item", "list", "--help", "--no-pager"], &environment, 80).end();
    assert!(shown.contains("Usage:") && !shown.contains("paged: "), "{shown}");
}

#[test]
fn a_person_is_asked_for_what_is_missing() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-12", "Search"));
    let mut session = Session::start(&stub, &["item", "create", "-p", "PRJ"], &PLAIN, 200);
    for (question, answer) in
        [("Title, on one line: ", "-Search"), ("subtask) [task]: ", "wish"), ("subtask) [task]: ", "bug")]
    {
        session.until(question);
        session.shown.clear();
        session.type_line(answer);
    }
    let (code, shown) = session.end();
    assert_eq!(code, 0, "{shown}");
    assert_eq!((&stub.last_body()["title"], &stub.last_body()["type"]), (&"-Search".into(), &"bug".into()));
    // The prompt offered a default, refused it, and lost the title.
    let mut session = Session::start(&stub, &["item", "create", "-p", "PRJ", "Search"], &PLAIN, 200);
    session.until("[task]: ");
    session.type_line("");
    assert_eq!(session.end().0, 0);
    assert_eq!((&stub.last_body()["title"], &stub.last_body()["type"]), (&"Search".into(), &"task".into()));
    let mut session = Session::start(&stub, &["item", "view"], &PLAIN, 80);
    session.until("Key of the item: ");
    session.type_line("");
    let (code, shown) = session.end();
    assert!(code == 2 && shown.contains("nothing was changed"), "{shown}");
}

#[test]
fn a_comment_is_written_in_the_editor() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/items/PRJ-12/comments", &comment("comment-1", ada(), "x"));
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "Search"));
    let environment = [&PLAIN[..], &[("EDITOR", "printf 'Found it.\\n' >")]].concat();
    let (code, shown) = Session::start(&stub, &["item", "comment", "PRJ-12"], &environment, 80).end();
    assert_eq!(code, 0, "{shown}");
    assert_eq!(stub.last_body()["body"], "Found it.\n");
}

/// It was lost.
#[test]
fn a_comment_that_cannot_be_sent_stays_where_it_was_written() {
    let stub = Stub::new();
    let gone = problem(404, "not-found", "There is no such item.", None);
    stub.refuse("POST /orgs/demo/items/PRJ-12/comments", &gone);
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "Search"));
    let home = stub.home.path().to_str().unwrap();
    let environment = [&PLAIN[..], &[("EDITOR", "printf 'Found it.\\n' >"), ("TMPDIR", home)]].concat();
    let (code, shown) = Session::start(&stub, &["item", "comment", "PRJ-12"], &environment, 200).end();
    assert_eq!(code, 4, "{shown}");
    let path = shown.split("kept in ").nth(1).unwrap_or_else(|| panic!("{shown}")).lines().next().unwrap();
    assert_eq!(std::fs::read_to_string(path.trim()).unwrap(), "Found it.\n");
}

#[test]
fn changes_of_other_lines_are_saved_together_if_the_person_wants_that() {
    for (typed, ended) in [("", 0), ("n", 3)] {
        let stub = Stub::new();
        let text =
            |version, body: &str| Item { version, body: body.into(), ..fresh_item("PRJ-12", "Search") };
        let item = "/orgs/demo/items/PRJ-12";
        stub.on(&format!("GET {item}"), &text(7, "First\n\nLast\n"));
        stub.on(&format!("GET {item}"), &text(8, "1st\n\nLast\n"));
        let stale = problem(409, "stale-version", "Somebody else saved first.", None);
        stub.refuse(&format!("PATCH {item}"), &stale).on(&format!("PATCH {item}"), &text(9, ""));
        let home = stub.home.path().to_str().unwrap();
        let environment = [&PLAIN[..], &[("EDITOR", "echo More >>"), ("TMPDIR", home)]].concat();
        let mut session = Session::start(&stub, &["item", "edit", "PRJ-12"], &environment, 200);
        session.until("Merge both changes? [Y/n] ");
        session.type_line(typed);
        let (code, shown) = session.end();
        assert_eq!(code, ended, "{shown}");
        assert_eq!(shown.contains("kept in "), ended == 3, "{shown}");
        if ended == 0 {
            let sent = stub.last_body();
            assert_eq!((&sent["version"], &sent["body"]), (&8.into(), &"1st\n\nLast\nMore\n".into()));
        }
    }
}

/// Of several things that would do, a person was asked for the first; later for none.
#[test]
fn who_gives_no_change_is_asked_which_and_told_what_could_be_given() {
    for (args, which) in [
        (&["item", "update", "PRJ-12"][..], "Which of these (priority, labels, "),
        (&["item", "link", "PRJ-12"], "Which of these (pr, "),
        (&["item", "bulk", "PRJ-12"], "Which of these ("),
        (&["member", "edit", "Ada"], "Which of these (role, can-start-ai-work): "),
    ] {
        let stub = Stub::new();
        let mut session = Session::start(&stub, args, &PLAIN, 400);
        session.until(which);
        session.type_line("");
        let (code, shown) = session.end();
        assert!(code == 2 && shown.contains("Usage: svc "), "{shown}");
        assert!(stub.calls().is_empty(), "{:?}", stub.calls());
    }
    let stub = Stub::new();
    let item = fresh_item("PRJ-12", "Search");
    stub.on("GET /orgs/demo/items/PRJ-12", &item).on("PATCH /orgs/demo/items/PRJ-12", &item);
    let mut session = Session::start(&stub, &["item", "update", "PRJ-12"], &PLAIN, 400);
    for (question, answer) in [("Which of these (", "nothing"), ("Which of these (", "--priority")] {
        session.until(question);
        session.shown.clear();
        session.type_line(answer);
    }
    session.until("New priority (");
    session.type_line("high");
    let (code, shown) = session.end();
    assert_eq!((code, &stub.last_body()["priority"]), (0, &"high".into()), "{shown}");
}

/// It printed its help.
#[test]
fn who_names_no_state_is_asked_for_one_that_the_item_may_move_to() {
    let stub = Stub::new();
    let item = fresh_item("PRJ-12", "Search");
    let empty = page(Vec::<Item>::new());
    let can = Can { edit: true, comment: true, start: true, transition: true, delete: true, configure: true };
    stub.on(
        "GET /orgs/demo/items/PRJ-12/page",
        &json!({
            "item": item, "can": can, "moves": workflow().states[1..], "comments": empty, "history": empty, "runs": empty,
            "subtasks": empty, "watchers": [],
        }),
    );
    stub.on("GET /orgs/demo/items/PRJ-12", &item);
    stub.on("POST /orgs/demo/items/PRJ-12/transition", &item);
    let mut session = Session::start(&stub, &["item", "move", "PRJ-12"], &PLAIN, 200);
    session.until("New state (In review, Closed): ");
    session.type_line("closed");
    let (code, shown) = session.end();
    assert_eq!((code, &stub.last_body()["state"]), (0, &"closed".into()), "{shown}");
    let script = stub.svc(&["item", "move", "PRJ-12"]).run();
    assert!(script.code == 2 && script.stderr.contains("svc workflow view -p PRJ"), "{script}");
    let mut session = Session::start(&stub, &["item", "subtask", "PRJ-12"], &PLAIN, 200);
    session.until("Title, on one line: ");
    session.type_line("Test it");
    session.until("Estimated effort: ");
    session.type_line("2");
    assert_eq!(session.end().0, 1, "and what it asked for is sent");
    assert_eq!(stub.last_body()["title"], "Test it");
}

#[test]
fn nobody_is_asked_about_what_is_not_there() {
    let none = problem(404, "not-found", "Not found.", None);
    for (call, args) in [
        ("GET /orgs/demo/projects/PRJ/wiki/pages/Old", &["wiki", "delete", "-p", "PRJ", "Old"][..]),
        ("GET /orgs/demo/projects/PRJ/teams/web", &["team", "delete", "web", "-p", "PRJ"]),
        ("GET /orgs/demo/projects/PRJ/teams/web", &["team", "archive", "web", "-p", "PRJ"]),
        ("GET /orgs/demo/projects/PRJ", &["project", "archive", "PRJ"]),
        ("GET /orgs/demo/projects/PRJ", &["project", "delete", "PRJ"]),
        ("GET /orgs/nope", &["org", "leave", "nope"]),
        ("GET /runs/0193a6e5", &["run", "cancel", "0193a6e5"]),
    ] {
        let stub = Stub::new();
        stub.refuse(call, &none);
        let (code, shown) = Session::start(&stub, args, &PLAIN, 200).end();
        assert!(code == 4 && !shown.contains("[y/N]"), "{args:?}: {shown}");
        assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
    }
}

#[test]
fn who_deletes_a_project_knows_what_goes_with_it() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ", &project("PRJ", "Search", false));
    let mut session = Session::start(&stub, &["project", "delete", "PRJ"], &PLAIN, 200);
    session.until("Type PRJ to delete");
    session.type_line("no");
    let (code, shown) = session.end();
    assert_eq!(code, 2, "{shown}");
    assert!(shown.contains("runs are cancelled") && shown.contains("restored for 30 days"), "{shown}");
}

#[test]
fn who_waits_for_an_instance_that_is_down_hears_of_it() {
    let stub = Stub::new();
    // Nobody listens at a port that was given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let environment = [&PLAIN[..], &[("SVC_URL", url.as_str())]].concat();
    let (code, shown) = Session::start(&stub, &["project", "list"], &environment, 200).end();
    assert_eq!(code, 1, "{shown}");
    assert_eq!(shown.matches("; trying again").count(), 1, "{shown}");
    let piped = stub.svc(&["project", "list"]).env("SVC_URL", &url).run();
    assert!(piped.code == 1 && !piped.stderr.contains("trying again"), "{piped}");
}

#[test]
fn no_editor_is_opened_for_an_item_that_does_not_exist() {
    let stub = Stub::new();
    stub.refuse("GET /orgs/demo/items/PRJ-12", &problem(404, "not-found", "Not found.", None));
    let environment = [&PLAIN[..], &[("EDITOR", "echo opened; echo More >")]].concat();
    let (code, shown) = Session::start(&stub, &["item", "comment", "PRJ-12"], &environment, 80).end();
    assert!(code == 4 && !shown.contains("opened"), "{shown}");
    assert!(stub.calls().iter().all(|call| call.starts_with("GET")), "{:?}", stub.calls());
}
