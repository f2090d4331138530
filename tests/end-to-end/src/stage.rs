//! A service, a person's machine and a repository together, as most tests need them; all in one temporary
//! directory, which goes when the test ends.

use std::path::Path;
use std::time::Duration;

use svc_api::Page;
use svc_api::factory::{LogEntry, Run};
use svc_api::page::PageQuery;
use svc_api::tracker::{Comment, Item, ItemType, NewItem};
use svc_client::{Client, Error};
use tempfile::TempDir;

use crate::agent::Agent;
use crate::home::Home;
use crate::repo::Repo;
use crate::runner::Runner;
use crate::server::Server;
use crate::wait::eventually;

/// How long a run of a test takes at most, unless the test says otherwise.
const RUN: Duration = Duration::from_secs(300);

/// A service, a signed-in person and a repository. What is used together with it (runners, networks) is made
/// later and so goes earlier.
pub struct Stage {
    /// The service.
    pub server: Server,
    /// The machine of the owner of the demo organization, who is signed in.
    pub home: Home,
    /// The project's repository.
    pub repo: Repo,
    client: Client,
    directory: TempDir,
}

impl Stage {
    /// Sets it up, with these settings of the server.
    ///
    /// # Panics
    /// When something of it cannot be set up.
    pub async fn set(settings: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let path = directory.path();
        let server = Server::start(&path.join("data"), &path.join("server.log"), settings).await;
        let home = Home::new(&path.join("home"));
        let login = ["auth", "login", "--url", &server.url(), "--org", &server.demo.org];
        let output = home.svc_with(&server.demo.token, &login).await;
        assert_eq!(output.code, Some(0), "svc auth login failed:\n{}", output.stderr);
        let repo = Repo::new(&home).await;
        let client = server.client();
        Self { server, home, repo, client, directory }
    }

    /// The directory that everything is in.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The owner's client.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Slug of the organization.
    pub fn org(&self) -> &str {
        &self.server.demo.org
    }

    /// Key of the project.
    pub fn project(&self) -> &str {
        &self.server.demo.project
    }

    /// An agent that does what a script says.
    pub fn agent(&self, script: &str) -> Agent {
        Agent::script(self.directory(), script)
    }

    /// A runner on the person's machine.
    pub async fn runner(&self, harness: &Path) -> Runner {
        self.runner_over(&self.server.url(), harness).await
    }

    /// A runner that reaches the service at another address.
    pub async fn runner_over(&self, url: &str, harness: &Path) -> Runner {
        let at = (url, self.server.demo.runner_secret.as_str());
        Runner::start(&self.home, at, (self.project(), &self.repo.clone), harness).await
    }

    /// A new item.
    ///
    /// # Panics
    /// When the service refuses.
    pub async fn new_item(&self, title: &str) -> Item {
        let new = task(title);
        self.client.org(self.org()).create_item(self.project(), &new).await.expect("an item can be created")
    }

    /// An item as it is now.
    ///
    /// # Panics
    /// When the service refuses.
    pub async fn item(&self, key: &str) -> Item {
        self.client.org(self.org()).item(key).await.expect("the item can be seen")
    }

    /// The comments of an item.
    ///
    /// # Panics
    /// When the service refuses.
    pub async fn comments(&self, key: &str) -> Vec<Comment> {
        let org = self.client.org(self.org());
        all_pages(async |page| org.comments(key, &page).await).await.expect("the comments can be seen")
    }

    /// Hands an item to an agent, on the command line.
    pub async fn start_run(&self, key: &str) -> Run {
        self.home.svc_json(&["run", "start", key]).await
    }

    /// Waits until a run is as it should be.
    ///
    /// # Panics
    /// When it is not within the bound of a run.
    pub async fn run_when(&self, id: &str, what: &str, mut is: impl FnMut(&Run) -> bool) -> Run {
        let client = &self.client;
        eventually(&format!("run {id} {what}"), RUN, async || {
            let run = client.run(id).await.expect("the run can be seen");
            is(&run).then_some(run)
        })
        .await
    }

    /// Waits for the end of a run.
    ///
    /// # Panics
    /// When it does not end within the bound of a run.
    pub async fn ended(&self, id: &str) -> Run {
        self.run_when(id, "has ended", |run| run.status.is_terminal()).await
    }

    /// The log of a run, from the beginning.
    ///
    /// # Panics
    /// When the service refuses.
    pub async fn log(&self, id: &str) -> Vec<LogEntry> {
        let mut entries = Vec::new();
        loop {
            let after = entries.last().map(|entry: &LogEntry| entry.seq);
            let page = self.client.run_log(id, after).await.expect("the log can be read");
            if page.entries.is_empty() {
                return entries;
            }
            entries.extend(page.entries);
        }
    }
}

/// A task with this title and nothing else.
pub fn task(title: &str) -> NewItem {
    NewItem::new(ItemType::Task, title)
}

/// Every entry of a paged list.
///
/// # Errors
/// Those of the client.
pub async fn all_pages<T>(
    mut fetch: impl AsyncFnMut(PageQuery) -> Result<Page<T>, Error>,
) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    for number in 1.. {
        let page = fetch(PageQuery { page: Some(number), page_size: Some(100) }).await?;
        let last = page.items.is_empty();
        all.extend(page.items);
        if last || all.len() as u64 >= page.total_count {
            break;
        }
    }
    Ok(all)
}
