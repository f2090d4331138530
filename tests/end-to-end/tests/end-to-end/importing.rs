//! The work of another tracker comes into a project: once, whole, and over a network that goes away.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use svc_api::tracker::{ItemCountQuery, ItemQuery};
use svc_end_to_end::{Proxy, Stage, eventually, program};

const BOUND: Duration = Duration::from_secs(300);

fn file(stage: &Stage, name: &str, text: &str) -> PathBuf {
    let path = stage.directory().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_comes_once_with_all_it_has() {
    let stage = Stage::set(&[]).await;
    let (org, project) = (stage.client().org(stage.org()), stage.project());
    let text = format!(
        "Summary,Issue key,Issue id,Issue Type,Status,Project key,Priority,Assignee,Reporter,Created,Updated,Resolved,\
         Parent,Labels,Labels,Sprint,Fix Version/s,Description,Comment,Attachment,Inward issue link (Blocks),Custom field (Story Points)\n\
         Cut off,SHOP-2,10002,Bug,Done,SHOP,High,{},Former user,13/Jan/26 9:00 AM,14/Jan/26 9:00 AM,14/Jan/26 8:00 AM,\
         10001,ui,api,Sprint 1,1.0,*bold*,13/Jan/26 10:00 AM;{};Me too,13/Jan/26 10:00 AM;x;shot.png;https://files.example/shot.png,SHOP-1,3\n\
         Names,SHOP-1,10001,Story,To Do,SHOP,,,,12/Jan/26 9:00 AM,,,\n",
        stage.server.demo.email, stage.server.demo.email,
    );
    let path = file(&stage, "jira.csv", &text);
    let before = org.count_items(project, &ItemCountQuery::default()).await.unwrap();
    let import = ["import", "jira", path.to_str().unwrap(), "-p", project, "--timezone", "UTC"];
    let dry: Value = stage.home.svc_json(&[&import[..], &["--dry-run"]].concat()).await;
    assert_eq!((&dry["found"]["items"], &dry["found"]["comments"]), (&2.into(), &1.into()));
    let after = org.count_items(project, &ItemCountQuery::default()).await.unwrap();
    assert_eq!(after.total, before.total, "a dry run writes nothing");

    let first: Value = stage.home.svc_json(&import).await;
    assert!(first["created"].as_u64().unwrap() >= 7, "{first}");
    let filter = ItemQuery { filter: Some("label:api".into()), ..ItemQuery::default() };
    let found = org.items(project, &filter).await.unwrap().items;
    let [item] = &found[..] else { panic!("one item has the label: {found:?}") };
    let item = org.item(&item.key).await.unwrap();
    assert_eq!(
        (item.title.as_str(), item.created_at.to_string().as_str()),
        ("Cut off", "2026-01-13T09:00:00Z")
    );
    assert!(item.body.contains("**bold**"), "{}", item.body);
    assert!(
        item.body.contains("Former user") && item.body.contains("https://files.example/shot.png"),
        "{}",
        item.body
    );
    assert_eq!(item.estimate, Some(3.0));
    assert!(item.assignee.is_some() && item.milestone.is_some() && item.sprint.is_some());
    let parent = org.item(item.parent.as_deref().unwrap()).await.unwrap();
    assert_eq!(parent.title, "Names");
    let comments = stage.comments(&item.key).await;
    assert_eq!((comments.len(), comments[0].body.as_str()), (1, "Me too"));
    assert_eq!(org.links(&item.key).await.unwrap().items.len(), 1);

    let again: Value = stage.home.svc_json(&import).await;
    assert_eq!(
        (&again["created"], &again["changed"]),
        (&0.into(), &0.into()),
        "twice changes nothing: {again}"
    );
    assert_eq!(stage.comments(&item.key).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_goes_on_after_a_cut() {
    const ITEMS: u64 = 2_000;
    let stage = Stage::set(&[]).await;
    let network = Proxy::to(stage.server.address()).await;
    let mut text = "Id,Title,Labels\n".to_owned();
    (0..ITEMS).for_each(|number| text += &format!("{number},Item {number},brought\n"));
    let path = file(&stage, "work.csv", &text);
    let mut svc = stage.home.command(program("svc"));
    svc.args(["import", "csv", path.to_str().unwrap(), "-p", stage.project(), "--json"]);
    svc.env("SVC_URL", network.url()).env("SVC_TOKEN", &stage.server.demo.token).env("SVC_ORG", stage.org());
    let importing = tokio::spawn(tokio::process::Command::from(svc).output());
    let brought = async || {
        let query = ItemCountQuery { filter: Some("label:brought".into()), ..ItemCountQuery::default() };
        stage.client().org(stage.org()).count_items(stage.project(), &query).await.unwrap().total
    };
    eventually("the first items", BOUND, async || (brought().await > 0).then_some(())).await;
    network.cut();
    eventually("attempts in vain", BOUND, async || (network.refused() > 0).then_some(())).await;
    network.mend();
    let output = importing.await.unwrap().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(brought().await, ITEMS, "nothing is lost, and nothing comes twice");
}
