//! The end of a server process.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// A request that never ends keeps the process at its end; a second signal does not wait for it. `healthcheck` says
/// whether a server answers.
#[test]
fn a_second_signal_ends_what_the_first_waits_for() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .args(["--listen", "127.0.0.1:0", "--log", "json", "--data"])
        .arg(directory.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut logged = |what: &str| {
        let line = lines.find(|line| line.contains(what));
        serde_json::from_str::<serde_json::Value>(&line.expect(what)).unwrap()
    };
    let serving = logged("\"serving\"");
    let store = directory.path().canonicalize().unwrap();
    assert_eq!((serving["store"].as_str(), &serving["new_store"]), (store.to_str(), &true.into()));
    let mut request = TcpStream::connect(serving["address"].as_str().unwrap()).unwrap();
    std::io::Write::write_all(&mut request, b"POST /api/v1/auth/setup HTTP/1.1\r\nContent-Length: 9\r\n")
        .unwrap();

    let healthcheck = || {
        let address = serving["address"].as_str().unwrap();
        let checked = Command::new(env!("CARGO_BIN_EXE_svc-server"))
            .args(["--listen", address, "healthcheck"])
            .output();
        let checked = checked.unwrap();
        (checked.status.code(), String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap())
    };
    assert_eq!(healthcheck(), (Some(0), "ok\n".to_owned()));

    let pid = Pid::from_child(&server);
    kill_process(pid, Signal::TERM).unwrap();
    logged("\"stopping");
    kill_process(pid, Signal::TERM).unwrap();
    logged("second signal");
    assert!(server.wait().unwrap().success());
    let (code, said) = healthcheck();
    assert!(code == Some(1) && said.contains("no answer from 127.0.0.1:"), "{said}");
}
