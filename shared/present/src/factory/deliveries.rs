//! What a code host's delivery says of pull requests.
//!
//! Reads only what it knows: other events, other actions and deliveries that leave something out tell nothing. A branch
//! counts only in the repository of the pull request: anybody may give a branch of a fork the name of a run's branch.

use jiff::Timestamp;
use svc_api::factory::{
    CodeHostDelivery, DeliveredCheck, DeliveredPullRequest, DeliveredRepository, DeliveredReview,
};
use svc_domain::pull_request::{News, PullRequestState, Review, What};
use svc_domain::run::outcome::pull_request_url;

/// Most characters of a person's name at the host that are told apart.
const LONGEST_LOGIN: usize = 100;

/// Who may ask for changes: people with rights in the repository. Anybody may review a public one.
const TRUSTED: [&str; 3] = ["OWNER", "MEMBER", "COLLABORATOR"];

/// How a check ends that failed.
const FAILED: [&str; 3] = ["failure", "timed_out", "startup_failure"];

/// How a check ends that did not.
const PASSED: [&str; 3] = ["success", "neutral", "skipped"];

/// The news that a delivery of this event tells, which arrived now.
pub fn news(event: &str, delivery: &CodeHostDelivery, now: Timestamp) -> Vec<News> {
    let told = match event {
        "pull_request" => delivery.pull_request.as_ref().and_then(|of| state(delivery, of, now)),
        "pull_request_review" => review(delivery, now),
        "check_run" if delivery.action == "completed" => {
            return delivery.check_run.as_ref().map_or_else(Vec::new, |run| checks(delivery, run, now));
        }
        "check_suite" if delivery.action == "completed" => {
            return delivery.check_suite.as_ref().map_or_else(Vec::new, |suite| checks(delivery, suite, now));
        }
        _ => None,
    };
    told.into_iter().collect()
}

fn state(delivery: &CodeHostDelivery, of: &DeliveredPullRequest, now: Timestamp) -> Option<News> {
    let merged = of.merged == Some(true) || of.merged_at.is_some();
    let state = match of.state.as_str() {
        "open" => PullRequestState::Open,
        "closed" if merged => PullRequestState::Merged,
        "closed" => PullRequestState::Closed,
        _ => return None,
    };
    let head = commit(&of.head.sha)?;
    let url = pull_request_url(of.html_url.as_deref()?)?;
    Some(News {
        branch: own_branch(delivery, of, None, &url),
        url,
        at: of.updated_at.unwrap_or(now).min(now),
        what: What::State { state, head, reopened: delivery.action == "reopened" },
    })
}

/// The branch that a pull request of this address would merge, if it is one of the repository's own; `other` where the
/// pull request does not name it.
fn own_branch(
    delivery: &CodeHostDelivery,
    of: &DeliveredPullRequest,
    other: Option<&String>,
    url: &str,
) -> Option<String> {
    of.head.branch.as_ref().or(other).filter(|_| is_own(delivery, of, url)).cloned()
}

/// Whether a pull request of this address is in the repository that delivers, and its branch too.
fn is_own(delivery: &CodeHostDelivery, of: &DeliveredPullRequest, url: &str) -> bool {
    let (Some(repository), Some(head)) = (&delivery.repository, &of.head.repo) else { return false };
    let page = pull_request_url(repository.html_url.trim_end_matches('/'));
    let rest = page.as_deref().and_then(|page| url.strip_prefix(page));
    repository.id != 0 && repository.id == head.id && rest.is_some_and(|rest| rest.starts_with('/'))
}

fn review(delivery: &CodeHostDelivery, now: Timestamp) -> Option<News> {
    let (of, review) = (delivery.pull_request.as_ref()?, delivery.review.as_ref()?);
    let says = match review.state.as_str() {
        "approved" => Some(Review::Approved),
        "changes_requested" => Some(Review::ChangesRequested),
        "dismissed" => None,
        _ => return None,
    };
    if !TRUSTED.contains(&review.author_association.as_str()) {
        return None;
    }
    let url = pull_request_url(of.html_url.as_deref()?)?;
    Some(News {
        branch: own_branch(delivery, of, None, &url),
        url,
        // Dismissing one leaves the time at which it was submitted.
        at: if says.is_none() { now } else { review.submitted_at.unwrap_or(now).min(now) },
        what: What::Reviewed {
            head: commit(review.commit_id.as_deref().unwrap_or(&of.head.sha))?,
            by: reviewer(review),
            says,
            text: review_text(review),
        },
    })
}

/// Name of who reviewed, whose account may be gone.
fn reviewer(review: &DeliveredReview) -> String {
    review.user.as_ref().map_or("Somebody", |user| &user.login).chars().take(LONGEST_LOGIN).collect()
}

