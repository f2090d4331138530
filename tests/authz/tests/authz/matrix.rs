//! The matrix. Refusals are asked in one world, where they change nothing; each permitted change gets a copy
//! of its own.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use http::StatusCode;
use serde_json::{Value, json};
use svc_authz::rows::{self, Row};
use svc_authz::who::{ANYONE, CALLERS, Caller, Cell, HAND_IN};
use svc_authz::world::{Open, World, places};
use svc_domain::identity::Scope;
use svc_testkit::Reply;

/// What was not as it should be, all of it, so that one run shows the whole.
#[derive(Default)]
struct Findings(String);

impl Findings {
    fn expect(&mut self, row: &Row, who: &str, reply: &Reply, expected: (StatusCode, &str)) {
        if (reply.status, reply.problem()) != expected {
            let (status, problem) = expected;
            let _ = writeln!(
                self.0,
                "{} as {who}: expected {} {problem}, answered {} {}",
                row.name(),
                status.as_u16(),
                reply.status.as_u16(),
                reply.text
            );
        }
    }

    /// What those who may are answered.
    fn expect_permitted(&mut self, row: &Row, who: &str, reply: &Reply) {
        match row.answers {
            Some((status, problem)) => {
                let status = StatusCode::from_u16(status).expect("a status");
                self.expect(row, who, reply, (status, problem));
            }
            None if reply.status.is_success() => {}
            None => {
                let _ = writeln!(self.0, "{} as {who}: refused: {} {}", row.name(), reply.status, reply.text);
            }
        }
    }

    fn assert_none(&self) {
        assert!(self.0.is_empty(), "{}", self.0);
    }
}

/// A world to ask a permitted operation in: its own where it changes something.
fn place<'a>(world: &World, shared: &'a Open, row: &Row, own: &'a mut Option<Open>) -> &'a Open {
    if row.changes() { own.insert(world.open()) } else { shared }
}

