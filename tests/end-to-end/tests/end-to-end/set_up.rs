//! An organization is set up by `svc` alone: people, a project with its workflow, labels, templates and teams, and
//! tokens; and each may what it may.

use svc_end_to_end::{Home, Server};

use crate::team::{PASSWORD, Person};

/// Ada, who owns the new organization acme, and Ben, whom she lets in.
struct Office {
    server: Server,
    ada: Person,
    ben: Person,
    directory: tempfile::TempDir,
}

impl Office {
    async fn open() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let server = Server::start(&path.join("data"), &path.join("server.log"), &[]).await;
        let ada = Person { home: Home::new(&path.join("ada")) };
        let ben = Person { home: Home::new(&path.join("ben")) };
        let (url, demo) = (server.url(), &server.demo);
        ada.types_with(&demo.password, &format!("auth login --url {url} --email {}", demo.email), 0).await;
        assert_eq!(ada.makes("org create acme --name Acme~Ltd", "role").await, "owner");
        // From now on she works there.
        ada.types_with(&demo.password, &format!("auth login --org acme --email {}", demo.email), 0).await;
        ada.types("project create WEB --name Web~shop --description What~customers~see").await;
        let link = ada.makes("invite create ben@example.com -p WEB", "link").await;
        ben.types_with(PASSWORD, &format!("auth join {link} --name Ben"), 0).await;
        Self { server, ada, ben, directory }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_come_are_trusted_and_go() {
    let Office { ada, ben, server: _server, directory: _directory } = &Office::open().await;
    assert!(ada.types("invite list").await.contains("accepted"));
    let project = ben.types("project view WEB").await;
    for part in ["Web shop", "What customers see", "Backlog, In progress", "Bug report", "your role  member"]
    {
        assert!(project.contains(part), "{part} in {project}");
    }
    ben.is_told("project edit WEB --name Mine", 5).await;
    assert_eq!(ada.makes("project member add WEB ben@example.com --role admin", "role").await, "admin");
    ben.types("project edit WEB --name Shop").await;
    let members = ben.types("project member list WEB").await;
    assert!(members.contains("admin  Ben"), "{members}");

    ben.is_told("invite create eve@example.com", 5).await;
    ada.types("member edit Ben --role admin").await;
    let org = ben.types("org view").await;
    assert!(org.contains("Acme Ltd") && org.contains("admins") && org.contains("Ben"), "{org}");
    ben.types("invite create eve@example.com --preset stakeholder -p WEB").await;
    ben.is_told("invite create eve@example.com --preset guest", 3).await;
    ben.types("invite resend eve@example.com").await;
    ben.types("invite revoke eve@example.com --yes").await;
    assert!(ada.types("invite list").await.contains("revoked"));

    ada.types("org edit --read-only true").await;
    ben.is_told("project create NEW --name New", 5).await;
    ada.types("org edit --read-only false --name Acme").await;
    ada.is_told("org leave acme --yes", 3).await;
    ada.is_told("member remove Ben", 2).await;
    ada.types("member remove Ben --yes").await;
    ben.is_told("project view WEB", 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_shaped_and_worked_in() {
    let Office { ada, ben, server: _server, directory } = &Office::open().await;
    ada.types("label create search -p WEB --color #0ea5e9 --description Finding~things").await;
    let template =
        "template create Incident -p WEB --type bug --priority highest --labels ops,serach --body-file -";
    ada.types_with("## What happened\n", template, 0).await;
    let key = ben.makes("item create -p WEB --template incident --title Search~is~down", "key").await;
    let item = ben.reads(&format!("item view {key}")).await;
    assert_eq!((&item["type"], &item["priority"]), (&"bug".into(), &"highest".into()));
    assert_eq!(
        (&item["body"], item["labels"].to_string()),
        (&"## What happened\n".into(), r#"["ops","serach"]"#.into())
    );

    ben.is_told("label edit serach -p WEB --name search --merge --yes", 5).await;
    ada.is_told("label edit serach -p WEB --name search", 3).await;
    ada.types("label edit serach -p WEB --name search --merge --yes").await;
    assert_eq!(ben.reads(&format!("item view {key}")).await["labels"].to_string(), r#"["ops","search"]"#);
    assert!(ada.types("template view Incident -p WEB").await.contains("ops, search"), "templates follow");
    ada.types("template edit Bug~report -p WEB --name Defect").await;
    ada.types("template delete User~story -p WEB --yes").await;
    let templates = ben.types("template list -p WEB").await;
    assert!(templates.contains("Defect") && !templates.contains("User story"), "{templates}");

    ben.types(&format!("item move {key} --state In~progress")).await;
    let file = directory.path().join("workflow.json");
    let mut workflow = ada.reads("workflow view -p WEB").await;
    // Without its id, a state of another name is another state.
    for state in workflow["states"].as_array_mut().unwrap() {
        state.as_object_mut().unwrap().remove("id");
    }
    std::fs::write(&file, workflow.to_string().replace("In progress", "Doing")).unwrap();
    let edit = format!("workflow edit -p WEB --file {}", file.display());
    let why = ada.is_told(&edit, 2).await;
    assert!(why.contains("In progress"), "items are in it: {why}");
    ada.types(&format!("{edit} --move-items In~progress=Doing")).await;
    assert_eq!(ben.makes(&format!("item view {key}"), "state").await, "Doing");
    ada.is_told(&edit, 3).await;

    ada.types("team create front -p WEB --name Web --member ben@example.com --member @me").await;
    ada.types("team edit front -p WEB --remove-member @me --name Front").await;
    let team = ben.reads("team view front -p WEB").await;
    assert_eq!((&team["name"], &team["members"][0]["name"]), (&"Front".into(), &"Ben".into()), "{team}");
    ada.types("team archive front -p WEB").await;
    ada.types("team delete front -p WEB --yes").await;
    ben.is_told("team view front -p WEB", 4).await;

    ada.types("project archive WEB").await;
    ben.is_told("item create -p WEB --type bug --title Late", 3).await;
    ada.types("project unarchive WEB").await;
    ben.types("item create -p WEB --type bug --title Late").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_what_it_was_made_for() {
    let Office { ada, server: _server, directory: _directory, .. } = &Office::open().await;
    let secret = ada.types("token create report --scope read --bound-to acme --expires 30d").await;
    let with_it = format!("--token {}", secret.trim());
    let orgs = ada.types(&format!("{with_it} org list")).await;
    assert!(orgs.contains("acme") && !orgs.contains("demo"), "{orgs}");
    ada.types(&format!("{with_it} project view WEB")).await;
    ada.is_told(&format!("{with_it} project archive WEB"), 5).await;
    ada.is_told(&format!("{with_it} token create more --scope admin"), 5).await;
    assert!(ada.types("token list").await.contains("report"));
    ada.is_told("token revoke report", 2).await;
    ada.types("token revoke report --yes").await;
    ada.is_told(&format!("{with_it} project view WEB"), 5).await;
}
