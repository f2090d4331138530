//! The client against a stub on the loopback: what it sends, what it repeats, what it makes of answers.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

use std::future::IntoFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use svc_api::factory::{Harness, RunStatus, StartRun};
use svc_api::runner::{Heartbeat, Take};
use svc_api::tracker::{ExportQuery, ItemQuery, UpdateItem};
use svc_client::{Client, ClientBuilder, Deprecation, Error, Notice, Retry, SecretString};

/// A request as the stub saw it.
#[derive(Clone, Debug)]
struct Seen {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

type Answer = Arc<dyn Fn(usize) -> Response + Send + Sync>;

/// Answers every request with `answer(how many came before)`.
struct Stub {
    url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Stub {
    async fn start(answer: impl Fn(usize) -> Response + Send + Sync + 'static) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let state: (Arc<Mutex<Vec<Seen>>>, Answer) = (Arc::clone(&seen), Arc::new(answer));
        let app = Router::new().fallback(record).with_state(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, app).into_future());
        Self { url, seen }
    }

    fn builder(&self) -> ClientBuilder {
        Client::builder(&self.url, "test/1").token(SecretString::from("s3cret")).retry(QUICK)
    }

    fn client(&self) -> Client {
        self.builder().build().unwrap()
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().clone()
    }
}

async fn record(
    State((seen, answer)): State<(Arc<Mutex<Vec<Seen>>>, Answer)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let before = {
        let mut seen = seen.lock();
        seen.push(Seen { method, uri, headers });
        seen.len() - 1
    };
    answer(before)
}

const QUICK: Retry =
    Retry { attempts: 3, first_pause: Duration::from_millis(1), longest_pause: Duration::from_secs(2) };

fn json(status: StatusCode, body: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn problem(status: StatusCode, body: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response()
}

const ME: &str = r#"{"id":"u1","displayName":"Ada","agent":false,"scopes":["read"],"organizations":[]}"#;

#[tokio::test]
async fn a_call_carries_the_token_and_who_asks() {
    let stub = Stub::start(|_| json(StatusCode::OK, ME)).await;
    assert_eq!(stub.client().me().await.unwrap().display_name, "Ada");
    let seen = stub.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].uri.path()), ("GET", "/api/v1/me"));
    assert_eq!(seen[0].headers[header::AUTHORIZATION], "Bearer s3cret");
    assert_eq!(seen[0].headers[header::USER_AGENT], "test/1");
}

#[tokio::test]
async fn a_query_leaves_out_what_is_not_asked() {
    let page = r#"{"page":2,"pageSize":50,"totalCount":51,"items":[]}"#;
    let stub = Stub::start(move |_| json(StatusCode::OK, page)).await;
    let query =
        ItemQuery { filter: Some("label:bug+ui type:task".into()), page: Some(2), ..ItemQuery::default() };
    let page = stub.client().org("demo").items("PRJ", &query).await.unwrap();
    assert_eq!((page.page, page.total_count), (2, 51));
    let uri = stub.seen()[0].uri.to_string();
    assert_eq!(uri, "/api/v1/orgs/demo/projects/PRJ/items?filter=label%3Abug%2Bui+type%3Atask&page=2");
}

#[tokio::test]
async fn a_refusal_is_a_problem_with_its_fields() {
    let body = r#"{"type":"validation-failed","title":"Some fields are wrong.","status":400,"traceId":"t1",
        "errors":{"title":["is empty"]},"somethingNew":1}"#;
    let stub = Stub::start(move |_| problem(StatusCode::BAD_REQUEST, body)).await;
    let error = stub.client().me().await.unwrap_err();
    assert_eq!(error.status(), Some(400));
    assert!(error.is_problem("validation-failed"));
    assert_eq!(error.to_string(), "Some fields are wrong; title: is empty");
    assert_eq!(stub.seen().len(), 1, "a refusal is not asked again");
}

