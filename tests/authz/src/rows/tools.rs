//! Tools of the MCP server: each with the operation of the REST API whose use case it calls, and so the same callers.

use serde_json::{Value, json};

use crate::who::Who;

/// A tool, and arguments that those who may could send. A text `<runs/{id}>` is the world's name for that.
#[derive(Clone, Debug)]
pub struct ToolRow {
    /// Name of the tool.
    pub name: &'static str,
    /// The operation, as its own row names it.
    pub operation: &'static str,
    /// Arguments.
    pub arguments: Value,
    /// Whether it asks about the organization that a token is bound to, and so about everybody's own.
    pub of_own_org: bool,
}

impl ToolRow {
    fn new(name: &'static str, operation: &'static str, arguments: Value) -> Self {
        Self { name, operation, arguments, of_own_org: false }
    }

    fn of_own_org(self) -> Self {
        Self { of_own_org: true, ..self }
    }

    /// Who may: those who may do the operation.
    ///
    /// # Panics
    /// When there is no such operation.
    pub fn who(&self) -> Who {
        let rows = super::all();
        let row = rows.iter().find(|row| row.name() == self.operation);
        row.unwrap_or_else(|| panic!("{} is no row of the matrix", self.operation)).who
    }
}

/// Every tool.
pub fn tools() -> Vec<ToolRow> {
    let item = json!({"key": "PRJ-1"});
    let project = json!({"project": "PRJ"});
    let new = json!({"project": "PRJ", "type": "task", "title": "New"});
    let page = json!({"project": "PRJ", "path": "Fresh", "body": "Read."});
    vec![
        ToolRow::new("get_context", "GET /orgs/{slug}", json!({})).of_own_org(),
        ToolRow::new("get_project", "GET /orgs/{slug}/projects/{key}", project.clone()),
        ToolRow::new("list_items", "GET /orgs/{slug}/projects/{key}/items", project.clone()),
        ToolRow::new("get_item", "GET /orgs/{slug}/items/{key}", item.clone()),
        ToolRow::new(
            "search",
            "GET /orgs/{slug}/projects/{key}/search",
            json!({"q": "word", "project": "PRJ"}),
        ),
        ToolRow::new("create_item", "POST /orgs/{slug}/projects/{key}/items", new),
        ToolRow::new(
            "update_item",
            "PATCH /orgs/{slug}/items/{key}",
            json!({"key": "PRJ-1", "version": 1, "title": "New"}),
        ),
        ToolRow::new(
            "transition_item",
            "POST /orgs/{slug}/items/{key}/transition",
            json!({"key": "PRJ-1", "version": 1, "state": "In review"}),
        ),
        ToolRow::new("claim_item", "POST /orgs/{slug}/items/{key}/claim", item.clone()),
        ToolRow::new("release_item", "POST /orgs/{slug}/items/{key}/release", item),
        ToolRow::new(
            "add_comment",
            "POST /orgs/{slug}/items/{key}/comments",
            json!({"key": "PRJ-1", "body": "Hello"}),
        ),
        ToolRow::new(
            "link_pull_request",
            "POST /orgs/{slug}/items/{key}/links",
            json!({"key": "PRJ-1", "url": "https://code.example/1"}),
        ),
        ToolRow::new("get_sprints", "GET /orgs/{slug}/projects/{key}/sprints", project),
        ToolRow::new(
            "get_wiki_page",
            "GET /orgs/{slug}/projects/{key}/wiki/pages/{path}",
            json!({"project": "PRJ", "path": "Guide"}),
        ),
        ToolRow::new("put_wiki_page", "PUT /orgs/{slug}/projects/{key}/wiki/pages/{path}", page),
        ToolRow::new("list_runs", "GET /orgs/{slug}/runs", json!({})).of_own_org(),
        ToolRow::new("get_run", "GET /orgs/{slug}/runs/{id}", json!({"id": "<runs/{id}>"})),
        ToolRow::new("start_run", "POST /orgs/{slug}/items/{key}/runs", json!({"item": "PRJ-1"})),
        ToolRow::new("cancel_run", "POST /orgs/{slug}/runs/{id}/cancel", json!({"id": "<runs/{id}>"})),
        ToolRow::new(
            "submit_refinement",
            "PUT /orgs/{slug}/items/{key}/refinement/submission",
            json!({"key": "PRJ-1", "questions": ["Why?"]}),
        ),
    ]
}
