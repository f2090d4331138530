//! A repository at a code host: connected in a browser, cloned with a credential that is replaced before it ends,
//! pushed to, and nothing of the credential anywhere afterwards.

use std::path::Path;
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_api::factory::{FactorySettings, RepositorySource, RunStatus};
use svc_code_host::{DEFAULT_BRANCH, LoopbackHost};
use svc_end_to_end::{Agent, Runner, Stage, eventually, program};

/// Nothing here takes longer.
const BOUND: Duration = Duration::from_secs(300);
const REPOSITORY: &str = "acme/greeter";

/// A service that knows a code host, where the demo organization is connected with acme.
struct World {
    stage: Stage,
    host: LoopbackHost,
    _repositories: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let repositories = tempfile::tempdir().expect("a temporary directory can be made");
        let host = LoopbackHost::start(repositories.path(), now).await;
        host.repository(REPOSITORY);
        host.install(77, "acme", &["greeter"]);
        host.own("ada", "acme");
        let settings = host.settings();
        let settings: Vec<(&str, &str)> =
            settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let stage = Stage::set(&settings).await;
        // Clones get this name for their remote where nothing else is asked for; the runner's own have `origin`.
        let settings = stage.home.directory().join("gitconfig");
        let told = std::fs::read_to_string(&settings).expect("the settings can be read");
        std::fs::write(&settings, told + "[clone]\n\tdefaultRemoteName = upstream\n")
            .expect("they can be written");
        let world = Self { stage, host, _repositories: repositories };
        world.connect().await;
        world.configure(json!({"repositorySource": "codeHost", "repository": REPOSITORY})).await;
        world
    }

    /// What the owner does in a browser.
    async fn connect(&self) {
        let (server, org) = (&self.stage.server, self.stage.org());
        let api = format!("{}/api/v1", server.url());
        let body = json!({"email": server.demo.email, "password": server.demo.password});
        let login =
            server.http().post(format!("{api}/auth/login")).json(&body).send().await.expect("an answer");
        let cookie = login.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let departure = self.stage.client().org(org).connect_code_host(&Default::default()).await;
        let address = departure.expect("the owner may connect").install_url;
        let back = self.host.come_back(&address, "ada", 77);
        let arrived = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client can be made")
            .get(format!("{api}{back}"))
            .header("cookie", cookie)
            .send()
            .await
            .expect("an answer");
        assert_eq!(arrived.status().as_u16(), 303, "{:?}", arrived.text().await);
    }

    async fn configure(&self, mut change: Value) -> FactorySettings {
        let org = self.stage.client().org(self.stage.org());
        let settings =
            org.factory_settings(self.stage.project()).await.expect("an operator sees the settings");
        change["version"] = settings.version.into();
        let change = serde_json::from_value(change).expect("a change");
        org.update_factory_settings(self.stage.project(), &change)
            .await
            .expect("an owner changes the settings")
    }

    /// A runner that has no clone of anything.
    async fn runner(&self, agent: &Agent) -> Runner {
        let server = &self.stage.server;
        let (url, secret) = (server.url(), server.demo.runner_secret.clone());
        let register = ["runner", "register", "--url", &url, "--token", &secret, "--name", "bare"];
        self.stage.home.svc_ok(&register).await;
        Runner::start_again(&self.stage.home, agent.program())
    }

    fn is_nowhere(&self, secret: &str) {
        let mut found = Vec::new();
        files_with(self.stage.directory(), secret, &mut found);
        assert!(found.is_empty(), "{secret} is in {found:?}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the host is another machine, with a clock of its own")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

fn files_with(directory: &Path, secret: &str, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let Ok(kind) = std::fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() {
            files_with(&path, secret, found);
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
        {
            found.push(path);
        }
    }
}

/// The bundled agent, which notes first what its environment and checkout are like.
fn watched_demo_agent(stage: &Stage) -> Agent {
    stage.agent(&format!(
        "cat .git/config >\"$notes/config\"\n\
         note history \"$(git rev-list --count HEAD)\"\n\
         note mode \"$(stat -c %a \"$SVC_GIT_CREDENTIAL\")\"\n\
         note credential \"$(sed -n s/^password=//p \"$SVC_GIT_CREDENTIAL\")\"\n\
         exec '{}' \"$@\"",
        program("demo-agent").display()
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_a_project_at_a_code_host_becomes_a_branch_there() {
    let world = World::new().await;
    let stage = &world.stage;
    // What people have in their settings, and what would keep the credential or send git elsewhere.
    let gitconfig = stage.home.directory().join("gitconfig");
    let kept = stage.home.directory().join("git-credentials");
    let mut settings = std::fs::read_to_string(&gitconfig).unwrap();
    settings += &format!(
        "[credential]\n\thelper = store --file={}\n[url \"/nowhere/\"]\n\tinsteadOf = {}/\n",
        kept.display(),
        world.host.url()
    );
    std::fs::write(&gitconfig, settings).unwrap();
    let agent = watched_demo_agent(stage);
    let _runner = world.runner(&agent).await;
    let key = format!("{}-1", stage.project());
    let run = stage.start_run(&key).await;
    let run = stage.ended(&run.id).await;
    let log: String = stage.log(&run.id).await.iter().map(|entry| format!("{}\n", entry.text)).collect();
    assert_eq!(run.status, RunStatus::Succeeded, "{:?}\n{log}", run.failure_detail);
    let range = format!("{DEFAULT_BRANCH}..refs/heads/{}", run.branch);
    let authors = world.host.in_repository(REPOSITORY, &["log", "--format=%an", &range]);
    assert!(!authors.is_empty() && authors.lines().all(|author| author == run.agent.name), "{authors:?}");
    assert!(log.contains("Cloned trunk of"), "{log}");

    assert_eq!((agent.note("history").await.as_str(), agent.note("mode").await.as_str()), ("1", "600"));
    let credential = agent.note("credential").await;
    assert!(credential.starts_with("ghs_"), "{credential}");
    assert!(!agent.note("config").await.contains(&credential), "git's configuration has no credential");
    agent.forget("credential");
    assert!(!kept.exists(), "no helper of the machine was told");
    for secret in world.host.facts().let_in.clone() {
        world.is_nowhere(&secret);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_that_ends_is_replaced_and_the_old_one_is_refused() {
    let world = World::new().await;
    world.host.facts().lifetime = SignedDuration::from_secs(30);
    let stage = &world.stage;
    let agent = stage.agent(
        "begin
         note first \"$(sed -n s/^password=//p \"$SVC_GIT_CREDENTIAL\")\"
         await go
         say \"it is $(sed -n s/^password=//p \"$SVC_GIT_CREDENTIAL\") now\"
         git commit -q --allow-empty -m work && git push -q origin HEAD 2>&1
         succeed pushed",
    );
    let _runner = world.runner(&agent).await;
    let item = stage.new_item("Take long").await;
    let run = stage.start_run(&item.key).await;
    let first = agent.note("first").await;
    // Until what the run began with opens nothing any more, and another credential is there.
    let url = format!("{}/{REPOSITORY}.git/info/refs?service=git-upload-pack", world.host.url());
    eventually("the end of the first credential", BOUND, async || {
        let asked =
            stage.server.http().get(&url).basic_auth("x-access-token", Some(&first)).send().await.ok()?;
        (asked.status().as_u16() == 401).then_some(())
    })
    .await;
    agent.tell("go");
    let run = stage.ended(&run.id).await;
    let log: String = stage.log(&run.id).await.iter().map(|entry| format!("{}\n", entry.text)).collect();
    assert_eq!(run.status, RunStatus::Succeeded, "{log}");
    let subject = world.host.in_repository(REPOSITORY, &["log", "-1", "--format=%s", &run.branch]);
    assert_eq!(subject, "work", "{log}");
    let let_in = world.host.facts().let_in.clone();
    assert!(let_in.len() >= 2 && let_in[0] == first, "{let_in:?}");
    assert!(log.contains("it is [redacted] now"), "a credential of later is hidden too:\n{log}");
    assert!(let_in.iter().all(|secret| !log.contains(secret)), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_is_no_longer_covered_fails_the_run_before_its_harness() {
    let world = World::new().await;
    world.host.facts().installed[0].repositories.clear();
    let agent = world.stage.agent("begin; succeed never");
    let _runner = world.runner(&agent).await;
    let item = world.stage.new_item("Cannot be cloned").await;
    let run = world.stage.start_run(&item.key).await;
    let run = world.stage.ended(&run.id).await;
    assert_eq!(run.status, RunStatus::Failed);
    assert_eq!(run.failure_reason.as_deref(), Some("workspace-failed"));
    let detail = run.failure_detail.unwrap_or_default();
    assert!(detail.contains("does not cover this repository"), "{detail}");
    assert_eq!(run.started_at, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_comes_back_is_waited_for_and_direct_delivery_goes_to_the_default_branch() {
    let world = World::new().await;
    let org = world.stage.client().org(world.stage.org());
    let playbooks = org.playbooks(world.stage.project()).await.unwrap();
    let direct = json!({"version": playbooks[0].version, "deliveryMode": "pushToDefaultBranch"});
    let direct = serde_json::from_value(direct).unwrap();
    org.update_playbook(world.stage.project(), &playbooks[0].id, &direct).await.unwrap();
    world.host.facts().away = true;
    let agent = world.stage.agent(
        "begin
         git commit -q --allow-empty -m direct
         succeed committed",
    );
    let _runner = world.runner(&agent).await;
    let item = world.stage.new_item("Straight").await;
    let run = world.stage.start_run(&item.key).await;
    eventually("the runner waits for the host", BOUND, async || {
        let log = world.stage.log(&run.id).await;
        log.iter().any(|entry| entry.text.contains("No credential for the repository yet")).then_some(())
    })
    .await;
    assert_eq!(world.stage.client().run(&run.id).await.unwrap().status, RunStatus::Assigned);
    world.host.facts().away = false;
    let run = world.stage.ended(&run.id).await;
    assert_eq!(run.status, RunStatus::Succeeded, "{:?}", run.failure_detail);
    let subject = world.host.in_repository(REPOSITORY, &["log", "-1", "--format=%s", DEFAULT_BRANCH]);
    assert_eq!(subject, "direct", "the runner pushed what the agent had not");
    let settings: FactorySettings = org.factory_settings(world.stage.project()).await.unwrap();
    assert_eq!(
        (settings.repository_source, settings.default_branch.as_str()),
        (RepositorySource::CodeHost, DEFAULT_BRANCH)
    );
}