#[test]
fn every_route_has_its_row_and_every_row_its_route() {
    let document = serde_json::to_value(svc_local::areas().1).unwrap();
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let Some(path) = path.strip_prefix("/api/v1") else { continue };
        for method in ["get", "post", "put", "patch", "delete"] {
            if operations.get(method).is_some() {
                documented.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    let rows = rows::all();
    let named: BTreeSet<String> = rows.iter().map(Row::name).collect();
    assert_eq!(named.len(), rows.len(), "an operation has two rows");
    let missing: Vec<_> = documented.difference(&named).collect();
    assert!(
        missing.is_empty(),
        "routes without a row: {missing:#?}\nAdd to tests/authz/src/rows/<area>.rs, for each: \
         Row::new(\"METHOD /path\", WHO, SCOPE).body(json!(what those who may could send))"
    );
    let unknown: Vec<_> = named.difference(&documented).collect();
    assert!(unknown.is_empty(), "rows without a route: {unknown:#?}");
}

#[test]
fn the_document_names_the_scope_that_each_route_needs() {
    let document = serde_json::to_value(svc_local::areas().1).unwrap();
    for row in rows::all() {
        let operation =
            &document["paths"][format!("/api/v1{}", row.path)][row.method.as_str().to_lowercase()];
        let schemes = operation["security"].as_array().cloned().unwrap_or_default();
        let documented: Vec<&str> = schemes
            .iter()
            .filter_map(|scheme| scheme.get("token"))
            .flat_map(|scopes| scopes.as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        let needed: Vec<&str> = row.scope.iter().map(|scope| scope.as_str()).collect();
        assert_eq!(
            documented,
            needed,
            "{}: document a scope other than read (GET) or write with `svc_http::doc::scope`",
            row.name()
        );
        let nobody_is_asked = schemes.is_empty() || schemes.contains(&json!({}));
        assert_eq!(nobody_is_asked, row.who == ANYONE, "{}", row.name());
    }
}

#[tokio::test]
async fn every_caller_is_answered_as_the_table_says() {
    let world = World::new().await;
    let shared = world.open();
    let mut findings = Findings::default();
    for row in rows::all() {
        for (caller, cell) in CALLERS.into_iter().zip(row.who.cells) {
            let who = format!("{caller:?}");
            if let Some(refusal) = cell.refusal() {
                let reply = world.ask(&shared, &row, Some(world.token(caller))).await;
                findings.expect(&row, &who, &reply, refusal);
            } else {
                let mut own = None;
                let open = place(&world, &shared, &row, &mut own);
                let reply = world.ask(open, &row, Some(world.token(caller))).await;
                findings.expect_permitted(&row, &who, &reply);
            }
        }
    }
    findings.assert_none();
}

#[tokio::test]
async fn without_a_valid_credential_nothing_is_answered() {
    let world = World::new().await;
    let open = world.open();
    let mut findings = Findings::default();
    for row in rows::all().into_iter().filter(|row| row.who != ANYONE) {
        for (who, token) in [("nobody", None), ("a wrong secret", Some("svp_wrong"))] {
            let reply = world.ask(&open, &row, token).await;
            findings.expect(&row, who, &reply, (StatusCode::UNAUTHORIZED, "unauthenticated"));
        }
    }
    let expired = world.owner_with(&open, Scope::ALL).await;
    open.kit.expire(&expired).await;
    for row in rows::all().into_iter().filter(|row| row.who != ANYONE) {
        let reply = world.ask(&open, &row, Some(&expired)).await;
        findings.expect(&row, "an expired token", &reply, (StatusCode::UNAUTHORIZED, "unauthenticated"));
    }
    findings.assert_none();
}

#[tokio::test]
async fn each_route_needs_its_scope_and_no_other() {
    let world = World::new().await;
    let shared = world.open();
    let mut findings = Findings::default();
    for row in rows::all() {
        let Some(scope) = row.scope else { continue };
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
        let lacking = world.owner_with(&shared, &others).await;
        let reply = world.ask(&shared, &row, Some(&lacking)).await;
        let who = format!("the Owner without the scope {scope}");
        findings.expect(&row, &who, &reply, (StatusCode::FORBIDDEN, "missing-scope"));
        if row.who == HAND_IN {
            continue;
        }
        let mut own = None;
        let open = place(&world, &shared, &row, &mut own);
        let having = world.owner_with(open, &[scope]).await;
        let reply = world.ask(open, &row, Some(&having)).await;
        findings.expect_permitted(&row, &format!("the Owner with the scope {scope} alone"), &reply);
    }
    findings.assert_none();
}

#[tokio::test]
async fn frozen_places_are_read_and_not_changed() {
    let world = World::new().await;
    let (read_only, archived) = (world.open_read_only(), world.open_archived());
    let mut findings = Findings::default();
    let owner = world.token(Caller::Owner);
    for row in rows::all().into_iter().filter(|row| row.who.cells[0] == Cell::Yes && row.who != ANYONE) {
        if row.who.in_org {
            let reply = world.ask(&read_only, &row, Some(owner)).await;
            let refusal = (StatusCode::FORBIDDEN, "organization-read-only");
            findings.expect(&row, "the Owner, read-only organization", &reply, refusal);
        }
        if row.who.in_project {
            let reply = world.ask(&archived, &row, Some(owner)).await;
            let refusal = (StatusCode::CONFLICT, "project-archived");
            findings.expect(&row, "the Owner, archived project", &reply, refusal);
        }
        if !row.changes() {
            for (who, open) in [("read-only organization", &read_only), ("archived project", &archived)] {
                let reply = world.ask(open, &row, Some(owner)).await;
                findings.expect_permitted(&row, who, &reply);
            }
        }
    }
    findings.assert_none();
}

#[tokio::test]
async fn a_cookie_changes_nothing_without_the_header() {
    let world = World::new().await;
    let shared = world.open();
    let mut findings = Findings::default();
    for row in rows::all().into_iter().filter(|row| row.who != ANYONE && row.who.cells[0] == Cell::Yes) {
        if row.changes() {
            let reply = world.ask_as_browser(&shared, &row, false).await;
            let refusal = (StatusCode::FORBIDDEN, "missing-request-header");
            findings.expect(&row, "a session without the header", &reply, refusal);
        }
        // Those that answer a session otherwise than a token.
        if [
            "POST /auth/logout",
            "POST /auth/refresh",
            "GET /code-host/callback",
            "POST /me/push-subscriptions",
        ]
        .contains(&row.name().as_str())
        {
            continue;
        }
        let mut own = None;
        let open = place(&world, &shared, &row, &mut own);
        let reply = world.ask_as_browser(open, &row, true).await;
        findings.expect_permitted(&row, "a session with the header", &reply);
    }
    findings.assert_none();
}

#[tokio::test]
async fn what_is_hidden_answers_byte_for_byte_as_what_does_not_exist() {
    let world = World::new().await;
    let open = world.open();
    let mut answers = BTreeSet::new();
    for row in rows::all() {
        for (caller, cell) in CALLERS.into_iter().zip(row.who.cells) {
            if cell == Cell::Hidden {
                let reply = world.ask(&open, &row, Some(world.token(caller))).await;
                answers.insert((reply.snapshot(), reply.text.len()));
            }
        }
        if row.who == HAND_IN {
            continue;
        }
        let named = places(row.path).filter(|(place, _)| place.ends_with('}') && place != "orgs/{slug}");
        let by = if row.who.cells[0] == Cell::Yes { Caller::Owner } else { Caller::Runner };
        for (place, _) in named {
            let path = world.path_without(&row, &place);
            let reply = svc_testkit::call(
                &open.router,
                row.method.clone(),
                &path,
                Some(world.token(by)),
                world.body(&row),
            )
            .await;
            if reply.status == StatusCode::NOT_FOUND {
                answers.insert((reply.snapshot(), reply.text.len()));
            } else {
                assert!(reply.status.is_success(), "{} for {path}: {}", row.name(), reply.text);
            }
        }
    }
    assert_eq!(answers.len(), 1, "{answers:#?}");
}
