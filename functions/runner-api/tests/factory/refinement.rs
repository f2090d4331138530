//! Refining a ticket: rounds with questions, a proposal, its confirmation, and everything that refuses or fails.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_app::messages::{ContinueRun, Message};
use svc_testkit::Reply;

use crate::stage::{Machine, Stage};

const SETTINGS: &str = "/orgs/demo/projects/PRJ/refinement-settings";

/// A ticket that is being refined.
struct Ticket<'a> {
    stage: &'a Stage,
    machine: Machine,
    path: String,
}

impl<'a> Ticket<'a> {
    async fn new(stage: &'a Stage) -> Self {
        let settings = json!({
            "version": 0, "productDescription": "A tracker.", "namingConventions": "[API]", "refinedState": "In review",
        });
        stage.call(Method::PATCH, SETTINGS, &stage.owner, Some(settings)).await;
        let key = stage.item("Login").await;
        Self { stage, machine: stage.runner("box").await, path: format!("/orgs/demo/items/{key}") }
    }

    fn key(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    async fn post(&self, what: &str, body: Value) -> Reply {
        self.stage.post(&format!("{}/refinement{what}", self.path), &self.stage.operator, body).await
    }

    async fn view(&self) -> Value {
        self.stage.get(&format!("{}/refinement", self.path), &self.stage.operator).await.json
    }

    /// A runner takes the round's run; the assignment.
    async fn take(&self, request: &str) -> Value {
        self.stage.take(&self.machine, request).await.is(200).json
    }

    async fn hand_in(&self, taken: &Value, body: Value) -> Reply {
        let path = format!("{}/refinement/submission", self.path);
        self.stage.call(Method::PUT, &path, taken["token"].as_str().unwrap(), Some(body)).await
    }

    async fn finish(&self, taken: &Value, result: &str) {
        let run = taken["runId"].as_str().unwrap();
        let fence = &taken["fence"];
        self.stage.say(&self.machine, run, "start", json!({"fence": fence})).await;
        let body = json!({"fence": fence, "result": result, "exitCode": 0, "harnessSession": "s-1"});
        let said = self.stage.say(&self.machine, run, "finish", body).await;
        assert!(said.status.is_success(), "{}", said.text);
    }

    /// A whole round that hands in this.
    async fn round(&self, request: &str, body: Value) -> Value {
        let taken = self.take(request).await;
        self.hand_in(&taken, body).await.is(200);
        self.finish(&taken, "succeeded").await;
        taken
    }
}

fn proposal() -> Value {
    json!({"proposal": {
        "title": "[API] Log in with a password", "description": "As a user …", "priority": "high", "labels": ["auth"],
    }})
}

#[tokio::test]
async fn its_agent_hands_in_comments_and_changes_nothing_itself() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let taken = ticket.take("first").await;
    let token = taken["token"].as_str().unwrap();
    let item = stage.view_item(ticket.key()).await;
    let edit = json!({"version": item["version"], "title": "Rewritten", "body": "At once."});
    let edited = stage.call(Method::PATCH, &ticket.path, token, Some(edit)).await;
    assert_eq!((edited.status, edited.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    let part = json!({"title": "Part", "estimate": 1});
    let added = stage.post(&format!("{}/subtasks", ticket.path), token, part).await;
    assert_eq!((added.status, added.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    stage.post_as(token, &format!("{}/comments", ticket.path), json!({"body": "Which browsers?"})).await;
    assert_eq!(
        ticket.hand_in(&taken, json!({"questions": ["Which browsers?"]})).await.status,
        StatusCode::OK
    );
    assert_eq!(stage.view_item(ticket.key()).await["title"], "Login");
}

#[tokio::test]
async fn who_asked_is_told_that_the_agent_needs_their_answer() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    let watch = format!("{}/watch", ticket.path);
    stage.call(Method::PUT, &watch, &stage.member, None).await;
    ticket.post("", json!({})).await;
    let taken = ticket.round("first", json!({"questions": ["Which browsers?"]})).await;
    stage.work_twice().await;
    let inbox = stage.inbox(&stage.operator).await;
    assert_eq!(inbox.len(), 1, "{inbox:?}");
    let entry = &inbox[0];
    assert_eq!((&entry["kind"], &entry["needsYou"]), (&json!("runNeedsInput"), &json!(true)), "{entry}");
    assert_eq!((&entry["runId"], &entry["itemKey"]), (&taken["runId"], &json!(ticket.key())));
    assert!(entry["summary"].as_str().unwrap().starts_with("Builder needs your answer"), "{entry}");
    let told = stage.inbox(&stage.member).await;
    let kinds: Vec<&Value> =
        told.iter().flat_map(|entry| entry["news"].as_array().unwrap()).map(|news| &news["kind"]).collect();
    assert_eq!(kinds, ["runSucceeded"], "who does not operate the factory hears that the run ended");
}

/// The comment said that it succeeded.
#[tokio::test]
async fn a_run_that_submits_nothing_says_that_the_refinement_failed() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let taken = ticket.take("first").await;
    ticket.finish(&taken, "succeeded").await;
    assert_eq!(ticket.view().await["status"], "failed");
    let said = stage.get(&format!("{}/comments", ticket.path), &stage.operator).await.json;
    let outcome = said["items"].as_array().unwrap().last().unwrap()["body"].as_str().unwrap().to_owned();
    assert!(outcome.starts_with("Refinement failed: the run submitted nothing."), "{outcome}");
}

#[tokio::test]
async fn a_question_is_answered_and_the_proposal_is_confirmed() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    let started = ticket.post("", json!({})).await.is(201);
    assert_eq!(started.json["status"], "running");
    let taken = ticket.take("first").await;
    assert_eq!(taken["kind"], "refine");
    let prompt = taken["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("A tracker.") && prompt.contains("[API]") && prompt.contains("Please."),
        "{prompt}"
    );
    let handed = ticket.hand_in(&taken, json!({"questions": ["Which browsers?", "With a password?"]})).await;
    assert_eq!(
        (handed.status, &handed.json["status"]),
        (StatusCode::OK, &json!("running")),
        "{}",
        handed.text
    );
    ticket.finish(&taken, "succeeded").await;

    let asked = ticket.view().await;
    assert_eq!(asked["status"], "questions");
    let said = stage.get(&format!("{}/comments", ticket.path), &stage.operator).await.json;
    let outcome = said["items"].as_array().unwrap().last().unwrap()["body"].as_str().unwrap().to_owned();
    assert!(
        outcome.contains("It has 2 questions") && outcome.contains("svc refine answer PRJ-"),
        "{outcome}"
    );
    assert_eq!(asked["questions"][1], json!({"number": 2, "question": "With a password?"}));
    let answers = json!({"version": asked["version"], "answers": [{"question": 2, "answer": "Yes, and nothing else."}]});
    ticket.post("/answers", answers.clone()).await.is(200);
    assert_eq!(ticket.post("/answers", answers).await.problem(), "stale-version");
    let second = ticket.round("second", proposal()).await;
    assert!(second["prompt"].as_str().unwrap().contains("Answer: Yes, and nothing else."));

    let proposed = ticket.view().await;
    assert_eq!(
        (&proposed["status"], &proposed["proposal"]["priority"]),
        (&json!("proposed"), &json!("high"))
    );
    let item = stage.view_item(ticket.key()).await;
    assert_eq!(
        (&item["title"], &item["state"]),
        (&json!("Login"), &json!("In progress")),
        "nothing moved yet"
    );
    assert_eq!((&item["claim"], &proposed["itemVersion"]), (&Value::Null, &item["version"]));
    let confirm = json!({"version": proposed["version"], "itemVersion": item["version"]});
    let confirmed = ticket.post("/confirm", confirm.clone()).await.is(200);
    assert_eq!(
        (&confirmed.json["status"], &confirmed.json["confirmedBy"]["agent"]),
        (&json!("confirmed"), &json!(false))
    );
    let item = stage.view_item(ticket.key()).await;
    assert_eq!(
        (&item["title"], &item["state"], &item["priority"], &item["labels"]),
        (&json!("[API] Log in with a password"), &json!("In review"), &json!("high"), &json!(["auth"]))
    );
    assert_eq!(ticket.post("/confirm", confirm).await.problem(), "stale-version");
    stage.consistent().await;
}

#[tokio::test]
async fn a_note_asks_for_another_pass_on_the_same_runner() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    let refused = ticket.post("", json!({"runnerId": "nope"})).await;
    assert!(refused.json["errors"]["runnerId"].is_array(), "{}", refused.text);
    let body = json!({"runnerId": ticket.machine.id, "harness": "harness_2"});
    ticket.post("", body).await;
    ticket.round("first", proposal()).await;
    let version = ticket.view().await["version"].clone();
    assert_eq!(
        ticket.post("/changes", json!({"version": version, "note": " "})).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(ticket.post("/answers", json!({"version": version, "note": "x"})).await.problem(), "conflict");
    ticket.post("/changes", json!({"version": version, "note": "Shorter."})).await.is(200);
    let taken = ticket.take("second").await;
    assert_eq!(taken["harness"], "harness_2");
    let prompt = taken["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("Shorter.") && prompt.contains("Title: [API] Log in with a password"),
        "{prompt}"
    );
    let snapshot = stage.view_run(taken["runId"].as_str().unwrap()).await;
    assert_eq!(snapshot["promptSnapshot"], prompt, "what people see is what was sent");
}

#[tokio::test]
async fn a_run_that_hands_in_nothing_failed_and_the_ticket_is_refined_again() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    assert_eq!(ticket.post("", json!({})).await.problem(), "live-run-exists");
    let taken = ticket.take("first").await;
    assert!(stage.view_item(ticket.key()).await["claim"].is_object());
    ticket.finish(&taken, "succeeded").await;
    assert_eq!(ticket.view().await["status"], "failed");
    let item = stage.view_item(ticket.key()).await;
    assert_eq!((&item["claim"], &item["state"]), (&Value::Null, &json!("In progress")));
    let late = ticket.hand_in(&taken, proposal()).await;
    assert_eq!(late.status, StatusCode::UNAUTHORIZED, "its token ended with it");
    assert_eq!(ticket.post("", json!({})).await.status, StatusCode::CREATED);
    ticket.round("second", proposal()).await;
    assert_eq!(ticket.view().await["status"], "proposed");
    assert_eq!(ticket.post("", json!({})).await.problem(), "conflict", "the proposal waits");

