//! `svc sprint`, and `svc item move` into sprints.

use serde_json::json;
use svc_api::tracker::{
    BoardCard, BoardColumn, Burndown, BurndownPoint, CompletedSprint, Item, ItemType, Sprint,
    SprintCompletion, SprintState, StateGroup, Taskboard, TeamRef, Work,
};

use crate::fixtures::{ada, at, fresh_item, item, page, problem, team};
use crate::stub::Stub;

const LIST: &str = "GET /orgs/demo/projects/PRJ/sprints";

fn work(remaining: f64, estimate: f64) -> Work {
    Work { items: 3, unfinished: 2, estimate, remaining }
}

fn sprint(id: &str, name: &str, state: SprintState) -> Sprint {
    Sprint {
        id: id.into(),
        project: "PRJ".into(),
        team: TeamRef { id: "team-web".into(), key: "web".into(), name: "Web front end".into() },
        name: name.into(),
        goal: "Search is usable.".into(),
        start: Some("2026-01-05".parse().unwrap()),
        end: None,
        capacity: Some(20.0),
        state,
        work: work(4.5, 13.0),
        created_at: at("09:00:00"),
        started_at: (state != SprintState::Planned).then(|| at("10:00:00")),
        completion: None,
        version: 3,
    }
}

fn completed() -> Sprint {
    let completion = SprintCompletion { at: at("17:00:00"), by: ada(), unfinished_to: None };
    Sprint {
        completion: Some(completion),
        ..sprint("01900000-0000-7000-8000-000000000001", "Sprint 1", SprintState::Completed)
    }
}

fn board() -> Taskboard {
    let mut subtask = fresh_item("PRJ-13", "Write the test");
    subtask.item_type = ItemType::Subtask;
    subtask.estimate = Some(2.0);
    let cards =
        vec![BoardCard { item: item("PRJ-12", "Search forgets its filter"), subtasks: vec![subtask] }];
    let column = |state: &str, state_group, cards| BoardColumn {
        state: state.into(),
        state_group,
        work: work(4.5, 13.0),
        cards,
    };
    Taskboard {
        sprint: sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Active),
        columns: vec![
            column("Backlog", StateGroup::Backlog, vec![]),
            column("In progress", StateGroup::Active, cards),
        ],
    }
}

#[test]
fn a_list_is_a_table_or_json_of_a_team_or_all() {
    let stub = Stub::new();
    let sprints =
        vec![sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Active), completed()];
    stub.on(LIST, &page(sprints));
    let args = ["sprint", "list", "-t", "web", "-p", "prj", "--state", "Active"];
    insta::assert_snapshot!("sprint_list", stub.svc(&args).run());
    assert_eq!(stub.calls(), [format!("{LIST}?team=web&state=active&page=1&pageSize=100")]);
    let all = stub.svc(&["sprint", "list", "-p", "PRJ", "--json"]).run().json();
    assert_eq!(all[1]["completion"]["unfinishedTo"], json!(null));
    assert_eq!(stub.svc(&["sprint", "list"]).run().code, 2, "a project is named");
}

#[test]
fn a_team_that_there_is_not_is_told() {
    let stub = Stub::new();
    let mut unknown = problem(422, "validation-failed", "Some fields are not valid.", None);
    unknown.errors.insert("team".into(), vec!["There is no team \"app\" in the project.".into()]);
    stub.refuse(LIST, &unknown);
    insta::assert_snapshot!(
        "sprint_list_no_team",
        stub.svc(&["sprint", "list", "-p", "PRJ", "-t", "app"]).run()
    );
}

#[test]
fn a_view_shows_the_sprint_its_taskboard_or_its_burndown() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/sprints/01900000-0000-7000-8000-000000000001", &completed());
    stub.on("GET /orgs/demo/sprints/01900000-0000-7000-8000-000000000002/taskboard", &board());
    let point = |time, remaining, added| BurndownPoint {
        day: "2026-01-05".parse().unwrap(),
        at: at(time),
        work: work(remaining, 13.0),
        added,
        removed: 0,
    };
    let points = vec![point("10:00:00", 13.0, 0), point("23:59:59", 4.5, 1)];
    let burndown = Burndown { sprint: board().sprint, points };
    stub.on("GET /orgs/demo/sprints/01900000-0000-7000-8000-000000000002/burndown", &burndown);
    insta::assert_snapshot!(
        "sprint_view",
        stub.svc(&["sprint", "view", "01900000-0000-7000-8000-000000000001"]).run()
    );
    let view = |flag| stub.svc(&["sprint", "view", "01900000-0000-7000-8000-000000000002", flag]).run();
    insta::assert_snapshot!("sprint_taskboard", view("--taskboard"));
    insta::assert_snapshot!("sprint_burndown", view("--burndown"));
    let json = stub
        .svc(&["sprint", "view", "01900000-0000-7000-8000-000000000002", "--taskboard", "--json"])
        .run()
        .json();
    assert_eq!(json["columns"][1]["cards"][0]["subtasks"][0]["key"], "PRJ-13");
    stub.svc(&["sprint", "view", "01900000-0000-7000-8000-000000000002", "--taskboard", "--burndown"])
        .run()
        .exits(2);
}

