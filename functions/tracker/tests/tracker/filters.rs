//! Every filter term of specification section 2.2, asked over HTTP.

use http::Method;
use serde_json::{Value, json};
use svc_app::Transaction;
use svc_domain::identity::{Credential, Subject};
use svc_storage::{Op, keys};

use crate::world::World;

/// Percent-encodes a query value.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Numbers of the items that a filter matches, or what is wrong with it.
async fn ask(world: &World, filter: &str) -> Result<Vec<u64>, Vec<String>> {
    let path = format!("/projects/PRJ/items?sort=key&pageSize=100&filter={}", encoded(filter));
    let reply = world.get(&path).await;
    if reply.status != 200 {
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{}", reply.text);
        let errors = reply.json["errors"]["filter"].as_array().unwrap();
        return Err(errors.iter().map(|error| error.as_str().unwrap().to_owned()).collect());
    }
    let number = |item: &Value| item["key"].as_str().unwrap()["PRJ-".len()..].parse().unwrap();
    let found: Vec<u64> = reply.json["items"].as_array().unwrap().iter().map(number).collect();
    assert_eq!(reply.json["totalCount"], found.len());
    Ok(found)
}

/// Lets the run of an agent's token work on another item than the project's first.
async fn works_on(world: &World, token: &str, key: &str) {
    let name = keys::credential(&svc_app::secrets::hash(token));
    let row = world.kit.app.table.get(&name).await.unwrap().expect("a credential");
    let mut credential: Credential = row.read().unwrap();
    if let Subject::AgentRun { item, .. } = &mut credential.subject {
        *item = Some(key.parse().unwrap());
    }
    let replaced = Op::replace(name, row.version, &credential);
    world.kit.app.commit(Transaction::bookkeeping(&world.kit.app).with([replaced])).await.unwrap();
}

/// Items that differ in every field, PRJ-1 to PRJ-6; the id of the active sprint, and that of a planned one.
async fn varied(world: &World) -> (String, String) {
    let ada = json!("@me");
    for new in [
        json!({"type": "epic", "title": "1: untouched"}),
        json!({
            "type": "bug", "title": "2", "labels": ["bug", "frontend"], "priority": "highest", "estimate": 5,
            "assignee": ada, "parent": "PRJ-1",
        }),
        json!({
            "type": "bug", "title": "3", "labels": ["bug", "wontfix"], "priority": "high", "estimate": 4,
            "assignee": world.bob.id.to_string(),
        }),
        json!({"type": "task", "title": "4", "labels": ["Frontend"], "priority": "low", "estimate": 0.5, "due": "2020-02-29"}),
        json!({"type": "story", "title": "5", "labels": ["needs-review", "c++"], "assignee": ada}),
        json!({"type": "task", "title": "6", "labels": ["a:b", "überall"], "priority": "lowest"}),
    ] {
        world.post("/projects/PRJ/items", new).await.is(201);
    }
    world.patch("/items/PRJ-2", json!({"version": 1, "remaining": 3})).await;
    world.patch("/items/PRJ-4", json!({"version": 1, "blocked": true, "remaining": 0})).await;
    // Who created them watches them.
    for number in 1..=5 {
        let path = format!("/items/PRJ-{number}/watch");
        let stop = world.change_as(&world.ada.token, Method::DELETE, &path, json!({})).await;
        assert!(stop.status.is_success(), "{}", stop.text);
    }
    world.advance("PRJ-2", &["In progress"]).await;
    world.advance("PRJ-3", &["In progress", "In review", "Resolved"]).await;
    world.advance("PRJ-6", &["In progress", "In review", "Resolved", "Closed"]).await;
    let (active, planned) = (world.plan("web", "One").await, world.plan("web", "Two").await);
    world.start(&active).await;
    world.put_in("PRJ-4", active.as_str()).await;
    world.put_in("PRJ-5", planned.as_str()).await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    works_on(world, &agent, "PRJ-5").await;
    for (token, key) in [(&world.ada.token, "PRJ-2"), (&world.bob.token, "PRJ-4"), (&agent, "PRJ-5")] {
        let version = world.get(&format!("/items/{key}")).await.json["version"].clone();
        let body = json!({"version": version});
        world.change_as(token, Method::POST, &format!("/items/{key}/claim"), body).await.is(200);
    }
    (active, planned)
}