fn review_text(review: &DeliveredReview) -> String {
    let by = reviewer(review);
    let said = review.body.as_deref().map(str::trim).filter(|body| !body.is_empty());
    let said = said.unwrap_or("The review has no text of its own; read its comments on the lines.");
    let page = review.html_url.as_deref().unwrap_or_default();
    format!("{by} requested changes. {page}\n\n{said}")
}

/// The news of a check that is over, for each pull request of its commit.
fn checks(delivery: &CodeHostDelivery, check: &DeliveredCheck, now: Timestamp) -> Vec<News> {
    let conclusion = check.conclusion.as_deref().unwrap_or_default();
    let failed = FAILED.contains(&conclusion);
    if !failed && !PASSED.contains(&conclusion) {
        return Vec::new();
    }
    let Some(head) = check.head_sha.as_deref().and_then(commit) else { return Vec::new() };
    let suite = check.check_suite.as_ref().and_then(|suite| suite.head_branch.as_ref());
    let branch = check.head_branch.as_ref().or(suite);
    let at = check.completed_at.or(check.updated_at).unwrap_or(now).min(now);
    let told = |of: &DeliveredPullRequest| {
        let url = page(delivery.repository.as_ref(), of)?;
        Some(News {
            branch: own_branch(delivery, of, branch, &url),
            url,
            at,
            what: What::Check {
                head: head.clone(),
                name: name(check),
                failed,
                text: check_text(check, conclusion),
            },
        })
    };
    check.pull_requests.iter().take(MOST_PULL_REQUESTS).filter_map(told).collect()
}

/// Most pull requests of one check that are told: each is looked up. A branch hardly ever has more than one.
const MOST_PULL_REQUESTS: usize = 20;

/// Most characters of a check's name that are told: an item keeps many of them.
const LONGEST_NAME: usize = 100;

/// The page of a pull request that a check names by its number: one into another repository has no page in this one.
fn page(repository: Option<&DeliveredRepository>, of: &DeliveredPullRequest) -> Option<String> {
    if let Some(page) = &of.html_url {
        return pull_request_url(page);
    }
    let repository = repository?;
    let elsewhere = of.base.repo.as_ref().is_some_and(|base| base.id != repository.id);
    let page = format!("{}/pull/{}", repository.html_url.trim_end_matches('/'), of.number);
    if elsewhere { None } else { pull_request_url(&page) }
}

fn name(check: &DeliveredCheck) -> String {
    let of_app = || format!("checks of {}", check.app.as_ref().map_or("an app", |app| &app.name));
    let name = check.name.clone().unwrap_or_else(of_app);
    // The number keeps apart what has one name.
    let name = if check.name.is_some() { name } else { format!("{name} ({})", check.id) };
    name.chars().take(LONGEST_NAME).collect()
}

fn check_text(check: &DeliveredCheck, conclusion: &str) -> String {
    let mut text =
        format!("{}: {conclusion}. {}", name(check), check.html_url.as_deref().unwrap_or_default());
    if let Some(output) = &check.output {
        for part in [&output.title, &output.summary, &output.text].into_iter().flatten() {
            text.push('\n');
            text.push_str(part.trim());
        }
    }
    text
}