#[tokio::test]
async fn another_programs_page_is_told_from_a_problem() {
    let stub = Stub::start(|_| (StatusCode::NOT_FOUND, "Not here").into_response()).await;
    let error = stub.client().me().await.unwrap_err();
    assert!(
        matches!(&error, Error::Unexpected { status: 404, detail } if detail.contains("Not here")),
        "{error}"
    );

    // A page for browsers is named, not quoted.
    let page = "<html>Not here</html>";
    let told = |detail: &str| detail.contains("a web page") && !detail.contains("Not here");
    let stub = Stub::start(move |_| (StatusCode::NOT_FOUND, page).into_response()).await;
    let error = stub.client().me().await.unwrap_err();
    assert!(matches!(&error, Error::Unexpected { status: 404, detail } if told(detail)), "{error}");

    let stub = Stub::start(move |_| page.into_response()).await;
    let error = stub.client().me().await.unwrap_err();
    assert!(matches!(&error, Error::Unexpected { status: 200, detail } if told(detail)), "{error}");
}

#[tokio::test]
async fn answers_may_grow() {
    let run = r#"{"id":"r1","organization":"demo","project":"PRJ","item":"PRJ-1","kind":"rehearse",
        "status":"paused","agent":{"id":"a","name":"bot"},"playbook":{"id":"p","name":"Fix"},
        "harness":"harness_9","requestedBy":{"id":"u","name":"Ada","agent":false},"branch":"b",
        "deliveryMode":"carrierPigeon","queuedAt":"2026-01-01T00:00:00Z","version":1,"mood":"good"}"#;
    let stub = Stub::start(move |_| json(StatusCode::OK, run)).await;
    let run = stub.client().run("r1").await.unwrap();
    assert_eq!((run.status, run.harness), (RunStatus::Unknown, Harness::Unknown));
}

#[tokio::test]
async fn a_read_is_repeated_while_the_instance_is_away() {
    let stub = Stub::start(|before| match before {
        0 => StatusCode::BAD_GATEWAY.into_response(),
        1 => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        2 => StatusCode::GATEWAY_TIMEOUT.into_response(),
        _ => json(StatusCode::OK, ME),
    })
    .await;
    stub.client().me().await.unwrap();
    assert_eq!(stub.seen().len(), 4);
}

#[tokio::test]
async fn a_read_is_given_up_after_its_attempts() {
    let stub = Stub::start(|_| StatusCode::SERVICE_UNAVAILABLE.into_response()).await;
    assert_eq!(stub.client().me().await.unwrap_err().status(), Some(503));
    assert_eq!(stub.seen().len(), 4);
}

