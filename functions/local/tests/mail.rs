//! `svc-server mail-test` and what `svc-server doctor` says of mail, as operators run them, against a mail server on
//! loopback.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output};
use std::thread;

use svc_testkit::TestApp;

/// Serves SMTP until the test ends; answers so to recipients.
fn server(recipients: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.write_all(b"220 loopback\r\n").unwrap();
            let mut in_mail = false;
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let answer = match line.get(..4).unwrap_or_default() {
                    _ if in_mail && line == "." => {
                        in_mail = false;
                        "250 2.0.0 queued as 7"
                    }
                    _ if in_mail => continue,
                    "RCPT" => recipients,
                    "DATA" => {
                        in_mail = true;
                        "354 go on"
                    }
                    "QUIT" => "221 bye",
                    _ => "250 ok",
                };
                if stream.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                    break;
                }
            }
        }
    });
    port
}

fn run(args: &[&str], port: u16) -> (Output, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    program.args(args).env("Mail__Host", "127.0.0.1").env("Mail__Port", port.to_string());
    program.env("Mail__Encryption", "none").env("Mail__From", "Work <work@example.com>");
    let ran = program.output().unwrap();
    let said = [ran.stdout.as_slice(), &ran.stderr].concat();
    (ran, String::from_utf8(said).unwrap())
}

#[test]
fn a_test_mail_says_what_the_server_answered_and_what_to_do() {
    let (ran, said) = run(&["mail-test", "ada@example.com"], server("250 2.1.5 ok"));
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!(said.contains("took the mail for ada@example.com: 250 2.0.0 queued as 7"), "{said}");
    for (answer, advice) in [
        ("550 5.1.1 nobody of this name", "Check the address, and whether the server lets"),
        ("451 4.2.1 mailbox busy", "asks to try later"),
        ("535 5.7.8 authentication required", "Check Mail:User and Mail:Password"),
    ] {
        let (ran, said) = run(&["mail-test", "ada@example.com"], server(answer));
        assert_eq!(ran.status.code(), Some(1), "{said}");
        assert!(said.contains(&answer[4..]) && said.contains(advice), "{said}");
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (ran, said) = run(&["mail-test", "ada@example.com"], closed);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("Check Mail:Host and Mail:Port"), "{said}");
    let off = Command::new(env!("CARGO_BIN_EXE_svc-server")).args(["mail-test", "a@b.c"]).output().unwrap();
    assert!(String::from_utf8(off.stderr).unwrap().contains("mail is off: set Mail:Host"));
}

#[tokio::test]
async fn the_doctor_says_whether_mail_works() {
    let kit = TestApp::new();
    let args = ["doctor", "--data", kit.directory().to_str().unwrap()];
    let (ran, said) = run(&args, server("250 ok"));
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!(said.contains("can be reached and takes the sign-in"), "{said}");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (ran, said) = run(&args, closed);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("The mail server takes no mail:") && said.contains("Check Mail:Host"), "{said}");
}