#[test]
fn an_item_shows_its_sprint_by_name() {
    let stub = Stub::new();
    let planned = |id: &str| Item { sprint: Some(id.into()), ..item("PRJ-12", "Search forgets its filter") };
    stub.on("GET /orgs/demo/items/PRJ-12", &planned("01900000-0000-7000-8000-000000000002"))
        .on("GET /orgs/demo/items/PRJ-12", &planned("gone"));
    stub.on(
        "GET /orgs/demo/sprints/01900000-0000-7000-8000-000000000002",
        &sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Active),
    );
    stub.refuse("GET /orgs/demo/sprints/gone", &problem(404, "not-found", "Not found.", None));
    let view = || stub.svc(&["item", "view", "PRJ-12"]).run();
    let (named, unknown) = (view(), view());
    assert!(named.stdout.contains("sprint     Sprint 2\n"), "{named}");
    assert!(unknown.code == 0 && unknown.stdout.contains("sprint     gone\n"), "{unknown}");
}

#[test]
fn a_sprint_that_cannot_be_seen_is_not_found() {
    let stub = Stub::new();
    stub.refuse(
        "GET /orgs/demo/sprints/01900000-0000-7000-8000-000000000009",
        &problem(404, "not-found", "Not found.", None),
    );
    assert_eq!(stub.svc(&["sprint", "view", "01900000-0000-7000-8000-000000000009"]).run().code, 4);
}

#[test]
fn an_item_moves_into_a_sprint_and_after_another_under_the_version_it_read() {
    let stub = Stub::new();
    let mut moved = item("PRJ-12", "Search forgets its filter");
    stub.on("GET /orgs/demo/items/PRJ-12", &moved);
    moved.sprint = Some("01900000-0000-7000-8000-000000000002".into());
    stub.on("POST /orgs/demo/items/PRJ-12/move", &moved);
    for (args, sent) in [
        (
            &["--sprint", "01900000-0000-7000-8000-000000000002"][..],
            json!({ "version": 7, "sprint": "01900000-0000-7000-8000-000000000002" }),
        ),
        (
            &["--sprint", "01900000-0000-7000-8000-000000000002", "--after", "prj-3"],
            json!({ "version": 7, "sprint": "01900000-0000-7000-8000-000000000002", "after": "PRJ-3" }),
        ),
        (&["--sprint", "none"], json!({ "version": 7, "sprint": null })),
        (&["--after", "PRJ-3"], json!({ "version": 7, "after": "PRJ-3" })),
    ] {
        stub.svc(&[&["item", "move", "PRJ-12"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    let calls = stub.calls().len();
    for args in [
        &[][..],
        &["--state", "Closed", "--sprint", "01900000-0000-7000-8000-000000000002"],
        &["--sprint", "s", "--after", "x"],
    ] {
        stub.svc(&[&["item", "move", "PRJ-12"], args].concat()).run().exits(2);
    }
    assert_eq!(stub.calls().len(), calls, "none of these leaves the machine");
}

#[test]
fn a_sprint_is_planned_changed_started_completed_and_deleted() {
    let stub = Stub::new();
    let path = "/orgs/demo/sprints/01900000-0000-7000-8000-000000000002";
    let planned = sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Planned);
    stub.on("POST /orgs/demo/projects/PRJ/sprints", &planned);
    stub.on(&format!("GET {path}"), &planned).on(&format!("PATCH {path}"), &planned);
    stub.on(
        &format!("POST {path}/start"),
        &sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Active),
    );
    let moved = CompletedSprint { sprint: completed(), moved: 4, left: 0 };
    stub.on(&format!("POST {path}/complete"), &moved);
    stub.on(&format!("DELETE {path}"), &json!(null));
    let create =
        ["sprint", "create", "-p", "PRJ", "-t", "web", "--name", "Sprint 2", "--start", "2026-01-05"];
    assert_eq!(stub.svc(&[&create[..], &["--capacity", "20"]].concat()).run().code, 0);
    let sent =
        json!({ "team": "web", "name": "Sprint 2", "goal": "", "start": "2026-01-05", "capacity": 20.0 });
    assert_eq!(stub.last_body(), sent);
    assert_eq!(
        stub.svc(&[
            "sprint",
            "edit",
            "01900000-0000-7000-8000-000000000002",
            "--end",
            "2026-01-16",
            "--capacity",
            "none"
        ])
        .run()
        .code,
        0
    );
    assert_eq!(stub.last_body(), json!({ "version": 3, "end": "2026-01-16", "capacity": null }));
    assert_eq!(stub.svc(&["sprint", "start", "01900000-0000-7000-8000-000000000002"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 3 }));
    insta::assert_snapshot!(
        "sprint_complete",
        stub.svc(&["sprint", "complete", "01900000-0000-7000-8000-000000000002", "--unfinished-to", "next"])
            .run()
    );
    assert_eq!(stub.last_body(), json!({ "version": 3, "unfinishedTo": "next" }));
    assert_eq!(stub.svc(&["sprint", "complete", "01900000-0000-7000-8000-000000000002"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 3, "unfinishedTo": "backlog" }));
    assert_eq!(
        stub.svc(&["sprint", "delete", "01900000-0000-7000-8000-000000000002", "--yes"]).run().code,
        0
    );
    assert_eq!(
        stub.svc(&["sprint", "edit", "01900000-0000-7000-8000-000000000002"]).run().code,
        2,
        "nothing to change"
    );
}

#[test]
fn a_sprint_gets_a_name_of_its_own_in_the_only_team() {
    let stub = Stub::new();
    let planned = sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Planned);
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[team("WEB", &[])]);
    stub.on("POST /orgs/demo/projects/PRJ/sprints", &planned);
    let create = ["sprint", "create", "-p", "PRJ", "sprint 2"];
    assert_eq!(stub.svc(&create).run().code, 0);
    assert_eq!(stub.last_body()["team"], "WEB");
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[team("WEB", &[])]);
    let taken = problem(409, "already-exists", "a sprint of this name exists already", None);
    stub.refuse("POST /orgs/demo/projects/PRJ/sprints", &taken);
    let ran = stub.svc(&create).run().exits(3);
    assert!(ran.stderr.contains("there is a sprint \"sprint 2\" already"), "{ran}");
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[team("WEB", &[]), team("OPS", &[])]);
    let ran = stub.svc(&create).run();
    assert!(ran.code == 2 && ran.stderr.contains("the teams of PRJ are WEB, OPS"), "{ran}");
}

