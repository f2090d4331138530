//! The guard against a real server on loopback.

use svc_app::ports::{AddressRefusal, Answer, MOST_OF_AN_ANSWER, Outbound as _, OutboundError, Post};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{GuardedHttp, IN_TIME, OutboundSettings};

fn guarded(private_networks: &str) -> GuardedHttp {
    GuardedHttp::of(&OutboundSettings { private_networks: private_networks.into() }).unwrap()
}

fn to(address: String) -> Post {
    Post { address, headers: vec![("X-Test", "1".into())], body: b"{}".to_vec() }
}

/// What a request is told by a server that answers this, and how many connections the server saw.
async fn answered(networks: &str, host: &str, answer: Vec<u8>) -> (Result<Answer, OutboundError>, usize) {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = server.local_addr().unwrap().port();
    let mut seen = 0;
    let serving = async {
        loop {
            let (mut connection, _) = server.accept().await.unwrap();
            seen += 1;
            let mut request = [0; 4096];
            let _ = connection.read(&mut request).await.unwrap();
            // The client may hang up before it has read everything.
            let _ = connection.write_all(&answer).await;
            std::mem::forget(connection);
        }
    };
    let client = guarded(networks);
    let post = to(format!("http://{host}:{port}/hook?sig=1"));
    let got = tokio::select! {
        got = client.post(&post) => got,
        () = serving => unreachable!("it never ends"),
    };
    (got, seen)
}

fn refused(networks: &str, address: &str) -> Option<AddressRefusal> {
    guarded(networks).judge(address).err()
}

#[test]
fn addresses_are_judged_as_they_are_parsed() {
    use AddressRefusal::{InTheClear, Malformed, Private};
    for (address, refusal) in [
        ("https://example.com/hook?sig=1", None),
        ("https://example.com:8443/", None),
        ("https://8.8.8.8/", None),
        ("http://example.com/", Some(InTheClear)),
        ("http://8.8.8.8/", Some(InTheClear)),
        ("http://127.0.0.1/", Some(Private)),
        ("https://127.0.0.1/", Some(Private)),
        ("https://2130706433/", Some(Private)),
        ("https://0x7f.1/", Some(Private)),
        ("https://[::1]/", Some(Private)),
        ("https://[::ffff:169.254.169.254]/", Some(Private)),
        ("https://169.254.169.254/latest/meta-data", Some(Private)),
        ("https://user@example.com/", Some(Malformed)),
        ("https://:secret@example.com/", Some(Malformed)),
        ("https://example.com/#a", Some(Malformed)),
        ("file:///etc/passwd", Some(Malformed)),
        ("gopher://example.com/", Some(Malformed)),
        ("example.com/hook", Some(Malformed)),
        ("", Some(Malformed)),
    ] {
        assert_eq!(refused("", address), refusal, "{address}");
    }
    assert_eq!(refused("10.0.0.0/8", "http://10.1.1.1:5678/webhook"), None);
    assert_eq!(refused("10.0.0.0/8", "http://n8n.internal/webhook"), None, "judged when it is resolved");
    assert_eq!(refused("10.0.0.0/8", "http://8.8.8.8/"), Some(InTheClear));
    assert_eq!(refused("10.0.0.0/8", "https://192.168.0.1/"), Some(Private));
    assert!(GuardedHttp::of(&OutboundSettings { private_networks: "home".into() }).is_err());
}

/// What a name resolves to is judged where the connection is opened.
#[tokio::test]
async fn a_name_that_leads_inside_is_refused_before_anything_is_sent() {
    let (got, seen) = answered("10.0.0.0/8", "localhost", Vec::new()).await;
    assert!(matches!(got, Err(OutboundError::Refused(AddressRefusal::Private))), "{got:?}");
    assert_eq!(seen, 0);
    let got = guarded("").post(&to("https://localhost:1/".into())).await;
    assert!(matches!(got, Err(OutboundError::Refused(AddressRefusal::Private))), "{got:?}");
}

#[tokio::test]
async fn an_opened_network_is_reached_and_redirects_are_not_followed() {
    let answer =
        "HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:1/\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nok";
    for host in ["127.0.0.1", "localhost"] {
        let (got, seen) = answered("127.0.0.1, ::1", host, answer.into()).await;
        assert_eq!(got.unwrap(), Answer { status: 307, retry_after: Some(7), body: b"ok".to_vec() });
        assert_eq!(seen, 1);
    }
}

#[tokio::test]
async fn no_more_than_a_bounded_answer_is_read() {
    let mut answer = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n".to_vec();
    answer.resize(answer.len() + MOST_OF_AN_ANSWER * 2, b'x');
    let (got, _) = answered("127.0.0.1", "127.0.0.1", answer).await;
    assert_eq!(got.unwrap().body.len(), MOST_OF_AN_ANSWER);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_never_ends_is_given_up_and_its_status_counts() {
    let begun = tokio::time::Instant::now();
    let (got, _) =
        answered("127.0.0.1", "127.0.0.1", b"HTTP/1.1 204 OK\r\nContent-Length: 9\r\n\r\nhal".into()).await;
    // An answer without a body has none, whatever it says of its length.
    assert_eq!(got.unwrap().body, b"");
    let (got, _) =
        answered("127.0.0.1", "127.0.0.1", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal".into()).await;
    assert_eq!((got.as_ref().unwrap().status, got.unwrap().body), (200, b"hal".to_vec()));
    let (got, _) = answered("127.0.0.1", "127.0.0.1", Vec::new()).await;
    let Err(OutboundError::Unavailable(why)) = got else { panic!("{got:?}") };
    assert!(!format!("{why:?}").contains("sig="), "addresses may hold secrets: {why:?}");
    assert!(begun.elapsed() <= IN_TIME * 3);
}