/// The name of a commit, if it is one.
fn commit(sha: &str) -> Option<String> {
    let fine = (7..=64).contains(&sha.len()) && sha.bytes().all(|b| b.is_ascii_hexdigit());
    fine.then(|| sha.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Value, json};
    use svc_domain::pull_request::{News, PullRequestState, Review, What};

    const URL: &str = "https://github.com/acme/shop/pull/7";
    const SHA: &str = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

    fn now() -> Timestamp {
        "2026-01-05T12:00:00Z".parse().unwrap()
    }

    fn repository() -> Value {
        json!({"id": 5, "html_url": "https://github.com/acme/shop"})
    }

    fn read(event: &str, mut delivery: Value) -> Vec<News> {
        delivery["repository"] = repository();
        super::news(event, &serde_json::from_value(delivery).unwrap(), now())
    }

    fn pull_request(state: &str, merged: bool) -> Value {
        json!({"html_url": URL, "number": 7, "state": state, "merged": merged,
            "updated_at": "2026-01-05T09:00:00Z", "head": {"ref": "prj-12-fix", "sha": SHA, "repo": {"id": 5}}})
    }

    #[test]
    fn states_of_a_pull_request() {
        for (state, merged, expected) in [
            ("open", false, PullRequestState::Open),
            ("closed", false, PullRequestState::Closed),
            ("closed", true, PullRequestState::Merged),
        ] {
            let told =
                read("pull_request", json!({"action": "any", "pull_request": pull_request(state, merged)}));
            let what = What::State { state: expected, head: SHA.into(), reopened: false };
            let at = "2026-01-05T09:00:00Z".parse().unwrap();
            assert_eq!(told, [News { url: URL.into(), branch: Some("prj-12-fix".into()), at, what }]);
        }
    }

    #[test]
    fn a_check_tells_each_pull_request_of_its_commit() {
        let check = json!({
            "name": "build", "conclusion": "failure", "head_sha": SHA, "completed_at": "2026-01-05T10:00:00Z",
            "html_url": "https://github.com/acme/shop/runs/1", "output": {"title": "2 errors", "summary": "main.rs:3"},
            "check_suite": {"head_branch": "prj-12-fix"},
            "pull_requests": [
                {"number": 7, "head": {"ref": "prj-12-fix", "sha": SHA, "repo": {"id": 5}}, "base": {"repo": {"id": 5}}},
                {"number": 8, "head": {"repo": {"id": 5}}},
                {"number": 9, "head": {"repo": {"id": 5}}, "base": {"repo": {"id": 6}}},
            ],
        });
        let told = read("check_run", json!({"action": "completed", "check_run": check}));
        let urls: Vec<&str> = told.iter().map(|news| news.url.as_str()).collect();
        assert_eq!(urls, [URL, "https://github.com/acme/shop/pull/8"]);
        assert_eq!(told[1].branch.as_deref(), Some("prj-12-fix"), "the branch of the suite");
        let What::Check { name, failed, text, .. } = &told[0].what else { panic!() };
        assert_eq!((name.as_str(), failed), ("build", &true));
        assert_eq!(text, "build: failure. https://github.com/acme/shop/runs/1\n2 errors\nmain.rs:3");
    }

    #[test]
    fn a_check_that_names_thousands_of_pull_requests_tells_of_a_few() {
        let many: Vec<Value> =
            (1..=2_000).map(|number| json!({"number": number, "head": {"repo": {"id": 5}}})).collect();
        let check = json!({
            "name": "build", "conclusion": "failure", "head_sha": SHA, "completed_at": "2026-01-05T10:00:00Z",
            "pull_requests": many,
        });
        assert_eq!(read("check_run", json!({"action": "completed", "check_run": check})).len(), 20);
    }

    #[test]
    fn a_branch_counts_only_in_the_repository_of_the_pull_request() {
        let branch = |page: &str, repo: Value| {
            let mut of = pull_request("open", false);
            of["html_url"] = page.into();
            of["head"]["repo"] = repo;
            let told = read("pull_request", json!({"pull_request": of}));
            told.into_iter().next().expect("it tells its state").branch
        };
        assert_eq!(branch(URL, json!({"id": 5})).as_deref(), Some("prj-12-fix"));
        assert_eq!(branch(URL, json!({"id": 6, "fork": true})), None, "a fork");
        assert_eq!(branch(URL, Value::Null), None, "a fork that was deleted");
        assert_eq!(branch("https://github.com/acme/shop2/pull/7", json!({"id": 5})), None);
    }

    #[test]
    fn a_review_of_somebody_without_rights_in_the_repository_asks_for_nothing() {
        let review = |association: &str| {
            let review = json!({"state": "changes_requested", "body": "Name it.", "author_association": association,
                "commit_id": SHA, "user": {"login": "grace"}, "submitted_at": "2026-01-05T10:00:00Z"});
            read(
                "pull_request_review",
                json!({"pull_request": pull_request("open", false), "review": review}),
            )
        };
        let told = review("MEMBER");
        let What::Reviewed { says, text, .. } = &told[0].what else { panic!() };
        assert_eq!(*says, Some(Review::ChangesRequested));
        assert!(text.contains("grace") && text.ends_with("Name it."));
        assert_eq!(review("NONE"), []);
        assert_eq!(review("CONTRIBUTOR"), []);
    }

    #[test]
    fn what_tells_nothing() {
        for (event, delivery) in [
            ("ping", json!({"zen": "Keep it logically awesome."})),
            ("pull_request", json!({})),
            ("pull_request", json!({"pull_request": {"state": "open"}})),
            (
                "pull_request",
                json!({"pull_request": {"html_url": "javascript:x", "state": "open", "head": {"sha": SHA}}}),
            ),
            (
                "pull_request",
                json!({"pull_request": {"html_url": URL, "state": "open", "head": {"sha": "--force"}}}),
            ),
            (
                "check_run",
                json!({"action": "created", "check_run": {"conclusion": "failure", "head_sha": SHA}}),
            ),
            ("check_suite", json!({"action": "completed", "check_suite": {"conclusion": "cancelled"}})),
            ("push", json!({"ref": "refs/heads/main"})),
        ] {
            assert_eq!(read(event, delivery.clone()), [], "{event} {delivery}");
        }
    }
}