#[tokio::test]
async fn each_term_finds_what_it_says() {
    let world = World::with_team().await;
    let (active, planned) = varied(&world).await;
    let bob = world.bob.id;
    let of_ids = [
        (format!("assignee:{bob}"), vec![3]),
        (format!("claimed:{bob}"), vec![4]),
        (format!("claimed:{bob},@me"), vec![2, 4]),
        (format!("sprint:{active}"), vec![4]),
        (format!("sprint:{planned},current"), vec![4, 5]),
        (format!("creator:{bob}"), vec![]),
    ];
    let table: &[(&str, &[u64])] = &[
        ("", &[1, 2, 3, 4, 5, 6]),
        ("state:active,resolved", &[2, 3]),
        ("state:active", &[2]),
        ("state:Resolved", &[3]),
        ("state:backlog", &[1, 4, 5]),
        ("state:closed", &[6]),
        ("state:\"In progress\"", &[2]),
        ("state:\"in PROGRESS\",closed", &[2, 6]),
        ("-state:backlog", &[2, 3, 6]),
        ("type:task", &[4, 6]),
        ("type:bug,story", &[2, 3, 5]),
        ("priority:>=high", &[2, 3]),
        ("priority:>high", &[2]),
        ("priority:<medium", &[4, 6]),
        ("priority:<=low", &[4, 6]),
        ("priority:high", &[3]),
        ("priority:=high,lowest", &[3, 6]),
        ("assignee:@me", &[2, 5]),
        ("assignee:none", &[1, 4, 6]),
        ("assignee:any", &[2, 3, 5]),
        ("label:bug,frontend", &[2, 3, 4]),
        ("label:bug+frontend", &[2]),
        ("label:bug+wontfix,frontend", &[2, 3, 4]),
        ("-label:wontfix", &[1, 2, 4, 5, 6]),
        ("label:bug -label:wontfix", &[2]),
        ("label:BUG", &[2, 3]),
        ("label:\"Needs-Review\"", &[5]),
        ("label:needs-review", &[5]),
        ("label:\"c++\"", &[5]),
        ("label:a:b", &[6]),
        ("label:\"c++\"+needs-review", &[5]),
        ("label:Überall", &[6]),
        ("sprint:current", &[4]),
        ("sprint:none", &[1, 2, 3, 6]),
        ("sprint:any", &[4, 5]),
        ("-sprint:current", &[1, 2, 3, 5, 6]),
        ("blocked:true", &[4]),
        ("blocked:false", &[1, 2, 3, 5, 6]),
        ("estimate:>4", &[2]),
        ("estimate:>=4", &[2, 3]),
        ("estimate:<1", &[4]),
        ("estimate:<=4", &[3, 4]),
        ("estimate:4,0.5", &[3, 4]),
        ("estimate:none", &[1, 5, 6]),
        ("estimate:any", &[2, 3, 4]),
        ("remaining:none", &[1, 3, 5, 6]),
        ("remaining:0", &[4]),
        ("remaining:>0", &[2]),
        ("claimed:any", &[2, 4, 5]),
        ("claimed:none", &[1, 3, 6]),
        ("claimed:@me", &[2]),
        ("claimed:@agent", &[5]),
        ("parent:PRJ-1", &[2]),
        ("parent:none", &[1, 3, 4, 5, 6]),
        ("assignee:ADA", &[2, 5]),
        ("claimed:bob,ada", &[2, 4]),
        ("creator:@me", &[1, 2, 3, 4, 5, 6]),
        ("creator:bob", &[]),
        ("sprint:one", &[4]),
        ("sprint:Two,\"One\"", &[4, 5]),
        ("sprint:Three", &[]),
        ("due:any", &[4]),
        ("due:<today", &[4]),
        ("due:<=friday", &[4]),
        ("due:>+2w,>friday", &[]),
        ("created:>=monday created:>-1m", &[1, 2, 3, 4, 5, 6]),
        ("due:2020-02-29", &[4]),
        ("due:>2020-02-29,none", &[1, 2, 3, 5, 6]),
        ("created:today", &[1, 2, 3, 4, 5, 6]),
        ("created:<=-1d", &[]),
        ("updated:>yesterday", &[1, 2, 3, 4, 5, 6]),
        ("resolved:today", &[3, 6]),
        ("-resolved:any", &[1, 2, 4, 5]),
        ("watching:@me", &[6]),
        ("text:untouched", &[1]),
        ("text:\"untouched 1\",frontend", &[1, 2, 4]),
        ("has:due", &[4]),
        ("has:sprint,subtasks", &[1, 4, 5]),
        ("has:label has:estimate -has:claim", &[3]),
        ("has:link,run", &[]),
        ("type:bug priority:>=high estimate:>4 claimed:@me", &[2]),
        ("  type:bug \t  state:resolved  ", &[3]),
        ("type:bug type:task", &[]),
    ];
    for (filter, expected) in table {
        assert_eq!(ask(&world, filter).await.as_deref(), Ok(*expected), "{filter}");
    }
    for (filter, expected) in of_ids {
        assert_eq!(ask(&world, &filter).await, Ok(expected), "{filter}");
    }
}

