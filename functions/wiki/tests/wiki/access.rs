//! Who may read and edit a page: what the page says, inherited by those below it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::world::World;

/// What somebody may do with a page, by trying.
async fn can(world: &World, token: &str, page: &str) -> &'static str {
    let seen = world.get(token, &format!("/pages/{page}")).await;
    if seen.status == 404 {
        return "nothing";
    }
    let version = seen.json["version"].clone();
    let written = world.put(token, page, json!({"version": version, "body": seen.json["body"]})).await;
    assert_eq!(written.status == 200, seen.json["canEdit"] == true, "canEdit of {page} is what happens");
    if written.status == 200 { "edit" } else { "read" }
}

#[tokio::test]
async fn what_a_page_says_holds_for_those_below_it() {
    let world = World::new().await;
    for page in ["Team", "Team/Plans", "Team/Plans/2026", "Open"] {
        world.page(&world.ada, page).await;
    }
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let people = [&world.owner, &world.chief, &world.ada, &world.operator, &world.guest, &agent];
    let everyone = async |page: &str| -> Vec<&'static str> {
        let mut all = Vec::new();
        for token in people {
            all.push(can(&world, token, page).await);
        }
        all
    };
    assert_eq!(everyone("Team/Plans/2026").await, ["edit", "edit", "edit", "edit", "read", "read"]);

    let set = world.set_access(&world.chief, "Team", json!({"version": 1, "edit": {"who": "admins"}})).await;
    assert_snapshot!(set.snapshot());
    assert_eq!(everyone("Team/Plans/2026").await, ["edit", "edit", "read", "read", "read", "read"]);

    let ada = json!({"who": "people", "people": [world.ada_id]});
    world.set_access(&world.chief, "Team/Plans", json!({"version": 1, "read": ada})).await;
    let hidden = ["edit", "edit", "read", "nothing", "nothing", "nothing"];
    assert_eq!(everyone("team/PLANS/2026").await, hidden);
    assert_eq!(everyone("Team/Plans").await, hidden);
    assert_eq!(everyone("Team").await, ["edit", "edit", "read", "read", "read", "read"]);
    assert_eq!(everyone("Open").await[3], "edit");
    assert_eq!(world.paths(&world.operator).await, ["Open", "Team"]);
    assert_eq!(world.paths(&world.ada).await, ["Open", "Team", "Team/Plans", "Team/Plans/2026"]);

    // Nothing about a hidden page tells that it is there, not even writing where it is.
    let absent = world.get(&world.operator, "/pages/Absent").await.snapshot();
    for path in ["/versions/Team/Plans", "/version/1/Team/Plans", "/diff/Team/Plans", "/access/Team/Plans"] {
        assert_eq!(world.get(&world.operator, path).await.snapshot(), absent, "{path}");
    }
    for page in ["Team/Plans", "Team/Plans/New"] {
        let write = world.put(&world.operator, page, json!({"body": "x"})).await;
        assert_eq!(write.snapshot(), absent, "{page}");
    }
    let restore = json!({"version": 1, "restore": 1});
    assert_eq!(world.post(&world.operator, "/restore/Team/Plans", restore).await.snapshot(), absent);
}

#[tokio::test]
async fn admins_of_the_project_change_it_and_it_counts_as_a_version() {
    let world = World::new().await;
    world.page(&world.ada, "Home").await;
    let members = || json!({"who": "members"});
    for (token, problem) in [(&world.ada, "forbidden"), (&world.outsider, "not-found")] {
        let refused = world.set_access(token, "Home", json!({"version": 1, "read": members()})).await;
        assert_eq!(refused.problem(), problem);
    }
    let set = world.set_access(&world.owner, "home", json!({"version": 1, "read": members()})).await;
    assert_eq!(set.json["version"], 2);
    let stale = world.set_access(&world.owner, "Home", json!({"version": 1})).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    let again = world.set_access(&world.owner, "Home", json!({"version": 2, "read": members()})).await;
    assert_eq!(again.json, set.json, "no change, no version");
    let newest = world.get(&world.ada, "/version/2/Home").await.json;
    assert_eq!((&newest["change"]["kind"], &newest["body"]), (&json!("access"), &json!("Text of Home")));
    assert_eq!(newest["author"]["name"], "owner");
    assert_eq!(world.get(&world.ada, "/access/Home").await.json["canChange"], false);
    assert_eq!(world.get(&world.guest, "/access/Home").await.status, 404);
    let free = world.set_access(&world.owner, "Home", json!({"version": 2, "read": null})).await.json;
    assert_eq!((&free["read"], &free["version"]), (&Value::Null, &json!(3)));
    assert_eq!(world.get(&world.guest, "/pages/Home").await.status, 200);
}

#[tokio::test]
async fn what_is_no_audience_is_refused_by_its_field() {
    let world = World::new().await;
    world.page(&world.ada, "Home").await;
    let nobody = "0193a6e5-0000-7000-8000-000000000000";
    for (audience, message) in [
        (json!({"who": "friends"}), "`who` is one of everyone, members, admins, people."),
        (json!({"who": "people"}), "Name 1 to 200 people."),
        (json!({"who": "people", "people": ["ada"]}), "Name people by their ids."),
        (json!({"who": "admins", "people": [nobody]}), "Name people only if `who` is people."),
    ] {
        let refused = world.set_access(&world.owner, "Home", json!({"version": 1, "read": audience})).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (422, "validation-failed"), "{audience}");
        assert_eq!(refused.json["errors"]["read"][0], message);
    }
    let strangers = json!({"version": 1, "edit": {"who": "people", "people": [nobody, world.ada_id]}});
    let refused = world.set_access(&world.owner, "Home", strangers).await;
    assert_eq!(
        refused.json["errors"],
        json!({"edit": [format!("Nobody in the organization has the id {nobody}.")]})
    );
    assert_eq!(world.get(&world.ada, "/pages/Home").await.json["version"], 1);
}