    // The first run that does the work begins the item's branch all the same.
    let run = stage.start(ticket.key(), json!({})).await;
    let branch = stage.view_run(&run).await["branch"].as_str().unwrap().to_owned();
    assert_eq!(branch, svc_domain::branch::of_item(&ticket.key().parse().unwrap(), "Login"));
}

#[tokio::test]
async fn a_cancelled_run_keeps_what_it_handed_in() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let taken = ticket.take("first").await;
    ticket.hand_in(&taken, json!({"questions": ["Why?"]})).await;
    let cancel = format!("/runs/{}/cancel", taken["runId"].as_str().unwrap());
    stage.post_as(&stage.operator, &cancel, json!({})).await;
    assert_eq!(ticket.view().await["status"], "questions");
    stage.consistent().await;
}

#[tokio::test]
async fn a_run_that_is_continued_goes_on_refining() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let taken = ticket.take("first").await;
    let (run, fence) = (taken["runId"].as_str().unwrap(), &taken["fence"]);
    stage.say(&ticket.machine, run, "start", json!({"fence": fence})).await;
    let failed = json!({"fence": fence, "result": "failed", "failureReason": "harness-transient", "harnessSession": "s-1"});
    stage.say(&ticket.machine, run, "finish", failed).await;
    assert_eq!(ticket.view().await["status"], "failed");
    stage.kit.advance(jiff::SignedDuration::from_secs(61));
    stage.take(&ticket.machine, "idle").await;
    let message = Message::from(ContinueRun { org: stage.org.id, run: run.parse().unwrap() });
    svc_workers::handle(&stage.kit.app, &message).await.unwrap();
    assert_eq!(ticket.view().await["status"], "running");
    let second = ticket.round("second", proposal()).await;
    assert_eq!(second["kind"], "continue");
    assert_eq!(ticket.view().await["status"], "proposed");
    let item = stage.view_item(ticket.key()).await;
    assert_eq!(item["state"], "In progress", "a refine run moves nothing, however it came to its end");
}

