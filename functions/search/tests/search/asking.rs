//! What questions find, in which order, and which are refused.

use futures::future::join_all;

use crate::world::{World, encoded};

#[tokio::test]
async fn words_phrases_scripts_and_accents() {
    let world = World::new().await;
    let item =
        world.item("PRJ", "Login times out", "The session of the café is gone after five minutes.").await;
    world
        .comment(&item, &world.ada, "I saw it too: the Straße page, snake_case_name and PRJ-77.", None)
        .await;
    world.comment(&item, &world.ada, "検索は日本語でも動きます。", None).await;
    world.kit.advance(a_minute());
    world.page("Guides/Größe", None, "How large a session may be.").await;
    world.settle().await;
    let comment = "I saw it too: the Straße page, snake_case_name and PRJ-77.";
    let japanese = "検索は日本語でも動きます。";
    for (q, expected) in [
        ("session", vec!["Guides/Größe", "PRJ-1"]),
        ("SESS", vec!["Guides/Größe", "PRJ-1"]),
        ("sess five", vec![]),
        ("five sess", vec!["PRJ-1"]),
        ("cafe", vec!["PRJ-1"]),
        ("CAFÉ session", vec!["PRJ-1"]),
        ("strasse", vec![comment]),
        ("grosse", vec!["Guides/Größe"]),
        ("\"five minutes\"", vec!["PRJ-1"]),
        ("\"minutes five\"", vec![]),
        ("case_name", vec![comment]),
        ("PRJ-77", vec![comment]),
        ("日本語", vec![japanese]),
        ("本", vec![japanese]),
        ("日語", vec![]),
        ("login", vec!["PRJ-1"]),
        ("saw session", vec![]),
        ("?!", vec![]),
    ] {
        assert_eq!(world.find("items,comments,pages", q).await, expected, "{q}");
    }
}

#[tokio::test]
async fn one_wrong_letter_is_forgiven_where_nothing_is_found() {
    let world = World::new().await;
    let item = world.item("PRJ", "Login times out", "The session of a pelican is gone.").await;
    world.comment(&item, &world.ada, "I saw the heron", None).await;
    world.page("Seagulls", None, "All about Möwen and their kittens.").await;
    world.settle().await;
    for (kinds, q, expected) in [
        ("items", "pelicna", vec!["PRJ-1"]),
        ("items,comments", "lgoin", vec!["PRJ-1"]),
        ("items", "relican", vec!["PRJ-1"]),
        ("items", "pelican sesion", vec!["PRJ-1"]),
        ("items", "sesssion pelixan", vec!["PRJ-1"]),
        ("items", "\"a pelicam is\"", vec!["PRJ-1"]),
        ("comments", "heorn", vec!["I saw the heron"]),
        ("pages", "seaguls", vec!["Seagulls"]),
        ("pages", "mowem", vec!["Seagulls"]),
        ("pages", "kittins", vec!["Seagulls"]),
        ("items,comments,pages", "pelixxn", vec![]),
        ("items,comments,pages", "session heron", vec![]),
        ("items,comments,pages", "gome", vec!["PRJ-1"]),
        ("items,comments,pages", "gxn", vec![]),
    ] {
        assert_eq!(world.find(kinds, q).await, expected, "{q}");
    }
    let found = world.get("/search?types=items,comments,people&q=sesion").await;
    assert_eq!(found.json["results"][0]["key"], item.as_str(), "{}", found.text);
    let person = world.get("/search?types=people&q=stakehodler").await;
    assert_eq!(person.json["results"].as_array().map(Vec::len), Some(1), "{}", person.text);
}

#[tokio::test]
async fn identifiers_come_first_then_titles_then_what_is_new() {
    let world = World::new().await;
    let first = world.item("PRJ", "One", "about 3 heron birds").await;
    let second = world.item("PRJ", "A heron", "").await;
    let third = world.item("PRJ", "heron", "").await;
    world.kit.advance(a_minute());
    world.comment(&first, &world.ada, "An old heron", None).await;
    world.kit.advance(a_minute());
    world.comment(&first, &world.ada, "A new heron", None).await;
    world.page("Heron", None, "Nothing").await;
    world.settle().await;
    let all = "items,comments,pages";
    let found = world.find(all, "heron").await;
    assert_eq!(found, ["Heron", &third, &second, "A new heron", "An old heron", &first]);
    assert_eq!(world.find(all, "3").await[0], third, "the ticket of this number");
    let anywhere = world.find_anywhere(&world.ada, "prj-2").await;
    assert_eq!(anywhere[0], second);
}

