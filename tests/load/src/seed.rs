//! Fills projects with items through the API, as many clients at once would.

use std::cell::Cell;
use std::time::Instant;

use futures::future::join_all;
use svc_api::tracker::NewProject;
use svc_end_to_end::Stage;

use crate::driver::{Connection, Target};

/// Clients that create at once.
const CLIENTS: usize = 64;

/// Projects of a thousand, ten thousand and a hundred thousand items.
pub(crate) const SIZES: [(&str, usize); 3] = [("KILO", 1_000), ("MYRIAD", 10_000), ("LAKH", 100_000)];

/// The server that was seeded, as a target of load.
pub(crate) struct Seeded {
    pub(crate) target: Target,
}

/// The server of a stage, as a target of load.
pub(crate) fn target(stage: &Stage) -> Target {
    Target { address: stage.server.address(), token: stage.server.demo.token.clone() }
}

/// Creates the projects and their items.
pub(crate) async fn seed(stage: &Stage) -> Seeded {
    let target = target(stage);
    for (key, size) in SIZES {
        let new = NewProject { key: key.into(), name: key.to_lowercase(), description: String::new() };
        stage.client().org(stage.org()).create_project(&new).await.expect("a project can be created");
        let began = Instant::now();
        fill(&target, &format!("/api/v1/orgs/{}/projects/{key}/items", stage.org()), size).await;
        eprintln!("{key}: {size} items in {:.1} s", began.elapsed().as_secs_f64());
    }
    Seeded { target }
}

async fn fill(target: &Target, path: &str, size: usize) {
    let next = Cell::new(0);
    let clients = (0..CLIENTS).map(|_| async {
        let mut connection = Connection::open(target.address).await.expect("a connection can be opened");
        while next.get() < size {
            let number = next.replace(next.get() + 1);
            let request = target.post(path, &item(number));
            let answer = connection.send(&request).await.expect("an answer comes");
            assert!((200..300).contains(&answer.status), "{}", String::from_utf8_lossy(answer.body));
        }
    });
    join_all(clients).await;
}

/// An item like those of a real project: of every type, priority and state, some with labels and a body.
fn item(number: usize) -> String {
    let of = |values: &[&'static str]| values[number % values.len()];
    serde_json::json!({
        "type": of(&["task", "bug", "story", "task", "epic", "bug", "task"]),
        "title": format!("{} the {} of part {number}", of(&["Fix", "Write", "Review"]), of(&["search", "page"])),
        "priority": of(&["medium", "low", "high", "medium", "highest"]),
        "state": of(&["Backlog", "In progress", "Closed"]),
        "labels": match number % 4 { 0 => vec!["bug", "frontend"], 1 => vec!["wontfix"], _ => vec![] },
        "body": "What happens, what should happen, and how to see it.\n".repeat(number % 5),
    })
    .to_string()
}
