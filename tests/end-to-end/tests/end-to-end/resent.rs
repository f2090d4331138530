//! The server is killed in the middle of 64 writers, again and again. Each sends what was not answered again under its
//! idempotency key, as a client does: everything is there, and nothing is there twice.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};
use svc_api::page::PageQuery;
use svc_api::tracker::ItemQuery;
use svc_end_to_end::{Server, all_pages, program, task};
use tokio::sync::Semaphore;

/// Clients at once.
const WRITERS: usize = 64;
/// How often the server is killed.
const KILLS: usize = 3;
/// After so many answers it is killed; it would go on for ever.
const KILL_AFTER: usize = 200;

/// A request under a key.
#[derive(Clone)]
struct Post {
    path: String,
    body: Value,
    key: String,
    /// Where the answer says that it is; nothing when there was no answer.
    made: Option<String>,
}

/// Who sends requests.
#[derive(Clone)]
struct Sender {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl Sender {
    fn of(server: &Server) -> Self {
        Self { http: server.http().clone(), url: server.url(), token: server.demo.token.clone() }
    }

    /// Sends it; answers where it says that the thing is, and nothing when the connection broke.
    async fn send(&self, post: &Post) -> Option<String> {
        let request = self.http.post(format!("{}{}", self.url, post.path));
        let request = request.bearer_auth(&self.token).header("idempotency-key", &post.key).json(&post.body);
        let answer = request.send().await.ok()?;
        let (status, location) = (answer.status(), answer.headers().get("location").cloned());
        let said = answer.text().await.ok()?;
        assert_eq!(status, 201, "{}: {said}", post.path);
        Some(location.expect("what is created has an address").to_str().unwrap().to_owned())
    }
}

/// Creates items and comments in turn until the server is gone; answers all that it sent.
async fn write(
    sender: Sender,
    items: String,
    comments: String,
    name: String,
    answered: Arc<(AtomicUsize, Semaphore)>,
) -> Vec<Post> {
    let mut sent = Vec::new();
    for number in 0.. {
        let name = format!("{name} write {number}");
        let (path, body) = match number % 2 {
            0 => (items.clone(), json!({"type": "task", "title": name})),
            _ => (comments.clone(), json!({"body": name})),
        };
        let mut post = Post { path, body, key: name.replace(' ', "-"), made: None };
        post.made = sender.send(&post).await;
        let gone = post.made.is_none();
        sent.push(post);
        if gone {
            break;
        }
        let (count, enough) = &*answered;
        if count.fetch_add(1, Ordering::SeqCst) + 1 == KILL_AFTER {
            enough.add_permits(1);
        }
    }
    sent
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_again_after_a_kill_happens_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(&directory.path().join("data"), &directory.path().join("log"), &[]).await;
    let org = server.demo.org.clone();
    let item =
        server.client().org(&org).create_item(&server.demo.project, &task("what all comment on")).await;
    let talk = item.unwrap().key;
    let before = titles(&server).await.len();
    let items = format!("/api/v1/orgs/{org}/projects/{}/items", server.demo.project);
    let comments = format!("/api/v1/orgs/{org}/items/{talk}/comments");
    let mut all: Vec<Post> = Vec::new();
    let mut unanswered = 0;
    for kill in 0..KILLS {
        let answered = Arc::new((AtomicUsize::new(0), Semaphore::new(0)));
        let writers = (0..WRITERS).map(|writer| {
            let name = format!("kill {kill} writer {writer}");
            tokio::spawn(write(
                Sender::of(&server),
                items.clone(),
                comments.clone(),
                name,
                Arc::clone(&answered),
            ))
        });
        let writers: Vec<_> = writers.collect();
        answered.1.acquire().await.unwrap().forget();
        server.kill();
        let mut sent = Vec::new();
        for writer in writers {
            sent.extend(writer.await.unwrap());
        }
        server.start_again().await;

        let sender = Sender::of(&server);
        unanswered += sent.iter().filter(|post| post.made.is_none()).count();
        // Also what was answered: a client may not have got so far as to write the answer down.
        let again = join_all(sent.iter().map(|post| sender.send(post))).await;
        for (post, again) in sent.iter().zip(again) {
            let again = again.expect("the server answers now");
            assert!(post.made.as_ref().is_none_or(|made| *made == again), "{} is at {again} too", post.key);
        }
        all.extend(sent);
    }
    assert!(unanswered > WRITERS, "{unanswered} of {} were not answered: not in the middle", all.len());

    let titles = titles(&server).await;
    let bodies = bodies(&server, &talk).await;
    for post in &all {
        let times = match post.body["title"].as_str() {
            Some(title) => titles.get(title),
            None => bodies.get(post.body["body"].as_str().unwrap()),
        };
        assert_eq!(times, Some(&1), "{} is there so many times", post.key);
    }
    assert_eq!(titles.len() - before + bodies.len(), all.len(), "and nothing that nobody sent");
    the_data_is_consistent(&mut server).await;
}

/// The items by title, with how many have it.
async fn titles(server: &Server) -> BTreeMap<String, usize> {
    let client = server.client();
    let org = client.org(&server.demo.org);
    let items = all_pages(async |PageQuery { page, page_size }| {
        org.items(&server.demo.project, &ItemQuery { page, page_size, ..ItemQuery::default() }).await
    });
    count(items.await.unwrap().into_iter().map(|item| item.title))
}

/// The comments by what they say, with how many say it.
async fn bodies(server: &Server, item: &str) -> BTreeMap<String, usize> {
    let client = server.client();
    let org = client.org(&server.demo.org);
    let comments = all_pages(async |page| org.comments(item, &page).await).await.unwrap();
    count(comments.into_iter().map(|comment| comment.body))
}

fn count(texts: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for text in texts {
        *times.entry(text).or_default() += 1;
    }
    times
}

async fn the_data_is_consistent(server: &mut Server) {
    server.stop(Duration::from_secs(30)).await;
    let mut check = Command::new(program("svc-server"));
    let checked = check.arg("check").arg("--data").arg(server.data()).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{said}\n{}", String::from_utf8_lossy(&checked.stderr));
}
