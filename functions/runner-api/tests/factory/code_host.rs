//! Repositories at a code host: connecting an organization, naming a project's repository, and the credentials of
//! runs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::ports::Clock as _;
use svc_boot::{AppCodeHost, Config};
use svc_code_host::LoopbackHost;
use svc_domain::code_host::InstallationId;
use svc_domain::identity::OrgRole;
use svc_storage::{Condition, Op, keys};
use svc_testkit::{Reply, TestApp, scopes, send};
use tempfile::TempDir;

use crate::stage::{Machine, Stage};

const SETTINGS: &str = "/orgs/demo/projects/PRJ/factory-settings";
const CODE_HOST: &str = "/orgs/demo/code-host";

struct World {
    stage: Stage,
    host: LoopbackHost,
    /// Session of the Owner.
    session: String,
    _repositories: TempDir,
}

impl World {
    /// An instance with a code host, where ada owns acme, which installed the app for acme/greeter.
    async fn new() -> Self {
        let kit = TestApp::new();
        let repositories = tempfile::tempdir().unwrap();
        let clock = kit.clock.clone();
        let host = LoopbackHost::start(repositories.path(), move || clock.now()).await;
        host.install(77, "acme", &["greeter"]);
        host.own("ada", "acme");
        let settings = Config::read("settings", "", host.settings()).unwrap().code_host;
        let adapter = AppCodeHost::of(&settings).unwrap().expect("there is a code host");
        let stage = Stage::on(kit.with_code_host(Arc::new(adapter))).await;
        let owner = stage.kit.user(&stage.org, "eva@example.com", OrgRole::Owner, false).await;
        let session = stage.kit.session(owner).await;
        let owner = stage.kit.token(owner, scopes(), None).await;
        let stage = Stage { owner, ..stage };
        Self { stage, host, session, _repositories: repositories }
    }

    /// The same, with the organization connected with acme.
    async fn connected() -> Self {
        let world = World::new().await;
        let back = world.depart(json!({})).await;
        assert_eq!(world.arrive(&back, &world.session).await.status, StatusCode::SEE_OTHER);
        world
    }

    /// The same, with acme/greeter as the project's repository.
    async fn configured() -> Self {
        let world = Self::connected().await;
        world.configure(json!({"repositorySource": "codeHost", "repository": "acme/greeter"})).await.is(200);
        world
    }

    /// Begins to connect; the path that ada comes back to after installing the app in acme.
    async fn depart(&self, body: Value) -> String {
        let begun = self.stage.post_as(&self.stage.owner, CODE_HOST, body).await;
        self.host.come_back(begun["installUrl"].as_str().unwrap(), "ada", 77)
    }

    async fn arrive(&self, path: &str, session: &str) -> Reply {
        let request = Request::get(format!("/api/v1{path}"))
            .header(header::HOST, "localhost")
            .header(header::COOKIE, format!("svc.at={session}"));
        send(&self.stage.router, request.body(axum::body::Body::empty()).unwrap()).await
    }

    async fn view(&self) -> Value {
        self.stage.get(CODE_HOST, &self.stage.owner).await.json
    }

    /// Changes the project's factory settings as they are now.
    async fn configure(&self, mut change: Value) -> Reply {
        let now = self.stage.get(SETTINGS, &self.stage.owner).await.json;
        change["version"] = now["version"].clone();
        self.stage.call(Method::PATCH, SETTINGS, &self.stage.owner, Some(change)).await
    }

    async fn ask_credential(&self, machine: &Machine, run: &str, fence: u64) -> Reply {
        self.stage.say(machine, run, "credential", json!({"fence": fence})).await
    }
}

fn detail(reply: &Reply) -> (u16, &str) {
    (reply.status.as_u16(), reply.json["detail"].as_str().unwrap_or_default())
}