#[tokio::test]
async fn a_wrong_term_is_pointed_at_and_the_right_ones_are_not() {
    let world = World::new().await;
    for (filter, wrong, hint) in [
        ("type:bug colour:red", "`colour:red`", "There is no field `colour`"),
        ("asignee:@me", "`asignee:@me`", "Did you mean `assignee`?"),
        ("state:active type:bugs", "`type:bugs`", "Did you mean `bug`?"),
        ("priority:>=urgent", "`priority:>=urgent`", "lowest, low, medium, high or highest"),
        ("estimate:>four", "`estimate:>four`", "a number from 0"),
        ("estimate:-1", "`estimate:-1`", "a number from 0"),
        ("blocked:perhaps", "`blocked:perhaps`", "true or false"),
        ("claimed:ada@", "`claimed:ada@`", "@me, @agent or the name, address or id"),
        ("assignee:@ada", "`assignee:@ada`", "@me, none, any or the name, address or id"),
        ("due:soon", "`due:soon`", "a day such as 2026-01-31"),
        ("watching:bob", "`watching:bob`", "@me"),
        ("has:labels", "`has:labels`", "Did you mean `label`?"),
        ("text:a,b,c,d,e", "`text:a,b,c,d,e`", "at most 4 texts"),
        ("parent:7", "`parent:7`", "an item key"),
        ("state:", "`state:`", "A value is missing"),
        (
            "type:bug -state:doing,active",
            "`-state:doing,active`",
            "There is no state `doing`. The states are Backlog",
        ),
        ("label:bug,,ui", "`label:bug,,ui`", "A value is missing"),
        ("label:\"needs review", "`label:\"needs review`", "The quote is not closed"),
        ("label:needs\" review\"", "`label:needs\" review\"`", "Quotes must surround the whole value"),
        ("label:\"a\\nb\"", "`label:\"a\\nb\"`", "is not a known escape"),
        ("crash type:bug", "`crash`", "Search for words with q"),
    ] {
        let errors = ask(&world, filter).await.expect_err(filter);
        assert_eq!(errors.len(), 1, "{filter}: {errors:?}");
        assert!(errors[0].starts_with(wrong) && errors[0].contains(hint), "{filter}: {}", errors[0]);
    }
    let several = ask(&world, "type:bug size:1 state:active kind:2").await.unwrap_err();
    assert_eq!(several.len(), 2, "{several:?}");
    assert!(several[0].starts_with("`size:1`") && several[1].starts_with("`kind:2`"), "{several:?}");
    let many = "type:bug ".repeat(51);
    assert!(ask(&world, &many).await.unwrap_err()[0].contains("at most 50 terms"));
    let long = format!("label:{}", "x".repeat(2_000));
    assert!(ask(&world, &long).await.unwrap_err()[0].contains("2000"), "its length is named");
}
