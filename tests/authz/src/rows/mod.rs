//! One row for each operation, by area.

mod admin;
mod factory;
mod identity;
mod items;
mod notifications;
mod runner;
mod search;
mod sprints;
mod tools;
mod tracker;
mod webhooks;
mod wiki;

use http::Method;
use serde_json::Value;
use svc_domain::identity::Scope;

use crate::who::Who;

pub use tools::{ToolRow, tools};

/// An operation, who may do it, and a body that they would send.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its method.
    pub method: Method,
    /// Its path after `/api/v1`, as in the OpenAPI document.
    pub path: &'static str,
    /// Who may.
    pub who: Who,
    /// The scope that a credential needs; `None` where none is asked for.
    pub scope: Option<Scope>,
    /// Query that they would send.
    pub query: &'static str,
    /// Body that those who may could send. A text `<projects/{key}>` in it is the world's name for that.
    pub body: Option<Value>,
    /// Problem that those who may are answered all the same, such as the 404 of a thing nobody has.
    pub answers: Option<(u16, &'static str)>,
}

impl Row {
    fn new(operation: &'static str, who: Who, scope: impl Into<Option<Scope>>) -> Self {
        let (method, path) = operation.split_once(' ').expect("an operation is a method and a path");
        Self {
            method: method.parse().expect("a method"),
            path,
            who,
            scope: scope.into(),
            query: "",
            body: None,
            answers: None,
        }
    }

    /// With this query.
    fn query(mut self, query: &'static str) -> Self {
        self.query = query;
        self
    }

    /// With this body.
    fn body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Those who may are answered this problem: what is asked for cannot be had in the world.
    fn answers(mut self, status: u16, problem: &'static str) -> Self {
        self.answers = Some((status, problem));
        self
    }

    /// Works in an archived project too.
    fn even_archived(mut self) -> Self {
        self.who.in_project = false;
        self
    }

    /// The operation as failures name it.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether it may change something.
    pub fn changes(&self) -> bool {
        self.method != Method::GET
    }
}

/// Every row.
pub fn all() -> Vec<Row> {
    [
        identity::rows(),
        admin::rows(),
        tracker::rows(),
        items::rows(),
        notifications::rows(),
        sprints::rows(),
        wiki::rows(),
        webhooks::rows(),
        factory::rows(),
        runner::rows(),
        search::rows(),
    ]
    .concat()
}