#[tokio::test]
async fn what_could_not_be_confirmed_is_refused_when_it_is_handed_in() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let taken = ticket.take("first").await;
    let bad = json!({"proposal": {"title": "two\nlines", "description": "x"}});
    let refused = ticket.hand_in(&taken, bad).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.json["errors"]["proposal.title"].is_array(), "{}", refused.text);
    assert_eq!(ticket.hand_in(&taken, json!({})).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Another run of the project does not refine this ticket, and people do not hand in.
    let other = stage.assigned(&ticket.machine, "Other").await.1;
    assert_eq!(ticket.hand_in(&other, proposal()).await.status, StatusCode::FORBIDDEN);
    let path = format!("{}/refinement/submission", ticket.path);
    let person = stage.call(Method::PUT, &path, &stage.owner, Some(proposal())).await;
    assert_eq!(person.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn nothing_is_overwritten_that_somebody_wrote_since() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    ticket.round("first", proposal()).await;
    let seen = ticket.view().await;
    let change = json!({"version": seen["itemVersion"], "title": "Mine"});
    stage.call(Method::PATCH, &ticket.path, &stage.owner, Some(change)).await;
    let confirm = json!({"version": seen["version"], "itemVersion": seen["itemVersion"]});
    let refused = ticket.post("/confirm", confirm).await;
    assert_eq!(refused.problem(), "stale-version");
    assert_eq!(stage.view_item(ticket.key()).await["title"], "Mine");
}

#[tokio::test]
async fn a_move_that_the_workflow_lacks_leaves_everything() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    let change = json!({"version": 1, "refinedState": "Closed"});
    stage.call(Method::PATCH, SETTINGS, &stage.owner, Some(change)).await;
    ticket.post("", json!({})).await;
    ticket.round("first", proposal()).await;
    let seen = ticket.view().await;
    let confirm = json!({"version": seen["version"], "itemVersion": seen["itemVersion"]});
    assert_eq!(ticket.post("/confirm", confirm).await.problem(), "move-not-permitted");
    assert_eq!(ticket.view().await["status"], "proposed");
}

#[tokio::test]
async fn who_may_not_start_ai_work_sees_nothing_of_it() {
    let stage = Stage::new().await;
    let ticket = Ticket::new(&stage).await;
    ticket.post("", json!({})).await;
    let path = format!("{}/refinement", ticket.path);
    for (token, problem) in [(&stage.member, "factory-not-permitted"), (&stage.foreigner, "not-found")] {
        assert_eq!(stage.get(&path, token).await.problem(), problem);
        assert_eq!(stage.post(&path, token, json!({})).await.problem(), problem);
    }
    let never = stage.item("Never refined").await;
    let never = stage.get(&format!("/orgs/demo/items/{never}/refinement"), &stage.operator).await;
    assert_eq!(never.problem(), "not-found");
}
