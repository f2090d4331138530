//! A team begins and works with the command line alone: no browser, no factory.

use serde_json::Value;
use svc_api::identity::{InvitationPreset, NewInvitation};
use svc_end_to_end::{Home, Server};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// A person's machine, and what they type on it: a line split at spaces, where `~` inside of a word is a space.
pub(crate) struct Person {
    pub(crate) home: Home,
}

impl Person {
    pub(crate) async fn types_with(&self, stdin: &str, line: &str, code: i32) -> (String, String) {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('~', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = self.home.svc_with(stdin, &words).await;
        assert_eq!(output.code, Some(code), "svc {line}: {}", output.stderr);
        (output.stdout, output.stderr)
    }

    pub(crate) async fn types(&self, line: &str) -> String {
        self.types_with("", line, 0).await.0
    }

    pub(crate) async fn is_told(&self, line: &str, code: i32) -> String {
        self.types_with("", line, code).await.1
    }

    pub(crate) async fn reads(&self, line: &str) -> Value {
        serde_json::from_str(&self.types(&format!("{line} --json")).await).unwrap()
    }

    /// The field of what a line made.
    pub(crate) async fn makes(&self, line: &str, field: &str) -> String {
        self.reads(line).await[field].as_str().unwrap().to_owned()
    }
}

/// Ada, who owns the organization, and Eve, whom she invited.
struct Team {
    _server: Server,
    ada: Person,
    eve: Person,
    _directory: tempfile::TempDir,
}

/// An instance whose owner signs in with a password, and somebody new who joins with a link.
async fn team() -> Team {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let server = Server::start(&path.join("data"), &path.join("server.log"), &[]).await;
    let person = |name: &str| Person { home: Home::new(&path.join(name)) };
    let (ada, eve) = (person("ada"), person("eve"));
    let (url, demo) = (server.url(), &server.demo);
    let again =
        format!("auth setup --url {url} --email ada@example.com --name Ada --org acme --org-name Acme");
    let (_, said) = ada.types_with(PASSWORD, &again, 2).await;
    assert!(said.contains("svc auth login"), "an instance is set up once: {said}");
    ada.types_with(&demo.password, &format!("auth login --url {url} --email {}", demo.email), 0).await;
    let invitation = NewInvitation {
        email: "eve@example.com".into(),
        preset: InvitationPreset::Member,
        project: Some("DEMO".into()),
        can_start_ai_work: false,
    };
    let link = server.client().org(&demo.org).invite(&invitation).await.unwrap().link.unwrap();
    let (_, said) = eve.types_with(PASSWORD, &format!("auth join {link} --name Eve"), 0).await;
    assert!(said.contains("Signed in"), "{said}");
    let (_, said) = eve.types_with(PASSWORD, &format!("auth join {link} --name Eve"), 3).await;
    assert!(said.contains("already been accepted"), "{said}");
    let (_, refused) = eve.types_with("wrong password", "auth login --email eve@example.com", 5).await;
    assert!(refused.contains("wrong"), "{refused}");
    Team { _server: server, ada, eve, _directory: directory }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_works_through_a_sprint() {
    let Team { ada, eve, .. } = &team().await;
    let (one, two) = ("sprint create -p DEMO -t DEMO --name One", "sprint create -p DEMO -t DEMO --name Two");
    let (sprint, next) = (ada.makes(one, "id").await, ada.makes(two, "id").await);
    let create =
        "item create -p DEMO --type bug --template bug~report --assignee eve@example.com --title Crash";
    let item = eve.reads(create).await;
    let key = item["key"].as_str().unwrap();
    assert!(item["body"].as_str().unwrap().contains("Steps to reproduce"), "{item}");
    eve.types(&format!("item move {key} --sprint {sprint}")).await;
    eve.types(&format!("item subtask {key} --title Test --estimate 2")).await;
    assert!(eve.types(&format!("item subtasks {key}")).await.contains("Test"));
    ada.types(&format!("sprint start {sprint}")).await;
    let bulk = "item bulk -p DEMO --filter sprint:current --labels +hot --priority high";
    assert_eq!(eve.reads(bulk).await["results"].as_array().unwrap().len(), 2);
    assert!(eve.is_told(&format!("item bulk {key} --state Closed"), 3).await.contains("1 of 1 items"));

    let comment = ada.makes(&format!("item comment {key} -m Where?"), "id").await;
    eve.types(&format!("item comment {key} -m Everywhere. --reply-to {comment}")).await;
    eve.is_told(&format!("comment edit {key} {comment} -m Mine"), 5).await;
    ada.types(&format!("comment edit {key} {comment} -m Where~exactly?")).await;
    let said = eve.types(&format!("comment list {key}")).await;
    assert!(said.contains("Where exactly?") && said.contains("Everywhere."), "{said}");
    let history = ada.types(&format!("item history {key}")).await;
    assert!(history.contains("labels: hot") && history.contains("sprint: One"), "{history}");

    let done = ada.reads(&format!("sprint complete {sprint} --unfinished-to next")).await;
    assert!(done["moved"].as_u64() >= Some(1), "{done}");
    assert_eq!(ada.makes(&format!("item view {key}"), "sprint").await, next);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_keeps_its_wiki() {
    let Team { ada, eve, .. } = &team().await;
    for text in ["One\n", "Two\n"] {
        ada.types_with(text, "wiki put DEMO Guides/Testing --file -", 0).await;
    }
    assert_eq!(ada.reads("wiki versions DEMO Guides/Testing").await[0]["version"], 2);
    assert!(ada.types("wiki diff DEMO Guides/Testing").await.contains("-One\n+Two\n"));
    assert_eq!(ada.types("wiki get DEMO Guides/Testing --version 1").await, "One\n");
    ada.types("wiki restore DEMO Guides/Testing --version 1").await;
    assert_eq!(eve.types("wiki get DEMO Guides/Testing").await, "One\n");
    ada.types("wiki access DEMO Guides/Testing --read admins").await;
    eve.is_told("wiki get DEMO Guides/Testing", 4).await;
    ada.types("wiki access DEMO Guides/Testing --read none").await;
    ada.types("wiki delete DEMO Guides/Testing --yes").await;
    eve.is_told("wiki get DEMO Guides/Testing", 4).await;
    let deleted = ada.reads("wiki deleted -p DEMO").await;
    ada.types(&format!("wiki undelete DEMO {}", deleted[0]["id"].as_str().unwrap())).await;
    assert_eq!(eve.types("wiki get DEMO Guides/Testing").await, "One\n");
}