#[tokio::test]
async fn a_result_says_what_matched_and_where() {
    let world = World::new().await;
    let item = world.item("PRJ", "Login 🎉 times out", "").await;
    world.comment(&item, &world.ada, "The login\nfails 🎉 at login.", None).await;
    world.settle().await;
    let reply = world.get("/projects/PRJ/search?types=comments&q=login").await;
    let mut found = reply.json["results"][0].clone();
    found["id"] = "[id]".into();
    found["author"]["id"] = "[id]".into();
    insta::assert_json_snapshot!(found);
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_by_the_name_of_its_field() {
    let world = World::new().await;
    let long = "x".repeat(501);
    for (path, field) in [
        ("/projects/PRJ/search".to_owned(), "q"),
        ("/projects/PRJ/search?types=comments&q=".to_owned(), "q"),
        ("/projects/PRJ/search?types=items,pages&q=%20".to_owned(), "q"),
        (format!("/projects/PRJ/search?types=items&q={long}"), "q"),
        ("/projects/PRJ/search?types=people&q=x".to_owned(), "types"),
        ("/search".to_owned(), "q"),
        ("/search?types=items&q=".to_owned(), "q"),
        ("/search?types=runs&q=x".to_owned(), "types"),
        ("/search?q=x&projects=nope".to_owned(), "projects"),
    ] {
        let reply = world.get(&path).await;
        assert_eq!(reply.status, 400, "{path}: {}", reply.text);
        assert_eq!(reply.problem(), "invalid-query", "{path}");
        assert!(reply.json["errors"][field].is_array(), "{path}: {}", reply.text);
    }
    assert_eq!(world.get("/projects/PRJ/search?types=items&limit=x").await.status, 400);
}

#[tokio::test]
async fn an_organization_is_searched_with_its_projects_and_people() {
    let world = World::new().await;
    world.item("PRJ", "A walrus", "").await;
    world.item("OPS", "Another walrus", "").await;
    world.settle().await;
    let mut both = world.find_anywhere(&world.ada, "walrus").await;
    both.sort();
    assert_eq!(both, ["OPS-1", "PRJ-1"]);
    let only = format!("/search?projects=OPS&q={}", encoded("walrus"));
    assert_eq!(world.find_as(&world.ada, &only).await, ["OPS-1"]);
    assert_eq!(world.find_anywhere(&world.ada, "stakeh").await, ["stakeholder"]);
    assert_eq!(world.find_anywhere(&world.ada, "prj").await, ["PRJ"]);
    assert_eq!(world.find_as(&world.ada, "/search?types=people&q=ops").await, [""; 0]);
}

#[tokio::test]
async fn frequent_words_are_answered_by_the_newest() {
    let world = World::new().await;
    let item = world.item("PRJ", "Chatter", "").await;
    for n in 0..400 {
        world.kit.advance(jiff::SignedDuration::from_secs(1));
        world.comment(&item, &world.ada, &format!("everywhere word{n}"), None).await;
    }
    world.settle().await;
    let found = world.find("comments", "everywhere").await;
    let newest: Vec<String> = (380..400).rev().map(|n| format!("everywhere word{n}")).collect();
    assert_eq!(found, newest);
    assert_eq!(world.find("comments", "everywhere word7 ").await[..1], ["everywhere word7"]);
    assert_eq!(world.find("comments", "word3 everywhere").await, ["everywhere word3"]);
}

/// Words that everything has, in an order that nothing has: whatever is read for them is read in vain.
#[tokio::test]
async fn a_phrase_that_long_texts_nearly_have_is_answered_within_a_bound_of_bytes() {
    let (world, meter) = World::metered().await;
    let filler = "! ".repeat(95_000);
    let pages = 140;
    for n in 0..pages {
        world.page(&format!("Notes/Page-{n}"), None, &format!("grey {filler} heron {n}")).await;
    }
    world.settle().await;
    let before = meter.spent();
    assert_eq!(world.find("pages", "\"heron grey\"").await, [""; 0]);
    let megabytes = (meter.spent() - before).read_units * 4 / 1_024;
    assert!((10..22).contains(&megabytes), "{megabytes} MB read of {} MB", pages * 190 / 1_024);
    assert_eq!(world.find("pages", "\"heron 139\"").await, ["Notes/Page-139"]);
}

const fn a_minute() -> jiff::SignedDuration {
    jiff::SignedDuration::from_mins(1)
}

#[tokio::test]
async fn a_phrase_is_found_behind_many_texts_in_which_its_words_stand_apart() {
    let world = World::new().await;
    let item = world.item("PRJ", "Old", "the pelican heron stands").await;
    for number in 0..330 {
        world.item("PRJ", &format!("heron pelican {number}"), "").await;
    }
    world.settle().await;
    assert_eq!(world.find("items", "\"pelican heron\"").await, [item]);
}

#[tokio::test]
async fn a_key_from_before_an_item_moved_leads_to_it() {
    let world = World::new().await;
    let item = world.item("PRJ", "Login times out", "").await;
    world.settle().await;
    let version = world.get(&format!("/items/{item}")).await.json["version"].clone();
    let to = serde_json::json!({"version": version, "project": "OPS"});
    let path = format!("/items/{item}/transfer");
    world.write(http::Method::POST, &path, &world.ada, to).await;
    world.settle().await;
    assert_eq!(world.find_anywhere(&world.ada, &item).await, ["OPS-1"]);
}

/// Eight clients of one account got 357 good answers a second, nine got 79, because an admitted search asked for its turn
/// again for every fifty texts.
#[tokio::test]
async fn a_search_that_is_admitted_is_carried_through() {
    let world = World::new().await;
    for number in 0..60 {
        world.item("PRJ", &format!("Nest {number}"), "about a heron").await;
    }
    world.settle().await;
    let path = "/projects/PRJ/search?types=items,comments,pages&q=heron&limit=50";
    // One at work, and as many as may wait.
    let all = join_all((0..9).map(|_| world.get(path))).await;
    let statuses: Vec<_> = all.iter().map(|reply| reply.status.as_u16()).collect();
    assert_eq!(statuses, [200; 9]);
    let lists = join_all((0..9).map(|_| world.get("/projects/PRJ/items?q=heron"))).await;
    assert!(lists.iter().all(|reply| reply.status == 200 && reply.json["totalCount"] == 60));
}

/// The web app showed "50+": the answer did not say how many there are.
#[tokio::test]
async fn what_there_is_is_counted_by_kind_as_far_as_the_caller_sees_it_and_no_further_than_its_bound() {
    let world = World::new().await;
    let item = world.item("PRJ", "The airship", "It flies.").await;
    for n in 0..60 {
        world.comment(&item, &world.ada, &format!("Airship {n} is late."), None).await;
    }
    world.page("Airships", None, "An airship floats.").await;
    world.settle().await;
    let totals = async |query: &str| world.get(&format!("/search?{query}")).await.json["totals"].clone();
    let exactly = |count: u64| serde_json::json!({"count": count, "atLeast": false});
    let of_all = totals("q=airship&limit=5&totals=true").await;
    let counted = ["items", "comments", "pages", "projects", "people"].map(|kind| of_all[kind].clone());
    assert_eq!(counted, [1, 60, 1, 0, 0].map(exactly));
    let of_comments = totals("q=airship&types=comments&totals=true").await;
    assert_eq!(of_comments, serde_json::json!({"comments": exactly(60)}));
    assert!(totals("q=airship").await.is_null(), "what nobody asked for is not counted");
    for n in 0..500 {
        world.comment(&item, &world.ada, &format!("Another airship {n}."), None).await;
    }
    world.settle().await;
    let many = totals("q=airship&types=comments&totals=true").await;
    assert_eq!(many["comments"]["atLeast"], true);
    assert!(many["comments"]["count"].as_u64().unwrap() > 450, "{many}");
    let in_project = world.get("/projects/PRJ/search?q=air&types=items&totals=true").await;
    assert_eq!(in_project.json["totals"], serde_json::json!({"items": exactly(1)}));
}
