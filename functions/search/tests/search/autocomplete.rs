//! Tickets while they are typed (specification section 4.1, rule 1).

use crate::world::World;

#[tokio::test]
async fn tickets_are_completed_while_they_are_typed() {
    let world = World::new().await;
    for n in 1..=12 {
        world.item("PRJ", &format!("Ticket number {n}"), "").await;
    }
    world.item("OPS", "Ticket of another project", "").await;
    let find = async |q: &str| world.find("items", q).await;
    assert_eq!(find("").await[..3], ["PRJ-12", "PRJ-11", "PRJ-10"], "the recent ones");
    for q in ["1", "#1", "PRJ-1", "prj-1"] {
        assert_eq!(find(q).await[..4], ["PRJ-1", "PRJ-10", "PRJ-11", "PRJ-12"], "{q}: the exact one first");
    }
    assert_eq!(find("PR").await.len(), 12, "the beginning of the project's key");
    assert_eq!(find("number 7").await, ["PRJ-7"], "words of the title");
    assert_eq!(find("cket numb").await.len(), 12, "fragments of the title");
    assert_eq!(find("OPS-1").await, [""; 0], "stays inside the project");
    assert_eq!(find("absent").await, [""; 0]);
}

#[tokio::test]
async fn the_limit_is_respected_and_clamped() {
    let world = World::new().await;
    for n in 1..=55 {
        world.item("PRJ", &format!("Ticket number {n}"), "").await;
    }
    let count = async |limit: &str| {
        world.find_as(&world.ada, &format!("/projects/PRJ/search?types=items&q={limit}")).await.len()
    };
    assert_eq!(count("").await, 20);
    assert_eq!(count("&limit=3").await, 3);
    assert_eq!(count("&limit=0").await, 1);
    assert_eq!(count("&limit=1000").await, 50);
    assert_eq!(count("ticket&limit=2").await, 2);
}

#[tokio::test]
async fn descriptions_follow_where_there_is_room() {
    let world = World::new().await;
    world.item("PRJ", "Something else", "It is about a walrus, as the text says.").await;
    world.item("PRJ", "The walrus", "").await;
    world.settle().await;
    assert_eq!(world.find("items", "walrus").await, ["PRJ-2", "PRJ-1"]);
    assert_eq!(
        world.find_as(&world.ada, "/projects/PRJ/search?types=items&q=walrus&limit=1").await,
        ["PRJ-2"]
    );
}