#[tokio::test]
async fn a_server_error_is_not_asked_again() {
    let stub = Stub::start(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()).await;
    assert_eq!(stub.client().me().await.unwrap_err().status(), Some(500));
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn a_change_that_may_have_happened_is_not_sent_again() {
    let stub = Stub::start(|_| StatusCode::SERVICE_UNAVAILABLE.into_response()).await;
    let client = stub.client();
    client.org("demo").update_item("PRJ-1", &UpdateItem::default()).await.unwrap_err();
    client.org("demo").start_run("PRJ-1", &StartRun::default()).await.unwrap_err();
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn a_post_with_an_idempotency_key_is_repeated_under_the_same_key() {
    let stub = Stub::start(|_| StatusCode::SERVICE_UNAVAILABLE.into_response()).await;
    let keys = AtomicUsize::new(0);
    let source = move || format!("key-{}", keys.fetch_add(1, Ordering::Relaxed));
    let client = stub.builder().idempotency_keys(source).build().unwrap();
    client.org("demo").start_run("PRJ-1", &StartRun::default()).await.unwrap_err();
    client.org("demo").release("PRJ-1").await.unwrap_err();
    let keys: Vec<_> = stub.seen().iter().map(|seen| seen.headers["idempotency-key"].clone()).collect();
    assert_eq!(keys, ["key-0", "key-0", "key-0", "key-0", "key-1", "key-1", "key-1", "key-1"]);
}

#[tokio::test]
async fn an_attempt_still_at_work_under_the_key_is_waited_for() {
    let busy = r#"{"type":"request-in-progress","title":"Still at work","status":409}"#;
    let taken = r#"{"type":"live-run-exists","title":"Taken","status":409,"runId":"r9"}"#;
    let stub = Stub::start(move |before| match before {
        0 => StatusCode::BAD_GATEWAY.into_response(),
        1 => problem(StatusCode::CONFLICT, busy),
        _ => problem(StatusCode::CONFLICT, taken),
    })
    .await;
    let client = stub.builder().idempotency_keys(|| "key".to_owned()).build().unwrap();
    let error = client.org("demo").start_run("PRJ-1", &StartRun::default()).await.unwrap_err();
    assert_eq!(error.problem().and_then(|problem| problem.run_id.as_deref()), Some("r9"));
    assert_eq!(stub.seen().len(), 3);
}

#[tokio::test]
async fn a_runners_calls_are_repeated() {
    let stub = Stub::start(|before| match before {
        0 => StatusCode::BAD_GATEWAY.into_response(),
        _ => json(StatusCode::OK, r#"{"cancel":true}"#),
    })
    .await;
    let reply = stub
        .client()
        .runner()
        .heartbeat("r1", &Heartbeat { fence: 3, wait_seconds: None, tokens: None, cost: None })
        .await
        .unwrap();
    assert!(reply.cancel);
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn taking_nothing_is_no_error() {
    let stub = Stub::start(|_| StatusCode::NO_CONTENT.into_response()).await;
    let take = Take { harnesses: vec![Harness::Harness1], wait_seconds: 0, request_id: "q1".into() };
    assert!(stub.client().runner().take(&take).await.unwrap().is_none());
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_even_by_a_change() {
    let stub = Stub::start(|before| match before {
        0 => (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")]).into_response(),
        _ => json(StatusCode::NOT_FOUND, r#"{"type":"not-found","title":"Not found","status":404}"#),
    })
    .await;
    let notices = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&notices);
    let client = stub.builder().on_notice(move |notice| sink.lock().push(notice.clone())).build().unwrap();
    let error = client.org("demo").update_item("PRJ-1", &UpdateItem::default()).await.unwrap_err();
    assert_eq!((error.status(), stub.seen().len()), (Some(404), 2));
    let notices = notices.lock();
    assert!(
        matches!(&notices[..], [Notice::Retrying { pause, .. }] if *pause >= Duration::from_secs(1)),
        "{notices:?}"
    );
}

#[tokio::test]
async fn a_rate_limit_longer_than_the_patience_is_told_at_once() {
    let answer = |_| (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "3600")]).into_response();
    let stub = Stub::start(answer).await;
    assert_eq!(stub.client().me().await.unwrap_err().status(), Some(429));
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn nobody_listening_is_a_network_error_that_names_the_address() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = Client::builder(&url, "test/1").retry(QUICK).build().unwrap().me().await.unwrap_err();
    assert!(matches!(&error, Error::Network(network) if network.never_sent), "{error:?}");
    assert!(error.to_string().starts_with(&format!("cannot reach {url}: ")), "{error}");
    assert!(error.to_string().contains("refused"), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Stub::start(|_| json(StatusCode::OK, ME)).await;
    let target = format!("{}/api/v1/me", elsewhere.url);
    let location = target.clone();
    let stub = Stub::start(move |_| {
        (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location.clone())]).into_response()
    })
    .await;
    let error = stub.client().me().await.unwrap_err();
    assert!(
        matches!(&error, Error::Unexpected { status: 308, detail } if detail.contains(&target)),
        "{error}"
    );
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_moved_address_of_the_same_instance_is_followed_with_the_same_request() {
    let stub = Stub::start(|before| match before {
        0 => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "/api/v1/orgs/demo/items/WEB-7")])
            .into_response(),
        _ => StatusCode::NO_CONTENT.into_response(),
    })
    .await;
    stub.client().org("demo").delete_item("PRJ-1").await.unwrap();
    let seen = stub.seen();
    let asked: Vec<_> = seen.iter().map(|request| (request.method.as_str(), request.uri.path())).collect();
    let paths = ["/api/v1/orgs/demo/items/PRJ-1", "/api/v1/orgs/demo/items/WEB-7"];
    assert_eq!(asked, paths.map(|path| ("DELETE", path)));
    assert_eq!(seen[0].headers[header::AUTHORIZATION], seen[1].headers[header::AUTHORIZATION]);
}

#[tokio::test]
async fn a_large_export_takes_as_long_as_it_comes() {
    let stub = Stub::start(|_| {
        // The second piece comes after any patience with an answer that is read as a whole.
        let pieces = futures::stream::unfold(0, |sent| async move {
            match sent {
                0 => Some((Ok::<_, std::convert::Infallible>("key,title\n"), 1)),
                1 => {
                    tokio::time::sleep(Duration::from_secs(100)).await;
                    Some((Ok("PRJ-1,Search\n"), 2))
                }
                _ => None,
            }
        });
        ([(header::CONTENT_TYPE, "text/csv")], Body::from_stream(pieces)).into_response()
    })
    .await;
    let client = stub.client();
    let mut table = client.org("demo").items_csv("PRJ", &ExportQuery::default()).await.unwrap();
    assert_eq!(table.piece().await.unwrap().unwrap(), "key,title\n");
    // From here on the clock goes to the next moment at which something happens.
    tokio::time::pause();
    assert_eq!(table.piece().await.unwrap().unwrap(), "PRJ-1,Search\n");
    assert_eq!(table.piece().await.unwrap(), None);
}

#[tokio::test]
async fn a_deprecation_is_told_once_for_each_path() {
    let answer = |_| {
        let headers = [
            ("content-type", "application/problem+json"),
            ("deprecation", "true"),
            ("sunset", "Sat, 01 May 2027 00:00:00 GMT"),
            ("link", "</runs?page=2>; rel=\"next\", </docs#runs>; rel=\"deprecation\""),
        ];
        (StatusCode::NOT_FOUND, headers, r#"{"type":"not-found","title":"Not found","status":404}"#)
            .into_response()
    };
    let stub = Stub::start(answer).await;
    let notices = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&notices);
    let client = stub.builder().on_notice(move |notice| sink.lock().push(notice.clone())).build().unwrap();
    for id in ["r1", "r2", "r1"] {
        client.run(id).await.unwrap_err();
    }
    let expected = Deprecation {
        endpoint: "GET /api/v1/runs/{}".into(),
        sunset: Some("Sat, 01 May 2027 00:00:00 GMT".into()),
        link: Some(format!("{}/docs#runs", stub.url)),
    };
    assert_eq!(*notices.lock(), [Notice::Deprecated(expected)]);
}

#[test]
fn a_token_never_crosses_a_network_in_the_clear_unless_allowed() {
    let token = || SecretString::from("s3cret");
    let build = |url: &str| Client::new(url, Some(token()), "test/1");
    for url in ["http://tracker.example", "http://10.0.0.1:8080", "http://127.0.0.1.example", "http://[::2]"]
    {
        let error = build(url).unwrap_err();
        assert!(error.to_string().contains("in the clear"), "{url}: {error}");
        assert!(
            Client::new(url, None, "test/1").is_ok(),
            "{url}: without a token there is nothing to protect"
        );
        assert!(
            Client::builder(url, "test/1").token(token()).allow_plain_http(true).build().is_ok(),
            "{url}"
        );
    }
    for url in
        ["https://tracker.example", "http://localhost:8080/", "http://127.0.0.1:8080", "http://[::1]:1"]
    {
        assert!(build(url).is_ok(), "{url}");
    }
}

#[test]
fn what_is_not_an_address_is_refused() {
    for url in ["", "tracker.example", "ftp://x", "https://", "https://u:p@x", "https://x?y", "https://x#y"] {
        assert!(matches!(Client::new(url, None, "test/1"), Err(Error::Unsendable(_))), "{url:?}");
    }
}

#[test]
fn nothing_shows_the_token() {
    let client =
        Client::new("https://tracker.example/", Some(SecretString::from("s3cret")), "test/1").unwrap();
    assert_eq!(client.base_url(), "https://tracker.example");
    assert!(!format!("{client:?}").contains("s3cret"));
    let error =
        Client::new("https://tracker.example", Some(SecretString::from("s3cret\n")), "test/1").unwrap_err();
    assert!(!error.to_string().contains("s3cret"), "{error}");
}

#[tokio::test]
async fn an_argument_cannot_reach_another_route() {
    let stub = Stub::start(|_| json(StatusCode::OK, ME)).await;
    assert!(matches!(stub.client().run("..").await, Err(Error::Unsendable(_))));
    assert!(stub.seen().is_empty());
}
