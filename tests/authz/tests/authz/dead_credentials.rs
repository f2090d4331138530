//! Credentials that no longer work, on the routes that need none: they count as none.

use http::{Request, StatusCode, header};
use svc_authz::rows;
use svc_authz::who::ANYONE;
use svc_authz::world::{Open, World};
use svc_testkit::{Reply, send};

/// How a browser or a program presents a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Cookie,
    Bearer,
}

const SHOWN: [Shown; 2] = [Shown::Cookie, Shown::Bearer];

async fn ask(
    world: &World,
    open: &Open,
    row: &rows::Row,
    (shown, secret): (Shown, &str),
    key: Option<&str>,
) -> Reply {
    let (name, value) = match shown {
        Shown::Cookie => (header::COOKIE, format!("{}={secret}", svc_http::SESSION_COOKIE)),
        Shown::Bearer => (header::AUTHORIZATION, format!("Bearer {secret}")),
    };
    let mut request = Request::builder()
        .method(row.method.clone())
        .uri(format!("/api/v1{}", world.path(row)))
        .header(name, value)
        .header(svc_http::REQUEST_HEADER, "1");
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let body = world.body(row).map(|body| body.to_string());
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    send(&open.router, request.body(body.unwrap_or_default().into()).expect("a request")).await
}

/// What the answer does to the session cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cookie {
    Left,
    Removed,
    Opened,
}

fn cookie(reply: &Reply) -> Cookie {
    let name = format!("{}=", svc_http::SESSION_COOKIE);
    let mut sent = reply.headers.get_all(header::SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    match sent.find_map(|value| value.strip_prefix(&name)) {
        None => Cookie::Left,
        Some(value) if value.starts_with("; Path=/; Max-Age=0;") => Cookie::Removed,
        Some(_) => Cookie::Opened,
    }
}

#[tokio::test]
async fn a_dead_credential_counts_as_none_where_none_is_needed() {
    let world = World::new().await;
    let mut wrong = Vec::new();
    for row in rows::all().into_iter().filter(|row| row.who == ANYONE) {
        let expected = world.ask(&world.open(), &row, None).await;
        for (shown, secret) in
            SHOWN.into_iter().flat_map(|shown| [(shown, "svs_none"), (shown, &*world.session)])
        {
            for key in [None, Some("k")] {
                let open = world.open();
                open.kit.expire(&world.session).await;
                let reply = ask(&world, &open, &row, (shown, secret), key).await;
                if (reply.status, reply.problem()) != (expected.status, expected.problem()) {
                    wrong.push(format!("{} {shown:?} {key:?}: {} {}", row.name(), reply.status, reply.text));
                }
                let signs_in = row.path.starts_with("/auth/") && row.changes();
                let expected = match cookie(&expected) {
                    Cookie::Left if shown == Shown::Cookie && signs_in => Cookie::Removed,
                    other => other,
                };
                if cookie(&reply) != expected {
                    let cookie = cookie(&reply);
                    wrong.push(format!("{} {shown:?} {key:?}: the cookie is {cookie:?}", row.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_dead_cookie_is_removed_where_sessions_are_changed_and_nowhere_else() {
    let world = World::new().await;
    let open = world.open();
    for row in rows::all().into_iter().filter(|row| row.who != ANYONE) {
        for key in [None, Some("k")] {
            let reply = ask(&world, &open, &row, (Shown::Cookie, "svs_none"), key).await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{}", row.name());
            let of_sessions = row.path.starts_with("/auth/") && row.changes();
            let expected = if of_sessions { Cookie::Removed } else { Cookie::Left };
            assert_eq!(cookie(&reply), expected, "{}", row.name());
        }
    }
}

/// A sibling subdomain, or a path, may have set the other.
#[tokio::test]
async fn of_two_cookies_none_is_removed() {
    let world = World::new().await;
    let open = world.open();
    let two = format!("svs_none; {}={}", svc_http::SESSION_COOKIE, world.session);
    for row in rows::all().into_iter().filter(|row| row.path.starts_with("/auth/") && row.changes()) {
        let reply = ask(&world, &open, &row, (Shown::Cookie, &two), None).await;
        assert_ne!(cookie(&reply), Cookie::Removed, "{}: {}", row.name(), reply.text);
    }
}

#[tokio::test]
async fn a_session_that_works_keeps_its_cookie() {
    let world = World::new().await;
    for row in rows::all().into_iter().filter(|row| row.who == ANYONE) {
        let reply = ask(&world, &world.open(), &row, (Shown::Cookie, &world.session), None).await;
        assert_ne!(cookie(&reply), Cookie::Removed, "{}: {}", row.name(), reply.text);
    }
}