/// Whether a text is in any file of a directory.
fn is_in(directory: &Path, text: &str) -> bool {
    std::fs::read_dir(directory).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_in(&path, text);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

#[tokio::test]
async fn an_organization_is_connected_with_an_account_and_disconnected() {
    let world = World::new().await;
    let none = world.view().await;
    assert_eq!((&none["available"], &none["connection"]), (&json!(true), &Value::Null));
    let back = world.depart(json!({"returnTo": "/o/demo/settings"})).await;
    let (_, state) = back.split_once("state=").unwrap();
    assert!(!is_in(world.stage.kit.directory(), state), "what finishes an attempt is not stored");
    let arrived = world.arrive(&back, &world.session).await;
    assert_eq!((arrived.status, arrived.header("location")), (StatusCode::SEE_OTHER, "/o/demo/settings"));
    let seen = world.view().await;
    assert_eq!(seen["connection"]["account"], "acme");
    assert_eq!(seen["connection"]["connectedBy"]["agent"], false);
    assert!(seen["connection"]["connectedAt"].is_string());
    let again = world.stage.post(CODE_HOST, &world.stage.owner, json!({})).await;
    assert_eq!(again.problem(), "conflict", "one connection of one organization");
    for _ in 0..2 {
        let gone = world.stage.call(Method::DELETE, CODE_HOST, &world.stage.owner, None).await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(world.view().await["connection"], Value::Null);
    let back = world.depart(json!({})).await;
    assert_eq!(
        world.arrive(&back, &world.session).await.header("location"),
        "/",
        "the installation is free again"
    );
}

#[tokio::test]
async fn an_attempt_counts_once_in_a_session_of_who_began_it() {
    let world = World::new().await;
    let stage = &world.stage;
    let colleague = stage.kit.user(&stage.org, "finn@example.com", OrgRole::Admin, false).await;
    let colleague = stage.kit.session(colleague).await;
    let back = world.depart(json!({})).await;
    let stale = "This attempt has expired or belongs to somebody else; connect again.";
    assert_eq!(detail(&world.arrive(&back, &colleague).await), (409, stale));
    assert_eq!(stage.get(&back, &stage.owner).await.problem(), "forbidden", "a token is no browser");
    let forged = back.replace("state=svh_", "state=svh_x");
    assert_eq!(detail(&world.arrive(&forged, &world.session).await), (409, stale));
    let without = back.split_once("&state").unwrap().0;
    assert_eq!(detail(&world.arrive(without, &world.session).await), (409, stale));
    assert_eq!(world.arrive(&back, &world.session).await.status, StatusCode::SEE_OTHER);
    assert_eq!(detail(&world.arrive(&back, &world.session).await), (409, stale));

    let world = World::new().await;
    let back = world.depart(json!({})).await;
    world.stage.kit.advance(SignedDuration::from_mins(31));
    assert_eq!(detail(&world.arrive(&back, &world.session).await), (409, stale), "half an hour");
}

#[tokio::test]
async fn an_installation_is_believed_only_of_who_governs_its_account() {
    let world = World::new().await;
    world.host.install(78, "victim", &["vault"]);
    world.host.facts().readers.insert(("ada".into(), "victim".into()));
    for (person, installation, why) in [
        ("ada", 78, "who may merely read there"),
        ("eve", 77, "a stranger"),
        ("ada", 79, "an installation that is none"),
    ] {
        let begun = world.stage.post_as(&world.stage.owner, CODE_HOST, json!({})).await;
        let back = world.host.come_back(begun["installUrl"].as_str().unwrap(), person, installation);
        let refused = world.arrive(&back, &world.session).await;
        assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"), "{why}");
        assert_eq!(world.view().await["connection"], Value::Null, "{why}");
    }
    let begun = world.stage.post_as(&world.stage.owner, CODE_HOST, json!({})).await;
    let back = world.host.come_back(begun["installUrl"].as_str().unwrap(), "ada", 77);
    let made_up = back.replace("code=code-", "code=other-");
    assert_eq!(world.arrive(&made_up, &world.session).await.problem(), "conflict");
}

#[tokio::test]
async fn an_installation_belongs_to_one_organization() {
    let world = World::connected().await;
    let other = world.stage.kit.org("rival").await;
    let rival = world.stage.kit.user(&other, "rita@example.com", OrgRole::Owner, false).await;
    let (session, token) =
        (world.stage.kit.session(rival).await, world.stage.kit.token(rival, scopes(), None).await);
    let begun = world.stage.post_as(&token, "/orgs/rival/code-host", json!({})).await;
    let back = world.host.come_back(begun["installUrl"].as_str().unwrap(), "ada", 77);
    let taken = world.arrive(&back, &session).await;
    assert_eq!(detail(&taken), (409, "Another organization is connected to this account at the code host."));
    assert_eq!(
        world.stage.get(CODE_HOST, &token).await.status,
        StatusCode::NOT_FOUND,
        "a foreign organization"
    );
    assert_eq!(world.stage.get("/orgs/rival/code-host", &token).await.json["connection"], Value::Null);
}

#[tokio::test]
async fn a_host_that_is_away_while_somebody_comes_back_is_said_to_be() {
    let world = World::new().await;
    let back = world.depart(json!({})).await;
    world.host.facts().away = true;
    let away = world.arrive(&back, &world.session).await;
    assert_eq!(detail(&away), (503, "The code host does not answer. Try again later."));
}

#[tokio::test]
async fn a_project_names_a_repository_that_the_connection_covers() {
    let world = World::connected().await;
    let named =
        world.configure(json!({"repositorySource": "codeHost", "repository": "ACME/Greeter"})).await.is(200);
    let seen = |reply: &Reply| {
        let of = |name: &str| reply.json[name].as_str().map(ToOwned::to_owned);
        (of("repositorySource"), of("repository"), of("defaultBranch"))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        seen(&named),
        (some("codeHost"), some("acme/greeter"), some("trunk")),
        "as the host writes it"
    );
    let branch = json!({"repository": "acme/greeter", "defaultBranch": "release"});
    assert_eq!(seen(&world.configure(branch).await).2, some("release"));
    let back = world.configure(json!({"repositorySource": "runnerLocal"})).await;
    assert_eq!(seen(&back), (some("runnerLocal"), None, some("release")), "{}", back.text);
}

#[tokio::test]
async fn a_repository_that_cannot_be_had_is_a_field_error() {
    let world = World::new().await;
    let wanted = json!({"repositorySource": "codeHost", "repository": "acme/greeter"});
    let field = |reply: &Reply, field: &str| {
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", reply.text);
        reply.json["errors"][field][0].as_str().unwrap_or_else(|| panic!("{}", reply.text)).to_owned()
    };
    let unconnected = world.configure(wanted.clone()).await;
    assert!(field(&unconnected, "repositorySource").contains("not connected"));
    let back = world.depart(json!({})).await;
    world.arrive(&back, &world.session).await;
    world.host.install(80, "other", &["tool"]);
    for repository in ["acme/other", "other/tool", "nobody/greeter"] {
        let change = json!({"repositorySource": "codeHost", "repository": repository});
        assert!(
            field(&world.configure(change).await, "repository").contains("does not cover"),
            "{repository}"
        );
    }
    for change in [
        json!({"repositorySource": "codeHost"}),
        json!({"repositorySource": "codeHost", "repository": "greeter"}),
        json!({"repository": "acme/greeter"}),
    ] {
        field(&world.configure(change).await, "repository");
    }
    assert!(
        field(&world.configure(json!({"repositorySource": "cloud"})).await, "repositorySource")
            .contains("codeHost")
    );
    world.host.facts().away = true;
    assert_eq!(world.configure(wanted).await.problem(), "unavailable");

    let without = Stage::new().await;
    let change = json!({"version": 1, "repositorySource": "codeHost", "repository": "acme/greeter"});
    let none = without.call(Method::PATCH, SETTINGS, &without.owner, Some(change)).await;
    assert!(field(&none, "repositorySource").contains("[CodeHost]"), "what to do");
    let connect = without.post(CODE_HOST, &without.owner, json!({})).await;
    assert!(detail(&connect).1.contains("[CodeHost]"), "{}", connect.text);
    assert_eq!(without.get(CODE_HOST, &without.owner).await.json["available"], false);
}

#[tokio::test]
async fn a_run_is_handed_over_with_a_credential_for_its_repository_alone() {
    let world = World::configured().await;
    let stage = &world.stage;
    let machine = stage.runner("box").await;
    let (run, taken) = stage.assigned(&machine, "Greet").await;
    let repository = &taken["repository"];
    assert_eq!(repository["source"], "codeHost");
    assert_eq!(repository["cloneUrl"], format!("{}/acme/greeter.git", world.host.url()));
    assert_eq!(
        (&repository["credential"]["username"], &repository["defaultBranch"]),
        (&json!("x-access-token"), &json!("trunk"))
    );
    let first = repository["credential"]["password"].as_str().unwrap().to_owned();
    let ends: jiff::Timestamp = repository["credential"]["expiresAt"].as_str().unwrap().parse().unwrap();
    let lasts = ends.duration_since(stage.kit.now());
    assert!((3_590..=3_600).contains(&lasts.as_secs()), "{lasts}");

    let more = world.ask_credential(&machine, &run, 1).await.is(200);
    let second = more.json["password"].as_str().unwrap().to_owned();
    assert_ne!(first, second, "each is minted anew");
    for secret in [&first, &second] {
        assert!(!is_in(stage.kit.directory(), secret), "a credential is not stored");
        assert!(!stage.view_run(&run).await.to_string().contains(secret.as_str()));
    }
}

#[tokio::test]
async fn a_credential_is_not_kept_for_who_asks_with_an_idempotency_key() {
    let world = World::configured().await;
    let machine = world.stage.runner("box").await;
    let (run, _) = world.stage.assigned(&machine, "Greet").await;
    let mut passwords = BTreeSet::new();
    for _ in 0..2 {
        let request = Request::post(format!("/api/v1/runner/runs/{run}/credential"))
            .header(header::AUTHORIZATION, format!("Bearer {}", machine.secret))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", "the-same");
        let body = axum::body::Body::from(json!({"fence": 1}).to_string());
        let reply = send(&world.stage.router, request.body(body).unwrap()).await;
        passwords.insert(reply.json["password"].as_str().unwrap().to_owned());
    }
    assert_eq!(passwords.len(), 2, "each is minted anew");
}

#[tokio::test]
async fn only_the_runner_that_holds_a_run_gets_its_credentials() {
    let world = World::configured().await;
    let stage = &world.stage;
    let (machine, other) = (stage.runner("box").await, stage.runner("other").await);
    let (run, _) = stage.assigned(&machine, "Greet").await;
    assert_eq!(world.ask_credential(&machine, &run, 2).await.problem(), "assignment-ended", "another fence");
    assert_eq!(world.ask_credential(&other, &run, 1).await.status, StatusCode::NOT_FOUND);
    let agent =
        stage.post(&format!("/runner/runs/{run}/credential"), &stage.owner, json!({"fence": 1})).await;
    assert_eq!(agent.status, StatusCode::FORBIDDEN, "people get none");
    // The runner may deliver the rest of the log of a cancelled run, and has nothing to push.
    stage.post_as(&stage.operator, &format!("/runs/{run}/cancel"), json!({})).await;
    assert_eq!(world.ask_credential(&machine, &run, 1).await.problem(), "assignment-ended");

    let (run, _) = stage.assigned(&machine, "Wave").await;
    stage.say(&machine, &run, "give-back", json!({"fence": 1, "reason": "busy"})).await;
    assert_eq!(world.ask_credential(&machine, &run, 1).await.problem(), "assignment-ended");
    let taken = stage.take(&other, "again").await;
    assert_eq!(taken.json["runId"], run);
    assert_eq!(world.ask_credential(&other, &run, 2).await.status, StatusCode::OK);
    assert_eq!(world.ask_credential(&machine, &run, 1).await.problem(), "assignment-ended");
    stage.say(&other, &run, "finish", json!({"fence": 2, "result": "succeeded"})).await;
    assert_eq!(world.ask_credential(&other, &run, 2).await.problem(), "assignment-ended");
}

#[tokio::test]
async fn a_run_is_not_lost_because_the_host_is_away() {
    let world = World::configured().await;
    let machine = world.stage.runner("box").await;
    world.host.facts().away = true;
    let (run, taken) = world.stage.assigned(&machine, "Greet").await;
    assert_eq!(taken["repository"]["credential"], Value::Null);
    assert!(taken["repository"]["cloneUrl"].is_string());
    assert_eq!(world.ask_credential(&machine, &run, 1).await.problem(), "unavailable");
    assert_eq!(world.stage.view_run(&run).await["status"], "assigned");
    world.host.facts().away = false;
    assert_eq!(world.ask_credential(&machine, &run, 1).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_host_that_refuses_for_good_is_told_apart() {
    let world = World::configured().await;
    let machine = world.stage.runner("box").await;
    let (run, _) = world.stage.assigned(&machine, "Greet").await;
    world.host.facts().suspended = true;
    let refused = world.ask_credential(&machine, &run, 1).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::CONFLICT, "conflict"), "{}", refused.text);
    world.host.facts().suspended = false;
    world.host.facts().installed[0].repositories.clear();
    let uncovered = world.ask_credential(&machine, &run, 1).await;
    assert!(detail(&uncovered).1.contains("does not cover"), "{}", uncovered.text);
    world.stage.call(Method::DELETE, CODE_HOST, &world.stage.owner, None).await;
    let disconnected = world.ask_credential(&machine, &run, 1).await;
    assert!(detail(&disconnected).1.contains("not connected"), "{}", disconnected.text);
}

#[tokio::test]
async fn the_checker_knows_connections() {
    let world = World::configured().await;
    let app = &world.stage.kit.app;
    let found = async || {
        let report = svc_app::check::run(app, None).await.unwrap();
        assert_eq!((report.kinds["ORG#<org> CODEHOST"], report.more_findings), (1, 0));
        let kinds = report.findings.into_iter().map(|found| found.kind);
        kinds.filter(|kind| kind.contains("CODEHOST") || kind.contains("INSTALL")).collect::<Vec<_>>()
    };
    assert!(found().await.is_empty());
    let claim = keys::installation(InstallationId(77));
    svc_testkit::write(app, vec![Op::delete(claim, Condition::Present)]).await.unwrap();
    assert_eq!(found().await, ["ORG#<org> CODEHOST"], "its installation is nobody's");
}