#[test]
fn an_edit_plans_an_item_with_its_fields() {
    let stub = Stub::new();
    let planned = sprint("01900000-0000-7000-8000-000000000002", "Sprint 2", SprintState::Planned);
    stub.on("GET /orgs/demo/projects/PRJ/sprints", &page(vec![planned]));
    stub.on("GET /orgs/demo/items/PRJ-12", &fresh_item("PRJ-12", "Search"));
    stub.on("POST /orgs/demo/items/PRJ-12/move", &fresh_item("PRJ-12", "Search"));
    stub.svc(&["item", "edit", "PRJ-12", "--sprint", "sprint 2", "--priority", "high"]).run().exits(0);
    assert_eq!(stub.last_body()["sprint"], "01900000-0000-7000-8000-000000000002");
    assert_eq!(stub.last_body()["change"], json!({ "priority": "high" }));
    stub.svc(&["item", "edit", "PRJ-12", "--sprint", "none", "--title", "x"]).run().exits(2);
}

#[test]
fn the_last_day_of_a_sprint_counts_from_its_first() {
    let stub = Stub::new();
    let (first, last) = ("2026-06-01".parse().unwrap(), "2026-06-15".parse().unwrap());
    let id = "01900000-0000-7000-8000-000000000001";
    let planned = Sprint { start: Some(first), end: Some(last), ..sprint(id, "S", SprintState::Planned) };
    let one = format!("/orgs/demo/sprints/{id}");
    stub.on("POST /orgs/demo/projects/PRJ/sprints", &planned).on(&format!("GET {one}"), &planned);
    stub.on(&format!("PATCH {one}"), &planned);
    let create = ["sprint", "create", "S", "-p", "PRJ", "-t", "WEB", "--start", "2026-06-01", "--end"];
    for (end, day) in [("+14d", "2026-06-15"), ("+2w", "2026-06-15"), ("friday", "2026-06-05")] {
        for command in [&create[..], &["sprint", "edit", id, "--end"]] {
            let ran = stub.svc(&[command, &[end]].concat()).run();
            assert_eq!((ran.code, &stub.last_body()["end"]), (0, &json!(day)), "{ran}");
            assert!(ran.stderr.contains("from Monday 2026-06-01 to Monday 2026-06-15"), "{ran}");
        }
    }
    let dated = stub.svc(&[&create[..], &["2026-06-12"]].concat()).run();
    assert_eq!((dated.code, dated.stderr.as_str()), (0, ""), "a date needs no explanation: {dated}");
}
