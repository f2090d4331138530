//! The Factory section: prompts of playbooks, for factory operators only.

use serde_json::json;
use svc_app::Transaction;
use svc_app::wiki::{place, text, write_page};
use svc_domain::access::Capability;
use svc_domain::wiki::PagePath;

use crate::world::World;

#[tokio::test]
async fn who_is_no_operator_sees_nothing_of_the_section() {
    let world = World::new().await;
    world.page(&world.ada, "Home").await;
    world.page(&world.chief, "Factory/Fix%20a%20bug").await;
    let absent = world.get(&world.ada, "/pages/Absent").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    for token in [&world.ada, &world.guest, &agent] {
        assert_eq!(world.paths(token).await, ["Home"]);
        for path in [
            "/pages/Factory/Fix%20a%20bug",
            "/pages/FACTORY/fix%20a%20bug",
            "/versions/Factory/Fix%20a%20bug",
        ] {
            assert_eq!(world.get(token, path).await.snapshot(), absent.snapshot(), "{path}");
        }
    }
    for token in [&world.operator, &world.chief, &world.owner] {
        assert_eq!(world.paths(token).await, ["Factory/Fix a bug", "Home"]);
        assert_eq!(world.get(token, "/pages/factory/fix%20a%20bug").await.status, 200);
    }
}

#[tokio::test]
async fn admins_among_the_operators_write_the_section() {
    let world = World::new().await;
    let write = |token| world.put(token, "Factory/New", json!({"body": "Prompt"}));
    assert_eq!(write(&world.ada).await.problem(), "not-found", "what one may not see is not there");
    assert_eq!(write(&world.operator).await.problem(), "forbidden");
    assert_eq!(write(&world.chief).await.status, 200);
    let next = json!({"version": 1, "body": "Better prompt"});
    assert_eq!(world.put(&world.owner, "factory/new", next).await.json["version"], 2);
}

#[tokio::test]
async fn a_playbook_writes_its_page_in_a_commit_of_its_own() {
    let world = World::new().await;
    let app = &world.kit.app;
    let credential = svc_app::BearerCredential::new(&world.chief);
    let caller = svc_app::Caller { credential: Some(&credential), org: &world.org.slug };
    let capability = Capability::ConfigureProject;
    let entry = svc_app::entry::enter_project(app, caller, &world.project.key, capability).await.unwrap();
    let (org, project) = (world.org.id, &world.project.key);
    let path = PagePath::in_factory_section("Fix a bug").unwrap();
    for (version, body) in [(1, "One"), (2, "Two")] {
        let before = place(app, org, project, &path).await.unwrap();
        let write = || {
            let mut transaction = Transaction::of(app, &entry);
            let page = write_page(app, &mut transaction, org, project, &before, body, entry.actor());
            (transaction, page)
        };
        let (transaction, page) = write();
        assert_eq!(page.version, version);
        app.commit(transaction).await.unwrap();
        // A second writer who read the same version writes nothing.
        assert!(app.commit(write().0).await.is_err());
        assert_eq!(text(app, org, page.id, version).await.unwrap().body, body);
    }
    assert_eq!(world.get(&world.operator, "/pages/Factory/Fix%20a%20bug").await.json["body"], "Two");
}

#[tokio::test]
async fn an_older_page_of_a_playbook_outside_the_section_is_hidden_too() {
    let world = World::new().await;
    world.page(&world.ada, "Home").await;
    let old = world.page(&world.chief, "Prompts/Go").await;
    let now = world.page(&world.chief, "Factory/Go").await;
    let (org, project) = (world.org.id, &world.project.key);
    let playbook = |page: &serde_json::Value, path: &str, former: serde_json::Value| {
        json!({
            "id": "00000000-0000-7000-8000-000000000001", "name": "Go", "page": page, "pagePath": path,
            "formerPages": former, "harness": "harness_1", "timeLimitMinutes": 1, "successState": null,
            "failureState": null, "deliveryMode": "branchAndPullRequest", "createdAt": "2026-01-01T12:00:00Z",
        })
    };
    let key =
        svc_storage::keys::playbook(org, project, "00000000-0000-7000-8000-000000000001".parse().unwrap());
    // First as a playbook of the time before the section, then as one that was saved again since.
    for row in [
        playbook(&old["id"], "Prompts/Go", json!([])),
        playbook(&now["id"], "Factory/Go", json!([old["id"]])),
    ] {
        let op = svc_storage::Op::put(key.clone(), svc_storage::Condition::None, &row);
        svc_testkit::write(&world.kit.app, vec![op]).await.unwrap();
        let absent = world.get(&world.ada, "/pages/Absent").await;
        for token in [&world.ada, &world.guest] {
            assert_eq!(world.paths(token).await, ["Home"]);
            for path in ["/pages/Prompts/Go", "/pages/prompts/go", "/versions/Prompts/Go"] {
                assert_eq!(world.get(token, path).await.snapshot(), absent.snapshot(), "{path}");
            }
            let write = world.put(&world.ada, "Prompts/Go", json!({"version": 1, "body": "Mine"})).await;
            assert_eq!(write.problem(), "not-found");
        }
        assert_eq!(world.paths(&world.operator).await, ["Factory/Go", "Home", "Prompts/Go"]);
    }
}
