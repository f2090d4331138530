//! What is not for a caller is in no result (specification sections 2.9 and 5).

use http::Method;
use http::StatusCode;
use serde_json::json;
use svc_storage::{Op, keys};

use crate::world::World;

#[tokio::test]
async fn a_stakeholder_finds_nothing_of_agents_and_the_factory() {
    let world = World::new().await;
    let item = world.item("PRJ", "An otter", "").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    world.comment(&item, &world.ada, "otter of a person", None).await;
    let begun = world.comment(&item, &agent, "otter of an agent", None).await;
    world.comment(&item, &world.ada, "otter in reply to the agent", Some(&begun)).await;
    world.page("Otters", None, "an otter page").await;
    world.page("Factory/Otters", None, "an otter prompt").await;
    world.settle().await;
    let visible = ["An otter", "otter of a person", "an otter page"];
    let hidden = ["otter of an agent", "otter in reply to the agent", "an otter prompt"];
    for path in ["/projects/PRJ/search?q=otter", "/search?q=otter"] {
        for token in [&world.stakeholder, &world.guest] {
            let reply = world.get_as(token, path).await;
            assert_eq!(reply.json["results"].as_array().unwrap().len(), 3, "{}", reply.text);
            assert!(hidden.iter().all(|text| !reply.text.contains(text)), "{}", reply.text);
        }
        let reply = world.get(path).await;
        assert_eq!(reply.json["results"].as_array().unwrap().len(), 6, "{}", reply.text);
        for text in visible.iter().chain(&hidden) {
            assert!(reply.text.contains(text), "{text}: {}", reply.text);
        }
    }
}

/// A page outside the section that a playbook used before pages had to be in it.
#[tokio::test]
async fn an_older_page_of_a_playbook_is_found_by_operators_only() {
    let world = World::new().await;
    world.page("Prompts", None, "an otter prompt").await;
    world.settle().await;
    let page = world.get("/projects/PRJ/wiki/pages/Prompts").await.json["id"].clone();
    let playbook = json!({
        "id": "018f3a5e-7d1c-7000-8000-000000000001", "name": "Go", "page": page, "pagePath": "Prompts",
        "harness": "harness_1", "timeLimitMinutes": 1, "successState": null, "failureState": null,
        "deliveryMode": "branchAndPullRequest", "createdAt": "2026-01-01T12:00:00Z",
    });
    let id = "018f3a5e-7d1c-7000-8000-000000000001".parse().unwrap();
    let key = keys::playbook(world.org.id, &world.project.key, id);
    svc_testkit::write(&world.kit.app, vec![Op::create(key, &playbook)]).await.unwrap();
    for path in ["/projects/PRJ/search?q=otter", "/search?q=otter"] {
        assert_eq!(world.find_as(&world.ada, path).await, ["Prompts"]);
        assert_eq!(world.find_as(&world.stakeholder, path).await, [""; 0]);
    }
}

/// What a page says of its readers holds for search too, and for the pages below it.
#[tokio::test]
async fn pages_are_found_by_those_who_may_read_them() {
    let world = World::new().await;
    world.page("Plans", None, "otters").await;
    world.page("Plans/2026", None, "an otter").await;
    let access = json!({"version": 1, "read": {"who": "members"}});
    world.write(Method::PUT, "/projects/PRJ/wiki/access/Plans", &world.ada, access).await;
    world.settle().await;
    for path in ["/projects/PRJ/search?q=otter&types=pages", "/search?q=otter"] {
        assert_eq!(world.find_as(&world.ada, path).await.len(), 2, "{path}");
        assert_eq!(world.find_as(&world.guest, path).await, [""; 0], "{path}");
    }
}

#[tokio::test]
async fn projects_that_the_caller_does_not_see_do_not_exist() {
    let world = World::new().await;
    world.item("PRJ", "An otter", "").await;
    world.item("OPS", "Another otter", "").await;
    world.settle().await;
    assert_eq!(world.find_anywhere(&world.guest, "otter").await, ["PRJ-1"]);
    assert_eq!(world.find_anywhere(&world.guest, "OPS-1").await, [""; 0]);
    assert_eq!(world.find_anywhere(&world.guest, "ops").await, [""; 0]);
    assert_eq!(world.find_anywhere(&world.outsider, "otter").await, [""; 0]);
    assert_eq!(world.find_anywhere(&world.owner, "otter").await.len(), 2);
    let hidden = world.get_as(&world.guest, "/projects/OPS/search?types=items").await;
    let absent = world.get_as(&world.guest, "/projects/NONE/search?types=items").await;
    assert_eq!((hidden.status, hidden.snapshot()), (StatusCode::NOT_FOUND, absent.snapshot()));
    // Who sees many projects is answered from the index of the organization.
    for n in 0..6 {
        let project = world.kit.project(&world.org, &format!("MORE{n}")).await;
        assert_eq!(project.key.as_str(), format!("MORE{n}"));
    }
    assert_eq!(world.find_anywhere(&world.owner, "otter").await.len(), 2);
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    assert_eq!(world.find_anywhere(&agent, "otter").await, ["PRJ-1"]);
}

/// The names of people are for those who may list them.
#[tokio::test]
async fn people_are_found_by_those_who_know_of_them() {
    let world = World::new().await;
    for (who, token, finds) in [
        ("the Owner", &world.owner, vec!["ada", "guest", "outsider", "owner", "stakeholder"]),
        ("a member of both projects", &world.ada, vec!["ada", "guest", "owner", "stakeholder"]),
        ("a Guest in one", &world.guest, vec!["ada", "guest", "owner", "stakeholder"]),
        ("a member of none", &world.outsider, vec!["outsider", "owner"]),
    ] {
        let mut found = Vec::new();
        for name in ["ada", "guest", "outsider", "owner", "stakeholder"] {
            let reply = world.get_as(token, &format!("/search?types=people&q={name}")).await;
            if !reply.json["results"].as_array().unwrap().is_empty() {
                found.push(name);
            }
        }
        assert_eq!(found, finds, "{who}");
    }
}
